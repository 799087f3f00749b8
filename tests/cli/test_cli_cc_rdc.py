"""`warpstep cc -rdc=true`: device code across files: test_cli_cc_rdc.py WARPSTEP"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from clangs import installed, name_of, program_obstacle

WARPSTEP = pathlib.Path(sys.argv[1]).resolve()
HEADER = """#pragma once
#include <cstdio>
struct Pair { int a, b; };
extern __device__ int counter;
extern __constant__ float table[4];
extern __device__ Pair pairs[];
__device__ float ext(float x, int i);
__device__ void bump();
template <typename T> __device__ __noinline__ T twice(T x)
{
    static __device__ int calls = 0; /* one of both files */
    atomicAdd(&calls, 1);
    return x + x + calls / 32;
}
template <typename T> __global__ void fill(T *p)
{
    p[threadIdx.x] = twice((T)threadIdx.x);
}
inline __device__ int tally = 100;
int of_b();
"""
# a.cu uses what b.cu has; both have statics of the same names, a kernel in a namespace without a name among them.
A = """#include "dev.h"
static __device__ int mine = 1;
static __device__ __noinline__ int hidden(int x) { return x + 1; }
namespace { __global__ void own(int *p) { p[0] = ++mine; } }
__global__ void k(float *p, int *q)
{
    p[threadIdx.x] = ext(hidden(threadIdx.x), threadIdx.x & 3) + table[threadIdx.x & 3];
    bump();
    tally += 1;
    q[0] = pairs[1].b;
}
int main()
{
    float *p, t[4] = {100, 200, 300, 400};
    int *q, set = 40, count, own_value, tallied;
    cudaMallocManaged(&p, 128);
    cudaMallocManaged(&q, 128);
    cudaMemcpyToSymbol(counter, &set, sizeof set);
    cudaMemcpyToSymbol(table, t, sizeof t);
    k<<<1, 32>>>(p, q);
    std::printf("%s ", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpyFromSymbol(&tallied, tally, sizeof tallied);
    std::printf("%g %g %d %d %d ", p[0], p[5], count, q[0], tallied);
    own<<<1, 1>>>(q);
    own<<<1, 1>>>(q);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&own_value, mine, sizeof own_value);
    fill<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d %d %g ", q[0], own_value, p[3]);
    std::printf("%d\\n", of_b());
}
"""
B = """#include "dev.h"
__device__ int counter = 7;
__constant__ float table[4] = {1, 2, 3, 4};
__device__ Pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
static __device__ int mine = 50;
static __device__ __noinline__ int hidden(int x) { return x - 1; }
namespace { __global__ void own(int *p) { p[0] = --mine; } }
__device__ float ext(float x, int i) { return x * 10 + hidden(i); }
__device__ void bump() { atomicAdd(&counter, 1); }
int of_b()
{
    float *p;
    int *q, own_value;
    cudaMallocManaged(&p, 128);
    cudaMallocManaged(&q, 4);
    own<<<1, 1>>>(q);
    fill<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&own_value, mine, 4);
    return own_value * 10000 + q[0] * 100 + (int)p[4];
}
"""
SAID = "no error 109 260 72 4 101 3 3 7 494910\n"
CMAKE = """cmake_minimum_required(VERSION 3.18)
project(x LANGUAGES CXX CUDA)
add_library(b STATIC b.cu)
add_executable(program a.cu)
target_link_libraries(program b)
set_target_properties(b program PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
"""


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class Relocatable(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.write(**{"a.cu": A, "b.cu": B, "dev.h": HEADER})

    def write(self, **files):
        for name, text in files.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)

    def command(self, *command, code=0, cwd=".", **environment):
        done = subprocess.run(command, cwd=self.folder / cwd, capture_output=True, text=True,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def cc(self, *arguments, **options):
        return self.command(WARPSTEP, "cc", *arguments, **options)

    def test_functions_variables_and_templates(self):
        self.cc("-rdc=true", "a.cu", "b.cu", "-o", "one")
        self.assertEqual(self.command("./one").stdout, SAID)
        said = self.command("./one", WARPSTEP_REPORT="text").stderr
        self.assertRegex(said, r"(?m)^\(anonymous namespace\)::own  .*\n(.*\n)*fill<float>  ")
        self.cc("-dc", "-g", "a.cu")
        self.cc("-c", "--relocatable-device-code", "true", "-O2", "b.cu")
        self.cc("b.o", "a.o", "-o", "other")
        self.assertEqual(self.command("./other").stdout, SAID)

    def test_newest_clang(self):
        """It names statics in another way in the two passes."""
        self.cc("-rdc=true", "a.cu", "b.cu", "-o", "one", WARPSTEP_CLANG=max(installed(), key=name_of))
        self.assertEqual(self.command("./one").stdout, SAID)

    def test_archives_and_shared_libraries(self):
        """Each shared library is linked for itself: names of another mean other things."""
        self.needs("ar")
        self.cc("-dc", "a.cu", "b.cu", "-Xcompiler", "-fPIC")
        self.command("ar", "qc", "libb.a", "b.o")
        self.cc("a.o", "-L.", "-lb", "-o", "archive")
        self.assertEqual(self.command("./archive").stdout, SAID)
        self.write(**{"other.cu": '__device__ int counter = 3;\n__global__ void read(int *p) { *p = counter; }\n'
                                  "int of_other() { int *p; cudaMallocManaged(&p, 4); read<<<1, 1>>>(p);\n"
                                  "cudaDeviceSynchronize(); return *p; }\n",
                      "main.cu": A.replace("int main()", "int of_other();\nint main()")
                                  .replace('std::printf("%d\\n", of_b());', 'std::printf("%d %d\\n", of_b(), of_other());')})
        self.cc("-rdc=true", "-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden", "-o", "libhidden.so", "other.cu", code=0)
        self.cc("-rdc=true", "-shared", "-Xcompiler", "-fPIC", "-o", "libother.so", "other.cu")
        self.cc("-rdc=true", "main.cu", "b.cu", "-L.", "-lother", "-Xlinker", "-rpath,.", "-o", "shared")
        self.assertEqual(self.command("./shared").stdout, SAID.replace("\n", " 3\n"))

    def test_sources_of_one_name(self):
        """In two folders, each compiled in its own."""
        for folder, source in (("one", A), ("two", B)):
            self.write(**{f"{folder}/part.cu": source, f"{folder}/dev.h": HEADER})
            self.cc("-dc", "part.cu", cwd=folder)
        self.cc("one/part.o", "two/part.o", "-o", "both")
        self.assertEqual(self.command("./both").stdout, SAID)

    def test_without_it_each_file_is_its_own(self):
        part = ("__device__ int same = {0};\n__device__ int add() {{ return same + {0}; }}\n"
                "__global__ void k{0}(int *p) {{ *p = add(); }}\n"
                "int run{0}() {{ int *p; cudaMallocManaged(&p, 4); k{0}<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p; }}\n")
        self.write(**{"x.cu": part.format(1) + '#include <cstdio>\nint run5();\nint main() { std::printf("%d %d\\n", run1(), run5()); }\n',
                      "y.cu": part.format(5)})
        self.cc("x.cu", "y.cu", "-o", "two")
        self.assertEqual(self.command("./two").stdout, "2 10\n")
        self.assertIn("'same' is defined in x.cu and in y.cu",
                      self.cc("-rdc=true", "x.cu", "y.cu", "-o", "three", code=3).stderr)
        self.assertFalse((self.folder / "three").exists())

    def test_what_does_not_link(self):
        self.write(**{"c.cu": "__constant__ int counter = 8;\n__device__ void bump() {}\n",
                      "d.cu": B.replace("__device__ int counter = 7;", "extern __device__ int counter;")})
        said = self.cc("-rdc=true", "a.cu", "-o", "none", code=3).stderr
        for name in ("ext(float, int)", "bump()", "table", "pairs"):
            self.assertIn(f"'{name}' is used in a.cu and not defined in any file of the link", said)
        said = self.cc("-rdc=true", "a.cu", "b.cu", "c.cu", "-o", "none", code=3).stderr
        self.assertIn("'bump()' is defined in b.cu and in c.cu", said)
        said = self.cc("-rdc=true", "a.cu", "c.cu", "d.cu", "-o", "none", code=3).stderr
        self.assertIn("'counter' is __device__ in d.cu and __constant__ in c.cu", said)
        # Behind an archive it is known when the host's code is linked, and again where another linker did that.
        self.needs("ar")
        self.write(**{"e.cu": '#include "dev.h"\nint of_b() { return 0; }\n__global__ void lone(float *p) { *p = ext(1, 2); }\n'
                              "int main() { lone<<<1, 1>>>(0); std::printf(\"%s\\n\", cudaGetErrorName(cudaGetLastError())); }\n"})
        self.cc("-dc", "e.cu")
        self.command("ar", "qc", "libe.a", "e.o")
        said = self.cc("libe.a", "-o", "none", code=3).stderr
        self.assertIn("'ext(float, int)' is used in e.cu and not defined", said)
        self.assertFalse((self.folder / "none").exists())
        toolkit = self.cc("--toolkit").stdout.strip()
        if shutil.which("g++") is not None:
            self.command("g++", "e.o", f"-L{toolkit}/lib64", "-lcudart", "-o", "late")
            done = self.command("./late")
            self.assertEqual(done.stdout, "cudaErrorInvalidKernelImage\n")
            self.assertIn("'ext(float, int)' is used in e.cu and not defined", done.stderr)

    def test_cmake(self):
        self.needs("cmake", "make", "c++")
        self.write(**{"CMakeLists.txt": CMAKE})
        nvcc = self.cc("--toolkit").stdout.strip() + "/bin/nvcc"
        self.command("cmake", "-B", "build", "-G", "Unix Makefiles", f"-DCMAKE_CUDA_COMPILER={nvcc}")
        self.command("cmake", "--build", "build")
        self.assertEqual(self.command("build/program").stdout, SAID)
        self.write(**{"CMakeLists.txt": CMAKE.replace("program b)", "program)").replace("program a.cu", "program a.cu c.cu"),
                      "c.cu": "int of_b() { return 0; }\n"})
        done = subprocess.run(["cmake", "--build", "build"], cwd=self.folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"'ext\(float, int\)' is used in \S*/a.cu and not defined")

    def needs(self, *programs):
        for program in programs:
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
