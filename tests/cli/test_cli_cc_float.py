"""`warpstep cc --use_fast_math` and its parts: test_cli_cc_float.py WARPSTEP FP8_SOURCE FP8_VALUES"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle

WARPSTEP, FP8_SOURCE, FP8_VALUES = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
# Each function of the table in the programming guide beside the intrinsic that it becomes.
PAIRS = {"sinf(x)": "__sinf(x)", "cosf(x)": "__cosf(x)", "tanf(x)": "__tanf(x)", "logf(x)": "__logf(x)",
         "log2f(x)": "__log2f(x)", "log10f(x)": "__log10f(x)", "expf(x)": "__expf(x)", "exp10f(x)": "__exp10f(x)",
         "powf(x, y)": "__powf(x, y)", "x / y": "__fdividef(x, y)", "sin(x)": "__sinf(x)", "std::exp(x)": "__expf(x)",
         "sines(x)": "__sinf(x)", "cosines(x)": "__cosf(x)"}
FUNCTIONS = """#include <cmath>
__device__ float sines(float x) { float s, c; sincosf(x, &s, &c); return s; }
__device__ float cosines(float x) { float s, c; sincosf(x, &s, &c); return c; }
"""
# Values: a subnormal sum and one of the asm that __fadd_rn is, a division, a root, a product with a sum that one
# rounding or two make different, a double that no option touches.
PROGRAM = """#include <cstdio>
__global__ void k(float tiny, float x, float y, float z, double d, float *p, double *q)
{
    p[0] = tiny + tiny;
    p[1] = __fadd_rn(tiny, tiny);
    p[2] = x / y;
    p[3] = sqrtf(x);
    p[4] = x * x + z;
    p[5] = 1.0f / 0.0f - x;
    p[6] = (x + 1e8f) - 1e8f;
    q[0] = d / 3 + sqrt(d) + sin(d);
}
int main()
{
    float *p;
    double *q;
    cudaMallocManaged(&p, 64);
    cudaMallocManaged(&q, 8);
    k<<<1, 1>>>(1e-40f, 1.0f + 0x1p-12f, 3.0f, -1.0f, 2.0, p, q);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; i++)
        std::printf("%a ", p[i]);
    std::printf("%a\\n", q[0]);
}
"""
FUSED, ROUNDED = float.hex(2.0**-11 + 2.0**-24), float.hex(2.0**-11)


def value(text):
    return float.fromhex(text) if text not in ("inf", "-inf", "nan") else float(text)


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class Floats(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def command(self, *command, code=0):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def codes_of(self, source, *options):
        """Instructions of each kernel, in the order of the source."""
        (self.folder / "k.cu").write_text(source)
        self.command(WARPSTEP, "cc", *options, "-ptx", "-o", "k.ptx", "k.cu")
        text = (self.folder / "k.ptx").read_text()
        return [re.findall(r"(?m)^\t([a-z][\w.]*)", kernel) for kernel in text.split(".visible .entry")[1:]]

    def code_of(self, source, *options):
        (code,) = self.codes_of(source, *options)
        return code

    def run_with(self, *options):
        (self.folder / "program.cu").write_text(PROGRAM)
        self.command(WARPSTEP, "cc", *options, "-o", "program", "program.cu")
        return [value(word) for word in self.command("./program").stdout.split()]

    def test_functions_become_intrinsics(self):
        def kernels(values):
            return FUNCTIONS + "".join(f"__global__ void k{number}(float *p, float x, float y) {{ *p = {value}; }}\n"
                                       for number, value in enumerate(values))
        codes = zip(self.codes_of(kernels(PAIRS), "--use_fast_math"), self.codes_of(kernels(PAIRS.values()), "-use_fast_math"),
                    self.codes_of(kernels(PAIRS)), strict=True)
        seen = 0
        for function, (fast, intrinsic, exact) in zip(PAIRS, codes, strict=True):
            with self.subTest(function):
                self.assertEqual(fast, intrinsic)
                self.assertTrue(any(".approx.ftz.f32" in word for word in fast), fast)
                self.assertNotEqual(fast, exact)
            seen += 1
        self.assertEqual(seen, len(PAIRS))

    def test_8_bit_floats(self):
        self.command(WARPSTEP, "cc", "-O2", "-o", "values", FP8_SOURCE)
        said = subprocess.run([self.folder / "values"], capture_output=True, text=True, check=True,
                              env={**os.environ, "WARPSTEP_MODE": "functional"}).stdout
        self.assertEqual(said.splitlines(), FP8_VALUES.read_text().splitlines())

    def test_8_bit_floats_in_host_files(self):
        (self.folder / "k.cpp").write_text("""#include <cstdio>
