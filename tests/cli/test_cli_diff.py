"""Tests of comparing two runs: test_cli_diff.py WARPSTEP [unittest options]

Where two runs part must be where their text traces do.
"""
import json
import os
import subprocess
import sys
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, cwd="/", timeout=HANGS)


def diff(a, b, code=1):
    done = run("diff", *a, "--format", "json", "--vs", *b)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def events(arguments):
    lines = run("trace", *arguments).stdout.splitlines()
    return [line.strip() for line in lines if not line.startswith("#")]


class Parting(unittest.TestCase):
    # Options of A and of B, and what the reason says.
    CASES = [
        (["vecadd", "--sms", "1", "--policy", "lrr"], ["vecadd", "--sms", "1", "--policy", "gto"],
         "the schedulers choose different warps"),
        (["vecadd"], ["vecadd", "--set", "classes.imad_wide.latency=9"], "is available at cycle"),
        (["vecadd", "--sms", "2"], ["vecadd", "--sms", "2", "--set", "memory.dram.latency=900"],
         "an access of warp"),
        (["if_else"], ["if_else", "--set", "branch.taken_cost=30"], " waits for "),
        (["scheduling_example"], ["scheduling_example", "--policy", "oldest"], "choose different warps"),
    ]

    def test_is_where_the_traces_part(self):
        for a, b, reason in self.CASES:
            with self.subTest(a=a, b=b):
                found = diff(a, b)
                first, second = events(a), events(b)
                at = next(i for i, pair in enumerate(zip(first, second)) if pair[0] != pair[1])
                self.assertEqual(found["common_events"], at)
                self.assertEqual(found["parting"]["a"], first[at])
                self.assertEqual(found["parting"]["b"], second[at])
                cycle = min(int(first[at].split()[0]), int(second[at].split()[0]))
                self.assertEqual(found["parting"]["cycle"], cycle)
                self.assertIn(reason, found["parting"]["reason"])

    def test_other_programs(self):
        """Kernels at other places of their programs are the same as far as their texts are."""
        found = diff(["if_else/bytecode-early_exit.yaml"], ["if_else/bytecode-nested.yaml"])
        self.assertEqual(found["parting"]["cycle"], 3)
        self.assertIn("is at another instruction", found["parting"]["reason"])

    def test_one_ends_before_the_other(self):
        found = diff(["if_else"], ["if_else", "--max-cycles", "300"])
        self.assertIsNone(found["parting"]["b"])
        self.assertIn("B has ended", found["parting"]["reason"])
        self.assertEqual((found["a"]["status"], found["b"]["status"]), ("ok", "limit"))

    def test_the_same(self):
        for a, b in ((["vecadd"], []), (["vecadd", "--threads", "3"], ["--threads", "1"]),
                     (["barrier_divergence/one_side.yaml"], [])):
            found = diff(a, b, code=0)
            self.assertIsNone(found["parting"])
            self.assertEqual(found["common_events"], len(events(a)))
            self.assertEqual((found["settings"], found["buffers"]), ([], []))
        done = run("diff", "vecadd", "vecadd")
        self.assertEqual(done.returncode, 0)
        self.assertIn("The runs are the same, event by event", done.stdout)


class Figures(unittest.TestCase):
    def test_are_those_of_the_runs(self):
        a = ["with_without_divergence", "--sms", "1"]
        b = ["with_without_divergence/without.yaml", "--sms", "1"]
        found = diff(a, b)
        reports = [json.loads(run("run", *side, "--format", "json").stdout) for side in (a, b)]
        figures = {row["name"]: row for row in found["figures"]}
        for name in ("cycles", "elapsed_cycles", "warp_instructions", "warp_cycles"):
            self.assertEqual([figures[name]["a"], figures[name]["b"]],
                             [report[name] for report in reports])
        for side, report in zip("ab", reports):
            self.assertEqual({row["reason"]: row[side] for row in found["stalls"] if row[side]},
                             {name: cycles for name, cycles in report["stalls"].items() if cycles})
            self.assertEqual(sum(row[side] for row in found["lines"]), report["warp_cycles"])
            self.assertEqual(sum(row[f"instructions_{side}"] for row in found["lines"]),
                             report["warp_instructions"])
        for rows in (found["stalls"], found["lines"]):
            distances = [abs(row["a"] - row["b"]) for row in rows]
            self.assertEqual(distances, sorted(distances, reverse=True))

    def test_settings_and_results(self):
        found = diff(["vecadd"], ["--policy", "lrr", "--set", "memory.dram.latency=900"])
        self.assertEqual({row["setting"] for row in found["settings"]},
                         {"policy", "memory.dram.latency"})
        self.assertEqual(found["buffers"], [])
        found = diff(["if_else"], ["if_else", "--launch", "block=16"])
        self.assertEqual(len(found["buffers"]), 1)

    def test_text(self):
        done = run("diff", "vecadd", "--sms", "1", "--policy", "lrr", "--lines", "2", "--vs",
                   "--sms", "1", "--policy", "gto")
        self.assertEqual(done.returncode, 1)
        for part in ("policy: lrr | gto", "They first differ at cycle ", "\n  A ", "\n  B ",
                     "Warp-cycles by reason", "Warp-cycles by line", "more, which differ less"):
            self.assertIn(part, done.stdout)


class Options(unittest.TestCase):
    def refused(self, code, message, *arguments):
        done = run("diff", *arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(message, done.stderr)

    def test_refused(self):
        self.assertEqual(run("diff", "vecadd").returncode, 2)
        self.assertEqual(run("diff", "vecadd", "--vs", "vecadd", "vecadd").returncode, 2)
        self.refused(2, "--policy", "vecadd", "--vs", "--policy")
        self.refused(2, "not one of text, json", "vecadd", "vecadd", "--format", "csv")
        self.refused(2, "--lines", "vecadd", "vecadd", "--lines", "-1")
        self.refused(3, "no such file", "vecadd", "no_such_workload")
        self.refused(3, "no setting", "vecadd", "--vs", "--set", "x=1")
        self.refused(3, "cannot write", "vecadd", "vecadd", "-o", "/no/x")


if __name__ == "__main__":
    unittest.main()
