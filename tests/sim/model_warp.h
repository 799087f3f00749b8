/* A warp under a divergence model alone, for tests. */
#ifndef WS_TESTS_SIM_MODEL_WARP_H
#define WS_TESTS_SIM_MODEL_WARP_H

#include <check.h>
#include <string.h>

#include "sim/divergence/divergence.h"

typedef struct {
    const WsDivergenceModel *model;
    void *state;
    WsPath path;
} Warp;

/* 8 lanes, all at instruction 10, where another warp was before. */
static inline Warp warp_new(const WsDivergenceModel *model)
{
    Warp warp = {model, g_malloc(model->bytes(32)), {0xff, 10, WS_NOWHERE}};

    memset(warp.state, 0x5a, model->bytes(32));
    model->begin(warp.state, 0xff);
    return warp;
}

static inline void warp_free(Warp *warp)
{
    g_free(warp->state);
}

static inline Warp warp_copy(const Warp *warp)
{
    return (Warp){warp->model, g_memdup2(warp->state, warp->model->bytes(32)), warp->path};
}

/*
 * "0f@20" is the path that runs; behind it those that do not, the first set aside first: where they
 * go on, and t (its turn has to come), j (at a BSYNC), b3 (at block barrier 3) or w (other waits)
 * with the lanes that have to come or make way.
 */
static inline char *text_of(const Warp *warp)
{
    GString *text = g_string_new(NULL);
    WsLanesAt at[WS_MAX_PATHS];
    guint count = warp->model->waiting(warp->state, &warp->path, at);

    g_string_append_printf(text, "%02x@%u", (guint)warp->path.active,
                           warp->path.active ? warp->path.pc : 0);
    if (warp->path.stop != WS_NOWHERE)
        g_string_append_printf(text, "-%u", warp->path.stop);
    for (guint i = 0; i < count; i++) {
        g_string_append_printf(text, " %02x@%u", (guint)at[i].lanes, at[i].pc);
        if (at[i].block_barrier != 0)
            g_string_append_printf(text, "b%u", at[i].block_barrier - 1u);
        else
            g_string_append_c(text, at[i].in_turn ? 't' : at[i].at_join ? 'j' : 'w');
        g_string_append_printf(text, "%02x", (guint)at[i].wanted);
    }
    return g_string_free(text, FALSE);
}

#define EXPECT(warp, text)                                                                         \
    do {                                                                                           \
        g_autofree char *is = text_of(warp);                                                       \
        ck_assert_str_eq(is, text);                                                                \
    } while (0)

static inline void split(Warp *warp, guint64 taken, guint32 target, guint32 next, guint32 meet)
{
    warp->model->split(warp->state, &warp->path, taken, target, next, meet,
                       WS_FIRST_SIDE_FALL_THROUGH);
}

/* The path comes to the BSYNC in front of instruction `pc`. */
static inline WsConvergence sync_at(Warp *warp, guint32 pc, guint barrier)
{
    warp->path.pc = pc;
    return warp->model->sync(warp->state, &warp->path, barrier);
}

static inline WsConvergence meet_at(Warp *warp, guint32 pc, guint64 lanes)
{
    warp->path.pc = pc;
    return warp->model->meet(warp->state, &warp->path, lanes);
}

static inline void wait_at(Warp *warp, guint32 pc, guint number)
{
    warp->path.pc = pc;
    warp->model->wait(warp->state, &warp->path, number);
}

#endif
