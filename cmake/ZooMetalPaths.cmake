# SPDX-License-Identifier: Apache-2.0
# TTNN::TTNN from three directories, where the CMake package TT-NN is not installed: the headers of a source tree, and the
# libraries of a build or of the `ttnn` wheel, which has no headers of its own. Written for tt-metal v0.77.0.
include_guard(GLOBAL)

set(ZOO_METAL_SOURCE_DIR "" CACHE PATH "tt-metal source tree (headers): the directory that holds ttnn/ and tt_metal/")
set(ZOO_METAL_THIRD_PARTY_DIR "" CACHE PATH
    "Headers of fmt 11, nlohmann json 3.11.3, enchantum, reflect, tt-logger (or a stand-in), tracy (or a stand-in)")
set(ZOO_METAL_LIBRARY_DIR "" CACHE PATH "Directory of _ttnncpp.so, libtt_metal.so, libtt-umd.so.0 and libtt_stl.so")
set(ZOO_METAL_UMD_DIR "" CACHE PATH "UMD source tree; empty for the submodule in ZOO_METAL_SOURCE_DIR")

# _zoo_metal_need(variable file...): the file must exist, or the message says which variable to set, and to what.
function(_zoo_metal_need variable)
    foreach(file IN LISTS ARGN)
        if("${${variable}}" STREQUAL "" OR NOT EXISTS "${${variable}}/${file}")
            get_property(help CACHE ${variable} PROPERTY HELPSTRING)
            message(FATAL_ERROR
                "The provider 'metal' needs either the CMake package TT-NN (set CMAKE_PREFIX_PATH, for a source build its build "
                "directory) or ZOO_METAL_SOURCE_DIR, ZOO_METAL_THIRD_PARTY_DIR and ZOO_METAL_LIBRARY_DIR.\n"
                "${variable} is '${${variable}}' and has no ${file}.\n${variable}: ${help}")
        endif()
    endforeach()
endfunction()

if(ZOO_METAL_SOURCE_DIR AND NOT ZOO_METAL_UMD_DIR)
    set(ZOO_METAL_UMD_DIR "${ZOO_METAL_SOURCE_DIR}/tt_metal/third_party/umd")
endif()
_zoo_metal_need(ZOO_METAL_SOURCE_DIR ttnn/api ttnn/cpp tt_metal/api tt_metal/hostdevcommon/api tt_stl)
_zoo_metal_need(ZOO_METAL_UMD_DIR device/api)
_zoo_metal_need(ZOO_METAL_THIRD_PARTY_DIR fmt/format.h nlohmann/json.hpp enchantum reflect)
# The names are given in full: one has no prefix, another is found by its version only.
set(_zoo_metal_libraries _ttnncpp.so libtt_metal.so libtt-umd.so.0 libtt_stl.so)
_zoo_metal_need(ZOO_METAL_LIBRARY_DIR ${_zoo_metal_libraries})

add_library(TTNN::TTNN INTERFACE IMPORTED GLOBAL)
# As system headers: with plain includes some of them do not even compile, for narrowing.
target_include_directories(TTNN::TTNN SYSTEM INTERFACE
    "${ZOO_METAL_SOURCE_DIR}/ttnn/api"
    "${ZOO_METAL_SOURCE_DIR}/ttnn/cpp"
    "${ZOO_METAL_SOURCE_DIR}/tt_metal/api"
    "${ZOO_METAL_SOURCE_DIR}/tt_metal/hostdevcommon/api"
    "${ZOO_METAL_SOURCE_DIR}/tt_stl"
    "${ZOO_METAL_SOURCE_DIR}"
    "${ZOO_METAL_UMD_DIR}/device/api"
    "${ZOO_METAL_THIRD_PARTY_DIR}")
target_compile_definitions(TTNN::TTNN INTERFACE FMT_HEADER_ONLY=1 NTEST)
target_compile_features(TTNN::TTNN INTERFACE cxx_std_20)
# Our inline copies must not take the place of the libraries' own.
target_compile_options(TTNN::TTNN INTERFACE -fvisibility-inlines-hidden $<$<CXX_COMPILER_ID:Clang>:-fsized-deallocation>)
list(TRANSFORM _zoo_metal_libraries PREPEND "${ZOO_METAL_LIBRARY_DIR}/")
# Each library finds its own private ones; ours only need to find these four.
target_link_libraries(TTNN::TTNN INTERFACE ${_zoo_metal_libraries})
target_link_options(TTNN::TTNN INTERFACE "LINKER:-rpath,${ZOO_METAL_LIBRARY_DIR}")
unset(_zoo_metal_libraries)
