/*
 * Variables of optimised code from LLVM's dump of it: which register or number a variable is in
 * from which line of the PTX on, and what makes that unknown.
 */
#include "isa/debug/machine_values.h"
#include "tests/support/suite.h"

#include <string.h>

/* A kernel of lines 10 to 20. Each line of the dump that is a statement has one in the PTX. */
typedef struct {
    GString *dump, *ptx;
    guint32 line; /* of the PTX */
} Kernel;

static void begin(Kernel *kernel)
{
    kernel->dump = g_string_new("# Machine code for function k: NoPHIs, TracksLiveness\n\n");
    kernel->ptx = g_string_new(".visible .entry k(\n\t.param .u32 k_param_0\n)\n{\n");
    kernel->line = 4;
}

static void block(Kernel *kernel, guint number, const char *successors)
{
    g_string_append_printf(kernel->dump, "\nbb.%u (%%ir-block.%u):\n", number, number);
    if (*successors != '\0')
        g_string_append_printf(kernel->dump, "  successors: %s\n", successors);
    g_string_append_c(kernel->dump, '\n');
}

/* `source`: line of the source, 0 = LLVM knows none. Returns the line of the PTX. */
static guint32 statement(Kernel *kernel, guint32 source, const char *code, const char *ptx)
{
    g_string_append_printf(kernel->dump, "  %s", code);
    if (source != 0)
        g_string_append_printf(kernel->dump, ", debug-location !%u; k.cu:%u:5", source, source);
    g_string_append_printf(kernel->dump, "\n");
    g_string_append_printf(kernel->ptx, "\t%s;\n", ptx);
    return ++kernel->line;
}

static void assembly(Kernel *kernel, guint32 source, const char *code, const char *ptx)
{
    g_string_append_printf(kernel->ptx, "\t// begin inline asm\n\t%s;\n\t// end inline asm\n", ptx);
    g_string_append_printf(kernel->dump, "  INLINEASM %s, debug-location !%u; k.cu:%u:5\n", code,
                           source, source);
    kernel->line += 3;
}

static void variable(Kernel *kernel, const char *value, const char *name, guint32 declared)
{
    g_string_append_printf(kernel->dump,
                           "  DBG_VALUE %s, $noreg, !\"%s\", !DIExpression(), debug-location !9; "
                           "k.cu:0 line no:%u\n",
                           value, name, declared);
}

static WsMachineValues *end(Kernel *kernel)
{
    g_string_append(kernel->dump, "\n# End machine code for function k.\n");
    g_string_append(kernel->ptx, "}\n");
    WsMachineValues *values = ws_machine_values_new(kernel->dump->str, kernel->ptx->str);
    g_string_free(kernel->dump, TRUE);
    g_string_free(kernel->ptx, TRUE);
    return values;
}

/* What a variable is in front of a line of the PTX; NULL if that is not known. */
static const WsMachineValue *value_at(const WsMachineValues *values, const char *name, guint32 line)
{
    for (guint i = 0; i < values->values->len; i++) {
        const WsMachineValue *value = &g_array_index(values->values, WsMachineValue, i);
        const WsMachineVariable *of =
            &g_array_index(values->variables, WsMachineVariable, value->variable);
        if (strcmp(of->name, name) == 0 && value->first <= line && line < value->end)
            return value;
    }
    return NULL;
}

static const char *register_at(const WsMachineValues *values, const char *name, guint32 line)
{
    const WsMachineValue *value = value_at(values, name, line);
    return value == NULL ? "" : value->reg == NULL ? "number" : value->reg;
}

#define LOAD(reg)  reg ":int32regs = LD_i32_avar 0, 4, 1, 0, 32, &k_param_0 :: (load (s32))"
#define STORE(reg) "ST_i32_avar " reg ":int32regs, 0, 1, 1, 0, 32, @x :: (store (s32) into @x)"

