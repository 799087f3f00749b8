"""`run --check`: what only the source has, and the unoptimised program shows: rows, variables, arrays of a
thread, parts of dynamic shared memory, barriers of branches; and buffers that nothing has written."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from check_cases import Cases, run_check

WARPSTEP = pathlib.Path(sys.argv.pop(1)).absolute()

CASES = Cases("#include <cooperative_groups.h>\nstruct Members { int head[4]; int tail[4]; };")
case = CASES.case

# ---- rows

case("into_the_next_row", """
    __shared__ int a[4][32];
    a[t / 32][t % 32] = in[t];
    __syncthreads();
    g[t] = a[t / 32][t % 32 + (t < 96)]; // A
""", ("bounds", "A"), block=128)
case("inside_the_rows", """
    __shared__ int a[4][33];
    a[t / 32][t % 32] = in[t];
    if (t % 32 == 0) a[t / 32][32] = 0;
    __syncthreads();
    g[t] = a[t / 32][t % 32 + 1];
""", block=128)
case("row_above_the_first", """
    __shared__ float a[8][8];
    a[t / 8][t % 8] = in[t];
    __syncthreads();
    g[t] = t >= 8 ? a[t / 8][t % 8 - 1] : 0; // A
""", ("bounds", "A"))
case("halo_of_a_tile", """
    __shared__ float a[10][10];
    int x = t % 8 + 1, y = t / 8 + 1;
    a[y][x] = in[t];
    if (x == 1) a[y][0] = 0;
    if (x == 8) a[y][9] = 0;
    if (y == 1) a[0][x] = 0;
    if (y == 8) a[9][x] = 0;
    __syncthreads();
    g[t] = a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1];
""")
case("as_one_row", """
    __shared__ int a[4][16];
    int *flat = &a[0][0];
    flat[t] = in[t];
    __syncthreads();
    for (int *p = flat; p != flat + 64; p += 32) g[t] = p[31 - t % 32];
""")
case("member_of_a_structure", """
    __shared__ Members m;
    if (t < 4) m.head[t] = m.tail[t] = in[t];
    __syncthreads();
    g[t] = m.head[t % 8]; // A
""", ("bounds", "A"))

# ---- variables and arrays of a thread

case("array_of_a_thread", """
    int a[8], b[8];
    for (int i = 0; i < 8; i++) { a[i] = in[i]; b[i] = in[i + 8]; }
    g[t] = a[in[t] % 8 + 1] + b[t % 8]; // A
""", ("bounds", "A"))
case("inside_an_array_of_a_thread", """
    int a[9], b[8];
    for (int i = 0; i < 8; i++) { a[i] = in[i]; b[i] = in[i + 8]; }
    a[8] = 0;
    g[t] = a[in[t] % 8 + 1] + b[t % 8];
""")
case("array_set_in_part", """
    int a[16];
    for (int i = 0; i < in[t] % 16; i++) a[i] = i;
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += a[i]; // A
    g[t] = sum;
""", ("uninitialised", "A"))
case("variable_that_one_side_sets", """
    int v;
    if (in[t] % 2) v = in[t];
    g[t] = v; // A
""", ("uninitialised", "A"))
case("variable_that_both_sides_set", """
    int v;
    if (in[t] % 2) v = in[t];
    else v = 1;
    g[t] = v;
""")
case("sum_that_is_never_zeroed", """
    int sum;
    for (int i = 0; i < 4; i++) sum += in[t + i]; // A
    g[t] = sum;
""", ("uninitialised", "A"))
case("object_with_a_member_unset", """
    Triple all = half_set(in[t]);
    Triple copy = all;
    g[t] = first_of(copy);
""", before="""
struct Triple { int a, b, c; };
__device__ Triple half_set(int v) { Triple r; r.a = v; return r; }
__device__ int first_of(Triple t) { return t.a; }
""")
case("member_unset_is_used", """
    Couple all;
    all.a = in[t];
    Couple copy = all;
    g[t] = copy.a + copy.b; // A
