// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include <chrono>
#include <memory>
#include <mutex>

#include <nlohmann/json.hpp>

#include "aten/aten_trace.hpp"

namespace zoo::apps::aten {

namespace {

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// Where the ops of the running trace go. Autograd runs the backward pass on threads of its own, so it is not the thread's.
struct Sink {
    std::mutex mutex;
    std::vector<Op> ops;
};
Sink* sink = nullptr;
thread_local int depth = 0;  // of ops that were noted: what they call inside is theirs

struct Context : at::ObserverContext {
    bool noted = false;
    std::uint64_t start_ns = 0;
    std::vector<Argument> arguments = {};  // libtorch lets go of them before the op ends
};

std::string dtype_name(const at::Tensor& tensor) {
    switch (tensor.scalar_type()) {
        case at::kFloat:
            return "torch.float32";
        case at::kDouble:
            return "torch.float64";
        case at::kLong:
            return "torch.int64";
        case at::kInt:
            return "torch.int32";
        case at::kBool:
            return "torch.bool";
        default:
            return std::string("torch.") + at::toString(tensor.scalar_type());
    }
}

TensorInfo info_of(const at::Tensor& tensor) { return {tensor.sizes().vec(), dtype_name(tensor)}; }

void add_tensors(const c10::IValue& value, std::vector<TensorInfo>& list) {
    if (value.isTensor() && value.toTensor().defined()) {
        list.push_back(info_of(value.toTensor()));
    } else if (value.isTensorList()) {
        for (const at::Tensor& tensor : value.toTensorVector()) {
            list.push_back(info_of(tensor));
        }
    }
}

nlohmann::json json_of(const c10::IValue& value) {
    if (value.isNone()) {
        return nullptr;
    }
    if (value.isBool()) {
        return value.toBool();
    }
    if (value.isInt()) {
        return value.toInt();
    }
    if (value.isDouble()) {
        return value.toDouble();
    }
    if (value.isString()) {
        return value.toStringRef();
    }
    if (value.isIntList()) {
        return value.toIntVector();
    }
    if (value.isDoubleList()) {
        return value.toDoubleVector();
    }
    if (value.isBoolList()) {
        nlohmann::json list = nlohmann::json::array();
        for (const bool item : value.toBoolList()) {
            list.push_back(item);
        }
        return list;
    }
    return "not_jsonable";
}

Argument argument_of(const c10::IValue& value) {
    Argument argument;
    add_tensors(value, argument.tensors);
    if (argument.tensors.empty()) {
        argument.value = value.isTensor() ? "null" : json_of(value).dump();
    }
    return argument;
}

// Composite ops stand for the ops that they call.
bool is_composite(const c10::OperatorName& name) {
    const auto found = c10::Dispatcher::singleton().findOp(name);
    return found && found->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& function) {
    auto context = std::make_unique<Context>();
    const auto name = function.operator_name();
    if (depth == 0 && name && name->name.rfind("aten::", 0) == 0 && !is_composite(*name)) {
        context->noted = true;
        ++depth;
        for (const c10::IValue& input : function.inputs()) {
            context->arguments.push_back(argument_of(input));
        }
        context->start_ns = now_ns();
    }
    return context;
}

void on_end(const at::RecordFunction& function, at::ObserverContext* observer) {
    auto* context = static_cast<Context*>(observer);
    if (context == nullptr || !context->noted) {
        return;
    }
    --depth;
    Op op;
    op.start_ns = context->start_ns;
    op.duration_ns = now_ns() - context->start_ns;
    const auto name = *function.operator_name();
    op.type = "aten." + name.name.substr(6) + "." + (name.overload_name.empty() ? "default" : name.overload_name);
    op.arguments = std::move(context->arguments);
    for (const c10::IValue& output : function.outputs()) {
        add_tensors(output, op.outputs);
    }
    const std::lock_guard lock(sink->mutex);
    sink->ops.push_back(std::move(op));
}

}  // namespace

std::vector<Op> trace(const std::function<void()>& run) {
    Sink here;
    sink = &here;
    const at::CallbackHandle handle = at::addGlobalCallback(at::RecordFunctionCallback(on_start, on_end)
                                                                .needsInputs(true)
                                                                .needsOutputs(true)
                                                                .scopes({at::RecordScope::FUNCTION}));
    // Taken away however `run` ends.
    const std::shared_ptr<void> guard(nullptr, [&](void*) {
        at::removeCallback(handle);
        sink = nullptr;
    });
    run();
    return std::move(here.ops);
}

}  // namespace zoo::apps::aten
