# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# zoo_add_model(name SOURCES ... [GOLDEN ...])
# Defines zoo_<name> (Zoo::<name>) from SOURCES, and zoo_<name>_golden (Zoo::<name>_golden) from GOLDEN where libtorch is used.
function(zoo_add_model name)
    cmake_parse_arguments(arg "" "" "SOURCES;GOLDEN" ${ARGN})
    add_library(zoo_${name} STATIC ${arg_SOURCES})
    add_library(Zoo::${name} ALIAS zoo_${name})
    target_include_directories(zoo_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/zoo>)
    target_link_libraries(zoo_${name} PUBLIC Zoo::common PRIVATE zoo_warnings)
    zoo_compile_by_folder(zoo_${name} EXCEPT config.cpp)
    set_property(GLOBAL APPEND PROPERTY ZOO_MODELS ${name})
    if(ZOO_WITH_TORCH AND arg_GOLDEN)
        add_library(zoo_${name}_golden STATIC ${arg_GOLDEN})
        add_library(Zoo::${name}_golden ALIAS zoo_${name}_golden)
        target_link_libraries(zoo_${name}_golden PUBLIC Zoo::${name} Zoo::common_torch PRIVATE Zoo::torch zoo_warnings)
    endif()
endfunction()
