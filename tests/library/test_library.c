/* libwarpstep through its public header alone. */
#include "include/warpstep/warpstep.h"
#include "tests/support/suite.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

/* scale(float *x, float by, int n): x[i] *= by for i < n; total counts the threads that do. */
static const char scale[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .u32 total;\n"
    ".const .align 4 .f32 bias = 0f00000000;\n"
    ".visible .entry scale(.param .u64 x, .param .f32 by, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .f32 %f<5>;\n.reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.f32 %f1, [by];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n@%p1 bra DONE;\n"
    "mul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f2, [%rd3];\nld.const.f32 %f4, [bias];\nfma.rn.f32 %f3, %f2, %f1, %f4;\n"
    "st.global.f32 [%rd3], %f3;\n"
    "mov.u64 %rd4, total;\nred.global.add.u32 [%rd4], 1;\n"
    "DONE:\nret;\n}\n"
    ".visible .entry wait()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\nmov.u32 %r1, 0;\n"
    "L:\nadd.s32 %r1, %r1, 3;\nsetp.ne.s32 %p1, %r1, 1000000;\n@%p1 bra L;\nret;\n}\n";

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

START_TEST(memory_of_the_caller_is_worked_on_in_place)
{
    unsigned program;
    uint64_t address;
    float x[COUNT];
    warpstep *gpu = open_machine(&program);
    fill(x);
    OK(warpstep_attach(gpu, "x", "f32", COUNT, x, &address));
    OK(enqueue(gpu, program, address, 2, COUNT));
    OK(enqueue(gpu, program, address, 3, 50));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    for (int i = 0; i < COUNT; i++)
        ck_assert_float_eq(x[i], (float)(i * (i < 50 ? 6 : 2)));
    ck_assert_uint_eq(warpstep_launch_count(gpu), 2);
    warpstep_close(gpu);
    ck_assert_float_eq(x[1], 6);
}
END_TEST

/*
 * What one buffer points to in another is where the host has it: above 4 GiB, as the simulator has
 * windows of its own below, where valgrind puts the heap.
 */
START_TEST(memory_can_keep_its_address)
{
    unsigned program;
    float *x = mmap((void *)(uintptr_t)0x100000000, 512, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t address = (uint64_t)(uintptr_t)x;
    warpstep *gpu = open_machine(&program);
    fill(x);
    OK(warpstep_attach_at(gpu, "x", "f32", COUNT, x, address));
    ck_assert_ptr_eq(warpstep_pointer(gpu, address + 8, NULL), &x[2]);
    OK(enqueue(gpu, program, address, 2, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_float_eq(x[5], 10);
    warpstep_close(gpu);
    munmap(x, 512);
}
END_TEST

START_TEST(figures_are_of_each_launch)
{
    unsigned program;
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &address));
    OK(enqueue(gpu, program, address, 2, COUNT));
    OK(enqueue(gpu, program, address, 2, 0));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    const warpstep_figures first = *warpstep_figures_of(gpu, 0);
    const warpstep_figures second = *warpstep_figures_of(gpu, 1);
    ck_assert_ptr_null(warpstep_figures_of(gpu, 2));
    ck_assert_uint_eq(first.blocks_launched, 4);
    ck_assert_uint_eq(first.warps_launched, 4);
    ck_assert_uint_eq(first.global_store_requests, 4 + 4); /* the atomics too */
    ck_assert_uint_eq(second.global_store_requests, 0);
    ck_assert_uint_gt(first.cycles, second.cycles);
    ck_assert(first.theoretical_occupancy > 0 && first.achieved_occupancy <= 1);
    uint64_t sum = 0;
    unsigned reasons = 0;
    for (; warpstep_stall_name(reasons) != NULL; reasons++) {
        ck_assert_ptr_nonnull(warpstep_stall_help(reasons));
        sum += warpstep_stall_cycles(gpu, 0, reasons);
    }
    ck_assert_uint_eq(sum, first.warp_cycles);
    ck_assert_str_eq(warpstep_stall_name(0), "selected");
    ck_assert_uint_eq(warpstep_stall_cycles(gpu, 0, 0), first.warp_instructions);
    ck_assert_uint_eq(warpstep_stall_cycles(gpu, 0, reasons), 0);
    ck_assert_uint_eq(warpstep_stall_cycles(gpu, 2, 0), 0);
    ck_assert_ptr_nonnull(strstr(warpstep_json(gpu), "\"kernel\""));
    warpstep_close(gpu);
}
END_TEST

/* The same launches give the same figures, however the machine was used before. */
START_TEST(runs_are_repeatable)
{
    unsigned program;
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    char *before = NULL;
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &address));
    for (int round = 0; round < 3; round++) {
        OK(enqueue(gpu, program, address, 1, COUNT));
        OK(warpstep_run(gpu, WARPSTEP_CYCLES));
        if (before != NULL)
            ck_assert_str_eq(before, warpstep_json(gpu));
        free(before);
        before = strdup(warpstep_json(gpu));
    }
    free(before);
    warpstep_close(gpu);
}
END_TEST

