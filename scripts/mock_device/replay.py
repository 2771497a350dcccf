# SPDX-License-Identifier: Apache-2.0
"""Makes recorded calls on the real TTNN and writes what it answers.

Run by `real_ttnn replay` with CPython 3.12: replay.py PACKAGE CALLS ANSWERS.

CALLS is a JSON object: {"l1_small_size": bytes, "events": what ttnn_cpu::to_json(Recording) wrote}. Tensors are allocated and
freed as in the recording, so that L1 is as full as it was. ANSWERS gets one JSON line a call, written at once, so that a crash
of the library shows at which call:

    {"call": index among the events, "function": ..., "error": text or null, "differences": [...], "resources": {...} or null}
"""

import collections
import functools
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import sys

import call_table


def load_ttnn(package):
    """The bindings alone: what Python puts around them would want torch and pandas."""
    file = next(pathlib.Path(package, "ttnn").glob("_ttnn.*.so"))
    loader = importlib.machinery.ExtensionFileLoader("_ttnn", str(file))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("_ttnn", loader))
    loader.exec_module(module)
    return module


def cores_of(grid):
    return sorted((x, y) for part in grid for x in range(part["start"][0], part["end"][0] + 1)
                  for y in range(part["start"][1], part["end"][1] + 1))


def flatten(result, tensor_type):
    if isinstance(result, tensor_type):
        return [result]
    if isinstance(result, (list, tuple)):
        return [tensor for part in result for tensor in flatten(part, tensor_type)]
    return []


def peak_of_buffers(trace):
    """As extract_resource_usage_per_core counts, but with a sign: its counter wraps when a call frees more than it allocates."""
    peak = current = 0
    for node in trace:
        if node["node_type"] in ("buffer_allocate", "buffer_deallocate") and node["params"]["type"] != "DRAM":
            size = int(node["params"]["max_size_per_bank"])
            current += size if node["node_type"] == "buffer_allocate" else -size
            peak = max(peak, current)
    return peak


