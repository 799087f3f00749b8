"""What cooperative groups add to a kernel: test_cli_groups_code.py WARPSTEP"""
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


if __name__ == "__main__":
    unittest.main()
