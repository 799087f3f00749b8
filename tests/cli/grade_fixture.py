"""An assignment and submissions in a scratch folder, for the tests of `warpstep grade`."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from clangs import HAS_CLANG
from patience import HANGS

SECRET = "s3cret_token"

ASSIGNMENT = """\
version: 1
title: Scaling
program: scale.cu
reference: reference
starter: starter
include: [public]
seed: 99
fixed_inputs: true
limits: {cycles: 200000, seconds: 5, memory: 256M, compile_seconds: 10}
tests:
  open: {launch: public/launch.yaml, compare: [{buffer: out}]}
  secret:
    launch: hidden/launch.yaml
    draw: seed
    hidden: true
    compare: [{buffer: out}]
  own: {launch: public/launch.yaml, program: public/plain.cu}
checks:
  - {name: right, test: open, points: 3, help: Look at the border.}
  - {name: right_hidden, test: secret, points: 2, needs: [right]}
  - name: fast
    test: open
    needs: [right]
    gates: {cycles <= 1.1 * reference: 2, registers_per_thread <= 100: 1}
  - {name: quick_hidden, test: secret, gates: {cycles <= 4 * reference: 1}}
  - {name: plain, test: open, source: {avoid: [ATOMG, RED], avoid_words: [asm]}}
  - {name: guess, test: own, answer: loads, figure: memory.global_load_requests, rel: 0.1}
leaderboard:
  - {name: cycles, test: open, figure: cycles, needs: [right]}
"""
LAUNCH = """\
version: 1
program: ../scale.cu
set: {sms: 1}
let: {n: 100, seed: 1}
buffers:
  out: {type: u32, count: n}
  in: {type: u32, count: n, init: {random: {seed: seed, max: 1000}}}
kernel: scale
grid: ceil_div(n, 64)
block: 64
params: [{ref: out}, {ref: in}, {s32: n}]
"""
REFERENCE = """\
__global__ void scale(unsigned *out, const unsigned *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i];
}
"""
ANSWERS = "loads: 4\n"


class GradeCase(unittest.TestCase):
    program = None  # set by the module that uses it
    # One place for all tests of a script, empty at the start of each: the path of what an assignment is compiled from is
    # part of the cache's key, so clang compiles the reference once.
    scratch = tempfile.TemporaryDirectory()

    def setUp(self):
        self.top = pathlib.Path(self.scratch.name).resolve() / "here"
        self.top.mkdir()
        self.lab = self.top / "lab"
        self.put("lab/assignment.yaml", ASSIGNMENT)
        self.put("lab/public/launch.yaml", LAUNCH)
        self.put("lab/public/plain.cu", REFERENCE)
        self.put("lab/public/helper.h", "#define THREE 3\n")
        self.put("lab/hidden/launch.yaml", f"# {SECRET}\n" + LAUNCH.replace("n: 100", "n: 777"))
        self.put("lab/reference/scale.cu", f"// {SECRET}\n" + REFERENCE)
        self.put("lab/reference/answers.yaml", ANSWERS)
        self.put("lab/starter/scale.cu", REFERENCE.replace("3 *", "2 *"))
        self.put("lab/starter/answers.yaml", "loads:\n")
        self.submission = self.top / "in" / "ann"

    def tearDown(self):
        for folder in (path for path in self.top.rglob("*") if path.is_dir() and not path.is_symlink()):
            folder.chmod(0o700)
        shutil.rmtree(self.top)

    def put(self, name, text):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def hand_in(self, source=REFERENCE, answers=ANSWERS, student="ann"):
        if source is not None:
            self.put(f"in/{student}/scale.cu", source)
        if answers is not None:
            self.put(f"in/{student}/answers.yaml", answers)

    def warpstep(self, *arguments, code=None, **options):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.top, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS,
                              stdin=subprocess.DEVNULL, **options)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout[-3000:] + done.stderr[-3000:])
        return done

    def grade(self, *options, code=None):
        """The grade as JSON; none of the assignment's secrets is in any format's bytes."""
        done = self.warpstep("grade", self.lab, self.submission, "-f", "json", *options, code=code)
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        self.assertNotIn(str(self.top), done.stdout)
        return json.loads(done.stdout)

    def outcomes(self, *options, code=None):
        return {check["name"]: check["outcome"] for check in self.grade(*options, code=code)["checks"]}

    def text(self, *options, code=None):
        return self.warpstep("grade", self.lab, self.submission, *options, code=code).stdout
