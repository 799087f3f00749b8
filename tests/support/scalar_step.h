/*
 * One instruction in one lane of tests/support/scalar_reference.c: reading its operands, writing
 * its results. Sources are read from the state before the instruction, so that lanes cannot see
 * each other's results.
 */
#ifndef WS_TESTS_SCALAR_STEP_H
#define WS_TESTS_SCALAR_STEP_H

#include "tests/support/scalar_reference.h"

typedef struct {
    const WsInstruction *instruction;
    const ScalarWarp *before;
    ScalarWarp *after;
    guint lane;
    guint64 mask;
} ScalarStep;

#define MOD(step, group) ((step)->instruction->mod[WS_MOD_##group])

/* Index of the operand in a slot, or -1. */
gint scalar_find(const ScalarStep *step, WsSlot slot);
guint64 scalar_constant_bytes(const ScalarWarp *warp, guint bank, guint32 at, guint count);
/*
 * The source of slot Ra, Rb or Rc, by its letter: plain, its modifiers, and with them applied.
 */
guint64 scalar_plain(const ScalarStep *step, char which);
gboolean scalar_flag_of(const ScalarStep *step, char which, guint flag);
gboolean scalar_negated(const ScalarStep *step, char which);
guint64 scalar_float_operand(const ScalarStep *step, char which, guint bits);
guint32 scalar_f32_operand(const ScalarStep *step, char which);
guint32 scalar_integer_operand(const ScalarStep *step, char which);
guint32 scalar_bits_operand(const ScalarStep *step, char which);
gboolean scalar_predicate_operand_of(const ScalarStep *step, WsSlot slot, guint lane);
gboolean scalar_predicate_operand(const ScalarStep *step, WsSlot slot);
/* Results: Rd, a predicate, and Pd and Pe of a comparison. */
void scalar_put(ScalarStep *step, guint64 value);
void scalar_put_predicate(ScalarStep *step, WsSlot slot, gboolean value);
gboolean scalar_combine(const ScalarStep *step, gboolean x, gboolean y);
void scalar_put_comparison(ScalarStep *step, gboolean holds);

/* tests/support/scalar_integer.c: the instructions of the integer and logic units. */
void scalar_execute_iadd3(ScalarStep *step);
void scalar_execute_lea(ScalarStep *step);
__int128 scalar_product(const ScalarStep *step);
void scalar_execute_wide(ScalarStep *step);
gboolean scalar_integer_compare(guint comparison, gint64 x, gint64 y);
gint64 scalar_as_integer(const ScalarStep *step, guint32 value);
guint32 scalar_table_of_bits(guint32 a, guint32 b, guint32 c, guint32 table);
guint32 scalar_funnel(const ScalarStep *step, guint32 a, guint32 b, guint32 c);
void scalar_execute_find_leading(ScalarStep *step);
void scalar_execute_logic(ScalarStep *step);
void scalar_execute_predicate_move(ScalarStep *step);
void scalar_execute_isetp(ScalarStep *step);
void scalar_execute_integer(ScalarStep *step);

#endif
