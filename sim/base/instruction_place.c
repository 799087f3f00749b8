#include "sim/base/instruction_place.h"

gboolean ws_meets_for_barrier(const WsProgram *program, guint32 pc)
{
    guint32 line = program->locations[program->instructions[pc].location].ptx_line;

    for (guint32 next = pc + 1; next < program->instruction_count; next++) {
        const WsInstruction *instruction = &program->instructions[next];

        if (ws_is_kind(instruction, WS_KIND_BARRIER))
            return program->locations[instruction->location].ptx_line == line;
        if (ws_opcode_has(instruction->opcode, WS_FLAG_WARP_WIDE | WS_FLAG_PARTS_LANES))
            break;
    }
    return FALSE;
}

/*
 * The lowering of shuffles, votes and the like begins with a WARPSYNC from the same PTX statement;
 * that of __syncwarp() is nothing else.
 */
static gboolean is_bare_warpsync(const WsProgram *program, guint32 pc)
{
    guint32 line = program->locations[program->instructions[pc].location].ptx_line;

    for (guint32 next = pc + 1; next < program->instruction_count; next++) {
        const WsInstruction *instruction = &program->instructions[next];

        if (program->locations[instruction->location].ptx_line == line &&
            !ws_is_kind(instruction, WS_KIND_WARPSYNC) && ws_names_lanes(instruction))
            return FALSE;
    }
    return line != 0;
}

/* "BAR.SYNC", or what the author of CUDA C wrote where the instruction tells. */
static char *operation(const WsProgram *program, guint32 pc)
{
    const WsInstruction *instruction = &program->instructions[pc];
    const char *mnemonic = ws_opcode_info(instruction->opcode)->mnemonic;
    gboolean cuda = program->path != NULL && g_str_has_suffix(program->path, ".cu");
    gboolean meets =
        ws_is_kind(instruction, WS_KIND_WARPSYNC) || ws_is_kind(instruction, WS_KIND_WARPSYNC_ALL);
    gboolean barrier =
        ws_is_kind(instruction, WS_KIND_BARRIER) ||
        (ws_is_kind(instruction, WS_KIND_WARPSYNC_ALL) && ws_meets_for_barrier(program, pc));

    g_autofree char *construct = ws_program_construct_text(program, pc);

    if (construct != NULL && ws_is_kind(instruction, WS_KIND_BSYNC))
        return g_steal_pointer(&construct);
    if (construct != NULL)
        return g_strdup_printf("%s of %s", mnemonic, construct);
    if (cuda && barrier)
        return g_strdup("__syncthreads");
    if (cuda && meets && is_bare_warpsync(program, pc))
        return g_strdup("__syncwarp");
    if (ws_is_kind(instruction, WS_KIND_BARRIER))
        return g_strdup_printf("%s.%s", mnemonic,
                               ws_modifier_name(WS_MOD_BARRIER, instruction->mod[WS_MOD_BARRIER]));
    return g_strdup(mnemonic);
}

char *ws_instruction_place(const WsProgram *program, guint32 pc)
{
    const WsInstruction *instruction = &program->instructions[pc];
    const WsLocation *location = &program->locations[instruction->location];
    g_autofree char *what = operation(program, pc);

    if (location->line == 0 && location->ptx_line != 0 && program->path != NULL)
        return g_strdup_printf("%s:%s%u (%s)", program->path,
                               g_str_has_suffix(program->path, ".ptx") ? "" : "PTX line ",
                               location->ptx_line, what);
    if (location->line == 0)
        return g_strdup_printf("instruction %u (%s)", pc, what);
    return g_strdup_printf("%s:%u (%s)", program->files[location->file], location->line, what);
}

static gboolean is_own_header(const WsProgram *program, const WsLocation *location)
{
    return g_str_has_prefix(program->files[location->file], "warpstep/");
}

void ws_line_of_instruction(const WsProgram *program, guint32 instruction, guint32 *ret_file,
                            guint32 *ret_line)
{
    guint32 index = program->instructions[instruction].location;
    const WsLocation *location = &program->locations[index];
    /* A chain cannot be longer than the table, whatever the table holds. */
    for (guint32 steps = 0; steps < program->location_count; steps++) {
        if (location->inlined_at == 0 || !is_own_header(program, location))
            break;
        location = &program->locations[location->inlined_at];
    }
    *ret_file = location->line == 0 ? 0 : location->file;
    *ret_line = location->line;
}
