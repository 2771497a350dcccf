# SPDX-License-Identifier: Apache-2.0
"""The zoo's networks as ONNX files with random float32 weights, batch 1, for other runtimes. Batch norms are folded away, as anyone
who cares for speed would; attention is written op by op, for each runtime to fuse as it can. Called by peers.py, in its environment."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20  # has Gelu, Mish and LayerNormalization


class Network:
    """Nodes in order; every method takes and gives names of values."""

    def __init__(self, seed=1):
        self.random = numpy.random.default_rng(seed)
        self.nodes, self.weights, self.inputs = [], [], []

    def input(self, name, kind, shape):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def op(self, kind, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def weight(self, *shape, scale):
        return self.constant((self.random.standard_normal(shape, dtype=numpy.float32) * scale).astype(numpy.float32))

    def conv(self, x, channels, kernel=1, stride=1, groups=1, act="Relu"):
        """x is (name, channels), and so is the result."""
        name, before = x
        fan = before // groups * kernel * kernel
        weight = self.weight(channels, before // groups, kernel, kernel, scale=(2.0 / fan) ** 0.5)
        edge = [kernel // 2] * 4
        out = self.op("Conv", name, weight, self.weight(channels, scale=0.1), kernel_shape=[kernel] * 2, strides=[stride] * 2,
                      pads=edge, group=groups)
        if act == "Relu6":
            out = self.op("Clip", out, self.constant(numpy.float32(0)), self.constant(numpy.float32(6)))
        elif act == "LeakyRelu":
            out = self.op("LeakyRelu", out, alpha=0.1)
        elif act:
            out = self.op(act, out)
        return out, channels

    def add(self, a, b, act=None):
        out = self.op("Add", a[0], b[0])
        return (self.op(act, out) if act else out), a[1]

    def concat(self, *maps):
        return self.op("Concat", *(name for name, _ in maps), axis=1), sum(channels for _, channels in maps)

    def linear(self, x, size_in, size_out):
        product = self.op("MatMul", x, self.weight(size_in, size_out, scale=size_in ** -0.5))
        return self.op("Add", product, self.weight(size_out, scale=0.02))

    def norm(self, x, width):
        one = self.constant(numpy.ones(width, numpy.float32))
        return self.op("LayerNormalization", x, one, self.weight(width, scale=0.02), axis=-1, epsilon=1e-12)

    def classify(self, x, classes):
        mean = self.op("Flatten", self.op("GlobalAveragePool", x[0]))
        return self.linear(mean, x[1], classes)

    def model(self, *results):
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in results]
        graph = helper.make_graph(self.nodes, "network", self.inputs, outputs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
        model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        onnx.checker.check_model(model)
        return model


def picture(net, side):
    return net.input("picture", TensorProto.FLOAT, [1, 3, side, side]), 3


def resnet(blocks, bottleneck):
    net = Network()
    x = net.conv(picture(net, 224), 64, 7, 2)
    x = net.op("MaxPool", x[0], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 64
    for stage, count in enumerate(blocks):
        width = 64 << stage
        out = width * (4 if bottleneck else 1)
        for i in range(count):
            stride = 2 if stage and i == 0 else 1
            if bottleneck:
                y = net.conv(net.conv(net.conv(x, width), width, 3, stride), out, act=None)
            else:
                y = net.conv(net.conv(x, width, 3, stride), width, 3, act=None)
            if stride != 1 or x[1] != out:
                x = net.conv(x, out, stride=stride, act=None)
            x = net.add(y, x, "Relu")
    return net.model(net.classify(x, 1000))


def mobilenetv2():
    net = Network()
    x = net.conv(picture(net, 224), 32, 3, 2, act="Relu6")
    for expand, channels, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                            (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(count):
            step = stride if i == 0 else 1
            y = net.conv(x, x[1] * expand, act="Relu6") if expand > 1 else x
            y = net.conv(net.conv(y, y[1], 3, step, groups=y[1], act="Relu6"), channels, act=None)
            x = net.add(y, x) if step == 1 and x[1] == channels else y
    return net.model(net.classify(net.conv(x, 1280, act="Relu6"), 1000))


def yolov4(side):
    """Without the boxes' arithmetic after the three heads."""
    net = Network()

    def chain(x, *steps, act="Mish"):
        for channels, kernel in steps:
            x = net.conv(x, channels, kernel, act=act)
        return x

    def stage(x, width, count):
        inner = width // 2
        x = net.conv(x, width, 3, 2, act="Mish")
        side_way, y = chain(x, (inner, 1)), chain(x, (inner, 1))
        for _ in range(count):
            y = net.add(chain(y, (inner, 1), (inner, 3)), y)
        return chain(net.concat(chain(y, (inner, 1)), side_way), (width, 1))

    x = net.conv(chain(picture(net, side), (32, 3)), 64, 3, 2, act="Mish")
    side_way, y = chain(x, (64, 1)), chain(x, (64, 1))
    y = net.add(chain(y, (32, 1), (64, 3)), y)
    x = chain(net.concat(chain(y, (64, 1)), side_way), (64, 1))
    down3 = stage(stage(x, 128, 2), 256, 8)
    down4 = stage(down3, 512, 8)
    down5 = stage(down4, 1024, 4)

    def leaky(x, *steps):
        return chain(x, *steps, act="LeakyRelu")

    def pool(x, size):
        return net.op("MaxPool", x[0], kernel_shape=[size] * 2, pads=[size // 2] * 4), x[1]

    def upsample(x):
        scales = net.constant(numpy.array([1, 1, 2, 2], numpy.float32))
        return net.op("Resize", x[0], "", scales, mode="nearest"), x[1]

    x = leaky(down5, (512, 1), (1024, 3), (512, 1))
    low = leaky(net.concat(pool(x, 13), pool(x, 9), pool(x, 5), x), (512, 1), (1024, 3), (512, 1))
    x = net.concat(leaky(down4, (256, 1)), upsample(leaky(low, (256, 1))))
    middle = leaky(x, (256, 1), (512, 3), (256, 1), (512, 3), (256, 1))
    x = net.concat(leaky(down3, (128, 1)), upsample(leaky(middle, (128, 1))))
    high = leaky(x, (128, 1), (256, 3), (128, 1), (256, 3), (128, 1))

    first = net.conv(leaky(high, (256, 3)), 255, act=None)
    x = net.concat(net.conv(high, 256, 3, 2, act="LeakyRelu"), middle)
    x = leaky(x, (256, 1), (512, 3), (256, 1), (512, 3), (256, 1))
    second = net.conv(leaky(x, (512, 3)), 255, act=None)
    x = net.concat(net.conv(x, 512, 3, 2, act="LeakyRelu"), low)
    x = leaky(x, (512, 1), (1024, 3), (512, 1), (1024, 3), (512, 1))
    third = net.conv(leaky(x, (1024, 3)), 255, act=None)
    return net.model(first[0], second[0], third[0])


def heads_of(net, x, tokens, heads, size, order):
    shaped = net.op("Reshape", x, net.constant(numpy.array([1, tokens, heads, size], numpy.int64)))
    return net.op("Transpose", shaped, perm=order)


def encoder(tokens, layers, width, heads, inner, embedding, shared):
    """BERT, or with `shared` ALBERT: one layer's weights for all, an embedding of its own width, the tanh form of GELU."""
    net = Network()
    ids = net.input("ids", TensorProto.INT64, [1, tokens])
    mask = net.input("mask", TensorProto.FLOAT, [1, 1, 1, tokens])
    x = net.op("Gather", net.weight(30000, embedding, scale=0.02), ids, axis=0)
    x = net.norm(net.op("Add", x, net.weight(tokens, embedding, scale=0.02)), embedding)
    if embedding != width:
        x = net.linear(x, embedding, width)
    size = width // heads
    hidden = net.constant(numpy.array([1, tokens, width], numpy.int64))
    scale = net.constant(numpy.float32(size ** -0.5))
    first = len(net.weights)
    for _ in range(layers):
        if shared:
            kept, net.weights = net.weights, Reused(net.weights, first)
        query = heads_of(net, net.linear(x, width, width), tokens, heads, size, [0, 2, 1, 3])
        key = heads_of(net, net.linear(x, width, width), tokens, heads, size, [0, 2, 3, 1])
        value = heads_of(net, net.linear(x, width, width), tokens, heads, size, [0, 2, 1, 3])
        scores = net.op("Add", net.op("Mul", net.op("MatMul", query, key), scale), mask)
        context = net.op("MatMul", net.op("Softmax", scores, axis=-1), value)
        context = net.op("Reshape", net.op("Transpose", context, perm=[0, 2, 1, 3]), hidden)
        x = net.norm(net.op("Add", net.linear(context, width, width), x), width)
        y = net.op("Gelu", net.linear(x, width, inner), approximate="tanh" if shared else "none")
        x = net.norm(net.op("Add", net.linear(y, inner, width), x), width)
        if shared:
            net.weights = kept
    return net.model(x)


class Reused:
    """Weights of a layer that stands in the network several times: the first time they are appended, then given again."""

    def __init__(self, weights, first):
        self.weights, self.next = weights, first

    def __len__(self):
        return self.next

    def append(self, value):
        if self.next == len(self.weights):
            self.weights.append(value)
        self.next += 1


NETWORKS = {
    "resnet18": lambda: resnet((2, 2, 2, 2), False),
    "resnet50": lambda: resnet((3, 4, 6, 3), True),
    "mobilenetv2": mobilenetv2,
    "yolov4-320": lambda: yolov4(320),
    "minilm-l6": lambda: encoder(128, 6, 384, 12, 1536, 384, False),
    "bert-base": lambda: encoder(128, 12, 768, 12, 3072, 768, False),
    "bert-large": lambda: encoder(384, 24, 1024, 16, 4096, 1024, False),
    "albert-base-v2": lambda: encoder(128, 12, 768, 12, 3072, 128, True),
}


def inputs_of(model):
    """One random input for each of a model's, by name."""
    random = numpy.random.default_rng(2)
    result = {}
    for value in model.graph.input:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        if value.type.tensor_type.elem_type == TensorProto.INT64:
            result[value.name] = random.integers(0, 30000, shape, dtype=numpy.int64)
        else:
            result[value.name] = random.standard_normal(shape, dtype=numpy.float32)
            if value.name == "mask":
                result[value.name][:] = 0
    return result
