/*
 * mma, wmma, ldmatrix and movmatrix of PTX: products of small integers, which are exact, for every
 * shape, type, layout and space, against plain loops; and what is refused.
 */
#include <string.h>

#include "isa/base/float_bits.h"
#include "isa/bytecode/opcode.h"
#include "isa/ir/ir.h"
#include "isa/text/disassembler.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

enum { A, B, C, D };
enum { REGION = 4096, ROWS = 32 }; /* bytes of a matrix in the buffer */

typedef enum { F16, BF16, TF32, F32, S8, S32 } Kind;

typedef struct {
    const char *name;
    guint m, n, k;
} Shape;

static const Shape shapes[] = {{"m16n16k16", 16, 16, 16},
                               {"m32n8k16", 32, 8, 16},
                               {"m8n32k16", 8, 32, 16},
                               {"m16n16k8", 16, 16, 8}};

typedef struct {
    const Shape *shape;
    Kind element, sum;
    gboolean columns[4]; /* column-major */
    const char *space;   /* "global", "shared" or "" */
    guint stride_form;   /* 0 immediate, 1 register set before, 2 register read from memory */
} Wmma;

/* ---- numbers ----
 */

static guint32 code_of(Kind kind, gint value)
{
    guint32 bits = ws_float_bits((float)value);
    if (kind == S8 || kind == S32)
        return kind == S8 ? (guint8)value : (guint32)value;
    if (kind == F16)
        return value == 0 ? 0
                          : (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) |
                                (bits >> 13 & 0x3ff);
    return kind == BF16 ? bits >> 16 : bits;
}

static guint bytes_of(Kind kind)
{
    return kind == S8 ? 1 : kind == F16 || kind == BF16 ? 2 : 4;
}

static void size_of(const Shape *shape, guint matrix, guint *rows, guint *columns)
{
    *rows = matrix == B ? shape->k : shape->m;
    *columns = matrix == A ? shape->k : shape->n;
}

/* Elements from one line of a matrix to the next. */
static guint stride_of(const Wmma *w, guint matrix)
{
    guint rows, columns;
    size_of(w->shape, matrix, &rows, &columns);
    return (w->columns[matrix] ? rows : columns) + (w->element == S8 ? 16 : 8);
}

static guint8 *element_at(const Wmma *w, guint8 *buffer, guint matrix, guint row, guint column)
{
    guint bytes = bytes_of(matrix >= C ? w->sum : w->element);
    guint line = w->columns[matrix] ? column : row, along = w->columns[matrix] ? row : column;
    return buffer + matrix * REGION + (line * stride_of(w, matrix) + along) * bytes;
}

static void fill(const Wmma *w, guint8 *buffer, guint matrix, GRand *random, gint ret[ROWS][ROWS])
{
    guint rows, columns;
    size_of(w->shape, matrix, &rows, &columns);
    Kind kind = matrix == C ? w->sum : w->element;
    for (guint i = 0; i < rows; i++) {
        for (guint j = 0; j < columns; j++) {
            ret[i][j] = g_rand_int_range(random, -8, 9);
            guint32 code = code_of(kind, ret[i][j]);
            memcpy(element_at(w, buffer, matrix, i, j), &code, bytes_of(kind));
        }
    }
}

/* ---- the kernel ----
 */

/* Moves the whole buffer to shared memory, or back. */
static void append_copy(GString *text, gboolean back)
{
    const char *label = back ? "Back" : "There";
    g_string_append_printf(
        text,
        "mov.u32 %%r1, %%tid.x; shl.b32 %%r2, %%r1, 2; cvt.u64.u32 %%rd2, %%r2;\n"
        "add.u64 %%rd3, %%rd1, %%rd2; mov.u32 %%r3, sh; add.u32 %%r3, %%r3, %%r2;\n"
        "mov.u32 %%r4, 0; bar.sync 0;\n%s:\n%s"
        "add.u64 %%rd3, %%rd3, 128; add.u32 %%r3, %%r3, 128; add.u32 %%r4, %%r4, 1;\n"
        "setp.lt.u32 %%p0, %%r4, 128; @%%p0 bra %s; bar.sync 0;\n",
        label,
        back ? "ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd3], %r5;\n"
             : "ld.global.u32 %r5, [%rd3]; st.shared.u32 [%r3], %r5;\n",
        label);
}

static void append_fragment(GString *text, char prefix, guint first, guint count)
{
    g_string_append_c(text, '{');
    for (guint i = 0; i < count; i++)
        g_string_append_printf(text, "%s%%%c%u", i ? ", " : "", prefix, first + i);
    g_string_append_c(text, '}');
}

