#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the files of tests/data/pth with a real PyTorch: Debian's python3-torch, run by /usr/bin/python3.

tests/common/pth_test.cpp knows their values.
"""

import collections
import pathlib
import sys

try:
    import torch
except ImportError as error:
    sys.exit(f"make_pth_fixtures: {error}; install Debian's python3-torch and run this with /usr/bin/python3")

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "pth"


def state():
    base = torch.arange(12, dtype=torch.float32)
    module = torch.nn.Linear(2, 3)
    with torch.no_grad():
        module.weight.copy_(torch.arange(6).reshape(3, 2))
        module.bias.copy_(torch.tensor([0.5, -0.5, 1.5]))
    tensors = collections.OrderedDict(module.state_dict())
    tensors["matrix"] = base.reshape(3, 4)
    tensors["transposed"] = base.reshape(3, 4).t()  # the same storage
    tensors["column"] = base.reshape(3, 4)[:, 2]
    tensors["half"] = torch.tensor([1.5, -2.25], dtype=torch.float16)
    tensors["bfloat16"] = torch.tensor([1.5, -2.25], dtype=torch.bfloat16)
    tensors["double"] = torch.tensor([[0.1]], dtype=torch.float64)
    tensors["count"] = torch.tensor(7, dtype=torch.int64)
    tensors["flags"] = torch.tensor([True, False])
    tensors["empty"] = torch.zeros(0, 3)
    tensors["parameter"] = torch.nn.Parameter(torch.tensor([3.0]))
    return tensors


def main():
    torch.manual_seed(0)
    OUT.mkdir(parents=True, exist_ok=True)
    tensors = state()
    torch.save(tensors, OUT / "zip.pth")
    torch.save(tensors, OUT / "legacy.pth", _use_new_zipfile_serialization=False)
    nested = {"epoch": 3, "name": "x", "rate": 0.1, "state_dict": tensors, "list": [torch.ones(1), (torch.zeros(2), None)]}
    torch.save(nested, OUT / "nested.pth")
    torch.save(torch.nn.Linear(1, 1), OUT / "module.pth")  # a whole module: refused


if __name__ == "__main__":
    main()
