#include "isa/text/assembler.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/encoding.h"
#include "isa/bytecode/opcode.h"
#include "isa/bytecode/text_form.h"
#include "isa/text/disassembler.h"
#include "tests/support/random_instruction.h"
#include "tests/support/suite.h"

enum { SEED = 3, ROUNDS = 300, TARGETS = 1 << 20 };

static char *hex(const guint8 *word)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < WS_INSTRUCTION_BYTES; i++) {
        g_string_append_printf(out, "%02x", word[i]);
    }
    return g_string_free(out, FALSE);
}

/* text -> binary -> text -> binary for every row. */
START_TEST(test_round_trip)
{
    GRand *random = g_rand_new_with_seed(SEED);
    for (guint i = 0; i < ROUNDS; i++) {
        WsInstruction instruction, back, decoded;
        guint8 word[WS_INSTRUCTION_BYTES], again[WS_INSTRUCTION_BYTES];
        g_autoptr(GError) error = NULL;
        random_instruction(random, _i, TARGETS, &instruction);
        ck_assert(ws_encode(&instruction, word, &error));
        g_autofree char *text = ws_instruction_to_text(&instruction, NULL);
        ck_assert_msg(ws_assemble_instruction(text, &back, &error), "%s: %s", text,
                      error != NULL ? error->message : "");
        ck_assert(ws_encode(&back, again, &error));
        g_autofree char *a = hex(word);
        g_autofree char *b = hex(again);
        ck_assert_msg(strcmp(a, b) == 0, "%s: %s became %s", text, a, b);
        ck_assert(ws_decode_word(again, &decoded, &error));
        g_autofree char *text_again = ws_instruction_to_text(&decoded, NULL);
        ck_assert_str_eq(text, text_again);
    }
    g_rand_free(random);
}
END_TEST

