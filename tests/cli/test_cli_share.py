"""test_cli_share.py WARPSTEP: L2 and DRAM for few SMs, the whole or their share, and who says so."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
LAB = pathlib.Path(__file__).resolve().parents[2] / "workloads/labs/coalescing/public"

KERNEL = """\
__global__ void scale(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += __ldcg(x + i + k * gridDim.x * blockDim.x);
    y[i] = sum;
}
"""

LAUNCH = """\
version: 1
program: k.cu
let: {g: 16}
buffers:
  x: {type: f32, count: g * 2048}
  y: {type: f32, count: g * 512}
kernel: scale
grid: g
block: 512
params: [{ref: x}, {ref: y}]
"""

# An H200 of 12 SMs, so that a run of all of them is short.
SMALL = """\
inherit: h200
sms: 12
memory:
  sms: 12
  l2: {bytes: 1048576, slices: 8}
  dram: {channels: 8}
"""


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in (("k.cu", KERNEL), ("k.yaml", LAUNCH), ("small.yaml", SMALL)):
            (self.folder / name).write_text(text)

    def call(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, text=True, timeout=HANGS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def run_json(self, *arguments):
        return json.loads(self.call("run", "k.yaml", "--format", "json", *arguments))

    def test_a_fair_part_takes_as_long_as_the_whole(self):
        small = ["--device", "./small.yaml"]
        everything = self.run_json(*small, "--launch", "g=192")
        self.assertEqual(everything["memory_share"]["kind"], "whole")
        self.assertEqual(everything["memory_share"]["sms"], 12)
        for sms in (1, 3):
            part = self.run_json(*small, "--launch", f"g={16 * sms}", "--sms", str(sms), "--share", "fair")
            self.assertAlmostEqual(part["cycles"] / everything["cycles"], 1, delta=0.15)
        alone = self.run_json(*small, "--launch", "g=16", "--sms", "1")
        self.assertLess(alone["cycles"], 0.7 * everything["cycles"])
        self.assertGreater(alone["memory_share"]["dram_taken"], 1.05)
        self.assertGreater(part["memory_share"]["dram_taken"], 0.5)
        self.assertLess(part["memory_share"]["dram_taken"], 1.05)

    def test_threads_do_not_matter(self):
        options = ["--sms", "40", "--share", "fair", "--launch", "g=80"]
        self.assertEqual(self.run_json(*options), self.run_json(*options, "--threads", "3"))

    def test_reports_say_which(self):
        small = ["--device", "./small.yaml", "--sms", "1", "--launch", "g=64"]
        alone = self.call("run", "k.yaml", *small)
        taken = self.run_json(*small)["memory_share"]
        self.assertIn("L2 and DRAM               whole  for 1 of the 12 SMs", alone)
        note = f"1 SM of 12 took {taken['dram_taken']:.1f} times its share of DRAM bandwidth"
        self.assertIn("    note: " + note, alone)
        self.assertIn("see --share fair", taken["warning"])
        fair = self.call("run", "k.yaml", *small, "--share", "fair")
        self.assertIn("L2 and DRAM                fair  for 1 of the 12 SMs", fair)
        self.assertNotIn("note:", fair)
        self.assertIn("whole  all SMs", self.call("run", "k.yaml", "--launch", "g=8"))
        self.assertIsNone(self.run_json("--device", "textbook", "--launch", "g=1")["memory_share"])
        self.call("report", "k.yaml", *small, "-o", "k.html")
        self.assertIn(note, (self.folder / "k.html").read_text())
        self.assertIn("L2 and DRAM: whole (1 of 12 SMs); 1 SM of 12 took",
                      self.call("advise", "k.yaml", "--device", "./small.yaml", "--sms", "1"))

    def test_charts_say_which(self):
        self.call("sweep", "k.yaml", "--sms", "1", "-P", "memory.share=whole,fair", "-P", "g=2,4",
                  "-o", "s")
        chart = ["plot", "s", "--x", "g", "--y", "cycles", "--by", "memory.share"]
        both = "L2 and DRAM: whole (1 of 132 SMs), fair (1 of 132 SMs)"
        self.assertIn(both, self.call(*chart))
        self.call(*chart, "-o", "c.json")
        self.assertEqual(json.loads((self.folder / "c.json").read_text())["title"], "cycles; " + both)
        self.call(*chart, "-o", "c.html")
        self.assertIn(both, (self.folder / "c.html").read_text())
        self.assertIn("L2 and DRAM: fair (1 of 132 SMs)\n",
                      self.call("plot", "s", "--x", "g", "--y", "cycles", "--where", "memory.share=fair"))

    def test_charts_and_studies_say_how_much_was_taken(self):
        small = ["--device", "./small.yaml", "--sms", "1"]
        self.call("sweep", "k.yaml", *small, "-P", "memory.share=whole,fair", "-P", "g=2,64", "-o", "s")
        with open(self.folder / "s/runs.csv", newline="") as table:
            rows = list(csv.DictReader(table))
        most = max(float(row["memory_share_dram_taken"]) for row in rows if row["memory.share"] == "whole")
        self.assertGreater(most, 1.05)
        taken = f"; up to {most:.1f} times the fair share of DRAM bandwidth"
        chart = ["plot", "s", "--x", "g", "--y", "cycles", "--where"]
        self.assertIn("L2 and DRAM: whole (1 of 12 SMs)" + taken, self.call(*chart, "memory.share=whole"))
        self.assertNotIn("fair share of", self.call(*chart, "memory.share=fair"))
        study = ["sweep", "k.yaml", *small, "--launch", "g=64", "--study", "policies"]
        self.assertRegex(self.call(*study, "-o", "w"), r"whole \(1 of 12 SMs\); up to [\d.]+ times the fair share of DRAM")
        self.assertIn("L2 and DRAM: fair (1 of 12 SMs)\n", self.call(*study, "--share", "fair", "-o", "f"))

    def test_policies_where_memory_is_full(self):
        """What the page on policies says: the whole memory ranks them, the share of one SM does not."""
        def cycles(share, policy):
            return json.loads(self.call("run", "policies/columns.yaml", "--sms", "1", "--share", share,
                                        "--policy", policy, "--format", "json"))["cycles"]
        self.assertGreater(cycles("whole", "gto"), 1.2 * cycles("whole", "lrr"))
        self.assertAlmostEqual(cycles("fair", "gto") / cycles("fair", "lrr"), 1, delta=0.02)

    def test_the_lab_on_coalescing_has_its_share(self):
        def run(name, *options):
            done = json.loads(self.call("run", str(LAB / f"{name}.yaml"), "--format", "json", *options))
            return done["cycles"], done["memory_share"]["kind"]
        arrays, records = run("arrays"), run("records")
        self.assertEqual((arrays[1], records[1]), ("fair", "fair"))
        self.assertGreater(records[0], 3 * arrays[0])
        self.assertLess(run("records", "--share", "whole")[0], 1.5 * run("arrays", "--share", "whole")[0])

    def test_whose_memory_it_is(self):
        def share(text, *options):
            (self.folder / "d.yaml").write_text(text)
            of = self.run_json("--device", "./d.yaml", "--launch", "g=2", *options)["memory_share"]
            return of["kind"], of["sms"], of["of_sms"]
        self.assertEqual(share("inherit: h200\nsms: 2\nmemory: {share: fair}\n"), ("fair", 2, 132))
        self.assertEqual(share("inherit: h200\nmemory: {sms: 66}\n", "--sms", "3"), ("whole", 3, 66))
        self.assertEqual(share("inherit: h200\n", "--set", "sms=5", "--share", "fair"), ("fair", 5, 132))
        self.assertIn("'half' is not one of whole, fair", self.call("run", "k.yaml", "--share", "half", code=3))


if __name__ == "__main__":
    unittest.main()
