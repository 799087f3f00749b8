"""`warpstep cc`: programs with pitched memory, arrays and textures: test_cli_cc_memory.py WARPSTEP"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG

WARPSTEP = pathlib.Path(sys.argv[1]).resolve()
PITCHED = """#include <cstdio>
__global__ void fill(cudaPitchedPtr p)
{
    int x = threadIdx.x, y = threadIdx.y;
    ((float *)((char *)p.ptr + (p.ysize + y) * p.pitch))[x] = x + 10 * y;
}
int main()
{
    float back[24], *pooled;
    cudaExtent extent = make_cudaExtent(4 * sizeof(float), 3, 2);
    cudaPitchedPtr p;
    cudaMemPool_t pool;
    cudaMemcpy3DParms copy = {0};
    cudaMalloc3D(&p, extent);
    cudaMemset3D(p, 0, extent);
    fill<<<1, dim3(4, 3)>>>(p);
    copy.srcPtr = p;
    copy.dstPtr = make_cudaPitchedPtr(back, 16, 4, 3);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMallocFromPoolAsync(&pooled, 100, pool, 0);
    cudaFreeAsync(pooled, 0);
    std::printf("%g %g %g %s\\n", back[11], back[12], back[23], cudaGetErrorString(cudaGetLastError()));
}
"""
# The same of a C compiler: no name of it is C++.
PITCHED_C = """#include <cuda_runtime.h>
#include <stdio.h>
int main(void)
{
    char back[6] = "";
    struct cudaPitchedPtr p;
    struct cudaMemcpy3DParms copy = {0};
    cudaMalloc3D(&p, make_cudaExtent(5, 1, 1));
    cudaMemset3D(p, 'x', make_cudaExtent(5, 1, 1));
    copy.srcPtr = p;
    copy.dstPtr = make_cudaPitchedPtr(back, 5, 5, 1);
    copy.dstPos = make_cudaPos(1, 0, 0);
    copy.extent = make_cudaExtent(4, 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    back[0] = '-';
    printf("%s %s\\n", cudaGetErrorString(cudaMemcpy3D(&copy)), back);
    return 0;
}
"""
ARRAYS = """#include <cstdio>
int main()
{
    float back[6], values[] = {1, 2, 3, 4, 5, 6};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>(), found;
    cudaExtent extent;
    cudaArray *array;
    cudaMallocArray(&array, &format, 3);
    cudaMemcpyToArray(array, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemcpy2DFromArray(back, 8, array, 8, 0, 8, 1, cudaMemcpyDeviceToHost);
    cudaArrayGetInfo(&found, &extent, 0, array);
    cudaFreeArray(array);
    format = cudaCreateChannelDesc<unsigned short>();
    std::printf("%g %g %d %d %zu %d %d %s\\n", back[0], back[1], found.y, found.f == cudaChannelFormatKindFloat,
                extent.width, format.x, format.f, cudaGetErrorString(cudaGetLastError()));
}
"""


@unittest.skipUnless(HAS_CLANG and pathlib.Path("/usr/include/c++").is_dir(), "no clang or no C++ headers")
class CcMemory(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def command(self, *command, code=0):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def run_program(self, name, text):
        (self.folder / name).write_text(text)
        self.command(WARPSTEP, "cc", name, "-o", "program")
        return self.command(self.folder / "program")

    def test_pitched_memory(self):
        self.assertEqual(self.run_program("pitched.cu", PITCHED), "0 0 23 no error\n")
        self.assertEqual(self.run_program("pitched.c", PITCHED_C), "no error -xxxx\n")

    def test_arrays(self):
        self.assertEqual(self.run_program("arrays.cu", ARRAYS), "3 4 32 1 3 16 1 no error\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
