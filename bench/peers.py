#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times tt-zoo beside other runtimes on this machine: the same networks, random weights, batch 1, the same threads, turn by turn, best of each.

    bench/peers.py                          every network
    bench/peers.py resnet50 mobilenetv2     some of them
    bench/peers.py --rounds 5 --json

tt-zoo runs as `tt-zoo bench MODEL --weights random --mode trace`, libtorch by `--compare torch` after it; ONNX Runtime and OpenVINO
run float32 networks that peer_networks.py builds. They come from PyPI by name into a private environment in the cache (about 150 MB); one
that is out of reach is left out, and a line says so.

Exit status: 0 done, 2 wrong usage, 3 no peer could be set up, 1 a program failed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {"ONNX Runtime": "onnxruntime", "OpenVINO": "openvino"}
# Of `tt-zoo bench`.
COMMANDS = {
    "resnet18": ["resnet", "--preset", "resnet18"],
    "resnet50": ["resnet", "--preset", "resnet50"],
    "mobilenetv2": ["mobilenetv2"],
    "yolov4-320": ["yolov4", "--preset", "yolov4-320"],
    "minilm-l6": ["bert", "--preset", "minilm-l6", "--sequence", "128"],
    "bert-base": ["bert", "--preset", "bert-base", "--sequence", "128"],
    "bert-large": ["bert", "--preset", "bert-large-squad2", "--sequence", "384"],
    "albert-base-v2": ["albert", "--preset", "albert-base-v2", "--sequence", "128"],
    "gpt2": ["gpt2", "--preset", "gpt2", "--prompt-tokens", "32", "--new-tokens", "32"],
}
DECODERS = {"gpt2"}  # figures are of one token, and libtorch alone is the peer


