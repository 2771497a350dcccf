// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"
#include "ttnn/operations/experimental/paged_cache/paged_cache.hpp"
#include "ttnn/operations/experimental/transformer/rotary_embedding_llama/rotary_embedding_llama.hpp"
#include "ttnn/operations/kv_cache/kv_cache.hpp"
#include "ttnn/operations/transformer/sdpa_decode/sdpa_decode.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace zoo::conformance {

namespace {

using ttnn::DataType;
using ttnn::Layout;
using ttnn::MeshDevice;
using ttnn::TensorMemoryLayout;
using Dims = std::vector<std::uint32_t>;

constexpr Layout kRows = Layout::ROW_MAJOR;

// A cache of 4 users, 8 heads, 128 positions of 64.
const Dims kCache = {4, 8, 128, 64};

BadCall fill(
    std::string name, Dims input, std::uint32_t user = 0, std::uint32_t position = 0,
    DataType dtype = DataType::BFLOAT16, Layout layout = Layout::TILE) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::fill_cache(tensor(device, kCache), tensor(device, input, dtype, layout), user, position);
            }};
}

BadCall update(std::string name, Dims input, std::uint32_t position, std::uint32_t offset) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::update_cache(tensor(device, kCache), tensor(device, input), position, offset);
            }};
}

// One row of heads a user, each user on a core of its own.
ttnn::Tensor by_user(MeshDevice& device, std::uint32_t users = 4, std::uint32_t width = 64) {
    return tensor(
        device, {1, users, 8, width}, DataType::BFLOAT16, Layout::TILE,
        sharded(TensorMemoryLayout::HEIGHT_SHARDED, users, 1, 32, width));
}

BadCall store(
    std::string name, std::function<ttnn::Tensor(MeshDevice&)> input, Dims count, DataType dtype, Layout layout) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::experimental::paged_update_cache(
                    tensor(device, kCache), input(device), {}, tensor(device, count, dtype, layout), std::nullopt,
                    std::nullopt, 0, std::nullopt, std::nullopt);
            }};
}

BadCall create_heads(
    std::string name, Dims input, std::uint32_t heads, DataType dtype = DataType::BFLOAT16,
    Layout layout = Layout::TILE) {
    return {std::move(name), [=](MeshDevice& device) {
                std::optional<std::array<ttnn::Tensor, 3>> none;
                (void)ttnn::experimental::nlp_create_qkv_heads_decode(
                    tensor(device, input, dtype, layout), heads, std::nullopt, none);
            }};
}

struct Decode {
    Dims q = {1, 4, 8, 64};
    Dims k = kCache;
    Dims v = kCache;
    Dims positions = {4};
    DataType q_dtype = DataType::BFLOAT16;
    DataType position_dtype = DataType::INT32;
    Layout position_layout = kRows;
    ttnn::MemoryConfig q_memory = {};
    ttnn::MemoryConfig k_memory = {};
};

BadCall decode(std::string name, const Decode& call, std::string known_difference = {}) {
    return {
        std::move(name),
        [call](MeshDevice& device) {
            (void)ttnn::transformer::scaled_dot_product_attention_decode(
                tensor(device, call.q, call.q_dtype, Layout::TILE, call.q_memory),
                tensor(device, call.k, DataType::BFLOAT16, Layout::TILE, call.k_memory), tensor(device, call.v), true,
                std::nullopt, {}, tensor(device, call.positions, call.position_dtype, call.position_layout));
        },
        std::move(known_difference)};
}

BadCall rotate(std::string name, Dims input, Dims angles, Dims turn, DataType dtype = DataType::BFLOAT16) {
    return {std::move(name), [=](MeshDevice& device) {
                (void)ttnn::experimental::rotary_embedding_llama(
                    tensor(device, input, dtype), tensor(device, angles), tensor(device, angles), tensor(device, turn));
            }};
}

}  // namespace

