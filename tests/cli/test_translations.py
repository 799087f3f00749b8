"""Pages in Chinese agree with those that they translate: test_translations.py SOURCES [--update]

Section by section (headings of the same depth in the same order): fenced and indented blocks are the same, text for text,
so that test_docs.py runs those of the English page alone; commands and names between backticks are the same, in any order;
and so are all numbers of the text, each as often. Every handout of a lab has its translation. --update copies the blocks
of the English page to the places that they have in the Chinese one.
"""
import collections
import pathlib
import re
import sys

BLOCK = re.compile(r"^```[\s\S]*?^```$|(?:^    [^\n]*\n)+", flags=re.M)
HEADING = re.compile(r"^(#+) ", flags=re.M)
SPAN = re.compile(r"`([^`]+)`")
# Numbers of an ordered list are told by the list.
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:\^\d+)?")
# Where the other language stands, which the other page does not have, and what only lists pages.
OWN = {"README.md": re.compile(r"^(?:\[中文说明\].*|英文手册.*|中文页面.*|- \[.*\]\(.*\.md\))$", flags=re.M)}


def pairs(root):
    """(page, its translation), by what the translation's place in docs/zh says."""
    yield root / "README.md", root / "docs/zh/README.md"
    yield root / "docs/learn/first_steps.md", root / "docs/zh/first_steps.md"
    yield root / "docs/learn/guide.md", root / "docs/zh/guide.md"
    yield root / "docs/reference/glossary.md", root / "docs/zh/glossary.md"
    for handout in sorted((root / "workloads/labs").glob("*/handout.md")):
        yield handout, root / f"docs/zh/labs/{handout.parent.name}.md"


def sections(text, name):
    """Of each section its depth and text. What is not rendered, addresses of links and pages' names are left out."""
    text = re.sub(r"<!--.*?-->", "", OWN[name].sub("", text) if name in OWN else text, flags=re.S)
    blocks = []

    def keep(match):
        blocks.append(match.group())
        return f"\n\0{len(blocks) - 1}\0\n"

    text = BLOCK.sub(keep, text)
    parts = HEADING.split(text)
    for depth, part in zip(parts[1::2], parts[2::2]):
        inside = [blocks[int(number)] for number in re.findall("\0(\\d+)\0", part)]
        part = re.sub("\0\\d+\0|\\]\\([^)]*\\)|\\[[\\w.]+\\.md", "", part)
        title = part.split("\n")[0]
        yield depth, title, inside, set(words_of(part)), numbers_of(part)


def words_of(text):
    return [" ".join(span.split()) for span in SPAN.findall(text)]


def numbers_of(text):
    text = re.sub(r"^\s*\d+\. ", "", SPAN.sub("", text), flags=re.M)
    return collections.Counter(NUMBER.findall(text))


def compare(name, here, there):
    """What differs between two pages, a line each."""
    here, there = list(sections(here, name)), list(sections(there, name))
    if [part[0] for part in here] != [part[0] for part in there]:
        yield f"{len(here)} headings, {len(there)} in the translation, or of other depths"
        return
    for (_, title, blocks, words, numbers), (_, _, other_blocks, other_words, other_numbers) in zip(here, there):
        for block in blocks:
            if block not in other_blocks:
                yield f'"{title}": the translation has not the block\n{block}'
        if len(blocks) != len(other_blocks) or (set(blocks) == set(other_blocks) and blocks != other_blocks):
            yield f'"{title}": {len(blocks)} blocks, {len(other_blocks)} in the translation, or in another order'
        for word in sorted(words ^ other_words):
            yield f'"{title}": only in {"the page" if word in words else "the translation"}: `{word}`'
        for number in sorted((numbers - other_numbers) + (other_numbers - numbers)):
            yield f'"{title}": {number} stands {numbers[number]} times there, {other_numbers[number]} in the translation'


def update(page, translation):
    """The page's blocks in the translation's places, if there are as many."""
    blocks, text = BLOCK.findall(page.read_text()), translation.read_text()
    if len(blocks) == len(BLOCK.findall(text)):
        left = iter(blocks)
        translation.write_text(BLOCK.sub(lambda _: next(left), text))


def main():
    root, faults, count = pathlib.Path(sys.argv[1]), [], 0
    translated = set()
    for page, translation in pairs(root):
        translated.add(translation)
        if not translation.exists():
            faults.append(f"{page.relative_to(root)} has no {translation.relative_to(root)}")
            continue
        if "--update" in sys.argv:
            update(page, translation)
        faults += [f"{translation.relative_to(root)}: {fault}"
                   for fault in compare(page.name, page.read_text(), translation.read_text())]
        count += 1
    faults += [f"{extra.relative_to(root)}: translates nothing"
               for extra in sorted(set((root / "docs/zh").rglob("*.md")) - translated)]
    print("\n".join(faults) if faults else f"{count} pages and their translations agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
