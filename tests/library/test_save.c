/* What waits as a launch file, and runs of which a part is timed, through the public header alone.
 */
#include "include/warpstep/warpstep.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

/* scale(float *x, float by, int n): x[i] *= by for i < n; total counts the threads that do. */
static const char scale[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .u32 total;\n"
    ".const .align 4 .f32 bias = 0f00000000;\n"
    ".visible .entry scale(.param .u64 x, .param .f32 by, .param .s32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .f32 %f<5>;\n.reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.f32 %f1, [by];\nld.param.s32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n@%p1 bra DONE;\n"
    "mul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f2, [%rd3];\nld.const.f32 %f4, [bias];\nfma.rn.f32 %f3, %f2, %f1, %f4;\n"
    "st.global.f32 [%rd3], %f3;\n"
    "mov.u64 %rd4, total;\nred.global.add.u32 [%rd4], 1;\n"
    "DONE:\nret;\n}\n";

enum { COUNT = 100 };

static warpstep *open_machine(unsigned *program)
{
    static const char *const settings[] = {"sms=2", NULL};
    warpstep *gpu;
    ck_assert_int_eq(warpstep_open("h200", settings, &gpu), WARPSTEP_OK);
    ck_assert_int_eq(warpstep_load_memory(gpu, "scale.ptx", scale, strlen(scale), NULL, program),
                     WARPSTEP_OK);
    return gpu;
}

static warpstep_code enqueue(warpstep *gpu, unsigned program, uint64_t x, float by, int n)
{
    const void *arguments[] = {&x, &by, &n};
    const warpstep_launch launch = {.size = sizeof launch,
                                    .program = program,
                                    .kernel = "scale",
                                    .grid = {4, 1, 1},
                                    .block = {32, 1, 1},
                                    .arguments = arguments,
                                    .argument_count = 3};
    return warpstep_enqueue(gpu, &launch);
}

static void fill(float *x)
{
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i;
}

#define OK(call) ck_assert_int_eq((call), WARPSTEP_OK)
#define REFUSED(call, part)                                                                        \
    do {                                                                                           \
        ck_assert_int_eq((call), WARPSTEP_BAD_CALL);                                               \
        ck_assert_int_eq(warpstep_last_error(gpu)->code, WARPSTEP_BAD_CALL);                       \
        ck_assert_ptr_nonnull(strstr(warpstep_last_error(gpu)->text, part));                       \
    } while (0)

static char *contents_of(const char *path)
{
    enum { MOST = 1 << 16 };
    char *text = calloc(1, MOST);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        free(text);
        return NULL;
    }
    fread(text, 1, MOST - 1, file);
    fclose(file);
    return text;
}

/* What the command line makes of the file is a matter of the test cli_capture. */
START_TEST(what_waits_is_saved_as_a_launch_file)
{
    static const char *const parts[] = {
        "device: data/",
        "program: data/",
        ".ptx\n",
        "  x_1_: {type: f32, count: 100, address: 0x10000000, init: {file: data/",
        "  bx_1__2: {type: u8, count: 3, address: 0x10010200, init: zero}\n",
        "symbols:\n  total: {type: u8, init: {file: data/",
        "launches:\n  - kernel: scale\n    grid: [4, 1, 1]\n    block: [32, 1, 1]\n    params:\n"
        "      - {ref: x_1_, offset: 4}\n      - {f32: 0.100000001}\n      - {s32: 50}\n",
        "  - kernel: scale\n    grid: [4, 1, 1]\n    block: [32, 1, 1]\n    params:\n"
        "      - {u64: 5}\n      - {f32: -2.0}\n      - {s32: -1}\n",
        "      - {bytes: [0, 0, 192, 127]}\n"};
    char folder[] = "/tmp/warpstep-test-XXXXXX", path[64], command[64];
    unsigned program;
    uint64_t x, other;
    const int five = 5, zero = 0;
    float data[COUNT];
    warpstep *gpu = open_machine(&program);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.yaml", folder);
    fill(data);
    OK(warpstep_attach(gpu, "x[1]", "f32", COUNT, data, &x));
    OK(warpstep_alloc(gpu, "x(1)", NULL, 3, &other));
    OK(warpstep_write_symbol(gpu, program, "total", 0, &five, sizeof five));
    REFUSED(warpstep_save(gpu, path), "the queue is empty");
    OK(enqueue(gpu, program, x + 4, 0.1f, 50));
    OK(enqueue(gpu, program, 5, -2, -1));
    OK(enqueue(gpu, program, other, __builtin_nanf(""), 0));
    REFUSED(warpstep_save(gpu, folder), "ends in .yaml");
    OK(warpstep_save(gpu, path));
    char *text = contents_of(path);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "%s is not in\n%s", parts[i], text);
    /* A variable that is as in the program is not written; the queue is as it was. */
    OK(warpstep_write_symbol(gpu, program, "total", 0, &zero, sizeof zero));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_uint_eq(warpstep_launch_count(gpu), 3);
    OK(enqueue(gpu, program, x, 1, 0));
    OK(warpstep_write_symbol(gpu, program, "total", 0, &zero, sizeof zero));
    OK(warpstep_save(gpu, path));
    free(text);
    text = contents_of(path);
    ck_assert_ptr_null(strstr(text, "symbols"));
    ck_assert_int_eq(warpstep_save(gpu, "/nowhere/at/all.yaml"), WARPSTEP_BAD_INPUT);
    ck_assert_ptr_null(contents_of("/nowhere/at/all.yaml"));
    free(text);
    warpstep_close(gpu);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* `timed`: a letter a launch, t where it is timed. */
