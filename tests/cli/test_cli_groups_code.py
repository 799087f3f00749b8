"""What cooperative groups add to a kernel, and what checks know of them and of barriers: test_cli_groups_code.py WARPSTEP"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG
from patience import HANGS

WARPSTEP = pathlib.Path(sys.argv.pop(1)).resolve()
KERNEL = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void kernel(int *x)
{
    cg::grid_group grid = cg::this_grid();
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    int i = grid.thread_rank();
    x[i] = cg::inclusive_scan(tile, cg::reduce(tile, x[i], cg::plus<int>())) + tile.meta_group_rank();
    SYNC
}
"""
BARRIERS = """#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
__global__ void kernel(int *x)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int values[128], stages[2][128];
    auto block = cooperative_groups::this_thread_block();
    int i = threadIdx.x, sum = 0;
    if (i == 0)
        init(&barrier, 128);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        values[i] = x[i] + round;
        barrier.arrive_and_wait();
        sum += values[127 - i];
        barrier.arrive_and_wait();
    }
    auto pipe = cuda::make_pipeline(block, &state, i < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int round = 0; round < 5; round++) {
        if (i < 32) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stages[round % 2][i * 4], &x[i * 4], cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += stages[round % 2][i] * round;
            pipe.consumer_release();
        }
    }
    __syncthreads();
    x[i] = sum;
}
"""
LAUNCH = """version: 1
program: k.cu
kernel: kernel
grid: 2
block: 128
params: [{ref: x}]
buffers: {x: {type: s32, count: 256, init: {fill: 1}}}
"""


@unittest.skipUnless(HAS_CLANG, "no clang")
class Code(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def warpstep(self, *words):
        done = subprocess.run([WARPSTEP, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def code(self, size, sync):
        (self.folder / "k.cu").write_text(KERNEL.replace("SIZE", str(size)).replace("SYNC", sync))
        return self.warpstep("disasm", "k.cu")

    def test_the_word_of_grids(self):
        """Only who uses the barrier has an atomic on its word."""
        self.assertNotIn("ATOMG", self.code(32, ""))
        self.assertIn("ATOMG", self.code(32, "grid.sync();"))
        self.assertIn("ATOMG", self.code(32, "cg::thread_group(grid).sync();"))

    def test_shared_memory_is_of_wide_tiles(self):
        self.assertNotIn(".shared", self.code(32, "grid.sync();"))
        self.assertIn(".shared", self.code(64, ""))

    def test_checks(self):
        """Tiles of several warps begin with memory of theirs, and are understood as barriers."""
        self.code(64, "grid.sync();")
        (self.folder / "k.yaml").write_text(LAUNCH)
        self.assertIn("none, of races", self.warpstep("run", "k.yaml", "--check", "all"))

    def test_checks_of_barriers(self):
        """Barriers and pipelines order all that they are for; without one of them it is a race."""
        (self.folder / "k.yaml").write_text(LAUNCH.replace("grid: 2", "grid: 1"))
        for wait, code in (("barrier.arrive_and_wait();", 0), ("", 1)):
            (self.folder / "k.cu").write_text(BARRIERS.replace("barrier.arrive_and_wait();", wait, 1))
            done = subprocess.run([WARPSTEP, "run", "k.yaml", "--check", "all"], cwd=self.folder, capture_output=True,
                                  text=True, timeout=HANGS)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertEqual(done.stderr, "")
            self.assertIn("none, of races" if wait else "RACE  shared values", done.stdout)


if __name__ == "__main__":
    unittest.main()
