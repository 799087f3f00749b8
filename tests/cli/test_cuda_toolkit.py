"""Which PTX clang makes does not depend on an installed CUDA toolkit: test_cuda_toolkit.py WARPSTEP

clang's driver takes the version of PTX from a toolkit that it finds, unless it is told where to look. The test can
fail only on a machine with a toolkit in /usr/local/cuda and a clang from 16 on; without, it passes for want of a cause.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import clangs
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
CLANGS = clangs.installed()


@unittest.skipUnless(CLANGS, "clang is not installed")
class Toolkit(unittest.TestCase):
    def test_the_version_of_ptx_is_ours(self):
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder) / "k.cu", pathlib.Path(folder) / "k.wsbin"
            source.write_text("__global__ void k(int *o) { o[threadIdx.x] = 1; }\n")
            for clang in CLANGS:
                with self.subTest(clang=clang):
                    subprocess.run([PROGRAM, "asm", source, "-o", binary, "--no-cache"], check=True, timeout=HANGS,
                                   stdout=subprocess.DEVNULL, env={**os.environ, "WARPSTEP_CLANG": clang})
                    self.assertEqual(re.findall(rb"\.version (\S+)", binary.read_bytes()), [b"7.5"])


if __name__ == "__main__":
    unittest.main()
