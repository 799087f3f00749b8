"""What messages say of faults in shared memory, of barriers and of reference kernels: test_cli_faults.py WARPSTEP"""
import hashlib
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

PTX = """\
.version 7.8
.target sm_90
.address_size 64
.extern .shared .align 4 .f32 buffer[];
.shared .align 4 .f32 _ZZ4pastPfiE4tile[256];
.shared .align 4 .b8 _ZZ4pastPfiE4late[64];
.visible .entry typed(.param .u64 y, .param .u32 at) {
    .reg .b32 %r<4>; .reg .f32 %f<2>;
    ld.param.u32 %r1, [at];
    mov.u32 %r2, _ZZ4pastPfiE4tile;
    add.u32 %r2, %r2, %r1;
    ld.shared.f32 %f1, [%r2];
    st.shared.f32 [_ZZ4pastPfiE4tile], %f1;
    ret;
}
.visible .entry untyped(.param .u64 y, .param .u32 at) {
    .reg .b32 %r<4>; .reg .f32 %f<2>;
    ld.param.u32 %r1, [at];
    mov.u32 %r2, _ZZ4pastPfiE4late;
    add.u32 %r2, %r2, %r1;
    ld.shared.f32 %f1, [%r2];
    st.shared.f32 [_ZZ4pastPfiE4late], %f1;
    st.shared.f32 [_ZZ4pastPfiE4tile], %f1;
    ret;
}
.visible .entry dynamic(.param .u64 y, .param .u32 at) {
    .reg .b32 %r<4>; .reg .f32 %f<2>;
    ld.param.u32 %r1, [at];
    mov.u32 %r2, buffer;
    add.u32 %r2, %r2, %r1;
    ld.shared.f32 %f1, [%r2];
    st.shared.f32 [buffer], %f1;
    ret;
}
.visible .entry window(.param .u64 y, .param .u32 at) {
    .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f32 %f<2>;
    ld.param.u32 %r1, [at];
    mov.u32 %r2, _ZZ4pastPfiE4tile;
    add.u32 %r2, %r2, %r1;
    cvt.u64.u32 %d1, %r2;
    cvta.shared.u64 %d2, %d1;
    ld.f32 %f1, [%d2];
    st.shared.f32 [_ZZ4pastPfiE4tile], %f1;
    ret;
}
.visible .entry outside(.param .u64 y, .param .u32 at) {
    .reg .b64 %d<3>; .reg .b32 %r<2>;
    ld.param.u64 %d1, [y];
    mov.u32 %r1, 1;
    st.global.u32 [%d1+4096], %r1;
    ret;
}
.visible .entry forever(.param .u64 y, .param .u32 at) {
    .reg .b64 %d<3>; .reg .b32 %r<2>; .reg .pred %p<2>;
    ld.param.u64 %d1, [y];
again:
    ld.volatile.global.u32 %r1, [%d1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra again;
    ret;
}
.visible .entry nothing(.param .u64 y, .param .u32 at) {
    ret;
}
"""

LAUNCH = """\
version: 1
program: {program}
buffers: {{y: {{type: f32, count: {count}}}}}
kernel: {kernel}
grid: 1
block: 32
params: [{params}]
"""

SYNC = """\
__global__ void stuck(float *y)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
    y[threadIdx.x] = __shfl_sync(0xffffffff, y[threadIdx.x], 3);
}
"""

BARRIER = """\
.kernel apart
    S2R R0, SR_TID.X ;
    ISETP.LT P0, R0, 32 ;
    @P0 BAR.SYNC 0, 96 ;
    EXIT ;
"""


