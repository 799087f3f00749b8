"""The binding for Python: test_python.py LIBRARY FOLDER_OF_THE_BINDING"""
import array
import gc
import os
import pathlib
import struct
import sys
import tempfile
import unittest

os.environ['WARPSTEP_LIBRARY'] = sys.argv[1]
sys.path.insert(0, sys.argv[2])
del sys.argv[1:3]
sys.dont_write_bytecode = True

import warpstep  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

KERNELS = '''.version 7.5
.target sm_80
.address_size 64
.global .align 4 .u32 total;
.visible .entry scale(.param .u64 x, .param .f32 by, .param .s32 n)
{
 .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<5>;
 ld.param.u64 %rd1, [x];
 ld.param.f32 %f1, [by];
 ld.param.s32 %r1, [n];
 mov.u32 %r2, %ctaid.x;
 mov.u32 %r3, %ntid.x;
 mov.u32 %r4, %tid.x;
 mad.lo.s32 %r5, %r2, %r3, %r4;
 setp.ge.s32 %p1, %r5, %r1;
 @%p1 bra DONE;
 mul.wide.s32 %rd2, %r5, 4;
 add.s64 %rd3, %rd1, %rd2;
 ld.global.f32 %f2, [%rd3];
 mul.f32 %f3, %f2, %f1;
 st.global.f32 [%rd3], %f3;
 mov.u64 %rd4, total;
 red.global.add.u32 [%rd4], 1;
DONE:
 ret;
}
'''


def floats(count):
    return array.array('f', range(count))


