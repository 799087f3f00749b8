"""Whether two builds simulate alike, to the byte: same_results.py SOURCE_ROOT WARPSTEP --write FILE | --against FILE

--write notes what a build says of every launch file of the workloads; --against holds another build to it and prints each
run that differs. A launch runs as it is; then on two SMs, stopped early, under each policy, divergence model, way to handle
dependences, memory and fetch model and 2 to 4 threads, one at a time, under --random N (4) combinations of these drawn from
--seed, and as a trace. For changes that are to keep every result, as rearranging the simulator does.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys

STOP = 40000  # cycles of all runs but the first
CHOICES = {"policy": ("lrr gto oldest greedy-then-youngest longest-wait-first textbook-priority two-level ccws").split(),
           "divergence.model": ["stack", "none"], "dependences": ["control", "blocking"],
           "memory.model": ["fixed"], "fetch.model": ["ideal"], "threads": ["2", "3", "4"]}


def arguments(choice):
    words = []
    for name, value in choice:
        words += ["--threads", value] if name == "threads" else ["--set", f"{name}={value}"]
    return words


def runs(launch, options):
    """The command lines of a launch, by what differs."""
    short = ["--sms", "2", "--max-cycles", str(STOP), "--format", "json"]
    yield "whole", ["run", launch, "--format", "json"]
    yield "trace", ["trace", launch, "--sms", "1", "--to", "3000"]
    for name, values in CHOICES.items():
        for value in values:
            yield f"{name}={value}", ["run", launch, *short, *arguments([(name, value)])]
    draw = random.Random(f"{options.seed} {launch}")
    for _ in range(options.random):
        choice = [(name, draw.choice(values)) for name, values in CHOICES.items() if draw.random() < 0.6]
        yield ",".join("=".join(pair) for pair in choice), ["run", launch, *short, *arguments(choice)]


def digest(options, key, words):
    done = subprocess.run([options.warpstep, *words], capture_output=True, cwd=options.root, stdin=subprocess.DEVNULL)
    text = re.sub(rb'"version": "[^"]*"', b"", done.stdout) + done.stderr + str(done.returncode).encode()
    return key, hashlib.sha256(text).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("warpstep")
    parser.add_argument("--write")
    parser.add_argument("--against")
    parser.add_argument("--random", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="only every Nth launch file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.warpstep = os.path.abspath(options.warpstep)
    root = pathlib.Path(options.root)
    launches = sorted(path.relative_to(root).as_posix() for path in root.glob("workloads/*/*.yaml"))[::options.every]
    launches = [path for path in launches if re.search(r"^(kernel|launches|program):", (root / path).read_text(), re.M)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = dict(itertools.chain.from_iterable(
            pool.map(lambda launch: [digest(options, f"{launch} {name}", words) for name, words in runs(launch, options)], launches)))
    if options.write:
        pathlib.Path(options.write).write_text(json.dumps(found, indent=0, sort_keys=True))
        print(f"{len(found)} runs of {len(launches)} launch files noted")
        return 0
    before = json.loads(pathlib.Path(options.against).read_text())
    differ = [key for key, value in found.items() if before.get(key) != value]
    for key in differ:
        print(f"differs: {key}")
    print(f"{len(found)} runs of {len(launches)} launch files, {len(differ)} differ")
    return 1 if differ or not found else 0


if __name__ == "__main__":
    sys.exit(main())
