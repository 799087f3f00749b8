"""test_compile_cache.py WARPSTEP [unittest options]: compiled programs that are kept by content."""
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib

import clangs
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
CHECKSUM = 64  # bytes in front of an entry

KERNEL = """\
#include "sub/value.h"
#ifndef EXTRA
#define EXTRA 0
#endif
__global__ void k(int *out)
{
    unsigned sm;
    out[threadIdx.x] = VALUE + EXTRA;
}
"""


class CacheCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.top = pathlib.Path(scratch.name)
        self.folder = self.top / "work"
        (self.folder / "sub").mkdir(parents=True)
        self.write("k.cu", KERNEL)
        self.write("sub/value.h", "#define VALUE 1111\n")
        self.kept = self.top / "cache" / "warpstep" / "ptx"
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(self.top / "cache"))
        for name in ("WARPSTEP_CACHE", "WARPSTEP_CLANG"):
            self.environment.pop(name, None)

    def script(self, name="compiler"):
        """A script that runs clang."""
        path = self.top / name
        path.write_text(f'#!/bin/sh\nexec {clangs.installed()[0]} "$@"\n')
        path.chmod(0o755)
        return str(path)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def disasm(self, *options, name="k.cu", code=0, **more):
        done = subprocess.run([PROGRAM, "disasm", name, *options], cwd=self.folder, text=True,
                              env=dict(self.environment, **more), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def files(self):
        return sorted(self.kept.iterdir()) if self.kept.exists() else []

    def entries(self):
        return [path for path in self.files() if path.suffix != ".pch"]

    def headers(self):
        """The only precompiled headers that are kept."""
        (path,) = (path for path in self.files() if path.suffix == ".pch")
        return path

    def same_as_fresh(self, *options, kept, **more):
        """The same text compiled anew, kept, and out of the cache, which then has `kept` entries."""
        fresh = self.disasm(*options, "--no-cache", **more)
        for _ in range(3):
            self.assertEqual(self.disasm(*options, **more), fresh)
        self.assertEqual(len(self.entries()), kept)
        return fresh

    def forge(self, old, new):
        """Changes the only entry so that its checksum is right: shows whether it is used."""
        (entry,) = self.entries()
        data = entry.read_bytes()[CHECKSUM:]
        self.assertIn(old, data)
        data = data.replace(old, new)
        entry.write_bytes(hashlib.sha256(data).hexdigest().encode() + data)

    def test_used_and_kept_out(self):
        fresh = self.same_as_fresh(kept=1)
        self.assertIn("0x457", fresh)  # 1111
        self.forge(b"1111", b"2222")
        self.assertIn("0x8ae", self.disasm())
        self.assertEqual(self.disasm("--no-cache"), fresh)
        self.assertEqual(self.disasm(WARPSTEP_CACHE="off"), fresh)
        # one that someone chose is kept as well; what a script starts is not known
        self.assertIn("0x8ae", self.disasm(WARPSTEP_CLANG=clangs.installed()[0]))
        self.assertEqual(self.disasm(WARPSTEP_CLANG=self.script()), fresh)

    def test_off_leaves_nothing(self):
        self.disasm("--no-cache")
        self.disasm(WARPSTEP_CACHE="off")
        self.disasm(WARPSTEP_CLANG=self.script())
        self.assertFalse((self.top / "cache").exists())

    def test_a_script_is_never_kept(self):
        """Not even by the name of a compiler, or where it is not chosen but found."""
        fresh = self.same_as_fresh(kept=1)
        self.forge(b"1111", b"2222")
        (self.top / "clang-14").symlink_to(self.script())
        for chosen in (self.script("clang++"), str(self.top / "clang-14")):
            self.assertEqual(self.disasm(WARPSTEP_CLANG=chosen), fresh)
        self.assertEqual(len(self.entries()), 1)

    def test_programs_that_start_clang(self):
        """An ELF file that is none of clang's own."""
        (self.top / "launcher").write_bytes(pathlib.Path("/bin/true").read_bytes())
        (self.top / "launcher").chmod(0o755)
        self.assertIn("clang wrote no PTX", self.disasm(code=3, WARPSTEP_CLANG=str(self.top / "launcher")))
        self.assertFalse((self.top / "cache").exists())

    def test_versions_and_their_libraries(self):
        two = clangs.two_versions()
        if two:
            for kept, clang in enumerate(two, 1):
                self.same_as_fresh(kept=kept, WARPSTEP_CLANG=clang)
        # a tree of clang's own, as it is unpacked somewhere
        tree, program = self.top / "llvm", pathlib.Path(clangs.installed()[0]).resolve()
        (tree / "bin").mkdir(parents=True)
        (tree / "lib").mkdir()
        shutil.copy(program, tree / "bin/clang++")
        for library in (program.parent.parent / "lib").glob("lib*.so*"):
            (tree / "lib" / library.name).symlink_to(library.resolve())
        chosen = str(tree / "bin/clang++")
        before = len(self.entries())
        self.same_as_fresh(kept=before + 1, WARPSTEP_CLANG=chosen)
        (tree / "lib/libLLVM-more.so.1").write_bytes(b"")
        self.same_as_fresh(kept=before + 2, WARPSTEP_CLANG=chosen)
        (tree / "lib/libother.so").write_bytes(b"")
        self.same_as_fresh(kept=before + 2, WARPSTEP_CLANG=chosen)

    def test_everything_read_counts(self):
        self.same_as_fresh(kept=1)
        self.assertIn("0x458", self.same_as_fresh("-DEXTRA=1", kept=2))
        self.write("sub/value.h", "#define VALUE 1113\n")
        self.assertIn("0x459", self.same_as_fresh(kept=3))
        self.write("k.cu", KERNEL + "// more\n")
        self.same_as_fresh(kept=4)
        self.write("sub/value.h", '#include "deep.h"\n')
        self.write("sub/deep.h", "#define VALUE 1114\n")
        self.assertIn("0x45a", self.same_as_fresh(kept=5))
        self.write("sub/deep.h", "#define VALUE 1115\n")
        self.assertIn("0x45b", self.same_as_fresh(kept=6))
        # back to a state that was there before
        self.write("sub/deep.h", "#define VALUE 1114\n")
        self.assertIn("0x45a", self.same_as_fresh(kept=6))

    def test_a_header_that_comes_in_front(self):
        self.write("k.cu", KERNEL.replace('"sub/value.h"', "<value.h>"))
        options = ("-Ifirst", "-Isub")
        self.write("first/other.h", "")
        self.assertIn("0x457", self.same_as_fresh(*options, kept=1))
        self.write("first/value.h", "#define VALUE 1112\n")
        self.assertIn("0x458", self.same_as_fresh(*options, kept=2))

    def test_a_header_that_goes(self):
        self.same_as_fresh(kept=1)
        (self.folder / "sub/value.h").unlink()
        message = self.disasm(code=3)
        self.assertIn("k.cu:1:10: fatal error: 'sub/value.h' file not found", message)
        self.assertEqual(self.disasm(code=3), message)

    def test_failures_are_not_kept(self):
        self.write("k.cu", KERNEL + "int wrong = ;\n")
        message = self.disasm(code=3)
        self.assertEqual(self.disasm(code=3), message)
        self.assertEqual(self.disasm("--no-cache", code=3), message)
        self.assertEqual(self.entries(), [])

    def test_a_name_out_of_macros_is_not_kept(self):
        self.write("k.cu", "#define S(x) #x\n#define T(x) S(x)\n#include T(sub/value.h)\n" +
                   KERNEL.split("\n", 1)[1])
        self.same_as_fresh(kept=0)

    def test_special_registers_in_assembly(self):
        assembly = 'unsigned sm; asm("mov.u32 %0, %smid;" : "=r"(sm)); out[9] = sm;'
        self.write("k.cu", KERNEL.replace("unsigned sm;", assembly))
        self.assertIn("SR_VIRTUALSMID", self.same_as_fresh(kept=1))

    def test_names_are_those_of_this_run(self):
        text = self.same_as_fresh(kept=1)
        self.assertIn("k.cu", text)
        os.rename(self.folder / "k.cu", self.folder / "other.cu")
        other = self.same_as_fresh(name="other.cu", kept=2)
        self.assertIn("other.cu", other)
        self.assertNotIn("k.cu", other)

    def test_another_folder_with_the_same_files(self):
        fresh = self.same_as_fresh(kept=1)
        copy = self.top / "copy"
        subprocess.run(["cp", "-r", self.folder, copy], check=True)
        self.folder = copy
        self.assertEqual(self.same_as_fresh(kept=1), fresh)

    def test_confined(self):
        self.write("../outside.h", "#define VALUE 1111\n")
        self.write("k.cu", KERNEL.replace("sub/value.h", "../outside.h"))
        self.same_as_fresh(kept=1)
        message = self.disasm("--confine", code=3)
        self.assertIn("is outside the target's folder", message)
        self.write("k.cu", KERNEL)
        self.same_as_fresh("--confine", kept=2)
        self.same_as_fresh(kept=3)  # the limits are others: an entry of its own

    def test_damage(self):
        fresh = self.same_as_fresh(kept=1)
        (entry,) = self.entries()
        good = entry.read_bytes()
        middle = len(good) // 2
        damages = [b"", good[:10], good[:CHECKSUM], good[:-1], good + b"x", b"\0" * len(good),
                   good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:],
                   hashlib.sha256(b"rubbish").hexdigest().encode() + b"rubbish",
                   hashlib.sha256(b"").hexdigest().encode()]
        for damage in damages:
            entry.write_bytes(damage)
            self.assertEqual(self.disasm(), fresh)
            self.assertEqual(entry.read_bytes(), good)  # and mended
        entry.unlink()
        entry.mkdir()
        self.assertEqual(self.disasm(), fresh)

    def test_precompiled_headers(self):
        """Made with the second program, in one piece, of headers of our own, and anew where damaged."""
        self.disasm()
        self.assertEqual(self.files(), self.entries())
        self.disasm("-DEXTRA=1")
        kept = self.headers()
        good = kept.read_bytes()
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertIn(b"/.warpstep/include/std/string.h", good)
        self.assertNotIn(b"/usr/include", good)

        middle = len(good) // 2
        flipped = good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:]
        for number, bad in enumerate([flipped, good[:middle], b"", b"x" * 100]):
            kept.write_bytes(bad)
            define = f"-DEXTRA={number + 2}"
            fresh = self.disasm(define, "--no-cache")
            self.assertEqual(kept.read_bytes(), bad)  # not used, and so not looked at
            self.assertEqual(self.disasm(define), fresh)
            mended = kept.read_bytes()
            self.assertEqual(mended[:CHECKSUM], f"{zlib.crc32(mended[CHECKSUM:]):0{CHECKSUM}x}".encode())
            self.assertNotEqual(mended, bad)

    def test_an_entry_under_a_wrong_name(self):
        self.disasm()
        (first,) = self.entries()
        self.disasm("-DEXTRA=1")
        (second,) = set(self.entries()) - {first}
        first.write_bytes(second.read_bytes())
        self.assertIn("0x457", self.disasm())

    def test_a_cache_that_cannot_be_written(self):
        fresh = self.disasm("--no-cache")
        (self.top / "cache").write_text("a file")
        self.assertEqual(self.disasm(), fresh)
        self.assertEqual(self.disasm(XDG_CACHE_HOME="/proc/none"), fresh)

    def test_many_at_once(self):
        fresh = self.disasm("--no-cache")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(lambda _: self.disasm(), range(12)))
        self.assertEqual(set(texts), {fresh})
        self.assertEqual(len(self.entries()), 1)

    def test_bound(self):
        self.kept.mkdir(parents=True)
        for i in range(8300):
            path = self.kept / f"{i:064x}"
            path.touch()
            os.utime(path, (i, i))
        stale = self.kept / ".new-abcdef"
        stale.touch()
        os.utime(stale, (1, 1))
        self.disasm()
        left = self.entries()
        self.assertLessEqual(len(left), 6144)
        self.assertFalse(stale.exists())
        self.assertTrue((self.kept / f"{8299:064x}").exists())  # the newest stay
        self.assertTrue(any(path.stat().st_size > 0 for path in left))


if __name__ == "__main__":
    unittest.main()
