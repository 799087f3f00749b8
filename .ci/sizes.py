"""Lengths of files and functions: sizes.py [ROOT]

No file of C or TypeScript has 600 lines or more, and no C function more than 60, its head included. Which
files are ours is what git lists; what a kernel includes (isa/cuda/include), workloads, and data of tests are
left out. A C function is what stands between a line `{` and the next line `}`, as clang-format writes them.
"""
import pathlib
import re
import subprocess
import sys

FILE_LINES = 600
FUNCTION_LINES = 60
LEFT_OUT = re.compile(r"^(isa/cuda/include|workloads|tests/(data|ptx|golden|gpu))/")
NAME = re.compile(r"(\w+)\(")


def c_functions(lines):
    """(name, first line, lines) of each function; a head may take several lines."""
    start = None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
            while start > 0 and lines[start - 1] and lines[start - 1][-1] not in ";}/" \
                    and not lines[start - 1].startswith("#"):
                start -= 1
        elif line == "}" and start is not None:
            name = NAME.search(" ".join(lines[start:start + 3]))
            yield name.group(1) if name else "?", start + 1, number - start + 1
            start = None


def faults_of(name, text):
    lines = text.splitlines()
    if len(lines) >= FILE_LINES:
        yield f"{name}: {len(lines)} lines, {FILE_LINES - 1} at most"
    for function, line, length in c_functions(lines) if name.endswith(".c") else ():
        if length > FUNCTION_LINES:
            yield f"{name}:{line}: {function} has {length} lines, {FUNCTION_LINES} at most"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    listed = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.def", "*.ts"], cwd=root,
                            check=True, capture_output=True, text=True).stdout.split("\n")
    names = [name for name in listed if name and not LEFT_OUT.match(name) and (root / name).is_file()]
    faults = [fault for name in names for fault in faults_of(name, (root / name).read_text())]
    print("\n".join(faults) if faults else f"{len(names)} files, none too long, nor a function in them")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
