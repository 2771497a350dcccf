# SPDX-License-Identifier: Apache-2.0
# Gives the target TTNN::TTNN, whoever provides it.
if(ZOO_TTNN_PROVIDER STREQUAL "embedded")
    # ttnn_cpu/CMakeLists.txt defines it.
    set(ZOO_TTNN_HEADERS)
elseif(ZOO_TTNN_PROVIDER STREQUAL "metal")
    include(ZooMetal)
    # tt-metal's headers take seconds to read: these, which most of our sources want, are worth reading once (ZooPrecompiled.cmake).
    set(ZOO_TTNN_HEADERS <ttnn/device.hpp> <ttnn/operations/conv/conv2d/conv2d.hpp> <ttnn/operations/core/core.hpp>
        <ttnn/operations/eltwise/binary/binary.hpp> <ttnn/operations/eltwise/unary/unary.hpp> <ttnn/operations/matmul/matmul.hpp>)
else()
    message(FATAL_ERROR "ZOO_TTNN_PROVIDER is '${ZOO_TTNN_PROVIDER}'; it must be 'embedded' or 'metal'")
endif()
