/* The CUDA C front end: clang is started, PTX or clang's own messages come back. */
#include "isa/base/error.h"
#include "isa/base/temporary_folder.h"
#include "isa/bytecode/opcode.h"
#include "isa/cuda/asm_text.h"
#include "isa/cuda/compiler_name.h"
#include "isa/cuda/find_clang.h"
#include "isa/cuda/rewrite_alignment.h"
#include "isa/cuda/rewrite_device_launches.h"
#include "isa/cuda/rewrite_launches.h"
#include "isa/cuda/rewrite_ptx.h"
#include "isa/ir/ir.h"

#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *folder;
static char *headers; /* where what all compiles begin with lies compiled */

static void set_up(void)
{
    folder = g_dir_make_tmp("ws-cuda-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    ck_assert_int_eq(g_chdir(folder), 0);
    g_unsetenv("WARPSTEP_CLANG");
}

static void tear_down(void)
{
    g_unlink("kernel.cu");
    g_unlink("part.h");
    ck_assert_int_eq(g_chdir("/"), 0);
    g_rmdir(folder);
    g_clear_pointer(&folder, g_free);
}

static char *compile(const char *path, const char *const *defines, const char *source,
                     GError **error)
{
    WsCompileOptions options = {
        .parameter_base = 0x210, .defines = defines, .bounds = {.header_cache = headers}};
    if (source != NULL)
        ck_assert(g_file_set_contents("kernel.cu", source, -1, NULL));
    return ws_cuda_to_ptx(path, &options, NULL, NULL, error);
}

static void expect_error(const char *path, const char *source, const char *part)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile(path, NULL, source, &error);
    ck_assert_ptr_null(ptx);
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    ck_assert_msg(strstr(error->message, part) != NULL, "'%s' not in: %s", part, error->message);
}

START_TEST(compiles_with_lines_and_file_name)
{
    const char *defines[] = {"N=4", NULL};
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", defines,
                                   "__global__ void scale(float *x)\n"
                                   "{\n"
                                   "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "    x[i] = x[i] * N + 1.0f;\n"
                                   "}\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_ptr_nonnull(strstr(ptx, ".entry _Z5scalePf("));
    ck_assert_ptr_nonnull(strstr(ptx, "\t.file\t1 \"kernel.cu\""));
    ck_assert_ptr_nonnull(strstr(ptx, ".loc\t1 4 "));
    /* contracted as nvcc does: one fma, no separate product */
    ck_assert_ptr_nonnull(strstr(ptx, "fma.rn.f32"));
    ck_assert_ptr_nonnull(strstr(ptx, "0f40800000, 0f3F800000"));
}
END_TEST

/* Intrinsics with a rounding mode are the PTX that nvcc makes of them; plain ones may be
 * contracted. */
START_TEST(intrinsics_keep_their_rounding_mode)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void f(float *x, double *y)\n"
                                   "{\n"
                                   "    x[0] = __fadd_rn(x[1] * x[2], x[3]);\n"
                                   "    x[4] = __fmul_rn(x[5], x[6]) - x[7];\n"
                                   "    y[0] = __dsub_rn(__dmul_rn(y[1], y[2]), y[3]);\n"
                                   "    x[8] = __fadd_ru(x[9], 1.0f) * __frcp_rd(x[10]);\n"
                                   "}\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    static const char *const present[] = {"mul.f32",    "add.rn.f32", "mul.rn.f32", "sub.f32",
                                          "mul.rn.f64", "sub.rn.f64", "add.rp.f32", "rcp.rm.f32"};
    for (guint i = 0; i < G_N_ELEMENTS(present); i++)
        ck_assert_msg(strstr(ptx, present[i]) != NULL, "no %s in: %s", present[i], ptx);
    ck_assert_ptr_null(strstr(ptx, "fma.rn.f64"));
}
END_TEST

