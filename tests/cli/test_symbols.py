"""No writable globals in the library: test_symbols.py LIBRARY.a...

Two simulators must be able to live side by side in one process, so no object file may have data in
.data, .bss or common. Constant tables with pointers (.data.rel.ro) are read-only once loaded.
"""
import re
import subprocess
import sys

# `objdump -t`: value, flags, section, size, name. Flag O is an object.
ROW = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\s+([0-9a-f]+) (.*)$")
ALLOWED = set()

failures, objects = 0, 0
for library in sys.argv[1:]:
    listing = subprocess.run(["objdump", "-t", library], check=True, stdout=subprocess.PIPE, text=True)
    member = ""
    for line in listing.stdout.splitlines():
        if ":     file format" in line:
            member = line.split(":")[0]
            objects += 1
            continue
        row = ROW.match(line)
        if not row:
            continue
        flags, section, size, name = row.groups()
        writable = section == "*COM*" or (
            re.match(r"\.(data|bss|tdata|tbss)", section) and not section.startswith(".data.rel.ro")
        )
        if "O" in flags and writable and int(size, 16) > 0 and name not in ALLOWED:
            print(f"{library}({member}): {name} is writable ({section}, {int(size, 16)} bytes)")
            failures += 1
if objects == 0:
    print("no object files found")
    failures += 1
print(f"{objects} object files, {failures} writable objects")
sys.exit(1 if failures else 0)
