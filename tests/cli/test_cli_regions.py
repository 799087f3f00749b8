"""Tests of regions of the source, in reports, JSON and gates: test_cli_regions.py WARPSTEP [unittest options]"""
import json
import os
import re
import sys
import unittest

from grade_fixture import ASSIGNMENT, HAS_CLANG, REFERENCE, GradeCase

GradeCase.program = os.path.abspath(sys.argv.pop(1))

HEADER = """\
__device__ static int twice(int v, int n)
{
    for (int k = 0; k < n; k++)
        v = v * v + k;
    return v;
}
"""
KERNEL = """\
#include "twice.cuh"
__global__ void k(int *y, int n)
{
    int i = threadIdx.x;
    // warpstep: region work
    int v = i * n;
    // warpstep: end
    if (i < n)
        y[i] = v;
    // warpstep: region more
    y[i + 32] = v;
    // warpstep: end
    y[i] += twice(i, n) + twice(v, n);
}
"""
LAUNCH = """\
version: 1
program: k.cu
set: {sms: 1}
buffers:
  y: {type: s32, count: 64}
kernel: k
grid: 1
block: 32
params: [{ref: y}, {s32: 32}]
"""
MARKED = """\
__global__ void scale(unsigned *out, const unsigned *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // warpstep: region body
    if (i < n)
        out[i] = 3 * in[i];
    // warpstep: end
}
"""


class Run(GradeCase):
    def regions(self, *arguments):
        done = self.warpstep("run", *arguments, "--format", "json", code=0)
        return json.loads(done.stdout)["regions"]

    def test_the_price_of_divergence(self):
        """What textbooks work out for a path of 100 units and one of 1, by one command each."""
        for name, percent, lanes in (("launch-bytecode", "50.00", "1,616"), ("bytecode-31-1", "95.95", "3,101"),
                                     ("bytecode-1-31", "4.05", "131")):
            text = self.warpstep("run", f"threshold_divergence/{name}.yaml", code=0).stdout
            self.assertRegex(text, rf"(?m)^  sides +101 +\S+ +\S+ % +101 +{percent} %$")
            self.assertIn(f"{lanes} of 3,232 lanes active", text)

    def test_lines_are_a_region(self):
        target = "threshold_divergence/launch-bytecode.yaml"
        given = self.regions(target, "--lines", "again=12-111,116")
        self.assertEqual(given["again"], given["sides"])
        self.assertEqual(given["again"]["lines"], "kernel.wsasm:12-111, 116")
        parts = self.regions(target, "--lines", "a=12-111", "--lines", "kernel.wsasm:116")
        self.assertEqual(parts["a"]["warp_instructions"] + parts["kernel.wsasm:116"]["warp_instructions"], 101)
        self.assertEqual((parts["a"]["lane_efficiency"], parts["a"]["stalls"]["selected"]), (0.5, 100))

    def test_stalls_are_told(self):
        text = self.warpstep("run", "if_else", "--lines", "body=10-16", code=0).stdout
        part = text[text.index("\nRegions"):text.index("\nSource lines")]
        run = self.regions("if_else", "--lines", "body=10-16")["body"]
        self.assertIn(f"long_scoreboard {run['stalls']['long_scoreboard']}", " ".join(part.split()))
        self.assertEqual(sum(run["stalls"].values()), run["warp_cycles"])
        self.assertAlmostEqual(run["us"], run["cycles"] / 1980)

    def test_threads_do_not_show(self):
        outputs = {self.warpstep("run", "matmul", "--lines", "20-30", "--threads", threads, code=0).stdout
                   for threads in (1, 3)}
        self.assertEqual(len(outputs), 1)
        self.assertIn("\nRegions", outputs.pop())

    def test_without_regions_nothing_is_said(self):
        self.assertNotIn("Regions", self.warpstep("run", "vecadd", code=0).stdout)
        self.assertNotIn("regions", json.loads(self.warpstep("run", "vecadd", "-f", "json", code=0).stdout))

    def test_errors(self):
        for lines, message in (("foo.cu:3", "no such file"), ("a-b", "lines are expected"), ("9-3", "lines are expected"),
                               ("9999", "no instruction comes from these lines"), ("", "lines are expected"),
                               ("x y=3", "a name has letters")):
            done = self.warpstep("run", "if_else", "--lines", lines, code=2)
            self.assertRegex(done.stderr, rf"error: --lines {re.escape(lines)}: .*{message}")
        done = self.warpstep("run", "threshold_divergence/launch-bytecode.yaml", "--lines", "sides=12", code=2)
        self.assertIn("there is a region of this name already", done.stderr)

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_inlined_functions(self):
        """A function's lines have what it does wherever it was inlined."""
        self.put("twice.cuh", HEADER)
        self.put("k.cu", KERNEL)
        self.put("launch.yaml", LAUNCH)
        regions = self.regions("launch.yaml", "--lines", "f=twice.cuh:1-6")
        self.assertEqual((regions["work"]["lines"], regions["f"]["lines"]), ("k.cu:6", "twice.cuh:1-6"))
        self.assertGreater(regions["f"]["warp_instructions"], 2 * 32)  # two loops of 32 rounds
        self.assertGreater(regions["work"]["warp_instructions"], 0)
        self.assertGreater(regions["more"]["warp_instructions"], 0)
        all_lines = self.regions("launch.yaml", "--lines", "k=k.cu:1-99", "--lines", "f=twice.cuh:1-6",
                                 "--lines", "both=k.cu:1-99,twice.cuh:1-6")
        self.assertEqual(all_lines["f"], regions["f"])
        for figure in ("warp_instructions", "warp_cycles", "thread_instructions"):
            self.assertEqual(all_lines["k"][figure] + all_lines["f"][figure], all_lines["both"][figure])
        self.put("k.cu", KERNEL.replace("// warpstep: end", "// warpstep: ende"))
        done = self.warpstep("run", "launch.yaml", code=3)
        self.assertIn("k.cu:7: error: '// warpstep: region NAME' or '// warpstep: end' is expected", done.stderr)

    def test_recordings(self):
        self.warpstep("run", "if_else", "--sms", "1", "--record", "a.wsrec", code=0)
        self.assertEqual(self.regions("a.wsrec", "--lines", "b=10-16"),
                         self.regions("if_else", "--sms", "1", "--lines", "b=10-16"))


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Gates(GradeCase):
    def setUp(self):
        super().setUp()
        gate = "  - {name: full, test: open, gates: {regions.body.lane_efficiency > 0.5: 2}}\n"
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("leaderboard:", gate + "leaderboard:"))
        self.put("lab/reference/scale.cu", MARKED)

    def test_a_region_can_be_a_gate(self):
        self.hand_in(MARKED)
        self.assertEqual(self.outcomes()["full"], "passed")
        self.hand_in(MARKED.replace("out[i] = 3 * in[i];", "for (int k = 0; k < (i % 32 == 0 ? 40 : 1); k++)\n"
                                                          "            out[i] = 3 * *(volatile unsigned *)&in[i];"))
        self.assertEqual(self.outcomes()["full"], "failed")
        self.hand_in(REFERENCE)  # without the mark
        self.assertEqual(self.outcomes()["full"], "failed")


if __name__ == "__main__":
    unittest.main()
