/*
 * Built-in latencies of code generation: measured on an H200 (dependent issue, cycles of the SM
 * clock), with 200 for what goes through the memory system. A device's own numbers come with the
 * compile options.
 */
#include "isa/codegen/latency.h"

enum {
    DEFAULT_LATENCY = 4,
    CROSS_PIPE = 1,           /* a result reaches another pipe this much later */
    PREDICATE_TO_BRANCH = 13, /* ISETP to BRA or to what it guards */
    UNIFORM_TO_VECTOR = 6,
    UNIFORM_TO_ADDRESS = 9,
    FP64_CROSS = 2,
    PACKED_CROSS = 3, /* HFMA2.MMA */
    PACKED_TO_XU = 6,
    WIDE_TO_FACTOR = 2 /* a product as a factor of another one, later than for other uses */
};

static const guint16 built_in[WS_CLASS_COUNT] = {
    [WS_CLASS_FP32] = 4,
    [WS_CLASS_FP32_FMA] = 4,
    [WS_CLASS_IMAD] = 4,
    [WS_CLASS_IMAD_WIDE] = 4, /* behind its second half */
    [WS_CLASS_INT] = 4,
    [WS_CLASS_COMPARE] = 4,
    [WS_CLASS_CONVERT_FAST] = 4,
    [WS_CLASS_MOVE] = 4,
    [WS_CLASS_FP16] = 4,
    [WS_CLASS_FP16_WIDEN] = 5,
    [WS_CLASS_FP16_MMA] = 8,
    [WS_CLASS_FP64] = 8,
    [WS_CLASS_MATRIX] = 24,
    [WS_CLASS_MATRIX_HALF] = 17,
    [WS_CLASS_MATRIX_DOUBLE] = 26,
    [WS_CLASS_MUFU] = 17,
    [WS_CLASS_XU] = 17,
    [WS_CLASS_XU64] = 17,
    [WS_CLASS_XU64_SOURCE] = 19,
    [WS_CLASS_VOTE] = 13,
    [WS_CLASS_SHUFFLE] = 24,
    [WS_CLASS_MATCH] = 29,
    [WS_CLASS_REDUX] = 32,
    [WS_CLASS_UNIFORM_LOAD] = 2,
    [WS_CLASS_SPECIAL_REGISTER] = 14,
    [WS_CLASS_CONSTANT_LOAD] = 28,
    [WS_CLASS_SHARED_LOAD] = 23,
    [WS_CLASS_SHARED_ATOMIC] = 26,
    [WS_CLASS_SHARED_CAS] = 30,
    [WS_CLASS_LOCAL_LOAD] = 29,
    [WS_CLASS_GLOBAL_LOAD] = 200,
    [WS_CLASS_GLOBAL_ATOMIC] = 300,
    [WS_CLASS_TEXTURE] = 200,
    [WS_CLASS_BARRIER] = 12,
    [WS_CLASS_CONVERGENCE] = 2,
    [WS_CLASS_BRANCH] = 2,
    [WS_CLASS_SYSTEM_CALL] = 2,
};

guint ws_class_latency(WsClass execution_class, const WsCompileOptions *options)
{
    if (options->target != NULL && options->target->latency[execution_class] != 0)
        return options->target->latency[execution_class];
    return built_in[execution_class] != 0 ? built_in[execution_class] : DEFAULT_LATENCY;
}

guint ws_use_latency(WsClass execution_class, guint relation, const WsCompileOptions *options)
{
    guint latency = ws_class_latency(execution_class, options);
    if (options->target != NULL)
        return options->target->use[execution_class][relation];
    return relation == (guint)ws_class_pipe(execution_class) || relation == WS_RELATION_ADDEND
               ? latency
               : latency + CROSS_PIPE;
}

const WsCodeOrder *ws_code_order(const WsCompileOptions *options)
{
    return options->target != NULL ? &options->target->order : &ws_code_order_plain;
}

WsReadKind ws_read_kind(const WsRegisterAccess *access)
{
    if (access->file != WS_FILE_PREDICATE)
        return WS_READ_VALUE;
    return access->operand == WS_ACCESS_GUARD ? WS_READ_GUARD : WS_READ_PREDICATE;
}

guint ws_dependence_latency(const WsInstruction *producer, const WsInstruction *consumer,
                            WsReadKind kind, const WsCompileOptions *options)
{
    WsClass from = ws_instruction_class(producer);
    WsClass to = ws_instruction_class(consumer);
    guint latency = ws_class_latency(from, options);
    if (kind == WS_READ_GUARD ||
        (kind == WS_READ_PREDICATE && (to == WS_CLASS_BRANCH || to == WS_CLASS_EXIT)))
        return MAX(latency, PREDICATE_TO_BRANCH);
    if (from == WS_CLASS_IMAD_WIDE && to == WS_CLASS_IMAD_WIDE)
        return latency > 1 ? latency + WIDE_TO_FACTOR : latency;
    if (ws_class_pipe(from) == ws_class_pipe(to))
        return latency;
    if (from == WS_CLASS_UNIFORM_LOAD || ws_class_pipe(from) == WS_PIPE_XU)
        return latency;
    if (ws_class_pipe(to) == WS_PIPE_XU && from != WS_CLASS_FP64) /* the unit reads late */
        return from == WS_CLASS_FP16_MMA ? MIN(latency, PACKED_TO_XU) : latency;
    if (from == WS_CLASS_UNIFORM)
        return MAX(latency,
                   ws_class_pipe(to) == WS_PIPE_LSU ? UNIFORM_TO_ADDRESS : UNIFORM_TO_VECTOR);
    return latency + (from == WS_CLASS_FP64       ? FP64_CROSS
                      : from == WS_CLASS_FP16_MMA ? PACKED_CROSS
                                                  : CROSS_PIPE);
}

guint ws_relation_of_access(const WsInstruction *instruction, const WsRegisterAccess *access)
{
    if (access->operand == WS_ACCESS_GUARD)
        return WS_RELATION_BRANCH;
    if (access->file == WS_FILE_PREDICATE || access->file == WS_FILE_UNIFORM_PREDICATE)
        return ws_predicate_relation(instruction);
    if (access->operand < instruction->operand_count) {
        guint kind = instruction->operand[access->operand].kind;

        if (kind == WS_OPERAND_ADDRESS || kind == WS_OPERAND_CONSTANT)
            return WS_RELATION_ADDRESS;
        if (ws_is_addend(instruction, access->operand))
            return WS_RELATION_ADDEND;
    }
    if (ws_opcode_info(instruction->opcode)->execution_class == WS_CLASS_IMAD_WIDE)
        return WS_RELATION_FACTOR;
    return ws_class_pipe(ws_instruction_class(instruction));
}

gboolean ws_is_variable_latency(const WsInstruction *instruction, const WsCompileOptions *options)
{
    enum { LONGEST_STALL = 15 };
    WsClass execution_class = ws_instruction_class(instruction);
    switch (ws_class_pipe(execution_class)) {
    case WS_PIPE_FMA:
    case WS_PIPE_ALU:
    case WS_PIPE_FP16:
    case WS_PIPE_FP16_MMA:
    case WS_PIPE_UNIFORM:
        return ws_class_latency(execution_class, options) + CROSS_PIPE > LONGEST_STALL;
    case WS_PIPE_CONTROL:
        return FALSE;
    default:
        return TRUE;
    }
}
