/* Values that calls pass to functions and take from them, as words. Internal to the lowering. */
#ifndef WS_ISA_LOWER_PASSING_H
#define WS_ISA_LOWER_PASSING_H

#include "isa/lower/lower.h"

enum { WS_PTX_MAX_PASSED_BYTES = 4096 };

/* A .reg or .param variable of a function, or an operand of a call. */
typedef struct {
    WsOperand words[WS_PTX_MAX_PASSED_BYTES / 4];
    guint count;
    gboolean is_predicate;
} WsPtxPassed;

/* The register of a .reg variable, made when it is first asked for. */
guint32 *ws_lower_formal_register(WsLowerKernel *kernel, WsPtxFrame *frame,
                                  const WsPtxVariable *formal);
void ws_lower_formal_words(WsLowerKernel *kernel, WsPtxFrame *frame, const WsPtxVariable *formal,
                           WsPtxPassed *ret);
/* `count` words are wanted of an operand that is not a .param variable. */
void ws_lower_actual_words(WsLowerStatement *lower, const WsPtxOperand *actual, guint count,
                           gboolean predicate, WsPtxType type, WsPtxPassed *ret);
/* What takes the result of a call of one result; NULL: nothing does. */
const WsPtxOperand *ws_lower_wanted_result(const WsPtxCallParts *call);
/* Where a function of the library puts its result, of `count` words, for a call to take it. */
WsOperand ws_lower_result_of_library(WsLowerStatement *lower, const WsPtxCallParts *call,
                                     guint count);
void ws_lower_copy_words(WsLowerStatement *lower, const WsPtxPassed *to, const WsPtxPassed *from,
                         gboolean predicate);

#endif
