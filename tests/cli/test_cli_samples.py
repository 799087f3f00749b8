"""Tests of figures over time, `run --samples`: test_cli_samples.py WARPSTEP [unittest options]"""
import csv
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

import npz
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

KERNEL = """\
.kernel add
.param u64 x
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    IMAD R0, R1, 0x80, R0 ;
    LDC.64 R2, c[x] ;
    IMAD.WIDE.U32 R2, R0, 4, R2 ;
    LDG.E R4, [R2] ;
    IADD3 R4, R4, 1, RZ ;
    STG.E [R2], R4 ;
    EXIT ;
"""
# Two launches that share their caches.
LAUNCH = """\
version: 1
program: add.wsasm
set: {sms: 3}
buffers:
  x: {type: u32, count: 8192}
launches:
  - {kernel: add, grid: 64, block: 128, params: [{ref: x}]}
  - {kernel: add, grid: 32, block: 128, params: [{ref: x}], cache: keep}
expect:
  - {buffer: x, values: [%s]}
""" % ", ".join(["2"] * 4096 + ["1"] * 4096)


class Samples(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        for name, text in (("add.wsasm", KERNEL), ("add.yaml", LAUNCH)):
            with open(os.path.join(self.scratch.name, name), "w") as file:
                file.write(text)

    def tearDown(self):
        self.scratch.cleanup()

    def call(self, *arguments, code=0, **options):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.scratch.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS,
                              **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def check_sums(self, arrays, report, launch):
        rows = [i for i, l in enumerate(arrays["launch"]) if l == launch]
        figures = dict(report, **report["memory"])
        figures["branches_executed"] = report["branches"]["executed"]
        figures["blocks_launched"] = report["blocks"]["launched"]
        figures.update({"stall_" + name: count for name, count in report["stalls"].items()})
        checked = 0
        for name, column in arrays.items():
            if isinstance(column, list) and name in figures and name not in ("cycles", "sm") and \
                    isinstance(column[0], int):
                self.assertEqual(sum(column[i] for i in rows), figures[name], name)
                checked += 1
        self.assertGreater(checked, 25)
        return rows, figures

    def test_sums(self):
        plain = self.call("run", "add.yaml", "--format", "json").stdout
        for every in (1, 64, 1000):
            for by in ("all", "sm"):
                done = self.call("run", "add.yaml", "--format", "json", "--samples", "s.npz",
                                 "--sample-every", str(every), "--sample-by", by)
                self.assertEqual(done.stdout, plain)
                arrays = npz.load(self.path("s.npz"))
                self.assertEqual(arrays["kernels"], ["add", "add"])
                self.assertEqual((arrays["every"], arrays["sms"]), (every, 3))
                for number, launch in enumerate(json.loads(plain)["launches"]):
                    rows, figures = self.check_sums(arrays, launch, number)
                    times = 1 if by == "all" else 3
                    self.assertEqual(sum(arrays["cycles"][i] for i in rows),
                                     times * figures["elapsed_cycles"])
                    if by == "sm":
                        self.assertNotIn("l2_lookups", arrays)
                        self.assertEqual({arrays["sm"][i] for i in rows}, {0, 1, 2})
                        continue
                    self.assertEqual(sum(arrays["dram_bytes"][i] for i in rows),
                                     figures["dram_read_bytes"] + figures["dram_write_bytes"])

    def test_rates(self):
        self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "100")
        a = npz.load(self.path("s.npz"))
        for i, active in enumerate(a["active_sm_cycles"]):
            if active == 0:
                self.assertTrue(math.isnan(a["ipc"][i]))
                continue
            self.assertAlmostEqual(a["ipc"][i], a["warp_instructions"][i] / active)
            self.assertAlmostEqual(a["occupancy"][i],
                                   a["warp_cycles"][i] / active / a["warp_slots"])
            self.assertLessEqual(a["occupancy"][i], 1)
            self.assertEqual(sum(column[i] for name, column in a.items()
                                 if name.startswith("stall_")), a["warp_cycles"][i])
            self.assertAlmostEqual(a["dram_bytes_per_cycle"][i],
                                   a["dram_bytes"][i] / a["cycles"][i])

    def test_threads_and_again(self):
        for by in ("all", "sm"):
            files = set()
            for threads in ("1", "2", "3"):
                self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "50",
                          "--sample-by", by, "--threads", threads)
                files.add(self.read("s.npz"))
            self.assertEqual(len(files), 1)

    def test_small(self):
        """Less than 4 bytes a number, and no time in it."""
        self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "5")
        arrays = npz.load(self.path("s.npz"))
        numbers = sum(len(column) for column in arrays.values() if isinstance(column, list))
        self.assertLess(len(self.read("s.npz")), 4 * numbers)

    def test_with_a_recording(self):
        self.call("run", "add.yaml", "--samples", "a.npz", "--sample-every", "50", "--record",
                  "r.wsrec")
        self.call("run", "r.wsrec", "--samples", "b.npz", "--sample-every", "50")
        self.assertEqual(self.read("a.npz"), self.read("b.npz"))

    def test_stopped(self):
        done = self.call("run", "add.yaml", "--format", "json", "--max-cycles", "700", "--samples",
                         "s.npz", "--sample-every", "100", code=6)
        self.check_sums(npz.load(self.path("s.npz")), json.loads(done.stdout)["launches"][0], 0)

    def test_usage(self):
        job = ["run", "add.yaml"]
        for arguments, message in (
                (["--sample-every", "5"], "beside --samples"),
                (["--samples", "s.npz", "--sample-every", "-1"], "a number above 0 is expected"),
                (["--sample-by", "sm"], "--sample-by goes with --samples"),
                (["--samples", "s.npz", "--sample-by", "gpc"], "'gpc' is not one of all, sm"),
                (["--samples", "s.csv"], "a name that ends in .npz is expected"),
                (["--samples", "s.npz", "--functional"], "--samples needs timing"),
                (["--samples", "s.npz", "-o", "s.npz"], "would both write s.npz")):
            self.assertIn(message, self.call(*job, *arguments, code=2).stderr)
        self.assertIn("cannot write", self.call(*job, "--samples", "no/s.npz", code=3).stderr)
        self.assertEqual(sorted(os.listdir(self.scratch.name)), ["add.wsasm", "add.yaml"])

    def test_plot(self):
        self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "100")
        a = npz.load(self.path("s.npz"))
        text = self.call("plot", "s.npz").stdout
        self.assertIn("ipc\n", text)
        self.assertIn("cycle", text)

        def values(*arguments):
            self.call("plot", "s.npz", *arguments, "-o", "c.json")
            chart = json.loads(self.read("c.json"))
            return chart, {(v["curve"], v["x"]): v["y"] for v in chart["data"]["values"]}

        chart, got = values("--y", "occupancy")
        self.assertEqual(chart["mark"]["interpolate"], "step-after")
        for cycle, share in zip(a["cycle"], a["occupancy"]):
            self.assertEqual(got.get(("", cycle), "none"),
                             "none" if math.isnan(share) else share)
        chart, got = values("--y", "stall_*", "--stack")
        self.assertEqual(chart["mark"]["type"], "area")
        self.assertEqual(chart["encoding"]["y"]["title"], "stall_*")
        names = {name for name, column in a.items()
                 if name.startswith("stall_") and any(column)}
        self.assertGreater(len(names), 5)
        self.assertEqual({name for name, _ in got}, names)
        for name in names:
            for cycle, count in zip(a["cycle"], a[name]):
                self.assertAlmostEqual(got[name, cycle], count)
        stacked = self.call("plot", "s.npz", "--y", "stall_*", "--stack").stdout
        self.assertIn("a stall_selected", stacked)
        self.call("plot", "s.npz", "--y", "stall_*", "--stack", "-o", "c.html")
        self.assertIn(b'"stacked":true', self.read("c.html").replace(b" ", b""))

    def test_plot_by_sm(self):
        self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "100", "--sample-by",
                  "sm")
        self.assertIn("sm:  a 0  b 1  c 2", self.call("plot", "s.npz").stdout)
        self.call("plot", "s.npz", "--facet", "sm", "-o", "c.json")
        self.assertEqual({v["panel"] for v in json.loads(self.read("c.json"))["data"]["values"]},
                         {"sm=0", "sm=1", "sm=2"})
        for arguments, message in (
                (["--y", "l2_hit_rate"], "no column 'l2_hit_rate'"),
                (["--y", "l2_*"], "no column of that name"),
                (["--y", "stall_*", "--stack", "--log", "y"], "has no sums")):
            self.assertIn(message, self.call("plot", "s.npz", *arguments, code=2).stderr)

    def test_phases(self):
        self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "100")
        self.call("run", "add.yaml", "--samples", "b.npz", "--sample-every", "100", "--policy",
                  "gto")
        a = npz.load(self.path("s.npz"))

        def table(*arguments):
            text = self.call("phases", "s.npz", *arguments, "--format", "csv").stdout
            return list(csv.DictReader(text.splitlines()))

        first, second = table("--phase", "x=0..500", "--phase", "y=500..")
        for row, wanted in ((first, lambda cycle: cycle < 500), (second, lambda cycle: cycle >= 500)):
            rows = [i for i, cycle in enumerate(a["cycle"]) if wanted(cycle)]
            for name, column in a.items():
                if isinstance(column, list) and isinstance(column[0], int) and \
                        name not in ("launch", "sm", "cycle"):
                    self.assertEqual(int(row[name]), sum(column[i] for i in rows), name)
            self.assertAlmostEqual(float(row["ipc"]), int(row["warp_instructions"]) /
                                   int(row["active_sm_cycles"]))
            self.assertEqual(float(row["dram_bytes_per_cycle"]),
                             int(row["dram_bytes"]) / int(row["cycles"]))
        launches = table()
        self.assertEqual([row["phase"] for row in launches], ["launch 0", "launch 1"])
        self.assertEqual(sum(int(row["cycles"]) for row in launches), sum(a["cycles"]))
        both = table("b.npz", "--phase", "x=..500")
        self.assertEqual([(row["phase"], row["run"]) for row in both], [("x", "1"), ("x", "2")])
        text = self.call("phases", "s.npz", "b.npz", "--phase", "x=0..500").stdout
        self.assertRegex(text, r"(?m)^ +A +B +change$")
        self.assertRegex(text, r"(?m)^ipc +[\d.]+ +[\d.]+ +[+-][\d.]+ %$")
        self.assertRegex(text, r"(?m)^stall_long_scoreboard +[\d.]+ % +[\d.]+ % +[+-][\d.]+ pp$")
        self.call("run", "add.yaml", "--samples", "e.npz", "--sample-every", "100", "--sample-by",
                  "sm")
        each, = [list(csv.DictReader(self.call("phases", "e.npz", "--phase", "x=0..500",
                                               "--format", "csv").stdout.splitlines()))]
        self.assertEqual((each[0]["cycles"], each[0]["warp_instructions"], each[0]["l2_hit_rate"]),
                         (first["cycles"], first["warp_instructions"], ""))

    def test_phases_usage(self):
        self.call("run", "add.yaml", "--samples", "s.npz")
        for phase in ("x", "x=5", "=1..2", "x=9..3", "x=3..3", "x=a..b", "x=-1..2"):
            self.assertIn("NAME=FROM..TO is expected",
                          self.call("phases", "s.npz", "--phase", phase, code=2).stderr)
        self.assertIn("no sample of s.npz begins", self.call(
            "phases", "s.npz", "--phase", "x=1000000..", code=2).stderr)
        self.assertIn("no such file", self.call("phases", "t.npz", code=3).stderr.lower())

    def test_damaged(self):
        self.call("run", "add.yaml", "--samples", "s.npz", "--sample-every", "100")
        whole = self.read("s.npz")
        for name, data, message in (
                ("a", b"", "no zip archive"), ("b", whole[:-1], "no zip archive"),
                ("c", whole[:len(whole) // 2], "no zip archive"),
                ("d", whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], "damaged"),
                ("e", b"PK\5\6" + bytes(18), "no column of numbers")):
            with open(self.path(f"{name}.npz"), "wb") as file:
                file.write(data)
            error = self.call("plot", f"{name}.npz", code=3).stderr
            self.assertIn(f"{name}.npz: error: ", error)
            self.assertIn(message, error)
        # Any byte: an error or a chart, nothing else.
        for at in range(0, len(whole), 97):
            with open(self.path("f.npz"), "wb") as file:
                file.write(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
            done = subprocess.run([PROGRAM, "plot", "f.npz"], cwd=self.scratch.name,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.assertIn(done.returncode, (0, 2, 3), done.stderr)

    def test_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        done = self.call("run", "add.yaml", "--samples", "s.npz", code=3, preexec_fn=limit)
        self.assertIn("s.npz: error: cannot write: File too large", done.stderr)
        self.assertEqual(sorted(os.listdir(self.scratch.name)), ["add.wsasm", "add.yaml"])


if __name__ == "__main__":
    unittest.main()
