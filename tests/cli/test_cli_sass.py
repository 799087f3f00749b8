"""Machine code of nvcc (tests/data/sass, workloads/vecadd) in the place of workloads' own programs: test_cli_sass.py WARPSTEP ROOT"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

WARPSTEP, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
DATA = ROOT / 'tests/data/sass'
VECADD = ROOT / 'workloads/vecadd/kernel.sass'
# Launch files whose checks hold; `global_sum` has BRA.DIV and WARPSYNC.COLLECTIVE, `reduction` shared memory and shuffles.
LAUNCHES = [('vecadd', 'vecadd'), ('vecadd/n1003', 'vecadd'), ('reduction', 'reduction'), ('reduction/thread_0', 'reduction'),
            ('reduction/partial', 'reduction'), ('transpose/tiled', 'transpose'), ('transpose/naive', 'transpose'),
            ('global_sum', 'global_sum'), ('global_sum/grid_barrier', 'global_sum'), ('alignment/cached_1', 'alignment')]


def listing(name):
    return VECADD if name == 'vecadd' else DATA / f'{name}.sass'


def run(*arguments, **options):
    return subprocess.run([WARPSTEP, *map(str, arguments)], capture_output=True, text=True, **options)


def figures(*arguments):
    done = run('run', *arguments, '--format', 'json')
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)['launches'][0]


def measured():
    """Warp instructions of the first launch on the H200, by launch file."""
    with open(ROOT / 'tests/data/h200_kernels.csv', encoding='utf-8', newline='') as file:
        return {row['job'].replace('-', '/', 1): int(float(row['warp_instructions'])) for row in csv.DictReader(file)
                if row['launch'] == '0'}


class MachineCode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding='utf-8')
        return self.folder / name

    def test_results_are_those_of_the_launch_file(self):
        for target, name in LAUNCHES:
            with self.subTest(target):
                done = run('run', target, '--program', listing(name))
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertRegex(done.stdout, 'passed  ')

    def test_instructions_are_as_many_as_on_the_gpu(self):
        counts = measured()
        compared = 0
        for target, name in LAUNCHES:
            key = target if '/' in target else f'{target}/launch'
            if key in counts and target != 'global_sum/grid_barrier':  # it waits in a loop
                got = figures(target, '--sms', '132', '--program', listing(name))['warp_instructions']
                self.assertEqual(got, counts[key], key)
                compared += 1
        self.assertGreaterEqual(compared, 5)

    def test_control_fields_of_ptxas_suffice(self):
        for target, name in LAUNCHES:
            with self.subTest(target):
                done = run('run', target, '--program', listing(name), '--set', 'dependences=control')
                self.assertEqual((done.returncode, done.stderr), (0, ''))

    def test_without_timing_the_values_are_the_same(self):
        for target, name in LAUNCHES:
            with self.subTest(target):
                done = run('run', target, '--program', listing(name), '--functional')
                self.assertEqual((done.returncode, done.stderr), (0, ''))

    def test_a_launch_file_names_it(self):
        launch = (ROOT / 'workloads/vecadd/launch.yaml').read_text(encoding='utf-8')
        self.write('launch.yaml', launch.replace('kernel.cu', 'vecadd.sass'))
        self.write('vecadd.sass', (VECADD).read_text(encoding='utf-8'))
        alone, beside = figures(self.folder), figures('vecadd', '--program', VECADD)
        for key in ('cycles', 'warp_instructions', 'registers_per_thread', 'stalls'):
            self.assertEqual(alone[key], beside[key], key)

    def test_bytecode_and_recordings_keep_it(self):
        binary, recording = self.folder / 'r.wsbin', self.folder / 'r.wsrec'
        text = DATA / 'reduction.sass'
        self.assertEqual(run('asm', text, '-o', binary).returncode, 0)
        whole = figures('reduction', '--program', text)
        self.assertEqual(figures('reduction', '--program', binary), whole)
        self.assertEqual(run('run', 'reduction', '--program', text, '--record', recording).returncode, 0)
        self.assertEqual(figures(recording)['cycles'], whole['cycles'])

    def test_other_programs_run_in_place_of_the_launch_files(self):
        program = ROOT / 'workloads/vecadd/kernel.cu'
        self.assertEqual(figures('vecadd', '--program', program)['stalls'], figures('vecadd')['stalls'])

    def test_a_kernel_that_cannot_run_is_refused_with_its_line(self):
        text = (VECADD).read_text(encoding='utf-8')
        self.assertIn('FADD', text)
        done = run('run', 'vecadd', '--program', self.write('k.sass', text.replace('FADD', 'FXYZ', 1)))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r'k\.sass:\d+: error: \'FXYZ R\d+, R\d+, R\d+\' is not supported: there is no instruction "FXYZ"')

    def test_what_is_no_program(self):
        for name, message in (('k.txt', 'this is not a program'), ('none.sass', 'cannot open'),
                              ('empty.sass', 'there is no machine code')):
            self.write('empty.sass', '')
            done = run('run', 'vecadd', '--program', self.folder / name)
            self.assertEqual(done.returncode, 3)
            self.assertIn(message, done.stderr)

    def test_a_recording_takes_no_other_program(self):
        recording = self.folder / 'r.wsrec'
        self.assertEqual(run('run', 'vecadd', '--record', recording).returncode, 0)
        done = run('run', recording, '--program', VECADD)
        self.assertEqual(done.returncode, 2)
        self.assertIn('--program would change the run', done.stderr)

    def test_bra_div_is_taken_where_lanes_are_missing(self):
        self.write('k.wsasm', """.kernel k
.param u64 out
.reconvergence manual
    S2R R0, SR_TID.X ;
    LDC.64 R2, c[out] ;
    ISETP.GE.AND P0, PT, R0, 16, PT ;
    MOV R4, 1 ;
    UMOV UR4, 0xffffffff ;
    UMOV UR5, 0xffff ;
    IMAD.WIDE.U32 R2, R0, 4, R2 ;
    BSSY B0, meet ;
@P0 BRA meet ;
    BRA.DIV UR5, wrong ;
    BRA.DIV UR4, div ;
    BRA wrong ;
div:
    MOV R4, 3 ;
meet:
    BSYNC B0 ;
    BRA.DIV UR4, wrong ;
    STG.E [R2], R4 ;
    EXIT ;
wrong:
    MOV R4, 9 ;
    STG.E [R2], R4 ;
    EXIT ;
""")
        self.write('launch.yaml', """version: 1
program: k.wsasm
buffers: {out: {type: u32, count: 32}}
kernel: k
grid: 1
block: 32
params: [{ref: out}]
expect: [{buffer: out, values: [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}]
""")
        for options in ([], ['--functional']):
            done = run('run', self.folder, *options)
            self.assertEqual((done.returncode, done.stderr), (0, ''), done.stdout)

    def test_too_many_parameters(self):
        launch = (ROOT / 'workloads/vecadd/launch.yaml').read_text(encoding='utf-8')
        self.write('launch.yaml', launch.replace('kernel.cu', 'vecadd.sass').replace(
            'params: [', 'params: [' + '{u64: 1}, ' * 4096))
        self.write('vecadd.sass', (VECADD).read_text(encoding='utf-8'))
        done = run('run', self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn('the parameters take more than', done.stderr)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
