"""test_cli_sweep.py WARPSTEP [unittest options]: studies of many points."""
import csv
import importlib.util
import itertools
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

import caches
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

KERNEL = """\
#ifndef STEP
#define STEP 1
#endif
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * STEP;
}
"""
LAUNCH = """\
version: 1
program: k.cu
let: {n: 100}
set: {sms: 1}
compile: {define: [STEP=3]}
buffers:
  y: {type: s32, count: n}
kernel: k
grid: ceil_div(n, block.x)
block: 32
params: [{ref: y}, {s32: n}]
expect:
  - {buffer: y, linear: {start: 0, step: 3}}
"""
# Sums halves of a block: right only for blocks of 32, 64, 128 ... threads
SUM = """\
__global__ void sum(const float *in, float *out, int n)
{
    extern __shared__ float part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
"""
STUDY = """\
version: 1
target: l.yaml
parameters:
  n: {from: 64, to: 256, factor: 2}
  policy: [gto, lrr]
  block: 32..96:32
set: {sub_cores: 2}
"""


class SweepCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.write("k.cu", KERNEL)
        self.write("l.yaml", LAUNCH)
        self.environment = dict(os.environ, XDG_CACHE_HOME=caches.shared_or(self.folder / "cache"))
        self.environment["PATH"] = os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]
        self.environment.pop("WARPSTEP_CACHE", None)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def call(self, *arguments, code=0, **more):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, text=True, timeout=HANGS,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def sweep(self, *arguments, code=0, out="out"):
        self.call("sweep", *arguments, "-o", out, code=code)
        return self.rows(out)

    def rows(self, out="out"):
        with open(self.folder / out / "runs.csv", newline="") as table:
            return list(csv.DictReader(table))

    def table(self, out="out"):
        return (self.folder / out / "runs.csv").read_bytes()

    def refused(self, message, *arguments, code=2):
        done = self.call("sweep", *arguments, code=code)
        self.assertEqual(done.stdout, "")
        self.assertIn(message, done.stderr)

    # ---- values and points

    def test_values(self):
        for text, values in (("1..3", "1 2 3"), ("5,7..9,1", "5 7 8 9 1"), ("4..16:4", "4 8 12 16"),
                             ("4..15:4", "4 8 12"), ("1..64x2", "1 2 4 8 16 32 64"),
                             ("3..1:-1", "3 2 1"), ("8", "8")):
            rows = self.sweep("l.yaml", "-P", f"n={text}", "--replace")
            self.assertEqual([row["n"] for row in rows], values.split(), text)

    def test_decimal_values(self):
        rows = self.sweep("vecadd", "--sms", "1", "-P", "clock_khz=1000000,1500000")
        self.assertEqual(rows[0]["cycles"], rows[1]["cycles"])
        self.assertAlmostEqual(float(rows[0]["elapsed_us"]), 1.5 * float(rows[1]["elapsed_us"]))

    def test_commas_inside_a_value(self):
        rows = self.sweep("l.yaml", "-P", "grid=[4],[2,2]", "-P", "n=64")
        self.assertEqual([row["grid"] for row in rows], ["[4]", "[2,2]"])
        self.assertEqual([row["blocks_launched"] for row in rows], ["4", "4"])

    def test_cross_product_and_zip(self):
        rows = self.sweep("l.yaml", "-P", "n=64,128", "-P", "policy=lrr,gto")
        self.assertEqual([(row["n"], row["policy"]) for row in rows],
                         [("64", "lrr"), ("64", "gto"), ("128", "lrr"), ("128", "gto")])
        rows = self.sweep("l.yaml", "-P", "n=64,128", "-P", "policy=lrr,gto", "--zip", out="zip")
        self.assertEqual([(row["n"], row["policy"]) for row in rows],
                         [("64", "lrr"), ("128", "gto")])

    def test_a_row_is_what_run_says(self):
        rows = self.sweep("l.yaml", "-P", "n=100", "-P", "policy=gto", "-P", "set.sub_cores=1",
                          "-P", "device=a100", "-P", "maxreg=40", "-P", "define.STEP=3")
        result = json.loads(self.call(
            "run", "l.yaml", "--launch", "n=100", "--policy", "gto", "--set", "sub_cores=1",
            "--device", "a100", "--maxreg", "40", "-D", "STEP=3", "--format", "json").stdout)
        (row,) = rows
        self.assertEqual(list(row)[:7], ["n", "policy", "set.sub_cores", "device", "maxreg",
                                         "define.STEP", "status"])
        for name in ("cycles", "elapsed_cycles", "ipc", "lane_efficiency", "warp_instructions"):
            self.assertEqual(float(row[name]), result[name])
        for name, cycles in result["stalls"].items():
            self.assertEqual(int(row["stall_" + name]), cycles)
        self.assertEqual(float(row["occupancy_achieved"]), result["occupancy"]["achieved"])
        self.assertEqual((row["device_name"], row["checks"], row["checks_failed"], row["l1_hit_rate"]),
                         (result["device"], "1", "0", ""))

    def test_regions_have_columns(self):
        self.write("k.cu", "// warpstep: region whole\n" + KERNEL + "// warpstep: end\n")
        rows = self.sweep("l.yaml", "-P", "n=64,128", "--lines", "last=1-1000")
        for row in rows:
            for name in ("cycles", "warp_cycles", "warp_instructions", "lane_efficiency", "stall_wait"):
                self.assertEqual(row["region_whole_" + name], row[name])
                self.assertEqual(row["region_last_" + name], row[name])
            self.assertEqual(row["region_whole_time"], "1")
        with open(self.folder / "out/columns.csv", newline="") as table:
            columns = [column["column"] for column in csv.DictReader(table)]
        self.assertEqual(columns, list(rows[0]))
        before = self.table()
        self.call("sweep", "out", "--collect")  # as the folder remembers it
        self.assertEqual(self.table(), before)
        self.call("sweep", "l.yaml", "-P", "n=64", "--lines", "x=9999", "-o", "other", code=2)

    def test_columns_are_explained(self):
        self.sweep("l.yaml", "-P", "n=64")
        with open(self.folder / "out/columns.csv", newline="") as table:
            columns = list(csv.DictReader(table))
        self.assertEqual([column["column"] for column in columns], list(self.rows()[0]))

    def test_program_changes(self):
        rows = self.sweep("l.yaml", "-P", "define.STEP=3,4", "-P", "maxreg=16,32", code=1)
        self.assertEqual([row["status"] for row in rows], ["ok", "ok", "check_failed", "check_failed"])

    def test_study_file(self):
        self.write("study.yaml", STUDY)
        rows = self.sweep("study.yaml")
        self.assertEqual(len(rows), 18)
        self.assertEqual([row["n"] for row in rows[::6]], ["64", "128", "256"])
        table = self.table()
        again = self.sweep("l.yaml", "-P", "n=64,128,256", "-P", "policy=gto,lrr",
                           "-P", "block=32,64,96", "--set", "sub_cores=2", out="again")
        self.assertEqual(again, rows)
        self.assertEqual(self.table("again"), table)

    def test_devices_side_by_side(self):
        self.write("mine.yaml", "inherit: h200\nsms: 3 # [A]\n")
        text = self.call("sweep", "vecadd", "-P", "device=v100,mine.yaml", "-o", "out").stdout
        lines = dict(line.split(None, 1) for line in text.split("come from\n")[1].splitlines())
        self.assertEqual(list(lines), ["v100", "mine.yaml", "a100", "h200", "h200-plain"])
        self.assertEqual(lines["mine.yaml"], "1 assumed; all else is taken from h200")
        self.assertNotIn("measured", lines["v100"])
        self.assertRegex(lines["h200"], r"^\d+ measured, .*fitted.* all else is taken from h200-plain$")
        self.assertNotIn("fitted", lines["h200-plain"])
        self.assertEqual([row["device_name"] for row in self.rows()], ["NVIDIA V100", "NVIDIA H200"])

    def test_device_files_are_found_from_anywhere(self):
        self.write("mine.yaml", "inherit: h200\nsms: 3 # [A]\n")
        plan = self.call("sweep", "vecadd", "-P", "device=a100,mine.yaml", "-o", "out", "--plan").stdout
        for line in plan.splitlines():
            self.assertEqual(os.path.realpath(shlex.split(line)[0]), os.path.realpath(PROGRAM))
            subprocess.run(line, shell=True, cwd="/", env={**self.environment, "PATH": "/usr/bin:/bin"},
                           check=True, stdout=subprocess.DEVNULL)
        self.assertEqual([row["device"] for row in self.rows()], ["a100", "mine.yaml"])
        self.assertEqual([row["status"] for row in self.rows()], ["ok", "ok"])

    def test_results_are_compared_by_a_column(self):
        rows = self.sweep("l.yaml", "-P", "n=64,100", "-P", "policy=lrr,gto")
        results = [row["results"] for row in rows]
        self.assertEqual(len(set(results)), 2)
        self.assertEqual(results[0::2], results[1::2])

    # ---- suites

    def suite(self):
        self.write("two.yaml", LAUNCH.replace("n: 100", "n: 700"))
        self.write("suite.yaml", "version: 1\ntargets: [l.yaml, two.yaml, vecadd]\nrelative: {sub_cores: 1}\n"
                                 "set: {sms: 1}\nparameters:\n  sub_cores: [1, 2, 4]\n")

    def test_suite(self):
        self.suite()
        text = self.call("sweep", "suite.yaml", "-o", "out").stdout
        rows = self.rows()
        self.assertEqual([row["target"] for row in rows[::3]], ["l.yaml", "two.yaml", "vecadd"])
        cycles = [float(row["cycles"]) for row in rows]
        speeds = [[cycles[3 * t] / cycles[3 * t + c] for t in range(3)] for c in range(3)]
        with open(self.folder / "out/relative.csv", newline="") as table:
            relative = list(csv.DictReader(table))
        for c, sub_cores in enumerate(("1", "2", "4")):
            *targets, mean = [row for row in relative if row["sub_cores"] == sub_cores]
            self.assertEqual([float(row["speed"]) for row in targets], speeds[c])
            self.assertEqual(mean["target"], "geomean")
            self.assertAlmostEqual(float(mean["speed"]), statistics.geometric_mean(speeds[c]), places=12)
            spread = math.exp(statistics.stdev(map(math.log, speeds[c])))
            self.assertAlmostEqual(float(mean["spread"]), spread, places=12)
            self.assertEqual((float(mean["best"]), float(mean["worst"])), (max(speeds[c]), min(speeds[c])))
            self.assertIn(f"{float(mean['speed']):.3f}", text)
        self.assertEqual(text.partition("now")[2].partition("failed")[2],
                         self.call("sweep", "out").stdout.partition("now")[2].partition("failed")[2])
        again = self.sweep("-P", "target=l.yaml,two.yaml,vecadd", "-P", "sub_cores=1,2,4", "--sms", "1",
                           "--relative-to", "sub_cores=1", out="again")
        self.assertEqual(again, rows)

    def test_suite_from_anywhere(self):
        self.suite()
        plan = self.call("sweep", "suite.yaml", "-o", "out", "--plan").stdout.splitlines()
        self.assertEqual(len(plan), 9)
        for line in plan[::-1]:
            subprocess.run(line, shell=True, cwd="/", env=self.environment, check=True, stdout=subprocess.DEVNULL)
        table = self.table()
        self.sweep("suite.yaml", out="again")
        self.assertEqual(self.table("again"), table)

    def test_suite_with_a_failure(self):
        self.suite()
        (self.folder / "two.yaml").unlink()
        done = self.call("sweep", "suite.yaml", "-o", "out", code=1)
        self.assertIn("two.yaml: error: no such file", done.stderr)
        self.assertRegex(done.stdout, r"\ntwo\.yaml +error +error +error\n")
        self.assertIn("sub_cores=4: the mean leaves out 1 of 3 targets", done.stdout)

    TABLES = ("runs.csv", "relative.csv", "columns.csv")

    def same_tables(self, out, other, which=None):
        for name in self.TABLES:
            self.assertEqual((self.folder / out / name).read_bytes(),
                             (self.folder / other / name).read_bytes(), (which, name))

    def suite_of_two_programs(self):
        """l.yaml has a program of its own, two.yaml another, vecadd is built in."""
        self.suite()
        self.write("k2.cu", KERNEL)
        self.write("two.yaml", LAUNCH.replace("n: 100", "n: 700").replace("k.cu", "k2.cu"))

    def test_a_changed_target_runs_again_alone(self):
        self.suite_of_two_programs()
        self.sweep("suite.yaml")
        before = self.rows()
        self.write("k2.cu", KERNEL.replace("i * STEP", "i * STEP + 0 * n * n"))
        for command in (("suite.yaml", "-o", "out"), ("out",)):
            with self.subTest(command):
                shutil.copytree(self.folder / "out", self.folder / "kept")
                done = self.call("sweep", *command)
                self.assertEqual(done.stderr, "out: files of two.yaml have changed: 3 points must run again; "
                                              "the rows of the other 2 targets are kept\n")
                self.assertIn("9 of 9 points, 3 of them now and 6 before; 0 failed", done.stdout)
                self.sweep("suite.yaml", out="fresh")
                self.same_tables("out", "fresh")
                self.assertEqual([row == old for row, old in zip(self.rows(), before)],
                                 [True] * 3 + [False] * 3 + [True] * 3)
                self.assertEqual(self.call("sweep", *command).stderr, "")
                shutil.rmtree(self.folder / "out")
                (self.folder / "kept").rename(self.folder / "out")

    def test_files_as_they_were_have_their_rows(self):
        self.suite_of_two_programs()
        self.sweep("suite.yaml", out="fresh")
        self.sweep("suite.yaml")
        for text, points in ((KERNEL + "//\n", 3), (KERNEL, 0)):
            self.write("k2.cu", text)
            done = self.call("sweep", "out")
            self.assertIn(f"files of two.yaml have changed: {points} points must run again", done.stderr)
            self.assertIn(f"9 of 9 points, {points} of them now and {9 - points} before", done.stdout)
        self.same_tables("out", "fresh")

    def test_changes_to_all_points_are_another_study(self):
        self.suite_of_two_programs()
        self.write("two.yaml", LAUNCH.replace("n: 100", "n: 700").replace("k.cu", "k2.cu"))
        self.write("policy.c", "#include <warpstep/policy.h>\n"
                               "int pick(const ws_view *v) { return ws_first(v->eligible); }\n")
        self.write("mine.yaml", "inherit: textbook\nsms: 1 # [A]\n")
        study = ["-P", "target=l.yaml,two.yaml", "-P", "sub_cores=1,2", "--policy", "policy.c", "--device", "mine.yaml"]
        self.sweep(*study)
        table = self.table()
        message = "out: error: holds another study, or one of other files"
        for name, text in (("policy.c", "// other\n"), ("mine.yaml", "clock_khz: 2000000 # [A]\n")):
            was = (self.folder / name).read_text()
            self.write(name, was + text)
            self.refused(message, *study, "-o", "out", code=3)
            self.refused(message, "out", code=3)
            self.write(name, was)
        self.refused(message, *study, "--max-cycles", "1000000", "-o", "out", code=3)
        for name in ("k.cu", "k2.cu"):  # files of both: no row would stay
            self.write(name, KERNEL + "//\n")
        self.refused(message, "out", code=3)
        self.assertEqual(self.table(), table)
        done = self.call("sweep", *study, "-o", "out", "--replace")
        self.assertIn("4 of 4 points, 4 of them now and 0 before", done.stdout)

    def test_other_regions_are_another_study(self):
        """The table has other columns then, also where the other targets' rows are."""
        self.suite_of_two_programs()
        self.sweep("suite.yaml")
        self.write("k2.cu", "// warpstep: region whole\n" + KERNEL + "// warpstep: end\n")
        for command in (("suite.yaml", "-o", "out"), ("out",)):
            self.refused("holds another study, or one of other files", *command, code=3)

    def test_parts_after_a_change(self):
        self.suite_of_two_programs()
        self.sweep("suite.yaml")
        self.write("k2.cu", KERNEL + "//\n")
        plan = self.call("sweep", "out", "--plan")
        self.assertIn("out: files of two.yaml have changed: 3 points must run again", plan.stderr)
        lines = plan.stdout.splitlines()
        self.assertEqual([line.split()[-1] for line in lines], ["3-3", "4-4", "5-5"])
        self.assertIn("6 of 9 points", self.call("sweep", "out", "--collect").stdout)
        shards = [subprocess.Popen([PROGRAM, "sweep", "out", "--shard", f"{i}/2"], cwd=self.folder, text=True,
                                   env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                  for i in range(2)]
        self.assertEqual([(shard.communicate(timeout=HANGS)[1], shard.returncode) for shard in shards], [("", 0)] * 2)
        self.assertIn("9 of 9 points; 0 failed", self.call("sweep", "out", "--collect").stdout)
        self.sweep("suite.yaml", out="fresh")
        self.same_tables("out", "fresh")

    def test_a_folder_of_an_earlier_version(self):
        """It has no hash of each target: its table can be collected, but nothing is added to it."""
        self.suite_of_two_programs()
        self.sweep("suite.yaml")
        path = self.folder / "out/study.json"
        path.write_text(re.sub(r'  "target_digests": .*\n', "", path.read_text()))
        self.refused("out: error: holds another study, or one of other files", "suite.yaml", "-o", "out", code=3)
        self.refused("out: error: holds another study, or one of other files", "out", code=3)
        self.call("sweep", "out", "--collect")

    def test_macro_of_one_target(self):
        self.suite()
        rows = self.sweep("-P", "target=l.yaml,vecadd", "-P", "define.STEP=1,3", "--sms", "1", code=1)
        self.assertEqual([row["status"] for row in rows], ["check_failed", "ok", "ok", "ok"])
        self.refused("no compiled source mentions the macro", "-P", "target=l.yaml,vecadd", "-P",
                     "define.NONE=1,2", "-o", "other")

    def test_regions_of_all_targets(self):
        self.write("r.cu", KERNEL.replace("    if", "#pragma warpstep region mine\n    if"))
        self.suite()
        self.sweep("-P", "target=l.yaml,two.yaml", "-P", "sub_cores=1", "--lines", "part=k.cu:8")
        self.assertIn("region_part_cycles", self.rows()[1])

    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "numpy is not installed")
    def test_effects_are_those_of_numpy(self):
        import numpy
        axes = {"policy": ("lrr", "gto"), "sub_cores": ("2", "4"), "block": ("32", "64"),
                "memory.l1.lookup_latency": ("20", "40"), "fetch.model": ("ideal", "cached")}
        rows = self.sweep("l.yaml", "-P", "n=700", *[word for name, values in axes.items()
                                                    for word in ("-P", f"{name}={','.join(values)}")])
        self.assertEqual(len(rows), 32)
        signs = numpy.array([[1.0 if row[name] == values[1] else -1.0 for name, values in axes.items()]
                             for row in rows])
        for logarithms, figure in (([], "cycles"), (["--log"], "ipc")):
            y = numpy.array([float(row[figure]) for row in rows])
            y = numpy.log(y) if logarithms else y
            subsets = [which for size in range(6) for which in itertools.combinations(range(5), size)]
            design = numpy.column_stack([signs[:, list(which)].prod(axis=1) for which in subsets])
            q = numpy.linalg.lstsq(design, y, rcond=None)[0]
            shares = q[1:] ** 2 / (q[1:] ** 2).sum()
            self.call("effects", "out", "--y", figure, *logarithms, "-o", "e.csv")
            with open(self.folder / "e.csv", newline="") as table:
                effects = list(csv.DictReader(table))
            names = [" * ".join(list(axes)[i] for i in which) for which in subsets[1:]]
            self.assertEqual(sorted(names), sorted(effect["name"] for effect in effects))
            of = {effect["name"]: effect for effect in effects}
            numpy.testing.assert_allclose([float(of[name]["effect"]) for name in names], 2 * q[1:],
                                          rtol=1e-9, atol=1e-9 * abs(y).max())
            numpy.testing.assert_allclose([float(of[name]["share"]) for name in names], shares, atol=1e-9)
            sizes = [abs(float(effect["effect"])) for effect in effects]
            self.assertEqual(sizes, sorted(sizes, reverse=True))
        text = self.call("effects", "out").stdout
        largest = next(effect["name"] for effect in self.csv("e.csv") if effect["order"] == "1")
        self.assertIn(largest, text)
        self.assertIn("16 interactions of three and more", text)

    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "numpy is not installed")
    def test_effects_of_a_fraction_are_those_of_numpy(self):
        import numpy
        axes = {"policy": ("lrr", "gto"), "sub_cores": ("2", "4"), "block": ("32", "64"),
                "memory.l1.lookup_latency": ("20", "40"), "fetch.model": ("ideal", "cached")}
        words = [word for name, values in axes.items() for word in ("-P", f"{name}={','.join(values)}")]
        rows = self.sweep("l.yaml", "-P", "n=700", *words, "--fraction", "1/4")
        self.assertEqual(len(rows), 8)
        self.assertEqual([rows[0][name] for name in axes], [values[0] for values in axes.values()])
        for name, values in axes.items():  # as many rows with each value
            self.assertEqual(sorted(row[name] for row in rows), sorted(values * 4))
        self.call("effects", "out", "-o", "e.csv")
        effects = self.csv("e.csv")
        sign = {name: numpy.array([1.0 if row[name] == values[1] else -1.0 for row in rows])
                for name, values in axes.items()}
        column = {effect["name"]: numpy.prod([sign[name] for name in effect["name"].split(" * ")], axis=0)
                  for effect in effects}
        design = numpy.column_stack([numpy.ones(8), *column.values()])
        q = numpy.linalg.solve(design, [float(row["cycles"]) for row in rows])
        numpy.testing.assert_allclose([float(effect["effect"]) for effect in effects], 2 * q[1:], atol=1e-6)
        for effect in effects:  # what is confounded has the same column, or its opposite
            others = re.findall(r"([+-]) ([^+-]+)", effect["confounded"])
            self.assertTrue(others or effect["order"] != "1")
            for plus, name in others:
                product = numpy.prod([sign[part] for part in name.strip().split(" * ")], axis=0)
                self.assertTrue((product * (1 if plus == "+" else -1) == column[effect["name"]]).all())
        text = self.call("effects", "out").stdout
        self.assertIn("8 runs, 1/4 of 2^5 combinations, resolution III", text)
        self.assertIn("8 of 8 points, 0 of them now", self.call("sweep", "out").stdout)

    def test_one_parameter_at_a_time(self):
        rows = self.sweep("l.yaml", "-P", "n=700,100", "-P", "memory.l1.lookup_latency=20,10,40", "--one-at-a-time")
        self.assertEqual([(row["n"], row["memory.l1.lookup_latency"]) for row in rows],
                         [("700", "20"), ("100", "20"), ("700", "10"), ("700", "40")])
        self.call("sensitivity", "out", "-o", "s.csv")
        base = float(rows[0]["cycles"])
        found = {(row["parameter"], row["value"]): row for row in self.csv("s.csv")}
        self.assertEqual(len(found), 5)
        for name, value, row in (("n", 100, rows[1]), ("memory.l1.lookup_latency", 10, rows[2]),
                                 ("memory.l1.lookup_latency", 40, rows[3])):
            own = found[name, str(value)]
            ratio = float(row["cycles"]) / base
            self.assertAlmostEqual(float(own["change"]), ratio - 1)
            self.assertAlmostEqual(float(own["elasticity"]),
                                   math.log(ratio) / math.log(value / float(rows[0][name])))
        self.assertIn("Sensitivity of cycles", self.call("sensitivity", "out").stdout)
        # The folder knows its design.
        self.assertIn("4 of 4 points, 0 of them now", self.call("sweep", "out").stdout)

    def test_derived_columns(self):
        rows = self.sweep("l.yaml", "-P", "n=64,128", "--column", "cpi=cycles / warp_instructions",
                          "--column", "per_point=cpi / n")
        for row in rows:
            cpi = int(row["cycles"]) / int(row["warp_instructions"])
            self.assertAlmostEqual(float(row["cpi"]), cpi)
            self.assertAlmostEqual(float(row["per_point"]), cpi / int(row["n"]))
        self.assertIn("cpi,,cycles / warp_instructions\n", (self.folder / "out/columns.csv").read_text())
        table = (self.folder / "out/runs.csv").read_bytes()
        self.call("sweep", "out", "--collect")
        self.assertEqual((self.folder / "out/runs.csv").read_bytes(), table)
        self.assertIn("twice", self.call("plot", "out", "--column", "twice=2 * cpi", "--y", "twice").stdout)
        self.call("effects", "out", "--column", "twice=2 * cpi", "--y", "twice", "-o", "e.csv")
        self.call("sensitivity", "out", "--column", "twice=2 * cpi", "--y", "twice", "-o", "s.csv")
        self.assertAlmostEqual(float(self.csv("e.csv")[0]["effect"]),
                               2 * (float(rows[1]["cpi"]) - float(rows[0]["cpi"])), places=5)
        self.assertAlmostEqual(float(self.csv("s.csv")[1]["y"]), 2 * float(rows[1]["cpi"]))
        self.write("s.yaml", "version: 1\ntarget: l.yaml\nparameters: {n: [64]}\ncolumns: {a: 1 + cycles, b: a - 1}\n")
        (row,) = self.sweep("s.yaml", "--replace")
        self.assertEqual((row["b"], int(row["a"])), (row["cycles"], int(row["cycles"]) + 1))
        message = self.call("sweep", "l.yaml", "-P", "n=64", "--column", "a=cycels", "-o", "other", code=2).stderr
        self.assertIn("the column 'a=cycels': no column is called 'cycels'; did you mean 'cycles'?", message)
        self.assertFalse((self.folder / "other/runs.csv").exists())

    def test_figures_of_memory_and_sub_cores(self):
        row, = self.sweep("l.yaml", "-P", "n=4096")
        of = {name: float(value) for name, value in row.items() if re.fullmatch(r"[0-9.e+-]+", value)}
        self.assertEqual(of["global_store_sectors_per_request"], 4)
        self.assertAlmostEqual(of["dram_bandwidth"],
                               (of["dram_read_bytes"] + of["dram_write_bytes"]) / of["elapsed_us"] / 1e3)
        # One SM and the whole memory of 132.
        self.assertAlmostEqual(of["dram_utilisation"] * 132, of["memory_share_dram_taken"])
        self.assertAlmostEqual(of["l2_utilisation"] * 132, of["memory_share_l2_taken"])
        self.assertLessEqual(of["ipc_sub_core_least"], of["ipc"] / 4)
        self.assertGreaterEqual(of["ipc_sub_core_most"], of["ipc"] / 4)
        # 33 warps on four sub-cores: one of them has one more.
        row, = self.sweep("l.yaml", "-P", "n=1056", "--replace")
        self.assertGreater(float(row["ipc_sub_core_most"]), float(row["ipc_sub_core_least"]))

    def test_designs_in_files(self):
        study = "version: 1\ntarget: l.yaml\nparameters: {n: [64, 128], policy: [lrr, gto], sub_cores: [2, 4]}\n"
        for more, points in (("one_at_a_time: true\n", 4), ("generators: {n: policy*sub_cores}\n", 4),
                             ("fraction: 1/2\n", 4), ("zip: true\n", 2)):
            self.write("s.yaml", study + more)
            self.assertEqual(len(self.sweep("s.yaml", "--replace")), points)
        for more, message in (("zip: true\none_at_a_time: true\n", "s.yaml:5:16: error: either `zip` or `one_at_a_time`"),
                              ("fraction: 1/3\n", "s.yaml:4:11: error: the fraction 1/3: 1/2, 1/4"),
                              ("generators: {n: policy*x}\n", "a factor is no parameter with two values")):
            self.write("s.yaml", study + more)
            self.assertIn(message, self.call("sweep", "s.yaml", "-o", "out", code=3 if more.startswith(("zip", "fraction")) else 2).stderr)
        self.assertIn("exclude each other", self.call(
            "sweep", "l.yaml", "-P", "n=1,2", "--zip", "--one-at-a-time", "-o", "out", code=2).stderr)

    def csv(self, name):
        with open(self.folder / name, newline="") as table:
            return list(csv.DictReader(table))

    # ---- going on

    def test_going_on(self):
        self.sweep("l.yaml", "-P", "n=64,128,256")
        table = self.table()
        done = self.call("sweep", "l.yaml", "-P", "n=64,128,256", "-o", "out")
        self.assertIn("3 of 3 points, 0 of them now and 3 before; 0 failed", done.stdout)
        (journal,) = (self.folder / "out/rows").iterdir()
        lines = journal.read_bytes().splitlines(keepends=True)
        for left in (lines[0] + lines[1][:20], lines[0] + lines[1][:-1], b"", b"rubbish\n",
                     lines[2] + b"1,2,3\n" + lines[0]):
            journal.write_bytes(left)
            self.call("sweep", "out")
            self.assertEqual(self.table(), table)
            for other in (self.folder / "out/rows").iterdir():
                if other != journal:
                    other.unlink()

    def test_killed_at_any_moment(self):
        parameters = ["-P", "n=64..512:8", "-P", "policy=lrr,gto"]
        whole = self.sweep("l.yaml", *parameters, out="whole")
        self.assertEqual(len(whole), 114)
        dice = random.Random(1)
        for _ in range(10):
            process = subprocess.Popen([PROGRAM, "sweep", "l.yaml", *parameters, "-o", "out"],
                                       cwd=self.folder, env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, 0.15))
            process.kill()
            process.wait()
        self.assertEqual(self.sweep("l.yaml", *parameters), whole)
        self.assertEqual(self.table(), self.table("whole"))

    def test_suites_killed_at_any_moment(self):
        """Twenty studies of several kernels, killed 45 times in all: the same bytes as in one piece."""
        self.suite()
        dice = random.Random(2)
        kills = [2] * 15 + [3] * 5
        self.assertEqual((len(kills), sum(kills)), (20, 45))
        for number, count in enumerate(kills):
            study = ["suite.yaml", "-P", f"memory.l1.lookup_latency={20 + number},{50 + number}", "-P", "policy=lrr,gto"]
            self.call("sweep", *study, "-o", f"whole{number}")
            for _ in range(count):
                process = subprocess.Popen([PROGRAM, "sweep", *study, "-o", f"out{number}"], cwd=self.folder,
                                           env=self.environment, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                time.sleep(dice.uniform(0, 0.2))
                process.kill()
                process.wait()
            self.call("sweep", *study, "-o", f"out{number}")
            self.same_tables(f"out{number}", f"whole{number}", number)

    def test_killed_while_a_target_changes(self):
        """Ten studies, a target of which changes after each of three kills: the same bytes as in one piece."""
        self.suite_of_two_programs()
        dice = random.Random(3)
        for number in range(10):
            study = ["suite.yaml", "-P", f"memory.l1.lookup_latency={20 + number},{50 + number}", "-P", "policy=lrr,gto"]
            for change in range(3):
                process = subprocess.Popen([PROGRAM, "sweep", *study, "-o", f"out{number}"], cwd=self.folder,
                                           env=self.environment, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                time.sleep(dice.uniform(0, 0.2))
                process.kill()
                process.wait()
                name = dice.choice(("k.cu", "k2.cu"))
                self.write(name, KERNEL.replace("i * STEP", f"i * STEP + {change} * (n - n)"))
            self.call("sweep", *study, "-o", f"out{number}")
            self.call("sweep", *study, "-o", f"whole{number}")
            self.same_tables(f"out{number}", f"whole{number}", number)

    def test_interrupted(self):
        process = subprocess.Popen(
            [PROGRAM, "sweep", "l.yaml", "-P", "n=64..40000:8", "-o", "out"], cwd=self.folder,
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not list(self.folder.glob("out/rows/*.csv")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=HANGS)
        self.assertEqual(process.returncode, 6, text)
        self.assertIn("of 4993 points", text)
        self.assertGreater(len(self.rows()), 0)
        self.assertEqual({row["status"] for row in self.rows()}, {"ok"})

    def test_threads_do_not_matter(self):
        self.sweep("l.yaml", "-P", "n=64..256:8", "--threads", "1", out="one")
        self.sweep("l.yaml", "-P", "n=64..256:8", "--threads", "4", out="four")
        self.assertEqual(self.table("one"), self.table("four"))

    def test_other_studies_are_refused(self):
        self.sweep("l.yaml", "-P", "n=64,128")
        self.refused("out: error: holds another study", "l.yaml", "-P", "n=64,256", "-o", "out",
                     code=3)
        self.write("k.cu", KERNEL + "//\n")
        self.refused("out: error: holds another study", "l.yaml", "-P", "n=64,128", "-o", "out",
                     code=3)
        self.refused("out: error: holds another study", "out", code=3)
        self.write("k.cu", KERNEL)
        done = self.call("sweep", "l.yaml", "-P", "n=128,256", "-o", "out", "--replace")
        self.assertIn("2 of 2 points, 1 of them now and 1 before", done.stdout)

    # ---- parts

    def test_shards_and_plan(self):
        parameters = ["-P", "n=64..200:8", "-P", "policy=lrr,gto"]
        self.sweep("l.yaml", *parameters, out="whole")
        plan = self.call("sweep", "l.yaml", *parameters, "-o", "out", "--plan").stdout
        self.assertEqual(len(plan.splitlines()), 36)
        parts = [subprocess.Popen([PROGRAM, "sweep", "out", "--shard", f"{i}/3", "--points", "0-29"],
                                  cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL)
                 for i in range(3)]
        self.assertEqual([part.wait(timeout=HANGS) for part in parts], [0, 0, 0])
        rest = self.call("sweep", "out", "--plan").stdout
        together = self.call("sweep", "out", "--plan", "--chunk", "4").stdout
        self.assertEqual([line.split()[-1] for line in together.splitlines()], ["30-33", "34-35"])
        self.assertEqual(rest.splitlines(), plan.splitlines()[30:])
        subprocess.run(["xargs", "-P2", "-d\\n", "-I{}", "sh", "-c", "{}"], input=rest, text=True,
                       cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, check=True)
        done = self.call("sweep", "out", "--collect")
        self.assertIn("36 of 36 points; 0 failed", done.stdout)
        self.assertEqual(self.table(), self.table("whole"))

    def test_several_at_once(self):
        parameters = ["-P", "n=64..256:8"]
        self.sweep("l.yaml", *parameters, out="whole")
        all_at_once = [subprocess.Popen([PROGRAM, "sweep", "l.yaml", *parameters, "-o", "out"],
                                        cwd=self.folder, env=self.environment,
                                        stdout=subprocess.DEVNULL) for _ in range(4)]
        self.assertEqual([one.wait(timeout=HANGS) for one in all_at_once], [0] * 4)
        self.assertEqual(self.table(), self.table("whole"))

    # ---- preset studies

    def test_ready_studies(self):
        for name, arguments in (("warps", ["latency_hiding/launch-bytecode.yaml"]),
                                ("policies", ["l.yaml"]), ("block", ["l.yaml"]),
                                ("registers", ["l.yaml"]), ("shared", ["l.yaml"]), ("cliff", []),
                                ("warp_size", []),
                                ("latency", ["l.yaml"]), ("divergence", []), ("stride", []),
                                ("schedulers", ["l.yaml"]), ("l1", ["l.yaml"])):
            with self.subTest(name):
                done = self.call("sweep", *arguments, "--study", name, "-o", name)
                lines = done.stdout.splitlines()
                self.assertTrue(lines[0].endswith("."), lines[0])
                rows = self.rows(name)
                first = next(iter(rows[0]))
                self.assertEqual(lines[2].split()[0], first)
                self.assertEqual([line.split()[0] for line in lines[3 : 3 + len(rows)]],
                                 [row[first] for row in rows])
                again = self.call("sweep", name).stdout  # looking at the launch has not changed the study
                self.assertIn(f"0 of them now and {len(rows)} before", again)
                page = (self.folder / name / f"{name}.html").read_text()
                self.assertIn(lines[0].replace("'", "&#39;").replace("&#39;", "&apos;").split(";")[0][:20],
                              page.replace("&#39;", "&apos;"))

    def test_the_knee(self):
        """Warps that issue four times and then wait 100 cycles: textbook figures."""
        done = self.call("sweep", "latency_hiding/bytecode-in_four.yaml", "--study", "warps",
                         "--launch", "wait=96", "-o", "knee")
        rows = {int(row["warps"]): float(row["ipc"]) for row in self.rows("knee")}
        best = max(rows.values())
        knee = min(warps for warps, ipc in rows.items() if ipc >= 0.95 * best)
        # Nothing but the wait: the latency at the knee is that of one warp alone.
        self.assertIn(f"{knee} warps are enough: IPC {rows[knee]:.3f}, of {best:.3f} at best; "
                      f"Little's law says {best / rows[1]:.1f}", done.stdout)
        worst = min((ipc, warps) for warps, ipc in rows.items() if warps >= knee)
        self.assertIn(f"Past the knee warps starve: {worst[1]} warps reach only {worst[0]:.3f}",
                      done.stdout)

    def test_littles_law_where_memory_is_slow(self):
        """One warp alone has all misses to itself: its latency is none that many warps see."""
        text = self.call("sweep", "latency_hiding", "--study", "warps", "--set", "memory.dram.latency=1000",
                         "-o", "slow").stdout
        rows = {int(row["warps"]): row for row in self.rows("slow")}
        knee, law, resident = re.match(r"(\d+) warps are enough: .* Little's law says ([\d.]+), .* and on average ([\d.]+) are resident",
                                       text).groups()
        best = max(float(row["ipc"]) for row in rows.values())
        self.assertGreater(best / float(rows[1]["ipc"]), 64)  # what one warp would have it say
        self.assertLessEqual(float(law), float(resident) * best / float(rows[int(knee)]["ipc"]) + 0.1)
        self.assertLessEqual(float(resident), int(knee))
        row = rows[int(knee)]
        waits = sum(int(row["stall_" + name]) for name in
                    ("not_selected", "math_pipe_throttle", "mio_throttle", "lg_throttle"))
        latency = (int(row["warp_cycles"]) - waits) / int(row["warp_instructions"])
        self.assertAlmostEqual(float(law), best * latency, delta=0.06)

    def test_ready_study_by_another_parameter(self):
        text = self.call("sweep", "l.yaml", "--study", "block", "-P", "policy=lrr,gto").stdout
        self.assertTrue(text.splitlines()[0].startswith("policy=lrr: block="), text)
        self.assertTrue(text.splitlines()[1].startswith("policy=gto: block="), text)
        self.assertFalse((self.folder / "runs.csv").exists())

    def test_block_keeps_the_threads(self):
        self.write("l.yaml", LAUNCH.replace("ceil_div(n, block.x)", "4"))
        self.call("sweep", "l.yaml", "--study", "block", "-o", "block")
        rows = self.rows("block")
        self.assertEqual([row["blocks_launched"] for row in rows][:4], ["4", "2", "2", "1"])
        self.assertEqual({row["status"] for row in rows}, {"ok"})

    def test_answers_leave_out_what_failed(self):
        """Blocks of 96 threads fault before they have done all of their work: few cycles."""
        self.write("sum.cu", SUM)
        self.call("init", "sum.cu")
        text = self.call("sweep", "sum.yaml", "--study", "block", "-o", "sum", code=1).stdout
        rows = self.rows("sum")
        good = [(int(row["cycles"]), row["block"]) for row in rows if row["status"] == "ok"]
        self.assertLess(min(int(row["cycles"]) for row in rows), min(good)[0])
        self.assertTrue(text.startswith(f"block={min(good)[1]} is the fastest with {min(good)[0]} "
                                        "cycles; block=256, the present value, takes "), text)
        self.assertIn("(4 of 10 points are omitted: their status is not ok.)", text)
        self.assertIn("The results differ between points", text)
        page = (self.folder / "sum/block.html").read_text()
        data = json.loads(page.split('type="application/json">')[1].split("</script>")[0])
        self.assertEqual(data["panels"][0]["curves"][0]["x"], [32, 64, 128, 256, 512, 1024])

    def test_warps_have_the_same_code(self):
        """With room for fewer warps the compiler would give each more registers."""
        text = self.call("sweep", "matmul", "--sms", "1", "--study", "warps", "-o", "warps").stdout
        self.assertEqual({row["registers_per_thread"] for row in self.rows("warps")}, {"32"})
        self.assertIn(": at 64: limit: warps, limit: registers\n", text)
        self.assertRegex(text, r": at \d+: the knee\n")
        self.assertRegex(text, r": at [\d.]+: Little's law\n")
        self.refused("32 blocks on 132 SMs: none has more than one block, of 1 warp,", "l.yaml",
                     "--study", "warps", "--set", "sms=132", "--launch", "n=1024", code=3)

    def test_parameters_of_an_own_kernel_have_names(self):
        self.write("far.cu", """__global__ void far(const float *in, float *out, int stride, int n)
            {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n)
                    out[i] = in[i * stride % n];
            }""")
        self.call("init", "far.cu")
        self.assertIn("let: {n: 270336, stride: 1}  #", (self.folder / "far.yaml").read_text())
        self.call("sweep", "far.yaml", "--study", "stride", "-o", "far")
        sectors = {row["stride"]: int(row["global_load_sectors"]) for row in self.rows("far")}
        self.assertEqual(sectors["2"], 2 * sectors["1"])

    def test_answers_where_nothing_matters(self):
        text = self.call("sweep", "l.yaml", "--study", "l1").stdout
        self.assertRegex(text, r"^carveout makes no difference: \d+ cycles each time\.\n")
        text = self.call("sweep", "l.yaml", "--study", "registers").stdout
        self.assertRegex(text, r"^it uses \d+ registers without a limit, and the lowest limit is 16")

    def test_registers_are_compared_with_no_cap(self):
        text = self.call("sweep", "matmul", "--sms", "1", "--study", "registers", "-o", "r").stdout
        cycles = {row["maxreg"]: int(row["cycles"]) for row in self.rows("r")}
        free = json.loads(self.call("run", "matmul", "--sms", "1", "--format", "json").stdout)
        self.assertEqual(cycles["255"], free["cycles"])
        self.assertTrue(text.startswith("no register limit helps: " if min(cycles, key=cycles.get) == "255"
                                        else "maxreg="), text)

    def test_bad_ready_studies(self):
        self.refused("--study: 'warp' is not one of warps, policies", "l.yaml", "--study", "warp")
        self.refused("an argument is missing", "--study", "policies")
        self.refused("needs a value `taken` in `let`", "l.yaml", "--study", "divergence", code=3)
        self.refused("needs a macro VALUES", "l.yaml", "--study", "cliff", code=3)
        self.refused("a kernel names lanes", "reduction", "--study", "warp_size", code=3)
        self.refused("takes no additional parameters", "l.yaml", "--study", "latency", "-P", "n=1")
        self.refused("one launch with a grid and a block of one dimension", "matmul", "--study",
                     "block", code=3)

    # ---- what goes wrong

    def test_points_that_fail(self):
        done = self.call("sweep", "l.yaml", "-P", "block=64,2048,32", "-o", "out", code=1)
        self.assertIn("point 1 (block=2048): error: --launch block=2048: error: ", done.stderr)
        self.assertIn("3 of 3 points, 3 of them now and 0 before; 1 failed", done.stdout)
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["ok", "error", "ok"])
        self.assertIn("2048", rows[1]["error"])
        self.assertEqual(rows[1]["cycles"], "")
        rows = self.sweep("l.yaml", "-P", "block=64,2048,32", "-P", "n=64..96", "--fail-fast",
                          "--threads", "1", out="fast", code=1)
        self.assertEqual(len(rows), 34)

    def test_limits(self):
        rows = self.sweep("l.yaml", "-P", "n=64,128", "--max-cycles", "10", code=1)
        self.assertEqual([row["status"] for row in rows], ["limit", "limit"])

    def test_bad_studies(self):
        out = ("-o", "out")
        self.refused("a launch has no 'm'", "l.yaml", "-P", "m=1,2", *out, code=3)
        self.refused("a launch has no 'polcy'; did you mean the setting 'policy'", "l.yaml", "-P",
                     "polcy=gto", *out, code=3)
        self.refused("set.sm: no setting is called so; did you mean 'sms'?", "l.yaml", "-P",
                     "set.sm=1", *out)
        self.refused("n=5..1:1: the range is empty", "l.yaml", "-P", "n=5..1", *out)
        self.write("s.yaml", "version: 1\ntarget: l.yaml\nparameters:\n  n: {from: 5, to: 1}\n")
        self.refused("s.yaml:4:6: error: n=5..1:1: the range is empty", "s.yaml", *out, code=3)
        self.refused("n=: a value is missing", "l.yaml", "-P", "n=", *out)
        self.refused("n=1,,2: a value is missing", "l.yaml", "-P", "n=1,,2", *out)
        self.refused("n=1..9:0: the step is 0", "l.yaml", "-P", "n=1..9:0", *out)
        self.refused("the value 4 is listed twice", "l.yaml", "-P", "n=1..4,4", *out)
        self.refused("a range is A..B, A..B:STEP or A..BxFACTOR", "l.yaml", "-P", "n=1..9y", *out)
        self.refused("more than 1000000 values", "l.yaml", "-P", "n=1..1000000000", *out)
        self.refused("the study has more than 1000000 points", "l.yaml", "-P", "n=1..1000",
                     "-P", "block=1..1000", "-P", "params.1=1..1000", *out)
        self.refused("the parameter 'launch.n' is given twice", "l.yaml", "-P", "n=1", "-P", "launch.n=2",
                     *out)
        self.refused("'n' has 2 and 'block' 3", "l.yaml", "-P", "n=1,2", "-P", "block=1..3", "--zip",
                     *out)
        self.refused("NAME=VALUES is expected", "l.yaml", "-P", "n", *out)
        self.refused("no parameter varies", "l.yaml", *out)
        self.refused("--out FOLDER is needed", "l.yaml", "-P", "n=1")
        self.refused("no such file", "none.yaml", "-P", "n=1", *out, code=3)
        self.refused("--shard 3/3: I/N is expected", "l.yaml", "-P", "n=1", "--shard", "3/3", *out)
        self.refused("--points 0-1: A-B is expected", "l.yaml", "-P", "n=1", "--points", "0-1", *out)
        self.assertFalse((self.folder / "out").exists())

    def test_no_compiler_error_for_each_point(self):
        self.write("k.cu", "rubbish\n")
        self.refused("k.cu:1:1: error:", "l.yaml", "-P", "n=1..1000", "-o", "out", code=3)

    def test_full_disk(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        study = ("latency_hiding/launch-bytecode.yaml", "-P", "warps=1..57")
        done = self.call("sweep", *study, "-o", "out", code=3, preexec_fn=small_files)
        self.assertIn("error: cannot write: File too large", done.stderr)
        self.assertEqual(len(self.sweep(*study)), 57)

    def test_folder_that_cannot_be(self):
        self.write("file", "")
        self.refused("file: error: cannot make the folder", "l.yaml", "-P", "n=64", "-o", "file",
                     code=3)
        (self.folder / "out").mkdir()
        self.write("out/study.json", "{}")
        self.refused("out/study.json: error: is not a study", "out", code=3)


if __name__ == "__main__":
    unittest.main()
