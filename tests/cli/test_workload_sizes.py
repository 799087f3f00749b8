"""The built-in workloads at other sizes than their own: test_workload_sizes.py WARPSTEP [unittest options]

Each launch file with sizes in its `let` runs with others, and its expectations follow. What reference
kernels expect is computed here once more."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import unittest

import suite_sizes
from clangs import HAS_CLANG

PROGRAM = os.path.abspath(sys.argv.pop(1))

WORKLOADS = pathlib.Path(__file__).resolve().parents[2] / "workloads"

# Workload, launch files, and the values of `let` that they are run with.
SIZES = [
    ("alignment", "launch loads_1 loads_8 stores_1", ["n=512", "offset=5"]),
    ("alignment", "cached_0 cached_1", ["n=1500", "rounds=2", "offset=40"]),
    ("barrier_divergence", "launch both_sides both_sides_unaligned ended one_side", ["n=80"]),
    ("barrier_divergence", "uniform", ["blocks_of_64=3"]),
    ("barrier_skew", "launch", ["warps=3"]),
    ("block_size", "launch compute", ["n=700"]),
    ("cache_share", "launch warps_16 warps_20 warps_32", ["warps=5", "lines=3"]),
    ("colour_to_grey", "launch w76h63 w200h150 w1000h750 w1008h752", ["width=33", "height=17"]),
    ("even_odd", "launch by_choice by_warp by_thread_100 by_choice_100 by_warp_100", ["n=512"]),
    ("global_sum", "launch atomic_blocks atomic_threads grid_barrier", ["n=8192"]),
    ("grid_index", "launch box_12x9x8 odd", ["width=33", "height=18", "depth=7"]),
    ("grid_index", "line", ["n=1000"]),
    ("grid_index", "plane", ["width=33", "height=18"]),
    ("if_else", "branch_5 select_5 agree_branch agree_select", ["n=768"]),
    ("if_else", "assert over_two", ["n=77"]),
    ("lanes_taken", "launch", ["taken=5"]),
    ("latency_hiding", "launch", ["warps=3"]),
    ("literature", "chains", ["warps=3", "steps=160"]),
    ("literature", "copy", ["warps=3", "n=1000"]),
    ("literature", "paths", ["paths=7"]),
    ("launch_bounds", "launch greedy", ["blocks_of_256=3", "n=512"]),
    ("loop_trips", "launch one_by_one", ["n=20"]),
    ("matmul", "launch naive tile_32 tile_32_padded", ["n=96"]),
    ("policies", "launch", ["n=1500", "rounds=3"]),
    ("policies", "stages stages_long", ["n=1500", "rounds=3", "work=5"]),
    ("policies", "columns", ["rows=13", "width=512"]),
    ("reduction", "launch shared thread_0 partial large_shared large_shuffle large_thread_0 warm_shuffle warm_thread_0",
     ["n=1024"]),
    ("register_cap", "launch cap_24 cap_64", ["n=700", "rounds=3"]),
    ("register_cliff", "launch", ["values=8", "blocks_of_256=1"]),
    ("spin_lock", "launch in_turn meeting bytecode-early_join bytecode-naive bytecode-no_yield", ["n=10"]),
    ("spin_lock", "token", ["rounds=7"]),
    ("spin_lock", "waiter", ["n=70"]),
    ("stride", "launch", ["stride=3"]),
    ("tensor_tile", "gemm gemm_padded", ["n=96"]),
    ("threshold_divergence", "launch launch-bytecode cuda-all-a bytecode-1-31", ["lanes_in_a=9"]),
    ("transpose", "launch copy naive tiled", ["n=64"]),
    ("vecadd", "launch n100 n1000 n10000 n1003", ["n=777"]),
    ("warp_formation", "launch square_4 square_8", ["width=9", "height=11"]),
    ("warp_formation", "box_4x8x2 box_12x9x8", ["width=9", "height=11", "depth=5"]),
    ("warp_formation", "line_48 line_255", ["n=101"]),
    ("warp_formation", "three_blocks", ["blocks_of_256=2"]),
    ("warp_formation", "warp_size", ["n=300"]),
    ("waves", "launch", ["blocks_of_32=9"]),
    ("with_without_divergence", "launch without sorted all_taken none_taken alternate_warps", ["n=500"]),
    ("with_without_divergence", "measured measured_sorted", ["n=512"]),
    ("with_without_divergence", "boundary interleaved interleaved_sorted", ["n=600"]),
    *(("suite", kernel, sizes) for kernel, sizes in suite_sizes.SIZES.items()),
]

# Whose lanes wait for each other for ever, at any size.
ENDLESS = {"barrier_divergence/both_sides", "barrier_divergence/one_side", "spin_lock/meeting",
           "spin_lock/bytecode-early_join"}

# Launch files without a size, and why.
FIXED = {
    "a schedule of exactly these instructions, cycle by cycle":
        "even_odd/launch-bytecode loop_trips/bytecode-per_trip loop_trips/launch-bytecode policies/priority "
        "scheduling_example/launch threshold_divergence/timeline vecadd/bytecode-warp vecadd/launch-bytecode",
    "one warp, of which the kernel says what each lane does":
        "if_else/launch if_else/nested if_else/switch if_else/early_exit if_else/break if_else/launch-bytecode "
        "if_else/bytecode-nested if_else/bytecode-switch if_else/bytecode-early_exit if_else/bytecode-break "
        "loop_trips/per_trip reduction/steps warp_synchronous/launch warp_synchronous/exchange "
        "warp_synchronous/sum warp_synchronous/sum_sync",
    "a tile as large as the matrix instruction takes":
        "tensor_tile/launch tensor_tile/launch-bytecode",
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
    """Output i of SplitMix64 (docs/reference/formats.md)."""
    mask = (1 << 64) - 1
    z = (seed + (i + 1) * 0x9e3779b97f4a7c15) & mask
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & mask
    z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & mask
    return z ^ (z >> 31)


def random_floats(seed, count):
    return [f32((random_word(seed, i) >> 11) * 2.0 ** -53) for i in range(count)]


def half(x):
    return struct.unpack("e", struct.pack("e", x))[0]


class EveryLaunchFile(unittest.TestCase):
    def test_has_a_size_or_a_reason(self):
        fixed = {name for names in FIXED.values() for name in names.split()}
        sized, bare = set(), set()
        for path in WORKLOADS.glob("*/*.yaml"):
            name = f"{path.parent.name}/{path.stem}"
            found = re.search(r"^let: *\{(.*)\}$", path.read_text(), flags=re.M)
            (sized if found else bare).add(name)
            if found:
                rest = path.read_text().replace(found[0], "")
                for key in re.findall(r"(\w+):", found[1]):
                    self.assertRegex(re.sub(r"#.*", "", rest), rf"\b{key}\b(?!:)", name)
        self.assertEqual(bare, fixed)
        self.assertGreater(len(sized), 100)
        self.assertEqual({name.partition("/")[0] for name in sized}, {workload for workload, _, _ in SIZES})


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Sizes(unittest.TestCase):
    def test_expectations_follow(self):
        for workload, files, sizes in SIZES:
            options = [word for size in sizes for word in ("--launch", size)]
            for name in files.split():
                with self.subTest(f"{workload}/{name}"):
                    code, errors, result = run(f"{workload}/{name}.yaml", *options)
                    endless = f"{workload}/{name}" in ENDLESS
                    self.assertEqual(code, 5 if endless else 0, errors)
                    if not endless:
                        expects = "\nexpect:" in (WORKLOADS / workload / f"{name}.yaml").read_text()
                        self.assertEqual(bool(result["checks"]), expects)
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

    def test_gemm(self):
        n = 32
        a, b = ([half(random_word(seed, i) / 2 ** 64 * 8 - 4) for i in range(n * n)] for seed in (1, 2))
        product = [sum(a[row * n + k] * b[k * n + column] for k in range(n)) for row in range(n) for column in range(n)]
        found = values("tensor_tile/gemm.yaml", "c", "--launch", f"n={n}")
        self.assertLess(max(abs(x - y) for x, y in zip(found, product)), 1e-4)

    def test_policies(self):
        n, rounds, work = 1024, 2, 3
        self.assertEqual(values("policies", "out", "--launch", f"n={n}", "--launch", f"rounds={rounds}"),
                         [rounds * sum(256 * (t // 32) + t % 32 + 32 * i for i in range(8)) for t in range(n)])
        found = values("policies/stages.yaml", "out", "--launch", f"n={n}", "--launch", f"rounds={rounds}",
                       "--launch", f"work={work}")
        for thread in range(n):
            a, b, c = thread % 7, 1.0, thread
            for i in range(rounds):
                for k in range(work):
                    a, b, c = a * 0.5 + 1, b * 0.5 + 1, (c + k) ^ thread
                a += (i * n + thread) * b
            self.assertAlmostEqual(found[thread], a + (c & 1), delta=1e-6 * a + 1e-6)

    def test_formation(self):
        width, height, depth = 9, 5, 3
        options = ["--launch", f"width={width}", "--launch", f"height={height}", "--launch", f"depth={depth}"]
        places = [x | y << 10 | z << 20 for z in range(depth) for y in range(height) for x in range(width)]
        for buffer, wanted in (("where", places), ("warp", [i // 32 for i in range(len(places))]),
                               ("place", [i % 32 for i in range(len(places))])):
            self.assertEqual(values("warp_formation/box_4x8x2.yaml", buffer, *options), wanted)

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
