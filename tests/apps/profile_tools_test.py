#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a fresh profile in the tools that it is written for: tt-perf-report and the server of ttnn-visualizer.

Each is installed by name into a virtual environment of its own (they want different versions of pandas), kept in the cache. Exit code 77,
which ctest calls a skip, when the registry is out of reach.

usage: profile_tools_test.py PROGRAM SCRATCH
"""
import csv
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

SKIP = 77
TOOLS = {"tt-perf-report": "1.4.1", "ttnn-visualizer": "0.108.0"}


def cache():
    return os.environ.get("TT_ZOO_CACHE") or os.path.join(os.path.expanduser("~"), ".cache", "tt-zoo")


def tool(name):
    """The path of the tool's program, installed if need be."""
    version = TOOLS[name]
    home = os.path.join(cache(), "tools", f"{name}-{version}")
    program = os.path.join(home, "bin", name)
    if not os.path.exists(os.path.join(home, "done")):
        steps = [[sys.executable, "-m", "venv", home],
                 [os.path.join(home, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", f"{name}=={version}"]]
        for step in steps:
            result = subprocess.run(step, capture_output=True, text=True)
            if result.returncode != 0:
                reason = (result.stderr.strip() or result.stdout.strip()).splitlines()[-1:]
                print(f"skipped: {name} {version} cannot be installed: {reason}")
                sys.exit(SKIP)
        open(os.path.join(home, "done"), "w").close()
    return program


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def only(pattern):
    found = glob.glob(pattern)
    check(len(found) == 1, f"{pattern} matches {found}, not one file")
    return found[0]


# A network of each kind: the arguments of its profile, what its rows must show, and a call to look at in the visualizer.
RUNS = {
    "encoder": (["bert", "--preset", "bert-tiny", "--sequence", "64", "--mode", "trace-2cq"], "MatmulDeviceOperation", "ttnn.linear"),
    "convolutions": (["mnist", "--mode", "plain", "--plan", "functional"], "Conv2dDeviceOperation", "ttnn.conv2d"),
    "decoder": (["gpt2", "--preset", "gpt2-tiny", "--prompt-tokens", "32", "--new-tokens", "2", "--mode", "trace", "--no-compute"],
                "MatmulDeviceOperation", "ttnn.linear"),
}


def check_perf_report(program, sheet, product):
    result = subprocess.run([program, "--no-color", sheet], capture_output=True, text=True, timeout=120)
    check(result.returncode == 0, f"tt-perf-report ends with {result.returncode}: {result.stderr[-500:]}")
    text = result.stdout
    with open(sheet, newline="") as file:
        rows = list(csv.DictReader(file))
    check(rows, "the sheet has no row")
    check({row["CLOCK"] for row in rows} == {"modelled for the card"}, "the sheet does not name its clock")
    check("Architecture: wormhole" in text, "tt-perf-report does not know the architecture")
    # Rows of the table of ops begin with an op's number; the advice and the sums behind it name ops too.
    products = [line for line in text.splitlines() if product in line and re.match(r"\s*\d+\s+[\d.]+ %", line)]
    check(products, f"no row of {product}")
    check(all("TFLOPs" in line for line in products), f"a row of {product} without FLOPs")
    # An x stands where the report did not find what it looked for in the attributes.
    unread = [line for line in text.splitlines() if re.search(r"\b[wspd]=x|ABH=x|\| x\b", line)]
    check(not unread, f"tt-perf-report could not read the attributes of {len(unread)} rows: {unread[:1]}")
    matmuls = [line for line in text.splitlines() if "MatmulDeviceOperation" in line]
    check(any("GB/s" in line and "%" in line for line in matmuls), "no matmul row with DRAM %")
    check(f"{len(rows)} device ops" in text, f"tt-perf-report does not count {len(rows)} device ops")
    print(f"tt-perf-report: {len(rows)} device ops, {len(products)} rows of {product}")
    return rows


class Visualizer:
    def __init__(self, program, scratch):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = dict(
            os.environ, LAUNCH_BROWSER_ON_START="false", USAGE_RECORDING_DISABLED="true",
            APP_DATA_DIRECTORY=os.path.join(scratch, "app"), REPORT_DATA_DIRECTORY=os.path.join(scratch, "data"))
        self.log = open(os.path.join(scratch, "visualizer.log"), "w")
        self.process = subprocess.Popen(
            [program, "--host", "127.0.0.1", "--port", str(self.port)], env=environment, stdout=self.log, stderr=self.log,
            start_new_session=True)

    def __enter__(self):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return self
            except OSError:
                check(self.process.poll() is None, "the server of ttnn-visualizer ended")
                time.sleep(0.5)
        sys.exit("FAILED: the server of ttnn-visualizer did not answer within 120 s")

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGTERM)  # the server has workers of its own
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.log.close()

    def ask(self, route, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/{route}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def device_ops(operation):
    return [node["params"]["name"] for node in operation["device_operations"]
            if node["node_type"] == "function_start" and not node["params"]["name"].startswith("ttnn")]


def check_visualizer(server, memory, performance, rows, call):
    instance = server.ask("instance/local-paths", {"profiler_path": memory, "performance_path": performance})["instance_id"]

    def ask(route):
        return server.ask(f"{route}?instanceId={instance}")

    operations = ask("operations")
    names = [name for operation in operations for name in device_ops(operation)]
    # The visualizer links the two reports by position, so names and order must agree.
    check(names == [row["OP CODE"] for row in rows], "the memory report's device ops are not the sheet's")
    named = [operation for operation in operations if operation["name"] == call]
    check(named, f"no operation {call}")
    one = ask(f"operations/{named[0]['id']}")
    check(one["l1_sizes"] == [1499136], f"L1 size is {one['l1_sizes']}")
    check(one["inputs"] and one["outputs"], "an operation shows no tensors")
    check(one["arguments"], "an operation shows no arguments")
    check(one["buffers"], "an operation shows no buffers")
    check(any(node["node_type"] == "circular_buffer_allocate" for node in one["device_operations"]), "no circular buffer")
    check(len(ask("tensors")) > 10, "fewer than ten tensors")
    check(len(ask("buffers")) > 10, "fewer than ten buffers")
    check(any(buffer["buffer_type"] == 1 for buffer in ask("buffers")), "no buffer is in L1")
    report = ask("performance/perf-results/report")["report"]
    check(len(report) >= len(rows), f"the performance view has {len(report)} of {len(rows)} rows")
    check(ask("performance/device-log/meta")["architecture"] == "wormhole_b0", "the device log has no architecture")
    print(f"ttnn-visualizer: {len(operations)} operations, linked to {len(rows)} device ops")


def check_timeline(path, queues):
    """The rules of Chrome's format that a viewer needs: one track a queue, flows with two ends, slices that nest."""
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    tracks = {event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    check({f"queue {queue}" for queue in range(queues)} <= tracks, f"the tracks are {tracks}")
    starts = {event["id"] for event in events if event["ph"] == "s"}
    ends = {event["id"] for event in events if event["ph"] == "f"}
    check(starts == ends, "a flow has one end only")
    counters = {(event["name"], key) for event in events if event["ph"] == "C" for key in event["args"]}
    check(counters == {("L1 bytes per core", "tensors"), ("L1 bytes per core", "circular buffers"), ("DRAM bytes", "tensors")},
          f"the counters are {counters}")
    open_slices = {}
    for event in sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"])):
        track = open_slices.setdefault((event["pid"], event["tid"]), [])
        while track and track[-1] <= event["ts"] + 1e-3:
            track.pop()
        check(not track or event["ts"] + event["dur"] <= track[-1] + 1e-3, f"{event['name']} at {event['ts']} overlaps another slice")
        track.append(event["ts"] + event["dur"])
    print(f"timeline: {len(events)} events, {len(starts)} flows, tracks {sorted(tracks)}")


def main():
    program, scratch = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    tools = {name: tool(name) for name in TOOLS}
    with Visualizer(tools["ttnn-visualizer"], scratch) as server:
        for name, (arguments, product, call) in RUNS.items():
            out = os.path.join(scratch, name)
            subprocess.run(
                [program, "profile", *arguments, "--weights", "random", "--out", out], check=True, stdout=subprocess.DEVNULL, timeout=120)
            performance = only(os.path.join(out, "generated/profiler/reports/*_card"))
            memory = only(os.path.join(out, "generated/ttnn/reports/*"))
            print(f"{name}: {' '.join(arguments)}")
            rows = check_perf_report(tools["tt-perf-report"], only(os.path.join(performance, "ops_perf_results_*.csv")), product)
            check_visualizer(server, os.path.abspath(memory), os.path.abspath(performance), rows, call)
            check_timeline(only(os.path.join(out, "*.perfetto.json")), 2 if "trace-2cq" in arguments else 1)


if __name__ == "__main__":
    main()