static const struct {
    const char *written;
    const char *canonical;
} spellings[] = {
    {"@!P0 FFMA.FTZ R1, R2.reuse, -|R3|, c[0x0][0x210]",
     "@!P0 FFMA.FTZ R1, R2.reuse, -|R3|, c[0x0][0x210]"},
    {"fadd r1, r2, 1.5", "FADD R1, R2, 1.5"},
    {"FADD R1, R2, 2", "FADD R1, R2, 2"},
    {"FADD R1, R2, 0x40000000", "FADD R1, R2, 2"},
    {"FMUL R1, R2, -0.1", "FMUL R1, R2, -0.1"},
    {"FADD R1, R2, -INF", "FADD R1, R2, -INF"},
    {"DADD R2, R4, 1.5", "DADD R2, R4, 1.5"},
    {"MOV R1, 1.5", "MOV R1, 0x3fc00000"},
    {"MOV R1, -1", "MOV R1, 0xffffffff"},
    {"FSETP.GT P0, R1, R2", "FSETP.GT.AND P0, PT, R1, R2, PT"},
    {"ISETP.GE P0, R1, 0x10", "ISETP.GE.AND P0, PT, R1, 0x10, PT"},
    {"ISETP.U32.GE P0, R1, R2, !P3", "ISETP.GE.U32.AND P0, PT, R1, R2, !P3"},
    {"IADD3 R1, R2, R3", "IADD3 R1, R2, R3, RZ"},
    {"IADD3 R1, P0, R2, -R3, 4", "IADD3 R1, P0, R2, -R3, 0x4"},
    {"IADD3.X R1, R2, R3, RZ, P1", "IADD3.X R1, R2, R3, RZ, P1"},
    {"LOP3.LUT R0, R1, R2, R3, 0xc0", "LOP3.LUT R0, R1, R2, R3, 0xc0"},
    {"LEA R1, R2, R3, 2", "LEA R1, R2, R3, 0x2"},
    {"LEA.HI R1, R2, R3, R4, 2", "LEA.HI R1, R2, R3, R4, 0x2"},
    {"LEA.HI.X.SX32 R1, R2, R3, 2, P0", "LEA.HI.X.SX32 R1, R2, R3, 0x2, P0"},
    {"SHF.L.U32 R1, R2, 3", "SHF.L.U32 R1, R2, 0x3, RZ"},
    {"HFMA2.MMA R5, -RZ, RZ, 0, 5.9604644775390625e-08", "HFMA2.MMA R5, -RZ, RZ, 0x1"},
    {"HFMA2.MMA R5, -RZ, RZ, 1.875, 0", "HFMA2.MMA R5, -RZ, RZ, 0x3f800000"},
    {"HFMA2.MMA R0, -RZ, RZ, -0.0 , 0", "HFMA2.MMA R0, -RZ, RZ, 0x80000000"},
    {"HFMA2.MMA R17, R17, 1, 1, R14", "HFMA2.MMA R17, R17, 0x3c003c00, R14"},
    {"HFMA2.BF16_V2 R17, R17, 1, -1, R14", "HFMA2.BF16_V2 R17, R17, 0x3f80bf80, R14"},
    {"HADD2 R0, R4, 65504, 0.00006097555160522461", "HADD2 R0, R4, 0x7bff03ff"},
    {"HADD2 R0, R4, 0.0009765625, -2.98023223876953125e-08", "HADD2 R0, R4, 0x14008000"},
    {"HADD2 R13, R10.H0_H0, R13.H1_H1", "HADD2 R13, R10.H0_H0, R13.H1_H1"},
    {"HADD2 R17, R17, -R10.reuse.H0_H0", "HADD2 R17, R17, -R10.reuse.H0_H0"},
    {"HFMA2 R0, R25.reuse.H0_H0, -1, 2, R29.h0_h0",
     "HFMA2 R0, R25.reuse.H0_H0, 0xbc004000, R29.H0_H0"},
    {"HFMA2.BF16_V2 R0, -RZ.H0_H0, RZ.H0_H0, |R3|.H0_H0",
     "HFMA2.BF16_V2 R0, -RZ.H0_H0, RZ.H0_H0, |R3|.H0_H0"},
    {"HSETP2.GT.AND P0, PT, |R0|.reuse.H0_H0, RZ.H1_H1, PT",
     "HSETP2.GT.AND P0, PT, |R0|.reuse.H0_H0, RZ.H1_H1, PT"},
    {"HSET2.BF.EQ.AND R25, R17.H0_H0, 2, 1, PT", "HSET2.BF.EQ.AND R25, R17.H0_H0, 0x40003c00, PT"},
    {"HMNMX2 R6, R5.H0_H0, R6.H1_H1, !PT", "HMNMX2 R6, R5.H0_H0, R6.H1_H1, !PT"},
    {"HMUL2 R0, R4, 2049, 2051", "HMUL2 R0, R4, 0x68006802"},
    {"HMUL2 R0, R4, -INF, +QNAN", "HMUL2 R0, R4, 0xfc007fff"},
    {"HSETP2.GEU.AND P1, PT, |R0|, 2, 4", "HSETP2.GEU.AND P1, PT, |R0|, 0x40004400, PT"},
    {"FSET.BF.LT.AND R6, R10, 0.5, P1", "FSET.BF.LT.AND R6, R10, 0.5, P1"},
    {"VIMNMX3.U32 R9, R10, R9, 0x12, !PT", "VIMNMX3.U32 R9, R10, R9, 0x12, !PT"},
    {"VIADDMNMX R6, R5.reuse, -R20.reuse, 0xb9600000, !PT",
     "VIADDMNMX R6, R5.reuse, -R20.reuse, 0xb9600000, !PT"},
    {"LEPC R20, 0x180", "LEPC R20, 0x180"},
    {"CCTL.IVALL", "CCTL.IVALL"},
    {"CCTL.PF2.E [R2]", "CCTL.PF2.E [R2]"},
    {"@P4 ERRBAR", "@P4 ERRBAR"},
    {"CGAERRBAR", "CGAERRBAR"},
    {"DEPBAR.LE 5, 5", "DEPBAR.LE 0x5, 0x5"},
    {"ENDCOLLECTIVE", "ENDCOLLECTIVE"},
    {"UIADD3 UR4, UR5, UR6", "UIADD3 UR4, UR5, UR6, URZ"},
    {"UIADD3 UR6, UP0, UR16, -1, URZ", "UIADD3 UR6, UP0, UR16, 0xffffffff, URZ"},
    {"UIADD3 UR8, UP0, UP1, -UR10, UR14, UR8", "UIADD3 UR8, UP0, UP1, -UR10, UR14, UR8"},
    {"UIADD3 UR8, UPT, UP1, UR10, UR14, UR8", "UIADD3 UR8, UPT, UP1, UR10, UR14, UR8"},
    {"UIADD3.X UR15, UR5, UR10, URZ, UP0, !UPT", "UIADD3.X UR15, UR5, UR10, URZ, UP0"},
    {"UIADD3.X UR9, UR20, UR15, UR9, !UPT, UP1", "UIADD3.X UR9, UR20, UR15, UR9, !UPT, UP1"},
    {"ULEA UR8, UP0, UR6, UR8, 3", "ULEA UR8, UP0, UR6, UR8, 0x3"},
    {"ULEA UR4, UR4, 1, 1", "ULEA UR4, UR4, 0x1, 0x1"},
    {"ULEA.HI UR4, UR4, UR4, URZ, 0x1", "ULEA.HI UR4, UR4, UR4, 0x1"},
    {"ULEA.HI.X UR9, UR6, UR9, UR11, 3, UP0", "ULEA.HI.X UR9, UR6, UR9, UR11, 0x3, UP0"},
    {"ULEA.HI.X.SX32 UR4, UR4, UR8, 1, UP0", "ULEA.HI.X.SX32 UR4, UR4, UR8, 0x1, UP0"},
    {"UIMAD.WIDE.U32 UR12, UP0, UR4, UR17, UR12", "UIMAD.WIDE.U32 UR12, UP0, UR4, UR17, UR12"},
    {"UIMAD.HI UR4, UR5, -UR6, UR8", "UIMAD.HI UR4, UR5, -UR6, UR8"},
    {"IMAD.HI.WIDE.U32 R4, P1, R3, R7, R4", "IMAD.HI.WIDE.U32 R4, P1, R3, R7, R4"},
    {"CS2R.64 R2, SRZ", "CS2R.64 R2, SRZ"},
    {"UIMAD UR5, UR5, UR6, 3", "UIMAD UR5, UR5, UR6, 0x3"},
    {"UIADD3 UR5, UR5, UR6, c[0][4]", "UIADD3 UR5, UR5, UR6, c[0x0][0x4]"},
    {"ULEA UR4, UR5, UR6, 1, 3", "ULEA UR4, UR5, UR6, 0x1, 0x3"},
    {"ULDC.U8 UR11, c[0][0x252]", "ULDC.U8 UR11, c[0x0][0x252]"},
    {"ULDC.S16 UR8, c[3][UR9+2]", "ULDC.S16 UR8, c[0x3][UR9+0x2]"},
    {"USEL UR4, UR4, 1, !UP0", "USEL UR4, UR4, 0x1, !UP0"},
    {"UPRMT UR5, UR4, 0x9910, URZ", "UPRMT UR5, UR4, 0x9910, URZ"},
    {"UISETP.GE UP0, UR6, UR16", "UISETP.GE.AND UP0, UPT, UR6, UR16, UPT"},
    {"UISETP.GE.U32.AND.X UP0, UP2, UR15, UR5, UPT, !UP1",
     "UISETP.GE.U32.AND.X UP0, UP2, UR15, UR5, UPT, !UP1"},
    {"ULOP3.LUT UR5, UR5, 0xffff, URZ, 0xc0, !UPT", "ULOP3.LUT UR5, UR5, 0xffff, URZ, 0xc0"},
    {"ULOP3.LUT URZ, UP0, UR6, 4, URZ, 0xc0, UP1", "ULOP3.LUT URZ, UP0, UR6, 0x4, URZ, 0xc0, UP1"},
    {"UPLOP3.LUT UP0, UPT, UPT, UPT, !UP4, 0x80, 0",
     "UPLOP3.LUT UP0, UPT, UPT, UPT, !UP4, 0x80, 0x0"},
    {"PLOP3.LUT P0, PT, PT, PT, !UP3, 0x80, 0", "PLOP3.LUT P0, PT, PT, PT, !UP3, 0x80, 0x0"},
    {"UFLO.U32.SH UR4, ~UR5", "UFLO.U32.SH UR4, ~UR5"},
    {"UFLO UR4, UP1, UR5", "UFLO UR4, UP1, UR5"},
    {"UPOPC UR9, UR8", "UPOPC UR9, UR8"},
    {"UBREV UR4, ~UR5", "UBREV UR4, ~UR5"},
    {"UBMSK.W UR4, UR5, 7", "UBMSK.W UR4, UR5, 0x7"},
    {"USGXT.U32 UR4, UR5, 7", "USGXT.U32 UR4, UR5, 0x7"},
    {"VOTEU.ANY UR8, UPT, PT", "VOTEU.ANY UR8, UPT, PT"},
    {"VOTEU.ALL UP0, !P0", "VOTEU.ALL URZ, UP0, !P0"},
    {"ULDC.64 UR10, c[3][UR5+8]", "ULDC.64 UR10, c[0x3][UR5+0x8]"},
    {"ULDC UR14, c[3][UR4]", "ULDC UR14, c[0x3][UR4]"},
    {"@!UP0 UMOV UR9, UR21", "@!UP0 UMOV UR9, UR21"},
    {"@UP6 UMOV UR9, UR21", "@UP6 UMOV UR9, UR21"},
    {"@UPT UMOV UR9, UR21", "UMOV UR9, UR21"},
    {"@!UPT UMOV UR9, UR21", "@!PT UMOV UR9, UR21"},
    {"BAR.SYNC 0", "BAR.SYNC 0x0"},
    {"BAR.SYNC R1, R2", "BAR.SYNC R1, R2"},
    {"BAR.SYNC 1, 64", "BAR.SYNC 0x1, 0x40"},
    {"BAR.RED.OR P0, 0, P1", "BAR.RED.OR RZ, P0, 0x0, P1"},
    {"EXIT", "EXIT"},
    {"@P0 EXIT ;", "@P0 EXIT"},
    {"SHFL.BFLY R1, R1, 1, 0x1f", "SHFL.BFLY R1, R1, 0x1, 0x1f"},
    {"SHFL.UP P0, R1, R1, R2, 0", "SHFL.UP P0, R1, R1, R2, 0x0"},
    {"VOTE.ANY R1, P0", "VOTE.ANY R1, PT, P0"},
    {"VOTE.ALL P0, !P1", "VOTE.ALL RZ, P0, !P1"},
    {"LDG.E.64.CONSTANT R2, [R4.64+0x10]", "LDG.E.64.CONSTANT R2, [R4+0x10]"},
    {"LDG.E.128 R4, [R2+UR4-16]", "LDG.E.128 R4, [R2+UR4-0x10]"},
    {"STS [16], R1", "STS [0x10], R1"},
    {"LDC.64 R2, c[0][R4+8]", "LDC.64 R2, c[0x0][R4+0x8]"},
    {"ATOMG.E.ADD R0, [R2], R4", "ATOMG.E.ADD.U32.GPU R0, [R2], R4"},
    {"F2F.F32.F64 R1, R2", "F2F.F32.F64 R1, R2"},
    {"I2F.U64.F32 R1, R2", "I2F.F32.U64 R1, R2"},
    {"POPC R1, ~R2", "POPC R1, ~R2"},
    {"S2R R0, sr_tid.x", "S2R R0, SR_TID.X"},
    {"BRA 0x40", "BRA 0x40"},
    {"BRA !P1, 0x40", "BRA !P1, 0x40"},
    {"BRA.DIV UR4, 0x40", "BRA.DIV UR4, 0x40"},
    {"BSSY B0, `(0x40)", "BSSY B0, 0x40"},
    {"FADD.yield R1, R2, R3 {stall=4 wr=0 rd=1 wait=0x3} ;",
     "FADD.yield R1, R2, R3 {stall=4 wr=0 rd=1 wait=0x3}"},
    {"FADD R1, R2, R3 ; {stall=4, yield}", "FADD.yield R1, R2, R3 {stall=4}"},
    {"IMAD.WIDE.U32 R2, R0, 4, R2", "IMAD.WIDE.U32 R2, R0, 0x4, R2"},
    {"NOP // nothing", "NOP"},
};

