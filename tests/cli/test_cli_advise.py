"""test_cli_advise.py WARPSTEP [unittest options]: what-ifs, ranked."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROW = re.compile(r"^ +([+-][\d.]+) %  (.*?) +(\d+)  (possible|what-if)(?:  .*)?$", re.M)


def call(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, timeout=HANGS,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def cycles_of(*arguments):
    return json.loads(call("run", *arguments, "--format", "json"))["cycles"]


SUMS = """\
__global__ void sums(const float *in, float *out)
{
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
"""


class AdviseCase(unittest.TestCase):
    def rows(self, text):
        return {name: (int(cycles), kind) for _, name, cycles, kind in ROW.findall(text)}

    def test_bank_conflicts(self):
        """Without conflicts the tile is as fast as the one with padded rows, which has none."""
        text = call("advise", "transpose/tiled.yaml", "--sms", "1")
        self.assertTrue(text.startswith("Largest gain: no bank conflicts, "), text)
        padded = cycles_of("transpose/launch.yaml", "--sms", "1")
        self.assertEqual(self.rows(text)["no bank conflicts"], (padded, "what-if"))
        self.assertNotIn("bank conflicts", call("advise", "transpose/launch.yaml", "--sms", "1"))

    def test_every_figure_is_that_of_its_command(self):
        text = call("advise", "vecadd", "--sms", "1", "--all")
        rows = self.rows(text)
        self.assertEqual(rows["all cache hits"][1], "what-if")
        self.assertEqual(rows["blocks of 128 threads"][1], "possible")
        commands = re.findall(r"^ +(warpstep run .*)$", text, re.M)
        self.assertEqual(len(commands), len(rows))
        for command, (name, (cycles, _)) in list(zip(commands, rows.items()))[::3]:
            self.assertEqual(cycles_of(*shlex.split(command)[2:]), cycles, name)
        gains = [float(gain) for gain, *_ in ROW.findall(text)]
        base = cycles_of("vecadd", "--sms", "1")
        for gain, (cycles, _) in zip(gains, rows.values()):
            self.assertAlmostEqual(gain, 100 * (cycles / base - 1), delta=0.06)

    def test_starving(self):
        def run(warps):
            return call("advise", "latency_hiding/bytecode-in_four.yaml", "--launch", "wait=99",
                        "--launch", f"warps={warps}")

        self.assertIn("gto starves warps: ", run(27))
        self.assertIn("IPC 0.526", run(27))
        self.assertNotIn("starves", run(26))
        self.assertIn("IPC 0.998", run(26))

    def test_other_blocks_that_do_other_work(self):
        """Each block writes a sum: with other blocks there are others, and nothing expects any."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sums.cu")
            with open(path, "w") as file:
                file.write(SUMS)
            call("init", path)
            text = call("advise", os.path.join(folder, "sums.yaml"), "--sms", "1", "--all")
        self.assertEqual(len(re.findall(r"blocks of \d+ threads +\d+  other results$", text, re.M)), 4)
        self.assertNotIn("gain: blocks", text)

    def test_more_blocks(self):
        """Shared memory keeps blocks out: where nothing does they come in, with the same code."""
        given = ("matmul", "--sms", "1", "--launch", "dynamic_shared_bytes=60000")
        cycles, kind = self.rows(call("advise", *given, "--all"))["more resident blocks"]
        self.assertEqual(kind, "what-if")
        self.assertLess(cycles, 0.9 * cycles_of(*given))
        self.assertNotIn("more resident", call("advise", "matmul", "--sms", "1", "--all"))

    def test_divergence(self):
        text = call("advise", "with_without_divergence", "--sms", "1")
        self.assertTrue(text.startswith("Largest gain: no divergence, "), text)
        self.assertNotIn("no divergence", call("advise", "with_without_divergence/without.yaml", "--sms", "1"))

    def test_json(self):
        advice = json.loads(call("advise", "transpose/tiled.yaml", "--sms", "1", "--format", "json"))
        self.assertEqual(advice["schema"], "warpstep-advise-1")
        first = advice["causes"][0]
        self.assertEqual((first["cause"], first["status"], first["share"]), ("bank_conflicts", "ok", 1))
        self.assertAlmostEqual(first["gain"], 1 - first["cycles"] / advice["cycles"])
        self.assertEqual(cycles_of(*shlex.split(first["command"])[2:]), first["cycles"])
        self.assertIn("policy lrr", {change["what"] for change in advice["changes"]})
        self.assertIn("text or json", call("advise", "vecadd", "--format", "xml", code=2))

    def test_threads_do_not_matter(self):
        one = call("advise", "matmul", "--sms", "1", "--all", "--threads", "1")
        self.assertEqual(call("advise", "matmul", "--sms", "1", "--all", "--threads", "4"), one)

    def test_runs_that_do_not_end_well(self):
        self.assertIn("the run ended with 'deadlock'",
                      call("advise", "barrier_divergence/one_side.yaml", code=1))
        self.assertIn("the run ended with 'check_failed'",
                      call("advise", "vecadd", "--launch", "grid=1", code=1))
        self.assertIn("no such file", call("advise", "none.yaml", code=3))


if __name__ == "__main__":
    unittest.main()
