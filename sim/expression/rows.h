/*
 * A value in all lanes of a warp, and what operators make of them. Whole numbers are kept in 64
 * bits, extended by their sign or with zeros, floats of all sizes as doubles.
 */
#ifndef WS_SIM_EXPRESSION_ROWS_H
#define WS_SIM_EXPRESSION_ROWS_H

#include "sim/expression/syntax.h"
#include "sim/expression/types.h"

enum { WS_ROW_LANES = 64 };

/* Why a lane has no value. */
typedef enum {
    WS_KNOWN,
    WS_UNKNOWN_OPTIMISED_OUT, /* the program keeps it nowhere at this place */
    WS_UNKNOWN_NO_SCOPE,      /* a variable does not exist where the lane is */
    WS_UNKNOWN_EXITED,        /* nor does the lane any more */
    WS_UNKNOWN_ON_ITS_WAY,    /* a load that is under way brings it */
    WS_UNKNOWN_NO_MEMORY,     /* nothing is at the address */
    WS_UNKNOWN_OUTSIDE,       /* the element is not one of its array */
    WS_UNKNOWN_DIVISION,      /* by zero */
    WS_UNKNOWN_SHIFT          /* by less than 0, or more than the value has bits */
} WsUnknown;

/* "<optimised out>" and so on, constant text. */
const char *ws_unknown_text(WsUnknown why);

typedef struct {
    union {
        guint64 bits[WS_ROW_LANES];
        gint64 number[WS_ROW_LANES];
        double real[WS_ROW_LANES];
    };
    guint64 known;            /* lanes that have a value */
    gboolean same;            /* all have that of lane 0; `known` is then none or all */
    guint8 why[WS_ROW_LANES]; /* WsUnknown, of lanes that have none */
} WsRow;

static inline guint ws_row_lane(const WsRow *row, guint lane)
{
    return row->same ? 0 : lane;
}
static inline gboolean ws_row_is_known(const WsRow *row, guint lane)
{
    return (row->known >> lane & 1) != 0;
}

void ws_row_set_same(WsRow *row, guint64 bits);
/* No lane has a value. */
void ws_row_set_unknown(WsRow *row, WsUnknown why);
/* One lane of a row that is not the same in all lanes. */
void ws_row_put_unknown(WsRow *row, guint lane, WsUnknown why);

/* What is computed with. */
typedef enum {
    WS_CLASS_S32,
    WS_CLASS_U32,
    WS_CLASS_S64,
    WS_CLASS_U64,
    WS_CLASS_F32,
    WS_CLASS_F64
} WsArithmetic;

/* All of them for the lanes of `mask`, of which there is one at least; `ret` is no operand. */
void ws_row_binary(WsOperator operator, WsArithmetic class, const WsRow *a, const WsRow *b,
                   guint64 mask, WsRow *ret);
/* NEGATE, INVERT; NOT gives 1 or 0. */
void ws_row_unary(WsOperator operator, WsArithmetic class, const WsRow *a, guint64 mask,
                  WsRow *ret);
/* To a scalar type, of one of the class. Floats to whole numbers stop at the ends of these. */
void ws_row_convert(WsArithmetic class, const WsRow *a, const WsValueType *type, guint64 mask,
                    WsRow *ret);
/* base + index * size, in 64 bits; `base` may be NULL. */
void ws_row_offset(const WsRow *base, const WsRow *index, gint64 size, gint64 add, guint64 mask,
                   WsRow *ret);
/* Lanes of `mask` in which it is known and not 0; in `ret_unknown` those in which it is not known.
 */
guint64 ws_row_truth(const WsRow *row, gboolean real, guint64 mask, guint64 *ret_unknown);

#endif
