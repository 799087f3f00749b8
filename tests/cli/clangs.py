"""The clangs of this machine, in the order in which Warpstep looks for them (isa/cuda/find_clang.h)."""
import os
import pathlib
import re
import shutil
import subprocess

HEADER = pathlib.Path(__file__).resolve().parents[2] / "isa/cuda/find_clang.h"
OLDEST, NEWEST = map(int, re.search(r"WS_CLANG_OLDEST = (\d+), WS_CLANG_NEWEST = (\d+)", HEADER.read_text()).groups())


def installed():
    """Paths of clang++, those with a version in their names first."""
    places = [f"/usr/bin/clang++-{version}" for version in range(OLDEST, NEWEST + 1)]
    places += ["/usr/bin/clang++", "/usr/local/bin/clang++", shutil.which("clang++") or ""]
    return list(dict.fromkeys(path for path in places if os.access(path, os.X_OK)))


def taken():
    """The path of the one that Warpstep takes, or None."""
    chosen = os.environ.get("WARPSTEP_CLANG")
    return chosen or next(iter(installed()), None)


def name_of(path):
    """What reports call it: "clang 14.0.6"."""
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    apple, number = re.search(r"(Apple )?clang version (\d+\.\d+\.\d+)", text).groups()
    return f"{apple or ''}clang {number}"


HAS_CLANG = taken() is not None
# Of which the figures in the manual and the golden traces are (isa/cuda/find_clang.h). Programs of other versions are
# other programs: tests name what differs, and check all that must not.
PUBLISHED = "14"
OTHER = name_of(taken()) if HAS_CLANG and not name_of(taken()).startswith(f"clang {PUBLISHED}.") else None


def two_versions():
    """Paths of two of different names, or None where there are not so many."""
    by_name = {name_of(path): path for path in reversed(installed())}
    return tuple(list(by_name.values())[::-1][:2]) if len(by_name) > 1 else None


def program_obstacle(warpstep):
    """Why `warpstep cc` cannot make a program that runs here, for unittest.skipIf(); else None. Where the runtime has a
    sanitizer in it, programs of the user's clang lack that one's library; the tests of the runtime itself have it."""
    runtime = pathlib.Path(warpstep).resolve().parent.parent / "runtime/libwarpstep-cudart.so"
    if not HAS_CLANG or not pathlib.Path("/usr/include/c++").is_dir():
        return "no clang or no C++ headers"
    if runtime.exists() and b"__asan_init" in runtime.read_bytes():
        return "the runtime is built with sanitizers"
    return None
