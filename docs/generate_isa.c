/*
 * Writes docs/reference/isa.md from the tables of isa/, on standard output. Text that no table
 * holds (the core subset's choice, the layout of the packed form) is here.
 */
#include <stdio.h>

#include "isa/bytecode/instruction.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/bytecode/text_form.h"

/* Enough for every workload written by hand; what a student needs to know. */
static const WsOpcode core[] = {
    WS_OP_MOV,   WS_OP_S2R,   WS_OP_LDC,   WS_OP_IADD3, WS_OP_IMAD, WS_OP_IMAD_WIDE, WS_OP_LEA,
    WS_OP_LOP3,  WS_OP_SHF,   WS_OP_ISETP, WS_OP_SEL,   WS_OP_FADD, WS_OP_FMUL,      WS_OP_FFMA,
    WS_OP_FSETP, WS_OP_FMNMX, WS_OP_MUFU,  WS_OP_I2F,   WS_OP_F2I,  WS_OP_LDG,       WS_OP_STG,
    WS_OP_LDS,   WS_OP_STS,   WS_OP_ATOMG, WS_OP_SHFL,  WS_OP_VOTE, WS_OP_BAR,       WS_OP_BSSY,
    WS_OP_BSYNC, WS_OP_BRA,   WS_OP_EXIT,  WS_OP_NOP};

static const char *const slot_names[WS_SLOT_COUNT] = {
    "",   "Rd", "Rp", "Pd", "Pe", "Ra", "Rb", "Rc", "Sb", "Sc", "Pp", "Pq",
    "Pr", "Ib", "Ic", "Ma", "Cm", "Tg", "Bd", "Sr", "Ud", "Ua", "Ub", "Uc",
    "Ue", "Uq", "Np", "Nq", "Uf", "Ug", "Ur", "Us", "Um", "Un"};

static const char *const modifier_names[WS_MOD_COUNT] = {
#define MODIFIER(NAME, ...) [WS_MOD_##NAME] = #NAME,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
};

static const struct {
    const char *text;
    const char *meaning;
} special_registers[] = {
#define SPECIAL_REGISTER(NAME, text, varies, holds, meaning) {text, meaning},
#include "isa/bytecode/special_registers.def"
#undef SPECIAL_REGISTER
};

static const char *const class_coverage[] = {
#define EXECUTION_CLASS(NAME, text, pipe, memory, coverage) coverage,
#include "isa/bytecode/execution_classes.def"
#undef EXECUTION_CLASS
};

/* A bar would end the cell of a table. */
static void print_cell(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            putchar('\\');
        }
        putchar(*text);
    }
}

static void print_row(WsOpcode opcode)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    printf("| `%s` |", info->mnemonic);
    for (guint n = 0; n < info->operand_count; n++) {
        gboolean optional = ws_operand_is_optional(opcode, n);
        printf(optional ? "%s [%s]" : "%s %s", n == 0 ? "" : ",", slot_names[info->slots[n]]);
    }
    printf(" |");
    for (guint m = 0; m < info->modifier_count; m++) {
        printf(" %s", modifier_names[info->modifiers[m]]);
    }
    printf(" | %s | ", ws_class_name(info->execution_class));
    print_cell(info->effect);
    printf(" |\n");
}

static void print_table_head(void)
{
    printf("| Mnemonic | Operands | Modifiers | Class | Effect |\n"
           "| --- | --- | --- | --- | --- |\n");
}

