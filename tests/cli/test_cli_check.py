"""`run --check`: pairs of kernels, one with a mistake and one without, in one run (check_cases.py)."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from check_cases import Cases, run_check
from page_data import Page

WARPSTEP = pathlib.Path(sys.argv.pop(1)).absolute()
KERNELS = pathlib.Path(__file__).parents[1] / "data/ordered_kernels.cu"

CASES = Cases("__device__ int first[64], second[64];")
case = CASES.case


# ---- barriers of the block

case("no_barrier", """
    __shared__ int s[64];
    s[t] = in[t]; // A
    g[t] = s[63 - t]; // B
""", ("races", "A", "B"), ("uninitialised", "B"))
case("barrier", """
    __shared__ int s[64];
    s[t] = in[t];
    __syncthreads();
    g[t] = s[63 - t];
""")
case("no_second_barrier", """
    __shared__ int s[64];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        s[t] = in[t + i]; // A
        __syncthreads();
        sum += s[(t + 33) % 64]; // B
    }
    g[t] = sum;
""", ("races", "A", "B"))
case("second_barrier", """
    __shared__ int s[64];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        s[t] = in[t + i];
        __syncthreads();
        sum += s[(t + 33) % 64];
        __syncthreads();
    }
    g[t] = sum;
""")
case("barrier_in_one_branch_too_early", """
    __shared__ int s[64];
    __syncthreads();
    if (t < 32) s[t] = t; // A
    if (t >= 32) g[t] = s[t - 32]; // B
""", ("races", "A", "B"))
case("counting_barrier", """
    __shared__ int s[64];
    s[t] = in[t];
    int n = __syncthreads_count(in[t] > 3);
    g[t] = s[63 - t] + n;
""")
case("some_leave_early", """
    __shared__ int s[96];
    s[t] = t;
    if (t >= 64) return;
    __syncthreads();
    g[t] = s[t + 32];
""", block=96)
case("dynamic_no_barrier", """
    extern __shared__ int d[];
    d[t] = t; // A
    g[t] = d[t ^ 32]; // B
""", ("races", "A", "B"), ("uninitialised", "B"), shared=256)
case("tile_in_two_dimensions", """
    __shared__ int s[8][9];
    int x = t % 8, y = t / 8;
    s[y][x] = in[t];
    __syncthreads();
    g[t] = s[x][y];
""")
case("hand_over", """
    __shared__ int s[32];
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        g[t] = s[t - 32];
    }
""")
case("hand_over_and_go_on", """
    __shared__ int s[32];
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        s[t] = 5; // A
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        g[t] = s[t - 32]; // B
    }
""", ("races", "A", "B"))
case("barrier_of_two_warps", """
    __shared__ int s[128];
    s[t] = in[t];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    g[t] = s[t ^ 32];
""", block=128)
case("barrier_of_the_wrong_warps", """
    __shared__ int s[128];
    s[t] = in[t]; // A
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    g[t] = s[t ^ 64]; // B
""", ("races", "A", "B"), block=128)
case("barriers_in_a_chain", """
    __shared__ int s[32];
    if (t < 32) s[t] = in[t];
    if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t >= 32) asm volatile("bar.sync 2, 64;" ::: "memory");
    if (t >= 64) g[t] = s[t - 64];
""", block=96)

# ---- lanes of a warp

case("no_syncwarp", """
    __shared__ int s[32];
    s[t] = in[t]; // A
    g[t] = s[31 - t]; // B
""", ("races", "A", "B"), block=32)
case("syncwarp", """
    __shared__ int s[32];
    s[t] = in[t];
    __syncwarp();
    g[t] = s[31 - t];
""", block=32)
case("volatile_is_no_syncwarp", """
    __shared__ volatile int s[64];
    s[t + 32] = 0; // A
    s[t] = in[t]; // B
    for (int step = 16; step > 0; step /= 2)
        s[t] = s[t] + s[t + step]; // C
    if (t == 0) g[0] = s[0];