/* What has no opposite is not left out of account. */
START_TEST(intrinsics_know_the_least_numbers)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void f(int *x, long long *y)\n"
                                   "{\n"
                                   "    x[0] = __ffs(x[1] << 31);\n"
                                   "    x[1] = __ffsll(y[0] << 63);\n"
                                   "    x[2] = abs(x[3]);\n"
                                   "    x[4] = abs(x[5] << 31) >> 30;\n"
                                   "}\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    static const char *const present[] = {"clz.b32", "clz.b64", "abs.s32", "shr.s32"};
    for (guint i = 0; i < G_N_ELEMENTS(present); i++)
        ck_assert_msg(strstr(ptx, present[i]) != NULL, "no %s in: %s", present[i], ptx);
}
END_TEST

/* Signed words shifted by all of their bits but one; products in assembly are what they say. */
START_TEST(words_are_extended_before_they_are_shifted)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void k(long long *x, int a, int b)\n"
                                   "{\n"
                                   "    x[0] = (long long)(a * 3) << 31;\n"
                                   "    x[1] = (long long)(a * 3) << 30;\n"
                                   "    asm(\"mul.wide.s32 \\t%0, %1, -2147483648;\"\n"
                                   "        : \"=l\"(x[2]) : \"r\"(b));\n"
                                   "}\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_ptr_nonnull(strstr(ptx, "\tcvt.s64.s32 \t%rd"));
    ck_assert_ptr_nonnull(strstr(ptx, "shl.b64 \t%rd"));
    ck_assert_ptr_nonnull(strstr(ptx, ", 31;"));
    ck_assert_ptr_nonnull(strstr(ptx, ", 1073741824;"));
    const char *product = strstr(ptx, ", -2147483648;");
    ck_assert_ptr_nonnull(product);
    ck_assert_ptr_null(strstr(product + 1, ", -2147483648;"));
}
END_TEST

/* Lines as clang 14 writes them, whose values are wrong, and those next to them. */
/* The compiler that there is here is the one that a compile is of. */
START_TEST(the_compiler_is_found)
{
    g_autofree char *found = ws_cuda_find_compiler(), *of_compile = NULL;
    WsCompileOptions options;

    ws_compile_options_init(&options);
    ck_assert(g_file_set_contents("kernel.cu", "__global__ void f() {}\n", -1, NULL));
    g_autofree char *ptx = ws_cuda_to_ptx("kernel.cu", &options, NULL, &of_compile, NULL);
    ck_assert(ptx != NULL && found != NULL);
    ck_assert_str_eq(found, of_compile);
}
END_TEST

