"""What is given out for an assignment: test_grade_pack.py WARPSTEP SOURCE_ROOT"""
import base64
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import unittest
import zipfile

import clangs
from grade_fixture import ASSIGNMENT, HAS_CLANG, LAUNCH, REFERENCE, SECRET, GradeCase
from patience import HANGS

GradeCase.program = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Pack(GradeCase):
    def setUp(self):
        super().setUp()
        self.put("lab/assignment.yaml", ASSIGNMENT + "handout: handout.md\npublish: public\n")
        self.put("lab/handout.md", "# Scaling\n")
        self.put("lab/mutants/m.cu", f"// loses: right {SECRET}\n")
        self.put("lab/notes.md", SECRET)
        self.out = self.top / "out"

    def pack(self, *options, code=0):
        return self.warpstep("assignment", "pack", "lab", "--out", self.out, *options, code=code)

    def test_what_students_get(self):
        self.pack()
        files = contents(self.out / "student")
        self.assertEqual(set(files), {
            ".github/workflows/classroom.yml", "answers.yaml", "assignment.yaml", "expected/open-out.bin",
            "handout.md", "public/helper.h", "public/launch.yaml", "public/plain.cu", "scale.cu"})
        for name, data in files.items():
            self.assertNotIn(SECRET.encode(), data, name)
        text = files["assignment.yaml"].decode()
        for hidden in ("secret", "hidden:", "seed", "99", "guess", "loads", "quick_hidden", "right_hidden",
                       "* reference"):
            self.assertNotIn(hidden, text)

    def test_students_grade_themselves(self):
        self.pack()
        student = self.out / "student"
        self.assertIn("1 of 7 points", self.warpstep("grade", student, student, code=1).stdout)
        (student / "scale.cu").write_text(REFERENCE)
        self.assertIn("7 of 7 points", self.warpstep("grade", student, student, code=0).stdout)
        (student / "scale.cu").write_text(REFERENCE.replace("i < n", "i < n - 1"))
        text = self.warpstep("grade", student, student, code=1).stdout
        self.assertIn("out: 1 of 100 elements are wrong", text)
        self.assertIn("was written last by nobody", text)
        (student / "expected/open-out.bin").write_bytes(b"1234")
        self.assertIn("nothing of this size to compare",
                      self.warpstep("grade", student, student, code=70).stderr)

    def test_lines_of_the_program_are_shown(self):
        """It lies beside the folder of its launch file, under that of the assignment."""
        self.pack()
        student = self.out / "student"
        for where, launch in ((self.top, student / "public/launch.yaml"), (student, "public/launch.yaml"),
                              (student / "public", "launch.yaml")):
            for options in ((), ("--confine",)):
                text = subprocess.run([self.program, "run", launch, *options], cwd=where, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=HANGS).stdout
                self.assertRegex(text, r"scale\.cu:5: +out\[i\] = 2 \* in\[i\];", (where, options))
        self.warpstep("report", student / "public/launch.yaml", "-o", "page.html", code=0)
        self.assertIn("out[i] = 2 * in[i];", (self.top / "page.html").read_text())

    def test_lines_outside_of_the_assignment_are_not(self):
        self.pack()
        student = self.out / "student"
        launch = student / "public/launch.yaml"
        (self.out / "scale.cu").write_text(REFERENCE)
        launch.write_text(launch.read_text().replace("../scale.cu", "../../scale.cu"))
        self.assertNotIn("3 * in[i]", self.warpstep("run", launch, code=0).stdout)
        self.assertIn("is outside the target's folder",
                      self.warpstep("run", launch, "--confine", code=3).stderr)

    def test_programs_do_not_reach_up_to_the_assignment(self):
        """A program is what is handed in, perhaps to a folder in the assignment's."""
        self.hand_in('#include "../../../lab/reference/scale.cu"\n')
        shutil.copytree(self.submission, self.lab / "in/ann")
        (self.lab / "in/ann/scale.cu").write_text('#include "../../reference/scale.cu"\n')
        done = self.warpstep("check", self.lab / "in/ann/scale.cu", "--confine", code=3)
        self.assertIn("is outside the target's folder", done.stderr)
        graded = self.warpstep("grade", "lab", "lab/in/ann", code=1)
        self.assertIn("is outside the target's folder", graded.stdout)

    def test_folders_of_headers(self):
        self.pack()
        launch = self.out / "student/public/launch.yaml"
        (self.out / "student/scale.cu").write_text('#include "factor.h"\n' + REFERENCE.replace("3 *", "FACTOR *"))
        self.put("headers/factor.h", "#ifdef MORE\n#define FACTOR 4\n#else\n#define FACTOR 3\n#endif\n")
        self.assertIn("'factor.h' file not found", self.warpstep("run", launch, code=3).stderr)
        for options in (("-I", "headers"), ("-Iheaders", "--confine"), ("--include=headers", "-DMORE=1")):
            self.assertIn("FACTOR * in[i]", self.warpstep("run", launch, *options, code=0).stdout)
        self.warpstep("init", self.out / "student/scale.cu", "-Iheaders", "-o", "made.yaml", code=0)
        self.warpstep("run", "made.yaml", code=0)
        self.assertIn("-I is for programs on disk", self.warpstep("run", "vecadd", "-Iheaders", code=3).stderr)
        self.put("t.wsasm", ".kernel k\n exit\n.end\n")
        self.put("t.yaml", "version: 1\nprogram: t.wsasm\nkernel: k\ngrid: 1\nblock: 32\n")
        self.assertIn("(-I) are for programs in CUDA C",
                      self.warpstep("run", "t.yaml", "-Iheaders", code=3).stderr)

    def test_drawn_numbers_of_open_tests(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace(
            "open: {launch: public/launch.yaml,", "open: {launch: public/launch.yaml, draw: seed,"))
        self.pack()
        student = self.out / "student"
        (student / "scale.cu").write_text(REFERENCE)
        self.assertIn("7 of 7 points", self.warpstep("grade", student, student, code=0).stdout)

    def test_same_bytes(self):
        self.pack()
        first = contents(self.out)
        shutil.rmtree(self.out)
        self.pack()
        self.assertEqual(contents(self.out), first)

    def test_what_is_refused(self):
        self.pack()
        self.assertIn("is not empty", self.pack(code=3).stderr)
        shutil.rmtree(self.out)
        for name in ("reference", ".", "hidden", "mutants/m.cu", "notes.md"):
            self.put("lab/assignment.yaml", ASSIGNMENT + f"publish: [{name}]\n")
            self.assertIn("is not for them", self.pack(code=3).stderr)
            self.assertFalse(self.out.exists())
        self.put("lab/assignment.yaml", ASSIGNMENT)
        os.symlink("../reference", self.lab / "starter/solution")
        self.assertIn("neither a file nor a folder", self.pack(code=3).stderr)
        self.warpstep("assignment", "pack", "lab", code=2)
        self.warpstep("assignment", "check", "lab", "--out", "x", code=2)

    def test_reference_that_fails(self):
        self.put("lab/reference/scale.cu", "int int;\n")
        self.assertIn("the reference fails test 'open'", self.pack(code=1).stderr)

    def workflow(self, *options):
        shutil.rmtree(self.out, ignore_errors=True)
        self.pack(*options)
        return (self.out / "student/.github/workflows/classroom.yml").read_text()

    def test_workflow_takes_the_tests_from_elsewhere(self):
        """By commits, from the organisation's variables or as given; the student's own folder is graded by them."""
        commits = "0123456789abcdef" * 2 + "01234567", "f" * 40
        text = self.workflow()
        self.assertEqual(3, text.count("actions/checkout@v4"))
        for name in ("WARPSTEP_TESTS", "WARPSTEP_TESTS_COMMIT", "WARPSTEP_REPOSITORY", "WARPSTEP_COMMIT"):
            self.assertIn(f'"${{{{ vars.{name} }}}}"', text)
        text = self.workflow("--classroom", f"course/tests@{commits[0]}:week5", "--warpstep", f"our/warpstep@{commits[1]}")
        for line in (f'TESTS: "course/tests"\n', f'TESTS_COMMIT: "{commits[0]}"\n', 'TESTS_FOLDER: "week5"\n',
                     f'WARPSTEP_COMMIT: "{commits[1]}"\n', 'grade "tests/$TESTS_FOLDER" submission'):
            self.assertIn(line, text)
        self.assertNotIn("vars.", text)
        for place in ("course/tests", "course/tests@main", f"tests@{commits[0]}", f"a/b@{commits[0]}:x y", f"a/b@{commits[0]}\n"):
            shutil.rmtree(self.out, ignore_errors=True)
            self.assertIn("OWNER/NAME@COMMIT", self.pack("--classroom", place, code=2).stderr)
        self.warpstep("assignment", "check", "lab", "--classroom", f"a/b@{commits[0]}", code=2)

    def steps(self, text):
        """The scripts of the workflow's steps, by their first words."""
        blocks = re.findall(r"- name: ([^\n]+)\n(?:        id: \w+\n)?        run: \|\n((?:          [^\n]*\n)+)", text)
        return {name: "".join(line[10:] + "\n" for line in block.splitlines()) for name, block in blocks}

    def run_step(self, script, **environment):
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.top, text=True, timeout=HANGS,
                              env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_workflow_refuses_what_is_no_commit(self):
        script = self.steps(self.workflow())["What is checked out is named by commits"]
        good = {"TESTS": "a/tests", "WARPSTEP": "a/warpstep", "TESTS_COMMIT": "a" * 40, "WARPSTEP_COMMIT": "b" * 40}
        self.assertEqual(0, self.run_step(script, **good).returncode)
        for name in good:
            for wrong in ("", "main"):
                self.assertEqual(1, self.run_step(script, **dict(good, **{name: wrong})).returncode, (name, wrong))

    def test_workflow_reports_points(self):
        """What the reporter of GitHub Classroom gets: version 1 of its results, in base 64, by the id of the step."""
        text = self.workflow()
        self.assertIn("uses: classroom-resources/autograding-grading-reporter@v1", text)
        self.assertIn('WARPSTEP_RESULTS: "${{ steps.warpstep.outputs.result }}"', text)
        self.assertIn("runners: warpstep\n", text)
        (self.top / "tests").symlink_to(self.out / "student")
        (self.top / "submission").mkdir()
        (self.top / "warpstep/build/cli").mkdir(parents=True)
        (self.top / "warpstep/build/cli/warpstep").symlink_to(self.program)
        slow = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n"
                                 "    for (int k = 0; k < 64; k++) s += in[(i * 7 + k * 13) % n];\n"
                                 "    if (i < n && s != 12345)")
        for source, points, status in ((REFERENCE, 7, "pass"), (slow, 5, "fail"), ("int int;\n", 0, "fail")):
            (self.top / "submission/scale.cu").write_text(source)
            (self.top / "output").write_text("")
            done = self.run_step(self.steps(text)["Grade"], TESTS_FOLDER="", GITHUB_OUTPUT=str(self.top / "output"))
            self.assertEqual(0, done.returncode, done.stdout)
            name, _, value = (self.top / "output").read_text().partition("=")
            result = json.loads(base64.b64decode(value))
            self.assertEqual((name, result["version"], result["max_score"], result["status"]), ("result", 1, 7, status))
            self.assertEqual(points, sum(test["score"] for test in result["tests"]))
            self.assertEqual({"right", "fast", "plain"}, {test["name"].split(" (")[0] for test in result["tests"]})
            for test in result["tests"]:
                self.assertIn(test["status"], ("pass", "fail"))
        (self.out / "student/public/launch.yaml").write_text("version: 2\n")
        done = self.run_step(self.steps(text)["Grade"], TESTS_FOLDER="", GITHUB_OUTPUT=str(self.top / "output"))
        self.assertNotEqual(0, done.returncode)  # no points are reported, and never a zero

    def test_gates_are_given_out_for_public_tests(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace(
            "    draw: seed\n", "    draw: {seed: any, n: [600, 900, 4]}\n    public: open\n").replace(
            "name: fast\n    test: open", "name: fast\n    test: secret"))
        self.pack()
        text = (self.out / "student/assignment.yaml").read_text()
        for hidden in ("secret", "hidden: ", "600", "public: open", "reference"):
            self.assertNotIn(hidden, text)
        self.assertRegex(text, r"name: \"fast\"\n(    .*\n)*    test: open\n")
        (self.out / "student/scale.cu").write_text(REFERENCE)
        self.assertIn("8 of 8 points", self.warpstep("grade", "out/student", "out/student", code=0).stdout)

    def autograder(self, *, time="2026-10-01T10:30:00.123456-07:00"):
        """Runs the archive's script as Gradescope would, with the program in the path."""
        place = self.top / "autograder"
        shutil.rmtree(place, ignore_errors=True)
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            self.assertIsNone(archive.testzip())
            archive.extractall(place / "source")
            modes = {i.filename: i.external_attr >> 16 for i in archive.infolist()}
        self.assertTrue(modes["run_autograder"] & stat.S_IXUSR and modes["setup.sh"] & stat.S_IXUSR)
        self.assertFalse(modes["assignment/assignment.yaml"] & stat.S_IXUSR)
        (place / "results").mkdir()
        shutil.copytree(self.submission, place / "submission")
        (place / "submission_metadata.json").write_text(json.dumps(
            {"id": 7, "created_at": time, "users": [{"id": 31, "name": "Ann"}]}))
        environment = dict(os.environ, AUTOGRADER=str(place),
                           PATH=os.path.dirname(self.program) + ":" + os.environ["PATH"])
        done = subprocess.run(["bash", place / "source/run_autograder"], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS)
        results = place / "results/results.json"
        return done, json.loads(results.read_text()) if results.exists() else None

    def test_gradescope(self):
        self.pack()
        self.hand_in()
        done, result = self.autograder()
        self.assertEqual((done.returncode, result["score"]), (0, 11), done.stderr)
        self.hand_in("int int;\n")
        done, result = self.autograder()
        self.assertEqual((done.returncode, result["score"]), (0, 1), done.stderr)

    def test_gradescope_late_and_broken(self):
        self.put("lab/assignment.yaml", ASSIGNMENT + "due: 2026-10-01T17:00:00Z\n"
                 "late: [{hours: 1, percent: 50}]\n")
        self.pack()
        self.hand_in()
        self.assertEqual(self.autograder()[1]["score"], 5.5)
        shutil.rmtree(self.out)
        self.put("lab/hidden/launch.yaml", "version: 2\n")
        self.pack()
        done, result = self.autograder()
        self.assertEqual(done.returncode, 70)
        self.assertNotIn("score", result)

    def test_sources_for_gradescope(self):
        source = self.top / "checkout"
        for name in (".ci/setup.sh", "meson.build", "build/x.o", ".git/config", "sim/a.c"):
            self.put(f"checkout/{name}", "x")
        self.pack("--source", source)
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            names = {n for n in archive.namelist() if n.startswith("warpstep/")}
        self.assertEqual(names, {"warpstep/.ci/setup.sh", "warpstep/meson.build", "warpstep/sim/a.c"})

    def release(self):
        """A tarball of the form of a release, in which the program is the one under test."""
        tree = self.top / "release/warpstep-0"
        (tree / "bin").mkdir(parents=True)
        (tree / "bin/warpstep").symlink_to(self.program)
        subprocess.run(["tar", "-C", tree.parent, "-cJf", self.top / "release.tar.xz", "warpstep-0"], check=True)
        return self.top / "release.tar.xz"

    def stand_ins(self, *names):
        """PATH where these write down how they are called, and do nothing."""
        folder = self.top / "stand-ins"
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.top}/calls"\n')
            (folder / name).chmod(0o755)
        return f"{folder}:{os.environ['PATH']}"

    def test_tarball_for_gradescope(self):
        self.pack("--tarball", self.release())
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            archive.extractall(self.top / "autograder/source")
        unpacked = self.top / "unpacked"
        done = subprocess.run(["bash", self.top / "autograder/source/setup.sh"], text=True, capture_output=True, env=dict(
            os.environ, AUTOGRADER=str(self.top / "autograder"), WARPSTEP_FOLDER=str(unpacked),
            PATH=self.stand_ins("apt-get", "ln", "meson")))
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = (self.top / "calls").read_text()
        self.assertIn("clang-14", calls)
        self.assertNotIn("meson", calls)
        self.assertIn(f"ln -sf {unpacked}/bin/warpstep /usr/local/bin/warpstep", calls)
        self.assertEqual(os.path.realpath(unpacked / "bin/warpstep"), os.path.realpath(self.program))

    def test_tarball_for_classroom(self):
        self.pack("--tarball", self.release(), "--classroom", "a/tests@" + "a" * 40)
        text = (self.out / "student/.github/workflows/classroom.yml").read_text()
        self.assertEqual(2, text.count("actions/checkout@v4"))
        self.assertNotIn("quickstart", text)
        self.assertNotIn("vars.WARPSTEP_REPOSITORY", text)
        steps = self.steps(text)
        check = steps["What is checked out is named by commits"]
        good = {"TESTS": "a/tests", "TESTS_COMMIT": "a" * 40}
        self.assertEqual(0, self.run_step(check, **good).returncode)
        self.assertEqual(1, self.run_step(check, **dict(good, TESTS_COMMIT="main")).returncode)
        (self.top / "tests").symlink_to(self.out / "student")
        (self.top / "submission").mkdir()
        (self.top / "submission/scale.cu").write_text(REFERENCE)
        path = self.stand_ins("apt-get")
        self.assertEqual(0, self.run_step(steps["Warpstep"], TESTS_FOLDER="", PATH=path).returncode)
        self.assertIn("clang-14", (self.top / "calls").read_text())
        done = self.run_step(steps["Grade"], TESTS_FOLDER="", GITHUB_OUTPUT=str(self.top / "output"))
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertIn("result=", (self.top / "output").read_text())

    def test_tarball_that_is_none(self):
        self.put("none.tar.xz", "no archive\n")
        self.assertIn("is not a tarball", self.pack("--tarball", self.top / "none.tar.xz", code=3).stderr)
        for option in ("--source", "--warpstep"):
            self.assertIn("which build", self.pack("--tarball", self.release(), option, "x", code=2).stderr)
            shutil.rmtree(self.top / "release")

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_scripts(self):
        self.pack()
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            for name in ("setup.sh", "run_autograder"):
                (self.top / name).write_bytes(archive.read(name))
                done = subprocess.run(["shellcheck", "-e", "SC1091,SC2154", self.top / name], text=True,
                                      stdout=subprocess.PIPE)
                self.assertEqual(done.returncode, 0, done.stdout)


