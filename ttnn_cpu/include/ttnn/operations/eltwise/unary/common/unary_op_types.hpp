// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unary functions as arguments: an operation and its numbers.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace ttnn::operations::unary {

enum class UnaryOpType {
    EXP,
    RECIP,
    GELU,
    GELU_TANH,
    RELU,
    SQRT,
    SIGMOID,
    LOG,
    TANH,
    LOG2,
    LOG10,
    ABS,
    SIGN,
    SQUARE,
    EQZ,
    NEZ,
    GTZ,
    LTZ,
    GEZ,
    LEZ,
    RELU_MAX,
    RELU_MIN,
    POWER,
    LEAKY_RELU,
    RSQRT,
    RELU6,
    ERF,
    RSUB,
    SILU,
    SOFTPLUS,
    IDENTITY,
    NEG,
    ADD_UNARY_SFPU,
    SUB_UNARY_SFPU,
    MUL_UNARY_SFPU,
    DIV_UNARY_SFPU,
    FLOOR,
    CEIL,
    TRUNC,
    MISH,
    HARDTANH,
    HARDSIGMOID,
    HARDSWISH,
    CLAMP_TSS,
};

// Which part of a tile a function works on; RC is all of it.
enum class VecMode {
    None = 0,
    R = 1,
    C = 2,
    RC = 4,
    RC_custom = 6,
    Invalid = 0xFF,
};

// An operation with parameters of one of several types.
template <typename... Ts>
requires(... and (std::integral<Ts> or std::floating_point<Ts>)) struct BasicUnaryWithParam {
    std::variant<BasicUnaryWithParam<Ts>...> base;

    template <typename T>
    requires(... or std::same_as<T, Ts>) BasicUnaryWithParam(UnaryOpType op_type, const std::vector<T>& params)
        : base(std::in_place_type<BasicUnaryWithParam<T>>, op_type, params) {}

    template <typename T>
    requires(... or std::same_as<T, Ts>) BasicUnaryWithParam(UnaryOpType op_type, std::initializer_list<T> params)
        : base(std::in_place_type<BasicUnaryWithParam<T>>, op_type, params) {}

    template <typename T>
    requires(... or std::same_as<T, Ts>) BasicUnaryWithParam(UnaryOpType op_type, T param)
        : base(std::in_place_type<BasicUnaryWithParam<T>>, op_type, param) {}

    template <typename T>
    requires(... or std::same_as<T, Ts>) BasicUnaryWithParam(UnaryOpType op_type, T param0, T param1)
        : base(std::in_place_type<BasicUnaryWithParam<T>>, op_type, param0, param1) {}

    BasicUnaryWithParam(UnaryOpType op_type) : base(std::in_place_index<0>, op_type) {}

    template <typename T>
    requires(... or std::same_as<T, Ts>) BasicUnaryWithParam(const BasicUnaryWithParam<T>& other) : base(other) {}

    UnaryOpType type() const noexcept {
        return std::visit([](const auto& unary) { return unary.type(); }, base);
    }
    bool has_parameter() const noexcept {
        return std::visit([](const auto& unary) { return unary.has_parameter(); }, base);
    }
    bool empty() const noexcept { return !has_parameter(); }

    std::variant<std::span<const Ts>...> get_params() const noexcept {
        using Params = std::variant<std::span<const Ts>...>;
        return std::visit([](const auto& unary) { return Params(unary.get_params()); }, base);
    }

    // The parameters if they are of type T, else none.
    template <typename T>
    requires(... or std::same_as<T, Ts>) std::span<const T> get_params_if()
    const noexcept {
        const auto* unary = std::get_if<BasicUnaryWithParam<T>>(&base);
        return unary != nullptr ? unary->get_params() : std::span<const T>();
    }
    template <typename T>
    requires(... or std::same_as<T, Ts>) std::optional<T> get_param_if(std::size_t index = 0)
    const noexcept {
        const auto* unary = std::get_if<BasicUnaryWithParam<T>>(&base);
        return unary != nullptr ? unary->get_param_if(index) : std::nullopt;
    }
};

template <typename T>
struct BasicUnaryWithParam<T> {
    UnaryOpType op_type;
    std::vector<T> params{};

    BasicUnaryWithParam(UnaryOpType type, const std::vector<T>& values) : op_type(type), params(values) {}
    BasicUnaryWithParam(UnaryOpType type, std::initializer_list<T> values) : op_type(type), params(values) {}
    BasicUnaryWithParam(UnaryOpType type, T param) : op_type(type), params({param}) {}
    BasicUnaryWithParam(UnaryOpType type, T param0, T param1) : op_type(type), params({param0, param1}) {}
    BasicUnaryWithParam(UnaryOpType type) : op_type(type) {}

    UnaryOpType type() const noexcept { return op_type; }
    bool has_parameter() const noexcept { return !params.empty(); }
    bool empty() const noexcept { return params.empty(); }
    std::span<const T> get_params() const noexcept { return params; }
    std::optional<T> get_param_if(std::size_t index = 0) const noexcept {
        return index < params.size() ? std::optional<T>(params[index]) : std::nullopt;
    }
};

using EltwiseUnaryWithParam = BasicUnaryWithParam<float, std::int32_t, std::uint32_t>;
using UnaryWithParam = BasicUnaryWithParam<float>;

template <typename... Ts>
using BasicFusedActivations = std::vector<BasicUnaryWithParam<Ts...>>;
using EltwiseFusedActivations = std::vector<EltwiseUnaryWithParam>;
using FusedActivations = std::vector<UnaryWithParam>;

using ScalarVariant = std::variant<std::uint32_t, std::int32_t, float>;

}  // namespace ttnn::operations::unary
