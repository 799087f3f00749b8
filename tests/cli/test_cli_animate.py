"""Tests of `warpstep report --animate`: test_cli_animate.py WARPSTEP [unittest options]

The picture is read as a browser plays it, and must show in each cycle what `warpstep trace` tells.
"""
import bisect
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
SVG = "{http://www.w3.org/2000/svg}"
ISSUES, GUARDED, STALLED, WAITS, GONE = "#159447", "#e3c22f", "#a9c9ee", "#c2c9d3", "#ffffff"
HOSTILE_CUDA = """\
__global__ void hostile(float *out) { out[threadIdx.x] = 1; } // </text><script>alert(1)</script> &lt; \x01
"""
HOSTILE_LAUNCH = """\
version: 1
program: kernel.cu
buffers: {out: {type: f32, count: 32}}
kernel: hostile
grid: 1
block: 32
params: [{ref: out}]
"""


def warpstep(*arguments, code=0, cwd="/"):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=HANGS, cwd=cwd, check=False)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: exit code {done.returncode}, not {code}\n{done.stderr.decode()}")
    return done


def latest(events, cycle):
    """The last event up to a cycle."""
    return events[bisect.bisect(events, cycle, key=lambda event: int(event["cycle"])) - 1]


class Picture:
    """What the SVG shows at each of its cycles."""

    def __init__(self, path, count):
        self.root = ElementTree.parse(path).getroot()
        self.count = count

    def at(self, element, attribute, cycle):
        """The attribute's value in the middle of a cycle."""
        animate = next((a for a in element.findall(SVG + "animate") if a.get("attributeName") == attribute), None)
        if animate is None:
            return element.get(attribute)
        times = [float(t) for t in animate.get("keyTimes").split(";")]
        assert times[0] == 0 and times == sorted(times)
        return animate.get("values").split(";")[bisect.bisect(times, (cycle + 0.5) / self.count) - 1]

    def texts(self, cycle, look):
        return [t.text for t in self.root.iter(SVG + "text")
                if t.get("class") == look and self.at(t, "visibility", cycle) != "hidden"]

    def lanes(self, cycle):
        """Colours of lanes, by row."""
        rows = {}
        for rect in self.root.iter(SVG + "rect"):
            if rect.get("stroke-width"):
                rows.setdefault(int(rect.get("y")), []).append(self.at(rect, "fill", cycle))
        return [rows[y] for y in sorted(rows)]

    def line(self, cycle):
        marked = [r for r in self.root.iter(SVG + "rect") if self.at(r, "fill", cycle) == "#dbe8fd"]
        numbers = {int(t.get("y")): t.text for t in self.root.iter(SVG + "text") if t.get("x") == "24"}
        return [numbers[int(rect.get("y")) + 14] for rect in marked]