std::vector<BadCall> bad_decode_ops() {
    return {
        fill("fill_cache: heads of another width", {1, 8, 64, 32}),
        fill("fill_cache: another number of heads", {1, 4, 64, 64}),
        fill("fill_cache: two users at once", {2, 8, 64, 64}),
        fill("fill_cache: a user that is not there", {1, 8, 64, 64}, 4),
        fill("fill_cache: more positions than the cache has", {1, 8, 160, 64}),
        fill("fill_cache: past the end of the cache", {1, 8, 96, 64}, 0, 64),
        fill("fill_cache: from the middle of a tile", {1, 8, 32, 64}, 0, 16),
        fill("fill_cache: another data type", {1, 8, 64, 64}, 0, 0, DataType::BFLOAT8_B),
        fill("fill_cache: row-major input", {1, 8, 64, 64}, 0, 0, DataType::BFLOAT16, kRows),
        update("update_cache: heads of another width", {1, 8, 32, 32}, 0, 0),
        update("update_cache: another number of heads", {1, 4, 32, 64}, 0, 0),
        update("update_cache: users past the tile", {1, 8, 32, 64}, 0, 30),
        store(
            "paged_update_cache: interleaved input",
            [](MeshDevice& device) {
                return tensor(device, {1, 4, 8, 64});
            },
            {4}, DataType::INT32, kRows),
        store(
            "paged_update_cache: another number of users", [](MeshDevice& device) { return by_user(device, 2); }, {2},
            DataType::INT32, kRows),
        store(
            "paged_update_cache: heads of another width", [](MeshDevice& device) { return by_user(device, 4, 32); },
            {4}, DataType::INT32, kRows),
        store(
            "paged_update_cache: too few positions", [](MeshDevice& device) { return by_user(device); }, {2},
            DataType::INT32, kRows),
        store(
            "paged_update_cache: unsigned positions", [](MeshDevice& device) { return by_user(device); }, {4},
            DataType::UINT32, kRows),
        {"paged_update_cache: neither positions nor their tensor",
         [](MeshDevice& device) {
             (void)ttnn::experimental::paged_update_cache(
                 tensor(device, kCache), by_user(device), {}, std::nullopt, std::nullopt, std::nullopt, 0, std::nullopt,
                 std::nullopt);
         }},
        create_heads("create decode heads: more than 32 users", {1, 1, 64, 3 * 512}, 8),
        create_heads("create decode heads: more than one token", {1, 2, 4, 3 * 512}, 8),
        create_heads("create decode heads: block floats", {1, 1, 4, 3 * 512}, 8, DataType::BFLOAT8_B),
        create_heads("create decode heads: row-major", {1, 1, 4, 3 * 512}, 8, DataType::BFLOAT16, kRows),
        {"concat decode heads: interleaved input",
         [](MeshDevice& device) {
             (void)ttnn::experimental::nlp_concat_heads_decode(tensor(device, {1, 4, 8, 64}), 8);
         }},
        {"concat decode heads: more heads than rows",
         [](MeshDevice& device) { (void)ttnn::experimental::nlp_concat_heads_decode(by_user(device), 40); }},
        {"concat decode heads: users on cores that are no rectangle",
         [](MeshDevice& device) {
             const tt::tt_metal::CoreRangeSet cores(
                 std::vector{tt::tt_metal::CoreRange({0, 0}, {2, 0}), tt::tt_metal::CoreRange({0, 1}, {0, 1})});
             (void)ttnn::experimental::nlp_concat_heads_decode(
                 tensor(
                     device, {1, 4, 8, 64}, DataType::BFLOAT16, Layout::TILE,
                     ttnn::MemoryConfig(
                         TensorMemoryLayout::HEIGHT_SHARDED, ttnn::BufferType::L1,
                         tt::tt_metal::ShardSpec(cores, {32, 64}, tt::tt_metal::ShardOrientation::ROW_MAJOR))),
                 8);
         }},
        decode("decode attention: queries in float32", {.q_dtype = DataType::FLOAT32}),
        decode("decode attention: queries interleaved in L1", {.q_memory = interleaved_l1()}),
        decode("decode attention: keys in L1", {.k_memory = interleaved_l1()}),
        decode("decode attention: keys and values of different length", {.v = {4, 8, 64, 64}}),
        decode("decode attention: heads of another width", {.q = {1, 4, 8, 32}}),
        decode("decode attention: values of other heads", {.v = {4, 4, 128, 64}}),
        decode("decode attention: another number of users", {.q = {1, 2, 8, 64}}),
        decode("decode attention: more than one token", {.q = {2, 4, 8, 64}}),
        decode(
            "decode attention: too few positions", {.positions = {2}}, "the real library trusts a tensor of positions"),
        decode(
            "decode attention: unsigned positions", {.position_dtype = DataType::UINT32},
            "the real library trusts a tensor of positions"),
        rotate("rotary: angles of another width", {1, 8, 64, 64}, {1, 1, 64, 32}, {1, 1, 32, 32}),
        rotate("rotary: block floats", {1, 8, 64, 64}, {1, 1, 64, 64}, {1, 1, 32, 32}, DataType::BFLOAT8_B),
        rotate("rotary: a turn of two tiles", {1, 8, 64, 64}, {1, 1, 64, 64}, {1, 1, 64, 64}),
    };
}

}  // namespace zoo::conformance
