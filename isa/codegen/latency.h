/*
 * Cycles between an instruction and the one that needs its result, as compiled code counts on them.
 */
#ifndef WS_ISA_CODEGEN_LATENCY_H
#define WS_ISA_CODEGEN_LATENCY_H

#include "isa/ir/walk.h"

/* How a result is used: a guard decides before operands are read. */
typedef enum { WS_READ_VALUE, WS_READ_PREDICATE, WS_READ_GUARD } WsReadKind;
WsReadKind ws_read_kind(const WsRegisterAccess *access);
/* WS_RELATION_*, or the pipe: how the instruction uses what an access of it reads. */
guint ws_relation_of_access(const WsInstruction *instruction, const WsRegisterAccess *access);

/* Cycles from issue of `producer` to issue of a consumer of its result. */
guint ws_class_latency(WsClass execution_class, const WsCompileOptions *options);
/* The same for a use: a pipe or WS_RELATION_*. */
guint ws_use_latency(WsClass execution_class, guint relation, const WsCompileOptions *options);
/* What the order of instructions counts on besides. */
const WsCodeOrder *ws_code_order(const WsCompileOptions *options);
guint ws_dependence_latency(const WsInstruction *producer, const WsInstruction *consumer,
                            WsReadKind kind, const WsCompileOptions *options);
/* TRUE where the latency is not fixed, or too long for a stall count: consumers wait for a barrier.
 */
gboolean ws_is_variable_latency(const WsInstruction *instruction, const WsCompileOptions *options);

#endif