@unittest.skipUnless(clangs.two_versions(), "there are no two versions of clang")
class Compiled(GradeCase):
    """What is carried compiled does not depend on who grades; what is not says so."""
    MARK = "marks_the_reference"

    def setUp(self):
        super().setUp()
        self.clangs = clangs.two_versions()
        self.names = [clangs.name_of(clang) for clang in self.clangs]
        self.put("lab/assignment.yaml", ASSIGNMENT + "handout: handout.md\npublish: public\n")
        self.put("lab/handout.md", "# Scaling\n")
        # a header out of a folder of `include`, with code in it
        self.put("lab/public/helper.h", "__device__ unsigned times(unsigned x)\n{\n    return FACTOR * x;\n}\n")
        for folder, factor, more in (("reference", 3, f"__device__ int {self.MARK} = 1;\n"), ("starter", 2, "")):
            self.put(f"lab/{folder}/scale.cu", f"#define FACTOR {factor}\n#include \"helper.h\"\n{more}"
                     + REFERENCE.replace("3 * in[i]", "times(in[i])"))
        self.out = self.top / "out"

    def with_clang(self, number, *arguments, code=None):
        return self.warpstep(*arguments, code=code, env=dict(os.environ, WARPSTEP_CLANG=self.clangs[number],
                                                             XDG_CACHE_HOME=str(self.top / f"cache{number}")))

    def pack(self, *options):
        self.with_clang(0, "assignment", "pack", "lab", "--out", self.out, *options, code=0)
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            archive.extractall(self.top / "service")
        return contents(self.out / "student")

    def compilers(self, assignment, submission):
        document = json.loads(self.with_clang(1, "grade", assignment, submission, "-f", "json").stdout)
        return document["compiler"], document["own_compiler"], document["error"]

    def test_carried(self):
        files = self.pack("--compiled")
        carried = {name: data for name, data in files.items() if name.startswith("compiled/")}
        self.assertEqual(len(carried), 2)  # the starter and the program of a public test
        everything = contents(self.top / "service/assignment/compiled")
        self.assertEqual(len(everything), 3)
        self.assertEqual({name.removeprefix("compiled/") for name in carried} - set(everything), set())
        marked = [name for name, data in everything.items() if self.MARK.encode() in data]
        self.assertEqual(len(marked), 1)
        self.assertNotIn(f"compiled/{marked[0]}", carried)
        for data in [*files.values(), *everything.values()]:
            self.assertNotIn(str(self.top).encode(), data)
        # elsewhere, with another clang
        student = self.top / "elsewhere/student"
        shutil.copytree(self.out / "student", student)
        self.assertEqual(self.compilers(student, student), (self.names[0], self.names[0], None))
        self.assertEqual(self.compilers("service/assignment", student), (self.names[0], self.names[0], None))
        with open(student / "scale.cu", "a", encoding="utf-8") as source:
            source.write("// changed\n")
        self.assertEqual(self.compilers(student, student), (self.names[1], self.names[0], None))
        self.assertEqual(self.compilers("service/assignment", student), (self.names[1], self.names[0], None))
        said = f"Compiled by {self.names[1]}; the programs of the assignment by {self.names[0]}: figures may differ"
        self.assertIn(said, self.with_clang(1, "grade", student, student).stdout)

    def test_the_same_as_compiled_here(self):
        """Names of files and lines, also of headers out of the assignment's folders."""
        self.pack("--compiled")
        student = self.top / "elsewhere"
        shutil.copytree(self.out / "student", student)
        (student / "scale.cu").write_text((student / "scale.cu").read_text().replace("if (i < n)", "if (i < n - 1)"))
        shutil.copy(student / "scale.cu", self.lab / "starter/scale.cu")
        shutil.rmtree(self.out)
        shutil.rmtree(self.top / "service")
        self.pack("--compiled")
        for form in ("json", "html"):
            carried = self.with_clang(0, "grade", self.out / "student", student, "-f", form).stdout
            self.assertIn("scale.cu", carried)
            shutil.rmtree(student / "compiled", ignore_errors=True)
            anew = self.with_clang(0, "grade", student, student, "-f", form).stdout
            self.assertEqual(carried, anew)

    def test_a_header_that_changed(self):
        self.pack("--compiled")
        student = self.out / "student"
        header = student / "public/helper.h"
        header.write_text(header.read_text() + "// changed\n")
        self.assertEqual(self.compilers(student, student)[0], self.names[1])

    def test_damaged(self):
        """What cannot be read is compiled anew."""
        self.pack("--compiled")
        student = self.out / "student"
        for path in (student / "compiled").iterdir():
            path.write_bytes(path.read_bytes()[:-1] + b"x")
        self.assertEqual(self.compilers(student, student), (self.names[1], self.names[0], None))

    def test_not_asked_for(self):
        files = self.pack()
        self.assertEqual([name for name in files if name.startswith("compiled")], [])
        self.assertFalse((self.top / "service/assignment/compiled").exists())
        self.assertIn(f'compiler: "{self.names[0]}"', files["assignment.yaml"].decode())
        student = self.out / "student"
        self.assertEqual(self.compilers(student, student), (self.names[1], self.names[0], None))

    def test_same_bytes(self):
        first = self.pack("--compiled"), (self.out / "gradescope.zip").read_bytes()
        shutil.rmtree(self.out)
        shutil.move(self.lab, self.top / "moved")
        self.lab = self.top / "moved"
        shutil.rmtree(self.top / "cache0")
        self.with_clang(0, "assignment", "pack", "moved", "--out", self.out, "--compiled", code=0)
        self.assertEqual((contents(self.out / "student"), (self.out / "gradescope.zip").read_bytes()), first)

    def test_what_is_refused(self):
        (self.lab / "compiled").mkdir()
        for key in ("publish", "include"):
            old = "publish: public" if key == "publish" else "include: [public]"
            text = ASSIGNMENT + "handout: handout.md\npublish: public\n"
            self.put("lab/assignment.yaml", text.replace(old, f"{key}: [compiled]"))
            done = self.with_clang(0, "assignment", "pack", "lab", "--out", self.out, code=3)
            self.assertIn("'compiled'", done.stderr)
        self.put("lab/assignment.yaml", ASSIGNMENT + "compiler: \"<b>clang</b>\"\n")
        self.assertIn("a name and a version are expected",
                      self.with_clang(0, "assignment", "pack", "lab", "--out", self.out, code=3).stderr)
        self.with_clang(0, "assignment", "check", "lab", "--compiled", code=2)


if __name__ == "__main__":
    unittest.main(verbosity=1)
