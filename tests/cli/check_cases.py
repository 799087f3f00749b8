"""Kernels with a mistake and without for `run --check`, all in one launch file, so that they take a moment.

A kernel's body may name lines by comments at their ends: // A, // B. `finds` says what is found: the kind,
then the names of the lines, in any order.
"""

import json
import pathlib
import subprocess
import tempfile

from patience import HANGS


def run_check(warpstep, *arguments, code=None):
    done = subprocess.run([warpstep, "run", "--no-cache", *map(str, arguments)],
                          capture_output=True, text=True, timeout=HANGS)
    if code is not None and done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}\n{done.stdout}")
    return done.stdout


class Cases:
    def __init__(self, before=""):
        self.before = before  # code in front of the kernels
        self.items = []

    def case(self, name, body, *finds, block=64, grid=1, shared=0, parts="", before="", init=""):
        """`parts`: dynamic_shared_arrays; `before`: code in front of the kernel; `init`: of the buffer g."""
        self.items.append({"name": name, "body": body.strip("\n"), "finds": sorted(map(list, finds)), "block": block,
                           "grid": grid, "shared": shared, "parts": parts, "before": before.strip("\n"), "init": init})

    def sources(self):
        """The program, the launch file, and the names of lines by number."""
        lines, marks = self.before.split("\n"), {}
        for item in self.items:
            if item["before"]:
                lines += item["before"].split("\n")
            lines += [f"__global__ void {item['name']}(int *g, const int *in)", "{", "    int t = threadIdx.x;"]
            for line in item["body"].split("\n"):
                lines.append(line)
                if "// " in line:
                    marks[len(lines)] = line.rsplit("// ", 1)[1]
            lines.append("}")
        launches, buffers = [], []
        for n, item in enumerate(self.items):
            parts = f"dynamic_shared_arrays: {{{item['parts']}}}" if item["parts"] else \
                f"dynamic_shared_bytes: {item['shared']}"
            init = f", init: {item['init']}" if item["init"] else ""
            buffers.append(f"  g{n}: {{type: s32, count: 4096{init}}}")
            launches.append(f"  - {{kernel: {item['name']}, grid: {item['grid']}, block: {item['block']}, {parts}, "
                            f"params: [{{ref: g{n}}}, {{ref: in}}]}}")
        yaml = ["version: 1", "program: cases.cu", "buffers:", *buffers,
                "  in: {type: s32, count: 4096, init: {linear: {start: 3, step: 5}}}", "launches:", *launches]
        return "\n".join(lines) + "\n", "\n".join(yaml) + "\n", marks

    def report(self, warpstep):
        """JSON of the run with all checks, and the names of lines."""
        cu, yaml, marks = self.sources()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "cases.cu").write_text(cu)
            (path / "launch.yaml").write_text(yaml)
            return json.loads(run_check(warpstep, path, "--check", "all", "--format", "json", code=1)), marks

    def check_all(self, test, report, marks):
        """Each kernel's findings are the expected ones, in a subtest of its own."""
        for item in self.items:
            found = sorted([finding["check"], *sorted({marks.get(a["line"], f"line {a['line']}")
                                                       for a in finding["accesses"]})]
                           for finding in report["findings"] if finding["kernel"] == item["name"])
            with test.subTest(item["name"]):
                test.assertEqual(item["finds"], found)
