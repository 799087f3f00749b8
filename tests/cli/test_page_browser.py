"""Tests of reports in a browser: test_page_browser.py WARPSTEP [unittest options]

Opens pages from disk in headless Chromium, clicks, presses keys, and looks at what the page shows and
at what its console says. Exit code 77, "skipped", where Chromium or chromedriver is not installed.
SHOTS=FOLDER in the environment leaves pictures there to look at.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import browser
from page_data import Page
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
CANVAS = "#timeline-canvas"
LABELS, AXIS = 84, 22  # of the canvas, in pixels (timeline_view.ts)
SHOTS = os.environ.get("SHOTS")

HOSTILE_CUDA = """\
// </script><script>window.hostile = 1</script> <img src=x onerror="window.hostile = 2">
__global__ void hostile(float *out) { out[threadIdx.x] = 1; } // <b id=injected>x</b>
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
MILLION = """\
version: 1
program: kernel.cu
buffers:
  out: {type: f32, count: 32768}
  in: {type: f32, count: 32768, init: {random: {seed: 1}}}
kernel: with_divergence
grid: 128
block: 256
params: [{ref: out}, {ref: in}, {s32: 32768}, {f32: 0.5}]
"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.pages = {}
        cls.browser = browser.Browser(1400, 1000)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.scratch.cleanup()

    def make(self, *arguments, code=0):
        if arguments not in self.pages:
            path = self.folder / f"{len(self.pages)}.html"
            done = subprocess.run([PROGRAM, "report", *arguments, "-o", str(path)], capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(done.returncode, code, done.stderr.decode())
            self.pages[arguments] = path
        return self.pages[arguments]

    def open(self, *arguments, code=0, size=(1400, 1000), dark=False):
        path = self.make(*arguments, code=code)
        self.browser.size(*size, dark)
        self.browser.requests()
        self.browser.open(path)
        self.browser.wait("return document.getElementById('main').getAttribute('aria-busy') === 'false'", "the page")
        self.browser.wait("return document.getElementById('timeline-canvas').width > 1", "the timeline")
        return path

    def settle(self):
        """Two frames: the canvas is painted."""
        self.browser.run("window.painted = 0; requestAnimationFrame(() => requestAnimationFrame(() => window.painted = 1))")
        self.browser.wait("return window.painted", "a frame")

    def tearDown(self):
        # Chromium's advice to those who read the canvas, as this test does.
        self.assertEqual([m for m in self.browser.messages() if "willReadFrequently" not in m], [])
        others = [url for url in self.browser.requests() if not url.startswith(("file:", "chrome:", "data:"))]
        self.assertEqual(others, [])

    def shot(self, name):
        if SHOTS:
            self.settle()
            self.browser.screenshot(os.path.join(SHOTS, name + ".png"))

    def spoken(self):
        return self.browser.text("#spoken")

    def colour(self, x, y):
        """Of the canvas, at a place in its CSS pixels, as red, green, blue."""
        self.settle()
        return self.browser.run("const c = document.getElementById('timeline-canvas'), r = c.width / c.clientWidth;"
                                "return [...c.getContext('2d').getImageData(arguments[0] * r, arguments[1] * r, 1, 1).data].slice(0, 3)",
                                x, y)

    # ---- the timeline ------------------------------------------------------------------------

    def test_values_over_time(self):
        self.open("vecadd", "--sms", "1")
        self.browser.key("#charts .chart", "ArrowRight")
        self.assertRegex(self.browser.text("#charts .values"), r"^cycle 0: Occupancy [\d.]+ %$")
        self.browser.key("#charts .chart", "End")
        self.assertRegex(self.browser.text("#charts .values"), r"^cycle [1-9][\d,]+: Occupancy [\d.]+ %$")

    def test_keys_step_through_the_first_split(self):
        self.open("if_else/launch-bytecode.yaml")
        self.browser.key(CANVAS, "Escape", "ArrowRight")
        self.assertEqual(self.spoken(), "cycle 0, SM 0, warp slot 0: issues with 32 lanes")
        self.browser.key(CANVAS, "d")
        self.assertEqual(self.spoken(), "cycle 5, SM 0, warp slot 0: issues with 32 lanes")
        self.assertIn("lanes diverge: 8 lanes on one side, 24 on the other", self.browser.text("#detail"))
        self.assertEqual(self.browser.run("return document.querySelector('.lanes').getAttribute('aria-label')"),
                         "lanes from 0: " + "p" * 24 + "#" * 8)
        self.browser.key(CANVAS, "n")
        self.assertEqual(self.spoken(), "cycle 6, SM 0, warp slot 0: issues with 8 lanes")
        self.assertEqual(self.browser.run("return document.querySelector('.lanes').getAttribute('aria-label')"),
                         "lanes from 0: " + "d" * 24 + "#" * 8)
        self.assertIn("inactive, to resume at", self.browser.text("#detail"))
        self.browser.key(CANVAS, "n", "n")
        self.assertEqual(self.spoken(), "cycle 8, SM 0, warp slot 0: issues with 24 lanes")
        self.assertIn("paths join: 32 lanes together", self.browser.text("#detail"))
        self.browser.key(CANVAS, "p", "p", "p", "ArrowLeft")
        self.assertEqual(self.spoken(), "cycle 4, SM 0, warp slot 0: issues with 32 lanes")
        self.browser.key(CANVAS, "End")
        self.assertEqual(self.spoken(), "cycle 15, SM 0, warp slot 0: issues with 32 lanes")
        self.browser.key(CANVAS, "Home", "Escape")
        self.assertIn("Click a cell", self.browser.text("#detail"))
        self.shot("if_else")

    def test_opens_at_a_cell_that_is_explained(self):
        self.open("if_else/launch-bytecode.yaml")
        self.assertEqual(self.spoken(), "cycle 5, SM 0, warp slot 0: issues with 32 lanes")
        self.assertIn("First split: the first divergent branch", self.browser.text("#detail"))
        self.assertIn("lanes diverge: 8 lanes on one side, 24 on the other", self.browser.text("#detail"))
        self.browser.key(CANVAS, "n")
        self.assertNotIn("First split", self.browser.text("#detail"))
        self.open("matmul", "--sms", "1")  # no warp splits
        self.assertIn("Longest barrier wait: ", self.browser.text("#detail"))
        self.assertIn("barrier (stalled) since", self.browser.text("#detail"))

    def test_what_happened_where_leads_into_the_timeline(self):
        self.open("with_without_divergence")
        page = Page(self.make("with_without_divergence"))
        for number, highlight in enumerate(page.data["highlights"], 1):
            self.browser.click(f"#highlights li:nth-child({number}) > button")
            self.assertTrue(self.spoken().startswith(
                f"cycle {highlight['cycle']:,}, SM {highlight['sm']}, warp slot {highlight['slot']}: "), self.spoken())
            self.assertIn(highlight["title"], self.browser.text("#detail").lower())
        # What this timeline does not show is named with the option that does.
        first = page.data["highlights"][0]["sm"]
        self.open("with_without_divergence", "--sm", str(first))
        self.assertIn("--at worst-divergence shows it", self.browser.text("#highlights"))

    def test_guided_tour(self):
        """What the tour says of the split is what the run's data say."""
        self.open("with_without_divergence")
        page = Page(self.make("with_without_divergence"))
        split = next(h for h in page.data["highlights"] if h["name"] == "first-split")
        warp = next(w for w in page.warps if (w["sm"], w["block"], w["warp_in_block"]) == (split["sm"], split["block"], split["warp"]))
        behind = [r for r in warp["records"] if r[0] > split["cycle"]]
        first = next(r for r in behind if r[1] == "issue")
        taken, other = next([page.masks[v] for v in r[3]] for r in warp["records"] if r[1] == "diverge" and r[0] == split["cycle"])
        joined = next(r for r in behind if r[1] == "reconverge" and r[0] == split["end"] or r[1] == "reconverge")
        texts, titles, cycles = {}, [], {}
        self.browser.click("#tour-begin")
        while not self.browser.run("return document.getElementById('tour').hidden"):
            title = self.browser.text("#tour h3").split(": ", 1)[1]
            titles.append(title)
            texts[title] = self.browser.text("#tour p")
            cycles[title] = int(re.search(r"cycle ([\d,]+)", self.spoken()).group(1).replace(",", ""))
            self.shot("tour-" + str(len(titles)))
            self.browser.press("Enter") # the focus is on Next
        self.assertEqual(titles, ["The run", "What diverges", "Which lanes run first", "The other lanes", "Where they reconverge", "What it costs",
                                  "The worst divergence", "The longest wait for memory", "In short"])
        count = lambda mask: bin(mask).count("1")
        self.assertIn(f"kernel.cu:8, \u201cif (x > threshold) {{\u201d warp {split['warp']} of block {split['block']} diverges: "
                      f"{count(taken)} lanes take the branch, {count(other)} do not.", texts["What diverges"])
        self.assertIn(f"{count(first[3][0])} lanes have no work on their side, and reach the reconvergence point immediately", texts["Which lanes run first"])
        self.assertEqual(cycles["Which lanes run first"], first[0])
        self.assertIn(f"At cycle {joined[0]:,} the paths reconverge: {count(page.masks[joined[3][0]])} lanes", texts["Where they reconverge"])
        self.assertIn(f"{split['instructions']:,} instructions with {split['lanes'] / split['instructions']:.1f} of 32 lanes", texts["What it costs"])
        self.assertIn(page.run["bottlenecks"][0]["text"], texts["In short"])
        # It plays by itself, and ends with Escape.
        self.browser.click("#tour-begin")
        self.browser.click("#tour-play")
        self.assertEqual(self.browser.text("#tour-play"), "Pause")
        self.browser.press("Escape")
        self.assertTrue(self.browser.run("return document.getElementById('tour').hidden"))
        # Who waits at a barrier, and for whom.
        self.open("barrier_skew", "--sms", "1")
        self.browser.click("#tour-begin")
        for _ in range(12):
            if "barrier" in self.browser.text("#tour h3"):
                break
            self.browser.press("Enter")
        self.assertRegex(self.browser.text("#tour p"), r"^Warp \d+ of block \d+ waits [\d,]+ cycles for the other warps of its block\. Warp \d+ of the block arrives last, at cycle [\d,]+\.")

    def test_quiz(self):
        """What comes next is covered until it is predicted; the answers are graded by `step`."""
        arguments = ["with_without_divergence", "--quiz"]
        self.open(*arguments)
        questions = Page(self.make(*arguments)).data["quiz"]
        self.assertGreaterEqual(len(questions), 4)
        self.assertEqual(self.browser.run("return getComputedStyle(document.getElementById('summary')).display"), "none")
        for number, question in enumerate(questions):
            self.browser.click("#quiz-next")
            self.assertEqual(self.browser.text("#quiz-prompt"), question["prompt"])
            self.assertTrue(self.spoken().startswith(f"cycle {question['cycle'] - 1:,}, SM {question['sm']}, warp slot {question['slot']}: "))
            self.browser.key(CANVAS, "ArrowRight")
            self.assertEqual(self.spoken(), "Covered until the question is answered.")
            choice = question["answer"] if number != 1 else (question["answer"] + 1) % len(question["choices"])
            self.shot(f"quiz-{number}")
            self.browser.click(f".choice:nth-child({choice + 1})")
            self.assertEqual(self.browser.text("#quiz h3"), "Right" if number != 1 else "Wrong")
            self.assertIn(question["explanation"], self.browser.text("#quiz-answer"))
            self.assertTrue(self.spoken().startswith(f"cycle {question['answered']:,}, "), self.spoken())
        self.browser.click("#quiz-next")
        self.assertEqual(self.browser.text("#quiz h3"), f"{len(questions) - 1} of {len(questions)} right")
        self.assertNotEqual(self.browser.run("return getComputedStyle(document.getElementById('summary')).display"), "none")
        saved = self.folder / "answers.json"
        saved.write_text(self.browser.run("return document.getElementById('quiz-json').value"))
        done = subprocess.run([PROGRAM, "step", arguments[0], "--quiz", "--answers", str(saved)], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, f"{len(questions) - 1} of {len(questions)} right"))
        self.assertEqual([line.split()[1] for line in done.stdout.splitlines()[:-1]].index("wrong"), 1)

    def test_source_ptx_and_bytecode_are_linked(self):
        self.open("with_without_divergence")
        marked = ("return ['source', 'ptx', 'bytecode'].map((pane) => [...document.querySelectorAll(`#code-${pane} .code-found`)]"
                  ".map((row) => row.textContent))")
        source, ptx, bytecode = self.browser.run(marked)
        self.assertEqual((len(source), len(ptx), len(bytecode)), (1, 1, 1))
        self.assertIn("if (x > threshold) {", source[0])
        self.assertIn("bra", ptx[0])
        self.assertIn("@P0 BRA", bytecode[0])
        seen = ("const list = document.querySelector('#code-ptx .code-list').getBoundingClientRect();"
                "const row = document.querySelector('#code-ptx .code-found').getBoundingClientRect();"
                "return row.top >= list.top && row.bottom <= list.bottom")
        self.assertTrue(self.browser.run(seen))
        self.browser.click("#code-source [data-row='10']")
        source, ptx, bytecode = self.browser.run(marked)
        self.assertIn("x = sqrtf(x + 1.0f);", source[0])
        self.assertGreater(len(bytecode), 100)
        self.assertTrue(any("sqrt" in line for line in ptx), ptx[:3])
        # A line of PTX marks the line of source that it comes from.
        self.browser.run("document.querySelectorAll('#code-ptx .code-found')[0].previousElementSibling.scrollIntoView()")
        self.browser.key("#code-bytecode .code-list", "ArrowUp")
        self.assertEqual(len(self.browser.run(marked)[2]), 1)
        self.shot("code")

    def test_map_of_all_sms(self):
        self.open("with_without_divergence")
        page = Page(self.make("with_without_divergence"))
        rows, shown = [row[0] for row in page.data["sms"]["rows"]], page.data["timeline"]["sms"]
        height = self.browser.run("return document.getElementById('sm-canvas').clientHeight") / len(rows)
        hidden = next(sm for sm in rows if sm not in shown)
        self.browser.click("#sm-canvas", 100, (rows.index(hidden) + 0.5) * height)
        self.assertIn(f"make one with --sm {hidden}", self.browser.text("#sm-chosen"))
        width = self.browser.run("return document.getElementById('sm-canvas').clientWidth")
        self.browser.click("#sm-canvas", width // 2, (rows.index(shown[-1]) + 0.5) * height)
        self.assertIn(f"SM {shown[-1]}, warp slot", self.spoken())
        # The table has the same, in the order that is asked for.
        self.browser.run("const s = document.getElementById('sm-order'); s.value = 'waiting'; s.dispatchEvent(new Event('change'))")
        worst = max(page.data["sms"]["rows"], key=lambda row: (row[6], -row[0]))
        self.assertEqual(self.browser.text("#sm-table tbody th"), f"SM {worst[0]}")
        self.shot("sms")

    def test_texts_fit_the_window(self):
        """The cell's panel at 1400 pixels, with the paths of a split warp, and the source at 800."""
        cut = ("return [...document.querySelectorAll('#detail, #detail *')].filter((e) => e.scrollWidth > e.clientWidth + 1"
               " && getComputedStyle(e).overflowX !== 'visible' && !e.closest('.hidden')).map((e) => e.className)")
        self.open("with_without_divergence")
        self.browser.key(CANVAS, *["n"] * 3)
        self.assertRegex(self.browser.text("#detail"), r"wait at the end of the if \(line \d+\), to resume at")
        self.assertEqual(self.browser.run(cut), [])
        self.shot("panel-1400")
        self.open("matmul", "--sms", "1")  # a long line, and requests in flight
        self.browser.key(CANVAS, "n")
        self.assertEqual(self.browser.run(cut), [])
        self.open("with_without_divergence", size=(800, 1000))
        left, width = self.browser.run("const c = document.querySelector('#line-10 td:last-child').getBoundingClientRect(),"
                                       "box = document.getElementById('source').getBoundingClientRect();"
                                       "return [c.left - box.left, box.width]")
        self.assertLess(left, width / 2)
        self.shot("source-800")

    def compare_cells(self, slot, first, end, *arguments):
        """What the page says of a warp slot, cycle by cycle, against what its data say."""
        path = self.open(*arguments)
        states = {cycle: "issues" if kind == "issue" else values[0]
                  for cycle, _, warp, kind, _, values in Page(path).events({"issue", "stall"}) if warp == slot}
        self.browser.run("document.getElementById('goto').value = arguments[0]", str(first))
        self.browser.click("#goto-form button")
        self.browser.key(CANVAS, *["ArrowUp"] * 64, *["ArrowDown"] * slot)
        for cycle in range(first, end):
            state = states[max(told for told in states if told <= cycle)]
            self.assertRegex(self.spoken(), f"^cycle {cycle:,}, SM 0, warp slot {slot}: {state}\\b")
            self.browser.key(CANVAS, "ArrowRight")

    def test_every_cell_is_what_the_data_say(self):
        self.compare_cells(0, 0, 15, "if_else/launch-bytecode.yaml", "--set", "divergence.model=its")

    def test_cells_of_warps_that_wait_to_and_fro(self):
        self.compare_cells(5, 1380, 1520, "alignment/cached_0.yaml", "--sms", "1", "--from", "1350", "--to", "2500")

    def test_click_and_split_rows(self):
        self.open("if_else/launch-bytecode.yaml")
        width = self.browser.run("return document.getElementById('timeline-canvas').clientWidth")
        cell = (width - LABELS) / 16  # all 16 cycles fill the canvas
        x = LABELS + 6.5 * cell
        self.browser.click(CANVAS, x, AXIS + 40)
        self.assertEqual(self.spoken(), "cycle 6, SM 0, warp slot 0: issues with 8 lanes")
        self.browser.key(CANVAS, "Escape")
        # 24 of 32 lanes wait above, 8 run below.
        left = LABELS + 6.1 * cell
        issue, waiting = [0x15, 0x94, 0x47], [0xcc, 0xd3, 0xdd]
        self.assertEqual([self.colour(left, AXIS + y) for y in (4, 40, 56, 60)], [waiting, waiting, issue, issue])
        left = LABELS + 7.1 * cell
        self.assertEqual([self.colour(left, AXIS + y) for y in (4, 40, 56, 60)], [issue, issue, waiting, waiting])
        self.assertEqual(self.colour(LABELS + 4.1 * cell, AXIS + 30), issue)
        self.assertEqual(self.colour(LABELS + 13 * cell, AXIS + 30), [0xd0, 0x34, 0x2c])

    def test_memory_on_its_way(self):
        self.open("vecadd", "--sms", "1")
        self.browser.key(CANVAS, "Home", *["n"] * 20)
        shown = set()
        for _ in range(12): # from load to load, and behind the store
            shown.add("Memory in flight" in self.browser.text("#detail"))
            self.browser.key(CANVAS, "n")
        self.browser.key(CANVAS, "End")
        self.assertIn("drain", self.browser.text("#detail"))
        self.assertNotIn("Memory in flight", self.browser.text("#detail"))
        self.assertIn(True, shown)

    def test_zoom_pan_and_go(self):
        self.open("with_without_divergence")
        self.browser.click("#zoom-all")
        self.browser.run("document.getElementById('timeline-canvas').scrollIntoView({block: 'center'})")
        frame = "return [parseFloat(document.getElementById('overview-frame').style.left), parseFloat(document.getElementById('overview-frame').style.width)]"
        whole = self.browser.run(frame)
        for _ in range(10):
            self.browser.wheel(CANVAS, 500, 100, down=-200, control=True)
        zoomed = self.browser.wait("const w = parseFloat(document.getElementById('overview-frame').style.width);"
                                   f"return w < {whole[1] / 20} && w", "zoom by the wheel")
        self.assertLess(zoomed, whole[1] / 20)
        before = self.browser.run(frame)[0]
        self.browser.drag(CANVAS, 500, 100, 200, 100)
        self.assertGreater(self.browser.run(frame)[0], before)
        self.assertIn("First split: ", self.browser.text("#detail"))  # a drag chooses nothing
        self.browser.click("#zoom-all")
        self.assertEqual(self.browser.run(frame), whole)
        self.browser.run("document.getElementById('goto').value = '1,357'")
        self.browser.click("#goto-form button")
        self.assertRegex(self.spoken(), "^cycle 1,357, ")
        self.shot("zoomed")
        self.browser.key(CANVAS, *["ArrowUp"] * 32, "ArrowDown")
        self.assertRegex(self.spoken(), r"^cycle 1,357, SM 0, warp slot 1: ")

    def test_play(self):
        self.open("if_else/launch-bytecode.yaml")
        self.browser.run("const s = document.getElementById('speed'); s.value = '50'")
        self.browser.key(CANVAS, "Home", " ")
        self.assertEqual(self.browser.text("#play"), "Pause")
        self.browser.wait("return document.getElementById('spoken').textContent.startsWith('cycle 15,')", "the last cycle")
        self.browser.wait("return document.getElementById('play').textContent === 'Play'", "the end of playing")

    def test_colour_by_pipe(self):
        self.open("if_else/launch-bytecode.yaml")
        self.assertNotIn("alu", self.browser.text("#legend").lower())
        self.browser.key(CANVAS, "c")
        self.assertEqual(self.browser.run("return document.getElementById('colouring').value"), "pipe")
        self.assertIn("alu", self.browser.text("#legend").lower())
        self.shot("pipes")

    # ---- the other parts ---------------------------------------------------------------------

    def test_places_lead_to_lines(self):
        self.open("with_without_divergence")
        self.browser.click("#causes button")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "line-8")
        self.assertIn("if (x > threshold)", self.browser.text("#line-8"))
        self.assertRegex(self.browser.text("#line-10"), r"80\.5 %.*563,712")
        self.browser.run("const s = document.getElementById('source-file'); s.value = 'bytecode'; s.dispatchEvent(new Event('change'))")
        self.assertIn("BSYNC", self.browser.text("#source"))
        self.assertRegex(self.browser.text("#branches"), r"kernel\.cu:8\s*512\s*512")

    def test_findings(self):
        self.open("warp_synchronous/exchange.yaml", "--check", "races", code=1)
        shown = self.browser.text("#findings")
        self.assertIn("2 findings", shown)
        self.assertIn("block (0,0,0) thread (16,0,0), warp 0 lane 16, writes at kernel.cu:14", shown)
        self.assertIn("no __syncwarp() or barrier between line 12 and line 14", shown)
        self.assertEqual(self.browser.text("#findings-link"), "Findings")
        self.shot("findings")
        self.browser.click("#findings tbody tr:nth-child(2) .link")
        self.assertTrue(self.browser.text("#source tr.found").startswith("11"))
        self.open("warp_synchronous", "--check", "all")
        self.assertEqual(self.browser.text("#findings"), "The checks found nothing.")
        self.open("vecadd", "--sms", "1")
        self.assertTrue(self.browser.run("return document.getElementById('findings-part').hidden"))

    def test_figures_are_those_of_the_run(self):
        path = self.open("with_without_divergence")
        run = Page(path).run
        text = self.browser.text("#figures")
        self.assertIn(f"{run['cycles']:,}", text)
        self.assertIn(f"{run['warp_instructions']:,}", text)
        shares = re.findall(r"([a-z_]+)(\d+\.\d) %", self.browser.text("#stalls tbody"))
        self.assertEqual(shares[0], ("wait", f"{100 * run['stalls']['wait'] / run['warp_cycles']:.1f}"))

    def test_settings_can_be_searched(self):
        self.open("if_else/launch-bytecode.yaml")
        self.browser.run("document.querySelector('#configuration-part details').open = true")
        self.browser.key("#settings-filter", *"divergence")
        rows = self.browser.run("return [...document.querySelectorAll('#settings tbody th')].map(e => e.textContent)")
        self.assertTrue(rows and all("divergence" in row for row in rows), rows)

    def test_stopped_run(self):
        self.open("barrier_divergence/one_side.yaml", code=5)
        self.assertIn("deadlock", self.browser.text("#causes .error"))
        self.shot("deadlock")

    def test_empty_timeline(self):
        self.open("if_else/launch-bytecode.yaml", "--from", "1000")
        self.assertIn("No warp was on these SMs then", self.browser.text("#shown"))
        self.browser.key(CANVAS, "n", "ArrowRight", "d", "End", "+")

    def test_hostile_texts(self):
        (self.folder / "hostile").mkdir(exist_ok=True)
        (self.folder / "hostile/kernel.cu").write_text(HOSTILE_CUDA)
        (self.folder / "hostile/launch.yaml").write_text(HOSTILE_LAUNCH)
        self.open(str(self.folder / "hostile"))
        self.assertIsNone(self.browser.run("return window.hostile ?? null"))
        self.assertIsNone(self.browser.run("return document.getElementById('injected')"))
        self.assertIn("<b id=injected>", self.browser.text("#source"))

    # ---- for everyone ------------------------------------------------------------------------

    def test_reader_and_keyboard(self):
        self.open("with_without_divergence")
        heads = self.browser.run("return [...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])")
        self.assertEqual(heads[0], 1)
        self.assertTrue(all(b - a <= 1 for a, b in zip(heads, heads[1:])), heads)
        for script, what in [
            ("table:not(:has(caption))", "tables without a caption"),
            ("thead th:not([scope])", "heads without a scope"),
            ("button:not([type])", "buttons without a type"),
            ("svg:not([aria-label])", "pictures without a name"),
        ]:
            self.assertEqual(self.browser.run("return document.querySelectorAll(arguments[0]).length", script), 0, what)
        nameless = self.browser.run(
            "return [...document.querySelectorAll('button,select,input,canvas:not([aria-hidden])')].filter(e =>"
            " !(e.textContent.trim() || e.ariaLabel || (e.labels && e.labels.length))).map(e => e.id)")
        self.assertEqual(nameless, [])
        # Every stop of the Tab key is something that can be seen.
        self.browser.run("document.body.focus()")
        stops = set()
        for _ in range(40):
            self.browser.press("Tab")
            stops.add(self.browser.run("return document.activeElement.id || document.activeElement.tagName"))
        self.assertIn("timeline-canvas", stops)

    def contrast(self, selector):
        return self.browser.run(
            "const parse = c => c.match(/[\\d.]+/g).slice(0, 3).map(Number);"
            "const light = c => { const [r, g, b] = parse(c).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);"
            " return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
            "const e = document.querySelector(arguments[0]); let b = e;"
            "while (/rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(b).backgroundColor)) b = b.parentElement;"
            "const x = light(getComputedStyle(e).color), y = light(getComputedStyle(b).backgroundColor);"
            "return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)", selector)

    def test_light_dark_and_narrow(self):
        backs = []
        for dark in (False, True):
            self.open("with_without_divergence", dark=dark)
            self.browser.key(CANVAS, "d", "n", "n")
            for selector in ("#target", ".figure span", "#causes .link", "#detail .where", ".quiet code", "#legend li", ".lane-d"):
                self.assertGreaterEqual(self.contrast(selector), 4.5, (selector, dark))
            backs.append(self.browser.run("return getComputedStyle(document.body).backgroundColor"))
            self.shot("dark" if dark else "light")
        self.assertNotEqual(*backs)
        for width in (360, 768, 1920):
            self.open("with_without_divergence", size=(width, 900))
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
            self.shot(f"width_{width}")

    def test_places_in_inlined_functions(self):
        """With their calls; the statement has a line of its own below. What a row is called stays on one line, at any width."""
        calls = "multiply_tiled<16, 0>() at kernel.cu:27, called at kernel.cu:34"
        for width in (800, 1400):
            self.open("matmul", "--sms", "1", size=(width, 1000))
            self.assertIn(f" in {calls}", self.browser.text("#highlights li"))
            self.assertEqual(self.browser.text("#detail .code > div:nth-child(2)"), calls)
            self.assertIn("sum += tile_a", self.browser.text("#detail .code > div:nth-child(3)"))
            self.assertEqual(self.browser.run("return document.querySelector('#detail .code > div:nth-child(2) button').textContent"),
                             "kernel.cu:27")
            rows = self.browser.run("return [...document.querySelectorAll('#stalls .whole')].map(e => e.getClientRects().length)")
            self.assertGreater(len(rows), 8)
            self.assertEqual(set(rows), {1})
            cut = self.browser.run("return [...document.querySelectorAll('svg text')].filter(e => e.getBoundingClientRect().right >"
                                   " e.ownerSVGElement.getBoundingClientRect().right + 0.5).map(e => e.textContent)")
            self.assertEqual(cut, [])
            self.shot(f"calls_{width}")

    # ---- a million instructions --------------------------------------------------------------

    def test_a_million_instructions(self):
        folder = self.folder / "million"
        folder.mkdir(exist_ok=True)
        copied = subprocess.run([PROGRAM, "copy", "with_without_divergence", str(folder / "w")], capture_output=True, check=True)
        self.assertEqual(copied.returncode, 0)
        (folder / "w/launch.yaml").write_text(MILLION)
        path = self.make(str(folder / "w"), "--sms", "2", "--sm", "0-1")
        self.assertLess(path.stat().st_size, 25000000)
        self.open(str(folder / "w"), "--sms", "2", "--sm", "0-1")
        self.assertIn("1,000,000 instructions", self.browser.text("#shown"))
        ready = self.browser.run("return performance.now()")
        self.browser.run("window.long = []; new PerformanceObserver(l => l.getEntries().forEach(e => window.long.push(e.duration)))"
                         ".observe({type: 'longtask'}); document.getElementById('timeline-canvas').scrollIntoView({block: 'center'})")
        for options in ({"down": -100, "control": True}, {"sideways": 90}, {"down": 60}, {"down": 100, "control": True}):
            for _ in range(25):
                self.browser.wheel(CANVAS, 600, 200, **options)
        self.settle()
        long = self.browser.run("return window.long")
        print(f"# {path.stat().st_size} bytes, open after {ready:.0f} ms, long tasks {long}")
        # Set to 3 s and 100 ms on an idle machine; here others may be at work.
        slack = float(os.environ.get("SLACK", "4"))
        self.assertLess(ready, 3000 * slack)
        self.assertTrue(all(task < 100 * slack for task in long), long)


if __name__ == "__main__":
    why = browser.missing()
    if why is None and b"built where esbuild" in subprocess.run([PROGRAM, "report", "vecadd", "-o", "/dev/null/x"],
                                                               capture_output=True, check=False).stderr:
        why = "warpstep was built without esbuild"
    if why:
        print("skipped: " + why)
        sys.exit(77)
    unittest.main()
