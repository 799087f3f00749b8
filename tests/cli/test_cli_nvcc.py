"""Programs that nvcc has built, with `warpstep run` and without it: test_cli_nvcc.py WARPSTEP

Without nvcc the programs are made of nvcc_host.c, which calls CUDA's runtime as nvcc's host code does, and of fat binaries
that nvcc has made (tests/data/nvcc). Where nvcc is installed, it builds programs of its own as well."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import caches
from clangs import program_obstacle

WARPSTEP = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data/nvcc"
HOST = HERE / "nvcc_host.c"
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
NAMES = {11: "libcudart.so.11.0", 12: "libcudart.so.12", 13: "libcudart.so.13"}
OBSTACLE = program_obstacle(WARPSTEP)


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith(("WARPSTEP_", "LD_"))}
        cls.environment["XDG_CACHE_HOME"] = caches.shared_or(cls.folder / "cache")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def call(self, *words, code=0, **environment):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, env={**self.environment, **environment},
                              timeout=100, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def warpstep(self, *words, code=0):
        return self.call(WARPSTEP, *words, code=code)

    def compile(self, *words):
        self.call("cc", *map(str, words))

    def real_library(self, version):
        """What stands for NVIDIA's while programs are linked: its name, its version, and functions that do nothing."""
        place = self.folder / f"sdk{version}"
        if not place.exists():
            place.mkdir()
            names = set(re.findall(r"^extern .*?\b(_*cuda\w+)\(", HOST.read_text(), re.M))
            (place / "empty.c").write_text("".join(f"void {name}(void) {{}}\n" for name in sorted(names)))
            (place / "map").write_text(f"{NAMES[version]} {{ global: *; }};\n")
            self.compile("-shared", "-fPIC", "-w", "-o", place / NAMES[version], place / "empty.c",
                         f"-Wl,-soname,{NAMES[version]}", f"-Wl,--version-script,{place / 'map'}")
        return place / NAMES[version]

    def program(self, name, fatbin, version=13, *options, library=None):
        self.compile(f"-DVERSION={version}", f'-DFATBIN="{fatbin}"', *options, "-o", self.folder / name, HOST,
                     library or self.real_library(version))
        return name


