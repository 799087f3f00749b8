"""test_pages.py SOURCES [unittest options]: what the pages of the manual say of each other and of the tree.

Links lead to a page and a heading that are there; the model names the rooms of sim/ and shows them;
the list of debts is that of the device file; an index names every page. Of the site, where it is built (WS_SITE), all
links lead somewhere, nothing is of the network, and the search answers in a browser that reads it from disk."""
import html.parser
import os
import pathlib
import re
import sys
import unittest
import urllib.parse

import browser

SITE = pathlib.Path(os.environ["WS_SITE"]) if os.environ.get("WS_SITE") else None
SOURCES = pathlib.Path(sys.argv.pop(1)).resolve()
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", flags=re.M | re.S)
HEADING = re.compile(r"^#+ (.*)$", flags=re.M)


def pages():
    return [SOURCES / "README.md", SOURCES / "CONTRIBUTING.md", *sorted((SOURCES / "docs").rglob("*.md")),
            *sorted((SOURCES / "workloads").rglob("*.md"))]


def anchor(heading):
    """As GitHub makes it of a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")


def anchors(page):
    return {anchor(heading) for heading in HEADING.findall(FENCE.sub("", page.read_text()))}


def marked(path, mark):
    """Settings of a device file whose comment has the mark: on their own line, or on those above."""
    names, inside, above = [], [], False
    for line in path.read_text().splitlines():
        key = re.match(r"( *)(\w+):", line)
        has = re.search(mark, line.partition("#")[2]) is not None
        if key is None:
            above = has or (above and line.lstrip().startswith("#"))
            continue
        inside = [one for one in inside if one[0] < len(key[1])] + [(len(key[1]), key[2])]
        if has or above:
            names.append(".".join(name for _, name in inside))
        above = False
    return names


class PagesTest(unittest.TestCase):
    def test_links_lead_to_a_heading(self):
        lost, links = [], 0
        for page in pages():
            for pair in LINK.findall(FENCE.sub("", page.read_text())):
                target, _, place = (pair[0] or pair[1]).partition("#")
                if "://" in target:
                    continue
                links += 1
                there = page.parent / target if target else page
                if not there.exists() or (place and place not in anchors(there)):
                    lost.append(f"{page.relative_to(SOURCES)}: {target}#{place}")
        self.assertEqual(lost, [])
        self.assertGreater(links, 100)

    def test_the_model_has_every_room(self):
        text = (SOURCES / "docs/understand/model.md").read_text()
        picture = (SOURCES / "docs/images/rooms.svg").read_text()
        rooms = sorted(path.parent.name for path in (SOURCES / "sim").glob("*/meson.build"))
        self.assertGreater(len(rooms), 10)
        shown = re.findall(r'<text class="name"[^>]*>([^<]*)<', picture)
        shown = {name for label in shown for name in re.split(r"[:,] ", label)}
        for room in rooms:
            self.assertIn(room, shown)
            self.assertTrue(f"`sim/{room}`" in text, room)

    def test_the_architecture_names_what_is_there(self):
        """Files and folders; functions, each in the file beside it; all modules."""
        text = (SOURCES / "docs/understand/architecture.md").read_text()
        for path in re.findall(r"`([a-z.]+/[a-z_./]*)`", text):
            self.assertTrue((SOURCES / path).exists(), path)
        functions = re.findall(r"`(\w+)\(\)` in `([\w./]+)`", text)
        self.assertGreater(len(functions), 6)
        for name, place in functions:
            files = (SOURCES / place).glob("*.h") if place.endswith("/") else [SOURCES / place]
            self.assertTrue(any(re.search(rf"\b{name}\(", file.read_text()) for file in files), f"{name} in {place}")
        for folder in ("isa", "sim", "inspect", "study", "grade"):
            row = re.search(rf"^\| `{folder}/` \| .*$", text, flags=re.M)[0]
            modules = {path.parent.name for path in (SOURCES / folder).glob("*/meson.build")}
            self.assertEqual(set(re.findall(r"`(\w+)`", row)) - {"step"}, modules, folder)

    def test_contributing_names_the_limits(self):
        text = (SOURCES / "CONTRIBUTING.md").read_text()
        sizes = (SOURCES / ".ci/sizes.py").read_text()
        most, fewer = re.search(r"at most (\d+) lines, a file fewer than (\d+)", " ".join(text.split())).groups()
        self.assertIn(f"FUNCTION_LINES = {most}\n", sizes)
        self.assertIn(f"FILE_LINES = {fewer}\n", sizes)

    def test_debts_are_those_of_the_device_file(self):
        page = (SOURCES / "docs/understand/calibration.md").read_text()
        debts = page.partition("## Debts\n")[2]
        fitted = re.findall(r"^\| `([\w.]+)` \|", debts, flags=re.M)
        assumed = set(re.findall(r"`([\w.]+)`", debts.partition("Assumed, ")[2]))
        overlay, plain = SOURCES / "configs/h200.yaml", SOURCES / "configs/h200-plain.yaml"
        # The head of a file, with the legend, is above its first key.
        self.assertEqual(sorted(fitted), sorted(marked(overlay, r"\bfitted\b")[1:]))
        self.assertEqual(marked(plain, r"\bfitted\b")[1:], [])
        self.assertEqual(assumed | set(fitted), set(marked(plain, r"\[A\]")[1:] + marked(overlay, r"\[A\]")) | set(fitted))

    def test_an_index_names_every_page(self):
        for folder in ("learn", "use", "reference", "understand", "understand/measurements"):
            pages = {path.name for path in (SOURCES / "docs" / folder).glob("*.md")} - {"index.md", "README.md"}
            index = SOURCES / "docs" / folder / ("README.md" if folder.endswith("measurements") else "index.md")
            self.assertEqual(pages - set(re.findall(r"\]\(([\w.]+)\)", index.read_text())), set(), index)
            self.assertGreater(len(pages), 4)


class Links(html.parser.HTMLParser):
    """What a page refers to, and the names of its places."""

    def __init__(self, page):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places.add(attributes.get("id"))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag in ("link", "script", "img", "iframe"):
            self.loaded += [value for name, value in attributes.items() if name in ("href", "src")]


@unittest.skipIf(SITE is None, "the site is not built: no Sphinx with MyST")
class SiteTest(unittest.TestCase):
    def test_links_lead_somewhere(self):
        pages = {path: Links(path) for path in SITE.rglob("*.html")}
        self.assertGreater(len(pages), 60)
        for page, links in pages.items():
            for target in links.loaded:
                self.assertTrue(target.startswith("#") or (page.parent / target.partition("?")[0]).exists(), f"{page}: {target}")
            for link in links.links:
                target, _, place = urllib.parse.unquote(link).partition("#")
                if "://" in target:
                    continue
                there = (page.parent / target).resolve() if target else page
                self.assertTrue(there.exists(), f"{page}: {link}")
                if place and there in pages:
                    self.assertIn(place, pages[there].places, f"{page}: {link}")

    def test_styles_load_nothing_from_elsewhere(self):
        for path in (SITE / "_static").rglob("*.css"):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            self.assertEqual(re.findall(r"\S*//\S*|@import(?! url\(.basic\.css.\)).*", text), [], path)

    @unittest.skipIf(browser.missing(), browser.missing())
    def test_search_from_disk(self):
        with browser.Browser(width=1200, height=900) as chromium:
            chromium.open(SITE / "index.html")
            chromium.key("input[name=q]", "reconvergence", "Enter")
            # The page lists its results one by one; the summary has their number only after the last one.
            found = chromium.wait("const summary = document.querySelector('.search-summary'); "
                                  "const all = [...document.querySelectorAll('#search-results li a')]; "
                                  "return summary && /[0-9]/.test(summary.textContent) && all.map(one => one.getAttribute('href'))",
                                  "the end of the search")
            self.assertGreater(len(found), 5)
            self.assertTrue(any("glossary.html" in link for link in found), found)
            self.assertTrue(all((SITE / link.partition("#")[0].partition("?")[0]).exists() for link in found), found)
            self.assertEqual(chromium.messages(), [])
            # Chromium loads its own first page by itself.
            strange = [url for url in chromium.requests() if not url.startswith(("file:", "chrome:", "data:"))]
            self.assertEqual(strange, [])


if __name__ == "__main__":
    unittest.main()
