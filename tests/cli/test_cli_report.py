"""What `run` says first, and in what width: test_cli_report.py WARPSTEP"""
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

FAULT = """\
.kernel outside
.param u64 y
    S2R R0, SR_TID.X ;
    LDC.64 R2, c[y] ;
    IMAD.WIDE.U32 R4, R0, 4096, R2 ;
    STG.E [R4], R0 ;
    EXIT ;
"""

LAUNCH = """\
version: 1
program: {program}
buffers: {{y: {{type: f32, count: 1024}}, x: {{type: f32, count: 1024}}}}
kernel: "{kernel}"
grid: 1
block: 32
params: [{params}]
"""

TEMPLATES = """\
template <typename T, int N> __global__ void add(T *y, T a)
{
    for (int k = 0; k < N; k++)
        y[threadIdx.x * N + k] += a;
}
__global__ void scale(float *p) { p[threadIdx.x] *= 2; }
__global__ void scale(int *p) { p[threadIdx.x] *= 2; }
template __global__ void add<float, 4>(float *, float);
template __global__ void add<double, 2>(double *, double);
"""


def run(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=cwd, timeout=HANGS)


def causes(*arguments, cwd=None):
    """The bottlenecks of a run, and its exit code."""
    done = run("run", *arguments, "--format", "json", cwd=cwd)
    return json.loads(done.stdout)["bottlenecks"], done.returncode


class Folder(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.made.name)

    def tearDown(self):
        self.made.cleanup()

    def launch(self, program, text, kernel, params):
        (self.folder / program).write_text(text)
        (self.folder / "launch.yaml").write_text(LAUNCH.format(program=program, kernel=kernel, params=params))
        return "launch.yaml"


class Causes(Folder):
    """The first cause of runs whose cause is known."""

    def expect(self, name, kind, *arguments, code=0, cwd=None):
        found, got = causes(*arguments, cwd=cwd)
        self.assertEqual((found[0]["name"], found[0]["kind"], got), (name, kind, code), found)
        kinds = ["stop", "wasted", "unused", "waiting"]
        order = [kinds.index(cause["kind"]) for cause in found]
        self.assertEqual(order, sorted(order))
        return found[0]

    def test_divergence(self):
        cause = self.expect("divergence", "wasted", "with_without_divergence")
        self.assertEqual((pathlib.Path(cause["file"]).name, cause["line"]), ("kernel.cu", 8))
        # The twin without divergence does the same in half of the time, as the bound allows.
        found, _ = causes("with_without_divergence/without.yaml")
        self.assertNotIn("divergence", [cause["name"] for cause in found])

    def test_uncoalesced(self):
        cause = self.expect("uncoalesced", "wasted", "transpose/naive.yaml")
        # 512 stores of 32 sectors where 4 would do; the loads are fine
        self.assertEqual((cause["count"], cause["total"], cause["line"]), (512 * 28, 512 * 36, 13))

    def test_bank_conflicts(self):
        cause = self.expect("bank_conflicts", "wasted", "transpose/tiled.yaml")
        self.assertEqual((cause["count"], cause["total"], cause["line"]), (512 * 31, 512 * 33, 26))
        found, _ = causes("transpose/launch.yaml")
        self.assertNotIn("bank_conflicts", [cause["name"] for cause in found])

    def test_small_grid(self):
        cause = self.expect("small_grid", "unused", "vecadd")
        self.assertEqual((cause["count"], cause["total"]), (92, 132))
        self.expect("wait", "waiting", "vecadd", "--sms", "1")

    def test_deadlock(self):
        self.expect("deadlock", "stop", "barrier_divergence/one_side.yaml", code=5)

    def test_livelock(self):
        cause = self.expect("livelock", "stop", "spin_lock", "--set", "divergence.model=stack", code=5)
        self.assertEqual(cause["line"], 6)

    def test_fault(self):
        launch = self.launch("outside.wsasm", FAULT, "outside", "{ref: y}")
        cause = self.expect("fault", "stop", launch, code=4, cwd=self.folder)
        self.assertIn("out of bounds", cause["text"])
        self.assertEqual(cause["line"], 6)
        text = run("run", launch, cwd=self.folder).stdout
        self.assertIn("In short: out of bounds", text)
        self.assertNotIn("also:", text)

    def test_spills(self):
        self.expect("local_memory", "wasted", "register_cap/cap_24.yaml")

    def test_text_has_what_json_has(self):
        found, _ = causes("vecadd")
        text = " ".join(run("run", "vecadd").stdout.split())
        for cause in found[:4]:
            self.assertIn(" ".join(cause["text"].split()), text)


