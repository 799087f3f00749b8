"""test_cli_let.py WARPSTEP [unittest options]: named values and expressions in launch files, and
--launch, which sets them."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
DATA = pathlib.Path(__file__).parent.parent / "data" / "cli"

GOOD = """\
version: 1
program: kernels.wsasm
let: {warps: 4, n: 32 * warps}
set: {sms: 1}
buffers:
  y: {type: u32, count: blocks * threads}
kernel: scale
grid: ceil_div(n, block.x)
block: 64
params: [{ref: y}]
expect:
  - {buffer: y, linear: {start: 0, step: 2}}
"""

TWO = """\
version: 1
program: kernels.wsasm
let: {n: 128}
buffers:
  y: {type: u32, count: n}
launches:
  - {kernel: scale, grid: n / threads, block: 64, params: [{ref: y}]}
  - {kernel: scale, grid: 1, block: "min(n, 32 * 2)", params: [{ref: y}]}
"""

CUDA = """\
version: 1
program: k.cu
let: {n: 3}
compile: {define: [OTHER=7, {N: -n}]}
buffers:
  y: {type: s32, count: 1}
kernel: k
grid: 1
block: 1
params: [{ref: y}]
expect: [{buffer: y, values: [4 * n]}]
"""


class LetCase(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "kernels.wsasm").write_bytes((DATA / "kernels.wsasm").read_bytes())

    def tearDown(self):
        self.scratch.cleanup()

    def run_text(self, text, *options):
        (self.folder / "l.yaml").write_text(text)
        return subprocess.run([PROGRAM, "run", "l.yaml", *options], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=HANGS)

    def result(self, text, *options, code=0):
        done = self.run_text(text, "--format", "json", *options)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def refused(self, message, text, *options):
        done = self.run_text(text, *options)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertEqual(done.stderr, message + "\n")

    def good(self, old, new):
        self.assertIn(old, GOOD)
        return GOOD.replace(old, new)

    def test_everything_follows(self):
        for warps, blocks in ((1, 1), (4, 2), (7, 4), (48, 24)):
            result = self.result(GOOD, "--launch", f"warps={warps}")
            self.assertEqual(result["let"], {"warps": warps, "n": 32 * warps})
            self.assertEqual(result["launches"][0]["grid"], [blocks, 1, 1])
            self.assertEqual(result["checks"][0]["elements"], 64 * blocks)
            self.assertTrue(result["checks"][0]["passed"])
            self.assertEqual(len(result["occupancy"]["per_sm"]), 1)
        self.assertEqual(self.result(TWO)["let"], {"n": 128})

    def test_without_let(self):
        text = GOOD.replace("let: {warps: 4, n: 32 * warps}\n", "").replace("n, block.x", "99, 32")
        self.assertEqual(self.result(text)["let"], {})
        self.refused("--launch grid=n: error: grid: 'n': a whole number is expected, or a name "
                     "that let gives", text, "--launch", "grid=n")

    def test_launch_keys_win(self):
        result = self.result(GOOD, "--launch", "block=96", "--launch", "warps=5", code=1)
        self.assertEqual(result["launches"][0]["grid"], [2, 1, 1])
        self.assertEqual(result["checks"][0]["elements"], 192)
        result = self.result(GOOD, "--launch", "grid=1", "--launch", "block=48 * grid.x")
        self.assertEqual(result["launches"][0]["block"], [48, 1, 1])
        result = self.result(GOOD, "--launch", "n=64 * warps")
        self.assertEqual(result["let"], {"warps": 4, "n": 256})

    def test_several_launches(self):
        result = self.result(TWO, "--launch", "n=256", "--launch", "1.block=4")
        self.assertEqual([launch["grid"][0] for launch in result["launches"]], [4, 1])
        self.assertEqual([launch["block"][0] for launch in result["launches"]], [64, 4])

    def test_launch_is_refused(self):
        for option, message in (
            ("wraps=3", "a launch has no 'wraps'; did you mean 'warps'?"),
            ("zzzzzz=3", "a launch has no 'zzzzzz'; valid: warps, n, grid, block, "
             "dynamic_shared_bytes, stack_bytes, carveout, cache, params.NUMBER, params.NAME"),
            ("0.warps=3", "'warps' is a value of let, the same for all launches: leave out the "
             "number"),
            ("sms=2", "the number of SMs is a setting of the device: --sms N, or --set sms=N"),
            ("warps=n", "warps: 'n': 'n' stands below; a value of let can use those above it"),
            ("warps=", "the value is missing"),
            ("warps=2.5", "warps: '2.5': a whole number is expected"),
            ("n=5 / (warps - 4)", "n: '5 / (warps - 4)': division by zero"),
            ("block=grid.x", "block: 'grid.x': 'grid.x' is not known yet: grid and block may not "
             "follow each other"),
        ):
            self.refused(f"--launch {option}: error: {message}", GOOD, "--launch", option)

    def test_without_effect(self):
        """A value that is set must change something."""
        self.refused("--launch warps=8: error: 'warps' has no effect: nothing in the launch depends "
                     "on it; another --launch may have replaced what depended on it",
                     GOOD, "--launch", "warps=8", "--launch", "n=64")
        unused = self.good("{warps: 4,", "{idle: 4, more: 2 * idle, warps: 4,")
        self.refused("--launch idle=1: error: 'idle' has no effect: nothing in the launch depends on it", unused,
                     "--launch", "idle=1")
        self.result(unused)

    def test_bad_expressions(self):
        for old, new, message in (
            ("32 * warps", "32 * wraps", "3:25: error: n: '32 * wraps': no value is called "
             "'wraps'; did you mean 'warps'?"),
            ("32 * warps", "q * warps", "3:20: error: n: 'q * warps': no value is called 'q'; let "
             "has warps"),
            ("32 * warps", "1 << 70", "3:22: error: n: '1 << 70': a shift is from 0 to 63"),
            ("32 * warps", "blocks", "3:20: error: n: 'blocks': 'blocks' is not known here: let "
             "and set come before grid and block, and of several launches each has its own"),
            ("32 * warps", "n + 1", "3:20: error: n: 'n + 1': 'n' stands below; a value of let can "
             "use those above it"),
            ("{warps: 4,", "{blocks: 4, warps: 4,", "3:7: error: 'blocks' cannot name a value: it "
             "has a meaning of its own in a launch"),
            ("{warps: 4,", "{min: 4, warps: 4,", "3:7: error: 'min' cannot name a value: up to 64 "
             "letters, digits and _, no digit first, and no word of expressions (min, max, ceil_div, and, or, not)"),
            ("{warps: 4, n: 32 * warps}", "[1]", "3:6: error: let must be a mapping (key: value)"),
            ("{warps: 4,", "{warps: [4],", "3:14: error: warps must be a single value, not a list "
             "or mapping"),
            ("blocks * threads", "z.count", "6:25: error: count: 'z.count': 'z.count' is not known "
             "here: a buffer's count is for what follows it (let, set, define, grid and block come "
             "first)"),
            ("blocks * threads", "n - 128", "6:25: error: count: n - 128 = 0 is out of range, 1 to "
             "1099511627776"),
            ("blocks * threads", "n << 60", "6:27: error: count: 'n << 60': the result does not "
             "fit in 64 bits"),
            ("ceil_div(n, block.x)", "threads / n / grid.x", "8:21: error: grid: "
             "'threads / n / grid.x': 'grid.x' is not known yet: grid and block may not follow "
             "each other"),
            ("{sms: 1}", "{sms: 1, inherit: h100}", "4:24: error: set: the device is chosen by "
             "'device', not 'inherit'"),
            ("{sms: 1}", "{smss: 1}", "4:7: error: no setting is called 'smss'; did you mean "
             "'sms'?"),
            ("{sms: 1}", "{sms: warps - 4}", "4:12: error: sms: warps - 4 = 0 is out of range, 1 "
             "to 1024"),
            ("ceil_div(n, block.x)", "[ceil_div(n, block.x), 1]", "8:8: error: grid: "
             "'ceil_div(n': the ) is missing (inside { } and [ ] an expression with a comma needs "
             "quotes)"),
            ("ceil_div(n, block.x)", "[ceil_div(n, 2), ceil_div(n, 2)]", "8:8: error: grid: "
             "'ceil_div(n': the ) is missing (inside { } and [ ] an expression with a comma needs "
             "quotes)"),
            ("ceil_div(n, block.x)", "[1, 2, 3, 4]", "8:7: error: grid must be a number or a list of 1 to 3"),
            ("blocks * threads", "max(n, 3)", "6:32: error: '3)' is no key: inside { } and [ ] an "
             "expression with a comma needs quotes"),
            ("step: 2", "step: n / 3.5", "12:46: error: step: 'n / 3.5': a whole number is "
             "expected"),
        ):
            self.refused("l.yaml:" + message, self.good(old, new))

    def test_too_many(self):
        many = ", ".join(f"x{i}: 1" for i in range(257))
        self.refused("l.yaml:3:6: error: let: at most 256 values",
                     self.good("{warps: 4, n: 32 * warps}", "{" + many + "}"))

    def test_settings_of_the_launch(self):
        self.assertEqual(len(self.result(GOOD)["occupancy"]["per_sm"]), 1)
        for option in (("--sms", "3"), ("--set", "sms=3")):
            self.assertEqual(len(self.result(GOOD, *option)["occupancy"]["per_sm"]), 3)
        nested = self.good("{sms: 1}", "{sms: warps / 2, classes: {fp32.latency: 9}}")
        for options, sms in (((), 2), (("--launch", "warps=8"), 4), (("--device", "a100"), 2)):
            self.assertEqual(len(self.result(nested, *options)["occupancy"]["per_sm"]), sms)

    def test_elements(self):
        """Integers and floats, in quotes where YAML needs them; floats are never cut off."""
        text = self.good("count: blocks * threads", 'count: "max(blocks * threads, 128)"')
        text = text.replace("linear: {start: 0, step: 2}", "linear: {start: n - 128, step: n / 64}")
        self.assertTrue(self.result(text)["checks"][0]["passed"])
        floats = text.replace("buffers:\n", "buffers:\n  f: {type: f32, count: 2, init: {fill: n / "
                              "3}}\n")
        self.refused("l.yaml:6:43: error: fill: 'n / 3': the division leaves a remainder; only "
                     "whole numbers can be computed", floats)
        dump = self.folder / "f.bin"
        self.result(floats.replace("n / 3", "-n / 32"), "--dump", f"f={dump}")
        self.assertEqual(struct.unpack("2f", dump.read_bytes()), (-4.0, -4.0))

    def test_prefix_of_a_file(self):
        """A file that is longer than the buffer must be said to be so."""
        (self.folder / "y.bin").write_bytes(struct.pack("<512I", *range(0, 1024, 2)))
        text = self.good("linear: {start: 0, step: 2}", "file: {name: y.bin, prefix: true}")
        for warps in (1, 4, 16):
            checks = self.result(text, "--launch", f"warps={warps}")["checks"]
            self.assertEqual((checks[0]["passed"], checks[0]["file"]), (True, "y.bin"))
        self.refused("l.yaml:12:30: error: the file has 2048 bytes, 2304 are needed (576 elements "
                     "of 4 bytes)", text, "--launch", "warps=17")
        for name in ("y.bin", "{name: y.bin}", "{name: y.bin, prefix: false}"):
            whole = text.replace("{name: y.bin, prefix: true}", name)
            column = 30 if name[0] == "{" else 23
            self.refused(f"l.yaml:12:{column}: error: the file has 2048 bytes, 512 are needed (128 "
                         "elements of 4 bytes); for its beginning write "
                         "file: {name: ..., prefix: true}", whole)
            self.assertTrue(self.result(whole, "--launch", "warps=16")["checks"][0]["passed"])
        (self.folder / "y.bin").write_bytes(struct.pack("<512I", 0, *range(0, 1022, 2)))
        self.assertFalse(self.result(text, code=1)["checks"][0]["passed"])

    def test_definitions(self):
        (self.folder / "k.cu").write_text("__global__ void k(int *y) { *y = -N - OTHER + 16; }\n")
        if not HAS_CLANG:
            self.skipTest("no clang for CUDA C")
        self.assertTrue(self.result(CUDA)["checks"][0]["passed"])
        self.assertTrue(self.result(CUDA, "--launch", "n=3")["checks"][0]["passed"])
        self.assertFalse(self.result(CUDA, "--launch", "n=5", code=1)["checks"][0]["passed"])
        self.refused("l.yaml:4:30: error: define: '1N' is not a macro's name",
                     CUDA.replace("{N: -n}", "{1N: -n}"))
        self.refused("l.yaml:4:29: error: define: one name and its value are expected, as in "
                     "{N: 32 * warps}", CUDA.replace("{N: -n}", "{N: -n, M: 2}"))
        (self.folder / "l.yaml").write_text(CUDA)
        done = subprocess.run([PROGRAM, "disasm", "l.yaml"], cwd=self.folder, timeout=HANGS,
                              stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
