"""test_compiler_version.py WARPSTEP: which clang compiled a program stands in all that is made of its run."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import clangs
from grade_fixture import GradeCase
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

KERNEL = "__global__ void k(int *out) { out[threadIdx.x] = 2 * out[threadIdx.x] + 1; }\n"
# nvcc takes it, and clang only after it has been preprocessed and mended.
MENDED = """\
__global__ void k(int *out)
{
    int sm;
    asm("mov.u32 %0, %smid;" : "=r"(sm));
    out[threadIdx.x] = sm;
}
"""
LAUNCH = """\
version: 1
program: k.cu
set: {sms: 1}
buffers:
  out: {type: s32, count: 32, init: {linear: {}}}
launches:
  - {kernel: k, grid: 1, block: 32, params: [{ref: out}]}
"""


@unittest.skipUnless(clangs.HAS_CLANG, "clang is not there")
class VersionCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        (self.folder / "k.cu").write_text(KERNEL)
        (self.folder / "k.yaml").write_text(LAUNCH)

    def run_program(self, *arguments, clang=None, code=0):
        environment = dict(self.environment, **({"WARPSTEP_CLANG": clang} if clang else {}))
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def compiler(self, *arguments, target="k.yaml", **more):
        return json.loads(self.run_program("run", target, "--format", "json", *arguments, **more))["compiler"]


class ReportsCase(VersionCase):
    def test_every_version_is_named(self):
        for clang in clangs.installed():
            name = clangs.name_of(clang)
            with self.subTest(name):
                self.assertEqual(self.compiler(clang=clang), name)
                self.assertEqual(self.compiler("--debug", clang=clang), name)
                words, number = name.rsplit(" ", 1)
                line = f"  {'compiled by ' + words:19} {number:>11}  another version generates different code"
                self.assertIn(line, self.run_program("run", "k.yaml", clang=clang))

    def test_with_the_cache_and_without(self):
        name = clangs.name_of(clangs.taken())
        for options in ((), (), ("--no-cache",), ("--check=uninitialised",)):
            self.assertEqual(self.compiler(*options), name)
        # with precompiled headers, which the second program of a cache has
        (self.folder / "k.cu").write_text(KERNEL + "// other\n")
        for _ in range(2):
            self.assertEqual(self.compiler(), name)
        self.assertTrue(list((self.folder / "cache").glob("warpstep/ptx/*.pch")))

    def test_mended_source(self):
        (self.folder / "k.cu").write_text(MENDED)
        self.assertEqual(self.compiler(), clangs.name_of(clangs.taken()))

    def test_no_source_says_another(self):
        (self.folder / "k.cu").write_text(
            'static __device__ const char __warpstep_other[] = "clang 1.2.3";\n'
            + KERNEL.replace("out[threadIdx.x] =", 'asm("\\n.const .align 1 .b8 _ZL19__warpstep_compiler[2] = {49, 0};\\n");'
                             " out[threadIdx.x] = __warpstep_other[1] +"))
        self.assertEqual(self.compiler(), clangs.name_of(clangs.taken()))

    def test_bytecode_keeps_it_and_assembly_has_none(self):
        self.run_program("asm", "k.cu", "-o", "k.wsbin")
        (self.folder / "b.yaml").write_text(LAUNCH.replace("k.cu", "k.wsbin"))
        self.assertEqual(self.compiler(target="b.yaml"), clangs.name_of(clangs.taken()))
        (self.folder / "k.wsasm").write_text(self.run_program("disasm", "k.cu"))
        (self.folder / "a.yaml").write_text(LAUNCH.replace("k.cu", "k.wsasm").replace("kernel: k", "kernel: _Z1kPi"))
        self.assertIsNone(self.compiler(target="a.yaml"))
        self.assertNotIn("compiled by", self.run_program("run", "a.yaml"))

    def test_page(self):
        self.run_program("report", "k.yaml", "-o", "k.html")
        self.assertIn(f'"compiler": "{clangs.name_of(clangs.taken())}"', (self.folder / "k.html").read_text())

    def test_recording(self):
        self.run_program("run", "k.yaml", "--record", "k.wsrec")
        self.assertEqual(self.compiler(target="k.wsrec"), clangs.name_of(clangs.taken()))


@unittest.skipUnless(clangs.two_versions(), "there are no two versions of clang")
class TwoVersionsCase(VersionCase):
    def setUp(self):
        super().setUp()
        self.clangs = clangs.two_versions()
        self.names = [clangs.name_of(clang) for clang in self.clangs]

    def test_diff(self):
        for side, clang in zip("ab", self.clangs):
            self.run_program("asm", "k.cu", "-o", f"{side}.wsbin", clang=clang)
            (self.folder / f"{side}.yaml").write_text(LAUNCH.replace("k.cu", f"{side}.wsbin"))
        code = 0 if self.run_program("disasm", "a.wsbin", "--no-sources") == self.run_program("disasm", "b.wsbin", "--no-sources") else 1
        document = json.loads(self.run_program("diff", "a.yaml", "b.yaml", "--format", "json", code=code))
        self.assertEqual([document[side]["compiler"] for side in "ab"], self.names)
        line = "   compiled by {} | {}: cycles may differ for that reason\n"
        self.assertIn(line.format(*self.names), self.run_program("diff", "a.yaml", "b.yaml", code=code))
        self.assertIn(line.format(*self.names[::-1]), self.run_program("diff", "b.yaml", "a.yaml", code=code))
        self.assertNotIn("compiled by", self.run_program("diff", "a.yaml", "a.yaml"))
        # assembly has none: nothing is known, and nothing said
        (self.folder / "c.wsasm").write_text(self.run_program("disasm", "b.wsbin"))
        (self.folder / "c.yaml").write_text(LAUNCH.replace("k.cu", "c.wsasm").replace("kernel: k", "kernel: _Z1kPi"))
        self.assertNotIn("compiled by", self.run_program("diff", "b.yaml", "c.yaml"))

    def test_sweep_that_goes_on(self):
        def rows():
            with open(self.folder / "out/runs.csv", newline="", encoding="utf-8") as table:
                return [row["compiler"] for row in csv.DictReader(table)]

        sweep = ("sweep", "k.yaml", "-P", "policy=lrr,gto,oldest", "-o", "out")
        text = self.run_program(*sweep, "--points", "0-0", clang=self.clangs[0])
        self.assertNotIn("compiled by", text)
        said = "compiled by {} (1 point) and {} (2 points): cycles may differ for that reason".format(*self.names)
        self.assertIn(said, self.run_program("sweep", "out", clang=self.clangs[1]))
        self.assertEqual(rows(), [self.names[0], self.names[1], self.names[1]])
        # whatever compiles now: it is of the rows
        self.assertIn(said, self.run_program("sweep", "out", clang=self.clangs[0]))
        self.assertIn(said, self.run_program("sweep", "out", "--collect"))
        columns = (self.folder / "out/columns.csv").read_text()
        self.assertIn('compiler,,"compiler of the CUDA C, with its version"', columns)

    def test_sweep_of_bytecode(self):
        (self.folder / "k.wsasm").write_text(self.run_program("disasm", "k.cu"))
        (self.folder / "k.yaml").write_text(LAUNCH.replace("k.cu", "k.wsasm").replace("kernel: k", "kernel: _Z1kPi"))
        self.assertNotIn("compiled by", self.run_program("sweep", "k.yaml", "-P", "policy=lrr,gto", "-o", "out"))
        with open(self.folder / "out/runs.csv", newline="", encoding="utf-8") as table:
            self.assertEqual([row["compiler"] for row in csv.DictReader(table)], ["", ""])

# Fields of a grade that name a compiler, and the lines of texts.
SAME = "Compiled by {}"
DIFFERENT = "Compiled by {1}; the programs of the assignment by {0}: figures may differ for that reason"


@unittest.skipUnless(clangs.HAS_CLANG, "clang is not there")
class GradesCase(GradeCase):
    program = PROGRAM

    def written(self, form, clang):
        return self.warpstep("grade", self.lab, self.submission, "-f", form,
                             env=dict(os.environ, WARPSTEP_CLANG=clang, XDG_CACHE_HOME=str(self.top / "cache"))).stdout

    def all(self, clang):
        text = self.warpstep("grade", self.lab, "--all", "in", "--out", "out",
                             env=dict(os.environ, WARPSTEP_CLANG=clang, XDG_CACHE_HOME=str(self.top / "cache"))).stdout
        with open(self.top / "out/grades.csv", newline="", encoding="utf-8") as table:
            return text, [row["compiler"] for row in csv.DictReader(table)]

    def expect(self, clang, line, name, own):
        for form in ("text", "tap", "html"):
            self.assertIn(line, self.written(form, clang))
        for form in ("json", "classroom"):
            document = json.loads(self.written(form, clang))
            self.assertEqual((document["compiler"], document["own_compiler"]), (name, own))
        document = json.loads(self.written("gradescope", clang))
        self.assertEqual((document["extra_data"]["compiler"], document["extra_data"]["own_compiler"]), (name, own))
        self.assertEqual(line in document["output"], name != own)
        self.assertIn(f'<property name="compiler" value="{name}"/>', self.written("junit", clang))

    def test_results_name_it(self):
        self.hand_in()
        clang = clangs.taken()
        name = clangs.name_of(clang)
        self.expect(clang, SAME.format(name), name, name)
        text, rows = self.all(clang)
        self.assertIn(f"Compiled by {name} for 1\n", text)
        self.assertEqual(rows, [name])
        self.assertIn(f"<p>Compiled by {name} for 1</p>", (self.top / "out/leaderboard.html").read_text())

    def test_nothing_compiled(self):
        self.hand_in(source="int main( {")
        document = json.loads(self.written("json", clangs.taken()))
        self.assertIsNone(document["compiler"])
        text, rows = self.all(clangs.taken())
        self.assertNotIn("Compiled by", text)
        self.assertEqual(rows, [""])

    @unittest.skipUnless(clangs.two_versions(), "there are no two versions of clang")
    def test_another_version(self):
        first, second = clangs.two_versions()
        names = [clangs.name_of(first), clangs.name_of(second)]
        self.hand_in()
        self.hand_in(student="bob")
        self.assertIn("2 graded, 0 as they were", self.all(first)[0])
        self.assertIn("0 graded, 2 as they were", self.all(first)[0])
        text, rows = self.all(second)
        self.assertIn("2 graded, 0 as they were", text)
        self.assertEqual(rows, [names[1]] * 2)
        # a program of the assignment that was compiled elsewhere
        self.warpstep("asm", self.lab / "public/plain.cu", "-o", self.lab / "public/plain.wsbin", code=0,
                      env=dict(os.environ, WARPSTEP_CLANG=first))
        assignment = self.lab / "assignment.yaml"
        assignment.write_text(assignment.read_text().replace("public/plain.cu", "public/plain.wsbin"))
        self.expect(second, DIFFERENT.format(*names), names[1], names[0])
        self.expect(first, SAME.format(names[0]), names[0], names[0])
        self.assertIn(f"Compiled by {names[1]} for 2; the programs of the assignment by {names[0]} for 2: figures may differ",
                      self.all(second)[0])


if __name__ == "__main__":
    unittest.main()
