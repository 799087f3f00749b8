"""What a build of Warpstep writes, to compare builds of other systems and processors byte by byte.

outputs.py write FOLDER WARPSTEP SOURCES --clang PATH [--few] [--runner PROGRAM]
outputs.py compare FOLDER OTHER

`write` stores the JSON of every launch of the workloads and the bytecode of every program that lies below workloads/.
With --few: the launches of programs in bytecode's text, 12 in CUDA C, and the bytecode of the programs of all these.
PROGRAM runs WARPSTEP, as qemu-aarch64 does for another processor. The exit code of a launch is part of its file's name.
Fails if a launch is not run at all, or a program does not compile. `compare` fails where a file differs or is in one
folder only.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

# Short ones with a mix of what the machine does: memory, barriers, atomics, divergence, floating point.
CUDA_FEW = ("block_size", "cache_share", "colour_to_grey", "global_sum", "grid_index", "if_else", "lanes_taken", "matmul",
            "reduction", "stride", "transpose", "with_without_divergence")
ENDS = (0, 1, 4, 5, 6)  # done, a check failed, a fault, a deadlock, a limit: some workloads show these
LIMIT = 1800  # seconds of the wall clock for one command: what hangs
PROGRAMS = (".cu", ".ptx", ".wsasm")


def launches(workloads, few):
    found = sorted(path for path in workloads.glob("*/*.yaml") if path.parent.name != "labs")
    if not few:
        return found
    return [path for path in found if ".wsasm" in path.read_text()
            or path.name == "launch.yaml" and path.parent.name in CUDA_FEW]


def programs(workloads, few):
    found = sorted(path for path in workloads.rglob("*") if path.suffix in PROGRAMS)
    if not few:
        return found
    folders = {path.parent for path in launches(workloads, True)}
    return [path for path in found if path.parent in folders]


def write(options):
    sources, folder = pathlib.Path(options.sources).resolve(), pathlib.Path(options.folder).resolve()
    workloads = sources / "workloads"
    command = [*([options.runner] if options.runner else []), os.path.abspath(options.warpstep)]
    environment = {**os.environ, "WARPSTEP_CLANG": options.clang}

    def ask(*arguments):
        return subprocess.run([*command, *arguments, "--no-cache"], cwd=workloads, capture_output=True, timeout=LIMIT,
                              check=False, env=environment)

    def place(path, suffix):
        target = folder / path.relative_to(workloads).with_suffix(path.suffix + suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def run(path):
        done = ask("run", str(path.relative_to(workloads)), "--format", "json")
        place(path, f".exit{done.returncode}.json").write_bytes(done.stdout)
        return path, done.returncode in ENDS and done.stdout, done.stderr

    def assemble(path):
        done = ask("asm", str(path.relative_to(workloads)), "-o", str(place(path, ".wsbin")))
        return path, done.returncode == 0, done.stderr

    bad = 0
    wanted = [(run, path) for path in launches(workloads, options.few)]
    wanted += [(assemble, path) for path in programs(workloads, options.few)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, good, message in pool.map(lambda job: job[0](job[1]), wanted):
            if not good:
                bad += 1
                print(f"{path}: {message.decode(errors='replace').strip()[:300]}")
    runs = sum(job[0] is run for job in wanted)
    print(f"{runs} launches, {len(wanted) - runs} programs, {bad} failed")
    return 1 if bad or not runs or runs == len(wanted) else 0


def files(folder):
    return {path.relative_to(folder): path for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def compare(options):
    """Of OTHER, what FOLDER has not is no difference with --few: then OTHER is the whole."""
    left, right = files(options.folder), files(options.other)
    alone = set(left) - set(right) if options.few else set(left) ^ set(right)
    differ = sorted(name for name in set(left) & set(right) if left[name].read_bytes() != right[name].read_bytes())
    for name in sorted(alone):
        print(f"{name}: only in one folder")
    for name in differ:
        print(f"{name}: differs")
    same = len(set(left) & set(right)) - len(differ)
    print(f"{same} files are the same, {len(differ)} differ, {len(alone)} are in one folder only")
    return 1 if alone or differ or not same else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    writing = commands.add_parser("write")
    writing.set_defaults(function=write)
    writing.add_argument("folder")
    writing.add_argument("warpstep")
    writing.add_argument("sources")
    writing.add_argument("--clang", required=True)
    writing.add_argument("--runner")
    comparing = commands.add_parser("compare")
    comparing.set_defaults(function=compare)
    comparing.add_argument("folder")
    comparing.add_argument("other")
    for one in (writing, comparing):
        one.add_argument("--few", action="store_true")
    options = parser.parse_args()
    return options.function(options)


if __name__ == "__main__":
    sys.exit(main())
