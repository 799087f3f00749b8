"""The functions of <cuComplex.h>: test_complex.py WARPSTEP"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
A, B, C = 3 + 4j, 1 - 2j, -0.5 + 8j

KERNEL = """\
#include <cuComplex.h>
#define ALL(out, complex, real, end, make) { \\
    complex a = make(3, 4), b = make(1, -2), c = make(-0.5, 8); \\
    out[0] = cuCadd##end(a, b); out[1] = cuCsub##end(a, b); out[2] = cuCmul##end(a, b); \\
    out[3] = cuCdiv##end(a, b); out[4] = cuCfma##end(a, b, c); out[5] = cuConj##end(a); \\
    out[6] = make(cuCabs##end(a), cuCreal##end(b)); out[7] = make(cuCimag##end(b), 0); }
extern "C" __global__ void functions(cuComplex *f, cuDoubleComplex *d)
{
    ALL(f, cuFloatComplex, float, f, make_cuFloatComplex)
    ALL(d, cuDoubleComplex, double, , make_cuDoubleComplex)
    f[8] = cuComplexDoubleToFloat(make_cuDoubleComplex(0.1, 2));
    d[8] = cuComplexFloatToDouble(make_cuComplex(0.5f, 2));
}
"""
LAUNCH = """\
version: 1
program: kernel.cu
kernel: functions
grid: 1
block: 1
params: [{ref: f}, {ref: d}]
buffers:
  f: {type: f32, count: 18}
  d: {type: f64, count: 18}
"""


class Complex(unittest.TestCase):
    def test_functions(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / 'kernel.cu').write_text(KERNEL)
            (folder / 'launch.yaml').write_text(LAUNCH)
            done = subprocess.run([PROGRAM, 'run', 'launch.yaml', '--dump', 'f=f.bin', '--dump', 'd=d.bin'],
                                  cwd=folder, capture_output=True, text=True, timeout=HANGS)
            self.assertEqual(done.returncode, 0, done.stderr)
            results = {'f': struct.unpack('<18f', (folder / 'f.bin').read_bytes()),
                       'd': struct.unpack('<18d', (folder / 'd.bin').read_bytes())}
        expected = [A + B, A - B, A * B, A / B, A * B + C, A.conjugate(), complex(abs(A), B.real), complex(B.imag, 0)]
        for kind, last, places in (('f', 0.1 + 2j, 6), ('d', 0.5 + 2j, 14)):
            for i, value in enumerate(expected + [last]):
                with self.subTest(kind=kind, number=i):
                    self.assertAlmostEqual(results[kind][2 * i], value.real, places)
                    self.assertAlmostEqual(results[kind][2 * i + 1], value.imag, places)


if __name__ == '__main__':
    unittest.main()
