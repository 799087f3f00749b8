"""test_latency_hiding.py WARPSTEP [unittest options]: the workload latency_hiding with every number of
warps that an SM holds."""
import json
import os
import subprocess
import sys
import unittest

from clangs import HAS_CLANG
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
WARPS = range(1, 65)


def run(target, *options):
    arguments = [x for option in options for x in ("--launch", option)]
    done = subprocess.run([PROGRAM, "run", target, "--format", "json", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@unittest.skipUnless(HAS_CLANG, "no clang for CUDA C")
class Cuda(unittest.TestCase):
    def test_all_numbers(self):
        """On one SM, right for each number, and no number of warps is like another one."""
        runs = {}
        for warps in WARPS:
            result = runs[warps] = run("latency_hiding", f"warps={warps}")
            blocks = 1 if warps <= 32 else 2
            launch = result["launches"][0]
            self.assertEqual(result["let"], {"warps": warps})
            self.assertEqual(launch["grid"], [blocks, 1, 1])
            # of an odd number the second block has one more, which leaves at once
            self.assertEqual(result["warps"]["launched"], warps + warps % blocks)
            self.assertEqual(len(result["occupancy"]["per_sm"]), 1)
            self.assertGreaterEqual(result["occupancy"]["blocks_per_sm"], blocks)
            self.assertEqual([(c["passed"], c["elements"]) for c in result["checks"]],
                             [(True, 32 * warps)])
            self.assertEqual(result["memory"]["global_load_requests"], 32 * warps)
        for warps in WARPS[1:]:
            self.assertGreater(runs[warps]["warp_instructions"],
                               runs[warps - 1]["warp_instructions"])
        # on one SM 64 warps are as much work as twice 32, and IPC goes on to grow
        ipc = [runs[warps]["ipc"] for warps in (1, 2, 4, 8, 16, 24, 32, 48, 64)]
        self.assertEqual(ipc, sorted(ipc))
        self.assertGreater(runs[64]["cycles"], 1.5 * runs[32]["cycles"])
        self.assertGreater(runs[64]["ipc"], 1.1 * runs[32]["ipc"])

    def test_by_block(self):
        """The block can be set as well, and gives the same as its number of warps."""
        for block, warps in ((64, 2), (512, 16), (1024, 32)):
            by_block = run("latency_hiding", f"block={block}")
            by_warps = run("latency_hiding", f"warps={warps}")
            del by_block["let"], by_warps["let"]
            self.assertEqual(by_block, by_warps)
        self.assertTrue(run("latency_hiding", "grid=2", "block=1024")["checks"][0]["passed"])
        self.assertEqual(run("latency_hiding", "grid=3")["checks"][0]["elements"], 256)

    def test_too_many(self):
        """What the file of results does not hold is said."""
        done = subprocess.run([PROGRAM, "run", "latency_hiding", "--launch", "warps=65"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("has 8192 bytes, 8320 are needed (2080 elements", done.stderr)


class Bytecode(unittest.TestCase):
    def test_all_numbers(self):
        one = run("latency_hiding/launch-bytecode.yaml")
        for warps in WARPS:
            result = run("latency_hiding/launch-bytecode.yaml", f"warps={warps}")
            self.assertEqual(result["warps"]["launched"], warps)
            self.assertEqual(len(result["occupancy"]["per_sm"]), 1)
            self.assertEqual(result["warp_instructions"], warps * one["warp_instructions"])
            self.assertEqual(result["occupancy"]["blocks_per_sm"], 64)


if __name__ == "__main__":
    unittest.main()