""", ("races", "A", "C"), ("races", "B", "C"), ("races", "C"), block=32)
case("syncwarp_of_some", """
    __shared__ int s[32];
    if (t < 16) {
        s[t] = in[t];
        __syncwarp(0xffff);
        g[t] = s[15 - t];
    }
""", block=32)
case("syncwarp_of_others", """
    __shared__ int s[32];
    unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
    s[t] = in[t]; // A
    __syncwarp(half);
    g[t] = s[t ^ 16]; // B
""", ("races", "A", "B"), block=32)
case("shuffle_that_accesses_may_pass", """
    __shared__ int s[32];
    s[t] = in[t]; // A
    int x = __shfl_xor_sync(0xffffffff, t, 1);
    g[t] = s[x]; // B
""", ("races", "A", "B"), block=32)
case("asking_who_is_there_orders_nothing", """
    __shared__ int s[32];
    s[t] = in[t]; // A
    unsigned who = __activemask();
    g[t] = s[31 - t] + who; // B
""", ("races", "A", "B"), block=32)
case("one_value_from_all", """
    __shared__ int found;
    if (in[t] >= 0) found = 1;
    __syncthreads();
    g[t] = found;
""")
case("many_values_from_all", """
    __shared__ int found;
    found = t; // A
    __syncthreads();
    g[t] = found;
""", ("races", "A"))

# ---- updates

case("histogram", """
    g[in[t] % 16] += 1; // A
""", ("races", "A"), grid=2, init="zero")
case("atomic_histogram", """
    atomicAdd(&g[in[t] % 16], 1);
""", grid=2)
case("shared_histogram", """
    __shared__ int bins[16];
    if (t < 16) bins[t] = 0;
    __syncthreads();
    bins[in[t] % 16]++; // A
    __syncthreads();
    if (t < 16) atomicAdd(&g[t], bins[t]);
""", ("races", "A"))
case("shared_atomic_histogram", """
    __shared__ int bins[16];
    if (t < 16) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % 16], 1);
    __syncthreads();
    if (t < 16) atomicAdd(&g[t], bins[t]);
""", grid=2)
case("atomic_histogram_not_waited_for", """
    __shared__ int bins[16];
    if (t < 16) bins[t] = 0; // A
    atomicAdd(&bins[in[t] % 16], 1); // B
    __syncthreads();
    if (t < 16) g[t] = bins[t];
""", ("races", "A", "B"))
case("atomic_result_read_too_early", """
    __shared__ int bins[16];
    if (t < 16) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % 16], 1); // A
    if (t < 16) g[t] = bins[t]; // B
""", ("races", "A", "B"))
case("atomics_of_a_block", """
    atomicAdd_block(&g[t], 1); // A
""", ("races", "A"), grid=2)
case("atomics_of_one_block", """
    atomicAdd_block(&g[t / 2], 1);
""")

# ---- between blocks

case("neighbours_block", """
    g[blockIdx.x * 64 + t] = t; // A
    g[2048 + blockIdx.x * 64 + t] = g[(blockIdx.x * 64 + 64 + t) % 256]; // B
""", ("races", "A", "B"), ("uninitialised", "B"), grid=4)
case("own_block", """
    g[blockIdx.x * 64 + t] = t;
    __syncthreads();
    g[2048 + blockIdx.x * 64 + t] = g[blockIdx.x * 64 + (t + 32) % 64];
""", grid=4)
case("last_block", """
    __shared__ bool last;
    g[16 + blockIdx.x * 64 + t] = in[t];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&g[0], 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += g[16 + b * 64 + t];
        g[2048 + t] = sum;
    }