START_TEST(wrong_lines_are_mended)
{
    static const struct {
        const char *line, *mended; /* NULL: stays */
    } rows[] = {
        {"\tmul.wide.s32 \t%rd1, %r2, -2147483648;",
         "\tcvt.s64.s32 \t%rd1, %r2; shl.b64 \t%rd1, %rd1, 31;"},
        {"\tmul.wide.s16 \t%r1, %rs2, -32768;",
         "\tcvt.s32.s16 \t%r1, %rs2; shl.b32 \t%r1, %r1, 15;"},
        {"\tmul.wide.s32 \t%rd1, %r2, -1073741824;", NULL},
        {"\tmul.wide.s32 \t%rd1, %r2, %r3;", NULL},
        {"\tbfe.u64 \t%rd1, %rd2, 48, 16;", "\tshr.s64 \t%rd1, %rd2, 48;"},
        {"\tbfe.u64 \t%rd1, %rd2, 48, 32;",
         "\tshr.s64 \t%rd1, %rd2, 48; and.b64 \t%rd1, %rd1, 4294967295;"},
        {"\tbfe.u32 \t%r1, %r2, 24, 16;", "\tshr.s32 \t%r1, %r2, 24; and.b32 \t%r1, %r1, 65535;"},
        {"\tbfe.u64 \t%rd1, %rd2, 8, 16;", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf("x\n%s\ny\n", rows[i].line);
        g_autofree char *mended = ws_cuda_rewrite_ptx(text);
        g_autofree char *wanted =
            g_strdup_printf("x\n%s\ny\n", rows[i].mended != NULL ? rows[i].mended : rows[i].line);
        ck_assert_str_eq(mended, wanted);
    }
}
END_TEST

/* Every beginning of a text, in front of memory that may not be read. */
START_TEST(asm_text_is_read_to_its_end)
{
    static const char text[] =
        "# 1 \"a.cu\"\nint f() { int i = 1'000; asm volatile(R\"x(mov.u32 "
        "%0, %smid;)x\" : \"=r\"(i)); asm(\"%laneid\\\"\" : ); return '\\''; }\n";
    gsize page = (gsize)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
    for (gsize length = 0; length < sizeof text; length++) {
        char *copy = pages + page - length;
        memcpy(copy, text, length);
        GString *escaped = ws_cuda_escape_asm(copy, length);
        ck_assert_uint_ge(escaped->len, length);
        g_string_free(escaped, TRUE);
    }
    munmap(pages, 2 * page);
    GString *escaped = ws_cuda_escape_asm(text, sizeof text - 1);
    ck_assert_ptr_nonnull(strstr(escaped->str, "%0, %%smid;)x"));
    ck_assert_ptr_nonnull(strstr(escaped->str, "\"%%laneid"));
    g_string_free(escaped, TRUE);
}
END_TEST

/* A field of a signed number that goes on behind its last bit, and one that does not. */
#define DECLARATION "\n.const .align 1 .b8 _ZL19__warpstep_compiler"

static const struct {
    const char *ptx, *name, *rest;
} compilers[] = {
    {".version 7.5\n" DECLARATION "[9] = {99, 108, 97, 110, 103, 32, 49, 52, 0};\n.entry\n",
     "clang 14", ".version 7.5\n\n.entry\n"},
    /* only the first is ours */
    {DECLARATION "[2] = {65};\n.entry" DECLARATION "[2] = {66, 0};\n", "A",
     "\n.entry" DECLARATION "[2] = {66, 0};\n"},
    {DECLARATION "[2] = {27, 0};\n", NULL, "\n"}, /* no name */
    {DECLARATION "[2];\n", NULL, "\n"},
    {DECLARATION "[2] = {};\n", NULL, "\n"},
    {DECLARATION "[2] = {65, };\n", NULL, "\n"},
    {DECLARATION "[2] = {65, 0}", NULL, DECLARATION "[2] = {65, 0}"}, /* not a whole line */
    {".entry k\n", NULL, ".entry k\n"},
    {"", NULL, ""},
};

START_TEST(the_compiler_is_taken_out)
{
    g_autofree char *text = g_strdup(compilers[_i].ptx);
    g_autofree char *name = ws_cuda_take_compiler(text);
    ck_assert_pstr_eq(name, compilers[_i].name);
    ck_assert_str_eq(text, compilers[_i].rest);
}
END_TEST

START_TEST(fields_keep_their_sign)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void k(long long *x, long long a, int b, int c)\n"
                                   "{\n"
                                   "    x[0] = (a * 3 >> 48) & 0xffffffff;\n"
                                   "    x[1] = (b * 3 >> 24) & 0xffff;\n"
                                   "    x[2] = (a * 3 >> 8) & 0xffff;\n"
                                   "    int high = (short)__mulhi(b, c);\n"
                                   "    x[3] = high * 2;\n"
                                   "    x[4] = high;\n"
                                   "}\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    static const char *const present[] = {"shr.s64 \t%rd", ", 48;",    "and.b64", ", 4294967295;",
                                          "shr.s32 \t%r",  ", 65535;", ", 16;"};
    for (guint i = 0; i < G_N_ELEMENTS(present); i++)
        ck_assert_msg(strstr(ptx, present[i]) != NULL, "no %s in: %s", present[i], ptx);
    ck_assert_ptr_null(strstr(ptx, "bfe.u32"));
}
END_TEST

START_TEST(code_of_the_header_keeps_the_callers_line)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void f(float *x)\n"
                                   "{\n"
                                   "    x[0] = expf(x[1]) +\n"
                                   "           sinf(x[2]);\n"
                                   "}\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_ptr_nonnull(strstr(ptx, "ex2.approx.f32"));
    ck_assert_ptr_null(strstr(ptx, "\t.file\t2 "));
    ck_assert_ptr_null(strstr(ptx, g_get_tmp_dir()));
}
END_TEST

