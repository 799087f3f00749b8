"""The kernels of workloads/suite: that each runs and is right, and that each class is what its name says.

test_suite.py WARPSTEP [unittest options]
Figures are those of one SM with its share of L2 and DRAM; bounds leave a compiler room."""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import shared_runs
from clangs import HAS_CLANG

PROGRAM = os.path.abspath(sys.argv.pop(1))
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "workloads/suite"
CLASSES = ("compute", "memory", "cache", "divergent", "barrier", "atomic", "irregular")
KERNELS = sorted(path.stem for path in FOLDER.glob("*.yaml"))

# Settings of the launch that make all atomics of a kernel go to one place.
ONE_PLACE = {"atomic_group_by": "keys=1", "atomic_histogram_global": "bins=1", "atomic_histogram_shared": "bins=1"}


@functools.cache
def run(kernel, *options):
    done = shared_runs.run(PROGRAM, f"suite/{kernel}", "--sms", "1", "--share", "fair", *options)
    assert done.returncode == 0, f"{kernel} {options}: {done.stderr}"
    return json.loads(done.stdout)


def kernels_of(name):
    return [kernel for kernel in KERNELS if kernel.startswith(f"{name}_")]


def issued(result):
    """Part of the issue slots of four sub-cores that were used."""
    return result["ipc"] / 4


def stalled(result, *reasons):
    return sum(result["stalls"][reason] for reason in reasons) / result["warp_cycles"]


def waits_for_memory(result):
    return stalled(result, "long_scoreboard", "lg_throttle")


def sectors_per_load(result):
    return result["memory"]["global_load_sectors"] / result["memory"]["global_load_requests"]


def stalled_at(result, pattern):
    """Part of the warp-cycles that passed at lines of atomic.cu with this text."""
    text = (FOLDER / "atomic.cu").read_text().splitlines()
    cycles = sum(sum(line["stalls"].values()) for line in result["lines"]
                 if line["file"] is not None and re.search(pattern, text[line["line"] - 1]))
    return cycles / result["warp_cycles"]


