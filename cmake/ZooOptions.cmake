# SPDX-License-Identifier: Apache-2.0
# Options and the language settings that every target shares.
set(ZOO_TTNN_PROVIDER "embedded" CACHE STRING "Who provides the TTNN API: embedded (ttnn_cpu) or metal (an installed tt-metal)")
set_property(CACHE ZOO_TTNN_PROVIDER PROPERTY STRINGS embedded metal)
option(ZOO_WITH_TORCH "Build the libtorch goldens, and the checks that compare with them" ON)
option(ZOO_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ZOO_BUILD_APPS "Build the tt-zoo command" ${PROJECT_IS_TOP_LEVEL})
option(ZOO_BUILD_BENCHES "Build the benches" ${PROJECT_IS_TOP_LEVEL})
option(ZOO_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Every build of one commit must compute the same bits, so the compiler may not contract a*b+c on some CPUs only.
add_compile_options(-ffp-contract=off)

if(ZOO_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    add_link_options(-fsanitize=address,undefined)
endif()

find_program(ZOO_CCACHE ccache)
if(ZOO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${ZOO_CCACHE}")
endif()
