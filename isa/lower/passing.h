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
void ws_lower_copy_words(WsLowerStatement *lower, const WsPtxPassed *to, const WsPtxPassed *from,
                         gboolean predicate);

#endif
