"""Warp functions of CUDA C in divergent code: test_warp_functions.py WARPSTEP

Votes, shuffles, matches and reductions with the mask of one side of a branch, then with all lanes
behind __syncwarp, under every divergence model, against what each lane must get.
"""
import array
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
WARPS, WORDS = 2, 16

KERNEL = """\
extern "C" __global__ void functions(unsigned *out)
{
    unsigned lane = threadIdx.x % 32, *place = out + threadIdx.x * 16;
    unsigned mask = lane < 12 ? 0xfffu : 0xfffff000u;
    int all;

    if (lane < 12) {
        place[0] = __ballot_sync(mask, lane & 1);
        place[1] = __shfl_sync(mask, lane * 10, 5);
        place[2] = __any_sync(mask, lane == 3) | __all_sync(mask, lane < 12) << 1;
        place[3] = __match_any_sync(mask, lane / 5);
        place[4] = __activemask();
        place[5] = __reduce_add_sync(mask, lane);
    } else {
        place[0] = __ballot_sync(mask, lane % 3 == 0);
        place[1] = __shfl_xor_sync(mask, lane * 7, 1);
        place[2] = __any_sync(mask, lane == 3) | __all_sync(mask, lane != 20) << 1;
        place[3] = __match_any_sync(mask, lane % 4);
        place[4] = __activemask();
        place[5] = __reduce_max_sync(mask, lane ^ 21);
    }
    __syncwarp();
    place[6] = __activemask();
    place[7] = __match_any_sync(0xffffffffu, lane % 3);
    place[8] = __match_all_sync(0xffffffffu, lane / 32, &all);
    place[9] = all;
    place[10] = __match_all_sync(0xffffffffu, lane / 31, &all);
    place[11] = all;
    place[12] = __shfl_up_sync(0xffffffffu, lane, 3);
    place[13] = __shfl_down_sync(0xffffffffu, lane, 2, 8);
    place[14] = __reduce_xor_sync(0xffffffffu, lane * lane);
    place[15] = __reduce_min_sync(0xffffffffu, lane + 5);
}
"""


def mask_of(lanes):
    return sum(1 << lane for lane in lanes)


def expected(lane):
    low, high, everyone = range(12), range(12, 32), range(32)
    xor = 0
    for i in everyone:
        xor ^= i * i
    if lane in low:
        side = [mask_of(i for i in low if i & 1), 50, 1 | 2,
                mask_of(i for i in low if i // 5 == lane // 5), mask_of(low), sum(low)]
    else:
        side = [mask_of(i for i in high if i % 3 == 0), (lane ^ 1) * 7, 0,
                mask_of(i for i in high if i % 4 == lane % 4), mask_of(high),
                max(i ^ 21 for i in high)]
    return side + [
        mask_of(everyone), mask_of(i for i in everyone if i % 3 == lane % 3), mask_of(everyone), 1,
        0, 0, lane - 3 if lane >= 3 else lane, lane + 2 if lane % 8 < 6 else lane, xor, 5]


class WarpFunctions(unittest.TestCase):
    def check(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "kernel.cu").write_text(KERNEL)
            (folder / "launch.yaml").write_text(
                "version: 1\nprogram: kernel.cu\nkernel: functions\n"
                f"grid: 1\nblock: {32 * WARPS}\nparams: [{{ref: out}}]\n"
                f"buffers:\n  out: {{type: u32, count: {32 * WARPS * WORDS}}}\n")
            done = subprocess.run(
                [PROGRAM, "run", "launch.yaml", "--dump", "out=out.bin", *options], cwd=folder,
                capture_output=True, text=True, timeout=HANGS)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = array.array("I", (folder / "out.bin").read_bytes())
        for thread in range(32 * WARPS):
            self.assertEqual(list(found[thread * WORDS:(thread + 1) * WORDS]),
                             expected(thread % 32), f"thread {thread} {options}")

    def test_models(self):
        for model in ("its", "stack", "none"):
            for side in ("fewer_lanes", "more_lanes", "taken", "fall_through"):
                with self.subTest(model=model, side=side):
                    self.check("--set", f"divergence.model={model}",
                               "--set", f"divergence.first_side={side}")

    def test_other_warp_size(self):
        """Lane masks have 32 bits: other sizes of a warp are refused by name and place."""
        with self.assertRaises(AssertionError) as raised:
            self.check("--set", "warp_size=16")
        self.assertIn("launch.yaml:5:8: error: the kernel 'functions' names lanes, which needs warps of 32",
                      str(raised.exception))


if __name__ == "__main__":
    unittest.main()
