// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tt {

enum class ARCH { Invalid = 0, WORMHOLE_B0 = 2, BLACKHOLE = 3 };

}  // namespace tt
