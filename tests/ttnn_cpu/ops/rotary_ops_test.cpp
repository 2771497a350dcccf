// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding of neighbouring pairs, for a sequence and for one token a user.
#include <ttnn/operations/experimental/transformer/rotary_embedding_llama/rotary_embedding_llama.hpp>

#include <cmath>

#include "op_fixture.hpp"
#include "support/torch_bridge.hpp"

namespace {

using namespace op_test;
using ttnn::experimental::rotary_embedding_llama;
using zoo::test::normal;
namespace torch_ref = zoo::test::torch_ref;

class Rotary : public OpTest {
protected:
    // (x0, x1) to (-x1, x0): a 1 at [even, odd], a -1 at [odd, even].
    static Array pair_matrix(std::int64_t copies = 1) {
        Array turn{
            .shape = {1, 1, 32 * copies, 32}, .data = std::vector<float>(static_cast<std::size_t>(1024 * copies), 0)};
        for (std::size_t i = 0; i < turn.data.size() / 32; i += 2) {
            turn.data[i * 32 + i % 32 + 1] = 1.0F;
            turn.data[(i + 1) * 32 + i % 32] = -1.0F;
        }
        return turn;
    }
    // Angles of the pairs; the second half of the width is left as it is.
    static std::pair<Array, Array> angles(const std::vector<std::int64_t>& positions, std::int64_t width) {
        Array cos{.shape = {1, 1, static_cast<std::int64_t>(positions.size()), width}, .data = {}};
        Array sin = cos;
        for (const std::int64_t position : positions) {
            for (std::int64_t i = 0; i < width; ++i) {
                const double angle = i < width / 2 ? static_cast<double>(position) *
                                                         std::pow(10000.0, -static_cast<double>(i / 2 * 2) / 32)
                                                   : 0;
                cos.data.push_back(static_cast<float>(std::cos(angle)));
                sin.data.push_back(static_cast<float>(std::sin(angle)));
            }
        }
        return {rounded(cos, DataType::BFLOAT16), rounded(sin, DataType::BFLOAT16)};
    }
    static Array expected(const Array& x, const Array& cos, const Array& sin) {
        Array turned = x;
        for (std::size_t i = 0; i < x.data.size(); i += 2) {
            turned.data[i] = -x.data[i + 1];
            turned.data[i + 1] = x.data[i];
        }
        return torch_ref::add(torch_ref::mul(x, cos), torch_ref::mul(turned, sin));
    }
    static void use(bool exact) {
        ttnn_cpu::set_numerics(*device_, exact ? ttnn_cpu::Numerics::Wormhole : ttnn_cpu::Numerics::Fast);
    }
};

constexpr Bound kRounded{.pcc = 0.99998, .relative_error = 4e-3};  // three roundings to 8 bits

TEST_F(Rotary, TurnsASequence) {
    const Array x = rounded(normal({1, 3, 40, 64}, 1), DataType::BFLOAT16);
    std::vector<std::int64_t> positions(64);
    std::iota(positions.begin(), positions.end(), 0);
    const auto [cos, sin] = angles(positions, 64);
    const Array golden = expected(
        x, torch_ref::slice(cos, {0, 0, 0, 0}, {1, 1, 40, 64}), torch_ref::slice(sin, {0, 0, 0, 0}, {1, 1, 40, 64}));
    for (const bool exact : {false, true}) {
        use(exact);
        const Array found =
            download(rotary_embedding_llama(upload(x), upload(cos), upload(sin), upload(pair_matrix())));
        EXPECT_WITHIN(golden, found, kRounded);
        // Where nothing turns, nothing changes.
        for (std::size_t row = 0; row < 120; ++row) {
            EXPECT_TRUE(std::equal(
                x.data.begin() + row * 64 + 32, x.data.begin() + row * 64 + 64, found.data.begin() + row * 64 + 32));
        }
    }
    EXPECT_FALSE(zoo::test::within(golden.data, x.data, kRounded));
}

TEST_F(Rotary, TurnsOneTokenAUser) {
    const Array x = rounded(normal({1, 3, 4, 64}, 2), DataType::BFLOAT16);
    auto [cos, sin] = angles({5, 0, 900}, 64);
    cos.shape = sin.shape = {1, 3, 1, 64};
    const auto by_user = [](std::uint32_t width) {
        return sharded(TensorMemoryLayout::HEIGHT_SHARDED, {32, width}, {3, 1});
    };
    for (const bool exact : {false, true}) {
        use(exact);
        const Tensor result = rotary_embedding_llama(
            upload(x, DataType::BFLOAT16, by_user(64)), upload(cos, DataType::BFLOAT16, by_user(64)),
            upload(sin, DataType::BFLOAT16, by_user(64)), upload(pair_matrix(3), DataType::BFLOAT16, by_user(32)),
            true);
        EXPECT_WITHIN(expected(x, cos, sin), download(result), kRounded);
        EXPECT_EQ(result.memory_config().memory_layout(), TensorMemoryLayout::HEIGHT_SHARDED);
    }
}

TEST_F(Rotary, Replays) {
    const auto [cos, sin] = angles(std::vector<std::int64_t>(32, 7), 64);
    const Tensor c = upload(cos);
    const Tensor s = upload(sin);
    const Tensor turn = upload(pair_matrix());
    expect_replays(*device_, upload(normal({1, 2, 32, 64}, 1)), upload(normal({1, 2, 32, 64}, 2)), [&](Tensor& x) {
        return rotary_embedding_llama(x, c, s, turn);
    });
}

TEST_F(Rotary, Refusals) {
    const auto [cos, sin] = angles(std::vector<std::int64_t>(32, 7), 64);
    const Tensor x = upload(normal({1, 2, 32, 64}, 1));
    const Tensor turn = upload(pair_matrix());
    EXPECT_THROWS_WITH(
        (void)rotary_embedding_llama(
            upload(normal({1, 2, 32, 64}, 1), DataType::FLOAT32), upload(cos), upload(sin), turn),
        "must have dtype = bfloat16");
    EXPECT_THROWS_WITH(
        (void)rotary_embedding_llama(upload(normal({1, 2, 64, 64}, 1)), upload(cos), upload(sin), turn),
        "cos has 32 rows");
    EXPECT_THROWS_WITH(
        (void)rotary_embedding_llama(upload(normal({1, 2, 32, 96}, 1)), upload(cos), upload(sin), turn),
        "as wide as the input");
    EXPECT_THROWS_WITH((void)rotary_embedding_llama(x, upload(cos), upload(sin), turn, true), "must be HEIGHT_SHARDED");
}

}  // namespace