@unittest.skipIf(OBSTACLE, OBSTACLE)
class Programs(Folder):
    def test_by_itself(self):
        libraries = self.warpstep("cc", "--libraries").stdout.strip()
        for version in NAMES:
            for kind in ("zstd", "lz4", "plain") if version == 13 else ("zstd",):
                name = self.program(f"by{version}{kind}", DATA / f"{kind}.fatbin", version)
                done = self.call(f"./{name}", LD_LIBRARY_PATH=libraries)
                self.assertEqual(done.stdout, f"NVIDIA H200: warps of 32, 132 SMs, good\n"
                                              f"./{name} 1: 60 31, 5 calls, error 0\n16 calls\n")
                self.assertEqual(done.stderr, "")

    def test_run(self):
        self.program("prog", DATA / "zstd.fatbin")
        done = self.warpstep("run", "prog", "--sms", "2", "--", "a", code=5)
        self.assertEqual(done.stdout, "NVIDIA H200: warps of 32, 2 SMs, good\nprog 2: 60 31, 5 calls, error 0\n16 calls\n")
        self.assertEqual(re.findall(r"^(\w+) +1 x 1 x 1 +32 x 1 x 1 +\d+ +\d+ ", done.stderr, re.M), ["scale"] * 3)
        every, alone = (re.sub(r'"[^"]*[.]ptx\b', '"x.ptx', self.warpstep("run", "./prog", *words, "--format", "json").stdout)
                        for words in ([], ["--kernel", "scale,2"]))
        self.assertEqual(json.loads(alone), json.loads(every)[1])
        self.assertRegex(self.warpstep("run", "prog", "--functional").stderr, r"32 x 1 x 1 +- +\d+\n")

    def test_newest_that_the_device_takes(self):
        self.program("prog", DATA / "zstd.fatbin")
        for device, target in (("h200", "sm_90"), ("a100", "sm_75")):
            self.warpstep("run", "prog", "--device", device, "--capture", device)
            text = "".join(path.read_text(errors="replace") for path in (self.folder / device / "data").iterdir()
                           if path.suffix == ".ptx")
            self.assertIn(f".target {target}\n", text)
            self.warpstep("run", f"{device}/0002-scale.yaml")

    def test_linked(self):
        name = self.program("linked", DATA / "lz4.fatbin", 13, "-DLINKED")
        self.assertIn("linked 1: 60 31, 5 calls, error 0\n", self.warpstep("run", name).stdout)

    def test_refused(self):
        code = bytearray((DATA / "plain.fatbin").read_bytes())
        for at in [match.start() for match in re.finditer(b"[\x01]\x00\x01\x01\x50\x00\x00\x00", bytes(code))]:
            code[at] = 2  # code of an architecture, no PTX
        (self.folder / "code.fatbin").write_bytes(code)
        name = self.program("code", self.folder / "code.fatbin")
        text = ("error: the program has no PTX for a device of compute capability 9.0, but sm_75, sm_90: build it with "
                "'nvcc -gencode arch=compute_90,code=compute_90'\n")
        self.assertEqual(self.warpstep("run", name, code=3).stderr, f"code: {text}")
        self.assertEqual(self.warpstep("step", name, "--batch", code=3).stderr, f"code: {text}")
        libraries = self.warpstep("cc", "--libraries").stdout.strip()
        done = self.call("./code", LD_LIBRARY_PATH=libraries)
        self.assertEqual(done.stderr.splitlines()[0], f"warpstep: {text}".strip())
        self.assertIn("./code 1: 10 31, 0 calls, error 209\n", done.stdout)

        (self.folder / "cut.fatbin").write_bytes((DATA / "zstd.fatbin").read_bytes()[:600])
        self.assertIn("cut: error: the fat binary of nvcc is damaged: ",
                      self.warpstep("run", self.program("cut", self.folder / "cut.fatbin"), code=3).stderr)

        self.real_library(13)
        static = self.program("static", DATA / "zstd.fatbin", library=self.folder / "sdk13/empty.c")
        self.assertEqual(self.warpstep("run", static, code=3).stderr,
                         "static: error: the program has CUDA's runtime inside, as nvcc links it by default: link it with "
                         "'nvcc -cudart shared', so that Warpstep's can be there instead\n")
        (self.folder / "none.c").write_text("int main(void) { return 0; }\n")
        self.compile("-o", self.folder / "none", self.folder / "none.c")
        self.assertEqual(self.warpstep("run", "none", code=3).stderr,
                         "none: error: the program does not use CUDA: it holds no kernels and is not linked with libcudart\n")
        self.assertIn("-D and -I are for what is compiled", self.warpstep("run", "none", "-D", "X", code=2).stderr)
        self.assertIn("a whole program: 'warpstep run none --capture FOLDER'",
                      self.warpstep("sweep", "none", "-P", "sms=1", "-o", "o", code=3).stderr)

    def test_libraries_that_are_not_there(self):
        place = self.real_library(13).parent
        self.compile("-shared", "-fPIC", "-w", "-o", place / "libcublas.so.13", place / "empty.c", "-Wl,-soname,libcublas.so.13")
        self.program("blas", DATA / "zstd.fatbin", 13, "-Wl,--no-as-needed", place / "libcublas.so.13")
        self.assertEqual(self.warpstep("run", "blas", code=3).stderr,
                         "blas: error: the program uses libcublas.so, a library that Warpstep does not have\n")

    def test_program_of_cc(self):
        (self.folder / "own.cu").write_text("#include <cstdio>\n__global__ void set(int *x) { *x = 7; }\nint main() { int *x, y; "
                                            "cudaMalloc(&x, 4); set<<<1, 1>>>(x); cudaMemcpy(&y, x, 4, cudaMemcpyDefault); "
                                            'std::printf("%d\\n", y); }\n')
        self.warpstep("cc", "own.cu", "-o", "own")
        self.assertEqual(self.warpstep("run", "own").stdout, "7\n")


