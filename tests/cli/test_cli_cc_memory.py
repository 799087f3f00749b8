"""`warpstep cc`: programs with pitched memory, arrays and textures: test_cli_cc_memory.py WARPSTEP PROBE RECORD"""
import collections
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle

WARPSTEP, PROBE, RECORD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
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
# A plane of 4 x 3 texels, 10 y + x, fetched at the coordinates of `at`.
PLANE = """#include <cstdio>
__global__ void fetch(cudaTextureObject_t t, const float2 *at, float *to)
{
    to[threadIdx.x] = tex2D<float>(t, at[threadIdx.x].x, at[threadIdx.x].y);
}
int main()
{
    float texels[3][4], *to;
    float2 *at;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    for (int i = 0; i < 12; i++)
        texels[i / 4][i % 4] = 10 * (i / 4) + i % 4;
    cudaMallocArray(&array, &format, 4, 3);
    cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 3, cudaMemcpyHostToDevice);
    cudaMallocManaged(&at, 256 * sizeof *at);
    cudaMallocManaged(&to, 256 * sizeof *to);
    for (int mode = 0; mode < 4; mode++)
        for (int normalized = 0; normalized < 2; normalized++)
            for (int linear = 0; linear < 2; linear++) {
                cudaResourceDesc resource = {};
                cudaTextureDesc sampling = {};
                cudaTextureObject_t t;
                resource.resType = cudaResourceTypeArray;
                resource.res.array.array = array;
                sampling.addressMode[0] = sampling.addressMode[1] = (cudaTextureAddressMode)mode;
                sampling.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
                sampling.normalizedCoords = normalized;
                cudaCreateTextureObject(&t, &resource, &sampling, NULL);
                for (int i = 0; i < 256; i++) {
                    at[i].x = ((i % 16) * 0.71875f - 3.21875f) / (normalized ? 4 : 1);
                    at[i].y = ((i / 16) * 0.53125f - 2.40625f) / (normalized ? 3 : 1);
                }
                fetch<<<1, 256>>>(t, at, to);
                cudaDeviceSynchronize();
                for (int i = 0; i < 256; i++)
                    std::printf("%d %d %d %.9g %.9g %.9g\\n", mode, normalized, linear, at[i].x, at[i].y, to[i]);
                cudaDestroyTextureObject(t);
            }
    std::printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
}
"""
# Each texel of 8 x 4 gets that to its right and the one above, by each boundary mode; then one is outside.
SURFACE = """#include <cstdio>
__global__ void mix(cudaSurfaceObject_t from, cudaSurfaceObject_t to, cudaSurfaceBoundaryMode mode, int shift)
{
    int x = threadIdx.x, y = threadIdx.y, up;
    int right = surf2Dread<int>(from, (x + 1) * 4, y, mode);
    surf2Dread(&up, from, x * 4, y - 1, mode);
    surf2Dwrite(100 * right + up, to, (x + shift) * 4, y, mode);
}
int main()
{
    int values[4][8];
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    for (int i = 0; i < 2; i++) {
        cudaMallocArray(&arrays[i], &format, 8, 4, cudaArraySurfaceLoadStore);
        resource.res.array.array = arrays[i];
        cudaCreateSurfaceObject(&surfaces[i], &resource);
    }
    for (int mode = 0; mode < 2; mode++) {
        for (int i = 0; i < 32; i++)
            values[i / 8][i % 8] = i + 1;
        cudaMemcpy2DToArray(arrays[0], 0, 0, values, 32, 32, 4, cudaMemcpyHostToDevice);
        cudaMemcpy2DToArray(arrays[1], 0, 0, values, 32, 32, 4, cudaMemcpyHostToDevice);
        mix<<<1, dim3(8, 4)>>>(surfaces[0], surfaces[1], (cudaSurfaceBoundaryMode)mode, mode ? 0 : 1);
        cudaMemcpy2DFromArray(values, 32, arrays[1], 0, 0, 32, 4, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 32; i++)
            std::printf("%d ", values[i / 8][i % 8]);
    }
    std::printf("%s\\n", cudaGetErrorString(cudaDestroySurfaceObject(surfaces[1])));
    mix<<<1, 8>>>(surfaces[0], surfaces[0], cudaBoundaryModeTrap, 0);
    std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
WRAP, CLAMP, MIRROR, BORDER = range(4)


def place(i, size, mode):
    """The texel that stands for texel `i` of a row, or None: the border."""
    if mode == BORDER:
        return i if 0 <= i < size else None
    if mode == WRAP:
        return i % size
    if mode == MIRROR:
        i %= 2 * size
        return i if i < size else 2 * size - 1 - i
    return min(max(i, 0), size - 1)


def guide_plane(mode, normalized, linear, x, y):
    """The fetch as the CUDA C++ Programming Guide has it: appendix Texture Fetching."""
    if not normalized and mode in (WRAP, MIRROR):
        mode = CLAMP
    x, y = (x * 4, y * 3) if normalized else (x, y)

    def texel(i, j):
        i, j = place(i, 4, mode), place(j, 3, mode)
        return 0 if i is None or j is None else 10 * j + i

    if not linear:
        return texel(math.floor(x), math.floor(y))
    i, j = math.floor(x - .5), math.floor(y - .5)
    a, b = x - .5 - i, y - .5 - j
    return ((1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j) +
            (1 - a) * b * texel(i, j + 1) + a * b * texel(i + 1, j + 1))


def as_float(word):
    return struct.unpack("<f", struct.pack("<I", int(word, 16)))[0]


@unittest.skipIf(program_obstacle(WARPSTEP), program_obstacle(WARPSTEP))
class CcMemory(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def command(self, *command, code=0):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def run_program(self, name, text, mode="cycle"):
        (self.folder / name).write_text(text)
        self.command(WARPSTEP, "cc", name, "-o", "program")
        os.environ["WARPSTEP_MODE"] = mode
        return self.command(self.folder / "program")

    def test_pitched_memory(self):
        self.assertEqual(self.run_program("pitched.cu", PITCHED), "0 0 23 no error\n")
        self.assertEqual(self.run_program("pitched.c", PITCHED_C), "no error -xxxx\n")

    def test_arrays(self):
        self.assertEqual(self.run_program("arrays.cu", ARRAYS), "3 4 32 1 3 16 1 no error\n")

    def test_plane_against_the_guide(self):
        lines = self.run_program("plane.cu", PLANE).splitlines()
        self.assertEqual(lines.pop(), "no error")
        self.assertEqual(len(lines), 16 * 256)
        for line in lines:
            mode, normalized, linear, *values = line.split()
            x, y, value = map(float, values)
            wanted = guide_plane(int(mode), int(normalized), int(linear), x, y)
            # Weights have 8 bits, and texels differ by 3 and 20 at most.
            self.assertLessEqual(abs(value - wanted), 30 / 256 if linear == "1" else 0, line)

    def test_all_fetches_against_an_h200(self):
        ours = self.run_program("probe.cu", PROBE.read_text(), "functional").splitlines()[::149]
        theirs = RECORD.read_text().splitlines()
        self.assertEqual(len(ours), len(theirs))
        differ = collections.Counter()
        for one, other in zip(ours, theirs):
            (what, words), (what_there, words_there) = one.split(":"), other.split(":")
            kind, name, mode, filtered = what.split()[:4]
            self.assertEqual((kind, name, mode, filtered), tuple(what_there.split()[:4]))
            if (kind, mode, filtered) == ("1d", "m3", "lin"):  # a GPU filters with a border above and below
                continue
            if filtered == "pt" or name in ("u8n", "u16n", "s16n"):
                self.assertEqual(words, words_there, what)
            elif name in ("s8n4", "f16"):
                error = max(abs(as_float(a) - as_float(b)) for a, b in zip(words.split(), words_there.split()))
                self.assertLess(error, {"s8n4": 1.01 / 32767, "f16": 1.01 / 2048}[name], one + other)
            else:
                last_places = max(abs(int(a, 16) - int(b, 16)) for a, b in zip(words.split(), words_there.split()))
                self.assertLessEqual(last_places, 1, one + other)
            differ[words != words_there] += 1
        self.assertLess(differ[True], 0.03 * len(ours))

    def test_surfaces(self):
        said = self.run_program("surface.cu", SURFACE).splitlines()
        zero, clamp = [8 * y + x + 1 for y in range(4) for x in range(8)], []
        for y in range(4):
            for x in range(8):
                right = 8 * y + x + 2
                if x < 7:  # the last one writes outside
                    zero[8 * y + x + 1] = 100 * right + (8 * (y - 1) + x + 1 if y > 0 else 0)
                clamp.append(100 * (right if x < 7 else 8 * y + 8) + 8 * max(y - 1, 0) + x + 1)
        self.assertEqual(said[0], " ".join(map(str, zero + clamp)) + " no error")
        self.assertIn(said[1], ("unspecified launch failure", "an illegal instruction was encountered"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
