"""`warpstep cc` in the place of nvcc: make, CMake and what they ask of it: test_cli_cc_builds.py WARPSTEP"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle

WARPSTEP = pathlib.Path(sys.argv[1]).resolve()
KERNELS = """#include "scale.h"
__global__ void scale(float *x)
{
    x[threadIdx.x] *= FACTOR;
}
void scale(float *x, int n)
{
    scale<<<1, n>>>(x);
}
"""
MAIN = """#include "scale.h"
#include <cuda_runtime.h>
#include <cstdio>
int main()
{
    float *x;
    if (cudaMallocManaged(&x, 4 * sizeof(float)) != cudaSuccess)
        return 1;
    x[3] = 5;
    scale(x, 4);
    std::printf("%s %g\\n", cudaGetErrorString(cudaDeviceSynchronize()), x[3]);
    return 0;
}
"""
MAKEFILE = """NVCC ?= nvcc
NVCCFLAGS = -O2 -arch=sm_90 -Xcompiler -Wall
objects = scale.o main.o
program: $(objects)
\t$(NVCC) $(NVCCFLAGS) -o $@ $^
%.o: %.cu
\t$(NVCC) $(NVCCFLAGS) -MD -MF $*.d -c -o $@ $<
%.o: %.cpp
\t$(NVCC) $(NVCCFLAGS) -MMD -c -o $@ $<
-include $(objects:.o=.d)
"""
SHORT = """project(x LANGUAGES CXX CUDA)
add_executable(program scale.cu main.cu)
include(CTest)
add_test(NAME program COMMAND program)
"""
# A library in an archive whose device code is relocatable, one that is shared, a host program of C++ that finds the
# toolkit, options by language.
LONG = """cmake_minimum_required(VERSION 3.18)
project(x LANGUAGES CXX CUDA)
set(CMAKE_CUDA_STANDARD 17)
find_package(CUDAToolkit REQUIRED)
add_library(scale STATIC scale.cu)
set_target_properties(scale PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)
target_compile_options(scale PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -Werror all-warnings>)
target_include_directories(scale PUBLIC here)
add_library(other SHARED other.cu)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE scale other CUDA::cudart)
enable_testing()
add_test(NAME program COMMAND program)
set_tests_properties(program PROPERTIES PASS_REGULAR_EXPRESSION "no error 10")
"""


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class Builds(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.nvcc = self.command(WARPSTEP, "cc", "--toolkit").stdout.strip() + "/bin/nvcc"
        self.write(**{"scale.cu": KERNELS, "main.cpp": MAIN, "main.cu": MAIN, "Makefile": MAKEFILE,
                      "scale.h": "#define FACTOR 2.0f\nvoid scale(float *x, int n);\n"})

    def write(self, **files):
        for name, text in files.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)

    def command(self, *command, code=0, **environment):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def needs(self, *programs):
        for program in programs:
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")

    def test_make(self):
        self.needs("make")
        self.command("make", f"NVCC={WARPSTEP} cc")
        self.assertEqual(self.command("./program").stdout, "no error 10\n")
        for name in ("scale", "main"):
            self.assertRegex((self.folder / f"{name}.d").read_text(), rf"^{name}\.o:[^:]*\bscale\.h")
        self.assertIn("up to date", self.command("make", f"NVCC={WARPSTEP} cc").stdout)
        header = self.folder / "scale.h"
        header.write_text("#define FACTOR 3.0f\nvoid scale(float *x, int n);\n")
        later = (self.folder / "program").stat().st_mtime + 2
        os.utime(header, (later, later))
        self.command("make", f"NVCC={WARPSTEP} cc")
        self.assertEqual(self.command("./program").stdout, "no error 15\n")

    def test_make_that_looks_for_a_toolkit(self):
        """bin/nvcc on the PATH, and another compiler that links with what is in lib64."""
        self.needs("make", "g++")
        toolkit = pathlib.Path(self.nvcc).parents[1]
        self.write(Makefile=MAKEFILE.replace("$(NVCC) $(NVCCFLAGS) -o $@ $^", "$(CXX) -o $@ $^ -L$(CUDA)/lib64 -lcudart")
                   .replace("%.o: %.cpp\n\t$(NVCC) $(NVCCFLAGS)", "%.o: %.cpp\n\t$(CXX) -I$(CUDA)/include"))
        self.command("make", "CXX=g++", f"CUDA={toolkit}", PATH=f"{toolkit}/bin:{os.environ['PATH']}")
        self.assertEqual(self.command("./program", LD_LIBRARY_PATH="").stdout, "no error 10\n")

    def test_cmake_three_lines(self):
        self.needs("cmake", "make", "c++")
        self.write(**{"CMakeLists.txt": SHORT})
        said = self.command("cmake", "-B", "build", "-G", "Unix Makefiles", f"-DCMAKE_CUDA_COMPILER={self.nvcc}").stdout
        self.assertIn("The CUDA compiler identification is NVIDIA 11.0.0", said)
        self.command("cmake", "--build", "build")
        said = self.command("ctest", "--test-dir", "build", LD_LIBRARY_PATH="").stdout
        self.assertIn("100% tests passed, 0 tests failed out of 1", said)

    def test_cmake_libraries(self):
        self.needs("cmake", "ninja", "c++")
        self.write(**{"CMakeLists.txt": LONG, "other.cu": "__global__ void other() {}\nvoid launch() { other<<<1, 1>>>(); }\n"})
        self.command("cmake", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", CUDACXX=self.nvcc)
        self.command("cmake", "--build", "build")
        self.assertIn("100% tests passed", self.command("ctest", "--test-dir", "build", LD_LIBRARY_PATH="").stdout)
        header = self.folder / "scale.h"
        later = (self.folder / "build/program").stat().st_mtime + 2
        os.utime(header, (later, later))
        said = self.command("cmake", "--build", "build").stdout
        self.assertIn("scale.cu.o", said)
        self.assertNotIn("other.cu.o", said)

    def test_what_build_systems_ask(self):
        said = self.command(self.nvcc, "--version").stdout
        self.assertRegex(said, r"(?m)^nvcc: NVIDIA \(R\) Cuda compiler driver")
        self.assertRegex(said, r"release 11\.0, V11\.0\.0")
        dry = self.command(self.nvcc, "--dryrun", "-o", "never", "scale.cu", "main.cpp").stderr
        self.assertFalse((self.folder / "never").exists())
        self.assertEqual([line for line in dry.splitlines() if not line.startswith("#$ ")], [])
        told = self.command(self.nvcc, "-v", "-o", "program", "scale.cu", "main.cpp").stderr
        shape = [[re.sub(r"/\S*/", "", line) for line in text.splitlines()] for text in (dry, told)]
        self.assertEqual(shape[0], [line.replace("program", "never") for line in shape[1]])
        libraries = re.search(r"(?m)^#\$ LIBRARIES=(.*)$", told).group(1)
        [link] = [line for line in told.splitlines() if libraries in line and "LIBRARIES=" not in line]
        self.assertRegex(link, r"^#\$ \S*clang\S* .* -o program ")

    def test_preprocess_and_dependencies(self):
        self.assertIn("*= 2.0f;", self.command(self.nvcc, "-E", "scale.cu").stdout)
        self.assertRegex(self.command(self.nvcc, "-MM", "scale.cu").stdout, r"^scale\.o: scale\.cu \\?\s*scale\.h")
        self.command(self.nvcc, "-M", "scale.cu", "-o", "list")
        self.assertIn("cuda_runtime.h", (self.folder / "list").read_text())
        self.assertFalse((self.folder / "scale.o").exists())

    def test_archives_and_folders(self):
        self.needs("ar")
        self.write(**{"out/none": ""})
        self.command(self.nvcc, "-c", "-odir", "out", "scale.cu")
        self.command(self.nvcc, "-lib", "out/scale.o", "-o", "libscale.a")
        self.command(self.nvcc, "main.cpp", "libscale.a", "-o", "program")
        self.assertEqual(self.command("./program").stdout, "no error 10\n")
        self.command(self.nvcc, "--lib", "scale.cu", "main.cpp", "-o", "liball.a")
        self.assertEqual(len(self.command("ar", "t", "liball.a").stdout.splitlines()), 2)

    def test_macros(self):
        names = ("__NVCC__", "__CUDACC__", "__CUDACC_RDC__", "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__")
        text = "".join(f"#ifdef {name}\nint has{name};\n#endif\n" for name in names)
        self.write(**{"macros.cu": text, "macros.c": text})

        def found(source, *options):
            said = self.command(self.nvcc, "-E", source, *options).stdout
            return [name for name in names if f"int has{name};" in said]

        self.assertEqual(found("macros.cu"), ["__NVCC__", "__CUDACC__"])
        self.assertEqual(found("macros.c"), ["__NVCC__"])
        self.assertEqual(found("macros.cu", "-rdc=true", "--extended-lambda", "--expt-relaxed-constexpr"), list(names))

    def test_options_from_a_file_and_forwarded(self):
        self.write(options='-DFACTOR=4.0f "-DTEXT=a b"\n', more="--options-file options -O1", empty="\n",
                   **{"two.cu": '#define S(x) #x\n#define T(x) S(x)\nstatic const char text[] = T(TEXT);\n'
                                "static_assert(sizeof text == 4 && int(FACTOR) == 4, \"\");\n"})
        self.command(self.nvcc, "-c", "--options-file", "more", "two.cu", "-optf", "empty")
        self.assertIn("--options-file missing: ", self.command(self.nvcc, "-c", "-optf", "missing", code=2).stderr)
        self.write(round="-optf round")
        self.assertIn("nested too deeply", self.command(self.nvcc, "-optf", "round", code=2).stderr)
        self.assertIn("unknown option -fno-plt", self.command(self.nvcc, "-c", "-fno-plt", "scale.cu", code=2).stderr)
        self.command(self.nvcc, "-c", "-fno-plt", "scale.cu", "-forward-unknown-to-host-compiler")
        self.assertIn("unknown argument: '-fno-such'", self.command(
            self.nvcc, "-forward-unknown-to-host-compiler", "-c", "-fno-such", "scale.cu", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