static guint registers_of(const Wmma *w, guint matrix)
{
    guint rows = matrix == B ? w->shape->n : w->shape->m;
    if (matrix >= C)
        return w->sum == F16 ? 4 : 8;
    return w->element == F16 ? 8 : rows / (w->element == S8 ? 8 : 4);
}

static char register_of(const Wmma *w, guint matrix)
{
    return matrix >= C && w->sum == F32 ? 'f' : 'r';
}

static void append_access(GString *text, const Wmma *w, guint matrix)
{
    static const char *const kinds[] = {"f16", "bf16", "tf32", "f32", "s8", "s32"};
    static const char letters[] = "abcd";
    char letter = letters[matrix];
    gboolean shared = g_str_equal(w->space, "shared");
    guint offset = matrix * REGION, stride = stride_of(w, matrix);
    g_autofree char *address = g_strdup_printf(shared ? "[%%r6+%u]" : "[%%rd4+%u]", offset);
    g_autofree char *by =
        w->stride_form == 0 ? g_strdup_printf("%u", stride) : g_strdup_printf("%%r%u", 10 + matrix);
    if (w->stride_form == 1)
        g_string_append_printf(text, "mov.u32 %%r%u, %u;\n", 10 + matrix, stride);
    else if (w->stride_form == 2)
        g_string_append_printf(text, "ld.global.u32 %%r%u, [%%rd1+%u];\n", 10 + matrix,
                               4 * REGION + 4 * matrix);
    g_string_append_printf(text, "wmma.%s.%c.sync.aligned.%s.%s%s%s.%s ",
                           matrix == D ? "store" : "load", letter,
                           w->columns[matrix] ? "col" : "row", w->shape->name, *w->space ? "." : "",
                           w->space, kinds[matrix >= C ? w->sum : w->element]);
    if (matrix == D)
        g_string_append_printf(text, "%s, ", address);
    append_fragment(text, register_of(w, matrix), 20 * matrix + 20, registers_of(w, matrix));
    if (matrix != D)
        g_string_append_printf(text, ", %s", address);
    g_string_append_printf(text, ", %s;\n", by);
}

static char *kernel_of(const Wmma *w)
{
    static const char *const types[] = {"", ".bf16.bf16.f32", ".tf32.tf32.f32", "", ".s8.s8.s32"};
    gboolean shared = !g_str_equal(w->space, "global");
    GString *text = g_string_new(
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 x)\n{\n.shared .align 128 .b8 sh[16384];\n"
        ".reg .b32 %r<120>; .reg .f32 %f<120>; .reg .b64 %rd<8>; .reg .pred %p<2>;\n"
        "ld.param.u64 %rd1, [x]; cvta.to.global.u64 %rd1, %rd1; mov.u64 %rd4, %rd1;\n");
    if (shared)
        append_copy(text, FALSE);
    if (shared)
        g_string_append(text, "mov.u32 %r6, sh; mov.u64 %rd5, sh; cvta.shared.u64 %rd4, %rd5;\n");
    for (guint matrix = A; matrix <= C; matrix++)
        append_access(text, w, matrix);
    g_string_append_printf(text, "wmma.mma.sync.aligned.%s.%s.%s.%s%s ",
                           w->columns[A] ? "col" : "row", w->columns[B] ? "col" : "row",
                           w->shape->name,
                           w->sum == F16   ? "f16"
                           : w->sum == S32 ? "s32"
                                           : "f32",
                           w->element != F16 ? types[w->element]
                           : w->sum == F16   ? ".f16"
                                             : ".f32");
    static const guint order[] = {D, A, B, C};
    for (guint i = 0; i < 4; i++) {
        append_fragment(text, register_of(w, order[i]), 20 * order[i] + 20,
                        registers_of(w, order[i]));
        g_string_append(text, i < 3 ? ", " : ";\n");
    }
    append_access(text, w, D);
    if (shared)
        append_copy(text, TRUE);
    g_string_append(text, "ret;\n}\n");
    return g_string_free(text, FALSE);
}

/* ---- wmma ----
 */

static guint hmmas_of(const Engine *e)
{
    guint count = 0;
    for (guint i = 0; i < e->issues->len; i++) {
        guint32 pc = g_array_index(e->issues, Issue, i).instruction;
        guint opcode = e->job->program->instructions[pc].opcode;
        count += opcode == WS_OP_HMMA || opcode == WS_OP_IMMA;
    }
    return count;
}

