#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the digit classifier of models/mnist and writes its weights as safetensors.

Needs PyTorch: Debian's python3-torch, run by /usr/bin/python3. The digits come from the package that scripts/weights.json
names mnist-digits. Two threads take a few minutes; the seed fixes the result on one machine and one PyTorch.

The network (3 x 32 x 32 in, values from 0 to 1 less the mean, over the deviation):
    conv1 3x3 32, conv2 3x3 32, conv3 3x3 64, each with ReLU and max-pool 2; fc1 64, ReLU; fc2 10
"""

import argparse
import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

# What Debian's OpenBLAS takes this CPU for decides its speed; it has no effect on other builds.
os.environ.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")
try:
    import numpy
    import torch
    import torch.nn.functional as F
except ImportError as error:
    sys.exit(f"train_mnist: {error}; install Debian's python3-torch and run this with /usr/bin/python3")

SCRIPTS = pathlib.Path(__file__).resolve().parent
WEIGHTS = SCRIPTS.parent / "models" / "mnist" / "mnist.safetensors"
SIDE = 32
MEAN, DEVIATION = 0.1307, 0.3081  # of the training digits; models/mnist/config.hpp has the same


def digits_directory():
    fetch = subprocess.run([SCRIPTS / "fetch_weights", "mnist-digits"], stdout=subprocess.PIPE, text=True, check=False)
    if fetch.returncode != 0:
        sys.exit("train_mnist: the digits could not be fetched")
    return pathlib.Path(fetch.stdout.strip())


def read_idx(path):
    """An idx file: two zero bytes, the element type (8, bytes), the number of dimensions, each as big-endian int32."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    zero, kind, rank = struct.unpack_from(">HBB", data)
    shape = struct.unpack_from(f">{rank}i", data, 4)
    values = numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * rank)
    if zero != 0 or kind != 8 or values.size != numpy.prod(shape):
        sys.exit(f"train_mnist: {path} is no idx file of bytes")
    return torch.from_numpy(values.reshape(shape).copy())


def load(directory, part):
    images = read_idx(directory / f"{part}-images-idx3-ubyte").unsqueeze(1).float() / 255
    border = (SIDE - images.shape[-1]) // 2
    return F.pad(images, [border] * 4), read_idx(directory / f"{part}-labels-idx1-ubyte").long()


def prepare(images):
    return ((images - MEAN) / DEVIATION).expand(-1, 3, -1, -1).contiguous()


def deform(images):
    """Small rotations, shears, scalings and shifts, one of each a digit."""
    count = images.shape[0]
    angle = (torch.rand(count) - 0.5) * 0.5
    scale = 1 + (torch.rand(count, 2) - 0.5) * 0.4
    shear = (torch.rand(count) - 0.5) * 0.4
    matrix = torch.zeros(count, 2, 3)
    matrix[:, 0, 0] = torch.cos(angle) * scale[:, 0]
    matrix[:, 0, 1] = -torch.sin(angle) + shear
    matrix[:, 1, 0] = torch.sin(angle)
    matrix[:, 1, 1] = torch.cos(angle) * scale[:, 1]
    matrix[:, :, 2] = (torch.rand(count, 2) - 0.5) * 0.3
    return F.grid_sample(images, F.affine_grid(matrix, images.shape, align_corners=False), align_corners=False)


class Mnist(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, 32, 3, padding=1)
        self.conv2 = torch.nn.Conv2d(32, 32, 3, padding=1)
        self.conv3 = torch.nn.Conv2d(32, 64, 3, padding=1)
        self.fc1 = torch.nn.Linear(64 * 4 * 4, 64)
        self.fc2 = torch.nn.Linear(64, 10)

    def forward(self, x, dropout=0.0):
        for conv in (self.conv1, self.conv2, self.conv3):
            x = F.relu(F.max_pool2d(conv(x), 2))
        x = F.dropout(F.relu(self.fc1(x.flatten(1))), dropout, self.training)
        return self.fc2(x)


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        right = sum((model(prepare(images[i:i + 500])).argmax(1) == labels[i:i + 500]).sum().item()
                    for i in range(0, len(images), 500))
    model.train()
    return right / len(images)


def save(path, state, metadata):
    header, blobs, offset = {"__metadata__": metadata}, [], 0
    for name, tensor in sorted(state.items()):
        blob = tensor.half().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    partial = path.with_suffix(".partial")
    partial.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))
    partial.rename(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=WEIGHTS)
    options = parser.parse_args()

    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    directory = digits_directory()
    images, labels = load(directory, "train")
    test_images, test_labels = load(directory, "t10k")
    model = Mnist()
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=1e-2)
    steps = (len(images) + options.batch - 1) // options.batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, total_steps=steps * options.epochs)
    start = time.monotonic()
    for epoch in range(options.epochs):
        total = 0.0
        for chosen in torch.randperm(len(images)).split(options.batch):
            loss = F.cross_entropy(model(prepare(deform(images[chosen])), dropout=0.2), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / steps:.4f}, {time.monotonic() - start:.0f} s", flush=True)

    # What is written is what is measured: 16-bit weights.
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()
    held_out = accuracy(model, test_images, test_labels)
    print(f"accuracy on the {len(test_images)} held-out digits: {held_out:.4f}")
    save(options.out, model.state_dict(), {"format": "pt", "accuracy": f"{held_out:.4f}", "seed": str(options.seed)})
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
