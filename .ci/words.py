"""Words that users do not read: words.py [ROOT [FILE...]]

.ci/words.txt has phrases that are no field's and what to write instead. Looked for are README.md, docs/*.md without
their code, string literals of the C and TypeScript sources of the rooms, and comments of the public headers. Left
out is the glossary (and its translation), which names old words on purpose. With FILEs only those are read, of those.
The exit code is 1 if there is one.
"""
import bisect
import pathlib
import re
import subprocess
import sys

ROOMS = ["cli", "study", "grade", "inspect", "sim", "isa", "library", "runtime"]
HEADERS = ["include"]
LEFT_OUT = re.compile(r"^(isa/cuda/include/|docs/(reference|zh)/glossary\.md$)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->", flags=re.M | re.S)
C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", flags=re.S)
# A comment, a character or a string: in this order each is passed over as a whole.
C_TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|'(?:[^'\\\n]|\\.)+'|\"(?:[^\"\\\n]|\\.)*\"", flags=re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include.*$", flags=re.M)


def sure_word(pattern):
    """The longest word that each match of a pattern has: looking for that is a hundred times faster."""
    sure = re.sub(r"\([^()]*\)[?*]?|\[[^]]*\][?*]?|.[?*]|\\.\+?", " ", pattern)
    return max(re.findall(r"[a-z]+", sure), key=len, default="")


def rules(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            pattern, arrow, instead = line.partition(" => ")
            if not arrow:
                raise SystemExit(f"{path}:{number}: PATTERN => WHAT TO WRITE INSTEAD is expected")
            pattern = pattern.strip().replace(" ", r"\s+")
            if pattern != pattern.lower():
                raise SystemExit(f"{path}:{number}: small letters are expected, which match capitals too")
            yield re.compile(pattern), instead.strip(), sure_word(pattern)


def blank(match):
    """As many characters and lines, so that places stay."""
    return re.sub(r"[^\n]", " ", match.group())


def prose(text):
    return CODE.sub(blank, text)


def literals(text):
    """What stands in strings; those that the compiler joins are joined by blanks."""
    def keep(match):
        token = match.group()
        if token[0] != '"':
            return blank(match)
        return " " + re.sub(r"\\.", "  ", token[1:-1]) + " "
    text = INCLUDE.sub(blank, text)
    kept, last = [], 0
    for match in C_TOKEN.finditer(text):
        between = text[last:match.start()]
        # Code between two strings ends a phrase; blanks between them do not.
        kept.append(re.sub(r"[^\n\s]", "\0", between) + keep(match))
        last = match.end()
    return "".join(kept)


def comments(text):
    kept, last = [], 0
    for match in C_COMMENT.finditer(text):
        kept.append(re.sub(r"[^\n]", "\0", text[last:match.start()]) + re.sub(r"^\s*\*", " ", match.group(), flags=re.M))
        last = match.end()
    return "".join(kept)


def listed(root, only, *names):
    out = subprocess.run(["git", "ls-files", *names], cwd=root, check=True, capture_output=True, text=True).stdout
    return [name for name in out.split("\n") if name and not LEFT_OUT.match(name)
            and (not only or name in only) and (root / name).is_file()]


def texts(root, only):
    """Names, what may stand there, and the function that leaves only what users read."""
    for name in listed(root, only, "README.md", "docs/*.md"):
        yield name, (root / name).read_text(), prose
    for name in listed(root, only, *ROOMS):
        if name.endswith((".c", ".h", ".def", ".ts")):
            yield name, (root / name).read_text(), literals
    for name in listed(root, only, *HEADERS):
        if name.endswith(".h"):
            yield name, (root / name).read_text(), comments


def faults_of(name, text, refused):
    ends = [match.end() for match in re.finditer(r"\n", text)]
    for pattern, instead, _ in refused:
        for match in pattern.finditer(text):
            line = bisect.bisect_right(ends, match.start()) + 1
            yield f"{name}:{line}: \"{' '.join(match.group().split())}\": write {instead}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    refused, faults, count = list(rules(root / ".ci/words.txt")), [], 0
    only = sys.argv[2:]
    for name, text, read in texts(root, only):
        count += 1
        # Most files have none even with what is not read; only the others are taken apart.
        text = text.lower()
        joined = text.replace('"', " ").replace("*", " ").replace("//", "  ")
        hit = [rule for rule in refused if rule[2] in joined and rule[0].search(joined)]
        if hit:
            faults += faults_of(name, read(text), hit)
    print("\n".join(faults) if faults else f"{count} files, none with a word of {len(refused)} that are refused")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
