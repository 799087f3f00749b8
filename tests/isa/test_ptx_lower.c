/* Instruction selection: PTX statements against the listing of the intermediate form. */
#include "isa/ir/ir.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/converge/convergence.h"
#include "tests/support/suite.h"

static WsIrModule *lower(const char *text, GError **error)
{
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.from_cuda = TRUE;
    return ws_ptx_to_ir("a.ptx", text, strlen(text), &options, error);
}

/* Statements in a kernel with parameters p (u64) and n (u32), and a store of %r0 or %rd0. */
static char *in_kernel(const char *statements, const char *store)
{
    return g_strdup_printf(
        ".global .align 8 .b8 out[16];\n"
        ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
        ".reg .pred %%p<8>; .reg .b16 %%rs<8>; .reg .b32 %%r<9>; .reg .f32 %%f<8>;"
        " .reg .b64 %%rd<8>; .reg .f64 %%fd<8>; .shared .align 16 .b8 s[64];\n"
        "%s\n%s\nret;\n}\n",
        statements, store);
}

/* The lines of the only block before the store, without indentation. */
static void assert_lowers(const char *statements, const char *store, const char *expected)
{
    g_autofree char *text = in_kernel(statements, store);
    GError *error = NULL;
    g_autoptr(WsIrModule) module = lower(text, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
    g_auto(GStrv) lines = g_strsplit(listing, "\n", -1);
    g_autoptr(GString) found = g_string_new(NULL);
    for (guint i = 2; lines[i] != NULL && strstr(lines[i], " STG") == NULL; i++)
        g_string_append_printf(found, "%s\n", g_strstrip(lines[i]));
    ck_assert_str_eq(found->str, expected);
}

static void assert_refused(const char *statements, const char *expected)
{
    g_autofree char *text = in_kernel(statements, "");
    GError *error = NULL;
    WsIrModule *module = lower(text, &error);
    ck_assert_msg(module == NULL, "'%s' was accepted", statements);
    ck_assert_int_eq(error->code, WS_ERROR_INPUT);
    ck_assert_str_eq(error->message, expected);
    g_error_free(error);
}

START_TEST(test_vector_add)
{
    static const char text[] =
        ".visible .entry vecadd(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
        ".reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %rd<8>;\n"
        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r2, [n];\n"
        "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"
        "mad.lo.s32 %r1, %r3, %r4, %r5; setp.ge.s32 %p1, %r1, %r2; @%p1 bra DONE;\n"
        "cvta.to.global.u64 %rd3, %rd1; mul.wide.s32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4;\n"
        "ld.global.f32 %f1, [%rd5]; add.f32 %f2, %f1, 0f3F800000;\n"
        "cvta.to.global.u64 %rd6, %rd2; add.s64 %rd7, %rd6, %rd4; st.global.f32 [%rd7+4], %f2;\n"
        "DONE: ret;\n}\n";
    GError *error = NULL;
    g_autoptr(WsIrModule) module = lower(text, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    const WsIrFunction *function = g_ptr_array_index(module->functions, 0);
    g_autofree char *listing = ws_ir_to_text(function);
    ck_assert_ptr_nonnull(strstr(listing, "S2R V"));
    ck_assert_ptr_nonnull(strstr(listing, ", c[0][0x0], V"));
    ck_assert_ptr_nonnull(strstr(listing, "c[0][0x220], PT, PT"));
    ck_assert_ptr_nonnull(strstr(listing, "EXIT PT"));
    ck_assert_uint_eq(function->kernel.parameter_count, 3);
    ck_assert_uint_eq(function->kernel.parameters[2].offset, 16);
    ck_assert_uint_eq(function->kernel.parameter_bytes, 20);
}
END_TEST

/* On Hopper the address of a shared variable is made at run time, whatever guards its user. */
START_TEST(test_shared_addresses)
{
    for (guint hopper = 0; hopper < 2; hopper++) {
        g_autofree char *text =
            in_kernel("setp.eq.u32 %p1, %r1, 7; @!%p1 st.shared.u32 [s+8], %r1;", "");
        WsCompileOptions options;
        ws_compile_options_init(&options);
        options.load_constants = hopper;
        GError *error = NULL;
        g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text, strlen(text), &options, &error);
        ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
        g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
        ck_assert_int_eq(strstr(listing, "S2R") != NULL, hopper);
        ck_assert_int_eq(strstr(listing, "SR_CgaCtaId") != NULL, hopper);
        ck_assert_int_eq(strstr(listing, "LEA") != NULL, hopper);
        ck_assert_ptr_nonnull(strstr(listing, hopper ? "+0x8]" : "[0x8]"));
        for (char *at = listing; (at = strchr(at, '@')) != NULL; at++)
            ck_assert_ptr_nonnull(g_strstr_len(at, 16, "STS"));
    }
}
END_TEST

/* What groups of more than a warp use lies behind the variables, in 1024 bytes, before dynamic
 * memory. */
START_TEST(test_reserved_shared)
{
    GError *error = NULL;
    g_autofree char *text = in_kernel("st.shared.u32 [s], 1; mov.u32 %r0, %reserved_smem_offset_1;",
                                      "st.global.u32 [out], %r0;");
    g_autoptr(WsIrModule) module = lower(text, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    const WsIrFunction *function = g_ptr_array_index(module->functions, 0);
    g_autofree char *listing = ws_ir_to_text(function);
    ck_assert_msg(strstr(listing, "0x40") != NULL, "%s", listing);
    ck_assert_uint_eq(function->kernel.static_shared_bytes, 64 + 1024);
    ck_assert_uint_eq(function->kernel.shared_count, 2);
    ck_assert_uint_eq(function->kernel.shared[1].offset, 64);
}
END_TEST

/* Level and gradients of a texture of one level: the fetch is the same. */
START_TEST(test_texture_levels)
{
    static const char *const forms[] = {
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
        "tex.base.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
        "tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}], %f5;",
        "tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}], {%f5, %f6}, {%f5, %f6};"};
    g_autofree char *first = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        GError *error = NULL;
        g_autofree char *text = in_kernel(forms[i], "st.global.f32 [out], %f1;");
        g_autoptr(WsIrModule) module = lower(text, &error);
        ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
        g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
        ck_assert_ptr_nonnull(strstr(listing, " TEX"));
        if (i == 0)
            first = g_steal_pointer(&listing);
        else
            ck_assert_str_eq(listing, first);
    }
}
END_TEST

START_TEST(test_most_parameters)
{
    GError *error = NULL;
    g_autoptr(WsIrModule) module = lower(
        ".visible .entry k(.param .align 4 .b8 a[32760], .param .u32 n)\n{\nret;\n}\n", &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    const WsIrFunction *function = g_ptr_array_index(module->functions, 0);
    ck_assert_uint_eq(function->kernel.parameter_bytes, 32764);
    ck_assert_ptr_null(lower(
        ".visible .entry k(.param .align 4 .b8 a[32764], .param .u32 n)\n{\nret;\n}\n", &error));
    ck_assert_str_eq(error->message, "a.ptx:1:61: error: over 32764 bytes of parameters");
    g_error_free(error);
}
END_TEST

START_TEST(test_refusals)
{
    assert_refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [out, {%f1, %f2}];",
                   "a.ptx:5:41: error: 'out' is not a texture reference");
    assert_refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];",
                   "a.ptx:5:41: error: 4 results and 2 coordinates expected in "
                   "'tex.2d.v4.f32.f32'");
    assert_refused("tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r1, %r1, %r1}];",
                   "a.ptx:5:1: error: instruction 'tex.cube.v4.f32.s32' is not supported");
    assert_refused("tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
                   "a.ptx:5:1: error: instruction 'tld4.r.2d.v4.f32.f32' is not supported");
    assert_refused("tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
                   "a.ptx:5:1: error: instruction 'tld4.r.2d.v4.f32.f32' is not supported");
    assert_refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd2, {%f1, %f2}];",
                   "a.ptx:5:1: error: instruction 'tex.2d.v4.f32.f32' is not supported");
    assert_refused("sust.p.1d.b32.trap [%rd1, {%r1}], %r2;",
                   "a.ptx:5:1: error: instruction 'sust.p.1d.b32.trap' is not supported");
    assert_refused("ld.global.u32 %r1, [%rd1, {%r1}];",
                   "a.ptx:5:1: error: instruction 'ld.global.u32' is not supported");
    assert_refused("add.s64 %rd1, %r1, %rd2;",
                   "a.ptx:5:15: error: register '%r1' is too narrow for 'add.s64'");
    assert_refused("mov.u32 %r1, %tid.q;", "a.ptx:5:14: error: register '%tid.q' is not known; did "
                                           "you mean '%tid.x'?");
    assert_refused("atom.global.min.f32 %f1, [%rd1], %f2;",
                   "a.ptx:5:1: error: instruction 'atom.global.min.f32' is not supported");
    assert_refused("call %r1;",
                   "a.ptx:5:6: error: calls through pointers take 64-bit addresses, and variables "
                   "or registers as arguments");
    assert_refused("bra 7;", "a.ptx:5:5: error: a label expected in 'bra'");
    assert_refused("ld.global.u32 %r1, [%r2];",
                   "a.ptx:5:20: error: register '%r2' cannot hold an address here");
    assert_refused("ld.param.u64 %rd1, [n+4];",
                   "a.ptx:5:20: error: 'ld.param.u64' is outside its variable");
    assert_refused("add.s32 %p1, %r1, %r2;",
                   "a.ptx:5:9: error: a register of 32 bits expected in 'add.s32'");
    assert_refused("setp.eq.s32 %r1, %r1, %r2;",
                   "a.ptx:5:13: error: a predicate expected in 'setp.eq.s32'");
}
END_TEST

