// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt-metalium/mesh_device.hpp>

namespace ttnn {

using MeshDevice = tt::tt_metal::distributed::MeshDevice;

}  // namespace ttnn