class Binding(unittest.TestCase):
    def setUp(self):
        self.gpu = warpstep.Machine('h200', sms=2)
        self.program = self.gpu.compile(KERNELS, 'scale.ptx')
        self.scale = self.program.scale

    def tearDown(self):
        self.gpu.close()

    def test_an_array_is_worked_on_in_place(self):
        x = floats(100)
        run = self.gpu.launch(self.scale, 4, 32, x, 2, 100)
        self.assertEqual(list(x), [2 * i for i in range(100)])
        self.assertGreater(run.cycles, 0)
        self.assertEqual(sum(run.stalls.values()), run.warp_cycles)
        self.assertEqual(run.stall_table()[0][1], max(run.stalls.values()))
        self.assertIn('"kernel"', run.json)
        x.append(1)  # it is the caller's again

    def test_runs_are_the_same_each_time(self):
        texts = [self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100).json for _ in range(2)]
        with warpstep.Machine('h200', sms=2) as other:
            texts.append(other.launch(other.compile(KERNELS, 'scale.ptx').scale, 4, 32, floats(100), 2, 100).json)
        self.assertEqual(texts, texts[:1] * 3)

    def test_buffers_and_symbols(self):
        buffer = self.gpu.alloc(100, 'f32', 'x')
        buffer.write(floats(100))
        self.gpu.launch(self.scale, 4, 32, buffer, 3.0, 100, functional=True)
        self.assertEqual(struct.unpack('<2f', buffer.read(8, 4)), (3, 6))
        self.assertEqual(self.program.read_symbol('total', 4), struct.pack('<I', 100))
        self.program.write_symbol('total', struct.pack('<I', 7))
        self.assertEqual(self.program.read_symbol('total', 4), struct.pack('<I', 7))
        buffer.free()
        with self.assertRaises(warpstep.BadCall):
            buffer.read()

    def test_several_launches(self):
        x = floats(64)
        self.gpu.queue(self.scale, 2, 32, x, 2, 64)
        with self.assertRaises(TypeError):
            self.gpu.queue(self.scale, 2, 32, floats(8), 'two', 64)
        self.gpu.queue(self.scale, 1, 32, x, 2, 32, keep_caches=True)
        run = self.gpu.run()
        self.assertEqual((x[1], x[63]), (4, 126))
        self.assertEqual(len(run.launches), 2)
        self.assertLess(run.launches[1].cycles, run.launches[0].cycles)

    def test_what_waits_is_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'one.yaml'
            self.assertRaises(warpstep.BadCall, self.gpu.save, path)
            x = array.array('f', [1.0] * 100)
            self.gpu.queue(self.program.scale, 4, 32, x, 2.0, 100)
            self.gpu.save(path)
            self.assertIn('kernel: scale', path.read_text())
            self.assertEqual(len(self.gpu.run().launches), 1)
            self.assertEqual(x[99], 2.0)

    def test_faults_are_exceptions(self):
        x = floats(100)
        with self.assertRaises(warpstep.Fault) as caught:
            self.gpu.launch(self.scale, 4, 32, x, 2, 101)
        self.assertEqual((caught.exception.block, caught.exception.thread), ((3, 0, 0), (4, 0, 0)))
        self.assertEqual((caught.exception.file, caught.exception.line), ('scale.ptx', 19))
        self.assertIn("'x'", str(caught.exception))
        self.assertEqual(len(caught.exception.run.launches), 1)
        with self.assertRaises(warpstep.Fault):
            self.gpu.launch(self.scale, 1, 32, 0, 2, 1)
        self.gpu.set_limits(max_cycles=5)
        with self.assertRaises(warpstep.Limit):
            self.gpu.launch(self.scale, 4, 32, x, 2, 100)

    def test_wrong_arguments(self):
        x = floats(100)
        for error, arguments in ((TypeError, (x, 2)), (TypeError, (x, 'two', 3)), (TypeError, (x, 2.0, x)),
                                 (ValueError, (x, 2.0, 1 << 32)), (TypeError, (x, 2.0, 1.5)), (ValueError, (x, 2.0, b'12')),
                                 (ValueError, (memoryview(bytes(16)), 2.0, 1)), (ValueError, (memoryview(x)[::2], 2.0, 1)),
                                 (ValueError, (floats(0), 2.0, 1))):
            with self.subTest(arguments=arguments), self.assertRaises(error):
                self.gpu.queue(self.scale, 1, 32, *arguments)
        for grid in (0, (1, 2, 3, 4), 'x', 1.5, -1):
            with self.subTest(grid=grid), self.assertRaises((TypeError, ValueError, warpstep.BadInput)):
                self.gpu.queue(self.scale, grid, 32, x, 2, 3)
        with self.assertRaises(warpstep.BadCall):
            self.gpu.run()
        with self.assertRaises(AttributeError):
            self.program.none
        with self.assertRaises(warpstep.BadCall):
            self.program['none']
        with self.assertRaises(warpstep.BadInput) as caught:
            self.gpu.compile('.version 7.5\n.target sm_80\nnonsense\n', 'k.ptx')
        self.assertEqual((caught.exception.file, caught.exception.line), ('k.ptx', 3))
        with self.assertRaises(warpstep.BadInput):
            warpstep.Machine('no such device')
        with self.assertRaises(KeyError):
            self.gpu.setting('no.such')
        self.assertEqual(self.gpu.setting('sms'), '2')

    def test_kernels_are_described(self):
        self.assertEqual([kernel.name for kernel in self.program.kernels], ['scale'])
        self.assertEqual(self.scale.parameters[1][:2], ('by', 'f32'))
        self.assertIn('scale', repr(self.scale))
        self.assertRegex(warpstep.version(), r'^\d+\.\d+\.\d+$')

    def test_stepping(self):
        x = floats(100)
        with self.gpu.step(self.scale, 4, 32, x, 2, 100) as run:
            end = run.go_to_end()
            self.assertTrue(run.is_over)
            self.assertEqual(x[5], 10)
            self.assertEqual(run.go(30), 30)
            self.assertEqual(x[5], 5)
            warp = run.warps()[0]
            self.assertEqual(run.value('threadIdx.x * 2', warp['sm'], warp['slot'], lane=4), '8')
            self.assertIsInstance(run.register(warp['sm'], warp['slot'], 0, 0), int)
            self.assertIn('sm', run.do('info warps'))
            with self.assertRaises(warpstep.BadCall):
                run.do('no such command')
            with self.assertRaises(warpstep.BadCall):
                self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100)
            self.assertEqual(run.go_to_end(), end)
        x.append(1)
        self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100)

    def test_events(self):
        seen = []
        self.gpu.observe('issue,block_end', seen.append)
        self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100)
        self.assertEqual(sum(event['kind'] == 'block_end' for event in seen), 4)
        self.assertTrue(all(event['instruction'] for event in seen if event['kind'] == 'issue'))
        self.gpu.observe('issue', lambda event: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100)
        self.gpu.observe(None, None)
        self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100)

    def test_a_notebook_shows_it(self):
        run = self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100)
        self.assertIn('<table>', run._repr_html_())
        self.assertIn('%d cycles' % run.cycles, repr(run))
        run = self.gpu.launch(self.scale, 4, 32, floats(100), 2, 100, page=True)
        self.assertIn('<iframe' if run.html else '<table>', run._repr_html_())

    def test_machines_go_with_their_last_name(self):
        for _ in range(3):
            warpstep.Machine('h200', sms=1).compile(KERNELS, 'scale.ptx')
        gc.collect()
        with warpstep.Machine('h200') as gpu:
            pass
        with self.assertRaises(ValueError):
            gpu.set_limits()

    @unittest.skipIf(numpy is None, 'numpy is not there')
    def test_numpy(self):
        x = numpy.arange(128, dtype=numpy.float32).reshape(8, 16)
        run = self.gpu.launch(self.scale, (4, 1), (32,), x, numpy.float32(0.5), numpy.int32(x.size))
        self.assertTrue((x == numpy.arange(128, dtype=numpy.float32).reshape(8, 16) / 2).all())
        self.assertGreater(run.achieved_occupancy, 0)
        self.gpu.launch(self.scale, 1, 32, x[2:4], 0, numpy.int64(32))
        self.assertEqual(x[2:4].sum(), 0)
        self.assertNotEqual(x[4].sum(), 0)
        with self.assertRaises(ValueError):
            self.gpu.launch(self.scale, 1, 32, x.T, 2, 1)
        x.flags.writeable = False
        with self.assertRaises(ValueError):
            self.gpu.launch(self.scale, 1, 32, x, 2, 1)


if __name__ == '__main__':
    unittest.main()