""", ("uninitialised", "A"), before="struct Couple { int a, b; };")
case("groups", """
    auto block = cooperative_groups::this_thread_block();
    auto tile = cooperative_groups::tiled_partition<32>(block);
    __shared__ int s[2];
    int v = in[t];
    for (int d = 16; d; d /= 2) v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0) s[t / 32] = v;
    block.sync();
    if (t == 0) g[0] = s[0] + s[1];
""")

# ---- parts of dynamic shared memory

TWO = "a: {type: s32, count: 64}, b: {type: f32, count: 64}"
case("out_of_the_first_part", """
    extern __shared__ int d1[];
    int *a = d1;
    float *b = (float *)(d1 + 64);
    a[t] = in[t];
    b[t] = t;
    __syncthreads();
    g[t] = a[t + 1] + (int)b[t]; // A
""", ("bounds", "A"), parts=TWO)
case("below_the_second_part", """
    extern __shared__ int d2[];
    int *a = d2;
    float *b = (float *)&a[64];
    a[t] = in[t];
    b[t] = t;
    __syncthreads();
    g[t] = a[t] + (int)b[t - 1]; // A
""", ("bounds", "A"), parts=TWO)
case("inside_the_parts", """
    extern __shared__ int d3[];
    int *a = d3;
    float *b = (float *)(d3 + 64);
    for (int i = t; i < 128; i += blockDim.x) d3[i] = 0;
    __syncthreads();
    a[63 - t] = in[t];
    b[t] = t;
    __syncthreads();
    g[t] = a[t] + (t > 0 ? (int)b[t - 1] : 0);
""", parts=TWO)
case("buffers_in_turn", """
    extern __shared__ int d4[];
    int *now = d4, *next = d4 + 64;
    now[t] = in[t];
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        next[t] = now[63 - t];
        int *old = now;
        now = next;
        next = old;
    }
    g[t] = now[t];
""", parts="one: {type: s32, count: 64}, two: {type: s32, count: 64, offset: 256}")
case("part_in_a_function", """
    extern __shared__ int d5[];
    fill(d5, in[t]);
    fill(d5 + 64, t);
    __syncthreads();
    g[t] = next_of(d5); // B
""", ("bounds", "A"), parts=TWO, before="""
__device__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__device__ int next_of(const int *p)
{
    return p[threadIdx.x + 1];
}
""")

# ---- barriers

case("barrier_on_both_sides", """
    if (t < 32)
        __syncthreads(); // A
    else
        __syncthreads(); // B
    g[t] = in[t];
""", ("barriers", "A", "B"))
case("barrier_on_both_sides_of_one_line", """
    if (t < 32) __syncthreads(); else __syncthreads(); // A
    g[t] = in[t];
""", ("barriers", "A"))
case("barrier_where_all_agree", """
    for (int i = 0; i < 4; i++)
        if (in[0] % 2 == i % 2)
            __syncthreads();
        else
            __syncthreads();
    g[t] = in[t];
""")
case("named_barrier_from_two_places", """
    __shared__ int s[32];
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        g[t] = s[t - 32];
    }
""")
case("barrier_that_is_not_aligned", """
    if (t < 32) asm volatile("barrier.sync 0;" ::: "memory");
    else asm volatile("barrier.sync 0;" ::: "memory");
    g[t] = in[t];
""")

# ---- buffers that nothing has written

case("sum_in_a_new_buffer", """
    g[t] += in[t]; // A
""", ("uninitialised", "A"))
case("sum_in_a_zeroed_buffer", """
    g[t] += in[t];
""", init="zero")
case("beyond_what_is_written", """
    g[t] = in[t];
    __syncthreads();
    g[100 + t] = g[t + 1]; // A