START_TEST(without_time_the_values_are_the_same)
{
    unsigned program;
    uint64_t timed, plain;
    float x[COUNT], y[COUNT];
    warpstep *gpu = open_machine(&program);
    fill(x);
    OK(warpstep_alloc(gpu, "timed", "f32", COUNT, &timed));
    OK(warpstep_alloc(gpu, "plain", "f32", COUNT, &plain));
    OK(warpstep_write(gpu, timed, x, sizeof x));
    OK(warpstep_write(gpu, plain, x, sizeof x));
    OK(enqueue(gpu, program, timed, 1.5f, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    const uint64_t instructions = warpstep_figures_of(gpu, 0)->warp_instructions;
    OK(enqueue(gpu, program, plain, 1.5f, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_FUNCTIONAL));
    ck_assert_uint_eq(warpstep_figures_of(gpu, 0)->warp_instructions, instructions);
    ck_assert_uint_eq(warpstep_figures_of(gpu, 0)->cycles, 0);
    ck_assert_ptr_null(warpstep_json(gpu));
    OK(warpstep_read(gpu, x, timed, sizeof x));
    OK(warpstep_read(gpu, y, plain, sizeof y));
    ck_assert_mem_eq(x, y, sizeof x);
    ck_assert_float_eq(x[2], 3);
    warpstep_close(gpu);
}
END_TEST

START_TEST(variables_keep_their_values_between_runs)
{
    unsigned program;
    uint64_t address;
    uint32_t total;
    const float bias = 10;
    float first;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, NULL, "f32", COUNT, &address));
    OK(warpstep_write_symbol(gpu, program, "bias", 0, &bias, sizeof bias));
    OK(enqueue(gpu, program, address, 1, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    OK(enqueue(gpu, program, address, 1, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_FUNCTIONAL));
    OK(warpstep_read_symbol(gpu, program, "total", 0, &total, sizeof total));
    ck_assert_uint_eq(total, 2 * COUNT);
    OK(warpstep_read(gpu, &first, address, sizeof first));
    ck_assert_float_eq(first, 20);
    REFUSED(warpstep_read_symbol(gpu, program, "none", 0, &total, 4), "'none'");
    REFUSED(warpstep_read_symbol(gpu, program, "total", 1, &total, 4), "4 bytes");
    warpstep_close(gpu);
}
END_TEST

START_TEST(a_fault_says_where)
{
    unsigned program;
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &address));
    for (int mode = 0; mode < 2; mode++) {
        OK(enqueue(gpu, program, address, 1, COUNT + 1));
        ck_assert_int_eq(warpstep_run(gpu, mode == 0 ? WARPSTEP_CYCLES : WARPSTEP_FUNCTIONAL),
                         WARPSTEP_FAULT);
        const warpstep_error *error = warpstep_last_error(gpu);
        ck_assert_int_eq(error->code, WARPSTEP_FAULT);
        ck_assert_ptr_nonnull(strstr(error->text, "'x'"));
        ck_assert_str_eq(error->fault, "out of bounds");
        ck_assert_int_eq((int)error->launch, 0);
        if (mode == 0) {
            ck_assert_int_eq(error->block[0], 3);
            ck_assert_int_eq(error->thread[0], 4);
            ck_assert_int_eq(error->lane, 4);
        }
    }
    ck_assert_uint_eq(warpstep_launch_count(gpu), 1);
    OK(enqueue(gpu, program, address, 1, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    warpstep_close(gpu);
}
END_TEST

START_TEST(wrong_calls_are_refused_and_change_nothing)
{
    unsigned program, other;
    uint64_t address;
    const float by = 1;
    const int n = 1;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &address));
    const void *arguments[] = {&address, &by, &n};
    const warpstep_launch good = {.size = sizeof good,
                                  .program = program,
                                  .kernel = "scale",
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = 3};
    warpstep_launch bad = good;
    REFUSED(warpstep_run(gpu, WARPSTEP_CYCLES), "warpstep_enqueue()");
    bad.kernel = "none";
    REFUSED(warpstep_enqueue(gpu, &bad), "'none'");
    bad = good;
    bad.argument_count = 2;
    REFUSED(warpstep_enqueue(gpu, &bad), "3 parameters, not 2");
    bad = good;
    arguments[1] = NULL;
    REFUSED(warpstep_enqueue(gpu, &bad), "null pointer");
    arguments[1] = &by;
    bad.parameter_block = &n;
    bad.parameter_bytes = 4;
    REFUSED(warpstep_enqueue(gpu, &bad), "16 bytes, not 4");
    bad = good;
    bad.size = 0;
    REFUSED(warpstep_enqueue(gpu, &bad), "`size` of the warpstep_launch");
    bad = good;
    bad.program = 7;
    REFUSED(warpstep_enqueue(gpu, &bad), "program 7");
    bad = good;
    bad.block[0] = 2048;
    ck_assert_int_eq(warpstep_enqueue(gpu, &bad), WARPSTEP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(warpstep_last_error(gpu)->text, "1024"));
    REFUSED(warpstep_run(gpu, WARPSTEP_CYCLES), "warpstep_enqueue()");
    REFUSED(warpstep_go(gpu, 0), "warpstep_begin_stepping()");
    REFUSED(warpstep_observe(gpu, "issue,nothing", NULL, NULL), "'nothing'");
    OK(warpstep_load_memory(gpu, "again.ptx", scale, strlen(scale), NULL, &other));
    OK(warpstep_enqueue(gpu, &good));
    bad = good;
    bad.program = other;
    REFUSED(warpstep_enqueue(gpu, &bad), "another program");
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    warpstep_close(gpu);
}
END_TEST