static void check_product(const Wmma *w, guint seed)
{
    static const char *const one[] = {"sms=1", NULL};
    gint a[ROWS][ROWS], b[ROWS][ROWS], c[ROWS][ROWS];
    g_autofree char *text = kernel_of(w);
    Engine *e = engine_new("h200", one, text, 1, 32, REGION + 16);
    guint8 *buffer = (guint8 *)engine_words(e);
    GRand *random = g_rand_new_with_seed(seed);
    fill(w, buffer, A, random, a);
    fill(w, buffer, B, random, b);
    fill(w, buffer, C, random, c);
    for (guint matrix = A; matrix <= D; matrix++)
        engine_words(e)[REGION + matrix] = stride_of(w, matrix);
    engine_run(e);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s\n%s", e->result->stop.message, text);
    for (guint i = 0; i < w->shape->m; i++) {
        for (guint j = 0; j < w->shape->n; j++) {
            gint sum = c[i][j];
            guint32 found = 0;
            for (guint k = 0; k < w->shape->k; k++)
                sum += a[i][k] * b[k][j];
            memcpy(&found, element_at(w, buffer, D, i, j), bytes_of(w->sum));
            ck_assert_msg(found == code_of(w->sum, sum), "row %u, column %u: %08x, not %d\n%s", i,
                          j, found, sum, text);
        }
    }
    ck_assert_uint_eq(hmmas_of(e), w->element == TF32 ? 4 : 2);
    g_rand_free(random);
    engine_free(e);
}

START_TEST(products_are_exact)
{
    static const char *const spaces[] = {"global", "shared", ""};
    static const Kind sums[][2] = {{F16, F32}, {F16, F16}, {BF16, F32}, {TF32, F32}};
    Wmma w = {.shape = &shapes[_i / 4], .element = sums[_i % 4][0], .sum = sums[_i % 4][1]};
    if ((w.element == TF32) != (w.shape->k == 8))
        return;
    for (guint layouts = 0; layouts < 8; layouts++) {
        w.columns[A] = layouts & 1;
        w.columns[B] = layouts >> 1 & 1;
        w.columns[C] = layouts >> 2 & 1;
        w.columns[D] = (layouts ^ layouts >> 2) & 1;
        for (guint space = 0; space < G_N_ELEMENTS(spaces); space++) {
            w.space = spaces[space];
            w.stride_form = (layouts + space) % 3;
            check_product(&w, 100 * (guint)_i + layouts);
        }
    }
}
END_TEST

START_TEST(integer_products_are_exact)
{
    static const char *const spaces[] = {"global", "shared", ""};
    Wmma w = {.shape = &shapes[_i], .element = S8, .sum = S32};
    for (guint layouts = 0; layouts < 16; layouts++) {
        for (guint matrix = A; matrix <= D; matrix++)
            w.columns[matrix] = layouts >> matrix & 1;
        for (guint space = 0; space < G_N_ELEMENTS(spaces); space++) {
            w.space = spaces[space];
            w.stride_form = (layouts + space) % 3;
            check_product(&w, 1000 + 100 * (guint)_i + layouts);
        }
    }
}
END_TEST

/* ---- mma, ldmatrix, movmatrix, cvt ----
 */

#define HEAD                                                                                       \
    ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n"         \
    ".shared .align 128 .b8 sh[1024];\n.reg .b32 %r<40>; .reg .f32 %f<16>; .reg .b64 %rd<8>;\n"    \
    ".reg .f64 %d<8>; .reg .pred %p<2>;\n"                                                         \
    "ld.param.u64 %rd1, [x]; mov.u32 %r0, %laneid; mul.wide.u32 %rd2, %r0, 16;\n"                  \
    "add.u64 %rd3, %rd1, %rd2;\n"

typedef struct {
    const char *text;     /* results in words 0 to 3 of a lane */
    const char *assembly; /* mnemonic that must be there */
    guint32 expected[4];  /* of lane 5 */
} Statement;

