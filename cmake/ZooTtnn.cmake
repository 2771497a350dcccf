# SPDX-License-Identifier: Apache-2.0
# Gives the target TTNN::TTNN, whoever provides it.
if(ZOO_TTNN_PROVIDER STREQUAL "embedded")
    # ttnn_cpu/CMakeLists.txt defines it.
elseif(ZOO_TTNN_PROVIDER STREQUAL "metal")
    include(ZooMetal)
else()
    message(FATAL_ERROR "ZOO_TTNN_PROVIDER is '${ZOO_TTNN_PROVIDER}'; it must be 'embedded' or 'metal'")
endif()