@functools.lru_cache(maxsize=None)
def cores_in(text):
    """Of a set of core ranges as the library writes it: {[0-0 - 7-0], [0-1 - 3-1]}, x before y."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return [(x, y) for x0, y0, x1, y1 in zip(*[iter(numbers)] * 4) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]


def peak_of_circular_buffers(trace):
    """On the fullest core. extract_resource_usage_per_core adds up those of all cores: where groups of cores have buffers of
    their own it counts bytes that no core holds."""
    elsewhere = {"circular_buffer_allocate": "globally_allocated", "dataflow_buffer_allocate": "borrows_memory", "scratchpad_allocate": None}
    peak, sizes = 0, collections.Counter()  # of one program, by set of cores
    for node in trace + [{"node_type": "circular_buffer_deallocate_all"}]:
        kind = node["node_type"]
        if kind in elsewhere:
            params = node["params"]
            if elsewhere[kind] is None or int(params[elsewhere[kind]]) == 0:
                sizes[params["core_range_set"]] += int(params["size"])
        elif kind == "circular_buffer_deallocate_all":
            of_core = collections.Counter()
            for cores, size in sizes.items():
                for core in cores_in(cores):
                    of_core[core] += size
            peak = max(peak, max(of_core.values(), default=0))
            sizes.clear()
    return peak


class Replay:
    def __init__(self, ttnn, l1_small_size):
        self.ttnn = ttnn
        self.device = ttnn.device.CreateDevice(0, num_command_queues=1, l1_small_size=l1_small_size)
        # A program that is found again would not show its circular buffers.
        self.device.disable_and_clear_program_cache()
        self.table = call_table.CallTable(ttnn, self.device)
        self.live = {}  # (buffer type, address) to the tensors that share the buffer

    def close(self):
        self.live.clear()
        self.ttnn.device.CloseDevice(self.device)

    # Tensors

    def allocate(self, spec):
        return self.ttnn.operations.core.allocate_tensor_on_device(self.table.tensor_spec(spec), self.device)

    def host_tensor(self, spec):
        count = 1
        for size in spec["shape"]:
            count *= size
        kinds = self.ttnn.tensor
        return kinds.Tensor([0.0] * count, spec["shape"], getattr(kinds.DataType, spec["dtype"]),
                            getattr(kinds.Layout, spec["layout"]))

    def tensor(self, record):
        spec = record["spec"]
        if not record["on_device"]:
            return self.host_tensor(spec)
        same_buffer = self.live.setdefault((spec["memory_config"]["buffer_type"], record["address"]), [])
        for tensor in same_buffer:
            if not self.differences(spec, tensor):
                return tensor
        # Not seen before, so it was there before the recording began; or a view that no call made.
        same_buffer.append(self.allocate(spec))
        return same_buffer[-1]

    def spec_of(self, tensor):
        memory = tensor.memory_config()
        shard = memory.shard_spec
        return {
            "shape": list(tensor.shape), "padded_shape": list(tensor.padded_shape), "dtype": tensor.dtype.name,
            "layout": tensor.layout.name,
            "memory_config": {
                "memory_layout": memory.memory_layout.name, "buffer_type": memory.buffer_type.name,
                "shard_spec": None if shard is None else {
                    "grid": [{"start": [part.start.x, part.start.y], "end": [part.end.x, part.end.y]} for part in shard.grid.ranges()],
                    "shape": list(shard.shape), "orientation": shard.orientation.name}}}

    def differences(self, expected, tensor):
        found, result = self.spec_of(tensor), []

        def compare(name, here, there):
            if here != there:
                result.append(f"{name} is {here} on the embedded device, {there} on the real library")

        for name in ("shape", "padded_shape", "dtype", "layout"):
            compare(name, expected[name], found[name])
        here, there = expected["memory_config"], found["memory_config"]
        for name in ("memory_layout", "buffer_type"):
            compare(name, here[name], there[name])
        here, there = here["shard_spec"], there["shard_spec"]
        if here is None or there is None:
            compare("shard_spec", here, there)
        else:
            if cores_of(here["grid"]) != cores_of(there["grid"]):
                compare("shard grid", here["grid"], there["grid"])
            compare("shard shape", here["shape"], there["shape"])
            compare("shard orientation", here["orientation"], there["orientation"])
        return result

    # Events

    def buffer(self, event):
        key = (event["type"], event["address"])
        if event["buffer"] == "freed":
            for tensor in self.live.pop(key, []):
                tensor.deallocate(True)
        elif not event["within_call"]:
            self.live[key] = [self.allocate(event["spec"])]

    def call(self, event):
        """One answer, without its place."""
        answer = {"function": event["call"], "error": None, "differences": [], "resources": None}
        try:
            function, arguments = self.table.prepare(event["call"], event["arguments"],
                                                     [self.tensor(record) for record in event["inputs"]])
        except call_table.NotKnown as error:
            answer["unknown"] = str(error)
            self.pretend(event)
            return answer
        except RuntimeError as error:
            answer["error"] = f"an input or argument was refused: {error}"
            return answer
        graph = self.ttnn.graph
        graph.begin_graph_capture(graph.RunMode.NORMAL)
        try:
            result = function(**arguments)
        except RuntimeError as error:
            answer["error"] = str(error)
        except TypeError as error:
            # The bindings know no such call; the library was not asked.
            answer["unknown"] = str(error)
        trace = graph.end_graph_capture()
        if "unknown" in answer:
            self.pretend(event)
        if answer["error"] is not None or "unknown" in answer:
            return answer
        answer["resources"] = self.resources(trace, function, arguments)
        outputs = flatten(result, self.ttnn.tensor.Tensor)
        if len(outputs) != len(event["outputs"]):
            answer["differences"].append(f"{len(event['outputs'])} outputs on the embedded device, {len(outputs)} on the real library")
        for index, (record, output) in enumerate(zip(event["outputs"], outputs)):
            answer["differences"] += [f"output {index}: {text}" for text in self.differences(record["spec"], output)]
            if record["on_device"]:
                key = (record["spec"]["memory_config"]["buffer_type"], record["address"])
                self.live.setdefault(key, []).append(output)
        return answer

    def resources(self, trace, function, arguments):
        """Peaks of L1 a core during a call."""
        graph = self.ttnn.graph
        # Ops on the newer host API show their buffers only to a query that does not dispatch.
        kinds = [node["node_type"] for node in trace if node["node_type"].startswith("circular_buffer")]
        silent = any(kind == "circular_buffer_deallocate_all" and following != "circular_buffer_allocate"
                     for kind, following in zip(kinds, kinds[1:] + [""]))
        if silent and not any(arguments.get(name) for name in ("deallocate_input", "conv_config")):
            graph.begin_graph_capture(graph.RunMode.NO_DISPATCH)
            try:
                function(**arguments)
            except RuntimeError:
                # A pool asks for buffers that such a query does not make; what the call itself showed has to do.
                graph.end_graph_capture()
            else:
                trace = graph.end_graph_capture()
        return {"circular_buffers": peak_of_circular_buffers(trace), "l1_buffers": peak_of_buffers(trace)}

    def pretend(self, event):
        """Outputs of a call that could not be made, so that later calls find their inputs."""
        for record in event["outputs"]:
            self.tensor(record)


def main():
    package, calls, answers = sys.argv[1:]
    request = json.loads(pathlib.Path(calls).read_text(encoding="utf-8"))
    replay = Replay(load_ttnn(package), request["l1_small_size"])
    with open(answers, "w", encoding="utf-8") as out:
        for index, event in enumerate(request["events"]):
            if "buffer" in event:
                replay.buffer(event)
                continue
            # Before the call, so that a crash shows where.
            out.write(json.dumps({"call": index, "function": event["call"]})[:-1])
            out.flush()
            answer = replay.call(event)
            out.write(", " + json.dumps(answer)[1:] + "\n")
            out.flush()
    replay.close()


if __name__ == "__main__":
    main()
