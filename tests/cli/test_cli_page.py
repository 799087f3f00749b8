"""Tests of the files that `warpstep report` writes: test_cli_page.py WARPSTEP [unittest options]

The page is read as the browser reads it, and its timeline must tell the same as `warpstep trace`. What
the browser shows is looked at in test_page_browser.py.
"""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from page_data import Page
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

# Every text that a user writes tries to become markup.
HOSTILE_CUDA = """\
// </script><script>alert(1)</script> <!-- <script> ]]> &lt; " ' \\u2028
template <int N> __global__ void kernel_under_test(float *out) { out[threadIdx.x] = N; } // <img src=x onerror=alert(2)>
template __global__ void kernel_under_test<3>(float *out); // </SCRIPT >
"""
HOSTILE_LAUNCH = """\
version: 1
program: kernel.cu
buffers:
  out: {type: f32, count: 32}
kernel: kernel_under_test<3>
grid: 1
block: 32
params: [{ref: out}]
expect:
  - {buffer: out, fill: 4}
"""


def warpstep(*arguments, code=0, cwd="/"):
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS, cwd=cwd)
    # None: a grid that is not the launch file's, whose results are not looked at.
    if done.returncode not in ((0, 1) if code is None else (code,)):
        raise AssertionError(f"{arguments}: exit code {done.returncode}, not {code}\n{done.stderr.decode()}")
    return done


