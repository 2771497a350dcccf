# SPDX-License-Identifier: Apache-2.0
# As the package TT-NN of tt-metal: it needs another package, and gives the one target that is linked with.
include(CMakeFindDependencyMacro)
find_dependency(TT-Metalium REQUIRED)
if(NOT DEFINED FAKE_TARGET OR FAKE_TARGET)
    add_library(TTNN::TTNN INTERFACE IMPORTED)
    target_link_libraries(TTNN::TTNN INTERFACE TT::Metalium)
endif()