class Tree(unittest.TestCase):
    def test_classes(self):
        self.assertGreaterEqual(len(KERNELS), 24)
        self.assertEqual({kernel.partition("_")[0] for kernel in KERNELS}, set(CLASSES))
        for name in CLASSES:
            self.assertGreaterEqual(len(kernels_of(name)), 3)

    def test_each_launches_its_class_source(self):
        for kernel in KERNELS:
            text = (FOLDER / f"{kernel}.yaml").read_text()
            self.assertIn(f"\nprogram: {kernel.partition('_')[0]}.cu\n", text, kernel)

    def test_notes_have_a_row_for_each(self):
        notes = (FOLDER / "notes.md").read_text()
        self.assertEqual(sorted(re.findall(r"^\| `(\w+)` \|", notes, flags=re.M)), KERNELS)

    def test_list_has_each(self):
        listed = subprocess.run([PROGRAM, "run", "--list"], capture_output=True, text=True, check=True).stdout
        rows = dict(re.findall(r"^  suite/(\w+)\.yaml +(\S.*)$", listed, flags=re.M))
        self.assertEqual(sorted(rows), KERNELS)
        self.assertIn("\nsuite ", listed)

    def test_the_suite_is_not_a_launch(self):
        done = subprocess.run([PROGRAM, "run", "suite"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("the workload 'suite' has the files atomic.cu, atomic_group_by.yaml", done.stderr)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Runs(unittest.TestCase):
    def test_each_is_right(self):
        for kernel in KERNELS:
            with self.subTest(kernel):
                result = run(kernel)
                self.assertEqual(result["status"], "ok")
                self.assertTrue(result["checks"])
                self.assertTrue(all(check["passed"] and check["elements"] > 0 for check in result["checks"]))

    def test_each_has_warps_to_choose_from(self):
        for kernel in KERNELS:
            with self.subTest(kernel):
                for launch in run(kernel)["launches"]:
                    self.assertGreaterEqual(launch["blocks"]["launched"], 16)
                    self.assertGreaterEqual(launch["warps"]["launched"], 32)

    def test_file_may_be_named_in_full(self):
        texts = [subprocess.run([PROGRAM, "run", target, "--sms", "1"], capture_output=True, check=True).stdout
                 for target in ("suite/divergent_gcd", "suite/divergent_gcd.yaml")]
        self.assertEqual(*texts)

    def test_policies_differ(self):
        """Greedy or in turn: more than 5 % apart where warps wait for each other, less than 2 % where all wait for DRAM."""
        def change(kernel):
            return abs(run(kernel, "--policy", "gto")["cycles"] / run(kernel, "--policy", "lrr")["cycles"] - 1)
        for kernel in ("barrier_edit_distance", "barrier_matmul_tiles", "barrier_reduce", "compute_matmul_registers"):
            self.assertGreater(change(kernel), 0.05, kernel)
        for kernel in ("memory_triad", "memory_strided"):
            self.assertLess(change(kernel), 0.02, kernel)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Signatures(unittest.TestCase):
    def each(self, name):
        for kernel in kernels_of(name):
            yield kernel, run(kernel)

    def test_compute_issues(self):
        for kernel, result in self.each("compute"):
            self.assertGreater(issued(result), 0.4, kernel)
            self.assertLess(waits_for_memory(result), 0.4, kernel)
            self.assertGreater(result["lane_efficiency"], 0.95, kernel)
        self.assertGreater(issued(run("compute_polynomial")), 0.9)

    def test_memory_waits(self):
        for kernel, result in self.each("memory"):
            self.assertLess(issued(result), 0.55, kernel)
            self.assertGreater(waits_for_memory(result), 0.5, kernel)
            self.assertGreater(result["lane_efficiency"], 0.95, kernel)
        for kernel in ("memory_triad", "memory_strided"):
            self.assertGreater(run(kernel)["memory_share"]["dram_taken"], 0.7, kernel)
        transpose = run("memory_transpose")["memory"]
        self.assertEqual(transpose["global_store_sectors"], 32 * transpose["global_store_requests"])
        self.assertGreater(sectors_per_load(run("memory_strided")), 31.9)

    def test_cache_hits_depend_on_its_size(self):
        """A carve-out of 100 % leaves 28 KiB of the array to L1."""
        for kernel, result in self.each("cache"):
            small = run(kernel, "--launch", "carveout=100")
            self.assertGreater(result["memory"]["l1_hit_rate"], 0.45, kernel)
            self.assertGreater(result["memory"]["l1_hit_rate"] - small["memory"]["l1_hit_rate"], 0.25, kernel)
            if kernel != "cache_convolution":  # its warps find enough else to do
                self.assertGreater(small["cycles"], 1.5 * result["cycles"], kernel)

    def test_divergent_lanes_wait(self):
        for kernel, result in self.each("divergent"):
            self.assertLess(result["lane_efficiency"], 0.82, kernel)
            self.assertGreater(result["warps"]["diverged"], 0.6 * result["warps"]["launched"], kernel)
            self.assertLess(waits_for_memory(result), 0.2, kernel)

    def test_barrier_warps_wait(self):
        for kernel, result in self.each("barrier"):
            self.assertGreater(stalled(result, "barrier"), 0.12, kernel)
        for name in ("memory", "cache", "divergent", "irregular"):
            for kernel, result in self.each(name):
                self.assertEqual(result["stalls"]["barrier"], 0, kernel)

    def test_atomics_are_served_in_turn(self):
        self.assertEqual(set(kernels_of("atomic")), {*ONE_PLACE, "atomic_work_queue"})
        for kernel, a_row in (("atomic_group_by", 2), ("atomic_histogram_global", 1)):
            number = a_row * 256 * run(kernel)["let"]["blocks_of_256"] * run(kernel)["let"]["rounds"]
            # An access of a warp's lanes to memory takes far less than a cycle each.
            self.assertGreater(run(kernel)["cycles"], 0.7 * number, kernel)
            self.assertGreater(stalled_at(run(kernel), "atomic"), 0.7, kernel)
        for kernel in ("atomic_group_by", "atomic_histogram_shared"):
            one = run(kernel, "--launch", ONE_PLACE[kernel])
            self.assertGreater(one["cycles"], 1.5 * run(kernel)["cycles"], kernel)
        shared = run("atomic_histogram_shared")["memory"]
        self.assertGreater(shared["shared_bank_conflicts"], 0.7 * shared["shared_wavefronts"])
        # Who waits for the counter waits where the number is handed to the lanes.
        self.assertGreater(stalled_at(run("atomic_work_queue"), r"atomicAdd\(taken|__shfl_sync\(\w+, first"), 0.15)

    def test_irregular_waits_for_addresses(self):
        for kernel, result in self.each("irregular"):
            self.assertLess(issued(result), 0.35, kernel)
            self.assertGreater(waits_for_memory(result), 0.7, kernel)
        for kernel in ("irregular_binary_search", "irregular_list", "irregular_spmv"):
            self.assertGreater(sectors_per_load(run(kernel)), 12, kernel)


if __name__ == "__main__":
    unittest.main()