SURFACES = """#include <cstdio>
__global__ void mix(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y, right, up, a = 9, b = 9, both;
    asm volatile("suld.b.2d.b32.zero {%0}, [%1, {%2, %3}];" : "=r"(right) : "l"(from), "r"(x * 4 + 4), "r"(y));
    asm volatile("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];" : "=r"(up) : "l"(from), "r"(x * 4), "r"(y - 1));
    asm volatile("{ .reg .pred odd; setp.ne.u32 odd, %5, 0;\\n@!odd suld.b.2d.v2.b32.trap {%0, %1}, [%2, {%3, %4}]; }"
                 : "+r"(a), "+r"(b) : "l"(from), "r"(x / 2 * 8), "r"(y), "r"(x % 2));
    both = right * 10000 + up * 100 + a + b;
    asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" : : "l"(to), "r"(x * 4 + 4), "r"(y), "r"(both));
}
int main()
{
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 2; i++) {
        cudaMallocArray(&arrays[i], &format, 4, 2, cudaArraySurfaceLoadStore);
        cudaMemcpy2DToArray(arrays[i], 0, 0, values, 16, 16, 2, cudaMemcpyHostToDevice);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        cudaCreateSurfaceObject(&surfaces[i], &resource);
    }
    mix<<<1, dim3(4, 2)>>>(surfaces[0], surfaces[1]);
    cudaMemcpy2DFromArray(values, 16, arrays[1], 0, 0, 16, 2, cudaMemcpyDeviceToHost);
    for (int value : values)
        std::printf("%d ", value);
}
"""

BARRIERS = """#include <cstdio>
__device__ void wait(unsigned bar, unsigned long long token)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar), "l"(token) : "memory");
}
__device__ void wait_parity(unsigned bar, unsigned parity)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__global__ void meet(const int *in, int *out)
{
    __shared__ alignas(16) int tile[64];
    __shared__ alignas(8) unsigned long long barrier;
    __shared__ int count;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier), to = (unsigned)__cvta_generic_to_shared(tile);
    unsigned long long token;
    if (threadIdx.x == 0) {
        count = 0;
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" : : "r"(bar) : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 40) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     : : "r"(to), "l"(in), "r"(256), "r"(bar) : "memory");
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" : : "r"(bar), "r"(256) : "memory");
    }
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 1;" : "=l"(token) : "r"(bar) : "memory");
    wait(bar, token);
    out[threadIdx.x] = tile[63 - threadIdx.x];
    atomicAdd(&count, 1);
    if (threadIdx.x >= 40) {
        asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" : : "r"(bar) : "memory");
        return;
    }
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
    wait_parity(bar, 1);
    out[64 + threadIdx.x] = count;
    for (unsigned parity = 0; parity < 2; parity++) { // 40 are left
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" : : "r"(bar) : "memory");
        wait_parity(bar, parity);
        if (parity == 0)
            atomicAdd(&count, 1);
    }
    out[128 + threadIdx.x] = count;
}
int main()
{
    int values[192], *in, *out;
    for (int i = 0; i < 64; i++)
        values[i] = i;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, 256, cudaMemcpyDefault);
    cudaMemset(out, 0, sizeof values);
    meet<<<1, 64>>>(in, out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDefault);
    for (int value : values)
        std::printf("%d ", value);
    std::printf("%s", cudaGetErrorName(cudaGetLastError()));
}
"""


@unittest.skipIf(OBSTACLE, OBSTACLE)
class Instructions(Folder):
    """Of PTX that nvcc makes and clang does not."""

    def test_barriers(self):
        (self.folder / "barriers.cu").write_text(BARRIERS)
        wanted = list(range(63, -1, -1)) + [64] * 40 + [0] * 24 + [104] * 40 + [0] * 24
        self.assertEqual(self.warpstep("run", "barriers.cu").stdout.split(), [*map(str, wanted), "cudaSuccess"])

    def test_surfaces(self):
        (self.folder / "surfaces.cu").write_text(SURFACES)
        # right * 10000 + up * 100 + a + b, a column to the right; what would be outside is not written
        rows = [[1, 2, 3, 4], [5, 6, 7, 8]]
        wanted = []
        for y, row in enumerate(rows):
            right = row[1:] + [0]
            sums = [right[x] * 10000 + rows[max(y - 1, 0)][x] * 100 + (row[x] + row[x + 1] if x % 2 == 0 else 18)
                    for x in range(4)]
            wanted += [row[0]] + sums[:3]
        self.assertEqual(list(map(int, self.warpstep("run", "surfaces.cu").stdout.split())), wanted)


