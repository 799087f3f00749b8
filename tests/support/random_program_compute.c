/* Random programs: instructions that compute in the lanes, and those without effect on values. */
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/bytecode/program.h"
#include "isa/text/disassembler.h"
#include "tests/support/random_instruction.h"
#include "tests/support/random_program_private.h"
#include "tests/support/scalar_reference.h"

/* Rows that only compute in the lanes, without the uniform ones and those that name lanes. */
static gboolean is_plain(WsOpcode opcode)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    switch (opcode) {
    case WS_OP_SHFL:
    case WS_OP_VOTE:
    case WS_OP_MATCH:
    case WS_OP_LDC: /* with the memory accesses */
        return FALSE;
    default:
        return scalar_covers(opcode) && info->slots[0] != WS_SLOT_Ud &&
               info->slots[0] != WS_SLOT_Ue;
    }
}

static WsOpcode random_opcode(Maker *maker)
{
    for (;;) {
        WsOpcode opcode = maker_below(maker, WS_OP_COUNT);
        if (is_plain(opcode)) {
            return opcode;
        }
    }
}

/* Special registers whose value does not depend on time or place. */
static guint32 steady_special(Maker *maker)
{
    static const guint8 steady[] = {WS_SR_TID_X,
                                    WS_SR_TID_Y,
                                    WS_SR_TID_Z,
                                    WS_SR_CTAID_X,
                                    WS_SR_CTAID_Y,
                                    WS_SR_CTAID_Z,
                                    WS_SR_LANEID,
                                    WS_SR_NWARPID,
                                    WS_SR_NSMID,
                                    WS_SR_GRIDID,
                                    WS_SR_TOTAL_SHARED_SIZE,
                                    WS_SR_CGACTAID};
    return steady[maker_below(maker, G_N_ELEMENTS(steady))];
}

static guint32 random_constant(Maker *maker, WsOperand *operand, guint words)
{
    operand->bank = maker_chance(maker, 2) ? 3 : 0;
    return words * 4 * maker_below(maker, (operand->bank == 3 ? 16 : 6) / words);
}

/* Moves an operand into the registers that the program keeps values in. */
static void choose_operand(Maker *maker, WsInstruction *instruction, guint n)
{
    WsOperand *operand = &instruction->operand[n];
    guint words = MAX(ws_operand_words(instruction, n), 1);
    gboolean is_destination = ws_operand_is_destination(instruction, n);
    switch (operand->kind) {
    case WS_OPERAND_UNIFORM_REGISTER: /* those of a warp may be anyone's */
        operand->kind = WS_OPERAND_REGISTER;
        G_GNUC_FALLTHROUGH;
    case WS_OPERAND_REGISTER:
        operand->index = words == 4   ? maker_quad(maker)
                         : words == 2 ? maker_pair(maker)
                                      : maker_value(maker);
        if (!is_destination && words == 1 && maker_chance(maker, 8)) {
            operand->index = maker_chance(maker, 2) ? 1 : WS_RZ;
        }
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        operand->kind = WS_OPERAND_PREDICATE;
        G_GNUC_FALLTHROUGH;
    case WS_OPERAND_PREDICATE:
        operand->index = maker_chance(maker, 4) ? WS_PT : maker_predicate(maker);
        break;
    case WS_OPERAND_CONSTANT:
        operand->value = random_constant(maker, operand, words);
        break;
    case WS_OPERAND_SPECIAL:
        operand->value = steady_special(maker);
        break;
    default:
        break;
    }
    operand->flags &= (guint8)(maker->reuse ? ~0 : ~WS_OPERAND_REUSE);
    operand->flags &= (guint8)ws_operand_allowed_flags(instruction, n);
}

static gboolean choose_operands(Maker *maker, WsInstruction *instruction)
{
    if (instruction->guard != WS_PT) {
        instruction->guard = maker_predicate(maker);
    }
    instruction->guard_negated = instruction->guard != WS_PT && instruction->guard_negated;
    instruction->control = (WsControl){.write_barrier = 7, .read_barrier = 7};
    for (guint n = 0; n < instruction->operand_count; n++) {
        choose_operand(maker, instruction, n);
    }
    if (instruction->opcode == WS_OP_R2P) {
        instruction->operand[1].value &= 0xf;
    }
    if (instruction->opcode == WS_OP_CS2R) {
        instruction->mod[WS_MOD_WIDTH] = WS_WIDTH_32;
        instruction->operand[0].index = maker_value(maker);
    }
    g_autofree char *problem = ws_instruction_problem(instruction);
    return problem == NULL;
}

void maker_row(Maker *maker)
{
    WsInstruction instruction;
    do {
        random_instruction(maker->random, random_opcode(maker), 1, &instruction);
    } while (!choose_operands(maker, &instruction));
    g_autofree char *text = ws_instruction_to_text(&instruction, NULL);
    maker_line(maker, "%s", text);
}

