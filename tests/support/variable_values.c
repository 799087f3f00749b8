#include "tests/support/variable_values.h"

#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_BYTES = 1 << 16 };

/* ---- memory -----------------------------------------------------------------------------------
 */

static gboolean copy(const guint8 *base, guint64 size, guint64 at, guint8 *to, guint64 bytes)
{
    if (base == NULL || at > size || bytes > size - at)
        return FALSE;
    memcpy(to, base + at, bytes);
    return TRUE;
}

static gboolean read_local(const Moment *moment, guint64 at, guint8 *to, guint64 bytes)
{
    const WsWatchedIssue *issue = moment->issue;
    return copy(issue->local + moment->lane * issue->local_bytes, issue->local_bytes, at, to,
                bytes);
}

static gboolean read_address(const Moment *moment, guint64 address, guint8 *to, guint64 bytes)
{
    const WsJob *job = moment->job;
    const WsWatchedIssue *issue = moment->issue;
    if (address >= WS_MODULE_WINDOW && address < WS_MODULE_WINDOW + job->program->module_bytes)
        return copy(job->module_data, job->program->module_bytes, address - WS_MODULE_WINDOW, to,
                    bytes);
    if (address >= WS_CONSTANT_WINDOW && address < WS_MODULE_WINDOW)
        return copy(job->constant_data, job->program->constant_bytes, address - WS_CONSTANT_WINDOW,
                    to, bytes);
    if (address >= WS_LOCAL_WINDOW && address < WS_CONSTANT_WINDOW)
        return read_local(moment, address - WS_LOCAL_WINDOW, to, bytes);
    if (address >= WS_SHARED_WINDOW && address < WS_LOCAL_WINDOW)
        return copy(issue->shared, issue->shared_bytes, address - WS_SHARED_WINDOW, to, bytes);
    for (guint32 b = 0; b < job->buffer_count; b++)
        if (address >= job->buffers[b].address &&
            address - job->buffers[b].address < job->buffers[b].bytes)
            return copy(job->buffers[b].data, job->buffers[b].bytes,
                        address - job->buffers[b].address, to, bytes);
    return FALSE;
}

static gboolean read_constant(const Moment *moment, guint bank, guint64 at, guint8 *to,
                              guint64 bytes)
{
    const WsLaunch *launch = &moment->job->launches[moment->launch];
    const guint32 base = moment->job->program->parameter_base;
    return bank == 0 && at >= base &&
           copy(launch->parameters, launch->kernel->parameter_bytes, at - base, to, bytes);
}

static gboolean read_piece(const Moment *moment, const WsVariablePiece *piece, guint8 *to)
{
    const WsWatchedIssue *issue = moment->issue;
    guint64 value = piece->value;
    switch (piece->kind) {
    case WS_PIECE_REGISTER:
        for (guint32 b = 0; b < piece->bytes; b++)
            to[b] = (guint8)(issue->registers->registers[(piece->index + b / 4) * issue->warp_size +
                                                         moment->lane] >>
                             (b % 4 * 8));
        return TRUE;
    case WS_PIECE_UNIFORM_REGISTER:
        for (guint32 b = 0; b < piece->bytes; b++)
            to[b] = (guint8)(issue->registers->uniform[piece->index + b / 4] >> (b % 4 * 8));
        return TRUE;
    case WS_PIECE_PREDICATE:
        value = (issue->registers->predicates[piece->index] >> moment->lane & 1) ^
                (guint64)(piece->negated != 0);
        memcpy(to, &value, piece->bytes);
        return TRUE;
    case WS_PIECE_CONSTANT:
        return read_constant(moment, piece->index, value, to, piece->bytes);
    case WS_PIECE_LOCAL:
        return read_local(moment, value, to, piece->bytes);
    case WS_PIECE_SHARED:
        return copy(issue->shared, issue->shared_bytes, value, to, piece->bytes);
    case WS_PIECE_ADDRESS:
        return read_address(moment, value, to, piece->bytes);
    case WS_PIECE_IMMEDIATE:
        memcpy(to, &value, piece->bytes);
        return TRUE;
    default:
        return FALSE;
    }
}

ValueState read_variable(const Moment *moment, guint32 variable, guint8 *ret, guint64 size)
{
    const WsVariableTable *table = moment->job->program->variables;
    const WsVariablePlace *place =
        ws_variable_table_place(table, variable, moment->issue->instruction);
    const guint32 type = ws_variable_table_variable(table, variable)->type;
    if (place == NULL || ws_variable_table_type(table, type)->bytes > size)
        return VALUE_UNKNOWN;
    for (guint32 p = 0; p < place->piece_count; p++) {
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece + p);
        if (!read_piece(moment, piece, ret))
            return VALUE_UNKNOWN;
        ret += piece->bytes;
    }
    return VALUE_KNOWN;
}

guint read_known(const Moment *moment, guint32 variable, guint8 *ret, guint8 *known, guint64 size)
{
    const WsVariableTable *table = moment->job->program->variables;
    const WsVariablePlace *place =
        ws_variable_table_place(table, variable, moment->issue->instruction);
    const guint32 type = ws_variable_table_variable(table, variable)->type;
    guint count = 0;
    memset(known, 0, size);
    if (place == NULL || ws_variable_table_type(table, type)->bytes > size)
        return 0;
    for (guint32 p = 0; p < place->piece_count; p++) {
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece + p);
        if (read_piece(moment, piece, ret)) {
            memset(known, 1, piece->bytes);
            count += piece->bytes;
        }
        ret += piece->bytes;
        known += piece->bytes;
    }
    return count;
}