@unittest.skipIf(OBSTACLE or NVCC is None, OBSTACLE or "no nvcc")
class Nvcc(Folder):
    """Of a toolkit that is installed."""

    def nvcc(self, name, *words, **sources):
        for file, text in sources.items():
            (self.folder / f"{file}.cu").write_text(text)
        self.call(NVCC, "-cudart", "shared", "-o", name, *words, *(f"{file}.cu" for file in sources))

    def test_program(self):
        source = """#include <cstdio>
        __managed__ int total;
        __constant__ float by[2];
        template <class T> __global__ void scale(int n, T *x) { int i = threadIdx.x; if (i < n) x[i] *= by[1]; atomicAdd(&total, i); }
        int main() { float by_host[2] = {1, 2.5f}, x[64], *d; for (int i = 0; i < 64; i++) x[i] = i;
            cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
            cudaMemcpyToSymbol(by, by_host, sizeof by); cudaMalloc(&d, sizeof x); cudaMemcpy(d, x, sizeof x, cudaMemcpyDefault);
            scale<<<1, 64>>>(64, d); cudaMemcpy(x, d, sizeof x, cudaMemcpyDefault);
            std::printf("%s %d %g %d %s\\n", p.name, p.multiProcessorCount, x[63], total, cudaGetErrorString(cudaGetLastError())); }
        """
        self.nvcc("app", "-arch=sm_90", app=source)
        self.assertEqual(self.warpstep("run", "app").stdout, "NVIDIA H200 132 157.5 2016 no error\n")
        self.nvcc("threads", "-arch=sm_90", "--default-stream", "per-thread", "-lineinfo", threads=source)
        done = self.warpstep("run", "threads", "--kernel", "scale")
        self.assertIn("threads.cu:4", done.stdout)
        self.call(NVCC, "-o", "inside", "app.cu")
        self.assertIn("inside: error: the program has CUDA's runtime inside", self.warpstep("run", "inside", code=3).stderr)
        self.nvcc("code", "-gencode", "arch=compute_80,code=sm_80", code=source)
        self.assertIn("9.0, but sm_80: build it with", self.warpstep("run", "code", code=3).stderr)

    def test_device_code_across_files(self):
        self.nvcc("two", "-rdc=true", "-arch=sm_90", one="""#include <cstdio>
        extern __device__ int counter; extern __device__ float helper(float); void b();
        static __device__ int own = 3;
        static __global__ void k(float *x) { *x = helper(*x) + own; counter++; }
        int main() { float h = 1, *x; cudaMalloc(&x, 4); cudaMemcpy(x, &h, 4, cudaMemcpyDefault); k<<<1, 1>>>(x);
            cudaMemcpy(&h, x, 4, cudaMemcpyDefault); std::printf("%g ", h); b(); }
        """, other="""#include <cstdio>
        __device__ int counter = 100; static __device__ int own = 50; __device__ float helper(float x) { return x + 0.5f; }
        static __global__ void k(int *x) { *x = own + counter; }
        void b() { int h = 0, *y; cudaMalloc(&y, 4); k<<<1, 1>>>(y); cudaMemcpy(&h, y, 4, cudaMemcpyDefault); std::printf("%d\\n", h); }
        """)
        self.assertEqual(self.warpstep("run", "two").stdout, "4.5 151\n")

    def test_launches_by_kernels(self):
        self.nvcc("launches", "-rdc=true", "-std=c++17", "-arch=sm_90", launches=(HERE / "launches.cu").read_text())
        self.assertEqual(self.warpstep("run", "launches", "--", "short").stdout, "")
        self.assertIn("faulty, block (0,0,0) thread (0,0,0): access out of bounds at 0x10", self.warpstep("run", "launches", "--functional").stderr)

    def test_graphs(self):
        self.nvcc("memory", "-arch=sm_90", memory=(HERE / "graphs_memory.cu").read_text())
        self.warpstep("run", "memory", "--functional")
        self.nvcc("graphs", "-rdc=true", "-arch=sm_90", graphs=(HERE / "graphs_conditional.cu").read_text())
        self.assertIn("a WHILE node of a graph never ends", self.warpstep("run", "graphs", "--functional").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