START_TEST(registers_and_numbers_from_their_entry_on)
{
    Kernel k;
    begin(&k);
    block(&k, 0, "");
    const guint32 load = statement(&k, 11, LOAD("%3"), "ld.param.u32 \t%r1, [k_param_0]");
    variable(&k, "%3:int32regs", "a", 11);
    variable(&k, "-5", "b", 12);
    const guint32 store = statement(&k, 13, STORE("%3"), "st.global.u32 \t[x], %r1");
    const guint32 again = statement(&k, 14, LOAD("%3"), "ld.param.u32 \t%r1, [k_param_0]");
    const guint32 after = statement(&k, 15, STORE("%3"), "st.global.u32 \t[x], %r1");
    statement(&k, 16, "Return", "ret");
    g_autoptr(WsMachineValues) values = end(&k);
    ck_assert_str_eq(register_at(values, "a", load), "");
    ck_assert_str_eq(register_at(values, "a", store), "%r1");
    ck_assert_str_eq(register_at(values, "a", again), "%r1");
    ck_assert_str_eq(register_at(values, "a", after), "");
    ck_assert_str_eq(register_at(values, "b", store), "number");
    ck_assert_uint_eq((guint32)value_at(values, "b", after)->number, (guint32)-5);
}
END_TEST

START_TEST(inline_assembly_writes_its_registers)
{
    Kernel k;
    begin(&k);
    block(&k, 0, "");
    statement(&k, 11, LOAD("%3"), "ld.param.u32 \t%r1, [k_param_0]");
    variable(&k, "%3:int32regs", "a", 11);
    const guint32 before = statement(&k, 12, STORE("%3"), "st.global.u32 \t[x], %r1");
    assembly(&k, 13,
             "&\"add.s32 $0, $1, 1; // \\22def %9\\22\" [attdialect], $0:[regdef:Int32Regs], "
             "def dead early-clobber %3:int32regs, $1:[reguse:Int32Regs], %3:int32regs",
             "add.s32 %r1, %r1, 1");
    const guint32 behind = statement(&k, 14, STORE("%3"), "st.global.u32 \t[x], %r1");
    statement(&k, 15, "Return", "ret");
    g_autoptr(WsMachineValues) values = end(&k);
    ck_assert_str_eq(register_at(values, "a", before), "%r1");
    ck_assert_str_eq(register_at(values, "a", behind), "");
}
END_TEST