START_TEST(wrong_memory_is_refused)
{
    unsigned program;
    uint64_t address;
    const int n = 1;
    char byte, x[16];
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &address));
    REFUSED(warpstep_write(gpu, address + 4 * COUNT - 3, &n, 4), "ends past 3");
    REFUSED(warpstep_read(gpu, &byte, address - 1, 1), "no buffer at");
    REFUSED(warpstep_free(gpu, address + 4), "no buffer begins at");
    REFUSED(warpstep_alloc(gpu, "x", "f33", 1, &address), "'f33'");
    REFUSED(warpstep_alloc(gpu, "x", "f32", 0, &address), "1 element");
    REFUSED(warpstep_attach(gpu, "x", NULL, 1, NULL, &address), "no memory");
    REFUSED(warpstep_attach_at(gpu, "x", NULL, 16, x, address + 64), "multiple of 128");
    REFUSED(warpstep_attach_at(gpu, "x", NULL, 16, x, address + 256), "no room");
    REFUSED(warpstep_attach_at(gpu, "x", NULL, 16, x, 0x01000000), "no room");
    OK(warpstep_attach_at(gpu, "x", NULL, 16, x, address + 512));
    REFUSED(warpstep_attach_at(gpu, "x", NULL, 129, x, address + 384), "no room");
    OK(warpstep_free(gpu, address + 512));
    warpstep_close(gpu);
}
END_TEST

