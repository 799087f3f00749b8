"""Headers of libraries without source: test_cli_closed_libraries.py WARPSTEP SOURCES"""
import concurrent.futures
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

WARPSTEP, SOURCES = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
RARE = SOURCES / "isa" / "cuda" / "include" / "rare"

# Header, the guard that programs test, a call, and whose function it is; None: it shares the library of a row above.
CALLS = (
    ("cublas_v2.h", "CUBLAS_V2_H_", "cublasSgemm(0, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1)", "cuBLAS, a library"),
    ("cublas_api.h", "CUBLAS_API_H_", "cublasDgemm_v2(0, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1)", None),
    ("cublasLt.h", None, "cublasLtMatrixLayoutCreate(0, CUDA_R_16F, 1, 1, 1)", None),
    ("cublasXt.h", None, "cublasXtZgemm(0, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1)", None),
    ("cufft.h", "_CUFFT_H_", "cufftPlan1d(0, 1, CUFFT_C2C, 1)", "cuFFT, a library"),
    ("cufftXt.h", "_CUFFTXT_H_", "cufftXtSetGPUs(0, 0, 0)", None),
    ("curand.h", "CURAND_H_", "curandCreateGenerator(0, CURAND_RNG_PSEUDO_MRG32K3A)", "cuRAND, a library"),
    ("cusparse.h", "CUSPARSEAPI", "cusparseCcsrsv2_solve(0, CUSPARSE_OPERATION_TRANSPOSE, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, CUSPARSE_SOLVE_POLICY_NO_LEVEL, 0)",
     "cuSPARSE, a library"),
    ("cusolverDn.h", "CUSOLVERDN_H_", "cusolverDnDpotrf_bufferSize(0, CUBLAS_FILL_MODE_LOWER, 1, 0, 1, 0)", "cuSOLVER, a library"),
    ("cusolverSp.h", "CUSOLVERSP_H_", "cusolverSpCreate(0)", None),
    ("cusolverRf.h", "CUSOLVER_COMMON_H_", "cusolverRfCreate(0)", None),
    ("cudnn.h", "CUDNN_H_", "cudnnAddTensor(0, 0, 0, 0, 0, 0, 0)", "cuDNN, a library"),
    ("nccl.h", "NCCL_H_", "ncclAllReduce(0, 0, 1, ncclFloat, ncclSum, 0, 0)", "NCCL, a library"),
    ("nvrtc.h", "__NVRTC_H__", "nvrtcGetPTX(0, 0)", "NVRTC, a library"),
    ("nvml.h", "__nvml_nvml_h__", "nvmlDeviceGetPowerUsage(0, 0)", "NVML, a library"),
    ("cuda.h", "__cuda_cuda_h__", "cuInit(0)", "the driver API, an interface"),
    ("cudaGL.h", None, "cuMemcpyHtoD(0, 0, 1)", None),
    ("cuda_gl_interop.h", "__CUDA_GL_INTEROP_H__", "cudaGraphicsMapResources(1, 0, 0)", None),
)
# One number of each kind, as the documentation has it.
NUMBERS = {
    "CUBLAS_STATUS_LICENSE_ERROR": 16, "CUBLAS_OP_C": 2, "CUBLAS_GEMM_DEFAULT_TENSOR_OP": 99, "CUBLAS_COMPUTE_32F_FAST_TF32": 77, "CUDA_R_32F": 0,
    "CUDA_C_64F": 5, "CUDA_R_16BF": 14, "CUBLASLT_MATMUL_DESC_EPILOGUE": 7, "CUBLASLT_EPILOGUE_GELU_BIAS": 36, "CUBLASXT_TRMM": 11, "CUFFT_Z2Z": 0x69,
    "CUFFT_NOT_SUPPORTED": 16, "CUFFT_INVERSE": 1, "CUFFT_CB_ST_REAL_DOUBLE": 7, "CURAND_RNG_PSEUDO_PHILOX4_32_10": 161, "CURAND_STATUS_INTERNAL_ERROR": 999,
    "CUSPARSE_INDEX_32I": 2, "CUSPARSE_SPMV_CSR_ALG2": 3, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES": 11, "CUSOLVER_STATUS_INVALID_LICENSE": 11,
    "CUSOLVER_EIG_TYPE_3": 3, "CUSOLVERRF_TRIANGULAR_SOLVE_ALG1": 1, "CUDNN_STATUS_EXECUTION_FAILED": 8, "CUDNN_DATA_BFLOAT16": 9, "CUDNN_POOLING_MAX": 0,
    "ncclBfloat16": 9, "ncclInvalidUsage": 5, "NVRTC_ERROR_COMPILATION": 6, "NVML_ERROR_GPU_IS_LOST": 15, "NVML_CLOCK_MEM": 2,
    "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR": 75, "CUDA_ERROR_NOT_FOUND": 500, "CU_AD_FORMAT_FLOAT": 32, "CU_JIT_LOG_VERBOSE": 12,
    "CU_MEM_ALLOCATION_TYPE_PINNED": 1, "CU_GL_DEVICE_LIST_NEXT_FRAME": 3, "cudaGraphicsRegisterFlagsWriteDiscard": 2,
}


# What only code of devices includes, and ours that have no name in CUDA.
DEVICE = ("cooperative_groups", "cooperative_groups.h", "cuda_pipeline.h", "cuda_pipeline_primitives.h", "warpstep")


