"""test_cli_plot.py WARPSTEP SOURCE_ROOT [unittest options]: charts of tables."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1))
GNUPLOT = shutil.which("gnuplot")
GUIDE_STUDY = ["-P", "warps=8,16,24,32,48,64", "-P", "classes.global_load.latency=100,200,400",
               "-P", "policy=lrr,gto"]
GUIDE_CHART = ["--x", "warps", "--y", "ipc", "--by", "policy", "--facet",
               "classes.global_load.latency"]

TABLE = """\
warps,policy,status,cycles,ipc,error
1,lrr,ok,100,0.25,
2,lrr,ok,100,0.5,
4,lrr,ok,100,1,
1,gto,ok,100,0.5,
2,gto,ok,50,1,
4,gto,error,,,"bad, </script><b>"
"""


class PlotCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "t.csv").write_text(TABLE)

    def call(self, *arguments, code=0, **more):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, text=True, timeout=HANGS,
                              env=dict(os.environ, **more), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def plot(self, *arguments, **more):
        return self.call("plot", "t.csv", *arguments, **more).stdout

    def refused(self, message, *arguments, code=2):
        self.assertIn(message, self.call("plot", *arguments, code=code).stderr)

    def vega(self, *arguments):
        self.plot(*arguments, "-o", "c.json")
        return json.loads((self.folder / "c.json").read_text())

    def values(self, *arguments):
        return {(value["curve"], value["x"]): value["y"]
                for value in self.vega(*arguments)["data"]["values"]}

    def test_characters(self):
        self.assertEqual(self.plot("-o", "c.txt"), 
                         "omitted rows, of runs that did not complete: 1\n")
        text = (self.folder / "c.txt").read_text()
        self.assertEqual([re.sub(" +", " ", line) for line in text.splitlines()][:2],
                         [" ipc", " 1 | b a"])
        self.assertEqual(len(text.splitlines()), 21)
        self.assertEqual(text.splitlines()[-1].strip(), "policy:  a lrr  b gto  (* several)")

    def test_vega(self):
        chart = self.vega()
        self.assertEqual(chart["$schema"], "https://vega.github.io/schema/vega-lite/v5.json")
        self.assertEqual(chart["encoding"]["x"], {"field": "x", "type": "quantitative",
                                                  "title": "warps"})
        self.assertEqual(chart["encoding"]["color"]["title"], "policy")
        self.assertEqual(self.values(), {("lrr", 1): 0.25, ("lrr", 2): 0.5, ("lrr", 4): 1,
                                         ("gto", 1): 0.5, ("gto", 2): 1})
        self.assertEqual(self.vega("--log", "xy")["encoding"]["y"]["scale"], {"type": "log"})

    def test_choices(self):
        self.assertEqual(self.values("--where", "policy=gto", "--y", "cycles"),
                         {("", 1): 100, ("", 2): 50})
        self.assertEqual(self.values("--x", "policy", "--by", "warps")[("2", "gto")], 1)
        panels = self.vega("--facet", "policy")["data"]["values"]
        self.assertEqual({value["panel"] for value in panels}, {"policy=lrr", "policy=gto"})

    def test_runs_that_stopped_early_are_not_drawn(self):
        """Their counts are those of a part."""
        (self.folder / "t.csv").write_text("n,status,cycles\n1,ok,9\n2,fault,3\n3,check_failed,5\n")
        self.assertEqual(self.plot("--y", "cycles", "-o", "c.json"),
                         "omitted rows, of runs that did not complete: 1\n"
                         "rows of runs with wrong results, plotted nevertheless: 1\n")
        self.assertEqual(self.values("--y", "cycles"), {("", 1): 9, ("", 3): 5})
        self.assertEqual(self.values("--y", "cycles", "--where", "status=fault"), {("", 2): 3})

    def test_a_curve_looks_the_same_in_each_panel(self):
        """Also where the panels do not have the same curves."""
        (self.folder / "t.csv").write_text("x,p,l,status,ipc\n1,lrr,1,ok,.1\n1,gto,1,ok,.3\n"
                                           "1,gto,2,ok,.2\n1,oldest,2,ok,.4\n")
        text = self.plot("--facet", "l").splitlines()
        second = text.index(next(line for line in text if "l=2" in line))
        self.assertEqual({c for line in text[second:-1] for c in line.split("|")[-1] if "|" in line} - {" "},
                         {"b", "c"})
        self.assertEqual(text[-1].strip(), "p:  a lrr  b gto  c oldest  (* several)")
        self.plot("--facet", "l", "-o", "c.html")
        data = json.loads(re.search(r'type="application/json">(.*?)</script>',
                                    (self.folder / "c.html").read_text(), re.S).group(1))
        self.assertEqual([[curve["place"] for curve in panel["curves"]] for panel in data["panels"]],
                         [[0, 1], [1, 2]])
        self.assertEqual(self.vega("--facet", "l", "--where", "p=gto")["encoding"].keys(),
                         {"x", "y", "facet"})
        self.assertIn("color", self.vega("--facet", "p", "--by", "l")["encoding"])
        if GNUPLOT is not None:
            self.plot("--facet", "l", "-o", "c.svg")
            colours = re.findall(r"#0072[bB]2|#[dD]55[eE]00|#009[eE]73|rgb\( *0, 114, 178\)|"
                                 r"rgb\(213, +94, +0\)|rgb\( *0, 158, 115\)",
                                 (self.folder / "c.svg").read_text())
            self.assertEqual(len(set(colours)), 3)

    def test_marks(self):
        marks = ("--where", "policy=lrr", "--mark", "3=half way", "--mark", "2", "--mark", "99=not there")
        text = self.plot(*marks).splitlines()
        self.assertEqual([line.strip() for line in text[-2:]], [": at 2:", ": at 3: half way"])
        self.assertEqual(text[8].count(":"), 2)
        chart = self.vega(*marks)
        self.assertEqual([layer["mark"]["type"] for layer in chart["layer"]], ["line", "rule", "text"])
        self.assertEqual(chart["layer"][1]["data"]["values"],
                         [{"x": 2, "text": ""}, {"x": 3, "text": "half way"}])
        self.assertEqual(self.vega(*marks, "--facet", "status").keys(),
                         {"$schema", "title", "data", "layer"})
        panels = self.vega("--facet", "policy", "--mark", "2=here")
        self.assertEqual(len(panels["spec"]["layer"]), 3)
        if GNUPLOT is not None:
            self.plot(*marks, "-o", "c.svg")
            self.assertIn("half way", (self.folder / "c.svg").read_text())
        self.refused("--mark x=2: X or X=TEXT is expected", "t.csv", "--mark", "x=2")
        self.refused("the x axis has texts, not numbers", "t.csv", "--x", "policy", "--by", "warps",
                     "--mark", "1")

    def test_relative(self):
        values = self.values("--relative-to", "policy=lrr")
        self.assertEqual(values[("gto", 1)], 2)
        self.assertEqual(values[("lrr", 4)], 1)
        self.assertEqual(self.values("--relative-to", "warps=1")[("lrr", 4)], 4)
        self.refused("no row with policy=oldest", "t.csv", "--relative-to", "policy=oldest")

    def test_reference(self):
        (self.folder / "r.csv").write_text("warps,ipc,policy\n1,0.5,lrr\n2,0.5,lrr\n2,0.8,gto\n")
        text = self.plot("--reference", "r.csv")
        self.assertIn("error to the reference: 25.0 % on average of 3 points, 50.0 % at most "
                      "(warps=1, lrr)", text)
        (self.folder / "old").mkdir()
        (self.folder / "old/runs.csv").write_text((self.folder / "r.csv").read_text())
        self.assertEqual(self.plot("--reference", "old"), text)  # another sweep
        values = self.values("--reference", "r.csv")
        self.assertEqual(values[("gto, reference", 2)], 0.8)

    def test_page(self):
        self.plot("--title", "a <b> & @DATA@", "-o", "c.html")
        page = (self.folder / "c.html").read_text()
        self.assertIn("<title>a &lt;b&gt; &amp; @DATA@</title>", page)
        data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S).group(1))
        self.assertEqual(data["columns"], ["warps", "policy", "status", "cycles", "ipc"])
        self.assertEqual(len(data["rows"]), 5)
        self.assertEqual([curve["name"] for curve in data["panels"][0]["curves"]], ["lrr", "gto"])
        self.assertEqual(page.count("<script"), page.count("</script>"))
        # nothing is loaded from anywhere
        self.assertNotRegex(page, r"(src|href)=|url\(|import ")

    @unittest.skipIf(browser.missing(), "no browser")
    def test_page_in_a_browser(self):
        (self.folder / "r.csv").write_text("warps,ipc,policy\n1,0.5,lrr\n")
        self.plot("--reference", "r.csv", "--log", "x", "-o", "c.html")
        self.plot("--facet", "policy", "-o", "f.html")
        self.plot("--x", "policy", "--where", "warps=2", "-o", "w.html")
        self.plot("--mark", "2=the knee", "-o", "m.html")
        with browser.Browser(1000, 800) as page:
            page.open(self.folder / "c.html")
            page.key(".chart", "ArrowRight")
            self.assertEqual(page.text(".values"), "warps 1: lrr 0.25, lrr, reference 0.5, gto 0.5")
            page.key(".chart", "End")
            self.assertEqual(page.text(".values"), "warps 4: lrr 1")
            page.click(".legend button:last-child")
            page.key(".chart", "Home")
            self.assertEqual(page.text(".values"), "warps 1: lrr 0.25, lrr, reference 0.5")
            self.assertEqual(page.run("return [...document.querySelectorAll('g[visibility=hidden] .point')].length"), 2)
            self.assertEqual(page.run("return document.querySelectorAll('.error-bar').length"), 1)
            # a logarithmic axis: 2 is halfway between 1 and 4
            places = page.run("return [...document.querySelectorAll('.c0 .point')].map(p => p.getBoundingClientRect().x)")[:3]
            self.assertAlmostEqual(places[1] - places[0], places[2] - places[1], delta=1)
            page.wheel(".chart", places[1] - page.run("return document.querySelector('.chart').getBoundingClientRect().x") + 4, 90)
            page.mouse({"x": places[1] + 4, "y": 150}, ("mouseMoved",))
            page.wait("return document.querySelector('.values').textContent.startsWith('warps 2: lrr 0.5')", "the pointer's values")
            first = "return document.querySelector('tbody td:nth-child(4)').textContent"
            page.click("th:nth-child(4) button")
            self.assertEqual(page.run(first), "50")
            page.click("th:nth-child(4) button")
            self.assertEqual(page.run(first), "100")
            page.open(self.folder / "f.html")
            ticks = page.run("return [...document.querySelectorAll('.chart')].map(c => c.querySelector('.end').textContent + [...c.querySelectorAll('.end')].length)")
            self.assertEqual(len(ticks), 2)
            self.assertEqual(ticks[0], ticks[1])  # the same axes
            page.open(self.folder / "m.html")
            self.assertIn("the knee", page.run("return [...document.querySelectorAll('.mark + text')].map(t => t.textContent)"))
            page.open(self.folder / "w.html")
            page.key(".chart", "ArrowRight")
            self.assertEqual(page.text(".values"), "policy lrr: ipc 0.5")
            self.assertEqual(page.messages(), [])

    @unittest.skipIf(shutil.which("node") is None, "node is not installed")
    def test_scripts_of_the_page_parse(self):
        self.plot("-o", "c.html")
        page = (self.folder / "c.html").read_text()
        for script in re.findall(r"<script>(.*?)</script>", page, re.S):
            (self.folder / "s.js").write_text(script)
            subprocess.run(["node", "--check", "s.js"], cwd=self.folder, check=True)

    @unittest.skipIf(GNUPLOT is None, "gnuplot is not installed")
    def test_pictures(self):
        self.plot("--title", "it's 'quoted'\nand more", "-o", "c.svg")
        svg = (self.folder / "c.svg").read_text()
        self.assertIn("</svg>", svg)
        for word in ("warps", "ipc", "lrr", "gto", "it's 'quoted'and more"):
            self.assertIn(word, svg.replace("&#39;", "'").replace("&apos;", "'"))
        self.plot("--facet", "policy", "--log", "x", "-o", "c.png")
        self.assertEqual((self.folder / "c.png").read_bytes()[:4], b"\x89PNG")
        self.plot("--x", "policy", "--where", "warps=2", "-o", "c.svg")
        self.assertIn("gto", (self.folder / "c.svg").read_text())

    @unittest.skipIf(GNUPLOT is None, "gnuplot is not installed")
    def test_picture_of_the_guide(self):
        self.call("sweep", "latency_hiding/launch-bytecode.yaml", *GUIDE_STUDY, "-o", "hiding")
        self.call("plot", "hiding", *GUIDE_CHART, "-o", "guide.svg")
        version = subprocess.run([GNUPLOT, "--version"], capture_output=True, text=True).stdout
        if version.strip() != "gnuplot 5.4 patchlevel 4":
            self.skipTest(f"drawn by another {version.strip()}")
        self.assertEqual((self.folder / "guide.svg").read_text(),
                         (ROOT / "docs/images/latency_hiding.svg").read_text())

    def write_kinds(self):
        """A table for each kind, and the options that draw it."""
        (self.folder / "m.csv").write_text("warps,latency,status,ipc\n" + "".join(
            f"{warps},{latency},{'fault' if (warps, latency) == (8, 400) else 'ok'},{warps / latency}\n"
            for warps in (8, 2, 4) for latency in (100, 400)))
        (self.folder / "s.csv").write_text("target,policy,status,speed\n" + "".join(
            f"{target},{policy},ok,{speed}\n" for policy, speeds in
            (("lrr", (1, 1, 1, 1, 1)), ("gto", (0.9, 1.1, 1.2, 1.3, 3)))
            for target, speed in zip(("a", "b", "c", "d", "geomean" if policy == "lrr" else "e"), speeds)))
        (self.folder / "v.csv").write_text("parameter,value,y,change,elasticity\nsmall,on,100,0,\nsmall,off,101,0.01,\n"
                                           "large,4,100,0,\nlarge,8,50,-0.5,-1\nlarge,2,140,0.4,-0.49\n")
        (self.folder / "e.csv").write_text("name,order,effect,factor,share\na,1,-2,,0.25\nb,1,4,,0.5\n"
                                           "a * b,2,1,,0.25\n")
        return {"heat": ["m.csv"], "box": ["s.csv", "-x", "policy", "-y", "speed"],
                "dots": ["s.csv", "-x", "policy", "-y", "speed"], "tornado": ["v.csv"], "pareto": ["e.csv"]}

    def kind(self, kind, suffix, *more):
        path = self.folder / f"{kind}.{suffix}"
        path.unlink(missing_ok=True)
        self.call("plot", *self.write_kinds()[kind], "--kind", kind, "-o", str(path), *more)
        return path

    def page_data(self, kind):
        page = self.kind(kind, "html").read_text()
        self.assertNotRegex(page, r"(src|href)=|url\(|import ")
        return json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S).group(1))

    def tips(self, kind):
        return [mark["text"] for mark in self.page_data(kind)["figure"]["panels"][0]["marks"]
                if mark["shape"] != "text" and "text" in mark]

    def test_kinds_in_all_outputs(self):
        for kind in self.write_kinds():
            with self.subTest(kind=kind):
                text = self.kind(kind, "txt").read_text()
                self.assertTrue(self.call("plot", *self.write_kinds()[kind], "-k", kind).stdout.startswith(text))
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
                self.assertTrue(json.loads(self.kind(kind, "json").read_text())["data"]["values"])
                self.assertTrue(self.tips(kind))
                if GNUPLOT is not None:
                    self.assertIn("</svg>", self.kind(kind, "svg").read_text())
                    self.assertEqual(self.kind(kind, "png").read_bytes()[:4], b"\x89PNG")

    def test_heat(self):
        chart = json.loads(self.kind("heat", "json").read_text())
        self.assertEqual(chart["encoding"]["x"]["sort"], ["2", "4", "8"])  # numbers rise
        self.assertEqual(chart["encoding"]["y"]["sort"], ["400", "100"])   # upwards
        self.assertEqual(chart["encoding"]["y"]["title"], "latency")
        cells = {(value["x"], value["curve"]): value["y"] for value in chart["data"]["values"]}
        self.assertEqual(cells, {("2", "100"): 0.02, ("4", "100"): 0.04, ("8", "100"): 0.08,
                                 ("2", "400"): 0.005, ("4", "400"): 0.01, ("8", "400"): None})
        self.assertIn("warps 8, latency 400: ipc no value", self.tips("heat"))
        text = [line.split() for line in self.kind("heat", "txt").read_text().splitlines()]
        self.assertEqual(text[1:4], [["latency", "2", "4", "8"], ["400", "0.005..", "0.01::", "n/a"],
                                     ["100", "0.02--", "0.04++", "0.08@@"]])
        self.refused("--kind heat does not take --log x", "m.csv", "--kind", "heat", "--log", "x")
        self.refused("a heat map needs a second parameter", "m.csv", "--kind", "heat", "--where", "latency=100")

    def test_box_and_dots(self):
        self.assertIn("policy gto: median 1.2, quartiles 1.1 and 1.3, 5 rows", self.tips("box"))
        self.assertIn("policy gto, target e: speed 3", self.tips("box"))  # an outlier
        self.assertIn("policy lrr: median 1, quartiles 1 and 1, 4 rows", self.tips("box"))  # no mean
        self.assertEqual(len(self.tips("dots")), 9)
        self.assertIn("policy gto, target a: speed 0.9", self.tips("dots"))
        chart = json.loads(self.kind("box", "json").read_text())
        self.assertEqual((chart["mark"]["type"], chart["mark"]["extent"]), ("boxplot", 1.5))
        dots = json.loads(self.kind("dots", "json").read_text())["data"]["values"]
        self.assertEqual(len({dot["offset"] for dot in dots if dot["x"] == "lrr"}), 4)  # none on another
        self.assertEqual({dot["name"] for dot in dots if dot["x"] == "gto"}, set("abcde"))
        relative = json.loads(self.kind("dots", "json", "--relative-to", "target=a").read_text())["data"]["values"]
        self.assertAlmostEqual(max(dot["y"] for dot in relative), 3 / 0.9)

    def test_tornado(self):
        figure = self.page_data("tornado")["figure"]
        self.assertEqual(figure["y"]["names"], ["large (4)", "small (on)"])  # the largest swing on top
        self.assertEqual(figure["legend"], ["value below the base", "value above the base", "another value"])
        bars = [(mark["x2"], mark["y"] > 0.5, mark["colour"]) for mark in figure["panels"][0]["marks"]
                if mark["shape"] == "rectangle"]
        self.assertEqual(bars, [(-50, False, 1), (40, False, 0), (1, True, 2)])
        self.refused("--kind tornado does not take --by", "v.csv", "--kind", "tornado", "--by", "y")
        self.refused("the table has no column 'parameter'", "t.csv", "--kind", "tornado")

    def test_pareto(self):
        chart = json.loads(self.kind("pareto", "json").read_text())
        self.assertEqual([(value["x"], value["cumulative"]) for value in chart["data"]["values"]],
                         [("b", 0.5), ("a", 0.75), ("a * b", 1)])
        self.assertEqual(chart["resolve"], {"scale": {"y": "independent"}})
        sizes = json.loads(self.kind("pareto", "json", "--y", "effect").read_text())
        self.assertEqual([value["size"] for value in sizes["data"]["values"]], [4, 2, 1])
        self.assertEqual(sizes["layer"][0]["encoding"]["y"]["title"], "|effect|")

    @unittest.skipIf(browser.missing(), "no browser")
    def test_kinds_in_a_browser(self):
        for dark in False, True:
            with browser.Browser(900, 700, dark=dark) as page:
                page.open(self.kind("heat", "html"))
                page.key(".chart", "End")
                self.assertEqual(page.text(".values"), "warps 8, latency 100: ipc 0.08")
                page.key(".chart", "Home")
                page.wait("return document.querySelector('.values').textContent === 'warps 2, latency 400: ipc 0.005'", "a cell")
                fills = page.run("return [...document.querySelectorAll('.chart rect.cell')].map(r => getComputedStyle(r).fill)")
                self.assertEqual((fills[0], fills[-1]), ("rgb(68, 1, 84)", "rgb(253, 231, 37)"))
                page.open(self.kind("tornado", "html"))
                page.click(".legend button")
                self.assertEqual(page.run("return document.querySelectorAll('.chart [visibility=hidden]').length"), 1)
                page.open(self.kind("pareto", "html"))
                wide = page.run("return document.querySelector('.chart').getBoundingClientRect().width")
                page.size(420, 700, dark)
                page.wait("return document.querySelector('.chart').getBoundingClientRect().width < 400", "a narrow chart")
                self.assertGreater(wide, 700)
                self.assertEqual(page.run("return getComputedStyle(document.querySelector('.chart .tick')).fontSize"), "12px")
                self.assertEqual(page.messages(), [])

    def test_without_gnuplot(self):
        message = self.call("plot", "t.csv", "-o", "c.svg", PATH="/nowhere", code=3).stderr
        self.assertIn("c.svg: error: gnuplot is not installed (Debian package gnuplot-nox", message)
        self.assertFalse((self.folder / "c.svg").exists())

    def test_what_is_wrong(self):
        self.refused("the table has no column 'warp'; did you mean 'warps'?", "t.csv", "--x", "warp")
        self.refused("several rows have warps=1: they differ in 'policy'; make curves of it (--by "
                     "policy)", "t.csv", "--by", "status")
        self.refused("no row has numbers", "t.csv", "--y", "error")
        self.refused("policy has words, which have no logarithm", "t.csv", "--x", "policy", "--log",
                     "x")
        self.refused("the name must end in .svg, .png, .html, .json or .txt", "t.csv", "-o", "c.gif")
        self.refused("--kind: 'pie' is not one of curves, heat, box, dots, tornado, pareto", "t.csv", "--kind", "pie")
        self.refused("--log: 'z' is not one of x, y, xy", "t.csv", "--log", "z")
        self.refused("cannot open", "none", code=3)
        (self.folder / "t.csv").write_text("a,b\n1,2\n3\n")
        self.refused("t.csv:3: error: 1 cells, where there are 2 columns", "t.csv", code=3)
        (self.folder / "t.csv").write_text("")
        self.refused("names of columns are expected", "t.csv", code=3)


if __name__ == "__main__":
    unittest.main()
