"""`warpstep help TOPIC`: test_cli_help.py WARPSTEP SOURCE_ROOT"""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
del sys.argv[1:]
SITE = pathlib.Path(PROGRAM).parents[1] / "docs/site/html"
HAS_SITE = (SITE / "index.html").exists()


def help_of(*topic):
    return subprocess.run([PROGRAM, "help", *topic], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class HelpTest(unittest.TestCase):
    def page(self, *topic):
        """The page below its folder, without suffix; it is there, with its place."""
        done = help_of(*topic)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        path, _, place = done.stdout.strip().partition("#")
        self.assertTrue(pathlib.Path(path).is_file(), path)
        if HAS_SITE:
            self.assertTrue(not place or f'id="{place}"' in pathlib.Path(path).read_text(), done.stdout)
        top = SITE if HAS_SITE else SOURCES / "docs"
        page = pathlib.Path(path).relative_to(top.resolve()).with_suffix("").as_posix()
        return f"{page}#{place}" if place else page

    def place(self, page, place):
        return f"{page}#{place}" if HAS_SITE else page

    def test_pages(self):
        self.assertEqual(self.page("step"), "use/step")
        self.assertEqual(self.page("policies"), "use/policies")
        self.assertEqual(self.page("Glossary"), "reference/glossary")
        self.assertEqual(self.page("first steps"), "learn/first_steps")
        self.assertEqual(self.page("use"), "use/index")
        self.assertEqual(self.page("manual"), "index")
        for page in SOURCES.glob("docs/[lru]*/*.md"):
            if page.stem != "index":
                self.assertTrue(self.page(page.stem).endswith(page.stem), page)

    def test_commands(self):
        names = re.findall(r"^COMMAND\((\w+)\)", (SOURCES / "cli/commands.def").read_text(), re.M)
        self.assertGreater(len(names), 15)
        for name in names:
            if not list(SOURCES.glob(f"docs/[lru]*/{name}.md")):
                self.assertEqual(self.page(name), self.place("reference/commands", name))

    def test_terms(self):
        self.assertEqual(self.page("reconvergence", "point"), self.place("reference/glossary", "divergence"))
        self.assertEqual(self.page("divergence"), self.place("reference/glossary", "divergence"))  # a heading
        terms = []
        for row in re.findall(r"^\| (?!-|term \|)([^|]*) \|", (SOURCES / "docs/reference/glossary.md").read_text(), re.M):
            terms += row.replace("`", " ").split(", ")
        self.assertGreater(len(terms), 50)
        for term in terms[::9]:
            self.page(term)

    def test_no_topic_lists_the_commands(self):
        listed = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
        self.assertEqual((help_of().returncode, help_of().stdout), (0, listed))

    def test_an_unknown_topic_lists_what_is_near(self):
        for topic, near in (("polices", "policies"), ("barrier", "divergent barrier"), ("warp slots", "warp slot")):
            done = help_of(topic)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, rf"^error: the manual has no '{topic}'; near it are: .*{near}")
        self.assertIn("warpstep help manual", help_of("qqqqq").stderr)

    @unittest.skipUnless(HAS_SITE, "the site is not built")
    def test_a_browser_opens_on_a_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            said, program = pathlib.Path(folder, "said"), pathlib.Path(folder, "browser")
            program.write_text(f'#!/bin/sh\necho "$1" > {said}.part && mv {said}.part {said}\n')
            program.chmod(0o755)
            ours, theirs = pty.openpty()
            subprocess.run([PROGRAM, "help", "step"], stdout=theirs, env=dict(os.environ, BROWSER=str(program)), check=True)
            end = time.monotonic() + 60
            while not said.exists() and time.monotonic() < end:
                time.sleep(0.02)
            self.assertEqual(said.read_text().strip(), (SITE / "use/step.html").resolve().as_uri())
            self.assertIn(b"use/step.html", os.read(ours, 4096))
            os.close(ours)
            os.close(theirs)
            # Into a pipe nothing is opened.
            said.unlink()
            subprocess.run([PROGRAM, "help", "step"], stdout=subprocess.PIPE, env=dict(os.environ, BROWSER=str(program)), check=True)
            time.sleep(0.2)
            self.assertFalse(said.exists())

    def on_a_terminal(self, *topic, **environment):
        """What `help` prints on a terminal without a display."""
        kept = {name: value for name, value in os.environ.items() if name not in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")}
        ours, theirs = pty.openpty()
        subprocess.run([PROGRAM, "help", *topic], stdout=theirs, env=kept | environment, check=True)
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        return text.decode().replace("\r\n", "\n")

    def test_a_pager_shows_the_source_where_there_is_no_display(self):
        said = self.on_a_terminal("step", PAGER="head -n 1").splitlines()
        self.assertEqual(len(said), 2)
        self.assertEqual(said[1], (SOURCES / "docs/use/step.md").read_text().splitlines()[0])
        with tempfile.TemporaryDirectory() as folder:
            less = pathlib.Path(folder, "less")
            less.write_text('#!/bin/sh\nprintf "%s;" "$@"\n')
            less.chmod(0o755)
            found = dict(PATH=f"{folder}:{os.environ['PATH']}", PAGER="")
            said = self.on_a_terminal("sweep", **found).splitlines()[1]
            self.assertEqual(said, rf"+/^### sweep$;{(SOURCES / 'docs/reference/commands.md').resolve()};")
            self.assertIn(r"+/^\|.*reconvergence point;", self.on_a_terminal("reconvergence", "point", **found))
            self.assertEqual(self.on_a_terminal("step", **found).splitlines()[1], f"{(SOURCES / 'docs/use/step.md').resolve()};")


if __name__ == "__main__":
    unittest.main()