START_TEST(bad_input_has_a_position)
{
    static const char *const settings[] = {"no.such=1", NULL};
    static const char wrong[] = ".version 7.5\n.target sm_80\n.address_size 64\n"
                                ".visible .entry k()\n{\n\tnonsense.u32 %r1;\n\tret;\n}\n";
    warpstep *gpu;
    unsigned program;
    uint64_t address;
    ck_assert_int_eq(warpstep_open("h200", settings, &gpu), WARPSTEP_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(warpstep_last_error(gpu)->text, "no.such"));
    REFUSED(warpstep_alloc(gpu, "x", NULL, 1, &address), "no device");
    warpstep_close(gpu);
    OK(warpstep_open(NULL, NULL, &gpu));
    ck_assert_str_eq(warpstep_last_error(gpu)->text, "");
    ck_assert_str_eq(warpstep_setting(gpu, "warp_size"), "32");
    ck_assert_ptr_null(warpstep_setting(gpu, "no.such"));
    ck_assert_int_eq(warpstep_load_memory(gpu, "wrong.ptx", wrong, strlen(wrong), NULL, &program),
                     WARPSTEP_BAD_INPUT);
    ck_assert_str_eq(warpstep_last_error(gpu)->file, "wrong.ptx");
    ck_assert_uint_eq(warpstep_last_error(gpu)->line, 6);
    ck_assert_int_eq(warpstep_load_file(gpu, "/nonexistent/k.ptx", NULL, &program),
                     WARPSTEP_BAD_INPUT);
    ck_assert_int_eq(warpstep_load_file(gpu, "k.txt", NULL, &program), WARPSTEP_BAD_INPUT);
    warpstep_close(gpu);
    warpstep_close(NULL);
}
END_TEST

START_TEST(kernels_are_described)
{
    unsigned program;
    warpstep *gpu = open_machine(&program);
    const warpstep_kernel *kernel = warpstep_find_kernel(gpu, program, "scale");
    ck_assert_str_eq(kernel->symbol, "scale");
    ck_assert_uint_eq(kernel->parameter_count, 3);
    ck_assert_uint_eq(kernel->parameter_bytes, 16);
    const warpstep_parameter *n = warpstep_parameter_at(gpu, program, "scale", 2);
    ck_assert_uint_eq(n->offset, 12);
    ck_assert_uint_eq(n->size, 4);
    ck_assert_str_eq(n->type, "u32");
    ck_assert_ptr_null(warpstep_parameter_at(gpu, program, "scale", 3));
    ck_assert_str_eq(warpstep_kernel_at(gpu, program, 1)->name, "wait");
    ck_assert_ptr_null(warpstep_kernel_at(gpu, program, 2));
    ck_assert_ptr_null(warpstep_find_kernel(gpu, program, "scales"));
    unsigned blocks;
    OK(warpstep_occupancy(gpu, program, "scale", 1024, 0, &blocks));
    ck_assert_uint_eq(blocks, 2);
    OK(warpstep_occupancy(gpu, program, "scale", 32, 100000, &blocks));
    ck_assert_uint_eq(blocks, 2);
    REFUSED(warpstep_occupancy(gpu, program, "scale", 0, 0, &blocks), "1 thread");
    ck_assert_ptr_nonnull(warpstep_version());
    warpstep_close(gpu);
}
END_TEST

static void count_event(void *data, const warpstep_event *event)
{
    unsigned *counts = data;
    if (strcmp(event->kind, "issue") == 0) {
        ck_assert_ptr_nonnull(event->instruction);
        counts[0] += event->lanes != 0;
    } else {
        ck_assert_str_eq(event->kind, "block_begin");
        counts[1]++;
    }
}

START_TEST(events_are_told)
{
    unsigned program, counts[2] = {0, 0};
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", 128, &address));
    OK(warpstep_observe(gpu, "issue, block_begin", count_event, counts));
    OK(enqueue(gpu, program, address, 1, 128));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_uint_eq(counts[1], 4);
    ck_assert_uint_gt(counts[0], 4 * 10);
    ck_assert_uint_le(counts[0], warpstep_figures_of(gpu, 0)->warp_instructions);
    OK(warpstep_observe(gpu, NULL, NULL, NULL));
    OK(enqueue(gpu, program, address, 1, 128));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_uint_eq(counts[1], 4);
    warpstep_close(gpu);
}
END_TEST

static void check_lanes(void *data, const warpstep_event *event)
{
    ck_assert_msg(event->lanes == 0, "%s has lanes", event->kind);
    ++*(unsigned *)data;
}

