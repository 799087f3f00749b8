"""Runs without time: test_cli_functional.py WARPSTEP SOURCE_ROOT"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

PTX = """\
.version 7.5
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 y, .param .u32 n) {
    .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [y];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r4, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r4, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd2, %rd1, %rd2;
    ld.global.u32 %r5, [%rd2];
    add.u32 %r5, %r5, 2;
    st.global.u32 [%rd2], %r5;
DONE:
    ret;
}
.visible .entry spin(.param .u32 n) {
    .reg .b32 %r<2>; .reg .pred %p<2>;
    ld.param.u32 %r1, [n];
    setp.eq.u32 %p1, %r1, 0;
LOOP:
    @%p1 bra LOOP;
    ret;
}
"""
HEAD = "version: 1\nprogram: k.ptx\nbuffers:\n  y: {type: u32, count: 100, init: {fill: 0}}\n"
ONCE = "{kernel: fill, grid: 4, block: 32, params: [{ref: y}, {u32: %d}]}"
TIMED = ("cycles", "elapsed_cycles", "ipc", "stalls", "memory", "occupancy", "lines", "bottlenecks")


class Functional(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "k.ptx").write_text(PTX)

    def launch(self, *counts, expect=None):
        text = HEAD + "launches:\n" + "".join(f"  - {ONCE % count}\n" for count in counts)
        if expect is not None:
            text += f"expect: [{{buffer: y, fill: {expect}}}]\n"
        (self.folder / "launch.yaml").write_text(text)

    def run_it(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, "run", "--no-cache", *map(str, arguments)], capture_output=True, text=True,
                              timeout=HANGS, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def json(self, *arguments, code=0):
        return json.loads(self.run_it(*arguments, "--format", "json", code=code).stdout)

    def test_counts_are_those_of_a_run_with_time(self):
        for name in ("vecadd", "matmul", "transpose", "reduction", "even_odd"):
            with self.subTest(name):
                target = ROOT / "workloads" / name
                timed, functional = self.json(target), self.json(target, "--functional")
                for key in ("warp_instructions", "thread_instructions", "status", "checks", "compiler", "let"):
                    self.assertEqual(timed[key], functional[key], key)
                self.assertEqual(timed["warps"]["launched"], functional["warps_launched"])
                self.assertEqual(functional["schema"], "warpstep-functional-1")
                self.assertFalse(set(TIMED) & set(functional))

    def test_launches_in_order(self):
        self.launch(100, 0, 7, 100)
        values = self.json(".", "--functional", "-p", "y")
        self.assertEqual(values["buffers"][0]["values"], [6] * 7 + [4] * 93)
        self.assertEqual([launch["warps_launched"] for launch in values["launches"]], [4] * 4)
        timed = self.json(".")["launches"]
        self.assertEqual([launch["thread_instructions"] for launch in values["launches"]],
                         [launch["thread_instructions"] for launch in timed])
        self.assertEqual(values["warp_instructions"], sum(launch["warp_instructions"] for launch in values["launches"]))
        text = self.run_it(".", "--functional").stdout
        self.assertTrue(text.startswith("4 launches on NVIDIA H200\nwithout timing: values and instruction counts, no cycles\n"), text)
        self.assertIn("     3 fill ", text)
        self.assertNotRegex(text, "IPC|occupancy|stall")

    def test_files_of_buffers_are_the_same(self):
        self.launch(100, 51)
        self.run_it(".", "--functional", "--dump", "y=a.bin")
        self.run_it(".", "--dump", "y=b.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), (self.folder / "b.bin").read_bytes())

    def test_ends(self):
        self.launch(100, expect=2)
        self.run_it(".", "--functional")
        self.launch(100, expect=3)
        self.assertIn("FAILED  y: 100 of 100 elements differ; y[0] is 2, expected 3",
                      self.run_it(".", "--functional", code=1).stdout)
        self.launch(100, 104)
        done = self.run_it(".", "--functional", code=4)
        self.assertIn("access out of bounds", done.stderr)
        self.assertIn("buffer 'y' (u32[100])", done.stderr)
        self.assertIn("status: fault", done.stdout)
        self.assertEqual(self.json(".", "--functional", code=4)["error"]["launch"], 1)
        self.run_it(ROOT / "workloads/barrier_divergence/one_side.yaml", "--functional", code=5)
        (self.folder / "spin.yaml").write_text("version: 1\nprogram: k.ptx\nkernel: spin\ngrid: 1\nblock: 32\nparams: [{u32: 0}]\n")
        self.assertIn("status: limit", self.run_it("spin.yaml", "--functional", "--max-seconds", "0.2", code=6).stdout)
        (self.folder / "large.yaml").write_text("version: 1\nprogram: k.ptx\nkernel: spin\ngrid: 1\nblock: 32\nparams: [{u32: 0}]\n"
                                                "dynamic_shared_bytes: 300000\n")
        self.assertIn("a block needs 300000 bytes of shared memory", self.run_it("large.yaml", "--functional", code=3).stderr)

    def test_checks_go_with_it(self):
        self.launch(100)
        self.assertEqual(self.json(".", "--functional", "--check", "all")["findings"], [])

    def test_what_has_time_is_refused(self):
        self.launch(100)
        self.run_it(".", "--record", "r.wsrec")
        for arguments in (["--lines", "1-2"], ["--export", "text=x"], ["--occupancy-csv", "x"], ["--record", "x.wsrec"],
                          ["--policy", "lrr"], ["--max-cycles", "10"]):
            with self.subTest(arguments):
                done = self.run_it(".", "--functional", *arguments, code=2)
                self.assertIn(f"--functional runs without timing, and {arguments[0]} needs timing", done.stderr)
                self.assertFalse((self.folder / "x").exists())
        self.assertIn("a recording has timing", self.run_it("r.wsrec", "--functional", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