#include <cuda_fp8.h>
int main()
{
    __nv_fp8_e4m3 x(3.3f), large(1e9);
    __nv_fp8x4_e5m2 four(make_float4(1, -2, 0.3f, 1e9f));
    std::printf("%x %g %g %d %x\\n", x.__x, (double)x, (float)large, (int)x, four.__x);
}
""")
        (self.folder / "k.c").write_text("#include <cuda_fp8.h>\n__nv_fp8_storage_t x; __nv_fp8x4_storage_t y;\n")
        self.command(WARPSTEP, "cc", "-c", "k.c")
        self.command(WARPSTEP, "cc", "-o", "host", "k.cpp")
        self.assertEqual(self.command("./host").stdout, "45 3.25 448 3 7b35c03c\n")

    def test_values(self):
        exact = self.run_with()
        x = 1 + 2.0**-12
        self.assertEqual(exact[:2], [exact[0], exact[0]])
        self.assertGreater(exact[0], 0)
        self.assertEqual(exact[4], value(FUSED))
        self.assertEqual(exact[5:7], [float("inf"), 0.0])  # no infinity is assumed away, no sum reordered
        for options, changed in ((["-ftz=true"], {0: 0.0, 1: 0.0}), (["-fmad=false"], {4: value(ROUNDED)}),
                                 (["--fmad", "true", "--ftz", "false"], {})):
            with self.subTest(options):
                self.assertEqual(self.run_with(*options), [changed.get(i, v) for i, v in enumerate(exact)])
        fast = self.run_with("--use_fast_math")
        self.assertEqual(fast[:2] + fast[4:], [0.0, 0.0] + exact[4:])
        self.assertAlmostEqual(fast[2], x / 3, delta=2**-22)
        self.assertAlmostEqual(fast[3], x**0.5, delta=2**-22)

    def test_host_rounds_each_step(self):
        host = "#include <cstdio>\n#include <cuda_runtime.h>\nstatic float of(float x, float z) { return x * x + z; }\n" \
               "int main() { float x = 1.0f + 0x1p-12f, z = -1.0f; std::printf(\"%a\\n\", of(x, z)); }\n"
        for name in ("host.cu", "host.cpp"):
            with self.subTest(name):
                (self.folder / name).write_text(host)
                self.command(WARPSTEP, "cc", "-O2", "-o", "host", name)
                self.assertEqual(value(self.command("./host").stdout.strip()), value(ROUNDED))

    def test_instructions(self):
        kernel = "__global__ void k(float *p, float x, float y) { p[0] = x / y; p[1] = sqrtf(x); p[2] = rsqrtf(x); p[3] = x * y + p[4]; }\n"
        for options, wanted in (
                ([], {"div.rn.f32", "sqrt.rn.f32", "rsqrt.approx.f32", "fma.rn.f32"}),
                (["-ftz=true"], {"div.rn.ftz.f32", "sqrt.rn.ftz.f32", "rsqrt.approx.ftz.f32", "fma.rn.ftz.f32"}),
                (["-prec-div=false"], {"div.full.f32", "sqrt.rn.f32", "rsqrt.approx.f32", "fma.rn.f32"}),
                (["--prec-sqrt", "false"], {"div.rn.f32", "sqrt.approx.f32", "rsqrt.approx.f32", "fma.rn.f32"}),
                (["-fmad=false"], {"div.rn.f32", "sqrt.rn.f32", "rsqrt.approx.f32", "mul.rn.f32", "add.rn.f32"}),
                (["-use_fast_math"], {"div.approx.ftz.f32", "sqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32", "fma.rn.ftz.f32"}),
                (["-prec-div=true", "-use_fast_math", "-ftz=false"],
                 {"div.rn.f32", "sqrt.approx.f32", "rsqrt.approx.f32", "fma.rn.f32"})):
            with self.subTest(options):
                code = {word for word in self.code_of(kernel, *options)
                        if word.endswith(".f32") and word.split(".")[0] not in ("ld", "st", "mov")}
                self.assertEqual(code, wanted)

    def test_wrong_values(self):
        (self.folder / "k.cu").write_text("")
        for option in ("-ftz", "-prec-div", "-prec-sqrt", "-fmad", "-rdc"):
            said = self.command(WARPSTEP, "cc", f"{option}=maybe", "-c", "k.cu", code=2).stderr
            self.assertIn(f"cc: {option} is true or false, not 'maybe'", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
