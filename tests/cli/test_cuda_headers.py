"""test_cuda_headers.py WARPSTEP SOURCES: what CUDA C includes is our own, the same on every machine."""
import concurrent.futures
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
SOURCES = pathlib.Path(sys.argv.pop(1)).resolve()
INCLUDE = SOURCES / "isa" / "cuda" / "include"
DATA = SOURCES / "tests" / "data" / "headers"

LAUNCH = """\
version: 1
program: values.cu
kernel: values
grid: 1
block: 1
params:
  - {ref: out}
  - {ref: text}
  - {bytes: [100, 0, 0, 0, 0, 0, 0, 63]}
  - {bytes: [0, 0, 64, 64, 5, 0, 0, 0]}
  - {bytes: [0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64]}
buffers:
  out: {type: f32, count: 20}
  text: {type: u8, count: 1, init: {fill: 200}}
"""
VALUES = [1, 100.5, 2, 6, 3, 1, 3, 3, 1, 31, 5, 8, 15, 4.5, 503, 21, 261, 18.5, 11, 1]

# Where a machine keeps headers; without them it is as one without libc6-dev and libstdc++'s.
HEADERS = ["/usr/include", "/usr/local/include", "/usr/lib/gcc", *map(str, pathlib.Path("/usr/lib").glob("llvm-*/lib/clang"))]


def header_names():
    for path in sorted(INCLUDE.rglob("*")):
        folder = next((folder for folder in (INCLUDE / "std", INCLUDE / "rare") if folder in path.parents), INCLUDE)
        name = path.relative_to(folder)
        if path.is_file() and path.suffix not in (".py", ".pyc") and name.parts[0] not in ("parts", "warpstep"):
            yield str(name)


class Headers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.environment = dict(os.environ, XDG_CACHE_HOME=str(cls.folder / "cache"))

    def run_program(self, *words, before=()):
        return subprocess.run([*before, PROGRAM, *words], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=HANGS)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def good(self, *words, before=()):
        done = self.run_program(*words, before=before)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        return done.stdout

    def message(self, text):
        done = self.run_program("check", self.write("wrong.cu", text))
        self.assertEqual(done.returncode, 3, done.stdout)
        return done.stderr

    def test_each_alone_and_twice(self):
        names = list(header_names())
        self.assertIn("sys/time.h", names)
        self.assertIn("cuda_fp16.h", names)
        for first in ("first", "second"):  # headers are precompiled with the second program
            self.good("check", self.write(f"{first}.cu", f"__global__ void {first}() {{}}\n"))
        sources = [self.write(f"header{i}.cu", f"#include <{name}>\n#include <{name}>\n__global__ void k() {{}}\n")
                   for i, name in enumerate(names)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for name, done in zip(names, pool.map(lambda source: self.run_program("check", source), sources)):
                with self.subTest(header=name):
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_programs(self):
        for name in ("facts.cu", "host.cu"):
            with self.subTest(name=name):
                self.assertIn("kernel", self.good("check", DATA / name))

    def test_values(self):
        shutil.copy(DATA / "values.cu", self.folder)
        self.good("run", self.write("values.yaml", LAUNCH), "--dump", "out=out.bin")
        values = struct.unpack("<20f", (self.folder / "out.bin").read_bytes())
        self.assertEqual(list(values), VALUES)

    def test_names_of_the_programs_macros(self):
        """Short names, and min and max, are the program's, but for those that the library itself has."""
        words = ("d f g j o q r u v w y z A B C D E F G H I J K L M N O P Q R S T U V W X Y Z T1 T2 N1 lhs rhs src "
                 "dst idx len tmp val res buf from to by of name_ value_ First Last Iter Size Alloc Pred Func Args Ret")
        names = [name for name in header_names() if (INCLUDE / "std" / name).is_file() and "." not in name]
        self.good("check", self.write("macros.cu", "".join(f"#define {word} wrong {word}\n" for word in words.split()) +
                                      "#define min(x, y) wrong\n#define max(x, y) wrong\n" +
                                      "".join(f"#include <{name}>\n" for name in names) +
                                      "__global__ void kernel() {}\n"))

    def test_headers_of_the_machine_are_not_read(self):
        self.assertIn("'linux/types.h' file not found", self.message("#include <linux/types.h>\n"))
        self.assertIn("'bits/types.h' file not found", self.message("#include <bits/types.h>\n"))
        self.assertIn("'immintrin.h' file not found", self.message("#include <immintrin.h>\n"))
        self.good("check", self.write("asks.cu", "#if __has_include(<linux/types.h>) || __has_include(<gnu/libc-version.h>)\n"
                                      "#error\n#endif\n#if !__has_include(<vector>)\n#error\n#endif\n"
                                      "__global__ void k() {}\n"))

    def test_a_machine_without_headers(self):
        bare = " && ".join(f"mount -t tmpfs none {folder}" for folder in HEADERS if os.path.isdir(folder))
        before = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", bare + ' && exec "$@"', "sh")
        if subprocess.run([*before, "true"], capture_output=True).returncode != 0:
            self.skipTest("no user namespaces")
        self.assertEqual(os.listdir("/usr/include") != [], True)
        listed = subprocess.run([*before, "ls", "/usr/include"], capture_output=True, text=True)
        self.assertEqual(listed.stdout, "")
        for words in (("check", DATA / "host.cu"), ("disasm", DATA / "values.cu"), ("run", "vecadd", "--format", "json")):
            with self.subTest(words=words):
                words += ("--no-cache",)
                self.assertEqual(self.good(*words, before=before), self.good(*words))

    def test_advice(self):
        for header, advice in (("stdlb.h", "did you mean <stdlib.h>?"),
                               ("cuda_fp6.h", "did you mean <cuda_fp16.h>?"),
                               ("helper_cuda.h", "it is of the CUDA samples (their folder Common)"),
                               ("cub/nothing.cuh", "it is of CUB, of which there is only what 'warpstep help programs' lists"),
                               ("factor.h", "name its folder by -I or compile.include"),
                               ("boost/any.hpp", "leave out what needs it by #ifndef __WARPSTEP__")):
            with self.subTest(header=header):
                message = self.message(f"\n#include <{header}>\n")
                self.assertIn(f"wrong.cu:2:10: fatal error: '{header}' file not found; ", message)
                self.assertIn(advice, message)
                self.assertEqual(message.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
