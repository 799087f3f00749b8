/*
 * What kernels have printed, call by call: a lane's printf is one. As CUDA's buffer it has a size;
 * when it is full the oldest calls make room for new ones.
 */
#ifndef WS_SIM_BASE_PRINT_LOG_H
#define WS_SIM_BASE_PRINT_LOG_H

#include "sim/base/state_arena.h"

/* Of the buffer, for each call beside its text. */
enum { WS_PRINT_CALL_BYTES = 16 };

/* Calls are in this order. Without time all of it is 0. */
typedef struct {
    guint64 cycle;
    guint32 sm, slot, lane; /* slot: of the warp on its SM */
    guint32 length;         /* of the text, in bytes */
} WsPrintedCall;

typedef struct {
    WsStateArena *arena; /* or NULL */
    guint8 *bytes;
    gsize capacity, first, end; /* calls lie from `first` to `end` */
    gsize limit;                /* of `used` */
    gsize used;                 /* texts and WS_PRINT_CALL_BYTES of the calls that are there */
    guint64 lost;               /* calls that made room */
} WsPrintLog;

void ws_print_log_init(WsPrintLog *log, WsStateArena *arena, gsize limit);
void ws_print_log_clear(WsPrintLog *log);
/* `ret` is not cleared, and is in no arena. */
void ws_print_log_copy(const WsPrintLog *log, WsPrintLog *ret);
/* All texts, one after the other, ended by a 0. `ret_length` may be NULL. Free with g_free. */
char *ws_print_log_text(const WsPrintLog *log, gsize *ret_length);
/* Forgets all calls. */
void ws_print_log_empty(WsPrintLog *log);
/* Text of a call that alone is more than the limit is lost. */
void ws_print_log_add(WsPrintLog *log, const WsPrintedCall *call, const char *text);
/*
 * The call at place `at`, which is 0 for the first and then goes on; NULL behind the last. `text`
 * is not ended by a 0. Both are good until the log changes.
 */
const WsPrintedCall *ws_print_log_next(const WsPrintLog *log, gsize *at, const char **ret_text);

#endif
