/* Which registers an instruction reads and writes: "R4:2" two words from R4 on, "!" what is
 * written. */
#include "isa/bytecode/accesses.h"
#include "isa/text/assembler.h"
#include "tests/support/suite.h"

static const struct {
    const char *instruction, *accesses;
} table[] = {
    {"NOP", ""},
    {"MOV R4, R5", "R4:1! R5:1"},
    {"MOV RZ, RZ", ""},
    {"@P3 MOV R4, 7", "P3:1 R4:1!"},
    {"@!P3 MOV R4, c[0x0][0x210]", "P3:1 R4:1!"},
    {"IADD3 R4, R5, R6, R7", "R4:1! R5:1 R6:1 R7:1"},
    {"IMAD.WIDE R4, R2, R3, R6", "R4:2! R2:1 R3:1 R6:2"},
    {"DADD R4, R2, R6", "R4:2! R2:2 R6:2"},
    {"ISETP.NE.AND P0, P1, R2, R3, P2", "P0:1! P1:1! R2:1 R3:1 P2:1"},
    {"ISETP.NE P0, R2, RZ", "P0:1! R2:1"},
    {"LDG.E R4, [R2]", "R4:1! R2:2"},
    {"LDG.E.64 R4, [R2+0x10]", "R4:2! R2:2"},
    {"LDG.E.128 R4, [R2]", "R4:4! R2:2"},
    {"STG.E.64 [R2], R4", "R2:2 R4:2"},
    {"STS [R2], R4", "R2:1 R4:1"},
    {"LDS R4, [0x10]", "R4:1!"},
    {"ATOMG.ADD.E.U32.GPU R4, [R2], R5", "R4:1! R2:2 R5:1"},
    {"ATOMG.CAS.E.U32.GPU R0, [R2], RZ, R1", "R0:1! R2:2 R1:1"},
    {"RED.ADD.E.U32.GPU [R2], R5", "R2:2 R5:1"},
    {"S2R R0, SR_TID.X", "R0:1!"},
    {"BSSY B1, 0x40", "B1:1!"},
    {"BSYNC B1", "B1:1"},
    {"SEL R4, R2, R3, P5", "R4:1! R2:1 R3:1 P5:1"},
    {"LEPC R20, 0x180", "R20:2!"},
    {"R2UR UR4, R2", "UR4:1! R2:1"},
    {"@!UP2 UMOV UR4, UR5", "UP2:1 UR4:1! UR5:1"},
    {"@UPT UMOV UR4, UR5", "UR4:1! UR5:1"},
    {"UIADD3 UR4, UP0, UP1, UR5, UR6, URZ", "UR4:1! UP0:1! UP1:1! UR5:1 UR6:1"},
    {"UIADD3.X UR4, UR5, UR6, URZ, UP3, !UPT", "UR4:1! UR5:1 UR6:1 UP3:1"},
    {"UIMAD.WIDE UR4, UP1, UR7, UR6, UR8", "UR4:2! UP1:1! UR7:1 UR6:1 UR8:2"},
    {"ULDC.64 UR4, c[3][UR6+8]", "UR4:2! UR6:1"},
    {"PLOP3.LUT P0, PT, PT, PT, UP3, 0x80, 0", "P0:1! UP3:1"},
    {"UPLOP3.LUT UP0, UPT, UP1, UP2, UP3, 0x80, 0", "UP0:1! UP1:1 UP2:1 UP3:1"},
    {"VOTEU.ALL UP0, P1", "UP0:1! P1:1"},
    {"IADD3 R4, R5, UR6, R7", "R4:1! R5:1 UR6:1 R7:1"},
    {"LDG.E R4, [R2+UR6]", "R4:1! R2:2 UR6:2"},
    {"LDG.E R4, [UR6]", "R4:1! UR6:2"},
    {"P2R R4, RZ, 0x5", "R4:1! P0:1 P2:1"},
    {"R2P R4, 0x6", "R4:1 P1:1! P2:1!"},
    {"@P0 BRA 0x40", "P0:1"},
    {"EXIT", ""},
};

START_TEST(accesses)
{
    static const char *const files[] = {"R", "P", "UR", "UP", "B"};
    WsRegisterAccess list[WS_MAX_ACCESSES];
    g_autoptr(GString) out = g_string_new(NULL);
    WsInstruction instruction;
    GError *error = NULL;

    if (!ws_assemble_instruction(table[_i].instruction, &instruction, &error))
        ck_abort_msg("%s: %s", table[_i].instruction, error->message);
    guint count = ws_instruction_accesses(&instruction, list);
    for (guint i = 0; i < count; i++)
        g_string_append_printf(out, "%s%s%u:%u%s", i == 0 ? "" : " ", files[list[i].file],
                               list[i].index, list[i].words, list[i].write ? "!" : "");
    if (!g_str_equal(out->str, table[_i].accesses))
        ck_abort_msg("%s: %s", table[_i].instruction, out->str);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, accesses, 0, G_N_ELEMENTS(table));
}

int main(void)
{
    return run_suite("accesses", add_tests);
}
