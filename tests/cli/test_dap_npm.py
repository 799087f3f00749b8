"""The debug adapter and a client from npm: test_dap_npm.py WARPSTEP SOURCE_ROOT

The client is @vscode/debugadapter-testsupport, with which adapters of VS Code are tested. Exit code
77, "skipped", where node does not find it: npm install -g @vscode/debugadapter-testsupport, and
NODE_PATH=$(npm root -g) in the environment.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from patience import HANGS

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
CLIENT = ROOT / "tests/cli/dap_client.js"

EXPECTED = {
    "lines": [13, 10],
    "scopes": ["Registers", "Masks", "Scoreboard", "Scheduler", "Memory"],
    "P0": "-" * 24 + "#" * 8,
    "lanes": ["0", "0", "1", "1"],
    "evaluate": "31 (0x1f)",
    "code": "MOV R4, 0x2",
    "memory": "AAAAAAAAAAA=",
    "next": "Cycle 7",
    "back": "Cycle 6",
    "beginning": "entry",
    "again": "breakpoint",
    "nothing": "no such request: 'nothing'",
    "exit code": 0,
}


def why_not():
    """Why the test cannot be run here, or None."""
    if shutil.which("node") is None:
        return "node is not installed"
    found = subprocess.run(["node", "-e", "require.resolve('@vscode/debugadapter-testsupport')"], cwd=CLIENT.parent,
                           stderr=subprocess.DEVNULL)
    return None if found.returncode == 0 else "node does not find @vscode/debugadapter-testsupport"


def main():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "workloads/if_else/kernel.wsasm", folder)
        shutil.copy(ROOT / "workloads/if_else/launch-bytecode.yaml", os.path.join(folder, "kernel.yaml"))
        done = subprocess.run(["node", str(CLIENT), PROGRAM, os.path.realpath(folder)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=HANGS)
    seen = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    wrong = [name for name in EXPECTED if seen.get(name) != json.dumps(EXPECTED[name], separators=(",", ":"))]
    if done.returncode != 0 or wrong:
        print(done.stdout, f"exit code {done.returncode}; wrong: {wrong}", sep="\n")
        return 1
    print(f"{len(seen)} answers as expected")
    return 0


if __name__ == "__main__":
    REASON = why_not()
    if REASON is not None:
        print("skipped: " + REASON)
        sys.exit(77)
    sys.exit(main())
