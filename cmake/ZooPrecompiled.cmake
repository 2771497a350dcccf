# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
# A compiler cache cannot share what was compiled with such headers between checkouts, and is quicker where it has seen the sources before.
set(default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    set(default OFF)
endif()
option(ZOO_PRECOMPILED_HEADERS "Read large foreign headers once for all sources that include them" ${default})

# zoo_precompile(target header...)
# The headers are read once for all sources of the target.
function(zoo_precompile target)
    if(ZOO_PRECOMPILED_HEADERS)
        target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
endfunction()

# zoo_add_headers(name EXECUTABLE|LIBRARY LIBS lib... [OPTIONS option...] HEADERS header...)
# Headers that targets of one kind, with the same options, read once among them: zoo_take_headers(target name).
function(zoo_add_headers name)
    cmake_parse_arguments(arg "EXECUTABLE;LIBRARY" "" "LIBS;OPTIONS;HEADERS" ${ARGN})
    if(NOT ZOO_PRECOMPILED_HEADERS)
        return()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    # Weak, for among the LIBS may be one with a main function.
    file(CONFIGURE OUTPUT "${source}" CONTENT "__attribute__((weak)) int main() {}\n")
    if(arg_EXECUTABLE)
        add_executable(${name} EXCLUDE_FROM_ALL "${source}")
    else()
        add_library(${name} STATIC EXCLUDE_FROM_ALL "${source}")
    endif()
    target_link_libraries(${name} PRIVATE ${arg_LIBS} zoo_warnings)
    target_compile_options(${name} PRIVATE ${arg_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

function(zoo_take_headers target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
    endif()
endfunction()