START_TEST(same_source_same_bytes)
{
    const char *source = "#include <cstdio>\n"
                         "__device__ int twice(int x) { return 2 * x; }\n"
                         "__global__ void f(int *x) { *x = twice(*x) + sizeof(__TIME__); }\n"
                         "int main() { f<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n";
    g_autofree char *first = compile("kernel.cu", NULL, source, NULL);
    g_autofree char *second = compile("kernel.cu", NULL, source, NULL);
    ck_assert_ptr_nonnull(first);
    ck_assert_str_eq(first, second);
}
END_TEST

START_TEST(messages_name_the_users_file)
{
    expect_error("kernel.cu", "__global__ void f(int *x)\n{\n    *x = y;\n}\n",
                 "kernel.cu:3:10: error: use of undeclared identifier 'y'");
    ck_assert(g_file_set_contents("part.h", "\n  nonsense\n", -1, NULL));
    expect_error("kernel.cu", "#include \"part.h\"\n", "part.h:2:3: error: ");
    expect_error("kernel.cu", "#include <nowhere.h>\n", "kernel.cu:1:10: fatal error: ");
}
END_TEST

/* PTX without its line information. */
static char *code_of(const char *ptx)
{
    g_autoptr(GString) code = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(ptx, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++)
        if (!g_str_has_prefix(lines[i], "\t.loc") && !g_str_has_prefix(lines[i], "\t.file"))
            g_string_append_printf(code, "%s\n", lines[i]);
    return g_string_free(g_steal_pointer(&code), FALSE);
}

/* As nvcc 13.0 takes it: `%smid` is the special register, `%0` the operand. */
START_TEST(special_registers_in_asm_need_no_second_percent)
{
    static const char *const both[] = {
        "#include \"part.h\"\n"
        "#define SM(s) asm volatile (\"mov.u32 %0, %smid;\" : \"=r\"(s))\n"
        "__global__ void k(unsigned *o)\n{\n"
        "    unsigned s, l, c = '\"', w; SM(s);\n"
        "    __asm__(\"{.reg .u32 t;\\n\\t mov.u32 t, %laneid;\"\n"
        "            \" add.u32 %0, t, %%warpid;}\" : \"=r\"(l) :: \"memory\");\n"
        "    asm(R\"x(mov.u32 %0, %ntid.x;)x\" : \"=r\"(w));\n"
        "    *o = s + l + c + w + \"%laneid\"[0] + mask() + 1'000;\n}\n",
        "#include \"part.h\"\n"
        "#define SM(s) asm volatile (\"mov.u32 %0, %%smid;\" : \"=r\"(s))\n"
        "__global__ void k(unsigned *o)\n{\n"
        "    unsigned s, l, c = '\"', w; SM(s);\n"
        "    __asm__(\"{.reg .u32 t;\\n\\t mov.u32 t, %%laneid;\"\n"
        "            \" add.u32 %0, t, %%warpid;}\" : \"=r\"(l) :: \"memory\");\n"
        "    asm(R\"x(mov.u32 %0, %%ntid.x;)x\" : \"=r\"(w));\n"
        "    *o = s + l + c + w + \"%laneid\"[0] + mask() + 1'000;\n}\n"};
    char *ptx[2];
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *part =
            g_strdup_printf("__device__ unsigned mask() { unsigned m; asm volatile"
                            "(\"mov.u32 %%0, %slanemask_lt;\" : \"=r\"(m)); "
                            "return m; }\n",
                            i == 0 ? "%" : "%%");
        ck_assert(g_file_set_contents("part.h", part, -1, NULL));
        g_autofree char *text = compile("kernel.cu", NULL, both[i], &error);
        ck_assert_msg(text != NULL, "%s", error == NULL ? "" : error->message);
        ptx[i] = code_of(text);
    }
    ck_assert_str_eq(ptx[0], ptx[1]);
    g_free(ptx[0]);
    g_free(ptx[1]);
    expect_error("kernel.cu",
                 "__device__ void f(int &x)\n{\n    asm(\"mov.u32 %0, %r1;\" : \"=r\"(x));\n}\n",
                 "kernel.cu:3:24: error: invalid operand number");
    expect_error("kernel.cu",
                 "__device__ int f()\n{\n    int x; asm(\"mov.u32 %0, %smid;\" : \"=r\"(x));\n    "
                 "return y;\n}\n",
                 "kernel.cu:4:12: error: use of undeclared identifier 'y'");
}
END_TEST

