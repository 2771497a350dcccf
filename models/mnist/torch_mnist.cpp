// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/torch_mnist.hpp"

#include "zoo/torch_tensor.hpp"

namespace zoo::mnist::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

at::Tensor block(const ConvWeights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const at::Tensor sums = at::conv2d(x, torch_view(weights.weight), torch_view(weights.bias.value()), {1, 1}, {1, 1});
    return at::max_pool2d(sums.relu(), {2, 2});
}

at::Tensor features(const Weights& weights, at::Tensor x) {
    const TorchScope scope(__func__);
    for (const ConvWeights& convolution : weights.convolutions) {
        x = block(convolution, x);
    }
    return x;
}

at::Tensor classifier(const Weights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const at::Tensor hidden =
        at::linear(x.flatten(1), torch_view(weights.fc1.weight), torch_view(weights.fc1.bias)).relu();
    return at::linear(hidden, torch_view(weights.fc2.weight), torch_view(weights.fc2.bias));
}

}  // namespace
}  // namespace network

HostTensor block(const Config&, const ConvWeights& weights, const HostTensor& x) {
    return from_torch(network::block(weights, torch_view(x)));
}

HostTensor features(const Config&, const Weights& weights, const HostTensor& images) {
    return from_torch(network::features(weights, torch_view(images)));
}

HostTensor classifier(const Config&, const Weights& weights, const HostTensor& x) {
    return from_torch(network::classifier(weights, torch_view(x)));
}

HostTensor mnist(const Config& config, const Weights& weights, const HostTensor& images) {
    validate_images("mnist", images, config.size());
    return from_torch(network::classifier(weights, network::features(weights, torch_view(images))));
}

}  // namespace zoo::mnist::golden
