/*
 * Several PTX texts as one, as nvlink joins the objects of -rdc=true.
 *
 * A name that is .visible stands for the same thing in all units, and has one definition; of .weak
 * ones and of kernels, whose host side is linked as well, the first counts, and a .visible one
 * before them. What is neither is the unit's own, and so is what C++ makes so: statics, and all in
 * a namespace without a name. Names of a unit's own that another unit has too get "$N" behind them,
 * N the unit's number, from 1. Debug sections are left out; the numbers of files are made one's
 * own.
 */
#ifndef WS_ISA_PTX_LINK_H
#define WS_ISA_PTX_LINK_H

#include "isa/base/error.h"

typedef struct {
    const char *name; /* of the source, for messages */
    const char *text;
    gsize length;
} WsPtxUnit;

/*
 * The text; g_free. Errors: WS_ERROR_INPUT, each name that no unit defines or more than one does,
 * with its units, or is in different kinds of memory; a text that is no PTX.
 */
char *ws_ptx_link(const WsPtxUnit *units, guint count, GError **error);

#endif