/* Both words of a clock in one instruction, as ptxas has it: nothing carries between. */
START_TEST(wide_clocks_are_read_at_once)
{
    WsCompileOptions options;
    ws_compile_options_init(&options);
    ck_assert(g_file_set_contents(
        "kernel.cu", "__global__ void k(long long *o) { *o = clock64(); }\n", -1, NULL));
    g_autoptr(WsProgram) program = ws_program_load("kernel.cu", &options, NULL);
    guint reads = 0;
    ck_assert_ptr_nonnull(program);
    for (guint32 pc = 0; pc < program->instruction_count; pc++) {
        const WsInstruction *instruction = &program->instructions[pc];
        if (instruction->opcode != WS_OP_CS2R)
            continue;
        reads++;
        ck_assert_uint_eq(instruction->mod[WS_MOD_WIDTH], WS_WIDTH_64);
    }
    ck_assert_uint_eq(reads, 1);
}
END_TEST

START_TEST(bad_files_are_refused)
{
    expect_error("missing.cu", NULL, "missing.cu: error: cannot open: No such file");
    expect_error("/tmp", NULL, "/tmp: error: is a folder, not a file");
}
END_TEST

START_TEST(only_kernels_that_use_what_is_missing_are_refused)
{
    static const char text[] = "#include <cstdio>\n"
                               "__global__ void good(int *p) { *p = 1; }\n"
                               "__device__ int hear(int x);\n"
                               "__device__ void say(int x)\n{\n    hear(x);\n}\n"
                               "__global__ void prints(int *p) { say(*p); }\n";
    WsCompileOptions options;
    ws_compile_options_init(&options);
    ck_assert(g_file_set_contents("kernel.cu", text, -1, NULL));
    GError *error = NULL;
    g_autoptr(WsProgram) program = ws_program_load("kernel.cu", &options, &error);
    ck_assert_msg(program != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_ptr_nonnull(ws_program_find_kernel(program, "good"));
    ck_assert_ptr_null(ws_program_find_kernel(program, "prints"));
    const WsRefusedKernel *refused = ws_program_find_refused(program, "prints");
    ck_assert_ptr_nonnull(refused);
    ck_assert_ptr_nonnull(strstr(refused->message, "kernel.cu:6:"));
    ck_assert_ptr_nonnull(strstr(refused->message, "'_Z4heari'"));
}
END_TEST

START_TEST(a_missing_clang_names_the_package)
{
    g_setenv("WARPSTEP_CLANG", "/nonexistent/clang", TRUE);
    expect_error("kernel.cu", "", "WARPSTEP_CLANG is '/nonexistent/clang'");
    g_setenv("WARPSTEP_CLANG", "clang", TRUE);
    expect_error("kernel.cu", "", "not the absolute path");
    g_setenv("WARPSTEP_CLANG", "/bin/false", TRUE);
    expect_error("kernel.cu", "", "kernel.cu: error: clang failed");
    g_setenv("WARPSTEP_CLANG", "/bin/true", TRUE);
    expect_error("kernel.cu", "", "kernel.cu: error: clang wrote no PTX");
}
END_TEST

START_TEST(too_much_memory_is_an_error_not_a_hang)
{
    /* a constant array of 16 GiB: clang cannot hold it under its limit */
    expect_error("kernel.cu", "__device__ char big[1ull << 34] = {1};\n", "kernel.cu");
}
END_TEST

START_TEST(nothing_is_left_behind)
{
    g_autofree char *temporary = g_build_filename(folder, "temporary", NULL);
    ck_assert_int_eq(g_mkdir(temporary, 0700), 0);
    g_setenv("TMPDIR", temporary, TRUE);
    g_autofree char *ptx = compile("kernel.cu", NULL, "__global__ void f() {}\n", NULL);
    ck_assert_ptr_nonnull(ptx);
    expect_error("kernel.cu", "nonsense\n", "error");
    ck_assert_int_eq(g_rmdir(temporary), 0); /* only an empty folder can be removed */
}
END_TEST

typedef struct {
    const char *given, *mended; /* NULL: as it was */
} Mending;

static void expect_mendings(GBytes *(*mend)(GBytes *), const Mending *cases, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        const char *expected = cases[i].mended != NULL ? cases[i].mended : cases[i].given;
        g_autoptr(GBytes) given = g_bytes_new(cases[i].given, strlen(cases[i].given));
        g_autoptr(GBytes) mended = mend(given);
        ck_assert_uint_eq(g_bytes_get_size(mended), strlen(expected));
        ck_assert_mem_eq(g_bytes_get_data(mended, NULL), expected, strlen(expected));
        ck_assert(cases[i].mended != NULL || mended == given);
    }
}