/* Fragments of equal elements: each product of ones has the value of the depth. */
static const Statement statements[] = {
    {"mov.b32 %r1, 0x3c003c00; mov.f32 %f0, 0f40000000;\n"
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1},"
     " {%r1,%r1}, {%f0,%f0,%f0,%f0};\nst.global.v4.f32 [%rd3], {%f1,%f2,%f3,%f4};",
     "HMMA.16816.F32 ",
     {0x41900000, 0x41900000, 0x41900000, 0x41900000}},
    {"mov.b32 %r1, 0x3c003c00; mov.b32 %r2, 0x40004000;\n"
     "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r3,%r4}, {%r1,%r1}, {%r1}, {%r2,%r2};\n"
     "st.global.v2.u32 [%rd3], {%r3,%r4};",
     "HMMA.1688.F16 ",
     {0x49004900, 0x49004900, 0, 0}},
    {"mov.b32 %r1, 0x3f803f80; mov.f32 %f0, 0f00000000;\n"
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1}, {%r1},"
     " {%f0,%f0,%f0,%f0};\n"
     "st.global.v4.f32 [%rd3], {%f1,%f2,%f3,%f4};",
     "HMMA.1688.F32.BF16 ",
     {0x41000000, 0x41000000, 0x41000000, 0x41000000}},
    {"mov.b32 %r1, 0x3f800000; mov.f32 %f0, 0f40000000;\n"
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1},"
     " {%r1,%r1}, {%f0,%f0,%f0,%f0};\nst.global.v4.f32 [%rd3], {%f0,%f2,%f3,%f4};",
     "HMMA.1688.F32.TF32 ",
     {0x41200000, 0x41200000, 0x41200000, 0x41200000}},
    {"mov.b32 %r1, 0x01010101; mov.b32 %r2, -1;\n"
     "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%r3,%r4,%r5,%r6}, {%r2,%r2,%r2,%r2},"
     " {%r2,%r1}, {%r1,%r1,%r1,%r1};\nst.global.v4.u32 [%rd3], {%r3,%r4,%r5,%r6};",
     "IMMA.16832.U8.S8 ",
     {0x01010101, 0x01010101, 0x01010101, 0x01010101}},
    {"mov.b32 %r1, 0x01010101; mov.b32 %r2, 0x7fffffff;\n"
     "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%r3,%r4,%r5,%r6}, {%r1,%r1},"
     " {%r1}, {%r2,%r2,%r1,%r1};\nst.global.v4.u32 [%rd3], {%r3,%r4,%r5,%r6};",
     "IMMA.16816.S8.S8.SAT ",
     {0x7fffffff, 0x7fffffff, 0x01010111, 0x01010111}},
    {"mov.f64 %d0, 0d3ff0000000000000; mov.f64 %d1, 0d4000000000000000;\n"
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d2,%d3}, {%d0}, {%d1}, {%d0,%d1};\n"
     "st.global.v2.f64 [%rd3], {%d2,%d3};",
     "DMMA.8x8x4 ",
     {0, 0x40220000, 0, 0x40240000}},
    /* lane 5 has row 1, columns 2 and 3: of the matrix whose element (r, c) is 8r + c */
    {"shl.b32 %r2, %r0, 1; mad.lo.u32 %r1, %r2, 0x10001, 0x10000; "
     "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r1;\n"
     "st.global.u32 [%rd3], %r3;",
     "MOVM.16.MT88 ",
     {17 | 25 << 16, 0, 0, 0}},
    {"shl.b32 %r2, %r0, 1; mad.lo.u32 %r1, %r2, 0x10001, 0x10000; shl.b32 %r4, %r0, 2;\n"
     "mov.u32 %r5, sh; add.u32 %r4, %r4, %r5; st.shared.u32 [%r4], %r1; bar.sync"
     " 0; shl.b32 %r4, %r0, 4; and.b32 %r4, %r4, 127; add.u32 %r4, %r4, %r5;\n"
     "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r6, %r7}, [%r4];\n"
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r4];\n"
     "st.global.v4.u32 [%rd3], {%r6, %r7, %r8, %r8};",
     "LDSM.16.MT88.2 ",
     {17 | 25 << 16, 17 | 25 << 16, 10 | 11 << 16, 10 | 11 << 16}},
    /* a generic address, with an offset that it needs */
    {"shl.b32 %r2, %r0, 1; mad.lo.u32 %r1, %r2, 0x10001, 0x10000; shl.b32 %r4, %r0, 2;\n"
     "mov.u32 %r5, sh; add.u32 %r4, %r4, %r5; st.shared.u32 [%r4], %r1; bar.sync"
     " 0; shl.b32 %r4, %r0, 4; and.b32 %r4, %r4, 127; add.u32 %r4, %r4, %r5;\n"
     "sub.u32 %r4, %r4, 32; cvt.u64.u32 %rd4, %r4; cvta.shared.u64 %rd4, %rd4;\n"
     "ldmatrix.sync.aligned.m8n8.x1.b16 {%r8}, [%rd4+32];\n"
     "st.global.v4.u32 [%rd3], {%r8, %r8, %r8, %r8};",
     "LDSM.16.M88 ",
     {10 | 11 << 16, 10 | 11 << 16, 10 | 11 << 16, 10 | 11 << 16}},
    {"mov.f32 %f0, 0f3f801000; mov.f32 %f1, 0f3f800fff; mov.f32 %f2, 0fff800001;\n"
     "mov.f32 %f3, 0f7f7ff000; cvt.rna.tf32.f32 %r1, %f0; cvt.rna.tf32.f32 %r2, %f1;\n"
     "cvt.rna.tf32.f32 %r3, %f2; cvt.rna.tf32.f32 %r4, %f3;\n"
     "st.global.v4.u32 [%rd3], {%r1, %r2, %r3, %r4};",
     "FSETP",
     {0x3f802000, 0x3f800000, 0xff800000, 0x7f800000}},
};

