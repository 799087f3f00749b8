"""The manual as a site: build.py SOURCES VERSION OUTPUT --work FOLDER [--depfile FILE], or build.py --available

--available says by its exit code whether Sphinx and MyST are there. Sphinx gets a copy of the pages: docs/ without its first folder, the notes of the workloads, the handouts of the labs,
and pages that are made here, of what the tree has as data. Links are those of the tree; they are changed where the
copy of a page is elsewhere. A warning is an error.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tables

LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^```.*?^```$", flags=re.M | re.S)
ENTRY = re.compile(r"^(?:- |\| )\[([^\]]*)\]\(([^)#:\s]+\.md)\)", flags=re.M)  # of a list of pages
TITLE = re.compile(r"^# (.*)$", flags=re.M)


ROOT = pathlib.PurePath("docs/index.md")
# Pages that the tree does not have, below which index they are.
MADE = {"docs/learn/index.md": ["../workloads/index", "../workloads/labs/index"],
        "docs/understand/index.md": ["calibration_tables"]}


def toctree(entries):
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n" if entries else ""


def place(path):
    """Where the site has a file of the tree."""
    return pathlib.PurePath(*path.parts[1:]) if path.parts[0] == "docs" else path


class Site:
    def __init__(self, sources, folder):
        self.sources, self.folder, self.read, self.written, self.structure = sources, folder, [], set(), {}

    def text(self, path):
        self.read.append(self.sources / path)
        return (self.sources / path).read_text()

    def write(self, path, text):
        """What is the same stays as it is, so that Sphinx reads only pages that have changed."""
        self.written.add(self.folder / path)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        if not (self.folder / path).exists() or (self.folder / path).read_bytes() != text:
            (self.folder / path).write_bytes(text)

    def write_page(self, path, text):
        self.write(path, text.encode())
        self.structure[str(path)] = [TITLE.findall(text)[:1], text.partition("```{toctree}")[2]]

    def copy(self, path, to=None):
        self.read.append(self.sources / path)
        self.write(to or place(path), (self.sources / path).read_bytes())

    def remove_others(self):
        for path in self.folder.rglob("*"):
            if path.is_file() and path not in self.written:
                path.unlink()

    def find(self, *patterns):
        return sorted(path.relative_to(self.sources) for pattern in patterns for path in self.sources.glob(pattern))

    def add_page(self, path, pages):
        """A page, its links as the site has them, and the files that it links to; other pages that it links to join `pages`."""
        def relinked(match):
            target = pathlib.PurePath(os.path.normpath(path.parent / match.group(1)))
            if target.suffix == ".md" and target not in (*pages, ROOT):
                pages.append(target)  # such as README.md
            elif target.suffix != ".md":
                self.copy(target)
            return f"]({os.path.relpath(place(target), place(path).parent)}{match.group(2) or ''})"
        parts, at, text = [], 0, self.text(path)
        for fence in [*FENCE.finditer(text), None]:
            end = fence.start() if fence else len(text)
            parts += [LINK.sub(relinked, text[at:end]), fence.group() if fence else ""]
            at = fence.end() if fence else end
        self.write_page(place(path), "".join(parts) + self.contents(path, text))
        return place(path).with_suffix("").as_posix()

    def contents(self, path, text):
        """The pages below an index, for Sphinx: those that its list names, and what is made here."""
        is_index = path.name == "index.md" or path.as_posix() == "docs/understand/measurements/README.md"
        found = ENTRY.findall(text) if is_index else []
        # The first page names its parts in a word; the others say what the pages' own titles say.
        entries = [f"{title} <{name.removesuffix('.md')}>" if path == ROOT else name.removesuffix(".md") for title, name in found]
        return toctree(entries + MADE.get(path.as_posix(), []))

    def list_of(self, folder, title, introduction, pages):
        """A page with the titles of others."""
        lines = [f"# {title}\n\n{introduction}\n"]
        names = []
        for page in pages:
            name = page.relative_to(folder).as_posix()
            names.append(name.removesuffix(".md"))
            lines.append(f"- [{TITLE.search(self.text(page)).group(1)}]({name})")
        self.write_page(f"{folder}/index.md", "\n".join(lines) + "\n" + toctree(names))


def copy_pages(sources, folder):
    site = Site(sources, folder)
    notes, handouts = site.find("workloads/*/notes.md"), site.find("workloads/labs/*/handout.md")
    pages = [*site.find("docs/**/*.md"), *notes, *handouts]
    pages.remove(ROOT)
    MADE["docs/zh/README.md"] = [page.relative_to("docs/zh").with_suffix("").as_posix()
                                 for page in site.find("docs/zh/**/*.md") if page.name != "README.md"]
    known, linked = len(pages), []
    for page in pages:  # which grows
        linked.append(site.add_page(page, pages))
    MADE[ROOT.as_posix()] = sorted(linked[known:])
    site.add_page(ROOT, pages)
    data = json.loads(site.text(pathlib.PurePath("docs/understand/calibration.json")))
    site.write_page("understand/calibration_tables.md", "# Calibration tables\n\n" + tables.to_markdown(data))
    page = (folder / "understand/calibration.md").read_text()
    site.write_page("understand/calibration.md", page.replace('"Calibration tables"', "[Calibration tables](calibration_tables.md)"))
    site.list_of("workloads", "The built-in workloads", "`warpstep copy NAME FOLDER` gives a copy to change.", notes)
    site.list_of("workloads/labs", "The labs", "`warpstep copy labs/NAME FOLDER` gives a lab to a teacher.", handouts)
    site.copy("docs/site/conf.py", "conf.py")
    site.copy("docs/site/site.css", "_static/site.css")
    site.read += [pathlib.Path(__file__).resolve(), pathlib.Path(tables.__file__).resolve()]
    site.remove_others()
    return site


def sort_index(path):
    """The same whichever pages Sphinx has read this time."""
    head, tail = "Search.setIndex(", ")"
    index = json.loads(path.read_text().removeprefix(head).removesuffix(tail))
    for places in index["alltitles"].values():
        places.sort()
    path.write_text(head + json.dumps(index, sort_keys=True, separators=(",", ":")) + tail)


def sphinx(arguments, version):
    environment = dict(os.environ, WARPSTEP_VERSION=version, SOURCE_DATE_EPOCH="0", PYTHONHASHSEED="0", LC_ALL="C.UTF-8")
    return subprocess.run(["sphinx-build", "-q", "-W", *arguments], env=environment, stdin=subprocess.DEVNULL)


def available():
    if shutil.which("sphinx-build") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "index.md").write_text("# Title\n")
        done = subprocess.run(["sphinx-build", "-q", "-C", "-D", "extensions=myst_parser", "-b", "dummy", folder, folder + "/out"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return done.returncode == 0


def main():
    if sys.argv[1:] == ["--available"]:
        return 0 if available() else 1
    parser = argparse.ArgumentParser()
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("version")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--depfile", type=pathlib.Path)
    arguments = parser.parse_args()
    site = copy_pages(arguments.sources.resolve(), arguments.work / "pages")
    # Every page names its neighbours: with other titles or contents all are written again.
    structure, known = json.dumps(site.structure, sort_keys=True), arguments.work / "structure.json"
    if not known.exists() or known.read_text() != structure:
        for folder in (arguments.output, arguments.work / "doctrees"):
            shutil.rmtree(folder, ignore_errors=True)
        known.write_text(structure)
    done = sphinx(["-j", "2", "--keep-going", "-b", "html", "-d", arguments.work / "doctrees", arguments.work / "pages",
                   arguments.output], arguments.version)
    if done.returncode != 0:
        # The next time all pages are read, so that a warning is there again.
        shutil.rmtree(arguments.work / "doctrees", ignore_errors=True)
        return done.returncode
    sort_index(arguments.output / "searchindex.js")
    os.utime(arguments.output)  # what ninja looks at
    if arguments.depfile:
        arguments.depfile.write_text(f"{arguments.output}: {' '.join(str(path) for path in site.read)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