START_TEST(test_selection)
{
    const char *store = "st.global.u32 [out], %r0;";
    assert_lowers("mov.u32 %r0, %laneid;", store,
                  "S2R V0, SR_LANEID\nMOV V2, 0x4000000\nMOV V2.1, RZ\n");
}
END_TEST

/* How often `word` is in the code; with `placed` after the joins were placed. */
static guint count_in(const char *statements, gboolean placed, const char *word)
{
    g_autofree char *text = in_kernel(statements, "");
    GError *error = NULL;
    g_autoptr(WsIrModule) module = lower(text, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    if (placed)
        ws_place_convergence(g_ptr_array_index(module->functions, 0));
    g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
    guint count = 0;
    for (const char *at = strstr(listing, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static guint count_of(const char *statements, const char *word)
{
    return count_in(statements, FALSE, word);
}

#define SHUFFLE "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1; st.global.u32 [out], %r1;"

/* WARP_SZ is a number; the kernels that have it, or all that see a variable with it, want 32 lanes.
 */
START_TEST(test_warp_size)
{
    static const struct {
        const char *before, *value;
        gboolean named;
    } rows[] = {{"", "32", FALSE},
                {"", "WARP_SZ", TRUE},
                {"", "2*WARP_SZ-32", TRUE},
                {".global .b32 y = WARP_SZ*2;", "32", TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *statement = g_strdup_printf("add.s32 %%r0, %%r1, %s;", rows[i].value);
        g_autofree char *kernel = in_kernel(statement, "st.global.u32 [out], %r0;");
        g_autofree char *text = g_strconcat(rows[i].before, "\n", kernel, NULL);
        g_autoptr(WsIrModule) module = lower(text, NULL);
        ck_assert_ptr_nonnull(module);
        const WsIrFunction *k = g_ptr_array_index(module->functions, 0);
        g_autofree char *listing = ws_ir_to_text(k);
        ck_assert_msg(strstr(listing, "0x20") != NULL, "%s: %s", rows[i].value, listing);
        ck_assert_int_eq(k->kernel.names_lanes, rows[i].named);
    }
}
END_TEST

START_TEST(test_meetings)
{
    ck_assert_uint_eq(count_of(SHUFFLE SHUFFLE, "WARPSYNC"), 0);
    ck_assert_uint_eq(count_of(SHUFFLE SHUFFLE, "SHFL"), 2);
    ck_assert_uint_eq(count_of("bar.warp.sync -1;", "WARPSYNC"), 1);
    ck_assert_uint_eq(count_of("bar.warp.sync -1; bar.sync 0;", "WARPSYNC 0x"), 1);
    ck_assert_uint_eq(count_of("shfl.sync.bfly.b32 %r1, %r1, 1, 31, %r2;"
                               "st.global.u32 [out], %r1;",
                               "WARPSYNC"),
                      1);
    /* behind a branch the lanes may have parted: they meet once for both */
    ck_assert_uint_eq(count_of("mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 5; @%p1 bra L;"
                               "st.global.u32 [out], %r2; L: " SHUFFLE SHUFFLE,
                               "WARPSYNC"),
                      1);
    ck_assert_uint_eq(
        count_of("mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 5; @%p1 exit;" SHUFFLE, "WARPSYNC"),
        0);
}
END_TEST

/* An aligned barrier asks for all lanes where a branch may have parted them, as with ptxas. */
START_TEST(test_aligned_barriers)
{
#define SIDE(barrier)                                                                              \
    "mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 5; @%p1 bra L; st.global.u32 [out], %r2;" barrier  \
    "st.global.u32 [out], %r1; L: st.global.u32 [out], %r2;"
    static const struct {
        const char *body;
        guint meetings;
    } cases[] = {
        {"bar.sync 0;", 0},
        {SIDE("bar.sync 0;"), 1},
        {SIDE("barrier.sync.aligned 0;"), 1},
        {SIDE("bar.red.popc.u32 %r1, 0, %p1;"), 1},
        {SIDE("barrier.sync 0;"), 0},
        {SIDE("") "bar.sync 0;", 0},
        {"mov.u32 %r2, %ctaid.x; setp.lt.u32 %p1, %r2, 5; @%p1 bra L; bar.sync 0;"
         "st.global.u32 [out], %r2; L: st.global.u32 [out], %r2;",
         0},
        {"mov.u32 %r2, %tid.x; L: st.global.u32 [out], %r2; bar.sync 0; add.u32 %r2, %r2, 1;"
         "setp.lt.u32 %p1, %r2, 5; @%p1 bra L; st.global.u32 [out], %r1;",
         1},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert_msg(count_in(cases[i].body, TRUE, "WARPSYNC.ALL") == cases[i].meetings, "case %u",
                      i);
        ck_assert_uint_eq(count_in(cases[i].body, TRUE, "BAR."), 1);
    }
}
END_TEST

START_TEST(test_contraction)
{
#define STORE  "st.global.f32 [out], %f1;"
#define STORED "st.global.f64 [out], %fd1;"
#define STOREH "st.global.b16 [out], %rs1;"
    static const struct {
        const char *statements, *fused;
        guint count;
    } cases[] = {
        {"mul.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;" STORE, "FFMA", 1},
        {"mul.f32 %f1, %f1, %f2; sub.f32 %f1, %f3, %f1;" STORE, "FFMA", 1},
        {"mul.f64 %fd1, %fd1, %fd2; add.f64 %fd1, %fd1, %fd3;" STORED, "DFMA", 1},
        {"mul.f16 %rs1, %rs1, %rs2; add.f16 %rs1, %rs1, %rs3;" STOREH, "HFMA2", 1},
        {"mul.bf16 %rs1, %rs1, %rs2; sub.bf16 %rs1, %rs3, %rs1;" STOREH, "HFMA2", 1},
        {"div.approx.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;" STORE, "FFMA", 1},
        /* a rounding mode on either side keeps them apart */
        {"mul.rn.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;" STORE, "FFMA", 0},
        {"mul.f32 %f1, %f1, %f2; add.rn.f32 %f1, %f1, %f3;" STORE, "FFMA", 0},
        {"mul.rn.f32 %f1, %f1, %f2; sub.rn.f32 %f1, %f3, %f1;" STORE, "FFMA", 0},
        {"mul.rz.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;" STORE, "FFMA", 0},
        {"mul.f32 %f1, %f1, %f2; add.rp.f32 %f1, %f1, %f3;" STORE, "FFMA", 0},
        {"mul.rn.f64 %fd1, %fd1, %fd2; add.f64 %fd1, %fd1, %fd3;" STORED, "DFMA", 0},
        {"mul.f64 %fd1, %fd1, %fd2; add.rn.f64 %fd1, %fd1, %fd3;" STORED, "DFMA", 0},
        {"mul.rm.f64 %fd1, %fd1, %fd2; sub.rm.f64 %fd1, %fd1, %fd3;" STORED, "DFMA", 0},
        {"mul.rn.f16 %rs1, %rs1, %rs2; add.f16 %rs1, %rs1, %rs3;" STOREH, "HFMA2", 0},
        {"mul.f16 %rs1, %rs1, %rs2; add.rn.f16 %rs1, %rs1, %rs3;" STOREH, "HFMA2", 0},
        {"mul.rn.f16x2 %r1, %r1, %r2; add.f16x2 %r1, %r1, %r3; st.global.u32 [out], %r1;", "HFMA2",
         0},
        {"mul.bf16 %rs1, %rs1, %rs2; sub.rn.bf16 %rs1, %rs3, %rs1;" STOREH, "HFMA2", 0},
        {"mul.ftz.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;" STORE, "FFMA", 0},
        {"div.approx.f32 %f1, %f1, %f2; add.rn.f32 %f1, %f1, %f3;" STORE, "FFMA", 0},
        /* the product is read twice */
        {"mul.f32 %f2, %f1, %f2; add.f32 %f1, %f2, %f3; st.global.f32 [out+4], %f2;" STORE, "FFMA",
         0},
        /* a fused one with a factor of 1 takes no other product in */
        {"mul.f32 %f1, %f1, %f2; fma.rn.f32 %f1, %f1, 0f3F800000, %f3;" STORE, "FMUL", 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_msg(count_of(cases[i].statements, cases[i].fused) == cases[i].count, "%s",
                      cases[i].statements);
}
END_TEST

/* Sums and products of constants to nearest are computed, those with another rounding mode are not.
 */
START_TEST(test_constant_floats)
{
    static const struct {
        const char *statement, *value;
    } cases[] = {
        {"add.rn.f32 %f1, 0f3FC00000, 0f17C00000;" STORE, ", 0x3fc00000\n"}, /* 1.5 + 2^-80 */
        {"sub.f32 %f1, 0f3F800000, 0f40400000;" STORE, ", 0xc0000000\n"},    /* 1 - 3 */
        {"mul.rn.f32 %f1, 0f40400000, 0f3EAAAAAB;" STORE, ", 0x3f800000\n"}, /* 3 * (1/3) */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert_uint_eq(count_of(cases[i].statement, cases[i].value), 1);
        ck_assert_uint_eq(count_of(cases[i].statement, "FADD"), 0);
        ck_assert_uint_eq(count_of(cases[i].statement, "FMUL"), 0);
    }
    ck_assert_uint_eq(count_of("add.rz.f32 %f1, 0f3FC00000, 0f97C00000;" STORE, "FADD.RZ"), 1);
    ck_assert_uint_eq(count_of("sub.rn.f32 %f1, 0f7F800000, 0f7F800000;" STORE, "FADD"), 1);
    ck_assert_uint_eq(count_of("mul.ftz.f32 %f1, 0f00000001, 0f3F800000;" STORE, "FMUL.FTZ"), 1);
}
END_TEST

/* An array that constant memory cannot hold lies in global memory, and so do its addresses. */
START_TEST(test_large_constants)
{
#define ARRAYS                                                                                     \
    ".const .align 4 .b8 large[65540]; .const .align 4 .b8 few[16];\n"                             \
    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"                                         \
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<6>;\n"                                       \
    "ld.param.u32 %r1, [n]; mul.wide.u32 %rd2, %r1, 4; ld.param.u64 %rd5, [p];\n"                  \
    "mov.u64 %rd1, large; add.s64 %rd1, %rd1, %rd2; mov.u64 %rd3, few; add.s64 %rd3, %rd3, "       \
    "%rd2;\n"
    static const struct {
        const char *statements;
        guint global, constant;
    } cases[] = {
        {"ld.const.u32 %r2, [%rd1+4];", 1, 0},
        {"ld.const.u32 %r2, [large+8];", 1, 0},
        {"ld.const.u32 %r2, [%rd3];", 0, 1},
        {"L: ld.const.u32 %r2, [%rd1]; add.s64 %rd1, %rd1, 4; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;",
         1, 0},
        {"cvta.const.u64 %rd4, %rd1; st.global.u64 [%rd5], %rd4; ld.const.u32 %r2, [%rd3];", 0, 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strconcat(ARRAYS, cases[i].statements, "st.global.u32 [%rd5], %r2; ret;\n}\n", NULL);
        GError *error = NULL;
        g_autoptr(WsIrModule) module = lower(text, &error);
        ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
        ck_assert_uint_eq(module->module_bytes, 65540);
        ck_assert_uint_eq(module->constant_bytes, 16);
        g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
        g_auto(GStrv) loads = g_strsplit(listing, "LDG.E.CONSTANT", -1);
        g_auto(GStrv) banks = g_strsplit(listing, "c[3]", -1);
        ck_assert_msg(g_strv_length(loads) == cases[i].global + 1, "%s", listing);
        ck_assert_msg(g_strv_length(banks) == cases[i].constant + 1, "%s", listing);
    }
    GError *error = NULL;
    WsIrModule *module =
        lower(ARRAYS "setp.ne.u32 %p1, %r1, 0; selp.b64 %rd4, %rd1, %rd3, %p1;\n"
                     "ld.const.u32 %r2, [%rd4]; st.global.u32 [%rd5], %r2; ret;\n}\n",
              &error);
    ck_assert_ptr_null(module);
    ck_assert_str_eq(error->message,
                     "a.ptx:8:1: error: this address may lie in constant memory or in an array "
                     "that is too large for it");
    g_error_free(error);
}
END_TEST

/* The part of the listing of k in a sample of tests/ptx; its file and lines are looked at too. */
static WsIrModule *lower_sample(const char *name)
{
    g_autofree char *path = g_build_filename(g_getenv("WS_TEST_DATA"), "..", "ptx", name, NULL);
    g_autofree char *text = NULL;
    GError *error = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, &error), "%s", name);
    WsIrModule *module = lower(text, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    return module;
}

START_TEST(test_vector_add_of_compilers)
{
    static const char *const names[] = {"vecadd.nvcc.ptx", "vecadd.clang.ptx"};
    static const char *const wanted[] = {
        "S2R V",   "IMAD V",      ", c[0][0x0], V", "ISETP.", "c[0][0x228]", "IMAD.WIDE V",
        "LDG.E V", "c[0][0x210]", "c[0][0x218]",    "FADD V", "c[0][0x220]", "STG.E [V"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(WsIrModule) module = lower_sample(names[i]);
        const WsIrFunction *function = g_ptr_array_index(module->functions, 0);
        ck_assert_str_eq(function->kernel.display_name, "vecadd");
        g_autofree char *listing = ws_ir_to_text(function);
        for (guint w = 0; w < G_N_ELEMENTS(wanted); w++)
            ck_assert_msg(strstr(listing, wanted[w]) != NULL, "%s: no '%s' in\n%s", names[i],
                          wanted[w], listing);
        ck_assert_msg(strstr(listing, "IADD3") == NULL, "%s", listing);
        ck_assert_str_eq(g_ptr_array_index(module->files, 1), "vecadd.cu");
    }
}
END_TEST

START_TEST(test_mixed_of_compilers)
{
    static const char *const names[] = {"mixed.nvcc.ptx", "mixed.clang.ptx"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(WsIrModule) module = lower_sample(names[i]);
        const WsIrFunction *function = g_ptr_array_index(module->functions, 0);
        ck_assert_str_eq(function->kernel.display_name, "mixed");
        ck_assert_uint_eq(function->kernel.static_shared_bytes, 1024);
        ck_assert(function->kernel.uses_dynamic_shared);
        ck_assert_uint_eq(function->kernel.barriers, 1);
        ck_assert_uint_eq(function->kernel.parameter_count, 5);
        ck_assert_uint_eq(function->kernel.parameters[3].offset, 24);
        ck_assert_int_eq(function->kernel.parameters[3].type, WS_TYPE_BYTES);
        ck_assert_uint_eq(module->constant_bytes, 16);
        ck_assert_uint_eq(module->constants[7], 0x40);
        gboolean inlined = FALSE;
        for (guint n = 0; n < module->locations->len; n++)
            inlined |= g_array_index(module->locations, WsLocation, n).inlined_at != 0;
        ck_assert(inlined);
    }
}
END_TEST

/* Code of the library has guards of its own: that of the statement is a branch around it. */
START_TEST(test_guarded_library_calls)
{
    static const char *const statements[] = {"@%p1 div.rn.f32 %f1, %f2, %f3;",
                                             "@%p1 div.u64 %rd1, %rd2, %rd3;",
                                             "@%p1 rem.s32 %r1, %r2, %r3;",
                                             "@%p1 rsqrt.approx.f64 %fd1, %fd2;",
                                             "@%p1 cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;",
                                             "@%p1 cvt.rn.f16x2.e5m2x2 %r1, %rs1;"};
    for (guint i = 0; i < G_N_ELEMENTS(statements); i++) {
        GError *error = NULL;
        g_autofree char *text = in_kernel(statements[i], "st.global.u32 [out], 1;");
        g_autoptr(WsIrModule) module = lower(text, &error);
        ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
        g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
        const char *guard = strchr(listing, '@');
        ck_assert_msg(guard != NULL && g_str_has_prefix(guard, "@!VP0 BRA"), "%s", listing);
    }
}
END_TEST

/* What grids of nvcc's cooperative groups wait at: memory behind the variables of the module. */
START_TEST(test_memory_of_the_grid)
{
    assert_lowers("mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; add.u32 %r0, %r1, %r2;",
                  "st.global.u32 [out], %r0;",
                  "MOV V2, 0x4000080\nMOV V3, 0x4000000\nMOV V3.1, RZ\n");
    g_autofree char *text = in_kernel("mov.u32 %r0, %envreg2;", "st.global.u32 [out], %r0;");
    GError *error = NULL;
    g_autoptr(WsIrModule) module = lower(text, &error);
    ck_assert_uint_eq(module->module_bytes, 256);
}
END_TEST

/* A managed variable is where the runtime says, in code and in pointers to it. */
START_TEST(test_placed_variable)
{
    static const char text[] =
        ".global .attribute(.managed) .align 4 .u32 here = 3;\n"
        ".global .align 8 .u64 pointer = here;\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
        "ld.global.u32 %r1, [here+4]; mov.u64 %rd1, here; st.global.u64 [pointer], %rd1;"
        " st.global.u32 [pointer], %r1; ret;\n}\n"
        ".pragma \"warpstep: here at 200000010000\";\n"
        ".pragma \"warpstep: elsewhere at 200000020000\", \"nounroll\";\n";
    GError *error = NULL;
    g_autoptr(WsIrModule) module = lower(text, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    const WsSymbol *here = &g_array_index(module->symbols, WsSymbol, 0);
    const WsSymbol *pointer = &g_array_index(module->symbols, WsSymbol, 1);
    static const guint8 address[] = {0, 0, 1, 0, 0, 0x20, 0, 0};
    ck_assert_uint_eq(here->address, WS_MODULE_WINDOW);
    ck_assert_uint_eq(here->initial[0], 3);
    ck_assert_int_eq(memcmp(pointer->initial, address, sizeof address), 0);
    g_autofree char *listing = ws_ir_to_text(g_ptr_array_index(module->functions, 0));
    ck_assert_ptr_nonnull(
        strstr(listing, "MOV V0, 0x10004\n    MOV V0.1, 0x2000\n    LDG.E V1, [V0]"));
    ck_assert_ptr_nonnull(strstr(listing, "MOV V3, 0x10000\n    MOV V3.1, 0x2000\n"));
    static const char wrong[] = ".global .u32 x;\n.pragma \"warpstep: x at home\";\n";
    ck_assert_ptr_null(lower(wrong, &error));
    ck_assert_str_eq(error->message, "a.ptx:2:9: error: an address is expected");
    g_error_free(error);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_memory_of_the_grid);
    tcase_add_test(cases, test_guarded_library_calls);
    tcase_add_test(cases, test_placed_variable);
    tcase_add_test(cases, test_vector_add);
    tcase_add_test(cases, test_shared_addresses);
    tcase_add_test(cases, test_reserved_shared);
    tcase_add_test(cases, test_texture_levels);
    tcase_add_test(cases, test_most_parameters);
    tcase_add_test(cases, test_refusals);
    tcase_add_test(cases, test_selection);
    tcase_add_test(cases, test_warp_size);
    tcase_add_test(cases, test_meetings);
    tcase_add_test(cases, test_aligned_barriers);
    tcase_add_test(cases, test_contraction);
    tcase_add_test(cases, test_constant_floats);
    tcase_add_test(cases, test_large_constants);
    tcase_add_test(cases, test_vector_add_of_compilers);
    tcase_add_test(cases, test_mixed_of_compilers);
}

int main(void)
{
    return run_suite("ptx_lower", add_tests);
}