static void print_introduction(void)
{
    printf(
        "# The bytecode\n\n"
        "This page is generated from the tables in `isa/` by `docs/generate_isa.c`; "
        "do not edit it.\n\n"
        "An instruction is 16 bytes and takes one issue slot. Registers are R0..R254 (RZ reads "
        "as zero), predicates\nP0..P6 (PT is true), uniform registers UR0..UR62 (URZ), uniform "
        "predicates UP0..UP6 (UPT) and convergence\nbarriers B0..B15. 64-bit values are in "
        "aligned pairs, 128-bit values in aligned quads. Any instruction\nmay be guarded: "
        "`@P0`, `@!P0`, `@UP0`. `isa/text/assembler.h` describes the assembly syntax.\n\n"
        "Operands in brackets are optional: an omitted destination is discarded, an omitted "
        "source\nregister is RZ, an omitted source predicate PT; Np, Nq, Um and Un are then "
        "false.\n\n"
        "| Operand | Meaning |\n| --- | --- |\n"
        "| Rd | destination register |\n| Pd, Pe | destination predicates |\n"
        "| Ra, Rb, Rc | source registers |\n"
        "| Sb, Sc | register, uniform register, immediate or c[bank][offset]; at most one of "
        "the two is not a register (SHFL and BAR also take two immediates of 16 bits) |\n"
        "| Pp, Pq, Pr, Np, Nq | source predicates; Pr may be a uniform predicate |\n| Ib, Ic | "
        "immediates of 32 and 8 bits |\n"
        "| Ma | address [R + UR + offset], signed 24-bit offset |\n"
        "| Cm | constant c[bank][R + offset], of ULDC also c[bank][UR + offset] |\n| Tg | label |\n"
        "| Bd | convergence barrier |\n| Sr | special register |\n"
        "| Ud, Ua, Ub, Uc | uniform registers; Ub or Uc also an immediate or a constant |\n"
        "| Ue, Uf, Ug | destination uniform predicates |\n"
        "| Uq, Ur, Us, Um, Un | source uniform predicates |\n\n");
}

static void print_core(void)
{
    printf("## Core subset\n\nThese %u instructions are enough to write every teaching kernel by "
           "hand.\n\n",
           (guint)G_N_ELEMENTS(core));
    print_table_head();
    for (guint i = 0; i < G_N_ELEMENTS(core); i++) {
        print_row(core[i]);
    }
}

static void print_all(void)
{
    printf("\n## All instructions\n\n");
    print_table_head();
    for (guint opcode = 0; opcode < WS_OP_COUNT; opcode++) {
        print_row(opcode);
    }
}

static void print_modifiers(void)
{
    printf("\n## Modifiers\n\nThe first value is the default. A group marked with * is "
           "required.\n\n| Group | Values |\n| --- | --- |\n");
    for (guint group = 0; group < WS_MOD_COUNT; group++) {
        printf("| %s%s |", modifier_names[group], ws_modifier_is_required(group) ? " *" : "");
        for (guint value = 0; value < ws_modifier_count(group); value++) {
            const char *name = ws_modifier_name(group, value);
            printf(*name == '\0' ? " (none)" : " `.%s`", name);
        }
        printf(" |\n");
    }
    printf(
        "\n`.EF` (evict first, `ld.cs` in PTX) makes the line the least recently used one of "
        "its set in L1\nwhen it arrives. `.LU` (last use, `ld.lu`) changes nothing. The modes of "
        "PRMT are those of `prmt` in\nPTX: forward and backward extract of 4 bytes, replicate a "
        "byte, clamp to the left and to the right,\nreplicate 16 bits.\n");
}

static void print_special_registers(void)
{
    printf("\n## Special registers\n\n| Name | Holds |\n| --- | --- |\n");
    for (guint i = 0; i < G_N_ELEMENTS(special_registers); i++) {
        printf("| `%s` | %s |\n", special_registers[i].text, special_registers[i].meaning);
    }
}

static void print_classes(void)
{
    printf(
        "\n## Execution classes\n\nInstructions of a class share pipe, latency and interval; "
        "the numbers are settings of the device.\nConversions to a 64-bit type are in class xu64, "
        "those from one in class xu64_source.\n\n"
        "| Class | Pipe | Covers |\n| --- | --- | --- |\n");
    for (guint class = 0; class < WS_CLASS_COUNT; class ++) {
        printf("| %s | %s | %s |\n", ws_class_name(class), ws_pipe_name(ws_class_pipe(class)),
               class_coverage[class]);
    }
}

static void print_encoding(void)
{
    printf("\n## Packed form\n\n`isa/bytecode/encoding.h` describes the fields. Opcode "
           "numbers:\n\n"
           "| Number | Mnemonic |\n| --- | --- |\n");
    for (guint opcode = 0; opcode < WS_OP_COUNT; opcode++) {
        const WsOpcodeInfo *info = ws_opcode_info(opcode);
        printf("| 0x%03x | `%s` |\n", info->encoding, info->mnemonic);
    }
}

int main(void)
{
    print_introduction();
    print_core();
    print_all();
    print_modifiers();
    print_special_registers();
    print_classes();
    print_encoding();
    return 0;
}
