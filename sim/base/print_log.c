#include "sim/base/print_log.h"

#include <string.h>

enum { ALIGN = 8, LEAST_CAPACITY = 4096 };

void ws_print_log_init(WsPrintLog *log, WsStateArena *arena, gsize limit)
{
    *log = (WsPrintLog){.arena = arena, .limit = limit};
}

void ws_print_log_clear(WsPrintLog *log)
{
    ws_state_free(log->arena, log->bytes);
    ws_print_log_init(log, log->arena, log->limit);
}

void ws_print_log_copy(const WsPrintLog *log, WsPrintLog *ret)
{
    gsize bytes = log->end - log->first;
    *ret = *log;
    ret->arena = NULL;
    ret->bytes = bytes > 0 ? g_memdup2(log->bytes + log->first, bytes) : NULL;
    ret->first = 0;
    ret->end = ret->capacity = bytes;
}

char *ws_print_log_text(const WsPrintLog *log, gsize *ret_length)
{
    GString *text = g_string_sized_new(log->used);
    const char *part;
    gsize at = 0;
    for (const WsPrintedCall *call; (call = ws_print_log_next(log, &at, &part)) != NULL;)
        g_string_append_len(text, part, (gssize)call->length);
    if (ret_length != NULL)
        *ret_length = text->len;
    return g_string_free(text, FALSE);
}

void ws_print_log_empty(WsPrintLog *log)
{
    log->first = log->end = log->used = 0;
    log->lost = 0;
}

static gsize size_of(const WsPrintedCall *call)
{
    return sizeof *call + (((gsize)call->length + ALIGN - 1) & ~(gsize)(ALIGN - 1));
}

static void drop_first(WsPrintLog *log)
{
    const WsPrintedCall *call = (const WsPrintedCall *)(const void *)(log->bytes + log->first);
    log->used -= call->length + WS_PRINT_CALL_BYTES;
    log->first += size_of(call);
    log->lost++;
}

static void make_room(WsPrintLog *log, gsize more)
{
    if (log->first > log->capacity / 2) {
        memmove(log->bytes, log->bytes + log->first, log->end - log->first);
        log->end -= log->first;
        log->first = 0;
    }
    if (log->capacity - log->end >= more)
        return;
    log->capacity = MAX(LEAST_CAPACITY, MAX(2 * log->capacity, log->end + more));
    log->bytes = ws_state_grow(log->arena, log->bytes, log->capacity, 1);
}

void ws_print_log_add(WsPrintLog *log, const WsPrintedCall *call, const char *text)
{
    gsize used = call->length + WS_PRINT_CALL_BYTES, size = size_of(call);
    while (log->first < log->end && log->used + used > log->limit)
        drop_first(log);
    if (used > log->limit) {
        log->lost++;
        return;
    }
    make_room(log, size);
    memcpy(log->bytes + log->end, call, sizeof *call);
    memset(log->bytes + log->end + sizeof *call, 0, size - sizeof *call);
    if (call->length > 0)
        memcpy(log->bytes + log->end + sizeof *call, text, call->length);
    log->end += size;
    log->used += used;
}

const WsPrintedCall *ws_print_log_next(const WsPrintLog *log, gsize *at, const char **ret_text)
{
    gsize place = log->first + *at;
    if (place >= log->end)
        return NULL;
    const WsPrintedCall *call = (const WsPrintedCall *)(const void *)(log->bytes + place);
    *at += size_of(call);
    *ret_text = (const char *)(call + 1);
    return call;
}