class Reports(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.path = self.folder / "page.html"

    def tearDown(self):
        self.scratch.cleanup()

    def page(self, *arguments, code=0):
        warpstep("report", *arguments, "-o", str(self.path), code=code)
        return Page(self.path)

    def compare_with_trace(self, page, *arguments):
        """Events of the page against those of `trace` with the same options."""
        text = warpstep("trace", *arguments, "--format", "csv", "--events",
                        "issue,stall,diverge,reconverge,response,barrier_arrive,barrier_release,warp_exit,warp_end",
                        code=None).stdout.decode()
        expected = {}
        for row in csv.DictReader(io.StringIO(text)):
            if int(row["cycle"]) >= page.data["timeline"]["end"]:
                continue # the run is over
            values = []
            if row["event"] == "issue":
                values = [int(row["mask"], 16), int(row["mask2"], 16)]
            elif row["event"] == "stall":
                values = [row["text"]]
            elif row["event"] == "diverge":
                values = [int(row["mask"], 16), int(row["mask2"], 16)]
            elif row["event"] == "reconverge":
                values = [int(row["mask"], 16)]
            address = int(row["address"]) // 16 if row["event"] in ("issue", "response") else None
            key = row["sm"], row["warp"]
            expected.setdefault(key, []).append((int(row["cycle"]), row["event"], address, values))
        actual = {}
        kinds = {"issue", "stall", "diverge", "reconverge", "response", "barrier_arrive", "barrier_release", "warp_exit", "warp_end"}
        for cycle, sm, warp, kind, instruction, values in page.events(kinds):
            if kind == "issue":
                values = values[:2]
            elif kind in ("diverge", "reconverge"):
                values = [page.masks[value] for value in values]
            elif kind != "stall":
                values = []
            address = instruction if kind in ("issue", "response") else None
            actual.setdefault((str(sm), str(warp)), []).append((cycle, kind, address, values))
        self.assertEqual(sorted(expected), sorted(actual))
        for key, events in expected.items():
            self.assertEqual(events, actual[key], key)
        return sum(map(len, expected.values()))

    def test_timeline_is_the_trace(self):
        arguments = ["with_without_divergence", "--sms", "2", "--launch", "grid=6"]
        count = self.compare_with_trace(self.page(*arguments, "--sm", "0-1", code=None), *arguments)
        self.assertGreater(count, 100000)

    def test_timeline_of_warps_that_wait_to_and_fro(self):
        arguments = ["alignment/cached_0.yaml", "--sms", "1", "--launch", "grid=1"]
        page = self.page(*arguments, code=None)
        self.assertGreater(self.compare_with_trace(page, *arguments), 100000)
        self.assertLess(len(page.element("timeline")) / page.data["timeline"]["issues"], 20)

    def test_timeline_with_barriers_and_other_models(self):
        for model in ("stack", "its", "none"):
            arguments = ["reduction", "--sms", "1", "--set", "divergence.model=" + model, "--launch", "grid=4"]
            self.assertGreater(self.compare_with_trace(self.page(*arguments, "--sm", "0", code=None), *arguments), 3000)

    def test_window(self):
        arguments = ["with_without_divergence", "--sms", "1", "--launch", "grid=4"]
        whole = self.page(*arguments, code=None)
        part = self.page(*arguments, "--from", "1400", "--to", "2999", code=None)
        self.assertEqual((part.data["timeline"]["first"], part.data["timeline"]["end"]), (1400, 3000))
        kinds = {"issue", "diverge", "reconverge", "warp_exit"}
        show = lambda page: [(*event[:5], event[5] if event[3] == "issue" else []) for event in page.events(kinds)
                             if 1400 <= event[0] < 3000]
        self.assertEqual(show(whole), show(part))
        self.assertGreater(len(show(part)), 1000)
        # What held when the window began: reason, paths and lanes of each warp.
        for warp in part.warps:
            before = [r for w in whole.warps if w["warp"] == warp["warp"] and w["block"] == warp["block"]
                      for r in w["records"] if r[0] < 1400]
            first = [r for r in warp["records"] if r[1] in ("stall", "issue")][0]
            last = [r for r in before if r[1] in ("stall", "issue")][-1]
            if first[1] == "stall" and last[1] == "stall" and first[0] == 1400:
                self.assertEqual(first[3:], last[3:])
            told = [r for r in before if r[1] == "paths"]
            if told and told[-1][3]:
                self.assertEqual([r for r in warp["records"] if r[1] == "paths"][0][3], told[-1][3])
        # The summary is that of the whole run.
        self.assertEqual(whole.run, part.run)
        self.assertGreater(whole.run["cycles"], 3000)

    def test_limit_of_instructions(self):
        page = self.page("with_without_divergence", "--sms", "1", "--max-issues", "5000")
        self.assertTrue(page.data["timeline"]["cut"])
        self.assertEqual(page.data["timeline"]["issues"], 5000)
        count = len(page.events({"issue"}))
        self.assertTrue(4990 <= count <= 5000, count)
        self.assertLess(page.data["timeline"]["end"], page.run["cycles"])

    def test_samples_are_those_of_the_run(self):
        for page in (self.page("with_without_divergence"), self.page("vecadd", "--sms", "2")):
            samples, run = page.data["samples"], page.run
            self.assertEqual([sum(reason) for reason in samples["stalls"]],
                             list(run["stalls"].values()))
            self.assertEqual(sum(samples["dram_bytes"]), run["memory"]["dram_read_bytes"] +
                             run["memory"]["dram_write_bytes"])
            self.assertAlmostEqual(sum(samples["l2_hits"]) / sum(samples["l2_lookups"]),
                                   run["memory"]["l2_hit_rate"])
            spans = len(samples["l1_lookups"])
            self.assertEqual(spans, -(-run["elapsed_cycles"] // samples["width"]))
            self.assertLessEqual(spans, 256)

    def test_usage_is_that_of_the_run(self):
        page = self.page("with_without_divergence")
        usage, run = page.data["usage"], page.run
        self.assertEqual(sum(usage["issues"]), run["warp_instructions"])
        self.assertEqual(sum(usage["lanes"]), run["thread_instructions"])
        self.assertEqual(sum(usage["warp_cycles"]), run["warp_cycles"])
        self.assertLessEqual(len(usage["issues"]), 512)

    def test_instructions_are_those_of_the_run(self):
        page = self.page("reduction", "--sms", "2")
        rows, run = page.data["instructions"], page.run
        self.assertEqual(sum(row[6] for row in rows), run["warp_instructions"])
        self.assertEqual(sum(sum(row[13:]) for row in rows), run["warp_cycles"])
        self.assertEqual(warpstep("run", "reduction", "--sms", "2", "--format", "json").stdout.decode().strip(),
                         re.sub(r"\\u00(3c|3e|26)", lambda m: chr(int(m.group(1), 16)), page.element("run")).strip())

    def test_who_is_answered(self):
        """Loads are; stores only where something waits for them."""
        for target, store in (["vecadd", "--sms", "1"], False), (["vecadd/launch-bytecode.yaml"], True):
            page = self.page(*target)
            answered = [text for index, text, *_ in page.data["instructions"] if index in page.data["answered"]]
            self.assertEqual(sum("LDG" in text for text in answered), 2, answered)
            self.assertEqual(sum("STG" in text for text in answered), int(store), answered)

    def test_the_same_bytes(self):
        pages = []
        for options in ([], ["--threads", "3"], []):
            self.page("with_without_divergence", "--sm", "0-3", *options)
            pages.append(self.path.read_bytes())
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])

    def test_size(self):
        self.page("with_without_divergence")
        self.assertLess(self.path.stat().st_size, 1000000)

    def test_nothing_is_fetched(self):
        html = self.page("vecadd").html
        markup = re.sub(r"<script.*?</script>", "", html, flags=re.S)
        self.assertEqual(re.findall(r"<(?:link|img|iframe|object|embed|audio|video)\b", markup), [])
        self.assertEqual(re.findall(r"url\(|@import", markup), [])
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html).group(1)
        self.assertTrue(policy.startswith("default-src 'none';"), policy)
        self.assertNotIn("unsafe-inline", policy.split("script-src")[1])

    def test_hostile_texts_stay_texts(self):
        (self.folder / "kernel.cu").write_text(HOSTILE_CUDA)
        (self.folder / "launch.yaml").write_text(HOSTILE_LAUNCH)
        plain = self.page("vecadd").html
        page = self.page(str(self.folder), code=1)
        for word in ("<script", "</script", "<!--", "<img", "-->"):
            self.assertEqual(page.html.lower().count(word), plain.lower().count(word), word)
        self.assertIn("<title>kernel_under_test&lt;3&gt; on", page.html)
        self.assertIn("alert(2)", page.data["files"][1]["parts"][0]["lines"][1])
        self.assertFalse(page.run["checks"][0]["passed"])

    def test_runs_that_stop(self):
        page = self.page("barrier_divergence/one_side.yaml", code=5)
        self.assertEqual(page.run["status"], "deadlock")
        opening = page.data["highlights"][page.data["opening"]]
        self.assertEqual((opening["name"], opening["cycle"]), ("failure", page.run["error"]["cycle"]))
        self.assertGreater(len(page.events({"issue"})), 0)

    def highlights_of(self, page):
        """What happened where, out of all that the warps of a page did: name -> (value, block, warp, cycle)."""
        found = {}
        offer = lambda name, *value: found.__setitem__(name, min(found.get(name, value), value))
        waits = {"barrier": "longest-barrier-wait", "long_scoreboard": "longest-memory-wait"}
        for warp in page.warps:
            who, reason, since, split = (warp["block"], warp["warp_in_block"]), None, 0, None
            for cycle, kind, _, values in warp["records"]:
                if kind not in ("issue", "stall", "diverge", "warp_end"):
                    continue
                if kind != "diverge":
                    if reason in waits and cycle > since:
                        offer(waits[reason], since - cycle, *who, since)
                    reason, since = values[0] if kind == "stall" else None, cycle
                waiting = bin(values[2] & ~values[0]).count("1") if kind == "issue" else 0
                if split and waiting:
                    split[1] += waiting
                elif split and kind in ("issue", "warp_end"):
                    if split[1]:
                        offer("first-split", split[0], *who, split[0])
                        offer("worst-divergence", -split[1], *who, split[0])
                    split = None
                if kind == "diverge" and not split:
                    split = [cycle, 0]
                if kind == "warp_end":
                    offer("last-warp", -cycle, *who, warp["begin"])
        return found

    def test_highlights_are_those_of_all_warps(self):
        names = set()
        for arguments, sms in ((["with_without_divergence", "--sms", "2", "--launch", "grid=6"], "0-1"), (["reduction", "--sms", "3"], "0-2"),
                               (["loop_trips", "--sms", "2"], "0-1"), (["barrier_skew", "--sms", "1"], "0")):
            expected = self.highlights_of(self.page(*arguments, "--sm", sms, code=None))
            page = self.page(*arguments, code=None)
            actual = {}
            for h in page.data["highlights"]:
                value = {"first-split": h["cycle"], "worst-divergence": -h["waiting"], "last-warp": -h["end"]}
                actual[h["name"]] = value.get(h["name"], h["cycle"] - h["end"]), h["block"], h["warp"], h["cycle"]
                self.assertIn(h["sm"], page.data["timeline"]["sms"])
            self.assertEqual(actual, expected, arguments)
            names |= actual.keys()
        self.assertEqual(len(names), 5)

    def test_the_sms_are_those_where_something_happened(self):
        page = self.page("with_without_divergence")  # 64 blocks on 132 SMs
        self.assertEqual(page.data["timeline"]["sms"], sorted({h["sm"] for h in page.data["highlights"]}))
        self.assertEqual(page.data["highlights"][page.data["opening"]]["name"], "first-split")
        # What does not fit is left out, but for the SM that the page opens at.
        page = self.page("with_without_divergence", "--at", "worst-divergence", "--max-issues", "5000")
        opening = page.data["highlights"][page.data["opening"]]
        self.assertEqual((opening["name"], page.data["timeline"]["sms"]), ("worst-divergence", [opening["sm"]]))
        # The timeline begins where the highlight is in it.
        page = self.page("with_without_divergence", "--max-issues", "500", "--at", "first-split")
        opening, timeline = page.data["highlights"][page.data["opening"]], page.data["timeline"]
        self.assertTrue(timeline["first"] <= opening["cycle"] < timeline["end"], timeline)

    def test_a_second_run_has_the_inputs_of_the_first(self):
        """A kernel that works in place, on an SM other than the one that gets the first block."""
        (self.folder / "kernel.cu").write_text("""\
__global__ void count(int *x)
{
    if (blockIdx.x == 5 && threadIdx.x < x[threadIdx.x] % 8 + 3)
        for (int i = 0; i < 9; i++)
            x[threadIdx.x] += x[threadIdx.x] % 7;
    x[blockIdx.x * 32 + threadIdx.x]++;
}
""")
        (self.folder / "launch.yaml").write_text("""\
version: 1
program: kernel.cu
buffers: {x: {type: s32, count: 256, init: {linear: {start: 0, step: 1}}}}
kernel: count
grid: 8
block: 32
params: [{ref: x}]
""")
        arguments = [str(self.folder), "--set", "sms=4"]
        page = self.page(*arguments)
        self.assertNotIn(0, {w["block"] for w in page.warps if w["sm"] == page.data["highlights"][0]["sm"]})
        sms = ",".join(map(str, page.data["timeline"]["sms"]))
        self.assertEqual(page.warps, self.page(*arguments, "--sm", sms).warps)

    def test_figures_of_sms_are_those_of_the_run(self):
        page = self.page("reduction", "--sms", "7")
        rows, run = page.data["sms"]["rows"], page.run
        self.assertEqual([row[0] for row in rows], list(range(7)))
        self.assertEqual(sum(row[1] for row in rows), run["blocks"]["launched"])
        self.assertEqual(sum(row[2] for row in rows), run["warps"]["launched"])
        self.assertEqual([sum(row[7][i] for row in rows) for i in range(16)], [run["stalls"][name] for name in page.stalls])
        for column, total in ((8, "warp_cycles"), (9, "warp_instructions"), (10, "thread_instructions")):
            self.assertEqual(sum(sum(row[column]) for row in rows), run[total])
            self.assertTrue(all(len(row[column]) <= 64 for row in rows))

    def test_first_block_decides_the_sm_where_nothing_tells_them_apart(self):
        page = self.page("vecadd/launch-bytecode.yaml")
        first = {warp["sm"] for warp in page.warps if warp["block"] == 0}
        self.assertEqual(sorted(first), page.data["timeline"]["sms"])

    def test_default_name(self):
        done = warpstep("report", "vecadd/launch-bytecode.yaml", cwd=self.folder)
        self.assertEqual(done.stdout.decode(), "launch-bytecode.html shows the run; open it in a browser\n")
        self.assertEqual(os.listdir(self.folder), ["launch-bytecode.html"])

    def test_wrong_options(self):
        for code, arguments, message in [
            (2, ["--sm", "2", "--sms", "2"], "--sm: no SM 2, the device has SMs 0 to 1"),
            (2, ["--sm", "x"], "--sm: 'x' is no list"),
            (2, ["--from", "7", "--to", "6"], "--from, --to"),
            (2, ["--max-issues", "0"], "--max-issues"),
            (2, ["--at", "x"], "--at: 'x' is none of failure, first-split"),
            (2, ["--at", "first-split", "--sms", "1"], "--at first-split: there is no such event"),
            (3, ["-o", str(self.folder)], str(self.folder)),
            (3, ["-o", str(self.folder / "no/page.html")], "no/page.html"),
        ]:
            done = warpstep("report", "vecadd", *arguments, code=code, cwd=self.folder)
            self.assertIn(message, done.stderr.decode())
            self.assertEqual(done.stdout, b"")
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    if subprocess.run([PROGRAM, "report", "vecadd", "-o", "/dev/null/x"], capture_output=True,
                      check=False).stderr.count(b"built where esbuild was not installed"):
        print("skipped: built without esbuild")
        sys.exit(77)
    unittest.main()
