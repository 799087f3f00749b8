/* Machine code as NVIDIA's disassemblers write it (isa/sass): spelling, listings, programs. */
#include "isa/sass/sass.h"

#include <string.h>

#include "isa/sass/spelling.h"
#include "tests/support/suite.h"

/* ---- spelling ---------------------------------------------------------------------------------
 */

static const struct {
    const char *theirs, *ours;
} spellings[] = {
    {"IMAD.MOV.U32 R5, RZ, RZ, R4", "IMAD.U32 R5, RZ, RZ, R4"},
    {"IMAD.IADD R4, R0.reuse, 0x1, R3", "IMAD R4, R0.reuse, 0x1, R3"},
    {"IMAD.SHL.U32 R2, R0, 0x4, RZ", "IMAD.U32 R2, R0, 0x4, RZ"},
    {"IMAD.WIDE.U32.X R2, R3, R4, R6, P0", "IMAD.WIDE.X.U32 R2, R3, R4, R6, P0"},
    {"IMAD.X R3, RZ, RZ, ~R4, P0", "IMAD.X R3, RZ, RZ, -R4, P0"},
    {"IMAD.HI.U32 R0, P1, R2, R3, R4", "IMAD.HI.WIDE.U32 R0, P1, R2, R3, R4"},
    {"IMAD.HI.U32 R0, R2, R3, R4", "IMAD.HI.WIDE.U32 R0, R2, R3, R4"},
    {"IMNMX.U32 R0, R1, R2, PT", "VIMNMX.U32 R0, R1, R2, PT"},
    {"ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P1", "ISETP.GE.U32.AND.X P0, PT, R3, R5, PT, P1"},
    {"LOP3.LUT P0, RZ, R4, 0x1, RZ, 0xc0, !PT", "LOP3.LUT RZ, P0, R4, 0x1, RZ, 0xc0, !PT"},
    {"LOP3.LUT R0, R4, 0x1, RZ, 0xc0, !PT", "LOP3.LUT R0, R4, 0x1, RZ, 0xc0, !PT"},
    {"F2I.FTZ.U32.TRUNC.NTZ R0, R1", "F2I.FTZ.U32.TRUNC R0, R1"},
    {"F2FP.F16.F32.PACK_AB R0, R1, R2", "F2FP.F16 R0, R1, R2"},
    {"FRND.F64.FLOOR R2, R4", "FRND.F64.FLOOR R2, R4"},
    {"CS2R R4, SRZ", "CS2R.64 R4, SRZ"},
    {"CS2R.32 R4, SR_CLOCKLO", "CS2R R4, SR_CLOCKLO"},
    {"@!P1 LDG.E.64.CONSTANT R2, desc[UR4][R2.64+0x8]", "@!P1 LDG.E.64.CONSTANT R2, [R2.64+0x8]"},
    {"LDG.E.LTC128B R2, desc[UR4][R2.64]", "LDG.E R2, [R2.64]"},
    {"ATOMG.E.ADD.STRONG.GPU PT, R5, desc[UR4][R2.64], R7", "ATOMG.E.ADD.GPU R5, [R2.64], R7"},
    {"ATOMG.E.CAS.64.STRONG.SYS PT, R4, desc[UR4][R2.64], R4, R6",
     "ATOMG.CAS.E.U64.SYS R4, [R2.64], R4, R6"},
    {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", "RED.E.ADD.F32.FTZ.GPU [R2.64], R5"},
    {"BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC 0x0"},
    {"MEMBAR.SC.GPU", "MEMBAR.GPU"},
    {"CALL.REL.NOINC 0x3170", "CALL.REL RZ, 0x3170"},
    {"RET.REL.NODEC R6 0x0", "RET.REL R6"},
    {"BMOV.32.CLEAR R24, B8", "BMOV.R R24, B8"},
    {"BMOV.32 B6, R22", "BMOV.B B6, R22"},
    {"P2R R0, PR, RZ, 0x1", "P2R R0, RZ, 0x1"},
    {"R2P PR, R0, 0x7f", "R2P R0, 0x7f"},
    {"HADD2.F32 R0, -RZ, R1.H1_H1", "HADD2.F32.H1_H1 R0, -RZ, R1"},
    {"IMMA.16832.S8.S8 R4, R8.ROW, R12.COL, R4", "IMMA.16832.S8.S8 R4, R8, R12, R4"},
    {"BRX R4 -0x10 (*\"BRANCH_TARGETS .L_x_1\"*)", "BRX R4 -0x10"},
    {"WARPSYNC.COLLECTIVE R0, 0x4e0", "WARPSYNC R0"},
    {"WARPSYNC.COLLECTIVE.ALL 0x2130", "WARPSYNC.ALL"},
    {"HADD2.F32 R0, -RZ, R1.H0_H0.reuse", "HADD2.F32.H0_H0 R0, -RZ, R1.reuse"},
    {"CCTL.E.PF2 [R2.64]", "CCTL.PF2.E [R2.64]"},
    {"DEPBAR.LE SB0, 0x1", "DEPBAR.LE 0, 0x1"},
    {"EXIT", "EXIT"},
};

START_TEST(test_an_instruction_is_spelt_as_the_assembler_reads_it)
{
    g_autofree char *text = ws_sass_spelling(spellings[_i].theirs);
    ck_assert_str_eq(text, spellings[_i].ours);
}
END_TEST

/* ---- programs ---------------------------------------------------------------------------------
 */

#define USAGE                                                                                      \
    "Resource usage:\n Common:\n  GLOBAL:0\n Function _Z1kPi:\n  REG:12 STACK:0 SHARED:1280 "      \
    "LOCAL:0 CONSTANT[0]:536\n"
#define HEAD "\tcode for sm_90\n\t\tFunction : _Z1kPi\n"
#define LINE(address, text, low, high)                                                             \
    "        /*" address "*/   " text " ;   /* " low " */\n                       /* " high " */"  \
    "\n"

static WsProgram *load(const char *text)
{
    GError *error = NULL;
    WsProgram *program = ws_sass_program("k.sass", text, strlen(text), &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

static char *refusal(const char *text)
{
    GError *error = NULL;
    WsProgram *program = ws_sass_program("k.sass", text, strlen(text), &error);
    ck_assert_ptr_null(program);
    char *message = g_strdup(error->message);
    g_error_free(error);
    return message;
}

static const char two_kernels[] =
    USAGE HEAD LINE("0000", "LDC R1, c[0x0][0x28]", "0x00000a00ff017b82", "0x000fe20000000800")
        LINE("0010", "STS [R0+0x400], R1", "0x0004000100007388", "0x0041e40000000800")
            LINE("0020", "@P0 BRA 0x0", "0xfffffffc00e00947", "0x000fea000383ffff")
                LINE("0030", "EXIT", "0x000000000000794d", "0x000fea0003800000")
                    LINE("0040", "BRA 0x40", "0xfffffffc00fc7947", "0x000fc0000383ffff") LINE(
                        "0050", "NOP", "0x0000000000007918",
                        "0x000fc00000000000") "\t\tFunction : _Z1jPi\n" LINE("0000",
                                                                             "RET.REL.NODEC R2 0x0",
                                                                             "0x0", "0x0")
                        LINE("0010", "BRA 0x20", "0x0", "0x0")
                            LINE("0020", "CALL.REL.NOINC 0x0", "0x0", "0x0")
                                LINE("0030", "EXIT", "0x0", "0x0");

START_TEST(test_control_fields_and_sizes_are_those_of_the_text)
{
    g_autoptr(WsProgram) program = load(two_kernels);
    const WsKernel *kernel = ws_program_find_kernel(program, "k");
    ck_assert_uint_eq(program->machine, 90);
    ck_assert_uint_eq(program->parameter_base, 0x210);
    ck_assert_uint_eq(kernel->registers, 12);
    ck_assert_uint_eq(kernel->static_shared_bytes, 1280);
    ck_assert_uint_eq(ws_kernel_shared_asked(kernel), 256);
    /* What fills the function up is no part of it. */
    ck_assert_uint_eq(kernel->count, 4);
    const WsControl *first = &program->instructions[0].control;
    ck_assert_uint_eq(first->stall, 1);
    ck_assert_uint_eq(first->write_barrier, 7);
    ck_assert_uint_eq(first->wait_mask, 0);
    const WsControl *store = &program->instructions[1].control;
    ck_assert_uint_eq(store->stall, 2);
    ck_assert_uint_eq(store->write_barrier, 7);
    ck_assert_uint_eq(store->read_barrier, 0);
    ck_assert_uint_eq(store->wait_mask, 4);
}
END_TEST

START_TEST(test_targets_count_from_the_function)
{
    g_autoptr(WsProgram) program = load(two_kernels);
    const WsKernel *kernel = ws_program_find_kernel(program, "j");
    ck_assert_uint_eq(kernel->first, 4);
    ck_assert_uint_eq(program->instructions[2].operand[1].value, 0);
    ck_assert_uint_eq(program->instructions[5].operand[1].value, 6);
    ck_assert_uint_eq(program->instructions[6].operand[1].value, 4);
}
END_TEST

static const char nvdisasm[] = "\t.target\tsm_90\n"
                               "\t.section\t.text._Z1kPi,\"ax\",@progbits\n"
                               ".text._Z1kPi:\n"
                               "\t//## File \"/src/k.cu\", line 7\n"
                               "        /*0000*/  @P0 BRA `(.L_x_0) ;\n"
                               "\t//## File \"/src/k.cu\", line 9\n"
                               "        /*0010*/  CALL.REL.NOINC `($part) ;\n"
                               "        /*0020*/  STS [R0], R1 ;\n"
                               ".L_x_0:\n"
                               "        /*0030*/  EXIT ;\n"
                               "\t.type\t$part,@function\n"
                               "$part:\n"
                               "        /*0040*/  RET.REL.NODEC R2 `(_Z1kPi) ;\n"
                               "\t.section\t.nv.shared._Z1kPi,\"aw\",@nobits\n"
                               "\t.zero\t\t1536\n";

START_TEST(test_labels_and_lines_of_nvdisasm)
{
    g_autoptr(WsProgram) program = load(nvdisasm);
    const WsKernel *kernel = ws_program_find_kernel(program, "k");
    ck_assert_uint_eq(kernel->count, 5);
    ck_assert_uint_eq(ws_kernel_shared_asked(kernel), 512);
    ck_assert_uint_eq(program->instructions[0].operand[1].value, 3);
    ck_assert_uint_eq(program->instructions[1].operand[1].value, 4);
    const WsLocation *first = &program->locations[program->instructions[0].location];
    const WsLocation *last = &program->locations[program->instructions[4].location];
    ck_assert_str_eq(program->files[first->file], "/src/k.cu");
    ck_assert_uint_eq(first->line, 7);
    ck_assert_uint_eq(last->line, 9);
}
END_TEST

START_TEST(test_the_newest_gpu_that_is_supported_is_taken)
{
    g_autoptr(WsProgram) program =
        load("code for sm_80\nFunction : a\n/*0000*/ EXIT ;\n"
             "code for sm_90\nFunction : a\n/*0000*/ NOP ;\n/*0010*/ EXIT ;\n"
             "code for sm_120\nFunction : a\n/*0000*/ XYZ ;\n");
    ck_assert_uint_eq(program->machine, 90);
    ck_assert_uint_eq(program->kernels[0].count, 2);
    g_autoptr(WsProgram) old = load("code for sm_80\nFunction : a\n/*0000*/ EXIT ;\n");
    ck_assert_uint_eq(old->parameter_base, 0x160);
    ck_assert_uint_eq(old->kernels[0].system_shared_bytes, 0);
}
END_TEST

START_TEST(test_immediates_of_floats_are_those_of_the_encoding)
{
    g_autoptr(WsProgram) program =
        load("code for sm_90\nFunction : a\n" LINE("0000", "FMUL R0, R1, 0.10000000149",
                                                   "0x3dcccccd01007820", "0x000fe20000400000")
                 LINE("0010", "IADD3 R0, R1, 0x5, RZ", "0x0000000601007810", "0x000fe20007ffe0ff")
                     LINE("0020", "EXIT", "0x0", "0x0"));
    ck_assert_uint_eq(program->instructions[0].operand[2].value, 0x3dcccccd);
    ck_assert_uint_eq(program->instructions[1].operand[4].value, 5);
}
END_TEST

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "there is no machine code in this file"},
    {"code for sm_70\nFunction : a\n/*0000*/ EXIT ;\n", "the code is for sm_70; sm_80 to sm_90"},
    {"code for sm_90\nFunction : a\n/*0010*/ EXIT ;\n",
     "k.sass:3: error: address 0x10: expected 0x0"},
    {"code for sm_90\nFunction : a\n/*0000*/ EXIT\n", "k.sass:3: error: the \";\""},
    {"code for sm_90\nFunction : a\n/*0000*/ EXIT ;\nFunction : a\n",
     "k.sass:4: error: function 'a' is there twice"},
    {"code for sm_90\nFunction : a\n/*0000*/ BRA `(.L) ;\n",
     "k.sass:3: error: there is no label '.L'"},
    {"code for sm_90\nFunction : a\n/*0000*/ UTMALDG R0 ;\n/*0010*/ EXIT ;\n",
     "k.sass:3: error: 'UTMALDG R0' is not supported: there is no instruction \"UTMALDG\""},
    {"code for sm_90\nFunction : a\n/*0000*/ STS [R0], R1 ;\n/*0010*/ EXIT ;\n",
     "k.sass:3: error: this kernel uses shared memory of unknown size"},
    {"code for sm_90\nFunction : a\n/*0000*/ STL [R1], R0 ;\n/*0010*/ EXIT ;\n",
     "k.sass:3: error: this kernel uses local memory of unknown size"},
    {"code for sm_90\nFunction : a\n/*0000*/ FADD R0, R0, c[0x3][0x10] ;\n/*0010*/ EXIT ;\n",
     "k.sass:3: error: the constants of bank 3"},
    {"code for sm_90\nFunction : a\n/*0000*/ NOP ;\n/*0010*/ FADD R0, R0, R0 ;\n",
     "k.sass:4: error: kernel a, instruction 0x10: control runs past the end"},
};

START_TEST(test_what_cannot_run_is_refused_by_line)
{
    g_autofree char *message = refusal(refused[_i].text);
    ck_assert_msg(strstr(message, refused[_i].message) != NULL, "%s", message);
}
END_TEST

START_TEST(test_other_kernels_run_beside_a_refused_one)
{
    g_autoptr(WsProgram) program = load("code for sm_90\nFunction : a\n/*0000*/ UTMALDG R0 ;\n"
                                        "Function : b\n/*0000*/ EXIT ;\n");
    ck_assert_uint_eq(program->kernel_count, 1);
    ck_assert_uint_eq(program->refused_count, 1);
    ck_assert_str_eq(program->kernels[0].name, "b");
    ck_assert_str_eq(program->refused[0].name, "a");
}
END_TEST

START_TEST(test_parameters_end_with_the_last_read)
{
    g_autoptr(WsProgram) program = load("code for sm_90\nFunction : a\n"
                                        "/*0000*/ LDC.64 R2, c[0x0][0x218] ;\n/*0010*/ EXIT ;\n");
    ck_assert(program->kernels[0].open_parameters);
    ck_assert_uint_eq(program->kernels[0].parameter_bytes, 16);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, test_an_instruction_is_spelt_as_the_assembler_reads_it, 0,
                        G_N_ELEMENTS(spellings));
    tcase_add_test(tests, test_control_fields_and_sizes_are_those_of_the_text);
    tcase_add_test(tests, test_targets_count_from_the_function);
    tcase_add_test(tests, test_labels_and_lines_of_nvdisasm);
    tcase_add_test(tests, test_the_newest_gpu_that_is_supported_is_taken);
    tcase_add_test(tests, test_immediates_of_floats_are_those_of_the_encoding);
    tcase_add_loop_test(tests, test_what_cannot_run_is_refused_by_line, 0, G_N_ELEMENTS(refused));
    tcase_add_test(tests, test_other_kernels_run_beside_a_refused_one);
    tcase_add_test(tests, test_parameters_end_with_the_last_read);
}

int main(void)
{
    return run_suite("sass", add_tests);
}