""", ("uninitialised", "A"))
case("counter_and_flag", """
    if (t == 0) atomicAdd(&g[0], in[0]);
    if (((volatile int *)g)[1] == 7) g[2] = 1;
""")


class Source(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report, cls.marks = CASES.report(WARPSTEP)

    def test_each_case(self):
        # The line of a function that stands in front of its kernel.
        text = CASES.sources()[0].split("\n")
        marks = {**self.marks, text.index("    return p[threadIdx.x + 1];") + 1: "A"}
        CASES.check_all(self, self.report, marks)
        told = "threads met at a block barrier from different instructions"
        self.assertEqual([], [w for w in self.report["warnings"] if not w.startswith(told)])

    def finding(self, kernel):
        [found] = [f for f in self.report["findings"] if f["kernel"] == kernel]
        return found

    def test_what_is_told(self):
        row = self.finding("into_the_next_row")
        self.assertEqual((3, "index 32 of an array int[32]", 32, None), tuple(row[k] for k in ("count", "place", "index", "space")))
        self.assertIn("the array has 32 elements", row["missing"])
        [access] = row["accesses"]
        self.assertEqual(("index", [31, 0, 0], None, None),
                         tuple(access[k] for k in ("action", "thread", "instruction", "ptx_line")))
        above = self.finding("row_above_the_first")
        self.assertEqual(("index -1 of an array float[8]", 7), (above["place"], above["count"]))
        part = self.finding("out_of_the_first_part")
        self.assertEqual(("shared b[0]", "b", 0, "shared", 1), tuple(part[k] for k in ("place", "array", "index", "space", "count")))
        self.assertEqual("the address is made from shared a, of 64 elements, with index 64", part["missing"])
        below = self.finding("below_the_second_part")
        self.assertEqual("the address is made from shared b, of 64 elements, with index -1", below["missing"])
        barrier = self.finding("barrier_on_both_sides")
        self.assertEqual(["wait", "wait"], [a["action"] for a in barrier["accesses"]])
        self.assertEqual(([0, 0, 0], [32, 0, 0]), tuple(a["thread"] for a in barrier["accesses"]))
        self.assertIn("memory of cudaMalloc", self.finding("sum_in_a_new_buffer")["missing"])


class Launches(unittest.TestCase):
    """`dynamic_shared_arrays`, buffers over several launches, and programs that need not be looked at twice."""

    SHARED = """
__global__ void k(int *g)
{
    extern __shared__ int d[];
    d[threadIdx.x] = 1;
    g[threadIdx.x] = d[threadIdx.x];
}
"""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def launch(self, program, launch, name="k.cu"):
        (self.path / name).write_text(program)
        (self.path / "launch.yaml").write_text(
            f"version: 1\nprogram: {name}\nbuffers: {{g: {{type: s32, count: 64}}}}\n{launch}")
        return self.path / "launch.yaml"

    def error(self, arrays, more=""):
        target = self.launch(self.SHARED, "kernel: k\ngrid: 1\nblock: 32\nparams: [{ref: g}]\n" + more +
                             f"dynamic_shared_arrays: {arrays}\n")
        done = subprocess.run([WARPSTEP, "run", target], capture_output=True, text=True)
        self.assertEqual(3, done.returncode, done.stdout)
        return done.stderr

    def test_arrays_give_the_bytes(self):
        target = self.launch(self.SHARED, "let: {n: 40}\nkernel: k\ngrid: 1\nblock: 16\nparams: [{ref: g}]\n"
                             "dynamic_shared_arrays: {a: {type: u8, count: n + 1}, b: {type: f64, count: 4}}\n")
        report = json.loads(run_check(WARPSTEP, target, "--format", "json", code=0))
        self.assertEqual(48 + 32, report["launches"][0]["dynamic_shared_bytes"])

    def test_wrong_arrays(self):
        self.assertIn("launch.yaml:9:25: error: 'b' ends at byte 256, and dynamic_shared_bytes is 255",
                      self.error("{b: {type: s32, count: 64}}", "dynamic_shared_bytes: 255\n"))
        self.assertIn("offset: the array before ends at byte 16",
                      self.error("{a: {type: s32, count: 4}, b: {type: s32, count: 4, offset: 12}}"))
        self.assertIn("offset: a multiple of 4 is expected", self.error("{a: {type: s32, count: 4, offset: 2}}"))
        self.assertIn("an array lacks the key 'count'", self.error("{a: {type: s32}}"))

    def test_a_launch_writes_for_the_next(self):
        program = """
