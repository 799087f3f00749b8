"""The built-in workloads at other sizes than their own: test_workload_sizes.py WARPSTEP [unittest options]

Each launch file with sizes in its `let` runs with others, and its expectations follow. What reference
kernels expect is computed here once more."""
import json
import os
import re
import struct
import subprocess
import sys
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
HAS_CLANG = any(os.access(path, os.X_OK) for path in ("/usr/bin/clang++-14", "/usr/bin/clang++"))

# By workload: launch files, and the values of `let` that they are run with.
SIZES = {
    "alignment": ("launch loads_1 loads_8 stores_1", ["n=512", "offset=5"]),
    "cache_share": ("launch warps_16 warps_20 warps_32", ["warps=5", "lines=3"]),
    "colour_to_grey": ("launch w76h63 w200h150 w1000h750 w1008h752", ["width=33", "height=17"]),
    "even_odd": ("launch by_choice by_warp by_thread_100 by_choice_100 by_warp_100", ["n=512"]),
    "global_sum": ("launch atomic_blocks atomic_threads grid_barrier", ["n=8192"]),
    "if_else": ("branch_5 select_5", ["n=768"]),
    "launch_bounds": ("launch greedy", ["blocks_of_256=3", "n=512"]),
    "matmul": ("launch naive tile_32 tile_32_padded", ["n=96"]),
    "reduction": ("launch shared thread_0 partial large_shared large_shuffle large_thread_0", ["n=1024"]),
    "transpose": ("launch copy naive tiled", ["n=64"]),
    "vecadd": ("launch n100 n1000 n10000 n1003", ["n=777"]),
    "with_without_divergence": ("launch without sorted all_taken none_taken alternate_warps", ["n=500"]),
}


def run(target, *options):
    done = subprocess.run([PROGRAM, "run", target, "--format", "json", *options], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stderr, json.loads(done.stdout) if done.stdout else None


def values(target, buffer, *options):
    code, errors, result = run(target, "--print", buffer, *options)
    assert code == 0, errors
    return result["buffers"][0]["values"]


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def random_word(seed, i):
    """Output i of SplitMix64 (docs/formats.md)."""
    mask = (1 << 64) - 1
    z = (seed + (i + 1) * 0x9e3779b97f4a7c15) & mask
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & mask
    z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & mask
    return z ^ (z >> 31)


def random_floats(seed, count):
    return [f32((random_word(seed, i) >> 11) * 2.0 ** -53) for i in range(count)]


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Sizes(unittest.TestCase):
    def test_expectations_follow(self):
        for workload, (files, sizes) in SIZES.items():
            options = [word for size in sizes for word in ("--launch", size)]
            for name in files.split():
                with self.subTest(f"{workload}/{name}"):
                    code, errors, result = run(f"{workload}/{name}.yaml", *options)
                    self.assertEqual(code, 0, errors)
                    self.assertTrue(result["checks"])
                    self.assertEqual({f"{name}={value}" for name, value in result["let"].items()} & set(sizes),
                                     set(sizes))

    def test_matmul(self):
        n = 32
        a, b = random_floats(1, n * n), random_floats(2, n * n)
        product = [sum(a[row * n + k] * b[k * n + column] for k in range(n)) for row in range(n) for column in range(n)]
        for name in ("launch", "naive", "tile_32", "tile_32_padded"):
            found = values(f"matmul/{name}.yaml", "c", "--launch", f"n={n}")
            self.assertEqual(len(found), n * n)
            self.assertLess(max(abs(x - y) / y for x, y in zip(found, product)), 1e-5, name)

    def test_transpose(self):
        self.assertEqual(values("transpose", "out", "--launch", "n=64"),
                         [64 * x + y for y in range(64) for x in range(64)])

    def test_grey(self):
        width, height = 33, 17
        colour = [random_word(1, i) * 256 >> 64 for i in range(3 * width * height)]
        grey = [int(0.21 * colour[i] + 0.72 * colour[i + 1] + 0.07 * colour[i + 2])
                for i in range(0, len(colour), 3)]
        found = values("colour_to_grey", "grey", "--launch", f"width={width}", "--launch", f"height={height}")
        self.assertEqual(len(found), len(grey))
        self.assertLessEqual(max(abs(x - y) for x, y in zip(found, grey)), 1)

    def test_sweep(self):
        warps, lines, rounds = 5, 3, 8
        self.assertEqual(values("cache_share", "out", "--launch", f"warps={warps}", "--launch", f"lines={lines}"),
                         [rounds * sum(32 * (lines * warp + line) + lane for line in range(lines))
                          for warp in range(warps) for lane in range(32)])

    def test_forms_of_matmul_rank_as_on_the_device(self):
        """An H200 at n = 4096: naive 5.2 to 6.0, padded tile 7.1, tile of 16 8.2, of 32 9.0 TFLOPS."""
        rates = {}
        for name in ("naive", "tile_32_padded", "launch", "tile_32"):
            _, _, result = run(f"matmul/{name}.yaml")
            elapsed = result["elapsed_cycles"] / 1.98e9
            self.assertGreaterEqual(result["float_operations"], 2 * 64 ** 3)
            self.assertAlmostEqual(result["tflops"], result["float_operations"] / elapsed / 1e12, places=9)
            self.assertEqual(result["occupancy"]["idle_sms"], 0)
            rates[name] = result["tflops"]
        self.assertEqual(sorted(rates, key=rates.get), list(rates))

    def test_report_says_the_rate(self):
        done = subprocess.run([PROGRAM, "run", "matmul"], capture_output=True, text=True, check=True)
        row = re.search(r"\n  floating point +([\d.]+)  TFLOPS: ([\d.]+) on 132 such SMs; 524,288 operations\n",
                        done.stdout)
        self.assertIsNotNone(row, done.stdout)
        self.assertAlmostEqual(66 * float(row[1]), float(row[2]), delta=0.05)


if __name__ == "__main__":
    unittest.main()
