/*
 * What the names of an expression stand for: an interface that variables, registers and buffers
 * implement. An object lies somewhere, has a type, and parts of it are found by bytes from its
 * begin; where an object is NULL, these are addresses of the program.
 */
#ifndef WS_SIM_EXPRESSION_SCOPE_H
#define WS_SIM_EXPRESSION_SCOPE_H

#include "sim/expression/rows.h"

/* Filled in by `find`; what only the scope knows is free. */
typedef struct {
    const WsValueType *type;
    guint64 bytes; /* that may be looked at from its begin on; 0 = those of the type */
    guint kind;
    guint32 index;
    guint64 base;
    gconstpointer data;
} WsObject;

typedef struct {
    /* FALSE: nothing has this name, which may have points in it. */
    gboolean (*find)(gconstpointer scope, const char *name, WsObject *ret);
    /* What there is instead: "'sun' is not known; did you mean 'sum'?" g_free. */
    char *(*explain)(gconstpointer scope, const char *name);
    /* A type that the program declares; NULL if there is none. The function may be NULL. */
    const WsValueType *(*find_type)(gconstpointer scope, const char *name);
    /*
     * Sets `ret` to the scalar of the type that is at `offset` of the object, for the lanes of
     * `mask`, in the form of a row; its `known` and `why` too. `where`: which warp, and when. The
     * bytes are inside of the object.
     */
    void (*load)(gconstpointer scope, gconstpointer where, const WsObject *object,
                 const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret);
    /* Addresses of its begin. FALSE: it has none, as in registers. */
    gboolean (*address)(gconstpointer scope, gconstpointer where, const WsObject *object,
                        guint64 mask, WsRow *ret);
    gconstpointer data;
} WsScope;

#endif
