"""What a new instruction makes be compiled anew: rows.py [ROOT]

The C files, tests apart, that include isa/bytecode/instructions.def, themselves or by a header. The same number as
`touch isa/bytecode/instructions.def; ninja -C build -n | grep 'Compiling C object' | grep -vc ' tests/'`, without a build.
Fails past the limit: then a header has taken isa/bytecode/opcode.h in, or a file names an instruction where a kind or
a flag of the table would do (isa/bytecode/instruction.h).
"""
import pathlib
import re
import subprocess
import sys

MOST = 80
TABLE = "isa/bytecode/instructions.def"
INCLUDE = re.compile(r'^\s*#\s*include "([\w./]+)"', re.M)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    names = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.def"], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split("\n")
    users = {}
    for name in filter(None, names):
        if not name.startswith(("tests/", "workloads/", "isa/cuda/include/")) and (root / name).is_file():
            for included in INCLUDE.findall((root / name).read_text()):
                users.setdefault(included, []).append(name)
    reached, new = set(), [TABLE]
    while new:
        for user in users.get(new.pop(), ()):
            if user not in reached:
                reached.add(user)
                new.append(user)
    files = sorted(name for name in reached if name.endswith(".c"))
    headers = sorted(reached - set(files))
    print(f"{len(files)} files are compiled anew for a row of instructions.def, {MOST} at most; headers: {', '.join(headers)}")
    if len(files) > MOST:
        print("\n".join(files))
    return 1 if len(files) > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