#define LAUNCH(kernel, how) "__ws_launch_kernel<decltype(&" kernel "), &" kernel ">(" how ")"

START_TEST(launches_by_kernels_are_calls)
{
    static const Mending cases[] = {
        {"__global__ void p(int *x)\n{\n  k<<<1, 2>>>(x);\n}\n",
         "__global__ void p(int *x)\n{\n  " LAUNCH("k", "1, 2") "(x);\n}\n"},
        {"__device__ void f() { if (a) { ::b::k<c<d>, (1 > 0)> <<<g(\">>>(\"), 2, 0, s>>> (x); } }",
         "__device__ void f() { if (a) { " LAUNCH("::b::k<c<d>, (1 > 0)>",
                                                  "g(\">>>(\"), 2, 0, s") " (x); } }"},
        {"auto f = [=] __device__(int i) { k<<<1, 2>>>(i); }; void h() { k<<<1, 2>>>(3); }",
         "auto f = [=] __device__(int i) { " LAUNCH("k",
                                                    "1, 2") "(i); }; void h() { k<<<1, 2>>>(3); }"},
        {"__device__ void f()\n{\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\nvoid h() "
         "{ k<<<1, 2>>>(); }",
         NULL},
        /* None of these is one by a kernel. */
        {"__device__ int n; void h() { k<<<1, 2>>>(); }", NULL},
        {"__global__ void k(); void h() { k<<<1, 2>>>(); }", NULL},
        {"__host__ __device__ void h() { k<<<1, 2>>>(); }", NULL},
        {"__global__ void p() { /* k<<<1, 2>>>(x) */ f(\"k<<<1, 2>>>(x)\"); }", NULL},
        {"__global__ void p() { a <<< b; (k)<<<1, 2>>>(); 1<<<2>>>(3); k<<<1, 2>>>; }", NULL},
        {"#define L __global__ void p() { k<<<1, \\\n 2>>>(); }\n", NULL},
    };
    expect_mendings(ws_cuda_rewrite_device_launches, cases, G_N_ELEMENTS(cases));
}
END_TEST

START_TEST(brackets_of_launches_are_closed_up)
{
    static const Mending cases[] = {
        {"k<< <1, 2>> >(a);", "k<<< 1, 2>>> (a);"},
        {"k<<\n <g, dim3{1, (2 > 1)} >>\t> (a); x", "k<<<\n g, dim3{1, (2 > 1)} >>>\t (a); x"},
        {"k<<<1, 2>> >(a); k << <3, 4 >>>(a);", "k<<<1, 2>>> (a); k <<< 3, 4 >>>(a);"},
        {"k<< </* ) >> >( */ 1, f(\">> >(\")>> >();", "k<<< /* ) >> >( */ 1, f(\">> >(\")>>> ();"},
        {"n = '\\''; k<< <1, 1'000>> >();", "n = '\\''; k<<< 1, 1'000>>> ();"},
        {"#error don't\nk<< <1, 2>> >();", "#error don't\nk<<< 1, 2>>> ();"},
        /* None of these is a launch. */
        {"vector<vector<set<int>> >(3);", NULL},
        {"// k<< <1, 2>> >(a)", NULL},
        {"\"k<< <1, 2>> >(a)\"", NULL},
        {"k<< <1, 2>> > a; (b);", NULL},
        {"a << b; c >> d; e<<<1, 2>>>(f);", NULL},
        {"k<< <", NULL},
    };
    expect_mendings(ws_cuda_rewrite_launches, cases, G_N_ELEMENTS(cases));
}
END_TEST

