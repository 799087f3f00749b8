#!/usr/bin/env python3
"""Static shared memory: 48 KiB a kernel are compiled, as by ptxas for every target; more is dynamic.

    test_cli_shared_limit.py WARPSTEP
"""
import os
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
CUDA = """__global__ void k(char *o)
{
    __shared__ char s[SIZE];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x ^ 1];
}
"""
TWO_ARRAYS = CUDA.replace("s[SIZE];", "s[SIZE], t[30000];").replace("^ 1];", "^ 1] + t[threadIdx.x ^ 2];").replace(
    "s[threadIdx.x] = threadIdx.x;", "t[threadIdx.x] = s[threadIdx.x] = threadIdx.x;")
DYNAMIC = CUDA.replace("__shared__ char s[SIZE];", "extern __shared__ char s[];").replace("s[threadIdx.x", "s[60000 + threadIdx.x")
PTX = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .shared .align 4 .b8 s[SIZE];
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r2, s;
  st.shared.u32 [%r2], %r2;
  ld.shared.u32 %r3, [%r2+4];
  st.global.u32 [%rd0], %r3;
  ret;
}
"""


class SharedLimit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_kernel(self, program, text, dynamic=0, command="run"):
        with open(os.path.join(self.folder, program), 'w', encoding='utf-8') as file:
            file.write(text)
        with open(os.path.join(self.folder, 'launch.yaml'), 'w', encoding='utf-8') as file:
            file.write(f"version: 1\nprogram: {program}\ndevice: h200\nbuffers: {{o: {{type: u8, count: 64}}}}\n"
                       f"kernel: k\ngrid: 1\nblock: 64\ndynamic_shared_bytes: {dynamic}\nparams: [{{ref: o}}]\n")
        return subprocess.run([PROGRAM, command, 'launch.yaml'], cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=HANGS)

    def refused(self, program, text, place, size):
        for command in ('run', 'check'):
            done = self.run_kernel(program, text, command=command)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn(f"{place}: error: kernel 'k' has more than 49152 bytes of static shared memory ({size}): "
                          "declare the array extern and launch with dynamic_shared_bytes", done.stderr)

    def taken(self, *what):
        done = self.run_kernel(*what)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_ptx(self):
        self.taken('k.ptx', PTX.replace('SIZE', '49152'))
        self.refused('k.ptx', PTX.replace('SIZE', '49153'), 'k.ptx:6:24', 49153)

    def test_cuda(self):
        self.taken('k.cu', CUDA.replace('SIZE', '49152'))
        self.refused('k.cu', CUDA.replace('SIZE', '49153'), 'k.cu:2', 49153)

    def test_arrays_together(self):
        self.taken('k.cu', TWO_ARRAYS.replace('SIZE', '19152'))
        self.refused('k.cu', TWO_ARRAYS.replace('SIZE', '30000'), 'k.cu:2', 60000)

    def test_more_is_dynamic(self):
        self.taken('k.cu', DYNAMIC, 65536)


if __name__ == '__main__':
    unittest.main()