def without_constructs(body):
    """The body of a binary without the last word of each location and the list behind them, which has nothing but 'none'."""
    word = lambda at: struct.unpack_from("<I", body, at)[0]
    at = 8 + word(4) * 20  # parameter base, instructions
    files, at = word(at), at + 4
    for _ in range(files):
        at += 4 + word(at)
    count, start = word(at), at + 4
    end = start + count * 24
    assert body[end:end + 28] == struct.pack("<7I", 1, 0, 0, 0, 0, 0, 0)
    return body[:start] + b"".join(body[i:i + 20] for i in range(start, end, 24)) + body[end + 28:]


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "k.ptx").write_text(PTX)

    def write(self, kernel, at=None, more="", program="k.ptx", count=1024):
        params = "{ref: y}" + (f", {{s32: {at}}}" if at is not None else "")
        text = LAUNCH.format(program=program, kernel=kernel, params=params, count=count) + more
        (self.folder / "launch.yaml").write_text(text)

    def run_it(self, *arguments):
        return subprocess.run([PROGRAM, "run", "launch.yaml", *arguments], capture_output=True, text=True,
                              cwd=self.folder, timeout=HANGS)

    def message(self, code, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_array(self):
        """A fault in shared memory names the array that it is in or nearest to, as the source has it."""
        for kernel, at, text in (
                ("typed", 1024 + 12, "12 bytes past the end of shared array 'tile' (f32[256]), index 259,"),
                ("typed", 1024, "just past the end of shared array 'tile' (f32[256]), index 256,"),
                ("typed", -8, "8 bytes before the start of shared array 'tile' (f32[256]), index -2,"),
                ("typed", 2, "misaligned: address 0x1000002, byte 2 of shared array 'tile' (f32[256]),"),
                ("window", 1024 + 4, "4 bytes past the end of shared array 'tile' (f32[256]), index 257,"),
                ("untyped", 64, "just past the end of shared array 'late' (64 bytes), index 16 if its elements "
                                "have 4 bytes,"),
                ("untyped", -1022, "byte 2 of shared array 'tile' (f32[256]),")):
            with self.subTest(kernel=kernel, at=at):
                self.write(kernel, at)
                self.assertIn(text, self.message(4))

    def test_dynamic(self):
        """The end of dynamic shared memory points to what gives its size."""
        self.write("dynamic", 0)
        self.assertIn("dynamic shared memory 'buffer' has 0 bytes: give dynamic_shared_bytes in the launch file",
                      self.message(4))
        self.write("dynamic", 132, "dynamic_shared_bytes: 128\n")
        self.assertIn("4 bytes past the end of dynamic shared memory 'buffer' (128 bytes): see dynamic_shared_bytes",
                      self.message(4))
        self.write("dynamic", 124, "dynamic_shared_bytes: 128\n")
        self.assertEqual(self.message(0), "")

    def test_binary(self):
        """Names are in the binary form; the first version of it, without them, is read too."""
        self.write("typed", 1024)
        subprocess.run([PROGRAM, "asm", "k.ptx", "-o", "k.wsbin"], cwd=self.folder, check=True, timeout=HANGS)
        binary = (self.folder / "k.wsbin").read_bytes()
        self.assertEqual(struct.unpack_from("<I", binary, 8), (5,))
        self.write("typed", 1024, program="k.wsbin")
        self.assertIn("just past the end of shared array 'tile' (f32[256])", self.message(4))

    def test_first_binary(self):
        """Version 1 of the binary form lacks shared variables, variables of the source, constructs and the compiler."""
        (self.folder / "b.wsasm").write_text(".kernel one\n.shared 64\n MOV R0, 0x44\n LDS R1, [R0]\n EXIT\n")
        subprocess.run([PROGRAM, "asm", "b.wsasm", "-o", "b.wsbin"], cwd=self.folder, check=True, timeout=HANGS)
        binary = (self.folder / "b.wsbin").read_bytes()
        self.assertEqual(binary[-8:], bytes(8))  # no variables, no compiler
        body = without_constructs(binary[52:-8])
        behind = 4 + 4 + 8 + (4 + len("b.wsasm")) + 4 + 4  # symbols, constants, module, path, PTX
        self.assertEqual(body[-behind - 4:-behind], bytes(4))
        body = body[:-behind - 4] + body[-behind:]
        header = binary[:8] + struct.pack("<IQ", 1, len(body)) + hashlib.sha256(body).digest()
        (self.folder / "b.wsbin").write_bytes(header + body)
        (self.folder / "launch.yaml").write_text(LAUNCH.format(program="b.wsbin", kernel="one", params="", count=4))
        self.assertIn("4 bytes past the end of the block's shared memory (64 bytes),", self.message(4))
        self.assertIn("0x44", subprocess.run([PROGRAM, "disasm", "b.wsbin"], cwd=self.folder, capture_output=True,
                                             text=True, timeout=HANGS).stdout)

    def test_bytecode(self):
        """Bytecode has no names; its barriers are called as they are written."""
        (self.folder / "b.wsasm").write_text(BARRIER)
        (self.folder / "launch.yaml").write_text(LAUNCH.format(program="b.wsasm", kernel="apart", params="", count=4))
        self.assertIn("(BAR.SYNC)", self.message(5))
        (self.folder / "b.wsasm").write_text(".kernel apart\n.shared 64\n MOV R0, 0x40\n LDS R1, [R0+4]\n EXIT\n")
        self.assertIn("4 bytes past the end of the block's shared memory (64 bytes),", self.message(4))

    @unittest.skipUnless(shutil.which("clang"), "clang compiles CUDA sources")
    def test_barriers(self):
        """Barriers of CUDA C are called as in the source."""
        (self.folder / "s.cu").write_text(SYNC)
        self.write("stuck", program="s.cu")
        text = self.message(5)
        self.assertIn("s.cu:4 (__syncthreads)", text)
        self.assertNotIn("WARPSYNC.ALL", text)
        self.assertIn("s.cu:6 (__syncwarp)", text)
        (self.folder / "s.cu").write_text(SYNC.replace("__syncwarp();", "y[0] = __shfl_sync(~0u, y[1], 3);"))
        self.assertIn("s.cu:6 (WARPSYNC)", self.message(5))

    def test_reference(self):
        """The report says what a check was against; a reference's fault has a place, and names the buffer."""
        self.write("nothing", 0, "expect: [{buffer: y, kernel: nothing}]\n")
        self.assertIn("largest error 0, against kernel 'nothing'", self.run_it().stdout)
        self.write("nothing", 0, "expect: [{buffer: y, kernel: outside}]\n")
        text = self.message(4)
        self.assertIn("just past the end of buffer 'y' (f32[1024])", text)
        line = PTX.split("\n").index("    st.global.u32 [%d1+4096], %r1;") + 1
        self.assertIn(f"k.ptx:{line} (STG)", text)
        self.write("nothing", 0, "expect: [{buffer: y, kernel: typed, params: [{ref: y}, {s32: 1024}]}]\n")
        self.assertIn("just past the end of shared array 'tile' (f32[256]), index 256", self.message(4))

    def test_reference_limits(self):
        """A reference kernel ends on --max-seconds and on an interrupt, and its copies count as memory."""
        self.write("nothing", 0, "expect: [{buffer: y, kernel: forever}]\n")
        self.assertIn("forever: the limit of 0.1 seconds of processor time (--max-seconds) was reached", self.message(6, "--max-seconds", "0.1"))
        process = subprocess.Popen([PROGRAM, "run", "launch.yaml"], stderr=subprocess.PIPE, cwd=self.folder, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertIn("forever: the run was interrupted", process.communicate(timeout=HANGS)[1])
        self.assertEqual(process.returncode, 6)
        self.write("nothing", 0, "expect: [{buffer: y, kernel: nothing}]\n", count=64 << 20)
        text = self.message(3, "--max-memory", "700M")
        self.assertIn("a reference kernel runs on a copy of the buffers", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
