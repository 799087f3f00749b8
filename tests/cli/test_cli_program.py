"""`warpstep run`, `step` and others with a whole CUDA program as the target: test_cli_program.py WARPSTEP"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

from clangs import program_obstacle

WARPSTEP = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = """#include <cstdio>
#include <cstdlib>
#include "by.h"
__global__ void scale(int n, float a, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = a * x[i];
}
__global__ void add(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += x[i];
}
int main(int count, char **word)
{
    if (count > 3)
        abort();
    int n = count > 1 ? atoi(word[1]) : 100;
    float *x, h = 0;
    if (n < 0)
        return 7;
    if (cudaMalloc(&x, 4 * n) != cudaSuccess)
        return 8;
    cudaMemset(x, 0, 4 * n);
    scale<<<2, 64>>>(n, BY, x);
    add<<<1, 64>>>(n, x, x);
    scale<<<1, 64>>>(n, BY, x);
    cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);
    std::printf("%s %d %g\\n", word[0], n, h + BY);
    return count > 2 ? atoi(word[2]) : 0;
}
"""


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPSTEP_")}
        cls.environment["XDG_CACHE_HOME"] = str(cls.folder / "cache")
        (cls.folder / "prog.cu").write_text(PROGRAM)
        (cls.folder / "by.h").write_text("#define BY 3\n")
        (cls.folder / "kernel.cu").write_text("__global__ void set(int *x) { x[threadIdx.x] = 1; }\n")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def warpstep(self, *words, code=0, **environment):
        done = subprocess.run([WARPSTEP, *words], cwd=self.folder, capture_output=True, text=True,
                              env={**self.environment, **environment}, timeout=100)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_all_launches(self):
        done = self.warpstep("run", "prog.cu", "--sms", "2", "--", "90", "5", code=5)
        self.assertEqual(done.stdout, "prog 90 3\n")
        rows = re.findall(r"^(\w+) +(\d) x 1 x 1 +64 x 1 x 1 +\d+ +\d+  \w+ \d+ %$", done.stderr, re.M)
        self.assertEqual(rows, [("scale", "2"), ("add", "1"), ("scale", "1")])
        self.assertIn("3 launches, ", done.stderr)
        self.assertEqual(self.warpstep("run", "prog.cu", "-o", "report.txt").stderr, "")
        self.assertIn("3 launches, ", (self.folder / "report.txt").read_text())

    def test_json(self):
        done = self.warpstep("run", "prog.cu", "--device", "a100", "--policy", "lrr", "--set",
                             "sms=4", "--format", "json")
        self.assertEqual(done.stderr, "prog 100 3\n")
        documents = json.loads(done.stdout)
        self.assertEqual([(d["device"], d["kernel"]) for d in documents],
                         [("NVIDIA A100", "scale"), ("NVIDIA A100", "add"), ("NVIDIA A100", "scale")])
        self.warpstep("run", "prog.cu", "--device", "a100", "--policy", "lrr", "--sms", "4", "-f", "json", "-o", "a.json")
        self.assertEqual((self.folder / "a.json").read_text(), done.stdout)
        self.assertRegex(self.warpstep("run", "prog.cu", "--functional").stderr, r"64 x 1 x 1 +- +\d+\n")

    def test_one_launch(self):
        done = self.warpstep("run", "prog.cu", "--kernel", "scale,2", "--print", "cudaMalloc_1[0:4]", "--check", "all",
                             "--", "60")
        self.assertIn("scale on NVIDIA H200: 1 block of 64 threads", done.stdout)
        self.assertIn("x[i] = a * x[i];", done.stdout)
        self.assertIn("cudaMalloc_1", done.stdout)
        self.assertEqual(done.stderr, "")  # the program ended at the launch
        documents = json.loads(self.warpstep("run", "prog.cu", "--format", "json").stdout)
        for number, name in enumerate(("scale", "add", "scale,2")):
            alone = json.loads(self.warpstep("run", "prog.cu", "--kernel", name, "--format", "json").stdout)
            self.assertEqual(alone, documents[number], name)
        said = self.warpstep("step", "prog.cu", "--kernel", "add", "-b", "-e", "break prog.cu:14", "-e", "continue").stdout
        self.assertIn("y[i] += x[i];", said)
        self.assertIn("scale", self.warpstep("trace", "prog.cu", "--to", "40").stdout)
        self.warpstep("report", "prog.cu", "--kernel", "add", "-o", "page.html")
        self.assertIn("<title>", (self.folder / "page.html").read_text())

    def test_capture(self):
        self.warpstep("run", "prog.cu", "--capture", "all")
        self.warpstep("run", "prog.cu", "--capture", "some", "--kernel", "scale")
        self.assertEqual(sorted(p.name for p in (self.folder / "all").glob("*.yaml")),
                         ["0001-scale.yaml", "0002-add.yaml", "0003-scale.yaml"])
        self.assertEqual(sorted(p.name for p in (self.folder / "some").glob("*.yaml")),
                         ["0001-scale.yaml", "0003-scale.yaml"])

    def test_it_is_compiled_once(self):
        programs = self.folder / "cache/warpstep/programs"

        def kept():
            return {path: path.stat().st_ino for path in programs.glob("*.program")}

        self.warpstep("run", "prog.cu")
        before = kept()
        self.assertIn("prog 50 3\n", self.warpstep("run", "prog.cu", "--", "50").stdout)
        os.utime(self.folder / "prog.cu", (time.time() + 9, time.time() + 9))
        self.warpstep("run", "prog.cu")
        self.assertEqual(kept(), before)
        (self.folder / "by.h").write_text("#define BY 4\n")
        try:
            self.assertIn("prog 100 4\n", self.warpstep("run", "prog.cu").stdout)
            self.assertEqual(len(kept()), len(before) + 1)
        finally:
            (self.folder / "by.h").write_text("#define BY 3\n")
        self.warpstep("run", "prog.cu", "-DOTHER", "--no-cache")
        self.assertEqual(len(kept()), len(before) + 1)

    def test_sampled(self):
        def rows(*words):
            said = self.warpstep("run", "many.cu", *words).stderr
            found = re.findall(r"^(\w+) +\d x 1 x 1 +(\d+) x 1 x 1 +([~-]?)(\d*) ", said, re.M)
            return said, found

        (self.folder / "many.cu").write_text(
            "#include <cstdio>\n__global__ void one(int *x) { x[threadIdx.x]++; }\n"
            "int main()\n{\n    int *x, h;\n    cudaMalloc(&x, 400);\n    cudaMemset(x, 0, 400);\n"
            "    for (int i = 0; i < 4; i++) {\n        one<<<1, 32>>>(x);\n        one<<<1, 64>>>(x);\n    }\n"
            "    cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);\n"
            "    std::printf(\"%d %s\\n\", h, cudaGetErrorName(cudaGetLastError()));\n}\n")
        said, all_of = rows()
        self.assertNotIn("of them", said)
        time = re.search("8 launches, (.*) ms", said).group(1)
        said, first = rows("--sample", "first")
        self.assertEqual([row[2] for row in first], ["", "", "~", "~", "~", "~", "~", "~"])
        self.assertEqual([row[3] for row in first], [row[3] for row in first[:2]] * 4)
        self.assertIn("2 of them were timed", said)
        self.assertEqual(first[:2], all_of[:2])
        self.assertEqual(re.search("8 launches, (.*) ms", said).group(1), time)  # launches alike are alike here
        said, third = rows("--sample", "nth:3")
        self.assertEqual([row[2] for row in third], ["-", "-", "-", "-", "", "", "~", "~"])
        documents = json.loads(self.warpstep("run", "many.cu", "--sample", "every:2", "-f", "json").stdout)
        self.assertEqual([d is None for d in documents], [False, False, True, True] * 2)
        self.assertIn("WARPSTEP_SAMPLE is first, every:N or nth:N, not 'all'",
                      self.warpstep("run", "many.cu", "--sample", "all").stderr)
        self.assertIn("exclude each other", self.warpstep("run", "many.cu", "--sample", "first", "--functional", code=2).stderr)
        said = self.warpstep("run", "many.cu", "--max-seconds", "1e-5")
        self.assertIn("the launches took 1e-05 seconds of processor time, as many as WARPSTEP_MAX_SECONDS allows", said.stderr)
        self.assertIn("cudaErrorLaunchTimeout", said.stdout)

    def test_how_it_ends(self):
        self.assertEqual(self.warpstep("run", "prog.cu", "--", "-1", code=7).stderr, "")
        said = self.warpstep("run", "prog.cu", "--", "1", "2", "3", code=134).stderr
        self.assertIn("prog.cu: error: the program was ended by signal 6 (Aborted)", said)
        said = self.warpstep("step", "prog.cu", "-b", "--", "-1", code=3).stderr
        self.assertIn("prog.cu: error: the program ended, with code 7, without a launch", said)
        said = self.warpstep("run", "prog.cu", "--kernel", "scale,3", code=3).stderr
        self.assertIn("without the launch 'scale,3' (--kernel)", said)
        self.warpstep("run", "prog.cu", "--device", "h300", code=8)
        (self.folder / "wrong.cu").write_text("int main() { return nothing; }\n")
        self.assertIn("wrong.cu:1:21: error: ", self.warpstep("run", "wrong.cu", code=3).stderr)

    def test_refused(self):
        for words, text in ((["run", "prog.cu", "--check", "all"], "--check is of one launch"),
                            (["run", "prog.cu", "--launch", "block=32"], "--launch is of one launch"),
                            (["run", "prog.cu", "--confine"], "--confine: a whole program runs on this machine"),
                            (["step", "prog.cu", "--confine", "-b"], "--confine: a whole program runs on this machine"),
                            (["run", "kernel.cu", "--kernel", "set"], "--kernel is for whole programs"),
                            (["run", "kernel.cu", "--", "5"], "arguments after -- are for whole programs"),
                            (["run", "kernel.cu", "--capture", "c"], "--capture is for whole programs")):
            self.assertIn(text, self.warpstep(*words, code=2).stderr)
        for command in ("sweep", "advise"):
            said = self.warpstep(command, "prog.cu", *(["-P", "sms=1", "-o", "o"] if command == "sweep" else []), code=3)
            self.assertIn("a whole program: 'warpstep run prog.cu --capture FOLDER' writes its launches as launch files",
                          said.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
