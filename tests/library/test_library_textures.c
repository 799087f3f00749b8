/* Textures of the library, through its public header alone. */
#include "include/warpstep/warpstep.h"
#include "tests/support/suite.h"

#include <string.h>

#define OK(call) ck_assert_int_eq((call), WARPSTEP_OK)
#define REFUSED(call, part)                                                                        \
    do {                                                                                           \
        ck_assert_int_eq((call), WARPSTEP_BAD_CALL);                                               \
        ck_assert_ptr_nonnull(strstr(warpstep_last_error(gpu)->text, part));                       \
    } while (0)

/* fetch(.u64 texture, float *to): to[x] = the fetch at x. */
static const char fetch_ptx[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".visible .entry fetch(.param .u64 t, .param .u64 to)\n{\n"
    ".reg .b32 %r<2>;\n.reg .f32 %f<5>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [to];\nmov.u32 %r1, %tid.x;\n"
    "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];\n"
    "mad.wide.u32 %rd3, %r1, 4, %rd2;\nst.global.f32 [%rd3], %f2;\nret;\n}\n";

START_TEST(textures_are_views_of_buffers)
{
    static const char *const settings[] = {"sms=2", NULL};
    unsigned program;
    uint64_t address, to, texture, other;
    warpstep *gpu;
    float texels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float got[6];
    warpstep_texture wanted = {.size = sizeof wanted,
                               .type = "f32",
                               .channels = 2,
                               .width = 4,
                               .address_mode = {WARPSTEP_TEXTURE_BORDER},
                               .border = {0, 9, 0, 0}};
    OK(warpstep_open("h200", settings, &gpu));
    OK(warpstep_load_memory(gpu, "fetch.ptx", fetch_ptx, sizeof fetch_ptx - 1, NULL, &program));
    OK(warpstep_attach(gpu, "texels", "f32", 8, texels, &address));
    OK(warpstep_alloc(gpu, "to", "f32", 6, &to));
    wanted.address = address;
    OK(warpstep_create_texture(gpu, &wanted, &other));
    OK(warpstep_create_texture(gpu, &wanted, &texture));
    OK(warpstep_destroy_texture(gpu, other));
    REFUSED(warpstep_destroy_texture(gpu, other), "handle");
    const void *arguments[] = {&texture, &to};
    const warpstep_launch launch = {.size = sizeof launch,
                                    .program = program,
                                    .kernel = "fetch",
                                    .grid = {1, 1, 1},
                                    .block = {6, 1, 1},
                                    .arguments = arguments,
                                    .argument_count = 2};
    for (int mode = WARPSTEP_CYCLES; mode <= WARPSTEP_FUNCTIONAL; mode++) {
        OK(warpstep_enqueue(gpu, &launch));
        OK(warpstep_run(gpu, (warpstep_mode)mode));
        OK(warpstep_read(gpu, got, to, sizeof got));
        for (int i = 0; i < 6; i++)
            ck_assert_float_eq(got[i], (float)(i < 4 ? 2 * i + 2 : 9));
        texels[1] = 2;
    }
    wanted.width = 5;
    REFUSED(warpstep_create_texture(gpu, &wanted, &other), "one buffer");
    wanted.width = 0;
    REFUSED(warpstep_create_texture(gpu, &wanted, &other), "from 1 to");
    wanted.width = 4;
    wanted.channels = 3;
    REFUSED(warpstep_create_texture(gpu, &wanted, &other), "channels");
    wanted.channels = 2;
    wanted.address_mode[0] = WARPSTEP_TEXTURE_WRAP;
    REFUSED(warpstep_create_texture(gpu, &wanted, &other), "normalized");
    wanted.type = "f64";
    REFUSED(warpstep_create_texture(gpu, &wanted, &other), "8, 16 or 32 bits");
    wanted.type = "s32";
    wanted.normalized = wanted.linear = 1;
    REFUSED(warpstep_create_texture(gpu, &wanted, &other), "filtered");
    OK(warpstep_free(gpu, address)); /* the texture is none any more */
    OK(warpstep_enqueue(gpu, &launch));
    ck_assert_int_eq(warpstep_run(gpu, WARPSTEP_CYCLES), WARPSTEP_FAULT);
    warpstep_close(gpu);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, textures_are_views_of_buffers);
}

int main(void)
{
    return run_suite("library_textures", add_tests);
}
