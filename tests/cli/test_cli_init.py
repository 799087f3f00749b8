"""Launch files that `init` makes, and whether they do something: test_cli_init.py WARPSTEP"""
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
SCALE = """\
__global__ void scale(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}
"""
SM_COUNT = 132  # of the default device, with 2048 threads each


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def call(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def init(self, source, *arguments):
        """What is told, and the launch file."""
        self.write("k.cu", source)
        done = self.call("init", "k.cu", *arguments, "--force")
        return done.stderr, (self.folder / "k.yaml").read_text()

    def run_json(self, *arguments):
        return json.loads(self.call("run", "k.yaml", *arguments, "--format", "json").stdout)


class Values(Case):
    def test_struct_with_a_size(self):
        """With zeros all threads leave at once."""
        told, text = self.init(
            "struct P { float by; int n; };\n"
            "__global__ void k(float *x, P p)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i >= p.n)\n        return;\n    x[i] = x[i] * p.by + 1;\n}\n")
        self.assertEqual(told, "")
        n = int(re.search(r"let: {n: (\d+)}", text)[1])
        self.assertIn(f"a struct of 8 bytes; 4 to 7 are n = {n}, the others zero", text)
        self.assertIn(f"{{bytes: [0, 0, 0, 0, {', '.join(map(str, n.to_bytes(4, 'little')))}]}}", text)
        self.assertGreater(self.run_json()["memory"]["global_store_requests"], 0)

    def test_level_that_no_vertex_has(self):
        told, text = self.init(
            "__global__ void step(const int *first, const int *to, int *distance, int level, int nodes, int *changed)\n"
            "{\n    int u = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (u >= nodes || distance[u] != level) return;\n"
            "    for (int e = first[u]; e < first[u + 1]; e++)\n"
            "        if (atomicCAS(&distance[to[e]], -1, level + 1) == -1)\n"
            "            *changed = 1;\n}\n")
        self.assertEqual(told, "")  # every line is reached
        lines = {line["line"]: line for line in self.run_json()["lines"]}
        self.assertGreater(lines[7]["lanes_pred_on"], 0, text)

    def test_signs(self):
        told, text = self.init(
            "__global__ void k(float *x, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i < n && x[i] < 0)\n        x[i] = -x[i];\n}\n")
        self.assertEqual(told, "")
        self.assertIn("x: {type: f32, count: n, init: {random: {seed: 1, min: -1, max: 1}}}", text)

    def test_what_is_enough_stays(self):
        told, text = self.init(SCALE.replace("2 *", "a *").replace("int n", "float a, int n"))
        self.assertEqual(told, "")
        self.assertIn("x: {type: f32, count: n, init: {random: {seed: 2}}}", text)
        self.assertIn("{f32: 1.0}", text)

    def test_what_no_guess_reaches(self):
        told, text = self.init(
            "__global__ void k(int *x, const int *key, int n, int magic)\n{\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n)\n        return;\n"
            "    if (magic == 12345) {\n        x[i] = key[i] * 3;\n        x[i] ^= 1;\n    } else {\n"
            "        x[i] = 1;\n    }\n    if (key[i] > 1000)\n        atomicAdd(x, 7);\n}\n")
        notes = ["no thread reaches lines 7 to 8 of k.cu: line 6 decides that; change 'magic'",
                 "no thread reaches line 13 of k.cu: line 12 decides that; change what is in 'key'"]
        self.assertEqual(told, "".join(f"k.yaml: note: {note}\n" for note in notes))
        for note in notes:
            self.assertIn(f"# {note}\n", text)
        # And so it is: with this value it is the other side that nobody reaches.
        lines = {line["line"] for line in self.run_json("--launch", "magic=12345")["lines"]
                 if line["lanes_pred_on"]}
        self.assertIn(8, lines)

    def test_only_a_size(self):
        told, _ = self.init("__global__ void k(int *x, int n)\n{\n    if (n == 77)\n        x[threadIdx.x] = 1;\n}\n")
        self.assertIn("change 'n'", told)


class Grid(Case):
    def test_fills_the_device(self):
        for source, pattern in ((SCALE, r"let: {n: (\d+)}"),
                                ("__global__ void add(float *z, const float *x, int rows, int cols)\n{\n"
                                 "    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;\n"
                                 "    if (r < rows && c < cols)\n        z[r * cols + c] = x[r * cols + c] + 1;\n}\n",
                                 r"let: {n: (\d+)}")):
            told, text = self.init(source)
            self.assertEqual(told, "")
            self.assertNotIn("set:", text)
            result = self.run_json()
            blocks = result["launches"][0]["grid"]
            self.assertGreaterEqual(blocks[0] * blocks[1] * blocks[2] * 256, SM_COUNT * 2048, text)
            self.assertNotIn("small_grid", [b["name"] for b in result["bottlenecks"]])

    def test_that_of_a_small_device(self):
        """No less than what is tried first; else as many threads as it has places for."""
        for sms, n in ((2, 8192), (10, 20480)):
            self.assertIn(f"let: {{n: {n}}}", self.init(SCALE, "-s", f"sms={sms}")[1])

    def test_one_block(self):
        """Another block would do the same again; the report does not begin with 131 SMs that have none."""
        told, text = self.init("__global__ void k(float *x, int n)\n{\n"
                               "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n        x[i] = 2 * x[i];\n}\n")
        self.assertEqual(told, "")
        self.assertIn("set: {sms: 1}             # as many as the grid has blocks\n", text)
        self.assertNotIn("small_grid", [b["name"] for b in self.run_json()["bottlenecks"]])

    def test_work_that_grows_with_the_size(self):
        """Each thread goes over all: a full device would take minutes."""
        _, text = self.init("__global__ void k(const float *x, float *y, int n)\n{\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = 0;\n"
                            "    for (int j = 0; j < n; j++)\n        sum += x[j] * x[(i + j) % n];\n    if (i < n)\n        y[i] = sum;\n}\n")
        result = self.run_json()
        self.assertLess(result["warp_instructions"], 10_000_000)
        self.assertNotIn("small_grid", [b["name"] for b in result["bottlenecks"]])


class Host(Case):
    MAIN = ("#include <cuda_runtime.h>\n" + SCALE + "// int main() scale<<<1, 1>>>\n"
            "static const char *text = \"main() <<<\";\n"
            "int main()\n{\n    float *d;\n    cudaMalloc(&d, 4000);\n"
            "    scale<<<4, 256>>>(d, d, 1000);\n%s    return text == 0;\n}\n")

    def test_is_told(self):
        for more, words in (("", "main() in line 10 and the launch in line 14 are ignored"),
                            ("    scale<<<4, 256>>>(d, d, 7);\n",
                             "main() in line 10 and the launches in line 14 and below are ignored")):
            told, text = self.init(self.MAIN % more)
            note = words + ": only kernels are run, and a launch file says with what grid, buffers and values"
            self.assertEqual(told, f"k.yaml: note: {note}\n")
            self.assertIn(f"# {note}\n", text)

    def test_none(self):
        for source in (SCALE, "// int main() { scale<<<1, 1>>>(); }\n" + SCALE,
                       SCALE + "__device__ int domain(int x) { return x << 3; }\n"):
            self.assertEqual(self.init(source)[0], "")


class Run(Case):
    def test_program(self):
        """What init does, then the run."""
        self.write("k.cu", SCALE)
        first = self.call("run", "k.cu")
        self.assertEqual(first.stderr, "k.yaml is written, with guessed values: it launches "
                         "scale(float* y, float const* x, int n)\n")
        self.assertTrue(first.stdout.startswith("scale on NVIDIA H200: 1,056 blocks of 256 threads"), first.stdout)
        text = (self.folder / "k.yaml").read_text()
        self.call("init", "k.cu", "-o", "other.yaml")
        self.assertEqual((self.folder / "other.yaml").read_text(), text)
        # From then on it is the user's.
        self.write("k.yaml", re.sub(r"let: {n: \d+}", "let: {n: 600}", text))
        second = self.call("run", "k.cu")
        self.assertEqual(second.stderr, "")
        self.assertTrue(second.stdout.startswith("scale on NVIDIA H200: 3 blocks of 256 threads"), second.stdout)

    def test_other_commands(self):
        self.write("k.cu", SCALE)
        self.assertIn("k.yaml is written", self.call("step", "k.cu", "--batch", "-e", "goto end").stderr)
        self.assertEqual(self.call("trace", "k.cu", "--warp", "0", "-o", "/dev/null").stderr, "")

    def test_what_it_is_compiled_with(self):
        self.write("k.cu", SCALE.replace("2 *", "BY *"))
        self.call("run", "k.cu", code=3)
        self.assertFalse((self.folder / "k.yaml").exists())
        self.call("run", "k.cu", "-DBY=3")
        self.assertIn('compile: {define: ["BY=3"]}', (self.folder / "k.yaml").read_text())
        self.call("run", "k.cu")

    def test_confined(self):
        (self.folder / "in").mkdir()
        self.write("part.h", "#define BY 2\n")
        self.write("in/k.cu", '#include "../part.h"\n' + SCALE)
        self.assertIn("outside", self.call("run", "in/k.cu", "--confine", code=3).stderr)
        self.assertFalse((self.folder / "in/k.yaml").exists())


class Output(Case):
    def test_device(self):
        self.write("k.cu", SCALE)
        self.assertEqual(self.call("init", "k.cu", "-o", "/dev/null").stdout, "")
        self.call("run", "k.cu", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertIn("No space left on device", self.call("run", "k.cu", "-o", "/dev/full", code=3).stderr)

    def test_stdout(self):
        self.write("k.cu", SCALE)
        self.assertTrue(self.call("init", "k.cu", "-o", "-").stdout.startswith("# scale(float* y"))


if __name__ == "__main__":
    unittest.main()
