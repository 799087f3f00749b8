"""`warpstep cc`: whole CUDA programs: test_cli_cc.py WARPSTEP WORKLOADS"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle, taken

WARPSTEP, WORKLOADS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
KERNEL = """#include "scale.h"
#include <vector>
__global__ void scale(int n, float a, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = factor(a) * x[i];
}
void run(std::vector<float> &v)
{
    float *x;
    cudaMalloc(&x, v.size() * sizeof(float));
    cudaMemcpy(x, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
    scale << <2, 64 >> > ((int)v.size(), 3.0f, x);
    cudaMemcpy(v.data(), x, v.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
"""
HEADER = """#include <cuda_runtime.h>
#include <vector>
void run(std::vector<float> &v);
#ifdef __CUDACC__
__host__ __device__ inline float factor(float a) { return max(a, 1.0f) + EXTRA; }
#endif
"""
MAIN = """#include "scale.h"
#include <cstdio>
#ifdef __CUDACC__
#error a host file is not for a CUDA compiler
#endif
int main()
{
    std::vector<float> v(100, 2.0f);
    float4 f = make_float4(1, 2, 3, 4);
    run(v);
    std::printf("%g %g %g\\n", v[0], v[99], f.w);
    return cudaDeviceSynchronize();
}
"""
ENDLESS = "warpstep: error: a WHILE node of a graph never ends: its body launches no kernel that could change the condition\n"
# A host file in C: what CUDA's headers are to a C compiler. `scale_from_c` is a launch in the CUDA file.
C_KERNEL = """#include <cuda_runtime.h>
__global__ void scale(int n, float a, float4 *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i].w *= a;
}
extern "C" cudaError_t scale_from_c(dim3 grid, dim3 block, int n, float a, float4 *x, cudaStream_t stream)
{
    scale<<<grid, block, 0, stream>>>(n, a, x);
    return cudaGetLastError();
}
"""
C_MAIN = """#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuComplex.h>
#include <stdio.h>
#include <stdlib.h>
#if defined __cplusplus || defined __CUDACC__
#error this file is C
#endif
cudaError_t scale_from_c(dim3 grid, dim3 block, int n, float a, float4 *x, cudaStream_t stream);
static cudaError_t check(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s: %s\\n", cudaGetErrorName(error), cudaGetErrorString(error));
        exit(1);
    }
    return error;
}
int main(void)
{
    int class = 100, n = class; /* no word of C++ is one of C */
    struct cudaDeviceProp properties;
    enum cudaMemcpyKind there = cudaMemcpyHostToDevice;
    cudaStream_t stream;
    cudaEvent_t event;
    dim3 grid = {2, 1, 1}, block = {64, 1, 1};
    float4 *host = malloc(n * sizeof *host), *device;
    float2 pair;
    cuComplex product = cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, 4));
    pair.x = 5, pair.y = 6;
    for (int i = 0; i < n; i++)
        host[i] = make_float4(1, 2, 3, (float)i);
    check(cudaGetDeviceProperties(&properties, 0));
    check(cudaStreamCreate(&stream));
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    check(cudaMalloc((void **)&device, n * sizeof *device));
    check(cudaMemcpyAsync(device, host, n * sizeof *device, there, stream));
    check(scale_from_c(grid, block, n, 3.0f, device, stream));
    check(cudaEventRecord(event, stream));
    check(cudaEventSynchronize(event));
    check(cudaMemcpy(host, device, n * sizeof *device, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
    printf("%s %g %g %g %g %g %d %d\\n", properties.name, host[99].w, host[99].z, pair.y, product.x, product.y,
           (int)sizeof(longlong2), (int)sizeof(half2));
    return 0;
}
"""
# The same headers to g++, which no option of ours reaches.
PLAIN = """#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
#include <cstdio>
__host__ __device__ inline float twice(float a) { return 2 * a; }
int main()
{
    dim3 grid(2), block = 64;
    float *x;
    if (cudaMalloc(&x, 100) != cudaSuccess || cudaMemcpyAsync(x, &grid, 4, cudaMemcpyHostToDevice) != cudaSuccess)
        return 1;
    int count = 0;
    for (unsigned bits = 0; bits < 0x10000; bits++) { /* all halves and the numbers in the middle between two */
        __half_raw raw = {(unsigned short)bits}, next = {(unsigned short)(bits + 1)};
        float value = __half2float(raw), middle = (value + __half2float(next)) / 2;
        if ((bits & 0x7c00) == 0x7c00 || ((bits + 1) & 0x7c00) == 0x7c00)
            continue;
        count += __half_raw(__float2half(value)).x == bits;
        count += __half_raw(__float2half(middle)).x == ((bits + 1) & ~1u);
    }
    std::printf("%u %u %g %d %g %g %x\\n", grid.y, block.x, make_float4(1, 2, 3, 4).w, count,
                __half2float(__float2half(65519)), (float)__nv_bfloat16(1.0f + 1 / 128.0f + 1 / 256.0f),
                __half_raw(__float2half(65520)).x);
    return cudaDeviceReset();
}
"""


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class Cc(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for name, text in (("scale.cu", KERNEL), ("scale.h", HEADER), ("main.cpp", MAIN)):
            (self.folder / name).write_text(text)

    def command(self, *command, code=0, **environment):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def cc(self, *arguments, code=0):
        return self.command(WARPSTEP, "cc", *arguments, code=code)

    def test_several_files(self):
        self.cc("-arch=sm_80", "-gencode", "arch=compute_80,code=sm_80", "-lineinfo", "-O3", "-std=c++17",
                "-DEXTRA=1.0f", "-Xcompiler", "-Wall,-fno-strict-aliasing", "scale.cu", "main.cpp",
                "-lcudart", "-lm", "-o", "both")
        self.assertEqual(self.command(self.folder / "both").stdout, "8 8 4\n")

    def test_clang_of_c_links_programs(self):
        plain = pathlib.Path(taken()).resolve().with_name("clang")
        if not plain.exists():
            self.skipTest("clang++ has no clang beside it")
        (self.folder / "throws.cu").write_text("#include <vector>\nint main() { return (int)std::vector<int>(3).at(1); }\n")
        self.command(WARPSTEP, "cc", "throws.cu", "-o", "throws", WARPSTEP_CLANG=str(plain))
        self.command(self.folder / "throws")

    def test_host_file_in_c(self):
        (self.folder / "launch.cu").write_text(C_KERNEL)
        (self.folder / "host.c").write_text(C_MAIN)
        self.cc("-std=c++14", "-O2", "launch.cu", "host.c", "-o", "c")
        self.assertEqual(self.command(self.folder / "c").stdout, "NVIDIA H200 297 3 6 -5 10 16 4\n")
        self.cc("-c", "host.c", "-Xcompiler", "-std=c99,-pedantic-errors")

    def test_headers_for_other_compilers(self):
        (self.folder / "plain.cpp").write_text(PLAIN)
        (self.folder / "host.c").write_text(C_MAIN)
        self.cc("plain.cpp", "-o", "plain")
        said = self.command(self.folder / "plain").stdout
        self.assertEqual(said, f"1 64 4 {2 * (65536 - 2 * 1024 - 2)} 65504 1.01562 7c00\n")
        include = WORKLOADS.parent / "isa" / "cuda" / "include"
        for compiler, options in (("g++", ("-std=c++11", "plain.cpp")), ("g++", ("-std=c++20", "plain.cpp")),
                                  ("gcc", ("-std=c99", "-pedantic-errors", "host.c"))):
            if shutil.which(compiler) is not None:
                self.command(compiler, *options, "-c", "-Wall", "-Wextra", "-Werror", "-isystem", include)

    def test_debug_options_beside_others(self):
        self.cc("-g", "-G", "-gencode=arch=compute_90,code=sm_90", "-g2", "-c", "-DEXTRA=0.0f", "scale.cu")
        self.assertTrue((self.folder / "scale.o").exists())

    def test_half_precision_on_the_host(self):
        """All functions that both sides have, of all bit patterns: the same bits as from kernels."""
        self.cc("-O2", pathlib.Path(__file__).parent / "half_on_host.cu", "-o", "half")
        said = self.command(self.folder / "half", WARPSTEP_MODE="functional").stdout
        self.assertEqual(said, "half: 0 differ\nbfloat16: 0 differ\n")

    def test_launches_by_kernels(self):
        source = pathlib.Path(__file__).parent / "launches.cu"
        self.cc(source, "-o", "launches")
        self.assertEqual(self.command(self.folder / "launches", "short").stderr, "")
        told = self.command(self.folder / "launches", WARPSTEP_MODE="functional").stderr
        self.assertRegex(told, r"\Awarpstep: error: faulty, block [(]0,0,0[)] thread [(]0,0,0[)]: access out of bounds at 0x10, .*\n\Z")
        # A grid by itself, and in a launch file.
        done = self.command(WARPSTEP, "run", source, "--kernel", "tree,2", "--", "short")
        self.assertIn("tree on NVIDIA H200: 1 block of 1 thread", done.stdout)
        (self.folder / "child.cu").write_text(source.read_text())
        done = self.command(WARPSTEP, "check", "child.cu", code=1)
        self.assertIn("child.cu:50:", done.stderr)
        self.assertIn("it launches kernels: they run in whole programs only ('warpstep run' of a .cu with a main) "
                      "(kernel 'parent' is refused)", done.stderr)

    def test_graphs(self):
        self.cc(pathlib.Path(__file__).parent / "graphs.cu", "-o", "graphs")
        self.assertEqual(self.command(self.folder / "graphs").stderr, "")
        self.cc(pathlib.Path(__file__).parent / "graphs_memory.cu", "-o", "memory")
        self.assertEqual(self.command(self.folder / "memory").stderr, "")
        self.cc(pathlib.Path(__file__).parent / "graphs_conditional.cu", "-o", "conditional")
        self.assertEqual(self.command(self.folder / "conditional").stderr, ENDLESS)

    def test_warnings_of_nvcc_are_no_errors(self):
        text = ("int main()\n{\n    register int i = 3;\n    unsigned long n = i;\n    int list[] = {n};\n"
                "    float *x;\n    cudaMallocHost(&x, 4, cudaHostAllocPortable);\n    *x = i;\n    cudaMallocHost((void **)&x, 4, cudaHostAllocMapped);\n"
                "    *x = i;\n    return list[0] - 3 + (cudaErrorPeerAccessAlreadyEnabled != 704) + (cudaMemAttachSingle != 4);\n}\n")
        for name, line in (("lax.cu", "__global__ void k(int *x) { register int i = 1; *x = i; }\n"), ("lax.cpp", "#include <cuda_runtime.h>\n")):
            (self.folder / name).write_text(line + text)
            self.cc(name, "-o", "lax")
            self.assertEqual(self.command(self.folder / "lax").stderr, "")

    def test_stores_with_hints(self):
        types = ("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "unsigned long long", "float",
                 "double", "int2", "uint2", "float2", "double2", "int4", "uint4", "float4")
        copies = "".join(f"    {{\n        {kind} *to = ({kind} *)(out + {80 * i}), *from = ({kind} *)(in + {80 * i});\n        __stwb(to, *from);\n"
                         "        __stcg(to + 1, from[1]);\n        __stcs(to + 2, from[2]);\n        __stwt(to + 3, from[3]);\n    }\n"
                         for i, kind in enumerate(types))
        checks = "".join(f"    wrong += memcmp(out + {80 * i}, in + {80 * i}, 4 * sizeof({kind})) != 0 || out[{80 * i} + 4 * sizeof({kind})] != 0;\n"
                         for i, kind in enumerate(types))
        (self.folder / "stores.cu").write_text(
            "#include <cstring>\n__global__ void store(char *out, char *in)\n{\n" + copies + "}\nint main()\n{\n    const int size = %d;\n"
            "    char *in, *out;\n    cudaMallocManaged(&in, size);\n    cudaMallocManaged(&out, size);\n    cudaMemset(out, 0, size);\n"
            "    int wrong = 0;\n    for (int i = 0; i < size; i++)\n        in[i] = i * 37 %% 251 + 1;\n    store<<<1, 1>>>(out, in);\n"
            "    cudaDeviceSynchronize();\n" % (80 * len(types)) + checks + "    return wrong;\n}\n")
        self.cc("stores.cu", "-o", "stores")
        self.command(self.folder / "stores")

    def test_ranges_for_profilers(self):
        (self.folder / "marks.cu").write_text("#include <nvToolsExt.h>\n#include <nvtx3/nvToolsExt.h>\nint main() { nvtxEventAttributes_t e = {};"
                                              " nvtxRangePush(\"a\"); nvtxMarkEx(&e); return nvtxRangePop() >= 0; }\n")
        self.cc("marks.cu", "-lnvToolsExt", "-o", "marks")
        self.command(self.folder / "marks")

    def test_what_is_declared_is_there(self):
        (self.folder / "all.c").write_text("#include <cuda_runtime.h>\n")
        text = self.cc("-E", "all.c").stdout
        names = sorted(set(re.findall(r"^(?:cudaError_t|const char \*) ?(cuda\w+)\(", text, re.M)))
        self.assertGreater(len(names), 100)
        (self.folder / "all.c").write_text("#include <cuda_runtime.h>\nvoid *all[] = {%s};\nint main(void) { return all[0] == 0; }\n"
                                           % ", ".join(f"(void *){name}" for name in names))
        self.cc("all.c", "-o", "all")

    def test_environment(self):
        self.cc("-DEXTRA=0.0f", "scale.cu", "main.cpp", "-o", "both")

        def run(code=0, **environment):
            done = self.command(self.folder / "both", code=code, **environment)
            if code == 0:
                self.assertEqual(done.stdout, "6 6 4\n")
            return done.stderr

        self.assertEqual(run(), "")
        said = run(WARPSTEP_REPORT="text")
        cycles = int(re.search(r"^scale +2 x 1 x 1 +64 x 1 x 1 +(\d+) +\d+  \w+ \d+ %$", said, re.M).group(1))
        self.assertIn("1 launches, ", said)
        run(WARPSTEP_REPORT="json:one.json", WARPSTEP_DEVICE="h100", WARPSTEP_SET="sms=2,memory.l2.near_latency=400")
        [document] = json.loads((self.folder / "one.json").read_text())
        self.assertEqual((document["device"], document["kernel"]), ("NVIDIA H100 SXM", "scale"))
        self.assertNotEqual(document["elapsed_cycles"], cycles)
        run(WARPSTEP_REPORT="html:page.html", WARPSTEP_KERNEL="scale,1", WARPSTEP_POLICY="gto")
        self.assertIn("<title>", (self.folder / "page.html").read_text())
        self.assertRegex(run(WARPSTEP_REPORT="text", WARPSTEP_MODE="functional"), r"64 x 1 x 1 +- +\d+")
        for name, value, text in (("MODE", "fast", "WARPSTEP_MODE is cycle, functional or sampled, not 'fast'"),
                                  ("REPORT", "xml", "WARPSTEP_REPORT is text, text:FILE, json:FILE or html:FILE, not 'xml'"),
                                  ("DEVICE", "h300", "h300"), ("SET", "smz=2", "smz"), ("POLICY", "best", "best")):
            with self.subTest(name):
                done = subprocess.run([self.folder / "both"], cwd=self.folder, capture_output=True, text=True,
                                      env={**os.environ, "WARPSTEP_" + name: value})
                self.assertIn("warpstep: error: ", done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual(done.returncode, 3)  # cudaErrorInitializationError, which main returns

    def test_make_and_separate_compilation(self):
        if shutil.which("make") is None:
            self.skipTest("make is not installed")
        (self.folder / "Makefile").write_text(
            "both: scale.o main.o\n\t$(NVCC) -o $@ $^\n"
            "%.o: %.cu\n\t$(NVCC) -D EXTRA=2.0f -rdc=true -c $<\n%.o: %.cpp\n\t$(NVCC) -c $<\n")
        self.command("make", f"NVCC={WARPSTEP} cc")
        self.assertEqual(self.command(self.folder / "both").stdout, "10 10 4\n")

    def test_bound_of_registers(self):
        kernel = "__global__ void %s%s(float *p)\n{\n    float v[24], s = 0;\n#pragma unroll\n    for (int i = 0; i < 24; i++) v[i] = p[i * 32 + threadIdx.x];\n" \
                 "    __syncthreads();\n#pragma unroll\n    for (int i = 0; i < 24; i++) s = s * v[i] + v[23 - i] * p[i];\n    p[threadIdx.x] = s;\n}\n"
        (self.folder / "wide.cu").write_text(kernel % ("", "wide") + kernel % ("__launch_bounds__(64) ", "held") + """#include <cstdio>
int main()
{
    cudaFuncAttributes a, b;
    float *p, first;
    cudaMallocManaged(&p, 4096);
    for (int i = 0; i < 1024; i++)
        p[i] = i % 3;
    wide<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    first = p[5];
    cudaFuncGetAttributes(&a, wide);
    cudaFuncGetAttributes(&b, held);
    std::printf("%d %d %d %g\\n", a.numRegs, (int)a.localSizeBytes, b.numRegs, first);
}
""")

        def figures(*options):
            self.cc("wide.cu", "-o", "wide", *options)
            return list(map(float, self.command("./wide").stdout.split()))

        free, bounded = figures(), figures("--maxrregcount", "24")
        self.assertEqual(free[1], 0)
        self.assertGreater(free[0], 24)
        self.assertLessEqual(bounded[0], 24)
        self.assertGreater(bounded[1], 0)
        self.assertEqual(bounded[2:], free[2:])  # launch bounds count instead, and the results are the same
        self.assertEqual(figures("-maxrregcount=999"), free)
        self.assertIn("-maxrregcount is a number of registers, not 'few'",
                      self.cc("-maxrregcount=few", "wide.cu", code=2).stderr)

    def test_refused(self):
        said = self.cc("--no-such-option", "scale.cu", code=2).stderr
        self.assertIn("unknown option --no-such-option", said)
        self.assertIn("-o needs a value", self.cc("scale.cu", "-o", code=2).stderr)
        self.assertIn("missing.cu: no such file", self.cc("missing.cu", code=3).stderr)
        self.assertIn("-o names one file",
                      self.cc("-c", "scale.cu", "main.cpp", "-o", "one.o", code=2).stderr)

    def test_error_has_the_line_of_the_user(self):
        (self.folder / "wrong.cu").write_text("__global__ void k(int *x)\n{\n    x[0] = nothing;\n}\n")
        said = self.cc("-c", "wrong.cu", code=3).stderr
        self.assertIn("wrong.cu:3:12: error: use of undeclared identifier 'nothing'", said)
        self.assertIn("wrong.cu: its device code does not compile", said)
        self.assertFalse((self.folder / "wrong.o").exists())

    def test_same_ptx_as_a_launch_file(self):
        for name in ("vecadd", "matmul", "if_else"):
            shutil.copy(WORKLOADS / name / "kernel.cu", self.folder / "kernel.cu")
            self.cc("-ptx", "kernel.cu", "-o", "kernel.ptx")
            ours, theirs = (self.command(WARPSTEP, "disasm", program, "--no-sources").stdout
                            for program in ("kernel.ptx", "kernel.cu"))
            plain = [re.sub(r"kernel\.(cu|ptx)(:\d+)?", "", text) for text in (ours, theirs)]
            self.assertGreater(len(plain[0].splitlines()), 10)
            self.assertEqual(plain[0], plain[1], name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
