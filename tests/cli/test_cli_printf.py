"""printf and assert of kernels: test_cli_printf.py WARPSTEP"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG, program_obstacle

WARPSTEP = pathlib.Path(sys.argv.pop(1)).resolve()
KERNELS = r"""#include <cassert>
#include <cstdio>
__device__ char text[64];

__global__ void order(int *out)
{
    if (threadIdx.x % 2 == 0)
        out[threadIdx.x] = printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void strings(int *out)
{
    __shared__ char there[4];
    char own[8] = "own";
    int i = threadIdx.x;
    own[2] = '0' + i;
    there[0] = 'S';
    there[1] = 0;
    text[i] = 'A' + i;
    __syncwarp();
    if (i == 0) {
        text[1] = 'z';
        text[3] = 0;
        out[0] = printf("%s|%5s|%-5s|%.2s|%s|%s\n", text, own, own, own, there, "literal");
        out[1] = printf((const char *)0);
        out[2] = printf("%600d\n", i);
    }
}

__global__ void bad(const char *s)
{
    printf("%d\n", threadIdx.x);
    if (threadIdx.x == 2)
        printf("%s\n", s + (1 << 20));
}

__device__ int half(int x)
{
    assert(x % 2 == 0 && "even");
    return x / 2;
}

__global__ void checked(int *out)
{
    out[threadIdx.x] = half(6 - 2 * threadIdx.x + (threadIdx.x >= 5) + (blockIdx.x == 0));
}

__global__ void trapped(int *out)
{
    if (threadIdx.x == 3)
        __trap();
}
"""
LAUNCH = """version: 1
program: k.cu
buffers: {{out: {{type: s32, count: 64}}}}
kernel: {kernel}
grid: {grid}
block: {block}
params: [{{ref: out}}]
"""
PROGRAM = r"""#include <cstdio>
__global__ void say(int k)
{
    printf("launch %d thread %d\n", k, threadIdx.x);
}
int main()
{
    int x, *d;
    size_t limit;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&d, sizeof x);
    say<<<1, 2>>>(1);
    std::printf("not yet\n");
    cudaDeviceSynchronize();
    say<<<1, 1>>>(2);
    std::printf("not yet\n");
    say<<<1, 1>>>(3);
    std::printf("launched\n");
    cudaMemcpyAsync(&x, d, sizeof x, cudaMemcpyDeviceToHost, stream);
    std::printf("not yet\n");
    cudaMemcpy(&x, d, sizeof x, cudaMemcpyDeviceToHost);
    cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
    std::printf("%zu %d\n", limit, (int)cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 80));
    say<<<1, 32>>>(4);
    cudaStreamSynchronize(stream);
    say<<<1, 1>>>(5); /* nothing waits for it */
}
"""
SHOWN = """not yet
launch 1 thread 0
launch 1 thread 1
not yet
launch 2 thread 0
launched
not yet
launch 3 thread 0
1048576 0
launch 4 thread 30
launch 4 thread 31
"""


ASSERTS = r"""#include <cassert>
#include <cstdio>
__global__ void positive(int x)
{
    assert(x > 0);
}
__global__ void trapped()
{
    __trap();
}
int main(int argc, char **argv)
{
    positive<<<2, 2>>>(1);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    if (argc > 1)
        trapped<<<1, 1>>>();
    else
        positive<<<1, 2>>>(-1);
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
"""


@unittest.skipUnless(HAS_CLANG, "no clang")
class Printf(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "k.cu").write_text(KERNELS)

    def launch(self, kernel, grid=1, block=4):
        (self.folder / "k.yaml").write_text(LAUNCH.format(kernel=kernel, grid=grid, block=block))

    def call(self, *arguments, code=0):
        done = subprocess.run([WARPSTEP, *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def run_json(self, *arguments, code=0):
        return json.loads(self.call("run", "k.yaml", "--format", "json", *arguments, code=code).stdout)

    def test_calls_are_in_order_of_cycle_sm_slot_and_lane(self):
        self.launch("order", grid=6, block=64)
        printed = [self.run_json("--threads", n, "--set", "sms=3")["launches"][0] for n in ("1", "3")]
        lines = printed[0]["printed"].splitlines()
        self.assertEqual(printed[0], printed[1])
        self.assertEqual(printed[0]["printed_calls_lost"], 0)
        every = [f"block {b} thread {t}" for b in range(6) for t in range(0, 64, 2)]
        self.assertEqual(sorted(lines), sorted(every))
        # a warp's calls stand together, by lane; blocks on different SMs alternate
        for at in range(0, len(lines), 16):
            warp = [tuple(map(int, line.split()[1::2])) for line in lines[at:at + 16]]
            self.assertEqual(warp, [(warp[0][0], warp[0][1] + 2 * n) for n in range(16)])
        self.assertNotEqual([line.split()[1] for line in lines[::16]], sorted(line.split()[1] for line in lines[::16]))
        # without time: block by block, warp by warp
        self.assertEqual(self.run_json("--functional")["launches"][0]["printed"].splitlines(), every)

    def test_what_is_printed_does_not_depend_on_time(self):
        self.launch("strings")
        text = "AzC|  ow0|ow0  |ow|S|literal\n"
        for more in ([], ["--functional"], ["--set", "memory.model=fixed", "--sms", "1"],
                     ["--set", "dependences=control"], ["--set", "divergence.model=stack"]):
            out = self.run_json("--print", "out[0:3]", "--set", "limits.printf_bytes=500", *more)
            self.assertEqual(out["launches"][0]["printed"], text, more)
            self.assertEqual(out["buffers"][0]["values"], [6, -1, -2])

    def test_the_report_shows_it(self):
        self.launch("order", block=2)
        report = self.call("run", "k.yaml").stdout
        self.assertIn("\nPrinted\nblock 0 thread 0\n", report)
        self.launch("order", block=64)
        report = self.call("run", "k.yaml", "--set", "limits.printf_bytes=80").stdout
        self.assertIn("\nPrinted\n  (30 calls before: lost, the buffer was full; limits.printf_bytes)\n"
                      "block 0 thread 60\nblock 0 thread 62\n", report)

    def test_a_bad_pointer_is_a_fault_with_its_place(self):
        self.launch("bad")
        for more in ([], ["--functional"]):
            out = self.call("run", "k.yaml", *more, code=4)
            self.assertIn("a string of printf is out of bounds: address 0x10100000", out.stderr)
            self.assertIn("thread (2,0,0)", out.stderr)
            self.assertIn("at k.cu:34 (VPRINTF)", out.stderr)
            self.assertIn("Printed\n0\n1\n2\n3\n", out.stdout)

    def test_step_shows_it_when_it_happens(self):
        self.launch("order", block=2)
        commands = ["goto end", "goto 0", "break k.cu:8", "continue", "step", "goto end"]
        out = self.call("step", "k.yaml", "--batch", *[w for c in commands for w in ("-e", c)]).stdout
        self.assertEqual(out.count("Printed:\nblock 0 thread 0\n"), 2)
        begin = out.index("Breakpoint 1")
        self.assertLess(begin, out.rindex("Printed:"))

    def test_a_failed_assertion_says_what_cuda_says(self):
        self.launch("checked", block=8)
        said = ["k.cu:39: int half(int): block: [0,0,0], thread: [%d,0,0] Assertion `x % 2 == 0 && \"even\"` failed."
                .replace("% 2", "%% 2") % thread for thread in range(5)]
        for more in (["--sms", "1"], ["--set", "dependences=control"]):
            err = self.call("run", "k.yaml", *more, code=4).stderr
            self.assertIn("assertion failed, in kernel 'checked', block (0,0,0), thread (0,0,0), at k.cu:39", err)
            self.assertIn("\n".join(said) + "\n", err)
            self.assertNotIn("thread: [5,0,0]", err)
        err = self.call("run", "k.yaml", "--functional", code=4).stderr
        self.assertIn("thread (0,0,0): assertion failed: " + said[0], err)
        self.launch("trapped")
        self.assertIn("trap, in kernel 'trapped', block (0,0,0), thread (3,0,0), at k.cu:51",
                      self.call("run", "k.yaml", code=4).stderr)

    def test_programs_get_the_error_of_an_assertion(self):
        if program_obstacle(WARPSTEP):
            self.skipTest(program_obstacle(WARPSTEP))
        (self.folder / "a.cu").write_text(ASSERTS)
        self.call("cc", "-o", "a", "a.cu")
        for mode in ("cycle", "functional"):
            for more, name in (([], "cudaErrorAssert"), (["trap"], "cudaErrorLaunchFailure")):
                done = subprocess.run(["./a", *more], cwd=self.folder, capture_output=True, text=True,
                                      env={**os.environ, "WARPSTEP_MODE": mode})
                self.assertEqual(done.stdout, f"no error\nno error\n{name}\n", done.stderr)
                if not more:
                    self.assertIn("a.cu:5: void positive(int): block: [0,0,0], thread: [0,0,0] Assertion `x > 0` failed.",
                                  done.stderr)

    def test_programs_show_it_when_they_wait_for_the_device(self):
        if program_obstacle(WARPSTEP):
            self.skipTest(program_obstacle(WARPSTEP))
        (self.folder / "p.cu").write_text(PROGRAM)
        self.call("cc", "-o", "p", "p.cu")
        for mode in ("cycle", "functional"):
            done = subprocess.run(["./p"], cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "WARPSTEP_MODE": mode})
            self.assertEqual(done.stdout, SHOWN, done.stderr)


if __name__ == "__main__":
    unittest.main()
