# SPDX-License-Identifier: Apache-2.0
# Zoo::torch, libtorch for the goldens. Included at the top level: imported targets are only seen below where they are made.
if(ZOO_WITH_TORCH)
    find_package(Torch REQUIRED)
    add_library(zoo_torch INTERFACE)
    add_library(Zoo::torch ALIAS zoo_torch)
    target_include_directories(zoo_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
    target_link_libraries(zoo_torch INTERFACE ${TORCH_LIBRARIES})
endif()
