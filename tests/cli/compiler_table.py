"""Workloads with another clang: compiler_table.py WARPSTEP WORKLOADS CLANG OTHER

Prints which launches take other cycles with OTHER than with CLANG, and fails if one that passes its checks with CLANG
does not with OTHER. Both are absolute paths of clang++. The launches of the labs are not among them: they need a program.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from patience import HANGS


def run(program, launch, clang):
    """(exit code, cycles, message) of a launch file."""
    done = subprocess.run([program, "run", str(launch), "--format", "json", "--no-cache", "--threads", "1"], capture_output=True,
                          text=True, timeout=HANGS, check=False, env={**os.environ, "WARPSTEP_CLANG": clang})
    if done.returncode not in (0, 1):
        return done.returncode, None, done.stderr.strip().split("\n")[0]
    document = json.loads(done.stdout)
    launches = document.get("launches", [document])
    return done.returncode, sum(one["cycles"] for one in launches), ""


def main():
    program, folder, clang, other = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    launches = sorted(path for path in folder.glob("*/*.yaml") if path.parent.name != "labs")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        before = list(pool.map(lambda launch: run(program, launch, clang), launches))
        after = list(pool.map(lambda launch: run(program, launch, other), launches))
    same = differ = failed = 0
    print(f"| launch | {clang} | {other} | |\n| --- | --- | --- | --- |")
    for launch, (code, cycles, _), (new_code, new_cycles, message) in zip(launches, before, after):
        name = launch.relative_to(folder).with_suffix("")
        if new_code != code:
            failed += 1
            print(f"| {name} | exit code {code} | exit code {new_code} | {message} |")
        elif cycles != new_cycles:
            differ += 1
            print(f"| {name} | {cycles} | {new_cycles} | {100 * (new_cycles / cycles - 1):+.1f} % |")
        else:
            same += 1
    print(f"{len(launches)} launches: {same} take the same cycles, {differ} others, {failed} end otherwise")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