START_TEST(alignments_come_first)
{
    static const Mending cases[] = {
        {"__shared__ alignas(16) int x;", "alignas(16)__shared__  int x;"},
        {"{extern __shared__ alignas ( f(\")\") )\nint x[];",
         "{alignas ( f(\")\") )extern __shared__ \nint x[];"},
        {"static __device__ /* alignas(4) */ alignas(T) alignas(8) T t, u;",
         "alignas(T)alignas(8)static __device__ /* alignas(4) */   T t, u;"},
        {"a; const __constant__\nalignas(8) int x; __shared__ int y;",
         "a; alignas(8)const __constant__\n int x; __shared__ int y;"},
        /* In their place, or nothing of ours. */
        {"alignas(16) __shared__ int x;", NULL},
        {"struct alignas(16) X { alignas(8) int x; };", NULL},
        {"__shared__ struct alignas(16) X { int x; } x;", NULL},
        {"__shared__; alignas(8) int x;", NULL},
        {"\"__shared__ alignas(16)\" // __shared__ alignas(16)", NULL},
        {"__shared__ my_alignas(16) x; __shared__ alignas x; __shared__ alignas(", NULL},
    };
    expect_mendings(ws_cuda_rewrite_alignment, cases, G_N_ELEMENTS(cases));
}
END_TEST

START_TEST(alignments_compile)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void k(int *a) { __shared__ alignas(32) int x[4];\n"
                                   "x[*a] = 1; __syncthreads(); *a = x[a[1]]; }\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_ptr_nonnull(strstr(ptx, ".shared .align 32"));
}
END_TEST

START_TEST(spread_brackets_compile)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *ptx = compile("kernel.cu", NULL,
                                   "__global__ void k(int *a) { *a = 1; }\n"
                                   "void host(int *a) { k << <1, 1 >> > (a); }\n",
                                   &error);
    ck_assert_msg(ptx != NULL, "%s", error == NULL ? "" : error->message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda");
    TCase *driver = tcase_create("driver");
    tcase_add_checked_fixture(driver, set_up, tear_down);
    tcase_set_timeout(driver, 60);
    g_unsetenv("WARPSTEP_CLANG");
    g_autoptr(WsTemporaryFolder) kept = ws_temporary_folder_new(NULL);
    headers = g_strdup(ws_temporary_folder_path(kept));
    g_autofree char *clang = ws_find_clang(NULL);
    if (clang != NULL) {
        tcase_add_test(driver, brackets_of_launches_are_closed_up);
        tcase_add_test(driver, launches_by_kernels_are_calls);
        tcase_add_test(driver, spread_brackets_compile);
        tcase_add_test(driver, alignments_come_first);
        tcase_add_test(driver, alignments_compile);
        tcase_add_test(driver, compiles_with_lines_and_file_name);
        tcase_add_test(driver, intrinsics_keep_their_rounding_mode);
        tcase_add_test(driver, intrinsics_know_the_least_numbers);
        tcase_add_test(driver, words_are_extended_before_they_are_shifted);
        tcase_add_test(driver, fields_keep_their_sign);
        tcase_add_test(driver, code_of_the_header_keeps_the_callers_line);
        tcase_add_test(driver, same_source_same_bytes);
        tcase_add_test(driver, messages_name_the_users_file);
        tcase_add_test(driver, special_registers_in_asm_need_no_second_percent);
        tcase_add_test(driver, wide_clocks_are_read_at_once);
        tcase_add_test(driver, too_much_memory_is_an_error_not_a_hang);
        tcase_add_test(driver, nothing_is_left_behind);
        tcase_add_test(driver, the_compiler_is_found);
    }
    tcase_add_loop_test(driver, the_compiler_is_taken_out, 0, G_N_ELEMENTS(compilers));
    tcase_add_test(driver, wrong_lines_are_mended);
    tcase_add_test(driver, asm_text_is_read_to_its_end);
    tcase_add_test(driver, bad_files_are_refused);
    tcase_add_test(driver, only_kernels_that_use_what_is_missing_are_refused);
    tcase_add_test(driver, a_missing_clang_names_the_package);
    suite_add_tcase(suite, driver);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    g_free(headers);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
