// SPDX-License-Identifier: Apache-2.0
#include "zoo/mock_device.hpp"

// Experimental, and only where there is a mock device at all.
#if __has_include(<tt-metalium/experimental/mock_device/mock_allocator.hpp>)
#include <tt-metalium/experimental/mock_device/mock_allocator.hpp>
#define ZOO_HAS_MOCK_DEVICE
#endif

namespace zoo {

#ifdef ZOO_HAS_MOCK_DEVICE
bool is_mock(ttnn::MeshDevice& device) { return tt::tt_metal::experimental::get_mock_allocator(device) != nullptr; }
#else
bool is_mock(ttnn::MeshDevice& /*device*/) { return false; }
#endif

}  // namespace zoo
