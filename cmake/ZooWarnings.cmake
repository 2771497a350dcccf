# SPDX-License-Identifier: Apache-2.0
# Warnings for our own sources, as an interface target; errors only where a preset asks for them.
option(ZOO_WERROR "Treat warnings as errors" OFF)
add_library(zoo_warnings INTERFACE)
target_compile_options(zoo_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
if(ZOO_WERROR)
    target_compile_options(zoo_warnings INTERFACE -Werror)
endif()
