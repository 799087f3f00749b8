"""The include graph between the rooms of the source tree: rooms.py [ROOT]

rooms.txt lists the rooms (folders of isa/, sim/, inspect/, study/ and grade/) and the rooms that each may
use. Fails where a file includes a header of another room that its own may not use, where a layer is used
from below (cli -> grade, study, inspect -> sim -> isa; grade, library -> inspect), where the table has a circle or
names what is not there, and where a room's meson.build says something else than the table in its line
"Uses ...".
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include "([\w/]+)/[\w.]+"', re.M)
LAYERS = {"isa": ("isa",), "sim": ("sim", "isa"), "inspect": ("inspect", "sim", "isa"),
          "study": ("study", "sim", "isa"), "grade": ("grade", "inspect", "sim", "isa"),
          "library": ("library", "include", "inspect", "sim", "isa"),
          "runtime": ("runtime", "include"),
          "cli": ("cli", "grade", "inspect", "study", "sim", "isa")}
# CUDA's own types: programs and the runtime that they are linked with see the same.
RUNTIME_TYPES = "isa/cuda/include/warpstep"
WITH_ROOMS = ("isa", "sim", "inspect", "study", "grade")


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            room, _, uses = line.partition(":")
            table[room] = set(uses.split())
    return table


def circle(table):
    """Rooms of a circle in the table, or None."""
    left = {room: set(uses) for room, uses in table.items()}
    while left:
        free = [room for room, uses in left.items() if not uses & left.keys()]
        if not free:
            return sorted(left)
        for room in free:
            del left[room]
    return None


def rooms_used(folder):
    """Rooms and folders whose headers the files of `folder` include, with a file for each."""
    used = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".c", ".h", ".def"):
            for room in INCLUDE.findall(path.read_text()):
                used.setdefault(room, path)
    return used


def check_head(root, room, uses):
    """The head of a room's meson.build names the rooms of the table."""
    head = re.match(r"(#.*\n)+", (root / room / "meson.build").read_text())
    text = re.sub(r"\n# ?", " ", head.group(0)) if head else ""
    told = re.search(r"Uses (.*)\.\s*$", text)
    named = set(re.findall(r"(?:isa|sim|inspect|study|grade)/\w+", told.group(1))) if told else set()
    layer = room.split("/")[0]
    if {name for name in named if name.startswith(layer + "/")} != uses:
        return [f"{room}/meson.build: its head does not name the rooms that .ci/rooms.txt allows"]
    return []


def check_room(root, room, table):
    faults = check_head(root, room, table[room])
    layer = room.split("/")[0]
    for used, path in rooms_used(root / room).items():
        other = used.split("/")[0]
        if other not in LAYERS[layer]:
            faults.append(f"{path}: includes {used}, which is above {layer}/")
        elif other == layer and used not in (room, RUNTIME_TYPES) and used not in table[room]:
            faults.append(f"{path}: {room} may not use {used} (.ci/rooms.txt)")
    return faults


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    table = read_table(root / ".ci/rooms.txt")
    faults = []
    found = {str(path.parent.relative_to(root)) for layer in WITH_ROOMS
             for path in (root / layer).glob("*/meson.build")}
    for room in sorted(found ^ table.keys()):
        faults.append(f"{room}: only in one of the tree and .ci/rooms.txt")
    for layer in WITH_ROOMS:
        for path in sorted((root / layer).glob("*.[ch]")):
            faults.append(f"{path}: lies outside all rooms")
    for layer in ("library", "runtime"):
        for path in sorted((root / layer).glob("*.[ch]")):
            for room in INCLUDE.findall(path.read_text()):
                if room.split("/")[0] not in LAYERS[layer] and room != RUNTIME_TYPES:
                    faults.append(f"{path}: includes {room}, which is not below {layer}/")
    if circle(table):
        faults.append("circle among " + ", ".join(circle(table)))
    for room in sorted(found & table.keys()):
        faults += check_room(root, room, table)
    print("\n".join(faults) if faults else f"{len(table)} rooms, no circle")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
