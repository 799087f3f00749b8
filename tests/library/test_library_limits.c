/* What bounds a run of the library, through its public header alone. */
#include "include/warpstep/warpstep.h"
#include "tests/support/suite.h"

#include <string.h>

#define OK(call) ck_assert_int_eq((call), WARPSTEP_OK)

/* wait(): an endless loop. */
static const char wait_ptx[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".visible .entry wait()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\nmov.u32 %r1, 0;\n"
    "L:\nadd.s32 %r1, %r1, 3;\nsetp.ne.s32 %p1, %r1, 1000000;\n@%p1 bra L;\nret;\n}\n";

static warpstep *open_machine(warpstep_launch *launch)
{
    warpstep *gpu;
    OK(warpstep_open("h200", NULL, &gpu));
    *launch = (warpstep_launch){
        .size = sizeof *launch, .kernel = "wait", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    OK(warpstep_load_memory(gpu, "wait.ptx", wait_ptx, strlen(wait_ptx), NULL, &launch->program));
    return gpu;
}

/* A run of the launch ends at a limit, which the error names. */
static void ends(warpstep *gpu, const warpstep_limits *limits, const warpstep_launch *launch,
                 warpstep_mode mode, const char *named)
{
    OK(warpstep_set_limits(gpu, limits));
    OK(warpstep_enqueue(gpu, launch));
    ck_assert_int_eq(warpstep_run(gpu, mode), WARPSTEP_LIMIT);
    const char *text = warpstep_last_error(gpu)->text;
    ck_assert_msg(strstr(text, named) != NULL, "%s", text);
}

START_TEST(limits_end_a_run)
{
    warpstep_launch launch;
    warpstep *gpu = open_machine(&launch);
    const int stop = 1;
    const warpstep_limits cycles = {.size = sizeof cycles, .max_cycles = 1000};
    const warpstep_limits interrupted = {.size = sizeof interrupted, .interrupt = &stop};
    ends(gpu, &cycles, &launch, WARPSTEP_CYCLES, "1000");
    ends(gpu, &cycles, &launch, WARPSTEP_FUNCTIONAL, "more than 1000 warp instructions");
    ends(gpu, &interrupted, &launch, WARPSTEP_CYCLES, "interrupt");
    ends(gpu, &interrupted, &launch, WARPSTEP_FUNCTIONAL, "interrupt");
    warpstep_close(gpu);
}
END_TEST

START_TEST(memory_is_bounded)
{
    warpstep_launch launch;
    warpstep *gpu = open_machine(&launch);
    const warpstep_limits small = {.size = sizeof small, .max_memory = 1 << 20};
    uint64_t address;
    OK(warpstep_set_limits(gpu, &small));
    ck_assert_int_eq(warpstep_alloc(gpu, "x", NULL, 2 << 20, &address), WARPSTEP_BAD_CALL);
    ck_assert_ptr_nonnull(strstr(warpstep_last_error(gpu)->text, "max_memory"));
    warpstep_close(gpu);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, limits_end_a_run);
    tcase_add_test(cases, memory_is_bounded);
}

int main(void)
{
    return run_suite("library_limits", add_tests);
}