START_TEST(test_spellings)
{
    WsInstruction instruction;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(ws_assemble_instruction(spellings[_i].written, &instruction, &error), "%s: %s",
                  spellings[_i].written, error != NULL ? error->message : "");
    g_autofree char *text = ws_instruction_to_text(&instruction, NULL);
    ck_assert_str_eq(text, spellings[_i].canonical);
}
END_TEST

static const struct {
    const char *text;
    const char *message; /* the whole of it, behind "t.wsasm:" */
} mistakes[] = {
    {".kernel k\nFADDD R1, R2, R3", "2:1: error: there is no instruction \"FADDD\"; did you mean "
                                    "\"FADD\"?"},
    {".kernel k\n  fadd.ftx R1, R2, R3",
     "2:8: error: there is no modifier of FADD \"ftx\"; did you mean \"FTZ\"?"},
    {".kernel k\nFADD R1, R2", "2:12: error: expected a register, an immediate or c[bank][offset] "
                               "as operand 3 of FADD Rd, Ra, Sb"},
    {".kernel k\nFADD R1, R2, R3, R4", "2:18: error: too many operands for FADD Rd, Ra, Sb"},
    {".kernel k\nFADD R300, R2, R3", "2:6: error: there is no R300 (R0 to R254, RZ)"},
    {".kernel k\nISETP P0, R1, R2", "2:1: error: ISETP needs one of .F .LT .EQ .LE .GT .NE .GE .T"},
    {".kernel k\nISETP.GE P0, 5, R2",
     "2:14: error: expected a register as operand 2 of ISETP Pd, [Pe], Ra, Sb, [Pp], [Pq]"},
    {".kernel k\nBRA lop\nloop: EXIT",
     "2:5: error: there is no label \"lop\"; did you mean \"loop\"?"},
    {".kernel k\nfirst: NOP\nsecond: NOP\nBRA secnd",
     "4:5: error: there is no label \"secnd\"; did you mean \"second\"?"},
    {".kernel a\nloop: EXIT\n.kernel b\nother: NOP\nBRA lop",
     "5:5: error: there is no label \"lop\""},
    {".kernel k\nFADD R1, R2.reus, R3",
     "2:10: error: expected .reuse after a register, found \".reus\""},
    {".kernel k\na: NOP\na: EXIT", "3:1: error: there is already a label \"a\""},
    {".kernal k", "1:1: error: there is no directive \".kernal\"; did you mean \".kernel\"?"},
    {"NOP", "1:1: error: this is outside a kernel: .kernel NAME first"},
    {".kernel k\n.param f31 a", "2:8: error: there is no type \"f31\"; did you mean \"f32\"?"},
    {".kernel k\n.param f32 alpha\nMOV R0, c[alhpa]",
     "3:11: error: there is no parameter or .const variable \"alhpa\"; did you mean \"alpha\"?"},
    {".kernel k\nS2R R0, SR_TID.W",
     "2:9: error: there is no special register \"SR_TID.W\"; did you mean \"SR_TID.X\"?"},
    {".kernel k\nFADD R1, ~R2, R3", "2:10: error: this operand of FADD takes no such sign or mark"},
    {".kernel k\nDADD R1, R2, R4", "2:1: error: DADD, operand 1: a value of 2 words needs a "
                                   "register number that is a multiple of 2, not 1"},
    {".kernel k\nFFMA R1, R2, 1.0, 2.0", "2:1: error: at most one source may be an immediate, a "
                                         "constant or a uniform register"},
    {".kernel k\nDADD R2, R4, 0.1",
     "2:14: error: this 64-bit float needs more than the 32 bits of an immediate; put it into a "
     ".const variable"},
    {".kernel k\nMOV R1, 4294967296", "2:9: error: this number does not fit 32 bits"},
    {".kernel k\nNOP", "2:1: error: kernel k, instruction 0x0: control runs past the end of the "
                       "kernel; EXIT is missing"},
    {".kernel k\n.registers 4\nMOV R4, 0\nEXIT",
     "1:9: error: kernel \"k\" uses 5 registers, more than .registers 4"},
    {".kernel k\nEXIT /* what", "2:6: error: this comment does not end"},
    {".kernel k\nEXIT \x01", "2:6: error: this character has no meaning here"},
    {".kernel k\nFADD R1, R2, R3 {stal=3}",
     "2:18: error: there is no control field \"stal\"; did you mean \"stall\"?"},
    {".kernel k\nloop: BRA loop", "2:7: error: kernel k, instruction 0x0: no EXIT can be reached"},
    {"", " error: there is no .kernel in this text"},
};

