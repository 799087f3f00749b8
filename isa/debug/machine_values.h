/*
 * Where LLVM says that variables are in optimised code: which PTX register or number has each, by
 * lines of the PTX. Read from LLVM's dump of its last form in front of the PTX (machine code with
 * DBG_VALUE entries; option -print-after), whose instructions are those of the PTX, one after the
 * other, with numbers of their own for registers.
 *
 * Nothing of the dump is taken on trust: the instructions that write registers must be as many as
 * in the PTX, write as many registers each, and name the PTX's registers in one order; each opcode
 * of LLVM must be one mnemonic of the PTX, and each class of its registers one there. Of a
 * function where they do not, nothing is known. What is not understood of a variable is unknown.
 */
#ifndef WS_ISA_DEBUG_MACHINE_VALUES_H
#define WS_ISA_DEBUG_MACHINE_VALUES_H

#include <glib.h>

/* A call that was inlined, as LLVM names it. */
typedef struct {
    guint32 line, column;
} WsMachineCall;

/* A variable; one of an inlined function is another one for each call. */
typedef struct {
    char *function; /* of the PTX, that its code is in */
    char *name;
    guint32 line;  /* that declares it */
    GArray *calls; /* of WsMachineCall, innermost first */
    gboolean
        is_changed; /* it, or a part of it, has more than one value, or not from the start on */
} WsMachineVariable;

/* Part of a variable is in a register, or a number, in front of the statements of these lines. */
typedef struct {
    guint32 variable;
    guint32 first, end;   /* lines of the PTX; end: the first behind them */
    guint32 offset, size; /* in bits; size 0: all of the variable */
    char *reg;            /* "%r5", or NULL: the number */
    guint64 number;
    /* LLVM loads less than what the source does where only the low bits are needed; 0 = no load */
    guint32 loaded_bits;
    guint32 assigned; /* line of the source that gave it that value, or the last that may have */
} WsMachineValue;

typedef struct {
    GArray *variables; /* of WsMachineVariable */
    GArray *values;    /* of WsMachineValue, by variable, then first line */
    /* From a compiler that does not optimise (nvcc -G): where each value begins is certain. */
    gboolean is_exact;
} WsMachineValues;

WsMachineValues *ws_machine_values_new_empty(void);

/* `dump` may be any text. */
WsMachineValues *ws_machine_values_new(const char *dump, const char *ptx);
void ws_machine_values_free(WsMachineValues *values);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsMachineValues, ws_machine_values_free)

#endif