/* An event that is of no lanes has none. */
START_TEST(events_without_lanes)
{
    unsigned program, seen = 0;
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", 128, &address));
    OK(warpstep_observe(gpu, "stall, choice, block_end", check_lanes, &seen));
    OK(enqueue(gpu, program, address, 1, 128));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_uint_gt(seen, 10);
    warpstep_close(gpu);
}
END_TEST

START_TEST(a_run_is_stepped_there_and_back)
{
    unsigned program;
    uint64_t address;
    float x[COUNT];
    const char *text;
    uint32_t value;
    warpstep *gpu = open_machine(&program);
    fill(x);
    OK(warpstep_attach(gpu, "x", "f32", COUNT, x, &address));
    OK(enqueue(gpu, program, address, 2, COUNT));
    OK(warpstep_begin_stepping(gpu));
    REFUSED(enqueue(gpu, program, address, 2, COUNT), "a run is being stepped");
    ck_assert_uint_eq(warpstep_cycle(gpu), 0);
    OK(warpstep_command(gpu, "info warps", &text));
    ck_assert_ptr_nonnull(strstr(text, "################################"));
    REFUSED(warpstep_command(gpu, "no such command", &text), "no");
    OK(warpstep_go(gpu, UINT64_MAX));
    ck_assert(warpstep_is_over(gpu));
    const uint64_t end = warpstep_cycle(gpu);
    ck_assert_float_eq(x[5], 10);
    ck_assert_ptr_null(warpstep_warp_at(gpu, 0));
    OK(warpstep_go(gpu, 20));
    ck_assert_uint_eq(warpstep_cycle(gpu), 20);
    ck_assert(!warpstep_is_over(gpu));
    ck_assert_float_eq(x[5], 5);
    const warpstep_warp *warp = warpstep_warp_at(gpu, 0);
    ck_assert_ptr_nonnull(warp);
    ck_assert_ptr_nonnull(warp->instruction);
    ck_assert_uint_eq(warp->active, 0xffffffff);
    const unsigned sm = warp->sm, slot = warp->slot;
    OK(warpstep_evaluate(gpu, sm, slot, 3, "threadIdx.x + 1", &text));
    ck_assert_str_eq(text, "4");
    OK(warpstep_register(gpu, sm, slot, 3, 0, &value));
    REFUSED(warpstep_register(gpu, sm, slot, 3, 250, &value), "R250");
    REFUSED(warpstep_register(gpu, sm, 63, 3, 0, &value), "slot 63");
    REFUSED(warpstep_register(gpu, sm, slot, 32, 0, &value), "0 to 31");
    REFUSED(warpstep_evaluate(gpu, sm, slot, 3, "nothing", &text), "nothing");
    OK(warpstep_go(gpu, UINT64_MAX));
    ck_assert_uint_eq(warpstep_cycle(gpu), end);
    ck_assert_float_eq(x[5], 10);
    OK(warpstep_end_stepping(gpu));
    OK(enqueue(gpu, program, address, 2, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_float_eq(x[5], 20);
    warpstep_close(gpu);
}
END_TEST

/* Each thread has machines of its own; all come to the same. */
static void *use_machine(void *data)
{
    char **ret = data;
    unsigned program;
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    if (warpstep_alloc(gpu, "x", "f32", COUNT, &address) == WARPSTEP_OK &&
        enqueue(gpu, program, address, 1, COUNT) == WARPSTEP_OK &&
        warpstep_run(gpu, WARPSTEP_CYCLES) == WARPSTEP_OK)
        *ret = strdup(warpstep_json(gpu));
    warpstep_close(gpu);
    return NULL;
}

START_TEST(machines_are_independent)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    char *texts[THREADS] = {NULL};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_machine, &texts[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_ptr_nonnull(texts[i]);
        ck_assert_str_eq(texts[i], texts[0]);
    }
    for (int i = 0; i < THREADS; i++)
        free(texts[i]);
}
END_TEST

START_TEST(a_run_is_shown_as_a_page)
{
    unsigned program;
    uint64_t address;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_alloc(gpu, "x", "f32", COUNT, &address));
    OK(warpstep_record_page(gpu, 1));
    OK(enqueue(gpu, program, address, 1, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    const char *page = warpstep_html(gpu);
    if (page != NULL) /* built without what makes pages */
        ck_assert_ptr_nonnull(strstr(page, "</html>"));
    OK(warpstep_record_page(gpu, 0));
    OK(enqueue(gpu, program, address, 1, COUNT));
    OK(warpstep_run(gpu, WARPSTEP_CYCLES));
    ck_assert_ptr_null(warpstep_html(gpu));
    OK(warpstep_free(gpu, address));
    ck_assert_ptr_null(warpstep_pointer(gpu, address, NULL));
    warpstep_close(gpu);
}
END_TEST

/* say(int n): printf("thread %d\n", tid) of n threads, of which each returns 1. */
static const char say[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 $str[11] = {116, 104, 114, 101, 97, 100, 32, 37, 100, 10, 0};\n"
    ".visible .entry say()\n{\n.local .align 8 .b8 depot[8];\n"
    ".reg .b32 %r<4>;\n.reg .b64 %rd<6>;\n"
    "mov.u64 %rd1, depot;\ncvta.local.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
    "st.local.u32 [%rd1], %r1;\nmov.u64 %rd3, $str;\ncvta.global.u64 %rd4, %rd3;\n"
    "{\n.param .b64 p0;\nst.param.b64 [p0], %rd4;\n.param .b64 p1;\nst.param.b64 [p1], %rd2;\n"
    ".param .b32 r0;\ncall.uni (r0), vprintf, (p0, p1);\nld.param.b32 %r2, [r0];\n}\n"
    "ret;\n}\n";

START_TEST(what_kernels_print_is_told)
{
    static const warpstep_limits little = {.size = sizeof little, .printf_bytes = 60};
    unsigned program;
    size_t length;
    uint64_t lost;
    warpstep *gpu = open_machine(&program);
    OK(warpstep_load_memory(gpu, "say.ptx", say, strlen(say), NULL, &program));
    for (int round = 0; round < 4; round++) {
        const warpstep_launch launch = {.size = sizeof launch,
                                        .program = program,
                                        .kernel = "say",
                                        .grid = {1, 1, 1},
                                        .block = {3, 1, 1}};
        if (round == 2)
            OK(warpstep_set_limits(gpu, &little));
        OK(warpstep_enqueue(gpu, &launch));
        OK(warpstep_enqueue(gpu, &launch));
        OK(warpstep_run(gpu, round % 2 == 0 ? WARPSTEP_CYCLES : WARPSTEP_FUNCTIONAL));
        for (unsigned i = 0; i < 2; i++) {
            ck_assert_str_eq(warpstep_printed(gpu, i, &length, &lost),
                             round < 2 ? "thread 0\nthread 1\nthread 2\n" : "thread 1\nthread 2\n");
            ck_assert_uint_eq(length, round < 2 ? 27 : 18);
            ck_assert_uint_eq(lost, round < 2 ? 0 : 1);
        }
        ck_assert_ptr_null(warpstep_printed(gpu, 2, &length, NULL));
        ck_assert_uint_eq(length, 0);
    }
    warpstep_close(gpu);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, what_kernels_print_is_told);
    tcase_add_test(cases, memory_of_the_caller_is_worked_on_in_place);
    tcase_add_test(cases, memory_can_keep_its_address);
    tcase_add_test(cases, figures_are_of_each_launch);
    tcase_add_test(cases, runs_are_repeatable);
    tcase_add_test(cases, without_time_the_values_are_the_same);
    tcase_add_test(cases, variables_keep_their_values_between_runs);
    tcase_add_test(cases, a_fault_says_where);
    tcase_add_test(cases, wrong_calls_are_refused_and_change_nothing);
    tcase_add_test(cases, wrong_memory_is_refused);
    tcase_add_test(cases, bad_input_has_a_position);
    tcase_add_test(cases, kernels_are_described);
    tcase_add_test(cases, events_are_told);
    tcase_add_test(cases, events_without_lanes);
    tcase_add_test(cases, a_run_is_stepped_there_and_back);
    tcase_add_test(cases, machines_are_independent);
    tcase_add_test(cases, a_run_is_shown_as_a_page);
}

int main(void)
{
    return run_suite("library", add_tests);
}
