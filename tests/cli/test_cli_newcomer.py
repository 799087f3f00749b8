"""Tests of what a newcomer does first: test_cli_newcomer.py WARPSTEP [unittest options]"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

DATA = pathlib.Path(__file__).parent.parent / "data" / "newcomer"
PROGRAM = os.path.abspath(sys.argv.pop(1))

KERNEL = """\
.kernel numbers
.param u64 y
    S2R R0, SR_TID.X ;
    LDC.64 R2, c[y] ;
    IMAD.WIDE.U32 R2, R0, 4, R2 ;
    STG [R2], R0 ;
    EXIT ;
"""

LAUNCH = """\
version: 1
program: kernel.wsasm
buffers:
  y: {type: u32, count: 32}
kernel: numbers
grid: 1
block: 32
params: [{ref: y}]
"""


SOURCES = pathlib.Path(__file__).parent.parent.parent


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.write("kernel.wsasm", KERNEL)
        self.write("launch.yaml", LAUNCH)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=HANGS)

    def expect(self, code, message, *arguments):
        done = self.run_program(*arguments)
        text = f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr}"
        self.assertEqual(done.returncode, code, text)
        self.assertIn(message, done.stderr, text)
        if code in (2, 3):
            self.assertEqual(done.stdout, "", text)
        return done


class DidYouMean(Case):
    def changed(self, old, new, meant):
        self.assertIn(old, LAUNCH)
        self.write("wrong.yaml", LAUNCH.replace(old, new))
        self.expect(3, f"did you mean '{meant}'?", "run", "wrong.yaml")

    def test_launch_file(self):
        self.changed("type: u32", "type: float", "f32")
        self.changed("type: u32", "type: unsigned int", "u32")
        self.changed("grid:", "blocks:", "grid")
        self.changed("block:", "threads:", "block")
        self.changed("params:", "args:", "params")
        self.changed("count: 32", "size: 32", "count")
        self.changed("{ref: y}", "{int: 1}", "s32")
        self.changed("{ref: y}", "{pointer: y}", "ref")
        self.changed("{ref: y}", "{ref: Y}", "y")
        self.changed("kernel: numbers", "kernel: number", "numbers")
        self.changed("version: 1", "version: 1\ndevice: hopper", "h200")

    def test_command_line(self):
        for code, meant, arguments in (
                (2, "run", ["simulate"]),
                (2, "disasm", ["disasemble"]),
                (2, "json", ["run", "launch.yaml", "--format", "jsno"]),
                (3, "lrr", ["run", "launch.yaml", "--policy", "round_robin"]),
                (3, "sms", ["run", "launch.yaml", "--set", "num_sms=1"]),
                (3, "policy", ["run", "launch.yaml", "--set", "scheduler=lrr"]),
                (3, "a100", ["run", "launch.yaml", "--device", "ampere"]),
                (3, "grid", ["run", "launch.yaml", "--launch", "blocks=2"]),
                (3, "vecadd", ["run", "saxpy"])):
            self.expect(code, f"did you mean '{meant}'?", *arguments)


TWO_KERNELS = """\
extern "C" __global__ void fast(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}
extern "C" __global__ void slow(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + x[i];
}
extern "C" __global__ void wrong(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = i == 5 ? -1.0f : x[i] + x[i];
}
extern "C" __global__ void beyond(int n, const float *x, float *y)
{
    y[n + threadIdx.x] = x[0];
}
extern "C" __global__ void other(const float *x, float *y)
{
    y[threadIdx.x] = 2 * x[threadIdx.x];
}
"""

REFERENCE = """\
version: 1
program: two.cu
buffers:
  x: {type: f32, count: 64, init: {linear: {start: 1, step: 1}}}
  y: {type: f32, count: 64, init: {fill: 7}}
kernel: fast
grid: 1
block: 64
params: [{s32: 64}, {ref: x}, {ref: y}]
expect:
  - {buffer: y, kernel: slow}