class Animation(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.path = self.folder / "x.svg"

    def tearDown(self):
        self.scratch.cleanup()

    def compare(self, target, first, last):
        warpstep("report", *target, "--animate", f"{first}-{last}", "-o", str(self.path))
        title = self.path.read_text().split("<title>")[1].split("</title>")[0]
        last = int(re.search(r"to (\d+)$", title).group(1)) # the run may end before
        picture = Picture(self.path, last - first + 1)
        rows = csv.DictReader(io.StringIO(warpstep("trace", *target, "--to", str(last), "--format", "csv", "--events", "issue,stall").stdout.decode()))
        told = {}
        for row in rows:
            told.setdefault((row["block"], row["warp_in_block"]), []).append(row)
        sm = re.search(r"SM (\d+),", title).group(1)
        seen = set()
        for cycle in range(first, last + 1):
            at = cycle - first
            self.assertEqual(picture.texts(at, "big"), [f"cycle {cycle}"])
            names = [t for t in picture.texts(at, "faint") if t.startswith("block ")]
            reasons, lanes = picture.texts(at, "reason"), picture.lanes(at)
            self.assertEqual(len(names), len(reasons))
            for name, reason, row in zip(names, reasons, lanes):
                events = told[tuple(re.findall(r"\d+", name))]
                now = latest(events, cycle)
                self.assertEqual(now["sm"], sm)
                self.assertEqual(reason, "issues" if now["event"] == "issue" else now["text"], (cycle, name))
                seen |= set(row)
                if now["event"] == "issue":
                    active, executed = int(now["mask"], 16), int(now["mask2"], 16)
                    for lane, colour in enumerate(row):
                        kinds = {ISSUES} if executed >> lane & 1 else {GUARDED} if active >> lane & 1 else {WAITS, GONE}
                        self.assertIn(colour, kinds, (cycle, name, lane))
                else: # as in the next issue, unless other lanes have their turn then
                    self.assertTrue(set(row) <= {STALLED, WAITS, GONE}, (cycle, name, row))
            if names:
                focus = told[tuple(re.findall(r"\d+", names[0]))]
                now = latest(focus, cycle)
                if len(names) == 1 and now["line"]:
                    self.assertEqual(picture.line(at), [now["line"]], cycle)
        return seen

    def test_each_cycle_is_what_the_trace_tells(self):
        self.assertEqual(self.compare(["if_else/launch-bytecode.yaml"], 0, 15), {ISSUES, GUARDED, STALLED, WAITS})
        self.assertEqual({ISSUES, GUARDED, STALLED, WAITS}, self.compare(["with_without_divergence", "--sms", "1", "--launch", "n=2048"], 1300, 1400))
        self.compare(["reduction", "--sms", "1"], 900, 950)

    def test_lanes_that_exit_leave(self):
        self.assertIn(GONE, self.compare(["if_else/bytecode-early_exit.yaml"], 0, 20))

    def test_around_what_happened(self):
        done = warpstep("report", "with_without_divergence", "--animate", "first-split", "-o", str(self.path))
        self.assertRegex(done.stdout.decode(), "x.svg shows 80 cycles; open it in a browser")
        self.assertIn("SM 6, cycles 1146 to 1225", self.path.read_text())
        self.assertIn('dur="20000ms"', self.path.read_text())
        warpstep("report", "with_without_divergence", "--animate", "first-split", "--speed", "10", "-o", str(self.path))
        self.assertIn('dur="8000ms"', self.path.read_text())

    def test_the_same_bytes_and_nothing_to_fetch(self):
        arguments = ["report", "with_without_divergence", "--animate", "worst-divergence", "-o", str(self.path)]
        warpstep(*arguments)
        first = self.path.read_text()
        warpstep(*arguments, "--threads", "3")
        self.assertEqual(first, self.path.read_text())
        self.assertEqual(re.findall(r"https?://(?!www\.w3\.org/2000/svg\")|<script|href|url\(", first), [])
        self.assertLess(len(first), 300000)

    def test_hostile_texts_stay_texts(self):
        (self.folder / "kernel.cu").write_text(HOSTILE_CUDA)
        (self.folder / "launch.yaml").write_text(HOSTILE_LAUNCH)
        warpstep("report", str(self.folder), "--animate", "0-999", "-o", str(self.path))
        root = ElementTree.parse(self.path).getroot()
        self.assertEqual({element.tag for element in root.iter()} - {SVG + tag for tag in ("svg", "title", "style", "rect", "text", "animate")}, set())
        self.assertTrue(any("<script>alert(1)" in (text.text or "") for text in root.iter(SVG + "text")))

    def test_default_name_and_wrong_options(self):
        warpstep("report", "vecadd/launch-bytecode.yaml", "--animate", "0-9", cwd=self.folder)
        self.assertEqual(os.listdir(self.folder), ["launch-bytecode.svg"])
        for arguments, message in [(["--animate", "9-3"], "--animate: '9-3'"), (["--animate", "x"], "--animate: 'x'"),
                                   (["--animate", "0-1000"], "at most 1000"), (["--animate", "5"], "--animate: '5'"),
                                   (["--animate", "9999999-9999999"], "the run ends before cycle 9999999"),
                                   (["--animate", "first-split"], "there is no such event"), (["--speed", "0"], "--speed")]:
            self.assertIn(message, warpstep("report", "vecadd", "--sms", "1", *arguments, code=2, cwd=self.folder).stderr.decode())


if __name__ == "__main__":
    unittest.main()
