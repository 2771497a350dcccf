# SPDX-License-Identifier: Apache-2.0
# Finds oneDNN by its header and library. Debian's own CMake package insists on OpenCL, which nothing here uses.
find_path(OneDNN_INCLUDE_DIR dnnl.hpp)
find_library(OneDNN_LIBRARY dnnl)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OneDNN REQUIRED_VARS OneDNN_LIBRARY OneDNN_INCLUDE_DIR)
if(OneDNN_FOUND AND NOT TARGET OneDNN::OneDNN)
    add_library(OneDNN::OneDNN UNKNOWN IMPORTED)
    set_target_properties(OneDNN::OneDNN PROPERTIES
        IMPORTED_LOCATION "${OneDNN_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${OneDNN_INCLUDE_DIR}")
endif()
mark_as_advanced(OneDNN_INCLUDE_DIR OneDNN_LIBRARY)