def say(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def cache_dir():
    """That of scripts/fetch_weights."""
    if os.environ.get("TT_ZOO_CACHE"):
        return pathlib.Path(os.environ["TT_ZOO_CACHE"]).expanduser().resolve()
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().resolve() / "tt-zoo"


def set_up(cache):
    """The environment's Python, and the peers that it has."""
    python = cache / "venv/bin/python"
    if not python.exists():
        say("makes a private environment")
        cache.mkdir(parents=True, exist_ok=True)
        made = subprocess.run([sys.executable, "-m", "venv", cache / "venv"], stdout=sys.stderr, check=False)
        if made.returncode != 0:
            say(f"no environment: `{sys.executable} -m venv` failed (Debian: python3-venv)")
            return python, []
    found = []
    for name, package in PACKAGES.items():
        def has():
            return subprocess.run([python, "-c", f"import onnx, {package}"], capture_output=True, check=False).returncode == 0
        if not has():
            say(f"installs {package} from PyPI")
            install = [python, "-m", "pip", "install", "--quiet", "onnx", package]
            subprocess.run(install, stdout=sys.stderr, check=False)
        if has():
            found.append(name)
        else:
            say(f"{name} is left out: package {package} is out of reach")
    return python, found


class Worker:
    """A runtime with a network, in a process of its own that sleeps between its turns."""

    def __init__(self, python, peer, model, threads, file):
        command = [python, __file__, "--worker", peer, "--threads", str(threads), "--file", file, model]
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("a peer ended early; its message is above")
        return json.loads(line)

    def best_ms(self, iterations):
        self.process.stdin.write(f"{iterations}\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def load(peer, file, threads):
    """A function that runs a network once on one set of inputs."""
    import onnx  # the environment's, not the caller's
    from peer_networks import inputs_of
    inputs = inputs_of(onnx.load(file))
    if peer == "ONNX Runtime":
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        return lambda: session.run(None, inputs)
    import openvino
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(file, "CPU", settings).create_infer_request()
    return lambda: request.infer(inputs, share_inputs=True, share_outputs=True)


def work(options):
    sys.path.insert(0, str(HERE))
    run = load(options.worker, options.file, options.threads)
    run()
    print("0", flush=True)
    for line in sys.stdin:
        best = float("inf")
        for _ in range(int(line)):
            start = time.perf_counter()
            run()
            best = min(best, 1000 * (time.perf_counter() - start))
        print(json.dumps(best), flush=True)


def network_file(python, model, cache):
    """Built once."""
    file = cache / f"{model}.onnx"
    if not file.exists():
        say(f"builds {model}")
        build = ("import sys; sys.path.insert(0, sys.argv[1]); import onnx; from peer_networks import NETWORKS;"
                 "onnx.save(NETWORKS[sys.argv[2]](), sys.argv[3])")
        subprocess.run([python, "-c", build, HERE, model, f"{file}.partial"], check=True)
        pathlib.Path(f"{file}.partial").rename(file)
    return file


def bench(program, model, options, *more):
    command = [program, "bench", *COMMANDS[model], "--weights", "random", "--mode", "trace", "--iterations", str(options.iterations),
               "--threads", str(options.threads), "--json", *more]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def bench_here(program, model, options):
    """libtorch has a turn of its own: its threads stay awake for a while after each run, in the way of whoever is next."""
    alone = bench(program, model, options)
    best = {"tt-zoo": alone["step_ms"] if model in DECODERS else alone["latency"]["best_ms"]}
    if not options.no_torch:
        both = bench(program, model, options, "--compare", "torch")
        best["libtorch"] = both["step_ms"] * both["decode_ratio"] if model in DECODERS else both["torch"]["best_ms"]
    return best


def measure(model, python, peers, options):
    """The best milliseconds of each."""
    workers = {}
    best = {}
    try:
        if model not in DECODERS and peers:
            file = network_file(python, model, options.cache)
            for peer in peers:
                workers[peer] = Worker(python, peer, model, options.threads, file)
        for turn in range(options.rounds):
            say(f"{model}: round {turn + 1} of {options.rounds}")
            times = bench_here(options.program, model, options)
            times |= {peer: worker.best_ms(options.iterations) for peer, worker in workers.items()}
            best = {name: min(value, best.get(name, value)) for name, value in times.items()}
    finally:
        for worker in workers.values():
            worker.close()
    return best


def print_table(rows, peers):
    names = ["libtorch", *peers]
    print("| network | tt-zoo ms | " + " | ".join(f"{name} ms" for name in names) + " | times the best peer |")
    print("| --- |" + " ---: |" * (len(names) + 2))
    for model, best in rows.items():
        cells = [f"{best[name]:.1f}" if name in best else "-" for name in ["tt-zoo", *names]]
        others = [value for name, value in best.items() if name != "tt-zoo"]
        ratio = f"{best['tt-zoo'] / min(others):.2f}" if others else "-"
        print(f"| {model}{', a token' if model in DECODERS else ''} | {' | '.join(cells)} | {ratio} |")


def main():
    parser = argparse.ArgumentParser(prog="peers.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("models", nargs="*", metavar="NETWORK", help=f"of {', '.join(COMMANDS)}; all if none is named")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of each runtime (all cores)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each (3)")
    parser.add_argument("--iterations", type=int, default=10, help="runs in a turn (10)")
    parser.add_argument("--program", type=pathlib.Path, default=HERE.parent / "tt-zoo", help="the tt-zoo to time")
    parser.add_argument("--no-torch", action="store_true", help="leave libtorch out")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options)
        return 0
    for model in options.models:
        if model not in COMMANDS:
            parser.error(f"network '{model}' is none of {', '.join(COMMANDS)}")
    for name in ("threads", "rounds", "iterations"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is {getattr(options, name)}, must be at least 1")
    options.cache = cache_dir() / "peers"
    python, peers = set_up(options.cache)
    if not peers and options.no_torch:
        return 3
    try:
        rows = {model: measure(model, python, peers, options) for model in options.models or COMMANDS}
    except (subprocess.CalledProcessError, RuntimeError, OSError) as error:
        say(error)
        return 1
    if options.json:
        print(json.dumps({"threads": options.threads, "best_ms": rows}, indent=2))
    else:
        print_table(rows, peers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
