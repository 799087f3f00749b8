"""Host instructions of a simulated warp instruction: bench_steps.py WARPSTEP KERNELS.cu [NAME...]

For each kind of work (tests/speed/steps.cu), by callgrind: the slope between a launch and one of twice the size, so that
start-up and compiling fall out. The same number in every run, whatever else the machine does. The last column is what each may
take in a release build by gcc 12 at the lane level v3, as measured with valgrind 3.19; --check fails where one takes more.
valgrind wants no debug information of ours, so a stripped copy of the program runs.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def buffer(name, kind, count):
    return f"buffer: {{name: {name}, type: {kind}, count: {count}, init: zero}}"


def chain(size, blocks=2):
    return "chain", (blocks, 1), (1024, 1), [buffer("out", "f32", 1024 * blocks), "f32: 0.5", "f32: 1.0", f"s32: {size}"]


def stream(size, blocks=8):
    count = blocks * 256 * 32 * size
    return "stream", (blocks, 1), (256, 1), [buffer(name, "f32", count) for name in "abc"] + [f"s32: {count}"]


# Launches by size 1 or 2, the SMs, and the host instructions that a warp instruction may take.
KINDS = {
    "chain": (lambda size: chain(1000 * size), 1, 560),
    "diverge": (lambda size: ("diverge", (8, 1), (256, 1), [buffer("out", "u32", 2048), f"s32: {100 * size}"]), 1, 900),
    "barrier": (lambda size: ("barrier", (8, 1), (256, 1), [buffer("out", "f32", 2048), f"s32: {300 * size}"]), 1, 1400),
    "shared": (lambda size: ("shared", (8, 1), (256, 1), [buffer("out", "f32", 2048), f"s32: {150 * size}"]), 1, 1050),
    "matmul": (lambda size: ("matmul", (4 * size, 4), (16, 16),
                             [buffer("a", "f32", 128 * 128)] + [buffer(name, "f32", 128 * 256) for name in "bc"] + ["s32: 128"]), 1, 2300),
    "stream": (stream, 1, 1900),
    "gather": (lambda size: ("gather", (8, 1), (256, 1), [buffer("out", "f32", 2048), buffer("in", "f32", 1 << 20), f"s32: {40 * size}",
                                                         f"u32: {(1 << 20) - 1}"]), 1, 8000),
    "chain of 132 SMs": (lambda size: chain(8 * size, 264), 132, None),
    "stream of 132 SMs": (lambda size: stream(size, 528), 132, None),
}


def launch_text(kernels, kind):
    name, grid, block, parameters = kind
    lines = ["version: 1", f"program: {kernels}", f"kernel: {name}", f"grid: [{grid[0]}, {grid[1]}, 1]",
             f"block: [{block[0]}, {block[1]}, 1]", "params:"]
    return "\n".join(lines + [f"  - {parameter}" for parameter in parameters]) + "\n"


def count(program, launch, sms, folder):
    """Host instructions and warp instructions of a run."""
    call = [program, "run", launch, "--sms", str(sms), "--format", "json"]
    instructions = json.loads(subprocess.run(call, capture_output=True, check=True).stdout)["warp_instructions"]
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *call], capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]), instructions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpstep")
    parser.add_argument("kernels")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return 77
    over = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "warpstep")
        subprocess.run(["strip", "-g", "-o", program, options.warpstep], check=True)
        for name in options.names or KINDS:
            kind, sms, target = KINDS[name]
            path = pathlib.Path(folder, "launch.yaml")
            ends = []
            for size in (1, 2):
                shutil.copy(options.kernels, folder)
                path.write_text(launch_text(os.path.basename(options.kernels), kind(size)))
                ends.append(count(program, str(path), sms, folder))
            slope = (ends[1][0] - ends[0][0]) / (ends[1][1] - ends[0][1])
            over += target is not None and slope > target
            print(f"{name:20} {slope:9.0f}" + (f"   at most {target}" if target else ""), flush=True)
    return 1 if options.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