/*
 * A chain in the uniform datapath, from values that all threads of a block share, to a value
 * register. It writes what it reads, in one go, so that it does not matter which lanes come along.
 */
void maker_uniform(Maker *maker)
{
    guint d = maker_value(maker);
    maker_line(maker, "UMOV UR4, 0x%x", g_rand_int(maker->random));
    maker_line(maker, "ULDC%s UR6, c[0x3][%u]", maker_chance(maker, 2) ? ".64" : "",
               8 * maker_below(maker, 8));
    switch (maker_below(maker, 7)) {
    case 0:
        maker_line(maker, "S2UR UR5, SR_CTAID.X");
        maker_line(maker, "UIMAD UR4, UR5, UR4, UR6");
        break;
    case 1:
        maker_line(maker, "UIADD3 UR4, UR4, UR6, -UR6");
        maker_line(maker, "ULOP3.LUT UR4, UR4, UR6, UR6, 0x%x", maker_below(maker, 256));
        break;
    case 2:
        maker_line(maker, "USHF.%c.U32 UR4, UR4, %u, URZ", maker_chance(maker, 2) ? 'L' : 'R',
                   maker_below(maker, 32));
        maker_line(maker, "UISETP.LT.U32 UP0, UR4, UR6");
        break;
    case 3: /* a sum of pairs, and what its carry decides */
        maker_line(maker, "UIADD3 UR8, UP0, UR4, UR6, URZ");
        maker_line(maker, "UIADD3.X UR4, UR4, -UR6, URZ, UP0, !UPT");
        maker_line(maker, "@%sUP0 UIADD3 UR4, UR4, UR8, URZ", maker_chance(maker, 2) ? "!" : "");
        break;
    case 4:
        maker_line(maker, "UISETP.GE.AND UP1, UP2, UR4, UR6, UPT");
        maker_line(maker, "@UP%u UIMAD.WIDE.U32 UR8, UR4, UR6, URZ", 1 + maker_below(maker, 2));
        maker_line(maker, "@!UP1 UMOV UR9, UR4");
        maker_line(maker, "@UP1 ULEA.HI UR9, UR6, UR4, URZ, 0x%x", maker_below(maker, 32));
        maker_line(maker, "USEL UR4, UR9, UR6, %sUP2", maker_chance(maker, 2) ? "!" : "");
        break;
    case 5: /* to a predicate of lanes */
        maker_line(maker, "ULOP3.LUT URZ, UP3, UR4, UR6, URZ, 0xc0, !UPT");
        maker_line(maker, "UFLO.U32 UR4, UR6");
        maker_line(maker, "PLOP3.LUT P%u, PT, PT, PT, %sUP3, 0x80, 0x0", maker_predicate(maker),
                   maker_chance(maker, 2) ? "!" : "");
        maker_line(maker, "ULDC UR4, c[0x3][UR4]");
        break;
    default:
        maker_line(maker, "MOV R10, c[seven]");
        maker_line(maker, "R2UR UR5, R10");
        maker_line(maker, "UIADD3 UR4, UR4, UR5, UR6");
        break;
    }
    maker_line(maker, "IADD3 R%u, R%u, UR4, RZ", d, maker_value(maker));
}

/* Waits, hints and results that are dropped: they move times, not values. */
void maker_odd(Maker *maker)
{
    static const char *const functions[] = {"RCP", "RSQ", "SQRT", "EX2",
                                            "LG2", "SIN", "COS",  "TANH"};
    static const char *const clocks[] = {"SR_CLOCKLO", "SR_VIRTID.WARP", "SR_VIRTUALSMID",
                                         "SR_GLOBALTIMERLO"};
    guint d = maker_value(maker);
    switch (maker_below(maker, 7)) {
    case 0:
        maker_line(maker, "YIELD");
        break;
    case 1:
        maker_line(maker, "NANOSLEEP %u", maker_below(maker, 40));
        break;
    case 2:
        maker_line(maker, "MEMBAR.%s", maker_chance(maker, 2) ? "CTA" : "GPU");
        break;
    case 3:
        maker_line(maker, "S2R R10, %s", clocks[maker_below(maker, G_N_ELEMENTS(clocks))]);
        maker_line(maker, "LOP3.LUT R%u, R10, R%u, RZ, 0xcc", d, d);
        break;
    case 4:
        maker_line(maker, "NOP");
        break;
    default: /* its last bits are nobody's business */
        maker_line(maker, "MUFU.%s R10, R%u", functions[maker_below(maker, 8)], maker_value(maker));
        maker_line(maker, "LOP3.LUT R%u, R10, R%u, RZ, 0xcc", d, maker_value(maker));
        break;
    }
}