__global__ void one(int *g) { g[threadIdx.x] = 1; }
__global__ void two(int *g) { g[threadIdx.x] += 1; }
"""
        both = "launches:\n  - {kernel: one, grid: 1, block: 32, params: [{ref: g}]}\n" \
               "  - {kernel: two, grid: 1, block: 32, params: [{ref: g}]}\n"
        run_check(WARPSTEP, self.launch(program, both), "--check", "all", code=0)
        run_check(WARPSTEP, self.launch(program, both.replace("block: 32", "block: 16", 1)), "--check", "all", code=1)
        run_check(WARPSTEP, self.launch(program, both.replace("block: 32", "block: 16", 1)), "--check", "races", code=0)

    def test_what_is_only_read_is_zero(self):
        program = "__global__ void k(const int *g) { if (g[threadIdx.x] != 0) __trap(); }\n"
        run_check(WARPSTEP, self.launch(program, "kernel: k\ngrid: 1\nblock: 32\nparams: [{ref: g}]\n"),
                  "--check", "all", code=0)

    def test_barriers_that_lanes_of_a_warp_part_at(self):
        """clang 14 makes one barrier of the two, and the run ends well; others keep both, and no lane goes on."""
        program = """
__global__ void k(int *g)
{
    __shared__ int a[64];
    int t = threadIdx.x;
    a[t] = t;
    if (t % 2)
        __syncthreads();
    else
        __syncthreads();
    g[t] = a[63 - t];
}
"""
        target = self.launch(program, "kernel: k\ngrid: 1\nblock: 64\nparams: [{ref: g}]\n")
        report = json.loads(run_check(WARPSTEP, target, "--check", "all", "--format", "json"))
        [found] = report["findings"]
        self.assertEqual(("barriers", [8, 10]), (found["check"], sorted(a["line"] for a in found["accesses"])))
        self.assertIn("the checks ended early: k: block (0,0,0) waits for ever", report["warnings"][-1])

    def test_beside_a_fault(self):
        program = """
__global__ void k(int *g)
{
    __shared__ int a[2][32];
    a[threadIdx.x / 32][threadIdx.x % 32] = 1;
    __syncthreads();
    g[threadIdx.x] = a[threadIdx.x / 32][threadIdx.x % 32 + 1];
}
"""
        target = self.launch(program, "kernel: k\ngrid: 1\nblock: 64\nparams: [{ref: g}]\n")
        text = run_check(WARPSTEP, target, "--check", "all", code=4)
        self.assertIn("BOUNDS  index 32 of an array int[32]; first of 2 at this line", text)

    def test_in_ptx(self):
        """A program that clang has not made has its barriers all the same."""
        ptx = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 g)
{
    .reg .pred %p;
    .reg .b32 %r;
    mov.u32 %r, %tid.x;
    setp.lt.u32 %p, %r, 32;
    @%p bra LOW;
    bar.sync 0;
    bra END;
LOW:
    bar.sync 0;
END:
    ret;
}
"""
        text = run_check(WARPSTEP, self.launch(ptx, "kernel: k\ngrid: 1\nblock: 64\nparams: [{ref: g}]\n", "k.ptx"),
                         "--check", "all", code=1)
        self.assertIn("BARRIERS  __syncthreads(); first of 32 at these lines", text)


if __name__ == "__main__":
    unittest.main()
