/*
 * Shuffles and the like of a full mask where lanes may be apart: where they get WARPSYNC.ALL, and
 * which branches then have no convergence barrier. Each case is what ptxas 13.0 makes of it for
 * sm_90, but for BRA.DIV, which has WARPSYNC in its place.
 */
#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/codegen/code_generation.h"
#include "isa/converge/convergence.h"
#include "tests/support/suite.h"

#define SHUFFLE(mode) "shfl.sync." mode ".b32 %r2, %r2, 1, 31, -1; st.global.u32 [%rd1+4], %r2;\n"
#define STORE(place)  "st.volatile.global.u32 [%rd1+" place "], %r2;\n"

/* Together too long to be predicated. */
#define FOUR STORE("40") STORE("44") STORE("48") STORE("52")
#define LONG FOUR FOUR FOUR

/* %p1 differs between lanes, %p2 too, %p3 does not. Sides hold a volatile store, so none is
 * predicated. `expected`: what parts lanes and brings them together, in order. */
static const struct {
    const char *name, *text, *expected;
} cases[] = {
    {"one side", "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "A: " STORE("12"),
     "BRA WARPSYNC.ALL SHFL EXIT"},
    {"vote on one side",
     "@%p1 bra A;\n" STORE("8") "vote.sync.ballot.b32 %r2, %p2, -1;\nA: " STORE("12"),
     "BRA WARPSYNC.ALL VOTE EXIT"},
    {"match on one side",
     "@%p1 bra A;\n" STORE("8") "match.any.sync.b32 %r2, %r2, -1;\nA: " STORE("12"),
     "BRA WARPSYNC.ALL MATCH EXIT"},
    {"reduction on one side",
     "@%p1 bra A;\n" STORE("8") "redux.sync.add.s32 %r2, %r2, -1;\nA: " STORE("12"),
     "BRA WARPSYNC.ALL REDUX EXIT"},
    {"__syncwarp() on one side",
     "@%p1 bra A;\n" STORE("8") "bar.warp.sync -1;\n" STORE("16") "A: " STORE("12"),
     "BRA WARPSYNC.ALL EXIT"},
    {"both sides",
     "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "bra B;\nA: " STORE("12")
         SHUFFLE("bfly") "B: " STORE("16"),
     "BSSY BRA WARPSYNC SHFL BRA WARPSYNC SHFL BSYNC EXIT"},
    {"both sides, of two kinds",
     "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "bra B;\nA: " STORE("12")
         SHUFFLE("down") "B: " STORE("16"),
     "BRA WARPSYNC.ALL SHFL BRA WARPSYNC.ALL SHFL EXIT"},
    {"two on one side",
     "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") SHUFFLE("bfly") "A: " STORE("12"),
     "BSSY BRA WARPSYNC SHFL SHFL BSYNC EXIT"},
    {"another one behind", "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "A: " SHUFFLE("bfly"),
     "BSSY BRA WARPSYNC SHFL BSYNC WARPSYNC SHFL EXIT"},
    {"another one in front",
     SHUFFLE("bfly") "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "A: " STORE("12"),
     "SHFL BRA WARPSYNC.ALL SHFL EXIT"},
    {"half a mask",
     "@%p1 bra A;\n" STORE("8") "shfl.sync.bfly.b32 %r2, %r2, 1, 31, 0xffff;\nA: " STORE("12"),
     "BSSY BRA WARPSYNC SHFL BSYNC EXIT"},
    {"the inner of two",
     "@%p1 bra A;\n" STORE("8") "@%p2 bra B;\n" STORE("12")
         SHUFFLE("bfly") "B: " STORE("16") "A: " STORE("20"),
     "BSSY BRA BRA WARPSYNC.ALL SHFL BSYNC EXIT"},
    {"the outer of two",
     "@%p1 bra A;\n" STORE("8") "@%p2 bra B;\n" LONG "B: " SHUFFLE("bfly") "A: " STORE("20"),
     "BRA BSSY BRA BSYNC WARPSYNC.ALL SHFL EXIT"},
    {"a loop whose lanes leave apart",
     "A: " STORE("8") SHUFFLE("bfly") "setp.lt.s32 %p1, %r2, %r1; @%p1 bra A;\n" STORE("12"),
     "WARPSYNC.ALL SHFL BRA EXIT"},
    {"a uniform loop that lanes come to apart",
     "mov.u32 %r3, 0;\nC: @%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "A: " STORE(
         "12") "add.s32 %r3, %r3, 1; setp.lt.s32 %p4, %r3, %r4; @%p4 bra C;\n" STORE("16"),
     "BSSY BRA WARPSYNC.ALL SHFL BRA BSYNC EXIT"},
    {"a branch that all lanes take alike",
     "@%p3 bra A;\n" STORE("8") SHUFFLE("bfly") "A: " STORE("12"), "BRA WARPSYNC SHFL EXIT"},
    {"lanes that end", "@%p1 ret;\n" STORE("8") SHUFFLE("bfly") STORE("12"), "EXIT SHFL EXIT"},
    {"a block barrier behind",
     "@%p1 bra A;\n" STORE("8") SHUFFLE("bfly") "A: bar.sync 0;\n" STORE("12"),
     "BRA WARPSYNC.ALL SHFL WARPSYNC.ALL BAR EXIT"},
};

static gboolean tells(const WsInstruction *instruction)
{
    switch (instruction->opcode) {
    case WS_OP_BSSY:
    case WS_OP_BSYNC:
    case WS_OP_BRA:
    case WS_OP_EXIT:
    case WS_OP_BAR:
    case WS_OP_WARPSYNC:
    case WS_OP_WARPSYNC_ALL:
    case WS_OP_SHFL:
    case WS_OP_VOTE:
    case WS_OP_MATCH:
    case WS_OP_REDUX:
        return TRUE;
    default:
        return FALSE;
    }
}

START_TEST(where_lanes_meet)
{
    GError *error = NULL;
    g_autofree char *text = g_strdup_printf(
        ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %%p<8>; .reg .b32 %%r<9>;"
        " .reg .b64 %%rd<4>;\nld.param.u64 %%rd1, [p]; ld.param.u32 %%r4, [n];"
        " mov.u32 %%r1, %%tid.x;\nld.global.u32 %%r2, [%%rd1];\n"
        "setp.lt.s32 %%p1, %%r1, %%r4; setp.gt.s32 %%p2, %%r2, %%r4; setp.gt.s32 %%p3, %%r4, 9;\n"
        "%s\nret;\n}\n",
        cases[_i].text);
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text, strlen(text), &options, &error);
    ck_assert_msg(module != NULL, "%s: %s", cases[_i].name, error == NULL ? "" : error->message);
    g_autoptr(WsProgram) program = ws_ir_compile(module, &options, &error);
    ck_assert_msg(program != NULL, "%s: %s", cases[_i].name, error == NULL ? "" : error->message);
    g_autoptr(GString) found = g_string_new(NULL);
    for (guint32 pc = 0; pc < program->instruction_count; pc++) {
        const WsInstruction *instruction = &program->instructions[pc];
        if (tells(instruction))
            g_string_append_printf(found, "%s%s", found->len > 0 ? " " : "",
                                   ws_opcode_info(instruction->opcode)->mnemonic);
    }
    ck_assert_msg(strcmp(found->str, cases[_i].expected) == 0, "%s: %s", cases[_i].name,
                  found->str);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, where_lanes_meet, 0, (int)G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("warp_meetings", add_tests);
}
