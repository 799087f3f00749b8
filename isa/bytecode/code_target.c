#include "isa/bytecode/code_target.h"

#include "isa/bytecode/opcode.h"

const WsCodeLimits ws_code_limits_plain = {.registers = 65536,
                                           .registers_per_thread = 255,
                                           .register_unit = 8,
                                           .warp_unit = 4,
                                           .warp_size = 32,
                                           .warps = 64,
                                           .blocks = 32,
                                           .block_threads = 1024,
                                           .shared_bytes = 228 << 10,
                                           .shared_reserved = 1024,
                                           .shared_unit = 128};

const WsCodeOrder ws_code_order_plain = {
    .miss = 200, .wide_to_factor = 9, .wide_to_address = 10, .wide_interval = 4};

gboolean ws_is_addend(const WsInstruction *instruction, guint n)
{
    switch (instruction->opcode) {
    case WS_OP_IMAD:
    case WS_OP_IMAD_HI:
    case WS_OP_IMAD_X:
    case WS_OP_IMAD_WIDE_X:
        return n == 3;
    case WS_OP_IMAD_WIDE:
        return n == 4;
    default:
        return FALSE;
    }
}

guint ws_predicate_relation(const WsInstruction *instruction)
{
    guint execution_class = ws_opcode_info(instruction->opcode)->execution_class;
    WsPipe pipe = ws_class_pipe(ws_instruction_class(instruction));

    if (execution_class == WS_CLASS_BRANCH || execution_class == WS_CLASS_EXIT)
        return WS_RELATION_BRANCH;
    return pipe == WS_PIPE_ALU ? WS_RELATION_PREDICATE : (guint)pipe;
}

guint ws_code_target_distance(const WsCodeTarget *target, const WsInstruction *producer,
                              gboolean is_low, guint relation)
{
    WsClass k = ws_instruction_class(producer);
    guint there = target->use[k][relation] + (is_low ? 0u : target->high_later[k]);

    return there > target->late[k] ? there - target->late[k] : 0;
}

guint ws_code_target_longest(const WsCodeTarget *target, const WsInstruction *producer,
                             gboolean is_low, gboolean is_predicate)
{
    guint longest = 0;

    for (guint relation = 0; relation < WS_RELATION_APART; relation++) {
        gboolean made = relation == WS_RELATION_PREDICATE || relation == WS_RELATION_BRANCH
                            ? is_predicate
                            : relation != WS_RELATION_FACTOR || is_predicate;

        if (made)
            longest = MAX(longest, ws_code_target_distance(target, producer, is_low, relation));
    }
    return longest;
}
