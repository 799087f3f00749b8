"""The studies of workloads/literature: each shows what its paper found. test_literature.py WARPSTEP [unittest options]

Bounds are on shapes, not on figures: each says why it holds. docs/learn/literature.md has the figures."""
import csv
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG

PROGRAM = os.path.abspath(sys.argv.pop(1))
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "workloads/literature"
STUDIES = sorted(path.stem for path in (FOLDER / "studies").glob("*.yaml"))


def sweep(*arguments):
    return subprocess.run([PROGRAM, "sweep", *arguments], capture_output=True, text=True, check=False)


@functools.cache
def rows(study):
    """The points of a study as it is built in: the values of its parameters -> the row."""
    with tempfile.TemporaryDirectory() as folder:
        done = sweep(f"literature/{study}", "-o", f"{folder}/out")
        assert done.returncode == 0, done.stderr
        with open(f"{folder}/out/runs.csv", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
    parameters = list(table[0])[:list(table[0]).index("status")]
    assert all(row["status"] == "ok" for row in table)
    return {tuple(row[name] for name in parameters): row for row in table}


def figures(study, name):
    return {point: float(row[name]) for point, row in rows(study).items()}


class Tree(unittest.TestCase):
    def test_names(self):
        """A study must not hide a launch file; each is in the manual and tested here."""
        self.assertFalse(set(STUDIES) & {path.stem for path in FOLDER.glob("*.yaml")})
        page = (FOLDER.parents[1] / "docs/learn/literature.md").read_text()
        tested = {name.removeprefix("test_") for name in dir(Shapes)}
        for study in STUDIES:
            self.assertIn(f"warpstep sweep literature/{study} -o {study}", page)
            self.assertIn(study, tested)

    def test_the_file_is_the_same_study(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for study in ("literature/little", FOLDER / "studies/little.yaml"):
                done = sweep(study, "-o", f"{folder}/{len(texts)}")
                self.assertEqual(done.returncode, 0, done.stderr)
                texts.append(pathlib.Path(f"{folder}/{len(texts)}/runs.csv").read_text())
            self.assertEqual(*texts)

    def test_unknown_study(self):
        done = sweep("literature/volkof", "-P", "warps=1,2", "-o", os.devnull + "/none")
        self.assertEqual(done.returncode, 3)
        self.assertIn("literature", done.stderr)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Shapes(unittest.TestCase):
    def test_volkov(self):
        ipc = figures("volkov", "ipc")
        # A multiply-add takes 4 cycles, and there are 4 sub-cores: 16 chains an SM fill its pipes, whoever has them.
        equal = [ipc["1", "16"], ipc["2", "8"], ipc["4", "4"]]
        # With one warp on a sub-core nothing hides the end of the loop, every 16 multiply-adds of a chain.
        self.assertLess(max(equal) / min(equal), 1.15)
        best = max(ipc.values())
        self.assertGreater(min(equal), 0.8 * best)
        # Half the chains leave the pipes idle half of the time; twice as many gain only what start and end cost.
        for half in (ipc["1", "8"], ipc["2", "4"]):
            self.assertLess(half, 0.6 * best)
        for chains in "124":
            self.assertGreater(ipc[chains, "32"], 0.9 * best)

    def test_volkov_copy(self):
        cycles = figures("volkov_copy", "cycles")
        # The same number of loads in flight takes about the same time; but a warp stores nothing before its last load is
        # there, so few warps with many loads each have fewer in flight on average.
        for loads in (16, 32):
            same = [time for (values, warps), time in cycles.items() if int(values) * int(warps) == loads]
            self.assertLess(max(same) / min(same), 1.5)
        # Until the bandwidth is used up twice the loads take about half of the time: then no setting is faster.
        self.assertGreater(cycles["1", "4"] / cycles["2", "4"], 1.7)
        self.assertGreater(cycles["1", "4"] / cycles["1", "8"], 1.7)
        full = [cycles[point] for point in (("8", "16"), ("8", "32"), ("4", "32"))]
        self.assertLess(max(full) / min(full), 1.05)
        self.assertEqual(min(cycles.values()), min(full))

    def test_little(self):
        # A warp issues 4 times in 4 + wait cycles, by the definition of the machine; the start takes under 1 %.
        for (wait, warps), ipc in figures("little", "ipc").items():
            period = 4 + int(wait)
            if 4 * int(warps) <= period:
                self.assertAlmostEqual(ipc / (4 * int(warps) / period), 1, delta=0.01)
            elif int(warps) * 4 % period == 0:
                self.assertGreater(ipc, 0.99)

    def test_divergence(self):
        cycles = figures("divergence", "cycles")
        path = cycles["2",] - cycles["1",]
        # Each path costs the same, so T(k) is a line; what all lanes do together is not in its slope.
        for k in (4, 8, 16):
            self.assertAlmostEqual((cycles[f"{k}",] - cycles["1",]) / (k - 1) / path, 1, delta=0.02)
        self.assertGreater(path, 0.8 * cycles["1",])
        # Each pass has 1/16 of the lanes; the 1 % that all do together adds as much again to the mean.
        self.assertAlmostEqual(figures("divergence", "lane_efficiency")["16",], 1 / 16 + 0.01, delta=0.005)

    def test_ccws(self):
        cycles = figures("ccws", "cycles")
        hits = figures("ccws", "l1_hit_rate")
        # 64 warps with 8 lines each do not fit into L1; as many as ccws lets load do.
        for policy in ("lrr", "gto"):
            self.assertLess(hits["policies", policy], 0.05)
        self.assertGreater(hits["policies", "ccws"], 0.7)
        self.assertGreater(cycles["policies", "gto"] / cycles["policies", "ccws"], 1.1)
        # No line is lost, so no score rises, and ccws is gto to the cycle.
        for target in ("policies/stages", "suite/compute_nbody", "suite/memory_triad"):
            self.assertEqual(cycles[target, "ccws"], cycles[target, "gto"])

    def test_two_level(self):
        cycles = figures("two_level", "cycles")
        gain = {target: cycles[target, "lrr"] / cycles[target, "two-level"] for target, _ in cycles}
        # With a short stage all warps of lrr wait for memory together; with long ones the scheduler is busy anyway.
        self.assertGreater(gain["policies/stages"], 1.01)
        self.assertLess(gain["policies/stages_long"], 1)
        # Who waits for bandwidth gains nothing from another order.
        self.assertAlmostEqual(gain["policies/columns"], 1, delta=0.01)

    def test_greedy(self):
        cycles, hits = figures("greedy", "cycles"), figures("greedy", "l1_hit_rate")
        # A point of kmeans is read by one warp, five times: greed leaves less time for others to evict it.
        self.assertGreater(hits["suite/cache_kmeans", "gto"], hits["suite/cache_kmeans", "lrr"] + 0.05)
        self.assertGreater(cycles["suite/cache_kmeans", "lrr"] / cycles["suite/cache_kmeans", "gto"], 1.02)
        # A table that all warps share is in L1 under both; a stream is in L1 under neither.
        for target in ("suite/cache_lookup", "suite/memory_triad"):
            self.assertAlmostEqual(hits[target, "gto"], hits[target, "lrr"], delta=0.01)
        self.assertAlmostEqual(cycles["suite/memory_triad", "gto"] / cycles["suite/memory_triad", "lrr"], 1, delta=0.01)

    def test_owl(self):
        cycles, hits = figures("owl", "cycles"), figures("owl", "l1_hit_rate")
        def gain(target):
            return cycles[target, "lrr"] / cycles[target, "policies/owl.c"]
        # Few blocks at a time have more of L1 each, where a warp comes back to its lines; a stream has none to come back to.
        self.assertGreater(hits["suite/cache_kmeans", "policies/owl.c"], hits["suite/cache_kmeans", "lrr"] + 0.05)
        self.assertGreater(gain("suite/cache_kmeans"), 1.02)
        self.assertGreater(gain("suite/cache_matvec"), 1.01)
        self.assertAlmostEqual(gain("suite/memory_triad"), 1, delta=0.01)

    def test_registers(self):
        cycles, blocks = figures("registers", "cycles"), figures("registers", "blocks_per_sm")
        # The time of a kernel that waits for memory goes as the inverse of the blocks that wait at a time.
        self.assertEqual([blocks[values,] for values in ("16", "24", "30", "40")], [8, 8, 6, 5])
        for values in ("20", "24"):
            self.assertAlmostEqual(cycles[values,] / cycles["16",], 1, delta=0.02)
        for values in ("30", "40"):
            self.assertAlmostEqual(cycles[values,] / cycles["16",], 8 / blocks[values,], delta=0.1)

    def test_warp_size(self):
        cycles = figures("warp_size", "cycles")
        def speed(target, size):
            return cycles[target, "32"] / cycles[target, size]
        # Groups of 8 threads never diverge in a warp of 8.
        self.assertGreater(speed("warp_formation/warp_size", "8"), 1.1)
        self.assertGreater(speed("suite/divergent_mandelbrot", "16"), 1.05)
        self.assertLess(speed("suite/divergent_mandelbrot", "64"), 0.95)
        # Without divergence all keep the pipes busy, but 16 warps of 8 lanes a sub-core hide less.
        for size in ("16", "64"):
            self.assertAlmostEqual(speed("suite/compute_polynomial", size), 1, delta=0.03)
        self.assertLess(speed("suite/compute_polynomial", "8"), 0.97)


if __name__ == "__main__":
    unittest.main()
