// SPDX-License-Identifier: Apache-2.0
#pragma once

// CLI11's header takes seconds to compile and defines globals: only sources that add flags include it.
namespace CLI {
class App;
}  // namespace CLI