static void run_sampled(const char *rule, const char *timed)
{
    unsigned program;
    uint64_t x, cycles = 0;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &x));
    if (rule != NULL)
        OK(warpstep_set_sampling(gpu, rule));
    for (unsigned i = 0; timed[i] != '\0'; i++) {
        OK(enqueue(gpu, program, x, 1, COUNT));
        OK(warpstep_run(gpu, WARPSTEP_SAMPLED));
        ck_assert_int_eq(warpstep_is_timed(gpu), timed[i] == 't');
        if (timed[i] == 't')
            cycles = warpstep_figures_of(gpu, 0)->elapsed_cycles;
        else
            ck_assert_uint_eq(warpstep_figures_of(gpu, 0)->elapsed_cycles, 0);
        ck_assert_uint_eq(warpstep_estimated_cycles(gpu, 0), cycles);
        ck_assert_uint_ne(warpstep_figures_of(gpu, 0)->warp_instructions, 0);
        ck_assert_int_eq(warpstep_json(gpu) != NULL, timed[i] == 't');
    }
    warpstep_close(gpu);
}

START_TEST(some_launches_are_timed)
{
    static const char *const wrong[] = {"", "First", "every:", "every:0", "nth:-1", "nth:1x"};
    unsigned program;
    uint64_t x;
    const float by = 1;
    const int n = COUNT;
    warpstep *gpu = open_machine(&program);
    run_sampled(NULL, "t---");
    run_sampled("first", "t---");
    run_sampled("every:1", "ttt");
    run_sampled("every:3", "t--t--t");
    run_sampled("nth:3", "--t--");
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(warpstep_set_sampling(gpu, wrong[i]), "first, every:N or nth:N");
    REFUSED(warpstep_set_sampling(gpu, NULL), "first, every:N or nth:N");
    /* Another block is another kind of launch; so is other dynamic shared memory. */
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &x));
    for (unsigned i = 0; i < 6; i++) {
        const void *arguments[] = {&x, &by, &n};
        const warpstep_launch launch = {.size = sizeof launch,
                                        .program = program,
                                        .kernel = "scale",
                                        .grid = {4, 1, 1},
                                        .block = {i % 3 == 1 ? 64 : 32, 1, 1},
                                        .dynamic_shared_bytes = i % 3 == 2 ? 4 : 0,
                                        .arguments = arguments,
                                        .argument_count = 3};
        OK(warpstep_enqueue(gpu, &launch));
        OK(warpstep_run(gpu, WARPSTEP_SAMPLED));
        ck_assert_int_eq(warpstep_is_timed(gpu), i < 3);
    }
    OK(enqueue(gpu, program, x, 1, COUNT));
    OK(enqueue(gpu, program, x, 1, COUNT));
    REFUSED(warpstep_run(gpu, WARPSTEP_SAMPLED), "of one launch");
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_int_eq(warpstep_is_timed(gpu), 1);
    ck_assert_uint_eq(warpstep_estimated_cycles(gpu, 2), 0);
    warpstep_close(gpu);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, some_launches_are_timed);
    tcase_add_test(cases, what_waits_is_saved_as_a_launch_file);
}

int main(void)
{
    return run_suite("save", add_tests);
}
