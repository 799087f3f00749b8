/*
 * Runs one PTX statement at a time on the simulator, over many operands, against a C reference.
 *
 * The statement finds its operands a, b, c in %rs0..2 (16 bits), %r0..2, %rd0..2, %f0..2, %fd0..2
 * (the low bits of the same 64-bit values), their lowest bits in %p0..2, and leaves its result in
 * number 3 of the file that `result` names: h %rs3, r %r3, d %rd3, f %f3, D %fd3, p %p3; H is %rs3
 * that holds an f16, 2 is %r3 that holds an f16x2.
 */
#ifndef WS_TESTS_PTX_RUNNER_H
#define WS_TESTS_PTX_RUNNER_H

#include <glib.h>

typedef enum { OPERANDS_INTEGER, OPERANDS_FLOAT, OPERANDS_DOUBLE, OPERANDS_HALF } OperandKind;

typedef struct {
    const char *statement;
    char result;
    OperandKind operands;
    guint64 (*reference)(guint64 a, guint64 b, guint64 c);
    double tolerance; /* relative, for approximate functions; 0 = exact, but any NaN is a NaN */
} PtxCase;

/* Fails the running Check test with the first statement that differs, its operands and results. */
void run_ptx_cases(const PtxCase *cases, guint count);

/*
 * What the statement gives for `count` operand triples; `result` as above. For tests that make
 * their operands themselves.
 */
void compute_by_ptx(const char *statement, char result, const guint64 *operands, guint count,
                    guint64 *found);

#endif