/* ---- paths ------------------------------------------------------------------------------------
 */

/* Bytes of a value of `type` that begin at `at` of them; members, elements, targets of pointers. */
static ValueState follow(const Moment *moment, guint32 type, guint8 *bytes, const char *path,
                         guint8 *ret, guint64 size, guint64 *ret_bytes)
{
    const WsVariableTable *table = moment->job->program->variables;
    const WsSourceType *entry = ws_variable_table_type(table, type);
    guint64 address;
    if (entry->kind == WS_VALUE_REFERENCE || (entry->kind == WS_VALUE_POINTER && *path != 0)) {
        guint8 *target = g_malloc0(MAX_BYTES);
        const guint64 length = ws_variable_table_type(table, entry->target)->bytes;
        memcpy(&address, bytes, sizeof address);
        path += *path == '*' || (*path == '-');
        ValueState state = length <= MAX_BYTES && read_address(moment, address, target, length)
                               ? follow(moment, entry->target, target,
                                        *path == '>' ? path + 1 : path, ret, size, ret_bytes)
                               : VALUE_UNKNOWN;
        g_free(target);
        return state;
    }
    if (*path == '\0') {
        *ret_bytes = entry->bytes;
        memcpy(ret, bytes, MIN(size, entry->bytes));
        return VALUE_KNOWN;
    }
    if (*path == '[') {
        char *end;
        guint64 index = g_ascii_strtoull(path + 1, &end, 10);
        ck_assert_int_eq(entry->kind, WS_VALUE_ARRAY);
        ck_assert_uint_lt(index, entry->count);
        return follow(moment, entry->target,
                      bytes + index * ws_variable_table_type(table, entry->target)->bytes, end + 1,
                      ret, size, ret_bytes);
    }
    WsSourceMember member;
    path += *path == '.';
    gsize length = strcspn(path, ".[*-");
    g_autofree char *name = g_strndup(path, length);
    ck_assert_msg(ws_source_type_member(table, type, name, &member), "no member %s", name);
    return follow(moment, member.type, bytes + member.offset, path + length, ret, size, ret_bytes);
}

ValueState read_value(const Moment *moment, const char *path, guint8 *ret, guint64 size,
                      guint64 *ret_bytes)
{
    const WsVariableTable *table = moment->job->program->variables;
    gboolean star = *path == '*';
    gsize length = strcspn(path + star, ".[-");
    g_autofree char *name = g_strndup(path + star, length);
    g_autofree char *rest = g_strconcat(star ? "*" : "", path + star + length, NULL);
    guint32 variable = ws_variable_table_find(table, moment->issue->instruction, name);
    if (variable == WS_NO_VARIABLE)
        return VALUE_NO_NAME;
    g_autofree guint8 *bytes = g_malloc0(MAX_BYTES);
    ValueState state = read_variable(moment, variable, bytes, MAX_BYTES);
    if (state != VALUE_KNOWN)
        return state;
    return follow(moment, ws_variable_table_variable(table, variable)->type, bytes, rest, ret, size,
                  ret_bytes);
}

/* ---- running ----------------------------------------------------------------------------------
 */

WsJob *load_source(const char *source, const char *launch, gboolean variables, gboolean debug)
{
    g_autofree char *folder = g_dir_make_tmp("variables-XXXXXX", NULL);
    g_autofree char *program = g_build_filename(folder, "k.cu", NULL);
    g_autofree char *target = g_build_filename(folder, "k.yaml", NULL);
    const WsJobOptions options = {.variables = variables, .debug = debug};
    g_autoptr(GError) error = NULL;
    ck_assert(g_file_set_contents(program, source, -1, NULL));
    ck_assert(g_file_set_contents(target, launch, -1, NULL));
    WsJob *job = ws_job_load(target, &options, &error);
    ck_assert_msg(job != NULL, "%s", error != NULL ? error->message : "");
    g_unlink(program);
    g_unlink(target);
    g_rmdir(folder);
    return job;
}

static void ignore_block(void *data, guint32 slot, guint64 number)
{
}

static void ignore_access(void *data, const WsWatchedAccess *access)
{
}

static void ignore_atomic(void *data, const WsWatchedAccess *access, gboolean changed)
{
}

static void ignore_meeting(void *data, guint32 slot, guint32 warp, guint64 mask, gboolean all)
{
}

static void ignore_fence(void *data, guint32 slot, guint32 warp, guint64 mask, guint8 scope)
{
}

static void ignore_arrival(void *data, guint32 slot, guint32 warp, guint64 mask,
                           guint32 instruction, guint32 number, gboolean waits)
{
}

static void ignore_release(void *data, guint32 slot, guint32 number, gboolean all)
{
}

static void ignore_wait(void *data, guint32 slot, guint32 thread, guint32 instruction)
{
}

void run_watched(WsJob *job, void (*issue)(void *data, const WsWatchedIssue *issue), void *data)
{
    const WsInterpretWatcher watcher = {.data = data,
                                        .issue = issue,
                                        .block_begin = ignore_block,
                                        .access = ignore_access,
                                        .atomic_done = ignore_atomic,
                                        .lanes_meet = ignore_meeting,
                                        .fence = ignore_fence,
                                        .barrier_arrive = ignore_arrival,
                                        .barrier_release = ignore_release,
                                        .waits_for_ever = ignore_wait};
    const WsInterpretOptions options = {.watcher = &watcher};
    WsInterpretCounts counts;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(ws_interpret(job, 0, &options, &counts, &error), "%s",
                  error != NULL ? error->message : "");
}
