"""Files that comments name: named_files.py [ROOT]

A comment of C, Python or meson that names a source file must name one that is there: by its path from the root, from
the folders of headers for programs, from the folder of the comment or from the one above, or by its name alone.
"""
import io
import pathlib
import re
import subprocess
import sys
import tokenize

SOURCES = ("*.c", "*.h", "*.def", "*.py", "meson.build")
LEFT_OUT = re.compile(r"^(workloads|tests/(data|ptx|golden|gpu)|isa/cuda/include)/")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
NAMED = re.compile(r"(?<![\w./*<-])((?:[\w-]+/)*[a-z][a-z0-9_]*\.(?:c|h|def|py))(?![\w/])")
HEADERS = ("include", "isa/cuda/include")
# Files of others, and those that tests make.
OTHERS = {"mine.c", "gio/gio.h", "cuda_occupancy.h", "own/math.h", "in.c"}


def comments(name, text):
    if name.endswith(".py"):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    elif name.endswith("meson.build"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("#"):
                yield number, line
    else:
        for found in COMMENT.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, found.group()


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout.split("\n")
    there = {name for name in listed if name and (root / name).exists()}
    names = {name.rsplit("/", 1)[-1] for name in there}
    faults, count = [], 0
    for name in sorted(there):
        if LEFT_OUT.match(name) or not any(pathlib.PurePath(name).match(kind) for kind in SOURCES):
            continue
        for line, comment in comments(name, (root / name).read_text()):
            for found in NAMED.finditer(comment):
                path = found.group(1)
                count += 1
                folder = pathlib.PurePath(name).parent
                places = {path, *(f"{where}/{path}" for where in (folder, folder.parent, *HEADERS))}
                if not places & there and path not in OTHERS and ("/" in path or path not in names):
                    at = line + comment.count("\n", 0, found.start())
                    faults.append(f"{name}:{at}: there is no {path}")
    print("\n".join(faults) if faults else f"{count} files named in comments, all there")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