/* "unsigned a = p[0] & 0xff": LLVM loads the low byte alone, and calls its register a. */
START_TEST(a_load_says_how_wide_it_is)
{
    static const struct {
        const char *code;
        guint32 bits;
    } loads[] = {
        {"%3:int32regs = LD_i32_areg_64 0, 1, 1, 0, 8, %4:int64regs :: (load (s8))", 8},
        {"%3:int32regs = LD_i32_areg_64 0, 1, 1, 0, 32, %4:int64regs :: (load (s32))", 32},
        {"%3:int32regs = INT_PTX_LDG_GLOBAL_i16areg64 %4:int64regs :: (load (s16))", 16},
        {"%3:int32regs = ADDi32rr %5:int32regs, %6:int32regs", 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(loads); i++) {
        Kernel k;
        begin(&k);
        block(&k, 0, "");
        statement(&k, 11, loads[i].code, "anything \t%r1, %r2");
        variable(&k, "%3:int32regs", "a", 11);
        const guint32 store = statement(&k, 12, STORE("%3"), "st.global.u32 \t[x], %r1");
        statement(&k, 13, "Return", "ret");
        g_autoptr(WsMachineValues) values = end(&k);
        ck_assert_ptr_nonnull(value_at(values, "a", store));
        ck_assert_uint_eq(value_at(values, "a", store)->loaded_bits, loads[i].bits);
    }
}
END_TEST

/*
 * A value that is made in a later block by an instruction without a line: of a variable with other
 * entries, it may have been moved behind a later assignment; of a parameter that nothing else
 * assigns, it is the parameter.
 */
static const char *moved(const char *first, const char *code, guint32 source)
{
    Kernel k;
    begin(&k);
    block(&k, 0, "%bb.1(0x40000000), %bb.2(0x40000000)");
    if (*first != '\0')
        variable(&k, first, "n", 10);
    statement(&k, 11, "%1:int1regs = SETP_s32ri %8:int32regs, 7, 2", "setp.lt.s32 \t%p1, %r8, 7");
    statement(&k, 11, "CBranch %1:int1regs, %bb.2", "@%p1 bra \t$L_2");
    block(&k, 1, "%bb.2(0x80000000)");
    statement(&k, source, code, "anything \t%r1, %r2");
    variable(&k, "%3:int32regs", "n", 10);
    const guint32 store = statement(&k, 13, STORE("%3"), "st.global.u32 \t[x], %r1");
    block(&k, 2, "");
    statement(&k, 14, "Return", "ret");
    g_autoptr(WsMachineValues) values = end(&k);
    return value_at(values, "n", store) != NULL ? "known" : "unknown";
}

START_TEST(moved_values)
{
    const char *const add = "%3:int32regs = ADDi32rr %5:int32regs, %6:int32regs";
    ck_assert_str_eq(moved("", add, 12), "known");
    ck_assert_str_eq(moved("", add, 0), "known");
    ck_assert_str_eq(moved("%8:int32regs", add, 12), "known");
    ck_assert_str_eq(moved("%8:int32regs", add, 0), "unknown");
    ck_assert_str_eq(moved("$noreg", add, 0), "unknown");
    ck_assert_str_eq(moved("$noreg", LOAD("%3"), 0), "known");
    ck_assert_str_eq(moved("%8:int32regs", LOAD("%3"), 0), "unknown");
}
END_TEST

/* The dump and the PTX are of the same code, or nothing is known. */
START_TEST(other_code_says_nothing)
{
    Kernel k;
    begin(&k);
    block(&k, 0, "");
    statement(&k, 11, LOAD("%3"), "ld.param.u32 \t%r1, [k_param_0]");
    variable(&k, "%3:int32regs", "a", 11);
    statement(&k, 12, STORE("%3"), "ld.param.u32 \t%r2, [k_param_0]");
    statement(&k, 13, "Return", "ret");
    g_autoptr(WsMachineValues) values = end(&k);
    ck_assert_uint_eq(values->values->len, 0);
}
END_TEST

/* The frame pointer is no register of either side; half of a wide one is taken in braces. */
START_TEST(frames_and_statements_in_braces)
{
    Kernel k;
    begin(&k);
    block(&k, 0, "");
    statement(&k, 0, "$vrframelocal64 = MOV_DEPOT_ADDR_64 0", "mov.u64 \t%SPL, __local_depot0");
    statement(&k, 11, "%2:int64regs = LEA_ADDRi64 $vrframelocal64, 0", "add.u64 \t%rd1, %SPL, 0");
    statement(&k, 12, "%3:int32regs = I64toI32H %2:int64regs",
              "{ .reg .b32 tmp; mov.b64 {tmp, %r1}, %rd1; }");
    variable(&k, "%3:int32regs", "half", 12);
    const guint32 store = statement(&k, 13, STORE("%3"), "st.global.u32 \t[x], %r1");
    statement(&k, 14, "Return", "ret");
    g_autoptr(WsMachineValues) values = end(&k);
    ck_assert_str_eq(register_at(values, "half", store), "%r1");
}
END_TEST

/* What a kernel of three statements says of variable a, whose second instruction is `code`. */
static guint known_with(const char *code, const char *ptx)
{
    Kernel k;
    begin(&k);
    block(&k, 0, "");
    statement(&k, 11, "%1:int32regs = nsw ADDi32ri %0:int32regs, 1", "add.s32 \t%r2, %r1, 1");
    statement(&k, 12, code, ptx);
    variable(&k, "%2", "a", 12);
    statement(&k, 13, STORE("%1"), "st.global.u32 \t[x], %r2");
    g_autoptr(WsMachineValues) values = end(&k);
    return values->values->len;
}

/* One opcode is one mnemonic, one class of registers one of the PTX: else lines do not match. */
START_TEST(words_are_printed_in_one_way)
{
    ck_assert_uint_eq(known_with("%2:int32regs = ADDi32ri %1, 2", "add.s32 \t%r3, %r2, 2"), 1);
    ck_assert_uint_eq(known_with("%2:int32regs = ADDi32ri %1, 2", "mul.lo.s32 \t%r3, %r2, 2"), 0);
    ck_assert_uint_eq(known_with("%2:int32regs = MULTi32ri %1, 2", "mul.lo.s32 \t%r3, %r2, 2"), 1);
    ck_assert_uint_eq(known_with("%2:int32regs = MULTi32ri %1, 2", "mul.f32 \t%f3, %f2, 2"), 0);
    ck_assert_uint_eq(known_with("%2:float32regs = FMULf32ri %1, 2", "mul.f32 \t%f3, %f2, 2"), 1);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, registers_and_numbers_from_their_entry_on);
    tcase_add_test(cases, inline_assembly_writes_its_registers);
    tcase_add_test(cases, a_load_says_how_wide_it_is);
    tcase_add_test(cases, moved_values);
    tcase_add_test(cases, other_code_says_nothing);
    tcase_add_test(cases, frames_and_statements_in_braces);
    tcase_add_test(cases, words_are_printed_in_one_way);
}

int main(void)
{
    return run_suite("machine_values", add_tests);
}