def includes(names):
    return "".join(f"#include <{name}>\n" for name in names)


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class ClosedLibraries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.environment = {**os.environ, "XDG_CACHE_HOME": caches.shared_or(cls.folder / "cache")}

    def run_it(self, *words, code=0):
        done = subprocess.run([WARPSTEP, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def test_each_alone(self):
        """In C and in C++; tests of all headers (cuda_headers) have each alone in a kernel's file."""
        paths = {str(path.relative_to(RARE)): path for path in sorted(RARE.rglob("*.h")) if path.relative_to(RARE).parts[0] not in DEVICE}
        other = [name for name, path in paths.items() if path.read_text().count("\n") < 6]  # names of others
        guards = {header: guard for header, guard, _, _ in CALLS}
        self.assertLessEqual(set(guards), set(paths))
        lists = []
        for ending in ("c", "cpp"):
            sources = [self.write(f"others.{ending}", includes(other))]
            for number, name in enumerate(sorted(set(paths) - set(other))):
                guard = guards.get(name)
                asked = f"#ifndef {guard}\n#error {name}\n#endif\n" if guard else ""
                sources.append(self.write(f"alone{number}.{ending}", includes([name, name]) + asked))
            lists.append(sources)
            (self.folder / f"{sources[0]}.d").mkdir()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for _ in pool.map(lambda sources: self.run_it("cc", "-c", "-odir", sources[0] + ".d", *sources), lists):
                pass

    def test_all_together(self):
        names = [header for header, *_ in CALLS]
        text = includes(names) + "".join(f"static_assert((int){name} == {number}, \"{name}\");\n" for name, number in NUMBERS.items())
        self.run_it("cc", "-c", self.write("together.cu", text + "__global__ void kernel() {}\n"))
        self.run_it("check", "together.cu")
        asserts = text.replace("static_assert", "_Static_assert")
        self.run_it("cc", "-c", self.write("together.c", asserts))
        toolkit = self.run_it("cc", "--toolkit").stdout.strip()
        self.write("plain.c", includes(names))
        self.write("plain.cpp", includes(names))
        for compiler, standard, source in (("gcc", "c99", "plain.c"), ("g++", "c++11", "plain.cpp")):
            if shutil.which(compiler) is not None:
                subprocess.run([compiler, f"-std={standard}", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{toolkit}/include", source],
                               cwd=self.folder, check=True)

    def test_calls_do_not_link(self):
        calls = "".join(f"    {call};\n" for _, _, call, _ in CALLS)
        self.write("calls.cpp", includes(header for header, *_ in CALLS) + "void cuMine(void);\nint main()\n{\n    cuMine();\n" + calls + "}\n")
        text = self.run_it("cc", "calls.cpp", "-o", "calls", "-lcublas", "-lcublasLt", "-lcufft", "-lcurand", "-lcuda", "-lcudnn",
                           "-lcusolver", "-lcusparse", "-lnccl", "-lnvrtc", "-lnvidia-ml", code=3).stderr
        for _, _, call, _ in CALLS:
            self.assertRegex(text, r"undefined reference to `%s'" % re.match(r"\w+", call)[0])
        notes = [f"{re.match(r'[A-Za-z0-9_]+', call)[0]} is a function of {whose} that Warpstep does not have"
                 for _, _, call, whose in CALLS if whose is not None]
        self.assertEqual(text.splitlines()[-1], "error: the program does not link: " + "; ".join(notes))
        self.assertFalse((self.folder / "calls").exists())

    def test_the_old_interface(self):
        self.write("old.c", "#include <cublas.h>\nint main(void)\n{\n    cublasInit();\n    cublasStrmm('L', 'U', 'N', 'N', 1, 1, 1.0f, 0, 1, 0, 1);\n"
                   "    return cublasSdot(1, 0, 1, 0, 1) + cublasIsamax(1, 0, 1) > 0;\n}\n")
        self.assertIn("cublasInit is a function of cuBLAS", self.run_it("cc", "old.c", "-o", "old", code=3).stderr)

    def test_what_is_not_called_is_no_matter(self):
        kernel = "__global__ void kernel(float *x) { x[threadIdx.x] *= 2; }\n"
        for name, line in (("with", "#include <cublas_v2.h>\n"), ("without", "\n")):
            (self.folder / name).mkdir()
            self.write(f"{name}/same.cu", line + kernel + "int main() { return 0; }\n")
        texts = [self.run_it("cc", "-ptx", f"{name}/same.cu", "-o", "same.ptx") and (self.folder / "same.ptx").read_text().replace(f"{name}/", "")
                 for name in ("with", "without")]
        self.assertIn(".entry", texts[0])
        self.assertEqual(*texts)
        self.assertEqual(self.run_it("disasm", "with/same.cu").stdout.replace("with/", ""), self.run_it("disasm", "without/same.cu").stdout.replace("without/", ""))
        self.run_it("cc", "with/same.cu", "-lcublas", "-o", "same")
        subprocess.run([self.folder / "same"], check=True)

    def test_a_header_that_is_not_there(self):
        self.write("no.cu", "#include <cublas_v3.h>\n")
        self.assertIn("it is of cuBLAS, of which there are only the declarations", self.run_it("check", "no.cu", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
