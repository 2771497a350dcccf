// SPDX-License-Identifier: Apache-2.0
#pragma once

// Switches of the embedded device that a card does not have. For tests, benches and applications; models never see them.
#include <cstddef>
#include <stdexcept>

#include <tt-metalium/mesh_device.hpp>

namespace ttnn_cpu {

// Whether TTNN here is the embedded device. A program that is built for an installed tt-metal has these switches too, but they
// change nothing there, and what only the embedded device has (memory statistics, recordings, the other board) throws NotEmbedded.
bool embedded();

class NotEmbedded : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Board { N150, P150 };

// How ops compute. Fast: float32 sums, results rounded to their real formats. Wormhole: the card's own arithmetic, bit for
// bit.
enum class Numerics { Fast, Wormhole };

struct DeviceOptions {
    Board board = Board::N150;
    Numerics numerics = Numerics::Fast;
};

// What the next open_mesh_device opens. Before the first call: TTNN_CPU_BOARD (n150, p150) and TTNN_CPU_NUMERICS (fast,
// wormhole) of the environment, else the defaults above.
void set_default_device_options(const DeviceOptions& options);
DeviceOptions default_device_options();

Numerics numerics(const tt::tt_metal::distributed::MeshDevice& device);
void set_numerics(tt::tt_metal::distributed::MeshDevice& device, Numerics numerics);

// Threads that kernels share. Results do not depend on it.
void set_num_threads(std::size_t threads);
std::size_t num_threads();

}  // namespace ttnn_cpu