""", grid=4)
case("last_block_of_one_thread", """
    __shared__ bool last;
    if (t == 0) {
        g[16 + blockIdx.x] = in[t];
        __threadfence();
        last = atomicInc((unsigned *)g, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t < gridDim.x) g[2048 + t] = g[16 + t];
""", grid=4)
case("last_block_without_fence", """
    __shared__ bool last;
    if (t == 0) {
        g[16 + blockIdx.x] = in[t]; // A
        last = atomicAdd(&g[0], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t < gridDim.x) g[2048 + t] = g[16 + t]; // B
""", ("races", "A", "B"), grid=4)
case("last_block_fence_too_early", """
    __shared__ bool last;
    if (t == 0) {
        __threadfence();
        g[16 + blockIdx.x] = in[t]; // A
        last = atomicAdd(&g[0], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t < gridDim.x) g[2048 + t] = g[16 + t]; // B
""", ("races", "A", "B"), grid=4)
case("fence_for_the_block_only", """
    __shared__ bool last;
    if (t == 0) {
        g[16 + blockIdx.x] = in[t]; // A
        __threadfence_block();
        last = atomicAdd(&g[0], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t < gridDim.x) g[2048 + t] = g[16 + t]; // B
""", ("races", "A", "B"), grid=4)
case("barrier_of_the_grid", """
    g[16 + blockIdx.x * 64 + t] = in[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        atomicAdd(&g[0], 1);
        while (*(volatile int *)g < gridDim.x) ;
        __threadfence();
    }
    __syncthreads();
    g[2048 + blockIdx.x * 64 + t] = g[16 + (blockIdx.x * 64 + 64 + t) % 256];
""", grid=4)
case("flag", """
    if (blockIdx.x == 1) {
        g[16 + t] = in[t];
        __threadfence();
        __syncthreads();
        if (t == 0) *(volatile int *)g = 1;
    } else {
        while (*(volatile int *)g == 0) ;
        g[2048 + t] = g[16 + t];
    }
""", grid=2)
case("flag_without_fence", """
    if (blockIdx.x == 1) {
        g[16 + t] = in[t]; // A
        __syncthreads();
        if (t == 0) *(volatile int *)g = 1;
    } else {
        while (*(volatile int *)g == 0) ;
        g[2048 + t] = g[16 + t]; // B
    }
""", ("races", "A", "B"), grid=2)
case("flag_that_is_not_volatile", """
    if (blockIdx.x == 0) {
        if (t == 0) g[0] = 1; // A
    } else {
        g[2048 + t] = g[0]; // B
    }
""", ("races", "A", "B"), grid=2)

# ---- locks

LOCKED = """
    for (int i = 0; i < 32; i++)
        if (t %% 32 == i) {
            while (atomicCAS(&g[0], 0, 1) != 0) ;
            %s
            g[1] = g[1] + in[t]; // A
            %s
            atomicExch(&g[0], 0);
        }
"""
case("lock", LOCKED % ("__threadfence();", "__threadfence();"), grid=2, init="zero")
case("lock_that_only_releases", LOCKED % ("", "__threadfence();"), grid=2, init="zero")
case("lock_without_fence", LOCKED % ("", ""), ("races", "A"), grid=2, init="zero")
case("lock_for_one_of_two", """
    if (t % 32 == 0) {
        while (atomicCAS(&g[0], 0, 1) != 0) ;
        g[1] = g[1] + 1; // A
        __threadfence();
        atomicExch(&g[0], 0);
    }
    if (t == 1) g[1] = 7; // B
""", ("races", "A", "B"), init="zero")
case("lock_in_shared_memory", """
    __shared__ int lock, sum;
    if (t == 0) lock = sum = 0;
    __syncthreads();
    for (int i = 0; i < 32; i++)
        if (t % 32 == i) {
            while (atomicCAS(&lock, 0, 1) != 0) ;
            sum += in[t];
            __threadfence_block();
            atomicExch(&lock, 0);
        }
    __syncthreads();
    g[t] = sum;
""")
case("locks_of_buckets", """
    int b = in[t] % 4;
    for (int i = 0; i < 32; i++)
        if (t % 32 == i) {
            while (atomicCAS(&g[b], 0, 1) != 0) ;
            g[16 + b] = g[16 + b] + 1;
            __threadfence();
            atomicExch(&g[b], 0);
        }
""", grid=2, init="zero")
case("lock_of_the_wrong_bucket", """
    int b = t / 32 % 2;
    for (int i = 0; i < 32; i++)
        if (t % 32 == i) {
            while (atomicCAS(&g[b], 0, 1) != 0) ;
            g[16] = g[16] + 1; // A
            __threadfence();
            atomicExch(&g[b], 0);
        }
""", ("races", "A"), init="zero")

# ---- sizes

case("bytes_side_by_side", """
    unsigned char *c = (unsigned char *)g;
    c[t] = (unsigned char)in[t];
""")
case("bytes_that_overlap", """
    unsigned char *c = (unsigned char *)g;
    c[t] = (unsigned char)in[t]; // A
    if (t == 40) g[2] = 77; // B
""", ("races", "A", "B"))
case("wide_and_narrow", """
    __shared__ int4 v[64];
    asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"((unsigned)__cvta_generic_to_shared(&v[t])), "r"(t)); // A
    g[t] = ((int *)v)[(4 * t + 130) % 256]; // B
""", ("races", "A", "B"), ("uninitialised", "B"))

# ---- reads of nothing

case("never_written", """
    __shared__ int s[64];
    if (in[t] < 0) s[t] = t;
    g[t] = s[t]; // A
""", ("uninitialised", "A"))
case("one_past_what_is_written", """
    __shared__ int s[65];
    s[t] = t;
    __syncthreads();
    g[t] = s[t + 1]; // A
""", ("uninitialised", "A"))
case("border_is_written", """
    __shared__ int s[65];
    s[t] = t;
    if (t == 0) s[64] = 0;
    __syncthreads();
    g[t] = s[t + 1];
""")
case("sum_that_begins_with_nothing", """
    __shared__ int sum;
    atomicAdd(&sum, in[t]); // A
    __syncthreads();
    g[t] = sum;
""", ("uninitialised", "A"))
case("padding_is_copied", """
    struct Pair { char a; double b; };
    __shared__ Pair p[64];
    __shared__ Pair q[64];
    p[t].a = (char)in[t];
    p[t].b = in[t];
    __syncthreads();
    q[t] = p[63 - t];
    __syncthreads();
    g[t] = q[t].a + (int)q[t].b;
""")
case("one_of_four_is_not_written", """
    __shared__ float4 v[64];
    v[t].x = v[t].y = v[t].z = t;
    float4 w = v[t]; // A
    g[t] = w.x + w.y + w.z + w.w;
""", ("uninitialised", "A"))
case("local_array", """
    int a[16];
    for (int i = 0; i < 16; i++) a[i] = in[t + i];
    g[t] = a[in[t] % 16];
""")
case("local_array_in_part", """
    volatile int a[16];
    for (int i = 0; i < 4; i++) a[i] = in[t + i];
    g[t] = a[in[t] % 16]; // A
""", ("uninitialised", "A"))

# ---- loads that clang makes early, and chooses afterwards

case("element_that_is_not_wanted", """
    __shared__ int s[64];
    if (in[0] == 99) s[5] = t;
    __syncthreads();
    int x = 0;
    if (in[0] == 99) x = s[5];
    g[t] = x + t;
""")
case("variable_of_one_thread", """
    __shared__ int s;
    if (t == 0) s = in[0];
    int x = t < 32 ? 0 : t;
    if (t == 0) x += s * 3;
    g[t] = x;
""")
case("variable_of_another_thread", """
    __shared__ int s;
    if (t == 0) s = in[0]; // A
    int x = t < 32 ? 0 : t;
    if (t == 1) g[64] = s; // B
    g[t] = x;
""", ("races", "A", "B"))

case("variable_in_a_loop", """
    __shared__ int s;
    if (t == 0) s = in[0];
    int sum = 0;
    for (int i = 0; i < in[1]; i++) {
        if (t == 0 && in[i] > 5) {
            sum += s * i;
            g[100 + i] = s;
        }
        sum += in[i + t];
    }
    g[t] = sum;
""")
case("variable_behind_a_condition", """
    __shared__ int mode;
    if (t == 0) {
        mode = in[3];
        if (mode > 4) g[300] = 1;
    }
    if (t == 0 && mode == 18) g[200] = 5;
    g[t] = t;
""")
case("flag_of_the_block_too_early", """
    __shared__ int mode;
    if (t == 0) mode = in[3]; // A
    if (mode > 4) g[t] = 1; // B
""", ("races", "A", "B"))
case("flag_of_the_block", """
    __shared__ int mode;
    if (t == 0) mode = in[3];
    __syncthreads();
    if (mode > 4) g[t] = 1;
""")
case("sum_too_early", """
    __shared__ int s[64], total;
    s[t] = in[t];
    __syncthreads();
    if (t == 0) {
        total = 0;
        for (int i = 0; i < 64; i++) total += s[i];
        total *= 2; // A
    }
    g[t] = s[t] * 100 / total; // B
""", ("races", "A", "B"), ("uninitialised", "B"))

# ---- wrong arrays

case("into_the_next_array", """
    __shared__ int a[64];
    __shared__ int b[64];
    a[t] = in[t];
    b[t] = in[t + 1];
    __syncthreads();
    g[t] = a[t + 1] + b[63 - t]; // A
""", ("bounds", "A"))
case("inside_both_arrays", """
    __shared__ int a[65];
    __shared__ int b[64];
    a[t] = in[t];
    b[t] = in[t + 1];
    if (t == 0) a[64] = 0;
    __syncthreads();
    g[t] = a[t + 1] + b[63 - t];
""")
case("one_array_or_the_other", """
    __shared__ int a[64];
    __shared__ int b[64];
    a[t] = in[t];
    b[t] = in[t + 1];
    __syncthreads();
    int *p = in[t] % 2 ? a : b;
    g[t] = p[63 - t];
""")
case("into_another_buffer", """
    int away = in[0] * 6827 - 1;
    g[t] = in[t - away]; // A
""", ("bounds", "A"))
case("part_of_a_buffer", """
    const int *middle = in + 100;
    g[t] = middle[t - 90];
""")
case("into_the_next_variable", """
    second[t] = in[t];
    __syncthreads();
    g[t] = first[t + 1]; // A
""", ("bounds", "A"))
case("inside_a_variable", """
    second[t] = in[t];
    __syncthreads();
    g[t] = first[t ^ 1] + second[63 - t];
""")
case("walking_an_array", """
    __shared__ float a[64];
    __shared__ float b[64];
    a[t] = in[t];
    b[t] = in[t];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i <= in[0] + 61; i++) sum += a[i]; // A
    g[t] = sum + b[63 - t];
""", ("bounds", "A"))


def run(*arguments, code=None):
    return run_check(WARPSTEP, *arguments, code=code)


class Pairs(unittest.TestCase):
    def test_each_case(self):
        report, marks = CASES.report(WARPSTEP)
        CASES.check_all(self, report, marks)
        self.assertEqual("check_failed", report["status"])
        self.assertEqual([], report["warnings"])


class Patterns(unittest.TestCase):
    """Scans, sorts, tiles, queues, barriers of the grid: nothing is found."""

    LAUNCHES = {"scan_hs": (1, 256), "bitonic": (1, 256), "blelloch": (1, 256), "stencil": (4, 256),
                "warp_hist": (2, 256), "tiles": (1, 256), "lookback": (16, 32), "persistent": (4, 64),
                "changed": (1, 64), "grid_twice": (4, 64), "structs": (1, 64), "max_pair": (2, 64),
                "halves": (1, 64)}

    def test_nothing_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "kernels.cu").write_text(KERNELS.read_text())
            buffers = "".join(f"  {name}: {{type: s32, count: 4096, init: zero}}\n" for name in self.LAUNCHES)
            launches = "".join(f"  - {{kernel: {name}, grid: {grid}, block: {block}, "
                               f"params: [{{ref: {name}}}, {{ref: in}}]}}\n"
                               for name, (grid, block) in self.LAUNCHES.items())
            (path / "launch.yaml").write_text(
                "version: 1\nprogram: kernels.cu\nbuffers:\n" + buffers +
                "  in: {type: s32, count: 4096, init: {linear: {start: 3, step: 5}}}\nlaunches:\n" + launches)
            report = json.loads(run(path, "--check", "all", "--format", "json", code=0))
        self.assertEqual(([], []), (report["findings"], report["warnings"]))


class Report(unittest.TestCase):
    """How findings are told."""

    PROGRAM = """
__global__ void tile(int *g, const int *in)
{
    __shared__ int s[8][8];
    s[threadIdx.y][threadIdx.x] = in[threadIdx.x];
    g[threadIdx.y * 8 + threadIdx.x] = s[7 - threadIdx.y][threadIdx.x];
}
__global__ void clean(int *g, const int *in)
{
    g[threadIdx.x] = in[threadIdx.x];
}
"""
    LAUNCH = """
version: 1
program: tile.cu
buffers:
  g: {type: s32, count: 128}
  in: {type: s32, count: 128, init: {linear: {start: 3, step: 5}}}
launches:
  - {kernel: clean, grid: 1, block: 64, params: [{ref: g}, {ref: in}]}
  - {kernel: tile, grid: [1, 2], block: [8, 8], params: [{ref: g}, {ref: in}]}
"""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.scratch.name)
        (self.path / "tile.cu").write_text(self.PROGRAM)
        self.launch = self.path / "launch.yaml"
        self.launch.write_text(self.LAUNCH)

    def tearDown(self):
        self.scratch.cleanup()

    def test_text(self):
        text = run(self.launch, "--check", "races", code=1)
        self.assertIn("""
Findings
  RACE  shared s[32], launch 1 (tile); first of 128 at these lines
    block (0,0,0) thread (0,3,0), warp 0 lane 24, reads at tile.cu:6: """, text)
        self.assertIn("""
    block (0,0,0) thread (0,4,0), warp 1 lane 0, writes at tile.cu:5: s[threadIdx.y][thre""", text)
        self.assertIn("""
    no barrier between line 5 and line 6: __syncthreads() is missing
""", text)

    def test_json(self):
        report = json.loads(run(self.launch, "--check", "races", "--format", "json", code=1))
        [race] = report["findings"]
        places = [(a.pop("file"), a.pop("ptx_line") > 0, a.pop("instruction") > 0) for a in race["accesses"]]
        self.assertEqual([(str(self.path / "tile.cu"), True, True)] * 2, places)
        self.assertEqual({
            "check": "races", "count": 128, "launch": 1, "kernel": "tile", "space": "shared",
            "place": "shared s[32]", "array": "s", "index": 32,
            "missing": "no barrier between line 5 and line 6: __syncthreads() is missing",
            "accesses": [
                {"action": "read", "block": [0, 0, 0], "thread": [0, 3, 0], "warp": 0, "lane": 24, "line": 6, "inlined": None},
                {"action": "write", "block": [0, 0, 0], "thread": [0, 4, 0], "warp": 1, "lane": 0, "line": 5, "inlined": None}],
        }, race)

    def test_inlined_functions_are_named(self):
        (self.path / "tile.cu").write_text("""
__device__ void put(int *s, int v) { s[threadIdx.x] = v; }
__device__ int take(const int *s)
{
    return s[threadIdx.x ^ 32];
}
__device__ int two(const int *s) { return take(s) * 2; }
__global__ void tile(int *g, const int *in)
{
    __shared__ int s[64];
    put(s, in[threadIdx.x]);
    g[threadIdx.x] = two(s);
}
""")
        self.launch.write_text(self.LAUNCH.replace("  - {kernel: clean, grid: 1, block: 64, params: [{ref: g}, {ref: in}]}\n", "")
                               .replace("grid: [1, 2], block: [8, 8]", "grid: 1, block: 64"))
        text = run(self.launch, "--check", "races", code=1)
        self.assertIn(" writes\n      put() at tile.cu:2, called at tile.cu:11\n", text)
        self.assertIn(" reads\n      take() at tile.cu:5, called by two() at tile.cu:7, called at tile.cu:12\n"
                      "      return s[threadIdx.x ^ 32];\n", text)

    def test_timing_changes_nothing(self):
        texts = {json.dumps(json.loads(run(self.launch, "--check", "all", "--format", "json", *options))["findings"])
                 for options in ((), ("--set", "sub_cores=2"), ("--sms", "1", "--policy", "lrr"), ("--threads", "2"))}
        self.assertEqual(1, len(texts))

    def test_off_and_clean(self):
        self.assertIsNone(json.loads(run(self.launch, "--format", "json", code=0))["findings"])
        clean = self.path / "clean.yaml"
        clean.write_text(self.LAUNCH.replace(self.LAUNCH.split("\n")[-2] + "\n", ""))
        self.assertEqual([], json.loads(run(clean, "--check", "all", "--confine", "--format", "json", code=0))["findings"])
        self.assertIn("Findings\n  none, of races, bounds\n", run(clean, "--check", "bounds,races", code=0))

    def test_wrong_kind(self):
        done = subprocess.run([WARPSTEP, "run", self.launch, "--check", "race"], capture_output=True, text=True)
        self.assertEqual(2, done.returncode)
        self.assertIn("--check: 'race' is none of all, races, uninitialised, bounds, barriers", done.stderr)

    def test_beside_a_fault(self):
        source = self.PROGRAM.replace("[7 - threadIdx.y]", "[7 - threadIdx.y + (threadIdx.y == 7 ? 4000 : 0)]")
        (self.path / "tile.cu").write_text(source)
        report = json.loads(run(self.launch, "--check", "races", "--format", "json", code=4))
        self.assertEqual("fault", report["status"])
        self.assertIn("the checks ended early: tile, block (0,0,0) thread (0,7,0): access out of bounds",
                      report["warnings"][-1])

    def test_instructions_without_lines(self):
        (self.path / "k.wsasm").write_text("""
.kernel k
.shared 128
    S2R R0, SR_TID.X ;
    SHF.L.U32 R1, R0, 2, RZ ;
    LOP3.LUT R2, R1, 0x4, RZ, 0x3c ;
    STS [R1], R0 ;
    LDS R3, [R2] ;
    EXIT ;
""")
        (self.path / "k.yaml").write_text("version: 1\nprogram: k.wsasm\nkernel: k\ngrid: 1\nblock: 32\n")
        text = run(self.path / "k.yaml", "--check", "all", code=1)
        self.assertIn("RACE  byte 4 of the block's shared memory; first of 32", text)
        self.assertIn("reads at k.wsasm:8: LDS R3, [R2] ;", text)

    def test_a_recording(self):
        run(self.launch, "--record", self.path / "a.wsrec", code=0)
        self.assertIn("RACE  shared s[32]", run(self.path / "a.wsrec", "--check", "races", code=1))

    def test_in_a_report(self):
        page = self.path / "page.html"
        for options, code in ((["--check", "races"], 1), (["--check", "bounds"], 0), ([], 0)):
            done = subprocess.run([WARPSTEP, "report", self.launch, "-o", page, *options], capture_output=True, text=True)
            self.assertEqual(code, done.returncode, done.stderr)
            told = json.loads(run(self.launch, *options, "--format", "json", code=code))["findings"]
            self.assertEqual(told, Page(page).run["findings"])
            self.assertEqual(len(told or []), code)
        done = subprocess.run([WARPSTEP, "report", self.launch, "--check", "rases"], capture_output=True, text=True)
        self.assertEqual(2, done.returncode)
        self.assertIn("--check: 'rases' is none of all, races", done.stderr)

    def test_no_room_for_the_copy(self):
        done = subprocess.run([WARPSTEP, "run", self.launch, "--check", "all", "--max-memory", "1500"],
                              capture_output=True, text=True)
        self.assertEqual(3, done.returncode)
        self.assertIn("the checks run on a copy of the buffers", done.stderr)


if __name__ == "__main__":
    unittest.main()
