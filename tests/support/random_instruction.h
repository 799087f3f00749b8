/* Random valid instructions for the tests of isa/, from a seeded generator. */
#ifndef WS_TESTS_RANDOM_INSTRUCTION_H
#define WS_TESTS_RANDOM_INSTRUCTION_H

#include "isa/bytecode/instruction.h"

/*
 * A random instruction of the row that ws_instruction_problem() accepts. Targets are below
 * `target_limit`.
 */
void random_instruction(GRand *random, WsOpcode opcode, guint32 target_limit, WsInstruction *ret);

#endif