"""


class Init(Case):
    """From a file to a report in two commands."""

    def setUp(self):
        super().setUp()
        for path in DATA.iterdir():
            shutil.copy(path, self.folder)

    def goes(self, program, *arguments, output=None):
        """init, then run; the launch file's text."""
        done = self.run_program("init", program, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        output = output or pathlib.Path(program).stem + ".yaml"
        text = (self.folder / output).read_text()
        run = self.run_program("run", output, "--format", "json")
        self.assertEqual((run.returncode, run.stderr), (0, ""), text + run.stderr)
        self.assertEqual(json.loads(run.stdout)["status"], "ok")
        return text

    def has(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)

    def test_extern_c(self):
        text = self.goes("saxpy.cu")
        self.has(text, "kernel: saxpy", "let: {n: 270336}", "  - {s32: n}  ", "  - {f32: 1.0}",
                 "x: {type: f32, count: n, init: {random", "y: {type: f32, count: n}",
                 "grid: ceil_div(n, block.x)", "block: 256", "# float a")

    def test_histogram(self):
        text = self.goes("histogram.cu")
        self.has(text, "data: {type: u8, count: n, init", "bins: {type: u32", "- {u64: n}")

    def test_stencil_with_a_halo(self):
        # The first guess of the sizes reads beyond `in`; launch bounds of 128.
        text = self.goes("stencil.cu")
        self.has(text, "in: {type: f64, count: n * 2", "block: 128", "{s32: n}")

    def test_matmul(self):
        text = self.goes("matmul.cu", "matmul_tiled", "-o", "tiled.yaml", output="tiled.yaml")
        self.has(text, "block: [32, 32, 1]", "count: n * n", "  - ceil_div(n, block.y)")
        text = self.goes("matmul.cu", "matmul_naive")
        self.has(text, "block: [16, 16, 1]")

    def test_template_and_dynamic_shared_memory(self):
        text = self.goes("reduce.cu", "sums::reduce<double,2>")
        self.has(text, "kernel: \"sums::reduce<double, 2>\"", "in: {type: f64",
                 "dynamic_shared_bytes: 8 * threads")

    def test_struct(self):
        text = self.goes("particles.cu")
        self.has(text, "- {bytes: [0, 0, ", "position: {type: f32, count: n * 4",
                 "a struct of 32 bytes; 24 to 27 are n = 270336")

    def test_ptx_and_bytecode(self):
        text = self.goes("kernel.wsasm")
        self.has(text, "y: {type: f32, count: n}", "{ref: y}")
        self.write("k.ptx", PTX)
        text = self.goes("k.ptx")
        self.has(text, "p0: {type: f32", "{ref: p0}", "{u32: n}")

    def test_compile_options(self):
        self.write("defined.cu", "__global__ void k(TYPE *x) { x[threadIdx.x] = VALUE; }")
        text = self.goes("defined.cu", "-DTYPE=short", "-DVALUE=1 + 2", "--maxreg=32")
        self.has(text, 'compile: {define: ["TYPE=short", "VALUE=1 + 2"], maxreg: 32}',
                 "x: {type: s16")

    def test_block_that_is_required(self):
        self.write("req.ptx", PTX.replace("{ // body", ".reqntid 96, 2, 1\n{ // body"))
        text = self.goes("req.ptx")
        self.assertIn("block: [96, 2, 1]", text)

    def test_several_kernels(self):
        for arguments in (["matmul.cu"], ["matmul.cu", "nothing"]):
            done = self.expect(2, "  matmul_tiled(float const*, float const*, float*, int)\n",
                               "init", *arguments)
            self.assertIn("  matmul_naive(", done.stderr)
            self.assertFalse((self.folder / "matmul.yaml").exists())

    def test_run_of_a_program(self):
        done = self.expect(3, "  sums::reduce<float, 4>(float const*, float*, unsigned int)\n",
                           "run", "reduce.cu")
        self.assertIn("'warpstep init reduce.cu KERNEL'", done.stderr)

    def test_no_overwriting(self):
        self.write("saxpy.yaml", "mine")
        self.expect(3, "saxpy.yaml: error: exists already; --force", "init", "saxpy.cu")
        self.assertEqual((self.folder / "saxpy.yaml").read_text(), "mine")
        self.goes("saxpy.cu", "--force")

    def test_other_folder(self):
        os.mkdir(self.folder / "sub")
        self.goes("saxpy.cu", "-o", "sub/mine.yaml", output="sub/mine.yaml")

    def test_textures(self):
        self.write("t.cu", "extern \"C\" __global__ void sample(cudaTextureObject_t image, float *out)"
                           "{ out[threadIdx.x] = tex2D<float>(image, 0.5f, 0.5f); }")
        self.expect(3, "the parameter 'image' of the kernel 'sample' is a texture", "init", "t.cu")
        self.assertFalse((self.folder / "t.yaml").exists())

    def test_kernel_that_no_guess_fits(self):
        self.write("bad.cu", "__global__ void bad(float *x, int n) { x[-1 - (int)threadIdx.x] = n; }")
        done = self.run_program("init", "bad.cu")
        self.assertEqual(done.returncode, 0)
        self.assertIn("unchanged, it stops early: ", done.stderr)
        self.assertIn("# Unchanged it stops early: ", (self.folder / "bad.yaml").read_text())

    def test_wrong_targets(self):
        self.expect(3, "is not a program", "init", "launch.yaml", "-o", "x.yaml")
        self.expect(3, "is not a program", "init", "vecadd")
        self.expect(3, "no such file", "init", "nothing.cu")
        self.write("wrong.cu", "__global__ void k( {")
        self.expect(3, "wrong.cu:1:", "init", "wrong.cu")
        self.expect(2, "an argument is missing", "init")


PTX = """\
.version 7.0
.target sm_80
.address_size 64
.visible .entry numbers(.param .u64 numbers_param_0, .param .u32 numbers_param_1)
{ // body
.reg .pred %p<2>;
.reg .b32 %r<6>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [numbers_param_0];
ld.param.u32 %r1, [numbers_param_1];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r2, %r3, %r4;
setp.ge.u32 %p1, %r5, %r1;
@%p1 ret;
mul.wide.u32 %rd3, %r5, 4;
add.s64 %rd4, %rd2, %rd3;
st.global.u32 [%rd4], %r5;
ret;
}
"""


class Workloads(Case):
    def test_list(self):
        lines = self.run_program("run", "--list").stdout.splitlines()
        rows = dict((line.split(None, 1) + [""])[:2] for line in lines)
        self.assertEqual(rows["vecadd"], "adding two vectors")
        self.assertEqual(rows["if_else/early_exit.yaml"], "16 lanes leave early.")
        self.assertEqual([name for name, title in rows.items() if not title], [])

    def test_copy(self):
        done = self.run_program("copy", "vecadd", "mine/of_it")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("warpstep run mine/of_it", done.stdout)
        copied = self.run_program("run", "mine/of_it", "--format", "json")
        built_in = self.run_program("run", "vecadd", "--format", "json")
        self.assertEqual(copied.returncode, 0, copied.stderr)
        self.assertEqual(json.loads(copied.stdout)["cycles"], json.loads(built_in.stdout)["cycles"])
        self.assertIn("notes.md", os.listdir(self.folder / "mine/of_it"))

    def test_copy_of_a_lab(self):
        done = self.run_program("copy", "labs/transpose", "lab")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("warpstep assignment check lab", done.stdout)
        source = pathlib.Path(__file__).parents[2] / "workloads/labs/transpose"
        for path in source.rglob("*"):
            if path.is_file():
                self.assertEqual((self.folder / "lab" / path.relative_to(source)).read_bytes(), path.read_bytes())
        self.expect(3, "'labs/transpos'; did you mean 'labs/transpose'?", "copy", "labs/transpos", "new")
        for command in (["grade", "labs/transpose", "lab"], ["assignment", "check", "labs/transpose"]):
            self.expect(3, "labs/transpose: error: a built-in lab; make a copy to work with: "
                        "warpstep copy labs/transpose my_lab", *command)

    def test_what_is_written_in_another_way(self):
        self.expect(3, "A policy of your own is a file: ./NAME.c", "run", "vecadd", "--policy", "sticky")
        for size in ("16x1", "4,2", "2 X 2 X 1"):
            self.expect(3, "the size of several axes is written as a list: grid=[X,Y]", "run", "vecadd", "--launch", f"grid={size}")

    def test_copy_that_fails_leaves_nothing(self):
        """A file is larger than may be written."""
        (self.folder / "empty").mkdir()
        done = subprocess.run(["/bin/sh", "-c", 'trap "" XFSZ; ulimit -f 9; exec "$0" copy labs/reduction empty',
                               PROGRAM], cwd=self.folder, text=True, capture_output=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(os.listdir(self.folder / "empty"), [])

    def test_copy_refused(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "x").write_text("x")
        self.expect(3, "full: error: the folder is not empty", "copy", "vecadd", "full")
        self.assertEqual(os.listdir(self.folder / "full"), ["x"])
        self.expect(3, "kernel.wsasm: error: exists and is not a folder",
                    "copy", "vecadd", "kernel.wsasm")
        self.expect(3, "no built-in workload 'vecad'; did you mean 'vecadd'?",
                    "copy", "vecad", "new")
        self.expect(3, "cannot make the folder", "copy", "vecadd", "kernel.wsasm/new")
        self.assertFalse((self.folder / "new").exists())
        self.expect(2, "an argument is missing", "copy", "vecadd")
        (self.folder / "empty").mkdir()
        self.assertEqual(self.run_program("copy", "vecadd", "empty").returncode, 0)


class Print(Case):
    def test_text(self):
        done = self.run_program("run", "launch.yaml", "--print", "y[3:13]", "-p", "y[31]")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.endswith("Buffers\n"
                                             "y[3:13] u32\n"
                                             "       3: 3 4 5 6 7 8 9 10\n"
                                             "      11: 11 12\n"
                                             "y[31:32] u32\n"
                                             "      31: 31\n"), done.stdout[-300:])

    def test_json(self):
        done = self.run_program("run", "launch.yaml", "--format", "json", "-p", "y[:2]",
                                "-p", "y[30:]", "-p", "y")
        buffers = json.loads(done.stdout)["buffers"]
        self.assertEqual(buffers[0], {"buffer": "y", "type": "u32", "first": 0, "values": [0, 1]})
        self.assertEqual(buffers[1]["values"], [30, 31])
        self.assertEqual(buffers[2]["values"], list(range(32)))
        plain = self.run_program("run", "launch.yaml", "--format", "json")
        self.assertNotIn("buffers", json.loads(plain.stdout))

    def test_types(self):
        self.write("types.yaml", LAUNCH.replace("buffers:", """buffers:
  f: {type: f32, init: {values: [0.1, nan, -inf, 1.0e+30]}}
  h: {type: f16, init: {values: [0.5, -2]}}
  s: {type: s8, init: {values: [-128, 127]}}
  u: {type: u64, init: {values: [0xffffffffffffffff, 1]}}"""))
        options = [word for name in "fhsu" for word in ("-p", name)]
        done = self.run_program("run", "types.yaml", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        for row in ("0: 0.1 nan -inf 1e+30\n", "0: 0.5 -2\n", "0: -128 127\n",
                    "0: 18446744073709551615 1\n"):
            self.assertIn(row, done.stdout)
        done = self.run_program("run", "types.yaml", "--format", "json", *options)
        self.assertEqual([b["values"] for b in json.loads(done.stdout)["buffers"]],
                         [[0.1, "nan", "-inf", 1e30], [0.5, -2], [-128, 127],
                          ["18446744073709551615", 1]])

    def test_wrong(self):
        for text, message in (
                ("z", "no such buffer; did you mean 'y'?"),
                ("y[0:33]", "out of range; 'y' has the elements 0 to 31"),
                ("y[32]", "out of range; 'y' has the elements 0 to 31"),
                ("y[5:3]", "nothing in this range"), ("y[3:3]", "nothing in this range"),
                ("y[99999999999999999999]", "BUFFER[FROM:TO] is expected"),
                ("y[18446744073709551615]", "BUFFER[FROM:TO] is expected"),
                ("y[-1]", "BUFFER[FROM:TO] is expected"), ("y[", "BUFFER[FROM:TO] is expected"),
                ("y[]", "BUFFER[FROM:TO] is expected"), ("y[1:2]x", "BUFFER[FROM:TO] is expected")):
            self.expect(2, f"--print {text}: ", "run", "launch.yaml", "--print", text)
            self.expect(2, message, "run", "launch.yaml", "--print", text)


class ReferenceKernel(Case):
    def setUp(self):
        super().setUp()
        self.write("two.cu", TWO_KERNELS)

    def run_json(self, text, code, *arguments):
        self.write("two.yaml", text)
        done = self.run_program("run", "two.yaml", "--format", "json", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def changed(self, old, new):
        self.assertIn(old, REFERENCE)
        return REFERENCE.replace(old, new)

    def test_agrees(self):
        result = self.run_json(REFERENCE, 0)
        check = result["checks"][0]
        self.assertEqual((check["buffer"], check["passed"], check["kernel"], check["elements"]),
                         ("y", True, "slow", 64))
        # Figures of the reference are not part of the report, and it does not disturb the run.
        plain = self.run_json(self.changed("expect:\n  - {buffer: y, kernel: slow}\n", ""), 0)
        del plain["checks"], result["checks"]
        self.assertEqual(plain, result)

    def test_differs(self):
        check = self.run_json(self.changed("kernel: slow", "kernel: wrong"), 1)["checks"][0]
        self.assertEqual((check["mismatches"], check["first_index"], check["expected"],
                          check["actual"]), (1, 5, "-1", "12"))

    def test_initial_buffers(self):
        # The kernel has changed y before it is compared: the reference must not see that.
        text = self.changed("kernel: slow", "kernel: other, params: [{ref: x}, {ref: y}], block: 3")
        check = self.run_json(text, 1)["checks"][0]
        self.assertEqual((check["mismatches"], check["first_index"], check["expected"]),
                         (61, 3, "7"))
        text = self.changed("kernel: slow", "kernel: other, params: [{ref: x}, {ref: y}]")
        self.assertTrue(self.run_json(text, 0)["checks"][0]["passed"])

    def test_launch_is_that_of_the_run(self):
        check = self.run_json(REFERENCE, 0, "--launch", "params.0=10")["checks"][0]
        self.assertTrue(check["passed"])

    def test_faults_are_those_of_the_reference(self):
        for kernel, code, message in (("beyond", 4, "the reference kernel stopped early: beyond,"),):
            self.write("two.yaml", self.changed("kernel: slow", f"kernel: {kernel}"))
            done = self.expect(code, message, "run", "two.yaml")
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.startswith("two.yaml: error: "), done.stderr)

    def test_wrong(self):
        for new, message in (
                ("kernel: slwo", "did you mean 'slow'?"),
                ("kernel: other", "'other' takes other parameters than 'fast'"),
                ("kernel: slow, fill: 1", "'fill' beside 'kernel'"),
                ("fill: 1, block: 3", "'block' goes with 'kernel', which is missing"),
                ("kernel: slow, block: 2048", "block"),
                ("kernel: slow, params: [{s32: 1}]", "takes 3 parameters")):
            self.write("two.yaml", self.changed("kernel: slow", new))
            self.expect(3, message, "run", "two.yaml")

    def test_several_launches(self):
        text = self.changed("kernel: fast\ngrid: 1\nblock: 64\n"
                            "params: [{s32: 64}, {ref: x}, {ref: y}]\n", """launches:
  - {kernel: fast, grid: 1, block: 64, params: [{s32: 64}, {ref: x}, {ref: y}]}
  - {kernel: fast, grid: 1, block: 32, params: [{s32: 32}, {ref: x}, {ref: y}]}
""")
        self.write("two.yaml", text)
        self.expect(3, "there are several launches", "run", "two.yaml")
        self.run_json(text.replace("kernel: slow", "kernel: slow, grid: 1, block: 1, "
                                   "params: [{s32: 64}, {ref: x}, {ref: y}]"), 0)


class Quickstart(Case):
    def test_ends_with_what_to_do_next(self):
        """The script with packages and build in place: its steps, a report, and commands that work."""
        for name in ("quickstart", ".ci/setup.sh"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(SOURCES / name, self.folder / name)
        (self.folder / "build/cli").mkdir(parents=True)
        (self.folder / "build/build.ninja").touch()
        os.symlink(PROGRAM, self.folder / "build/cli/warpstep")
        stubs = self.folder / "stubs"
        stubs.mkdir()
        for name, says in (("dpkg-query", "install ok installed"), ("ninja", "[1/1] Linking")):
            (stubs / name).write_text(f"#!/bin/sh\necho '{says}'\n")
            (stubs / name).chmod(0o755)
        done = subprocess.run(["./quickstart"], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": f"{stubs}:{os.environ['PATH']}"}, check=True)
        for step in ("1/3  Packages", "2/3  Build", "3/3  First run", "with_divergence on NVIDIA H200"):
            self.assertIn(step, done.stdout)
        last = done.stdout.partition("\nNext:\n")[2]
        self.assertEqual([line.split()[:2] for line in last.splitlines()],
                         [["export", f'PATH="{self.folder.resolve()}/build/cli:$PATH"'], ["warpstep", "step"], ["warpstep", "report"]])
        script = "".join(line.split("#")[0].replace(" step ", " step --batch -e diverge ") + "\n" for line in last.splitlines())
        subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, check=True, capture_output=True, timeout=120)
        self.assertTrue((self.folder / "divergence.html").exists())


if __name__ == "__main__":
    unittest.main()
