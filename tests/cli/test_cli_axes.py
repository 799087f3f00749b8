"""test_cli_axes.py WARPSTEP: what the parameters of a sweep reach, and those that reach nothing."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG

PROGRAM = os.path.abspath(sys.argv.pop(1))

KERNEL = """\
#include "sizes.h"
__global__ void first(int *out, int n) { out[threadIdx.x] = n; }
__global__ void second(int m, int *out) { out[32 + threadIdx.x] = m + TILE; }
__global__ void expected(int *out, int n, int m)
{
    out[threadIdx.x] = n;
    out[32 + threadIdx.x] = m + TILE;
}
"""
SIZES = "#if WIDE\n#define TILE 2\n#else\n#define TILE 1\n#endif\n"
LAUNCH = """\
version: 1
program: k.cu
set: {sms: 1}
buffers:
  y: {type: s32, count: 64}
launches:
  - {kernel: first, grid: 1, block: 32, params: [{ref: y}, {s32: 3}]}
  - {kernel: second, grid: 1, block: 32, params: [{s32: 4}, {ref: y}]}
expect:
  - {buffer: y, kernel: expected, grid: 1, block: 32, params: [{ref: y}, {s32: 3}, {s32: 4}]}
"""
POLICY = """\
#include <warpstep/policy.h>
#ifndef TURNS
#define TURNS 0
#endif
int pick(const ws_view *view)
{
    return TURNS ? ws_longest_wait(view, view->eligible) : ws_oldest(view, view->eligible);
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in (("k.cu", KERNEL), ("sizes.h", SIZES), ("l.yaml", LAUNCH), ("p.c", POLICY)):
            (self.folder / name).write_text(text)

    def sweep(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, "sweep", *arguments, "-o", "out"], cwd=self.folder, text=True,
                              timeout=100, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if code > 1:
            self.assertFalse((self.folder / "out").exists())
            return done.stderr
        with open(self.folder / "out/runs.csv", newline="") as table:
            return list(csv.DictReader(table))

    def test_unknown_parameters_of_a_launch(self):
        told = self.sweep("vecadd", "-P", "params.m=1,2", code=3)
        self.assertIn("params.m=1: error: the kernel 'vecadd' has no parameter 'm' (4 parameters", told)
        self.assertIn("a launch has no 'grdi'; did you mean 'grid'?",
                      self.sweep("vecadd", "-P", "grdi=1,2", code=3))
        self.assertIn("no kernel of the launches has a parameter 'k'",
                      self.sweep("l.yaml", "-P", "params.k=1,2", code=3))

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_parameters_by_the_names_of_the_source(self):
        rows = self.sweep("vecadd", "-P", "params.n=1000,10000", code=1)
        self.assertEqual([row["status"] for row in rows], ["check_failed", "ok"])

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_a_parameter_reaches_each_kernel_that_has_it(self):
        """The second launch has no n, the first no m; the reference kernel has both."""
        rows = self.sweep("l.yaml", "-P", "params.n=5,6", "-P", "params.m=7,8")
        self.assertEqual([row["status"] for row in rows], ["ok"] * 4)
        self.assertEqual(len({row["results"] for row in rows}), 4)

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_macros_reach_policies(self):
        """Beside a program of bytecode, which has no use for macros, and beside one that has none."""
        for target, launch in (("latency_hiding/launch-bytecode.yaml", ["--launch", "warps=32"]),
                               ("policies/stages.yaml", [])):
            rows = self.sweep(target, "--sms", "1", *launch, "--policy", "./p.c", "-P", "define.TURNS=0,1",
                              "--replace")
            self.assertEqual(rows[0]["cycles"], self.cycles(target, *launch, "--policy", "oldest"))
            self.assertNotEqual(rows[0]["cycles"], rows[1]["cycles"])

    def cycles(self, target, *options):
        done = subprocess.run([PROGRAM, "run", target, "--sms", "1", "--format", "json", *options],
                              cwd=self.folder, text=True, stdout=subprocess.PIPE, check=True)
        return next(line.split(":")[1].strip(" ,") for line in done.stdout.splitlines()
                    if line.startswith('  "cycles"'))

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_a_macro_that_one_policy_of_several_knows(self):
        rows = self.sweep("policies/stages.yaml", "--sms", "1", "-P", "policy=lrr,./p.c",
                          "-P", "define.TURNS=0,1")
        self.assertEqual(rows[0]["cycles"], rows[1]["cycles"])
        self.assertNotEqual(rows[2]["cycles"], rows[3]["cycles"])

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_a_macro_beside_bytecode_and_a_policy_without_source(self):
        rows = self.sweep("latency_hiding/launch-bytecode.yaml", "--launch", "warps=32", "-P", "policy=lrr,./p.c",
                          "-P", "define.TURNS=0,1")
        self.assertEqual([row["status"] for row in rows], ["ok"] * 4)
        self.assertEqual(rows[0]["cycles"], rows[1]["cycles"])
        self.assertNotEqual(rows[2]["cycles"], rows[3]["cycles"])

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_unknown_macros(self):
        told = self.sweep("l.yaml", "-P", "define.TIEL=1,2", code=2)
        self.assertIn("-P define.TIEL: has no effect: no compiled source mentions the macro", told)
        self.sweep("vecadd", "-P", "policy=lrr,./p.c", "-P", "define.TRUNS=0,1", code=2)
        # A word of bytecode is no macro.
        self.sweep("latency_hiding/launch-bytecode.yaml", "--launch", "warps=8", "-P", "policy=lrr,./p.c",
                   "-P", "define.EXIT=0,1", code=2)

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_a_macro_of_a_header(self):
        """WIDE is in no file that has instructions; only the code tells."""
        rows = self.sweep("l.yaml", "-P", "define.WIDE=0,1")
        self.assertEqual([row["status"] for row in rows], ["ok", "ok"])
        self.assertNotEqual(rows[0]["results"], rows[1]["results"])
        done = subprocess.run([PROGRAM, "sweep", "out"], cwd=self.folder, text=True, stdout=subprocess.PIPE)
        self.assertIn("0 of them now and 2 before", done.stdout)  # looking has not changed the study

    @unittest.skipUnless(HAS_CLANG, "clang is not installed")
    def test_a_single_value_of_a_macro(self):
        """It is compared with no macro at all."""
        self.sweep("l.yaml", "-P", "define.TIEL=1", code=2)
        self.assertEqual(self.sweep("l.yaml", "-P", "define.WIDE=1")[0]["status"], "ok")


if __name__ == "__main__":
    unittest.main()
