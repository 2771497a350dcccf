// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/autograd.h>

#include <chrono>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "aten/aten_trace.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::apps::aten {

namespace {

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// A tensor that is known. The weak pointer keeps its address from being given to another one.
struct Made {
    c10::weak_intrusive_ptr<at::TensorImpl> tensor;
    std::int64_t number;  // of the op that made it, or of the input
};

struct Tracer {
    Trace trace;
    std::unordered_map<const at::TensorImpl*, Made> made;
    std::unordered_map<const void*, std::int64_t> parameters;  // by where their values lie
    std::unordered_map<const at::TensorImpl*, Made> inputs;
    std::int64_t scope = kNone;
    int depth = 0;  // of ops that were noted: what they call inside is theirs
    bool backward = false;
};
// Of the thread that traces: goldens run on it, and so does the backward pass of what is on the CPU.
thread_local Tracer* tracer = nullptr;

struct Context : at::ObserverContext {
    bool noted = false;
    bool scope = false;
    std::int64_t outer_scope = kNone;
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

TensorInfo info_of(const at::Tensor& tensor) {
    TensorInfo info{tensor.sizes().vec(), dtype_name(tensor)};
    if (const auto found = tracer->made.find(tensor.unsafeGetTensorImpl()); found != tracer->made.end()) {
        info.producer = found->second.number;
    } else if (tensor.has_storage()) {
        const void* values = tensor.storage().data();
        if (const auto parameter = tracer->parameters.find(values); parameter != tracer->parameters.end()) {
            info.parameter = parameter->second;
        } else {
            const auto [found, fresh] = tracer->inputs.try_emplace(
                tensor.unsafeGetTensorImpl(),
                Made{c10::weak_intrusive_ptr<at::TensorImpl>(tensor.getIntrusivePtr()), std::ssize(tracer->inputs)});
            info.input = found->second.number;
        }
    }
    return info;
}

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
    if (tracer == nullptr || tracer->depth > 0) {
        return context;
    }
    if (function.scope() == at::RecordScope::USER_SCOPE) {
        context->scope = true;
        context->outer_scope = tracer->scope;
        tracer->trace.scopes.push_back({function.name(), tracer->scope});
        tracer->scope = std::ssize(tracer->trace.scopes) - 1;
        return context;
    }
    const auto name = function.operator_name();
    if (name && name->name.rfind("aten::", 0) == 0 && !is_composite(*name)) {
        context->noted = true;
        ++tracer->depth;
        for (const c10::IValue& input : function.inputs()) {
            context->arguments.push_back(argument_of(input));
        }
        context->start_ns = now_ns();
    }
    return context;
}

void note_made(const c10::IValue& value, std::int64_t op) {
    const auto add = [&](const at::Tensor& tensor) {
        if (tensor.defined()) {
            at::TensorImpl* key = tensor.unsafeGetTensorImpl();
            tracer->made.insert_or_assign(
                key, Made{c10::weak_intrusive_ptr<at::TensorImpl>(tensor.getIntrusivePtr()), op});
        }
    };
    if (value.isTensor()) {
        add(value.toTensor());
    } else if (value.isTensorList()) {
        for (const at::Tensor& tensor : value.toTensorVector()) {
            add(tensor);
        }
    }
}

// Room of no size that a kernel asks for.
bool is_nothing(const at::RecordFunction& function) {
    return function.operator_name()->name == "aten::empty" && function.outputs().size() == 1 &&
           function.outputs()[0].isTensor() && function.outputs()[0].toTensor().numel() == 0;
}

void on_end(const at::RecordFunction& function, at::ObserverContext* observer) {
    auto* context = static_cast<Context*>(observer);
    if (context == nullptr || tracer == nullptr) {
        return;
    }
    if (context->scope) {
        tracer->scope = context->outer_scope;
    }
    if (!context->noted) {
        return;
    }
    --tracer->depth;
    if (is_nothing(function)) {
        return;
    }
    Op op;
    op.start_ns = context->start_ns;
    op.duration_ns = now_ns() - context->start_ns;
    const auto name = *function.operator_name();
    op.type = "aten." + name.name.substr(6) + "." + (name.overload_name.empty() ? "default" : name.overload_name);
    op.arguments = std::move(context->arguments);
    op.scope = tracer->scope;
    op.backward = tracer->backward;
    const std::int64_t index = std::ssize(tracer->trace.ops);
    for (const c10::IValue& output : function.outputs()) {
        note_made(output, index);
        add_tensors(output, op.outputs);
    }
    tracer->trace.ops.push_back(std::move(op));
}

// The gradients of everything that the goldens gave, in one pass, as a loss that sums it all would ask for them.
void run_backward(const std::vector<at::Tensor>& results) {
    tracer->backward = true;
    std::vector<at::Tensor> ones;
    ones.reserve(results.size());
    for (const at::Tensor& result : results) {
        ones.push_back(at::ones_like(result));
    }
    torch::autograd::backward(results, ones);
}

}  // namespace

Trace trace(const std::function<void()>& run, const NamedTensors& parameters, bool backward) {
    Tracer here;
    std::unordered_set<const void*> trained;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& [name, tensor] = parameters[i];
        here.parameters.emplace(tensor->data.data(), static_cast<std::int64_t>(i));
        if (name.find("running_") == std::string::npos) {
            trained.insert(tensor->data.data());
        }
    }
    TorchGradients gradients{.wanted = [&](const HostTensor& tensor) { return trained.contains(tensor.data.data()); }};
    const at::CallbackHandle handle =
        at::addThreadLocalCallback(at::RecordFunctionCallback(on_start, on_end)
                                       .needsInputs(true)
                                       .needsOutputs(true)
                                       .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE}));
    tracer = &here;
    torch_gradients = backward ? &gradients : nullptr;
    // Taken away however `run` ends.
    const std::shared_ptr<void> guard(nullptr, [&](void*) {
        at::removeCallback(handle);
        tracer = nullptr;
        torch_gradients = nullptr;
    });
    run();
    if (backward) {
        run_backward(gradients.results);
    }
    return std::move(here.trace);
}

}  // namespace zoo::apps::aten