class Lines(unittest.TestCase):
    """All time has a line, and lanes with a true guard stand beside the lanes."""

    def test_no_line_is_missing(self):
        for target in ("vecadd", "matmul", "reduction", "tensor_tile"):
            result = json.loads(run("run", target, "--format", "json").stdout)
            self.assertNotIn(None, [line["file"] for line in result["lines"]], target)

    def test_lanes_with_a_true_guard(self):
        result = json.loads(run("run", "vecadd", "--format", "json").stdout)
        text = run("run", "vecadd").stdout
        for line in result["lines"]:
            lanes, true = (f"{line[name] / line['instructions']:.1f}" for name in ("lanes", "lanes_pred_on"))
            self.assertRegex(text, rf"kernel\.cu:{line['line']} .* {lanes} +{true}  ")


class Width(unittest.TestCase):
    """The report fits the terminal: nothing wraps."""

    def shown(self, columns, **environment):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        names = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        process = subprocess.Popen([PROGRAM, "run", "vecadd"], stdout=slave, env={**names, **environment})
        os.close(slave)
        read = b""
        try:
            while chunk := os.read(master, 65536):
                read += chunk
        except OSError:
            pass
        os.close(master)
        process.wait(timeout=HANGS)
        return re.sub(r"\x1b\[[0-9;]*m", "", read.decode().replace("\r\n", "\n")).split("\n")

    def test_terminal(self):
        for columns in (40, 72, 80, 100, 160):
            longest = max(map(len, self.shown(columns)))
            self.assertLessEqual(longest, columns)
            if columns <= 100:
                self.assertGreater(longest, columns - 12)

    def test_columns(self):
        self.assertLessEqual(max(map(len, self.shown(160, COLUMNS="70"))), 70)

    def test_no_terminal(self):
        names = {**os.environ, "COLUMNS": "50"}
        done = subprocess.run([PROGRAM, "run", "vecadd"], capture_output=True, text=True, env=names, timeout=HANGS)
        longest = max(map(len, done.stdout.split("\n")))
        self.assertTrue(90 < longest <= 100, longest)
        self.assertNotIn("\x1b", done.stdout)


class Check(unittest.TestCase):
    """`check` has a row for each source line that branches, with the number of its branches."""

    def test_lines(self):
        text = run("check", "with_without_divergence").stdout
        rows = [line.split() for line in text.split("\n") if line.startswith("  kernel.cu:")]
        places = [row[0] for row in rows]
        self.assertLess(len(rows), 12)
        self.assertIn("branches of           uniform warp-uniform may diverge  source", text)
        counts = {row[0]: [int(number) for number in row[1:4]] for row in rows}
        self.assertEqual(counts["kernel.cu:8"], [0, 0, 1])
        self.assertGreater(counts["kernel.cu:10"][2], 99)  # of 100 square roots
        self.assertEqual(len(places), len(set(places)))


class Names(Folder):
    """Kernels of templates and overloads."""

    def run_named(self, kernel, params="{ref: y}"):
        return run("run", self.launch("k.cu", TEMPLATES, kernel, params), cwd=self.folder)

    def test_template(self):
        for name in ("add<float, 4>", "add<float,4>", "add<float, 4>(float*, float)", "_Z3addIfLi4EEvPT_S0_"):
            done = self.run_named(name, "{ref: y}, {f32: 1}")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stdout.split("\n")
            self.assertTrue(lines[0].startswith("add<float, 4> on "), lines[0])
            self.assertEqual(lines[1], "in the PTX: _Z3addIfLi4EEvPT_S0_")

    def test_ambiguous(self):
        for name, all_names in (("add", "add<float, 4>, add<double, 2>"), ("scale", "scale(float*), scale(int*)")):
            done = self.run_named(name)
            self.assertEqual(done.returncode, 3)
            self.assertEqual(done.stderr, f"launch.yaml:4:9: error: '{name}' names several kernels: {all_names}\n")
        self.assertEqual(self.run_named("scale(float *)").returncode, 0)

    def test_json(self):
        launch = self.launch("k.cu", TEMPLATES, "add<double, 2>", "{ref: y}, {f64: 1}")
        result = json.loads(run("run", launch, "--format", "json", cwd=self.folder).stdout)
        self.assertEqual(result["kernel"], "add<double, 2>")
        self.assertEqual(result["launches"][0]["mangled"], "_Z3addIdLi2EEvPT_S0_")

    def test_check_and_disasm(self):
        self.launch("k.cu", TEMPLATES, "add", "")
        self.assertIn("add<float, 4> (_Z3addIfLi4EEvPT_S0_): ", run("check", "k.cu", cwd=self.folder).stdout)
        self.assertIn("scale (_Z5scalePi): ", run("check", "k.cu", cwd=self.folder).stdout)
        text = run("disasm", "k.cu", cwd=self.folder).stdout
        self.assertIn(".kernel _Z3addIfLi4EEvPT_S0_\n// add<float, 4>\n", text)


if __name__ == "__main__":
    unittest.main()
