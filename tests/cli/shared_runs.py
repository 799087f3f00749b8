"""`warpstep run` of the built-in workloads, each simulated once for all tests of a build.

Several tests look at the same runs: at their results, at the figures of the manual, at what lessons say. A run is the
same to the byte whenever it is made, so the first test that asks for it keeps its output beside the cache of compiled
programs (caches.py). A changed program or workload has runs of its own. Runs that write files are not shared.
"""
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess

import clangs
from patience import HANGS

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKLOADS = ROOT / "workloads"


def file_of(target):
    """The launch file that a name stands for, as seen from the workloads: "vecadd" is vecadd/launch.yaml."""
    if (WORKLOADS / target).is_dir():
        return f"{target}/launch.yaml"
    return f"{target}.yaml" if (WORKLOADS / f"{target}.yaml").exists() else target


@functools.cache
def folder_of(program):
    """Where runs of this program with these workloads are kept; those of others go. None: nowhere."""
    if "XDG_CACHE_HOME" not in os.environ:
        return None
    digest = hashlib.sha256(pathlib.Path(program).read_bytes())
    for path in sorted(path for top in ("workloads", "configs") for path in (ROOT / top).rglob("*") if path.is_file()):
        digest.update(f"\0{path}\0".encode() + path.read_bytes())
    name = digest.hexdigest()[:32]
    top = pathlib.Path(os.environ["XDG_CACHE_HOME"], "runs_of_tests")
    for other in top.glob("*"):
        if other.name != name:
            shutil.rmtree(other, ignore_errors=True)
    (top / name).mkdir(parents=True, exist_ok=True)
    return top / name


@functools.cache
def clang():
    """What compiles: the file and when it last changed."""
    path = os.path.realpath(clangs.taken() or "/")
    return [path, os.stat(path).st_ctime_ns]


def simulate(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANGS, check=False)
    return [done.returncode, done.stdout, done.stderr]


def kept(path, command):
    """What the file has, or what the command gives; another test that wants it too waits for that."""
    with open(path, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        try:
            return json.load(file)
        except ValueError:  # it is new, or who wrote it was ended
            result = simulate(command)
            file.truncate(0)
            json.dump(result, file)
            return result


def run(program, target, *options):
    """The finished `warpstep run TARGET OPTIONS --format json`: a subprocess.CompletedProcess."""
    program = os.path.abspath(program)
    command = [program, "run", file_of(target), *options, "--format", "json"]
    folder = folder_of(program) if "--dump" not in options else None
    settings = sorted(item for item in os.environ.items() if item[0].startswith("WARPSTEP_"))
    key = hashlib.sha256(json.dumps([command, os.getcwd(), settings, clang()]).encode()).hexdigest()
    return subprocess.CompletedProcess(command, *(simulate(command) if folder is None else kept(folder / key, command)))
