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

from dap_client import Client
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
# Three variables of one name, each hidden by the next.
HIDING = """\
__device__ int counter = 5;
__device__ inline int inner(int x)
{
    int id = x + 100;
    return id / 2;
}
__device__ inline int outer(int x)
{
    int id = x + 7;
    return inner(id) * 4;
}
__global__ void g(int *out)
{
    int id = threadIdx.x;
    if (id < 16)
        out[id] = outer(id);
    out[id + 64] = counter;
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
        (cls.folder / "g.cu").write_text(HIDING)
        for kernel in "f", "one_side", "outside", "g":
            (cls.folder / f"{kernel}.yaml").write_text(
                f"version: 1\nprogram: {'g' if kernel == 'g' else 'f'}.cu\nkernel: {kernel}\ngrid: 1\nblock: 32\n"
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
        self.assertRegex(rows, rf"selects slot 0 now: .*  {place}, {re.escape(CALLS[0])}\n")
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
        said = self.step("goto end", target="one_side.yaml")
        self.assertIn("lanes 0-15 at meet() at a.cuh:13 (__syncthreads), called at f.cu:11: wait for lanes 16-31", said)
        self.assertIn("warp 0, lanes 0-15: wait for all lanes of the warp at meet() at a.cuh:13 (__syncthreads), called at f.cu:11\n", said)
        self.assertIn("lanes 16-31 at f.cu:12 (__syncwarp): wait", said)  # the kernel's own lines have no call
        said = self.step("fault", target="outside.yaml")
        self.assertRegex(said, r"thread \(5,0,0\), at store\(\) at a\.cuh:18 \(STG\), called at f\.cu:17\n")
        # A run that is not looked at is compiled without scopes, and names the line alone.
        self.assertRegex(self.run_it("run", "outside.yaml", code=4), r"thread \(5,0,0\), at a\.cuh:18 \(STG\)\n")

    def in_inner(self, *commands, code=0):
        """What these say in inner(), compiled to debug, without what led there."""
        said = self.step("break g.cu:5", "continue", "delete", *commands, target="g.yaml", options=("--debug",), code=code)
        return said.split("\n5\t    return id / 2;\n", 1)[1]

    def test_backtrace(self):
        frames = ["#0  inner() at g.cu:5", "#1  outer() at g.cu:10", "#2  g() at g.cu:16"]
        for name in "backtrace", "bt", "where":
            self.assertEqual(self.in_inner(name).splitlines(), ["* " + frames[0], "  " + frames[1], "  " + frames[2]])
        said = self.in_inner("up 2", "bt", "down", "frame", "frame 0", "bt").splitlines()
        self.assertEqual(said, [frames[2], "16\t        out[id] = outer(id);",
                                "  " + frames[0], "  " + frames[1], "* " + frames[2],
                                *[frames[1], "10\t    return inner(id) * 4;"] * 2, frames[0], "5\t    return id / 2;",
                                "* " + frames[0], "  " + frames[1], "  " + frames[2]])
        self.assertEqual(self.in_inner("up 9").splitlines()[0], frames[2])
        for commands, wrong in ((["down"], "down: this is the innermost function"), (["up 2", "up"], "up: this is the outermost function"),
                                (["frame 3"], "frame: there is no frame 3")):
            self.assertIn(wrong, self.in_inner(*commands, code=2))

    def test_print_in_a_frame(self):
        values = [self.in_inner(*commands, "print -lanes 1,20 id, counter").splitlines()[-2:] for commands in ([], ["up"], ["up 2"])]
        words = [[row.split() for row in rows] for rows in values]
        # Lanes 16 to 31 are in the kernel: they have its `id` alone.
        self.assertEqual(words, [[["1", "108", "5"], ["20", "20", "5"]],
                                 [["1", "8", "5"], ["20", "<not", "in", "scope>", "5"]],
                                 [["1", "1", "5"], ["20", "20", "5"]]])
        self.assertIn("'x' is not in scope at g.cu:16; its scope is", self.in_inner("up 2", "print x", code=2))
        # A display, a change and a watch speak of it too; the next move ends it.
        self.assertIn("1: id = 9\n", self.in_inner("focus lane 2", "up", "display -lane 2 id"))
        said = self.in_inner("up", "print -lane 0 id", "step", "print -lane 0 id")
        self.assertEqual(re.findall(r"(?m)^id = (\d+)$", said), ["7", "107"])
        said = self.in_inner("up 2", "set id = 70", "print -lane 0 id", "down 2", "print -lane 0 id")
        self.assertEqual(re.findall(r"(?m)^id = (\d+)$", said), ["70", "107"])
        said = self.in_inner("up", "watch id", "reverse-continue")
        self.assertRegex(said, r"\nWatchpoint 2: id was \d+, is 7\n")

    def test_locals_and_list_in_a_frame(self):
        said = self.in_inner("up", "info locals")
        self.assertIn("outer() at g.cu:10, called at g.cu:16\n  x = 0\n  id = 7\ng() at g.cu:16\n", said)
        self.assertIn("  id (hidden) = 0\n", said)
        self.assertNotIn("inner() at", said)
        self.assertIn("=>   16          out[id] = outer(id);\n", self.in_inner("up 2", "list"))
        self.assertIn("=>    5      return id / 2;\n", self.in_inner("list"))

    def test_frames_of_an_editor(self):
        with Client(PROGRAM) as client:
            client.start(str(self.folder / "g.yaml"), (str(self.folder / "g.cu"), [5]), debug=True)
            frames = client.frames()[:3]
            self.assertEqual([(frame["name"].split()[0], frame["line"]) for frame in frames],
                             [("inner", 5), ("outer", 10), ("g", 16)])

            def evaluate(frame, text, context="watch"):
                return client.ask("evaluate", expression=text, frameId=frames[frame]["id"], context=context)["result"]
            self.assertEqual([evaluate(i, "id").split(",")[0] for i in range(3)], ["107", "7", "0"])
            self.assertEqual(client.variables(client.scope("Locals", 1))["id"]["value"].split(",")[0], "7")
            self.assertIn("=>   10", evaluate(1, "list", "repl"))
            client.ask("setExpression", expression="id", value="50", frameId=frames[2]["id"])
            frames = client.frames()[:3]
            self.assertEqual([evaluate(i, "id").split(",")[0] for i in range(3)], ["107", "7", "50"])


if __name__ == "__main__":
    unittest.main()
