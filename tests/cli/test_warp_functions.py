"""Warp functions of CUDA C in divergent code: test_warp_functions.py WARPSTEP

Votes, shuffles, matches and reductions with the mask of one side of a branch, then with all lanes
behind __syncwarp, under every divergence model, against what each lane must get. And with a full
mask where only some lanes come to them, against what an H100 gave (code of ptxas 13.0;
`loaded` is worked out).
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


# Each kernel stores one word a thread. x[i] = i * 7 % 23 in front.
APART = """\
#define ALL 0xffffffffu
#define KERNEL(name) extern "C" __global__ void name(int *x)
#define BEGIN int l = threadIdx.x, v = x[l], y = -1;

KERNEL(one_side) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(ALL, v + 100, 16); } x[l] = y; }
KERNEL(neighbours) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(ALL, v + 100, 1); } x[l] = y; }
KERNEL(two) { BEGIN if (l < 10) { y = __shfl_xor_sync(ALL, v + 100, 1); x[l + 64] = y; y += __shfl_xor_sync(ALL, v + y, 16); } x[l] = y; }
KERNEL(ballot) { BEGIN if (l < 10) { x[l + 64] = v; y = __ballot_sync(ALL, v >= 0); } x[l] = y; }
KERNEL(reduction) { BEGIN if (l < 10) { x[l + 64] = v; y = __reduce_add_sync(ALL, 1); } x[l] = y; }
KERNEL(match) { BEGIN if (l < 10) { x[l + 64] = v; y = __match_any_sync(ALL, v / 4); } x[l] = y; }
KERNEL(part) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(0xffff, v + 100, 8); } x[l] = y; }
KERNEL(trips) { BEGIN y = 0; for (int i = 0; i < l; i++) y += __shfl_xor_sync(ALL, 100, 1); x[l] = y; }
KERNEL(both) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(ALL, v + 100, 16); } else { x[l + 96] = v; y = __shfl_xor_sync(ALL, v + 200, 8) * 1000; } x[l] = y; }
KERNEL(three) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_sync(ALL, v + 100, 31 - l); } else if (l < 20) { x[l + 96] = v; y = __shfl_sync(ALL, v + 200, 31 - l, 16); } else { x[l + 128] = v; y = __shfl_sync(ALL, v + 300, 3); } x[l] = y; }
KERNEL(later) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(ALL, v + 100, 16); } x[l] = y; y = __shfl_xor_sync(ALL, v + 300, 1); x[l] = x[l] + 1000 * y; }
KERNEL(turns) { BEGIN y = 0;
#pragma unroll 1
    for (int i = 0; i < 3; i++) { if (l < 10 + i) { x[l + 64] = v; y += __shfl_xor_sync(ALL, v + 100, 16); x[l + 96] = y; y += __shfl_xor_sync(ALL, v, 8); } x[l + 128] = y; } x[l] = y; }
KERNEL(loaded) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(ALL, x[l + 140], 16); } else { x[l + 96] = v; y = __shfl_xor_sync(ALL, x[l + 143], 8) * 1000; } x[l] = y; }
KERNEL(hangs) { BEGIN if (l < 10) { x[l + 64] = v; y = __shfl_xor_sync(ALL, v + 100, 16); } else { x[l + 96] = v; y = __ballot_sync(ALL, v >= 0); } x[l] = y; }
"""

ON_GPU = {
    "one_side": [0] * 10 + [-1] * 22,
    "neighbours": [107, 100, 121, 114, 112, 105, 103, 119, 117, 110] + [-1] * 22,
    "two": [107, 100, 121, 114, 112, 105, 103, 119, 117, 110] + [-1] * 22,
    "ballot": [1023] * 10 + [-1] * 22,
    "reduction": [10] * 10 + [-1] * 22,
    "match": [129, 18, 36, 8, 18, 36, 576, 129, 256, 576] + [-1] * 22,
    "part": [110, 117, 0, 0, 0, 0, 0, 0, 100, 107] + [-1] * 22,
    "trips": [100 * (lane - lane % 2) for lane in range(32)],
    "both": [220, 204, 211, 218, 202, 209, 216, 200, 207, 214, 114000, 121000, 105000, 112000, 119000, 103000, 207000,
             214000, 221000, 205000, 212000, 219000, 203000, 210000, 220000, 204000, 211000, 218000, 202000, 209000,
             216000, 200000],
    "three": [310, 303, 319, 312, 305, 321, 314, 307, 300, 316, 112, 105, 121, 114, 107, 100, 310, 303, 319, 312] +
             [121] * 12,
    "later": [1000 * (300 + (lane ^ 1) * 7 % 23) + (320, 304, 311, 318, 302, 309, 316, 300, 307, 314)[lane]
              if lane < 10 else 1000 * (300 + (lane ^ 1) * 7 % 23) - 1 for lane in range(32)],
    "loaded": [((lane ^ 16) + 143) * 7 % 23 if lane < 10 else
               ((lane ^ 8) + (140 if (lane ^ 8) < 10 else 143)) * 7 % 23 * 1000 for lane in range(32)],
    "turns": [30, 51, 2, 8, 0, 0, 0, 0, 0, 21, 28, 21] + [0] * 20,
}


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

    def test_apart(self):
        """In a run and in the order of the check, which executes lanes without timing."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "apart.cu").write_text(APART)
            (folder / "x.bin").write_bytes(array.array("i", [i * 7 % 23 for i in range(256)]).tobytes())
            for name in (*ON_GPU, "hangs"):
                (folder / "launch.yaml").write_text(
                    f"version: 1\nprogram: apart.cu\nkernel: {name}\ngrid: 1\nblock: 32\nparams: [{{ref: x}}]\n"
                    "buffers:\n  x: {type: s32, count: 256, init: {file: x.bin}}\n")
                for mode in ([], ["--functional"]):
                    with self.subTest(kernel=name, mode=mode):
                        done = subprocess.run([PROGRAM, "run", "launch.yaml", "--dump", "x=out.bin", *mode], cwd=folder,
                                              capture_output=True, text=True, timeout=HANGS)
                        if name == "hangs":
                            self.assertEqual(done.returncode, 5, done.stderr)
                            continue
                        self.assertEqual(done.returncode, 0, done.stderr)
                        found = array.array("i", (folder / "out.bin").read_bytes())
                        self.assertEqual(list(found[:32]), ON_GPU[name])

    def test_other_warp_size(self):
        """Lane masks have 32 bits: other sizes of a warp are refused by name and place."""
        with self.assertRaises(AssertionError) as raised:
            self.check("--set", "warp_size=16")
        self.assertIn("launch.yaml:5:8: error: the kernel 'functions' names lanes, which needs warps of 32",
                      str(raised.exception))


if __name__ == "__main__":
    unittest.main()