START_TEST(test_mistakes)
{
    g_autoptr(GError) error = NULL;
    const char *text = mistakes[_i].text;
    WsProgram *program = ws_assemble("t.wsasm", text, strlen(text), NULL, &error);
    ck_assert_msg(program == NULL, "%s", text);
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    g_autofree char *expected = g_strconcat("t.wsasm:", mistakes[_i].message, NULL);
    ck_assert_str_eq(error->message, expected);
}
END_TEST

static WsProgram *assemble(const char *text)
{
    g_autoptr(GError) error = NULL;
    WsProgram *program = ws_assemble("t.wsasm", text, strlen(text), NULL, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

static const char *const axpy = "/* y = a x + y */\n"
                                ".const f32 taps[3] = 1, 2,\n"
                                "    -0.5\n"
                                ".global u32 counter = 7\n"
                                ".kernel axpy\n"
                                ".param s32 n\n"
                                ".param f32 a\n"
                                ".param u64 x\n"
                                ".param b8 flag\n"
                                ".param f64 d\n"
                                ".shared 64\n"
                                ".reqntid 64, 2\n"
                                "    S2R R0, SR_TID.X\n"
                                "    ISETP.GE P0, R0, c[n] ; @P0 EXIT\n"
                                "    LDC.64 R2, c[x]\n"
                                "    MOV R5, counter\n"
                                "    FMUL R6, R5, c[0x3][taps+8]\n"
                                "    DADD R8, R2, c[d]\n"
                                ".loc \"axpy.cu\" 12\n"
                                "    IMAD.WIDE.U32 R2, R0, 4, R2\n"
                                "    BAR.SYNC 1\n"
                                "done: EXIT\n"
                                ".kernel empty\n"
                                "done: EXIT";

START_TEST(test_program)
{
    g_autoptr(WsProgram) program = assemble(axpy);
    ck_assert_uint_eq(program->kernel_count, 2);
    const WsKernel *kernel = ws_program_find_kernel(program, "axpy");
    ck_assert_uint_eq(kernel->count, 10);
    ck_assert_uint_eq(kernel->registers, 10);
    ck_assert_uint_eq(kernel->barriers, 2);
    ck_assert_uint_eq(kernel->required_block[1], 2);
    ck_assert_uint_eq(kernel->parameter_count, 5);
    ck_assert_uint_eq(kernel->parameters[2].offset, 8);
    ck_assert_uint_eq(kernel->parameters[4].offset, 24);
    ck_assert_uint_eq(kernel->parameter_bytes, 32);
    ck_assert_uint_eq(program->instructions[1].operand[3].value, 0x210);
    ck_assert_uint_eq(program->instructions[4].operand[1].value, WS_MODULE_WINDOW);
    ck_assert_uint_eq(program->instructions[5].operand[2].bank, 3);
    ck_assert_uint_eq(program->instructions[5].operand[2].value, 8);
    float tap;
    memcpy(&tap, program->constants + 8, sizeof tap);
    ck_assert(tap == -0.5f);
    ck_assert_uint_eq(ws_program_find_symbol(program, "counter")->initial[0], 7);
    const WsLocation *at = &program->locations[program->instructions[7].location];
    ck_assert_str_eq(program->files[at->file], "axpy.cu");
    ck_assert_uint_eq(at->line, 12);
    at = &program->locations[program->instructions[2].location];
    ck_assert_str_eq(program->files[at->file], "t.wsasm");
    ck_assert_uint_eq(at->line, 14);
    ck_assert_uint_eq(at->column, 29);
}
END_TEST

START_TEST(test_disassembly_assembles)
{
    g_autoptr(WsProgram) program = assemble(axpy);
    WsDisassembleOptions options = {.words = TRUE, .sources = TRUE, .control = TRUE};
    g_autofree char *text = ws_disassemble(program, &options);
    ck_assert(strstr(text, "axpy.cu:12") != NULL);
    g_autoptr(WsProgram) again = assemble(text);
    ck_assert_uint_eq(again->instruction_count, program->instruction_count);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint8 a[WS_INSTRUCTION_BYTES], b[WS_INSTRUCTION_BYTES];
        ck_assert(ws_encode(&program->instructions[i], a, NULL));
        ck_assert(ws_encode(&again->instructions[i], b, NULL));
        ck_assert_mem_eq(a, b, WS_INSTRUCTION_BYTES);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_round_trip, 0, WS_OP_COUNT);
    tcase_add_loop_test(cases, test_spellings, 0, G_N_ELEMENTS(spellings));
    tcase_add_loop_test(cases, test_mistakes, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, test_program);
    tcase_add_test(cases, test_disassembly_assembles);
}

int main(void)
{
    return run_suite("assembler", add_tests);
}
