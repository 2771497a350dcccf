# SPDX-License-Identifier: Apache-2.0
# TTNN::TTNN of an installed tt-metal: its CMake package TT-NN or, where there is none, directories given by hand.
find_package(TT-NN QUIET)
if(TARGET TTNN::TTNN)
    message(STATUS "TTNN is the package TT-NN in '${TT-NN_DIR}'")
    # Without the tests that <reflect> runs whenever it is read; some versions of them do not compile here.
    target_compile_definitions(TTNN::TTNN INTERFACE NTEST)
elseif(TT-NN_FOUND)
    message(FATAL_ERROR "The package TT-NN in '${TT-NN_DIR}' has no target TTNN::TTNN; v0.77.0 of tt-metal has")
else()
    include("${CMAKE_CURRENT_LIST_DIR}/ZooMetalPaths.cmake")
    message(STATUS "TTNN has its headers in '${ZOO_METAL_SOURCE_DIR}' and its libraries in '${ZOO_METAL_LIBRARY_DIR}'")
endif()
