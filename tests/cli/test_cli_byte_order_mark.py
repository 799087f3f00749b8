"""A UTF-8 byte-order mark in front of a text is passed over: test_cli_byte_order_mark.py WARPSTEP"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
MARK = '\ufeff'
CUDA = '#include "factor.h"\nextern "C" __global__ void k(int *x)\n{\n    x[threadIdx.x] = FACTOR * threadIdx.x;\n}\n'
HEADER = '#define FACTOR 3\n'
LAUNCH = ('version: 1\nprogram: PROGRAM\ndevice: ./d.yaml\nbuffers: {x: {type: s32, count: 4}}\nkernel: k\n'
          'grid: 1\nblock: 4\nparams: [{ref: x}]\nexpect: [{buffer: x, linear: {start: 0, step: 3}}]\n')
DEVICE = 'inherit: h200\nname: Marked\nsms: 1\n'
BYTECODE = ('.kernel k\n.param u64 x\nS2R R0, SR_TID.X ;\nLDC.64 R2, c[x] ;\nIMAD.WIDE R2, R0, 4, R2 ;\n'
            'IMAD R4, R0, 3, RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n')
PTX = ('.version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n'
       '.reg .b32 %r<3>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x;\n'
       'mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mul.lo.u32 %r2, %r1, 3;\n'
       'st.global.u32 [%rd3], %r2; ret;\n}\n')


class ByteOrderMark(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write('d.yaml', DEVICE)
        self.write('factor.h', HEADER)

    def write(self, name, text, mark=MARK):
        (self.folder / name).write_text(mark + text, encoding='utf-8')

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=HANGS)

    def test_programs(self):
        for name, text in (('k.cu', CUDA), ('k.ptx', PTX), ('k.wsasm', BYTECODE)):
            with self.subTest(program=name):
                self.write(name, text)
                self.write('launch.yaml', LAUNCH.replace('PROGRAM', name))
                done = self.call('run', 'launch.yaml')
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn('k on Marked', done.stdout)
                self.assertIn('passed  x', done.stdout)
                self.assertNotIn(MARK, self.call('disasm', name).stdout)

    def test_places_are_those_of_the_text(self):
        for name, text, place in (('k.cu', 'int = 3;\n', ':1:'), ('k.ptx', '?\n', ':1:1:'),
                                  ('k.wsasm', '?\n', ':1:1:')):
            self.write(name, text)
            done = self.call('check', name)
            self.assertEqual(done.returncode, 3)
            self.assertIn(name + place, done.stderr)

    def test_one_alone_and_only_in_front(self):
        for name, text in (('k.cu', CUDA), ('k.ptx', PTX), ('k.wsasm', BYTECODE)):
            for damaged in (MARK + text, '\n' + MARK + text):
                self.write(name, damaged)
                self.assertEqual(self.call('check', name).returncode, 3, name)


if __name__ == '__main__':
    unittest.main()
