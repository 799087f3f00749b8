"""test_cli_causes.py WARPSTEP [unittest options]: advice on kernels that lose their time to one known cause each.

tests/data/advise/causes.cu has the kernels, as they are and mended by hand. The first advice names the cause; what it says would be
gained is no less than what mending gains; and results are right in every run, as a run with wrong ones would not be ranked.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/advise/causes.cu")
LARGEST = 1.15  # for these, of the gain by hand
EXACT = {"coalescing", "bank_conflicts", "atomics"}


def zero(kind, count):
    return {"type": kind, "count": count}


def filled(kind, count):
    return {"type": kind, "count": count,
            "init": {"random": {"seed": 1} if kind == "f32" else {"seed": 1, "min": 0, "max": 255}}}


# Kernel: its cause, buffers in the order of its parameters, numbers behind them, blocks, threads of a block.
CASES = {
    "rows": ("coalescing", [zero("f32", 4096), filled("f32", 4096 * 64)], [64], 16, 256),
    "strided": ("coalescing", [zero("f32", 2048), filled("f32", 1 << 20)], [1 << 20, 24], 8, 256),
    "columns": ("bank_conflicts", [zero("f32", 2048)], [64], 8, 256),
    "counters": ("bank_conflicts", [zero("s32", 2048), filled("s32", 2048)], [64], 8, 256),
    "histogram": ("atomics", [zero("s32", 16), filled("s32", 32768)], [32768], 8, 256),
    "total": ("atomics", [zero("s32", 1), filled("s32", 32768)], [32768], 8, 256),
    "turns": ("barriers", [zero("f32", 256)], [96], 1, 256),
    "trees": ("barriers", [zero("f32", 1024)], [12], 1, 1024),
    "chain": ("dependences", [zero("f32", 128)], [4096], 1, 128),
    "random": ("dependences", [zero("u32", 128)], [1024], 1, 128),
    "sides": ("divergence", [zero("f32", 2048)], [64], 8, 256),
    "trips": ("divergence", [zero("f32", 4096)], [6], 16, 256),
    "few_blocks": ("blocks", [zero("f32", 4096), filled("f32", 4096 * 16)], [16], 32, 128),
    "long_loop": ("fetch", [zero("f32", 128)], [2], 1, 128),
    "again": ("caches", [zero("f32", 256), filled("f32", 72 * 1024)], [72 * 1024, 3], 1, 256),
    "stream": ("bandwidth", [zero("s32", 2048), filled("s32", 2048 * 128)], [128], 8, 256),
}
SHARED = {"few_blocks": (100000, 1024)}  # bytes a block, as it is and mended


def call(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--format", "json"], text=True, capture_output=True, timeout=HANGS,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def study(folder, name):
    """The advice on a kernel, and the cycles of the mended one."""
    cause, buffers, numbers, grid, block = CASES[name]
    names = ["out", "in"][:len(buffers)]
    launch = {"version": 1, "program": KERNELS, "set": {"sms": 1, "memory.share": "fair" if name == "stream" else "whole"},
              "buffers": dict(zip(names, buffers)), "kernel": name, "grid": grid, "block": block,
              "params": [{"ref": each} for each in names] + [{"s32": number} for number in numbers],
              "expect": [{"buffer": "out", "kernel": name}]}
    if name in SHARED:
        launch["dynamic_shared_bytes"] = SHARED[name][0]
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        json.dump(launch, file)
    how = ["--launch", f"dynamic_shared_bytes={SHARED[name][1]}"] if name in SHARED else ["-D", "MENDED"]
    return call("advise", path, "--threads", "1"), call("run", path, *how)["cycles"]


class CausesCase(unittest.TestCase):
    def test_first_advice_is_the_cause(self):
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
            studies = dict(zip(CASES, pool.map(lambda name: study(folder, name), CASES)))
        for name, (advice, mended) in studies.items():
            with self.subTest(name):
                first = advice["causes"][0]
                self.assertEqual(first["cause"], CASES[name][0])
                self.assertTrue(all(each["status"] == "ok" for each in advice["causes"]))
                ratio = (advice["cycles"] - first["cycles"]) / (advice["cycles"] - mended)
                self.assertGreaterEqual(ratio, 1)
                self.assertLessEqual(ratio, LARGEST if first["cause"] in EXACT else 4)
                if first["cause"] != "blocks":
                    self.assertGreater(first["share"], 0.15)
                    self.assertEqual(os.path.basename(first["file"]), "causes.cu")


if __name__ == "__main__":
    unittest.main()