static gboolean has_mnemonic(const WsProgram *program, const char *assembly)
{
    for (guint32 i = 0; i < program->instruction_count; i++) {
        g_autofree char *text = ws_instruction_to_text(&program->instructions[i], NULL);
        if (strstr(text, assembly) != NULL)
            return TRUE;
    }
    return FALSE;
}

START_TEST(statements_compute)
{
    const Statement *s = &statements[_i];
    static const char *const one[] = {"sms=1", NULL};
    g_autofree char *text = g_strconcat(HEAD, s->text, "\nret;\n}\n", (char *)NULL);
    Engine *e = engine_new("h200", one, text, 1, 32, 128);
    engine_run(e);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
    ck_assert_msg(has_mnemonic(e->job->program, s->assembly), "no %s", s->assembly);
    for (guint i = 0; i < 4; i++)
        ck_assert_msg(engine_words(e)[20 + i] == s->expected[i], "%s: word %u is %08x", s->assembly,
                      i, engine_words(e)[20 + i]);
    engine_free(e);
}
END_TEST

static const char *const refused[] = {
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7},"
    " {%r0,%r1}, {%r2,%r3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3},"
    " {%r4,%r5}, {%r6,%r7};",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2}, {%r0,%r1,%r2,%r3},"
    " {%r4,%r5}, {%f0,%f1,%f2,%f3};",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%rd3},"
    " {%r4,%r5}, {%f0,%f1,%f2,%f3};",
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f32 {%r0,%r1,%r2,%r3}, [%rd1], 16;",
    "wmma.load.a.sync.aligned.row.m16n16k8.global.f16 {%r0,%r1,%r2,%r3}, [%rd1], 16;",
    "wmma.load.a.sync.aligned.row.m16n16k8.global.s8 {%r0,%r1}, [%rd1], 16;",
    "wmma.load.c.sync.aligned.row.m16n16k16.global.f64 {%rd0,%rd1}, [%rd1], 16;",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.s8.s8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7},"
    " {%r0,%r1}, {%r2,%r3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7},"
    " {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3};",
    "wmma.load.c.sync.aligned.row.m16n16k16.global.f16 {%rd0,%rd1,%rd2,%rd3}, [%rd1], 16;",
    "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1], {%rd0,%rd1,%rd2,%rd3}, 16;",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%r0,%r1,%r2,%r3},"
    " {%rd0,%rd1,%rd2,%rd3,%rd4,%rd5,%rd6,%rd7}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7},"
    " {%r0,%r1,%r2,%r3};",
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%p0,%p1,%p0,%p1,%p0,%p1,%p0,%p1},"
    " [%rd1], 16;",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1}, [%r4];",
    "cvt.rn.tf32.f32 %r0, %f0;",
};

START_TEST(other_forms_are_refused)
{
    g_autoptr(GError) error = NULL;
    WsCompileOptions options;
    g_autofree char *text = g_strconcat(HEAD, refused[_i], "\nret;\n}\n", (char *)NULL);
    ws_compile_options_init(&options);
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("x.ptx", text, strlen(text), &options, &error);
    ck_assert_msg(module == NULL, "%s", refused[_i]);
    ck_assert_msg(g_str_has_prefix(error->message, "x.ptx:11:"), "%s", error->message);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, products_are_exact, 0, 4 * G_N_ELEMENTS(shapes));
    tcase_add_loop_test(cases, integer_products_are_exact, 0, 3);
    tcase_add_loop_test(cases, statements_compute, 0, G_N_ELEMENTS(statements));
    tcase_add_loop_test(cases, other_forms_are_refused, 0, G_N_ELEMENTS(refused));
}

int main(void)
{
    return run_suite("wmma", add_tests);
}
