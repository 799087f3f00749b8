"""Places in inlined functions, with the calls that lead there: test_cli_frames.py WARPSTEP [unittest options]

half_of() of a.cuh is inlined in twice() of a.cuh, and that at two lines of the kernel of f.cu.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from page_data import Page
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

HEADER = """\
__device__ inline int half_of(int x)
{
    if (x & 1)
        return x * 3 + 1;
    return x / 2;
}
__device__ inline int twice(int x)
{
    return half_of(x) * 4;
}
__device__ inline void meet(int *out)
{
    __syncthreads();
    out[threadIdx.x] += 1;
}
__device__ inline void store(int *out, int at)
{
    out[at] = 7;
}
"""
KERNEL = """\
#include "a.cuh"
__global__ void f(int *out)
{
    int i = threadIdx.x;
    int a = twice(out[i]);
    out[i + 64] = a + twice(out[i + 32]);
}
__global__ void one_side(int *out)
{
    if (threadIdx.x % 32 < 16)
        meet(out);
    __syncwarp();
    out[threadIdx.x] += 1;
}
__global__ void outside(int *out)
{
    store(out, threadIdx.x == 5 ? 100000000 : 1);
}
"""
CALLS = [f"called by twice() at a.cuh:9, called at f.cu:{line}" for line in (5, 6)]


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "a.cuh").write_text(HEADER)
        (cls.folder / "f.cu").write_text(KERNEL)
        for kernel in "f", "one_side", "outside":
            (cls.folder / f"{kernel}.yaml").write_text(
                f"version: 1\nprogram: f.cu\nkernel: {kernel}\ngrid: 1\nblock: 32\n"
                "buffers:\n  out: {type: s32, count: 96}\nparams: [{ref: out}]\n")

    def run_it(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def step(self, *commands, target="f.yaml", options=(), code=0):
        given = [part for command in commands for part in ("-e", command)]
        return self.run_it("step", target, "--batch", *options, *given, code=code)

    def test_rows_of_warps_and_paths(self):
        said = self.step("break a.cuh:5", "continue", "info warps", "info stack", "info sub-cores")
        rows = said.split("   sm  slot")[1]
        place = r"half_of\(\) at a\.cuh:5"
        self.assertRegex(rows, rf"(?m)^\* +\d+  0 .* 0[0-9a-f]+\n    {place}, {re.escape(CALLS[0])}$")
        self.assertRegex(rows, rf"(?m)^#0  #.* runs at 0[0-9a-f]+  {place},\n    called by twice\(\) at a\.cuh:9,\n    called at f\.cu:5$")
        self.assertRegex(rows, rf"takes slot 0 now: .*  {place}, {re.escape(CALLS[0])}\n")
        self.assertLessEqual(max(map(len, rows.split("sub-core 0:")[0].splitlines())), 100)

    def test_text_traces(self):
        rows = [row for row in self.run_it("trace", "f.yaml", "--events", "issue").splitlines() if " issue " in row]
        for call in CALLS:
            self.assertTrue(any(row.endswith(f" half_of() at a.cuh:5, {call}") for row in rows), rows)
        self.assertTrue(rows[0].endswith(" f.cu:3") or rows[0].endswith(" f.cu:4") or rows[0].endswith(" f.cu:5"), rows[0])
        self.assertTrue(rows[-1].endswith(" f.cu:7"), rows[-1])

    def test_report_page(self):
        self.run_it("report", "f.yaml", "-o", "f.html")
        page = Page(self.folder / "f.html")
        calls = {(call["before"], call["behind"]): call["instructions"] for call in page.data["calls"]}
        lines = {row[0]: row[3] for row in page.data["instructions"]}
        for call in CALLS:
            self.assertTrue({3, 4, 5} & {lines[i] for i in calls["half_of() at ", f", {call}"]})
        inside = [i for instructions in calls.values() for i in instructions]
        self.assertEqual(len(inside), len(set(inside)))
        stores = [row[0] for row in page.data["instructions"] if row[1].startswith("STG")]
        self.assertTrue(stores and not set(stores) & set(inside))  # the kernel's own line is in no call

    def test_messages_of_ends(self):
        place = "f.cu:10 (end of if)"
        said = self.step("goto end", target="one_side.yaml")
        self.assertIn("lanes 0-15 at meet() at a.cuh:13 (__syncthreads), called at f.cu:11: wait for lanes 16-31", said)
        self.assertIn("warp 0, lanes 0-15: wait for all lanes of the warp at meet() at a.cuh:13 (__syncthreads), called at f.cu:11\n", said)
        self.assertIn(f"lanes 16-31 at {place}: wait", said)
        said = self.step("fault", target="outside.yaml")
        self.assertRegex(said, r"thread \(5,0,0\), at store\(\) at a\.cuh:18 \(STG\), called at f\.cu:17\n")
        # A run that is not looked at is compiled without scopes, and names the line alone.
        self.assertRegex(self.run_it("run", "outside.yaml", code=4), r"thread \(5,0,0\), at a\.cuh:18 \(STG\)\n")


if __name__ == "__main__":
    unittest.main()
