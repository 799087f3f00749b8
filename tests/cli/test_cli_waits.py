"""Tests of runs in which threads wait for ever: test_cli_waits.py WARPSTEP [unittest options]

Exit codes, what the message says of who waits for whom, the same in JSON, and that `step` shows the state
that the message speaks of.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))

LOCKS = """\
__device__ int a, b;
__device__ unsigned tries;
__global__ void locks(int *sum)
{
    int *first = blockIdx.x == 0 ? &a : &b;
    int *second = blockIdx.x == 0 ? &b : &a;
    while (atomicCAS(first, 0, 1) != 0) {
    }
    while (atomicCAS(second, 0, 1) != 0) {
#ifdef COUNT
        atomicAdd(&tries, 1);
#endif
    }
    *sum += 1;
    atomicExch(second, 0);
    atomicExch(first, 0);
}
"""

# Warp 1 polls what warp 0 has written, and warp 0 waits for it at the barrier.
HALF = """\
__global__ void half(int *x)
{
    __shared__ volatile int s[64];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 32) {
        s[threadIdx.x] = 2;
        __syncthreads();
        s[threadIdx.x] = 3;
    } else {
        while (s[threadIdx.x - 32] != 3) {
        }
    }
    x[threadIdx.x] = s[threadIdx.x];
}
"""

# Both warps split; half of the lanes wait at the barrier, the others for them at a shuffle.
SPLIT = """\
__global__ void split(int *x)
{
    int t = threadIdx.x;
    if (t % 2 == 0)
        __syncthreads();
    x[t] = __shfl_down_sync(0xffffffff, t, 1);
}
"""

LAUNCH = """\
version: 1
program: {name}.cu
buffers:
  x: {{type: s32, count: 64}}
kernel: {name}
grid: {grid}
block: {block}
params: [{{ref: x}}]
"""


class Waits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        for name, text, grid, block in (
                ("locks", LOCKS, 2, 1), ("half", HALF, 1, 64), ("split", SPLIT, 1, 64)):
            (cls.folder / f"{name}.cu").write_text(text)
            (cls.folder / f"{name}.yaml").write_text(LAUNCH.format(name=name, grid=grid, block=block))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def call(self, *arguments, code):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def run_json(self, *arguments, code):
        """The error of a run, which is the same with one thread and with four."""
        one, four = (self.call("run", *arguments, "--format", "json", "--threads", threads, code=code)
                     for threads in ("1", "4"))
        self.assertEqual((one.stdout, one.stderr), (four.stdout, four.stderr))
        run = json.loads(one.stdout)
        return run["status"], run["error"], one.stderr

    def circle(self, error):
        return [wait for wait in error["waits"] if wait["in_circle"]]

    def check_locks(self, error):
        circle = self.circle(error)
        self.assertEqual(len(circle), 2)
        for number, wait in enumerate(circle):
            place = ("b", "a")[wait["block"][0]]
            self.assertEqual((wait["for"], wait["place"], wait["value"], wait["space"], wait["line"],
                              wait["lanes"]), ("value", place, 1, "global", 9, [0]))
            writer = wait["changed_by"]
            self.assertEqual((writer["block"], writer["warp"], writer["lanes"], writer["line"],
                              writer["ended"]), (circle[1 - number]["block"], 0, [0], 7, False))

    def test_locks(self):
        status, error, text = self.run_json("locks.yaml", code=5)
        self.assertEqual((status, error["line"]), ("livelock", 9))
        self.assertIn("locks.cu:9: error: warps wait for each other for ever, in kernel 'locks'\n"
                      "who waits for whom (circular wait):\n"
                      "  block (0,0,0) warp 0, lane 0 at locks.cu:9 (ATOMG.CAS): waits for b to change from 1, "
                      "last changed by block (1,0,0) warp 0, lane 0 at locks.cu:7 (ATOMG.CAS)\n"
                      "  block (1,0,0) warp 0, lane 0 at locks.cu:9 (ATOMG.CAS): waits for a to change from 1, "
                      "last changed by block (0,0,0) warp 0, lane 0 at locks.cu:7 (ATOMG.CAS)\n", text)
        self.check_locks(error)

    def test_locks_that_count(self):
        launch = self.folder / "locks.yaml"
        (self.folder / "count.yaml").write_text(launch.read_text() + "compile: {define: [COUNT]}\n")
        status, error, text = self.run_json("count.yaml", "--max-cycles", "150000", code=6)
        self.assertEqual((status, error["cycle"]), ("limit", 150000))
        self.assertIn("who waits for whom (circular wait):\n", text)
        self.check_locks(error)

    def test_half_a_barrier(self):
        status, error, text = self.run_json("half.yaml", code=5)
        self.assertEqual(status, "livelock")
        at_barrier, polls = self.circle(error)
        self.assertEqual((at_barrier["for"], at_barrier["barrier"], at_barrier["for_warps"],
                          at_barrier["line"]), ("barrier", 0, [1], 7))
        self.assertEqual((polls["place"], polls["last_place"], polls["space"], polls["line"],
                          polls["changed_by"]["warp"], polls["changed_by"]["line"],
                          polls["changed_by"]["lanes"]),
                         ("s[0]", "s[31]", "shared", 10, 0, 6, list(range(32))))

    def test_end_of_a_deadlock(self):
        """What the message says of the lanes is what the last state shows, after going back, too."""
        status, error, _ = self.run_json("split.yaml", code=5)
        self.assertEqual((status, [wait["for"] for wait in self.circle(error)]),
                         ("deadlock", ["lanes", "lanes"]))
        done = self.call("step", "split.yaml", "--batch", "-e", "goto end", "-e", "info warps", "-e", "why", "-e",
                         "goto 100", "-e", "goto end", "-e", "info warps", "-e", "focus block 0 warp 1", "-e", "why", code=0)
        state = [line for line in done.stdout.splitlines() if " barrier " in line and "d" * 32 in line]
        self.assertEqual(len(state), 7)  # two of each `info warps`, one of each arrival and the focus
        self.assertNotIn("#", "".join(state))
        self.assertNotIn("could issue", done.stdout)
        for warp in (0, 1):
            self.assertIn(f"block (0,0,0) warp {warp}, lanes 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 at "
                          "split.cu:6 (WARPSYNC): wait for lanes "
                          "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 of the warp.\n", done.stdout)

    def test_why_of_a_lock(self):
        """`why` says for whom, before the end and there, and going back from there changes nothing."""
        done = self.call("step", "locks.yaml", "--batch", "-e", "goto 20000", "-e", "why", "-e", "goto end", "-e",
                         "why", "-e", "goto 20000", "-e", "why", "-e", "goto end", code=0)
        sentence = "waits for b to change from 1, last changed by block (1,0,0) warp 0, lane 0 at locks.cu:7 (ATOMG.CAS).\n"
        self.assertEqual(done.stdout.count(sentence), 3)
        self.assertEqual(done.stdout.count("It waits for ever: the run ends here.\n"), 1)
        ends = done.stdout.split("The run ends here: ")
        self.assertEqual(len(ends), 3)
        self.assertEqual(ends[1][:400], ends[2][:400])


if __name__ == "__main__":
    unittest.main()
