"""Grading a class: test_grade_class.py WARPSTEP"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from grade_fixture import ANSWERS, ASSIGNMENT, HAS_CLANG, LAUNCH, REFERENCE, SECRET, GradeCase

GradeCase.program = os.path.abspath(sys.argv.pop(1))


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Class(GradeCase):
    def setUp(self):
        super().setUp()
        self.hand_in(student="ann")
        self.hand_in(REFERENCE.replace("3 *", "2 *"), student="bob")
        self.hand_in("int int;\n", student="=cmd")
        self.hand_in(REFERENCE.replace("in[i]", "in[i + 1]"), answers=None, student='d,"e')
        self.out = self.top / "out"

    def all(self, *options, out=None, code=0):
        return self.warpstep("grade", self.lab, "--all", self.top / "in", "--out", out or self.out,
                             *options, code=code)

    def rows(self):
        with open(self.out / "grades.csv", newline="") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    def test_results_of_all(self):
        self.assertIn("4 graded, 0 as they were", self.all().stdout)
        rows = self.rows()
        self.assertEqual(list(rows), ["'=cmd", "ann", "bob", 'd,"e'])
        self.assertEqual([row["total"] for row in rows.values()], ["1", "11", "2", "1"])
        self.assertEqual((rows["ann"]["right"], rows["bob"]["right"]), ("3", "0"))
        self.assertEqual(rows["bob"]["leaderboard cycles"], "")
        for name in ("result.txt", "result.html", "result.json", "junit.xml", "result.tap", "results.json"):
            self.assertTrue((self.out / "ann" / name).stat().st_size > 50, name)
        page = (self.out / "leaderboard.html").read_text()
        self.assertIn("<td>1</td><td>ann</td>", page)
        self.assertNotIn("bob", page)
        for text in contents(self.out).values():
            self.assertNotIn(SECRET.encode(), text)
        one = json.loads((self.out / "ann/result.json").read_text())
        self.submission = self.top / "in/ann"
        self.assertEqual(one, self.grade())

    def test_same_bytes_whatever_the_number_of_jobs(self):
        self.all("--jobs", "1")
        other = self.top / "other"
        self.all("--jobs", "3", out=other)
        self.assertEqual(contents(self.out), contents(other))

    def test_groups_with_the_same_numbers(self):
        """With `variants`, students share numbers, and grades are those that each gets alone."""
        drawn = ASSIGNMENT.replace("    draw: seed\n", "    draw: {seed: any, n: [500, 900]}\n    show_figures: true\n")
        drawn = drawn.replace("name: cycles, test: open", "name: cycles, test: secret")
        slow = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n    for (int k = 0; k < i % 97; k++) s += in[k];\n"
                                 "    if (i < n && s != 12345)")
        shutil.rmtree(self.top / "in")
        for number in range(9):
            self.hand_in(slow if number % 2 else REFERENCE, student=f"s{number}")
        seen = {}
        for variants, most in ((1, 1), (3, 3), (0, 9)):
            self.put("lab/assignment.yaml", drawn + (f"variants: {variants}\n" if variants else ""))
            shutil.rmtree(self.out, ignore_errors=True)
            self.all("--jobs", "3")
            rows = self.rows()
            self.assertEqual({row["total"] for row in rows.values() if row["student"][1] in "02468"}, {"11"})
            seen[variants] = {rows[f"s{n}"]["leaderboard cycles"] for n in range(0, 9, 2)}
            self.assertLessEqual(len(seen[variants]), most)
            alone = json.loads(self.warpstep("grade", "lab", "in/s4", "-f", "json", code=0).stdout)
            self.assertEqual(alone, json.loads((self.out / "s4/result.json").read_text()))
        self.assertEqual(len(seen[1]), 1)
        self.assertGreater(len(seen[0]), len(seen[1]))
        self.put("lab/assignment.yaml", drawn + "variants: 0\n")
        self.assertIn("variants", self.all(code=3).stderr)

    def test_only_what_changed_is_graded_again(self):
        self.all()
        before = contents(self.out)
        self.assertIn("0 graded, 4 as they were", self.all().stdout)
        self.assertEqual(contents(self.out), before)
        self.hand_in(student="bob")
        self.assertIn("1 graded, 3 as they were", self.all().stdout)
        self.assertEqual(self.rows()["bob"]["total"], "11")
        self.put("lab/hidden/launch.yaml", LAUNCH.replace("n: 100", "n: 99"))
        self.assertIn("4 graded, 0 as they were", self.all().stdout)
        self.assertIn("4 graded", self.all("--reveal").stdout)

    def test_timelines(self):
        self.all()
        self.assertNotIn('class="run-page"', (self.out / "bob/result.html").read_text())
        done = self.all("--timelines", "--jobs", "2", code=None)
        if done.returncode == 2 and "esbuild" in done.stderr:
            self.skipTest("esbuild is not installed")
        self.assertIn("4 graded", done.stdout)
        has = {name: 'class="run-page"' in (self.out / name / "result.html").read_text()
               for name in ("ann", "bob", "=cmd", 'd,"e')}
        self.assertEqual({"ann": False, "bob": True, "=cmd": False, 'd,"e': True}, has)
        for text in contents(self.out).values():
            self.assertNotIn(SECRET.encode(), text)
        self.assertIn("0 graded", self.all("--timelines").stdout)

    def test_killed_and_resumed(self):
        whole = self.top / "whole"
        self.all(out=whole)
        for pause in (0.3, 0.6, 0.9):
            running = subprocess.Popen([self.program, "grade", self.lab, "--all", self.top / "in",
                                        "--out", self.out, "--jobs", "2"], stdout=subprocess.DEVNULL)
            time.sleep(pause)
            running.send_signal(signal.SIGKILL)
            running.wait()
        time.sleep(0.5) # its processes end with it
        shutil.rmtree(self.out / "ann", ignore_errors=True)
        self.put("out/ann/.new-3fKq0Z", "half a res") # as of a kill while it is written
        self.all("--jobs", "2")
        self.assertEqual(contents(self.out), contents(whole))

    def test_shards(self):
        for shard in ("0/2", "1/2"):
            self.assertIn("2 graded", self.all("--shard", shard).stdout)
        whole = self.top / "whole"
        self.all(out=whole)
        self.assertEqual(contents(self.out), contents(whole))
        for wrong in ("2/2", "x", "1", "-1/2", "1/2/3"):
            self.all("--shard", wrong, code=2)

    def test_times(self):
        self.put("lab/assignment.yaml", ASSIGNMENT + "due: 2026-10-01T22:00:00Z\n"
                 "late: [{hours: 24, percent: 50}]\n")
        self.put("times.csv", "student,submitted\nann,2026-10-02T00:00:00Z\nbob,2026-09-01T00:00:00Z\n")
        self.all("--times", self.top / "times.csv")
        rows = self.rows()
        self.assertEqual([rows[n]["total"] for n in ("ann", "bob")], ["5.5", "2"])
        self.put("times.csv", "student,submitted\nann,yesterday\n")
        self.assertIn("times.csv:2: error:", self.all("--times", self.top / "times.csv", code=3).stderr)

    def test_graders_failure_is_no_zero_and_tried_again(self):
        good = (self.lab / "public/launch.yaml").read_text()
        self.put("lab/public/launch.yaml", good.replace("kernel: scale", "kernel: scael"))
        self.assertIn("the grader failed for 4", self.all(code=70).stderr)
        rows = self.rows()
        self.assertEqual({row["total"] for row in rows.values()}, {""})
        self.assertIn("not even with its reference", rows["ann"]["error"])
        self.put("lab/public/launch.yaml", good)
        self.all()
        self.assertEqual(self.rows()["ann"]["total"], "11")

    def test_names_of_the_tables(self):
        """Whoever is called as a table is does not stand in the way of it, nor of another."""
        for name in ("grades.csv", "grades.csv-", "leaderboard.html"):
            self.hand_in(student=name)
        self.assertIn("7 graded", self.all().stdout)
        rows = self.rows()
        for name in ("grades.csv", "grades.csv-", "leaderboard.html"):
            self.assertEqual(rows[name]["total"], "11")
            result = json.loads((self.out / (name + "-") / "result.json").read_text())
            self.assertEqual(result["student"], name)

    def test_folders_that_cannot_be_looked_through(self):
        self.put("in/bob/pipe", "")
        (self.top / "in/bob/pipe").unlink()
        os.mkfifo(self.top / "in/bob/pipe")
        with open(self.top / "in/ann/sparse", "wb") as file:
            file.truncate(1 << 40)
        os.symlink(".", self.top / "in/d,\"e/again")
        deep = self.top / "in/=cmd"
        for _ in range(100):
            deep /= "x"
        deep.mkdir(parents=True)
        self.assertIn("4 graded", self.all().stdout)
        self.assertEqual(self.rows()["ann"]["total"], "11")

    def test_links_and_files_are_no_submissions(self):
        os.symlink(self.lab / "reference", self.top / "in/eve")
        self.put("in/notes.txt", "")
        self.put("in/.hidden/scale.cu", REFERENCE)
        self.assertIn("4 graded", self.all().stdout)
        self.assertNotIn("eve", self.rows())

    def test_usage(self):
        for arguments in (["--out", "x"], ["--all", "in"], ["--all", "in", "--out", "x", "-f", "tap"],
                          ["in/ann", "--jobs", "2"], ["in/ann", "--timelines"], ["--all", "in", "--out", "x", "--jobs", "0"],
                          ["in/ann", "--all", "in", "--out", "x"]):
            self.warpstep("grade", self.lab, *arguments, code=2)
        self.assertIn("there are no submissions", self.warpstep("grade", self.lab, "--all", self.lab / "public",
                                                           "--out", "x", code=3).stderr)
        self.warpstep("grade", self.lab, "--all", "nowhere", "--out", "x", code=3)


if __name__ == "__main__":
    unittest.main(verbosity=1)
