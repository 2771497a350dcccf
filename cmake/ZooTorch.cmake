# SPDX-License-Identifier: Apache-2.0
# Zoo::torch, libtorch for the goldens. Included at the top level: imported targets are only seen below where they are made.
if(ZOO_WITH_TORCH)
    find_package(Torch REQUIRED)
    add_library(zoo_torch INTERFACE)
    add_library(Zoo::torch ALIAS zoo_torch)
    target_include_directories(zoo_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
    target_link_libraries(zoo_torch INTERFACE ${TORCH_LIBRARIES})
    if(ZOO_METAL_LIBRARY_DIR)
        # The ttnn wheel has a libnuma of its own, libtorch may need the system's, and each then calls the other's functions: the one
        # that is set up first, libtorch's, must be the one that is named first, or a program ends before main.
        find_library(ZOO_TORCH_NUMA libnuma.so.1)
        mark_as_advanced(ZOO_TORCH_NUMA)
        if(ZOO_TORCH_NUMA)
            target_link_options(zoo_torch INTERFACE "LINKER:--push-state,--no-as-needed" "${ZOO_TORCH_NUMA}" "LINKER:--pop-state")
        endif()
    endif()
    zoo_add_headers(zoo_torch_headers LIBRARY LIBS Zoo::torch HEADERS <ATen/ATen.h>)
endif()
