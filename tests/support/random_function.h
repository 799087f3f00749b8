/* Random functions in the intermediate form, for the tests of the back end. */
#ifndef WS_TESTS_RANDOM_FUNCTION_H
#define WS_TESTS_RANDOM_FUNCTION_H

#include "isa/ir/ir.h"

typedef struct {
    guint blocks;
    guint registers;    /* virtual, set at the start */
    guint predicates;   /* the same */
    guint instructions; /* a block */
    gboolean back_edges;
} WsRandomShape;

/* A function that reads nothing it has not set; `seed` decides everything. */
WsIrFunction *ws_random_function(guint32 seed, const WsRandomShape *shape);
/* A module of one such function, named "f". */
WsIrModule *ws_random_module(guint32 seed, const WsRandomShape *shape);

#endif
