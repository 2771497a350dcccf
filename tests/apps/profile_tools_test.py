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


def check_perf_report(program, sheet):
    result = subprocess.run([program, "--no-color", sheet], capture_output=True, text=True, timeout=120)
    check(result.returncode == 0, f"tt-perf-report ends with {result.returncode}: {result.stderr[-500:]}")
    text = result.stdout
    with open(sheet, newline="") as file:
        rows = list(csv.DictReader(file))
    check(rows, "the sheet has no row")
    check({row["CLOCK"] for row in rows} == {"modelled for the card"}, "the sheet does not name its clock")
    check("Architecture: wormhole" in text, "tt-perf-report does not know the architecture")
    matmul = [line for line in text.splitlines() if "MatmulDeviceOperation" in line and "TFLOPs" in line]
    check(matmul, "no matmul row with FLOPs")
    check(any("GB/s" in line and "%" in line for line in matmul), "no matmul row with DRAM %")
    check(f"{len(rows)} device ops" in text, f"tt-perf-report does not count {len(rows)} device ops")
    print(f"tt-perf-report: {len(rows)} device ops, {len(matmul)} rows of matmuls")
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


def check_visualizer(program, scratch, memory, performance, rows):
    with Visualizer(program, scratch) as server:
        instance = server.ask("instance/local-paths", {"profiler_path": memory, "performance_path": performance})["instance_id"]

        def ask(route):
            return server.ask(f"{route}?instanceId={instance}")

        operations = ask("operations")
        names = [name for operation in operations for name in device_ops(operation)]
        # The visualizer links the two reports by position, so names and order must agree.
        check(names == [row["OP CODE"] for row in rows], "the memory report's device ops are not the sheet's")
        linear = next(operation for operation in operations if operation["name"] == "ttnn.linear")
        one = ask(f"operations/{linear['id']}")
        check(one["l1_sizes"] == [1499136], f"L1 size is {one['l1_sizes']}")
        check(one["inputs"] and one["outputs"], "an operation shows no tensors")
        check(any(buffer["buffer_type"] == 1 for buffer in one["buffers"]), "an operation shows no buffer in L1")
        check(any(node["node_type"] == "circular_buffer_allocate" for node in one["device_operations"]), "no circular buffer")
        check(len(ask("tensors")) > 10, "fewer than ten tensors")
        check(len(ask("buffers")) > 10, "fewer than ten buffers")
        report = ask("performance/perf-results/report")["report"]
        check(len(report) >= len(rows), f"the performance view has {len(report)} of {len(rows)} rows")
        check(ask("performance/device-log/meta")["architecture"] == "wormhole_b0", "the device log has no architecture")
        print(f"ttnn-visualizer: {len(operations)} operations, linked to {len(rows)} device ops")


def main():
    program, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    tools = {name: tool(name) for name in TOOLS}
    out = os.path.join(scratch, "profile")
    subprocess.run(
        [program, "profile", "bert", "--preset", "bert-tiny", "--weights", "random", "--sequence", "64", "--mode", "trace", "--out", out],
        check=True, stdout=subprocess.DEVNULL, timeout=120)
    performance = only(os.path.join(out, "generated/profiler/reports/*_card"))
    rows = check_perf_report(tools["tt-perf-report"], only(os.path.join(performance, "ops_perf_results_*.csv")))
    memory = only(os.path.join(out, "generated/ttnn/reports/*"))
    check_visualizer(tools["ttnn-visualizer"], scratch, os.path.abspath(memory), os.path.abspath(performance), rows)


if __name__ == "__main__":
    main()
