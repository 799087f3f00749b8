/*
 * Variables of optimised code: at each store, atomic and barrier of a thread, a variable that is
 * known has the value that it has in a debug compile at the same one: the n-th of the thread in
 * that line of the source. Over the launch files that are named, the first block of each launch.
 *
 * Prints how many variables are known, of those that the debug compile reads later on.
 *
 * `FILE --beside OTHER [LEAST]`: OTHER, compiled to debug, in place of FILE's optimised code. So
 * nvcc's code to debug, as PTX, is compared with clang's. At least LEAST percent must be known.
 */
#include "isa/cuda/ptx_cache.h"
#include "tests/support/variable_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024, MOST_BYTES = 64, MOST_EVENTS = 1 << 18, MOST_SHOWN = 20 };

/* A variable at a visit, in the debug compile. */
typedef struct {
    guint32 name; /* number of what tells variables apart */
    guint8 bytes[MOST_BYTES];
    guint8 size;
    gboolean is_read; /* before it is written again */
} Entry;

/* A store, atomic or barrier of a thread. */
typedef struct {
    guint32 first, count; /* entries */
} Visit;

typedef struct {
    guint64 visits, alone, compared, wanted, known, wrong;
} Counts;

typedef struct {
    WsJob *job;
    GHashTable *names;   /* text -> number + 1 */
    guint32 *name_of;    /* per variable of the table: number + 1, 0 = like another one */
    GHashTable *turns;   /* thread and line -> visits so far */
    GHashTable *totals;  /* the same of all of a run of this compile */
    GHashTable *others;  /* the same of all of the other compile's run */
    GHashTable *visits;  /* thread, line and turn -> visit + 1 */
    GArray *all;         /* of Visit */
    GArray *entries;     /* of Entry */
    GHashTable *pending; /* thread and name -> GArray of guint32: entries not yet read or written */
    WsWatchedIssue issue;
    gboolean counts_only, compares; /* the optimised program: before, and with what is noted */
    Counts *counts;
    const char *path;
    guint32 launch;
    guint events;
} Record;

/* ---- names ------------------------------------------------------------------------------------
 */

/* What tells a variable from others in both compiles: its name, line, and the calls it is in. */
static char *text_of(const WsVariableTable *table, guint32 variable)
{
    const WsSourceVariable *entry = ws_variable_table_variable(table, variable);
    GString *text = g_string_new(entry->name);
    g_string_append_printf(text, ":%u", entry->line);
    for (guint32 s = entry->scope; s != WS_NO_SCOPE;) {
        const WsSourceScope *scope = ws_variable_table_scope(table, s);
        if (scope->kind != WS_SOURCE_SCOPE_BLOCK)
            g_string_append_printf(text, " in %s, %u:%u", scope->name, scope->call_line,
                                   scope->call_column);
        s = scope->parent;
    }
    return g_string_free(text, FALSE);
}

static void name_variables(Record *record)
{
    const WsVariableTable *table = record->job->program->variables;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL); /* number -> variable + 1 */
    record->name_of = g_new0(guint32, table->variables->len + 1);
    for (guint32 v = 0; v < table->variables->len; v++) {
        g_autofree char *text = text_of(table, v);
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(record->names, text));
        if (number == 0) {
            number = g_hash_table_size(record->names) + 1;
            g_hash_table_insert(record->names, g_steal_pointer(&text), GUINT_TO_POINTER(number));
        }
        const guint other = GPOINTER_TO_UINT(g_hash_table_lookup(seen, GUINT_TO_POINTER(number)));
        record->name_of[v] = other == 0 ? number : 0;
        if (other != 0)
            record->name_of[other - 1] = 0;
        g_hash_table_insert(seen, GUINT_TO_POINTER(number), GUINT_TO_POINTER(v + 1));
    }
}

static gint64 key_of(guint32 a, guint32 b)
{
    return (gint64)((guint64)a << 32 | b);
}

/* ---- the debug compile ------------------------------------------------------------------------
 */

static GArray *pending_of(Record *record, guint32 thread, guint32 name)
{
    const gint64 key = key_of(thread, name);
    GArray *list = g_hash_table_lookup(record->pending, &key);
    if (list == NULL) {
        list = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(record->pending, g_memdup2(&key, sizeof key), list);
    }
    return list;
}

static void note_visit(Record *record, guint32 thread, gint64 key)
{
    const WsVariableTable *table = record->job->program->variables;
    const Moment moment = {record->job, &record->issue, thread % record->issue.warp_size,
                           record->launch};
    g_autoptr(GArray) list = ws_variable_table_at(table, record->issue.instruction);
    Visit visit = {record->entries->len, 0};
    for (guint i = 0; i < list->len; i++) {
        const guint32 v = g_array_index(list, guint32, i);
        const WsSourceVariable *variable = ws_variable_table_variable(table, v);
        Entry entry = {.name = record->name_of[v],
                       .size = (guint8)MIN(ws_variable_table_type(table, variable->type)->bytes,
                                           MOST_BYTES + 1)};
        const gboolean is_own =
            variable->kind == WS_VARIABLE_LOCAL || variable->kind == WS_VARIABLE_PARAMETER;
        if (entry.name == 0 || !is_own || entry.size > MOST_BYTES ||
            read_variable(&moment, v, entry.bytes, MOST_BYTES) != VALUE_KNOWN)
            continue;
        const guint32 number = record->entries->len;
        g_array_append_val(record->entries, entry);
        g_array_append_val(pending_of(record, thread, entry.name), number);
        visit.count++;
    }
    g_array_append_val(record->all, visit);
    g_hash_table_insert(record->visits, g_memdup2(&key, sizeof key),
                        GUINT_TO_POINTER(record->all->len));
}

/* Memory of a thread is read or written: which variable is that? */
static void note_local(Record *record, const WsWatchedAccess *seen)
{
    const WsVariableTable *table = record->job->program->variables;
    g_autoptr(GArray) list = ws_variable_table_at(table, seen->instruction);
    for (guint i = 0; i < list->len; i++) {
        const guint32 v = g_array_index(list, guint32, i);
        const WsVariablePlace *place = ws_variable_table_place(table, v, seen->instruction);
        if (place == NULL || record->name_of[v] == 0)
            continue;
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece);
        if (piece->kind != WS_PIECE_LOCAL || seen->address < piece->value ||
            seen->address >= piece->value + piece->bytes)
            continue;
        GArray *entries = pending_of(record, seen->thread, record->name_of[v]);
        for (guint e = 0; e < entries->len && seen->action == WS_ACTION_LOAD; e++)
            g_array_index(record->entries, Entry, g_array_index(entries, guint32, e)).is_read =
                TRUE;
        g_array_set_size(entries, 0);
    }
}

/* ---- the optimised one ------------------------------------------------------------------------
 */

static void show(const Record *record, guint32 thread, guint32 v, const Entry *entry,
                 const guint8 *bytes)
{
    const WsVariableTable *table = record->job->program->variables;
    const guint32 i = record->issue.instruction;
    const WsLocation *at =
        &record->job->program->locations[record->job->program->instructions[i].location];
    g_autofree char *text = text_of(table, v);
    guint64 x = 0, y = 0;
    memcpy(&x, bytes, MIN(entry->size, sizeof x));
    memcpy(&y, entry->bytes, MIN(entry->size, sizeof y));
    printf("# %s: thread %u, line %u (PTX %u), instruction %u: %s is %#" G_GINT64_MODIFIER
           "x, to debug %#" G_GINT64_MODIFIER "x\n",
           record->path, thread, at->line, at->ptx_line, i, text, x, y);
}

static void compare_entry(Record *record, guint32 thread, const Entry *entry, guint32 v)
{
    const Moment moment = {record->job, &record->issue, thread % record->issue.warp_size,
                           record->launch};
    guint8 bytes[MOST_BYTES] = {0}, known[MOST_BYTES];
    if (read_known(&moment, v, bytes, known, MOST_BYTES) == 0)
        return;
    record->counts->compared++;
    record->counts->known += entry->is_read != 0;
    for (guint b = 0; b < entry->size; b++)
        if (known[b] && bytes[b] != entry->bytes[b]) {
            if (record->counts->wrong++ < MOST_SHOWN)
                show(record, thread, v, entry, bytes);
            return;
        }
}

static void compare_visit(Record *record, guint32 thread, gint64 key)
{
    const guint number = GPOINTER_TO_UINT(g_hash_table_lookup(record->visits, &key));
    const gint64 place = key_of(thread, (guint32)(key >> 24 & 0xffffff));
    record->counts->visits++;
    if (number == 0 || g_hash_table_lookup(record->others, &place) !=
                           g_hash_table_lookup(record->totals, &place)) {
        record->counts->alone++;
        return;
    }
    const Visit *visit = &g_array_index(record->all, Visit, number - 1);
    g_autoptr(GArray) list =
        ws_variable_table_at(record->job->program->variables, record->issue.instruction);
    for (guint32 e = visit->first; e < visit->first + visit->count; e++) {
        const Entry *entry = &g_array_index(record->entries, Entry, e);
        record->counts->wanted += entry->is_read != 0;
        for (guint i = 0; i < list->len; i++) {
            const guint32 v = g_array_index(list, guint32, i);
            if (record->name_of[v] == entry->name)
                compare_entry(record, thread, entry, v);
        }
    }
}

/* ---- watching ---------------------------------------------------------------------------------
 */

static void visit(Record *record, guint32 thread, guint32 instruction)
{
    const WsProgram *program = record->job->program;
    const guint32 line = program->locations[program->instructions[instruction].location].line;
    const gint64 place = key_of(thread, line);
    const guint turn = GPOINTER_TO_UINT(g_hash_table_lookup(record->turns, &place));
    const gint64 key = (gint64)((guint64)thread << 48 | (guint64)line << 24 | turn);
    if (record->events++ > MOST_EVENTS || line == 0)
        return;
    g_hash_table_insert(record->turns, g_memdup2(&place, sizeof place), GUINT_TO_POINTER(turn + 1));
    if (record->compares)
        compare_visit(record, thread, key);
    else if (!record->counts_only)
        note_visit(record, thread, key);
}

static void note_issue(void *data, const WsWatchedIssue *issue)
{
    ((Record *)data)->issue = *issue;
}

static void note_access(void *data, const WsWatchedAccess *seen)
{
    Record *record = data;
    if (seen->space == WS_SPACE_LOCAL && !record->compares && !record->counts_only)
        note_local(record, seen);
    if (seen->space != WS_SPACE_LOCAL && seen->action != WS_ACTION_LOAD)
        visit(record, seen->thread, seen->instruction);
}

static void ignore_block(void *data, guint32 slot, guint64 number)
{
    (void)data, (void)slot, (void)number;
}

static void ignore_atomic(void *data, const WsWatchedAccess *access, gboolean changed)
{
    (void)data, (void)access, (void)changed;
}

static void ignore_meeting(void *data, guint32 slot, guint32 warp, guint64 mask, gboolean all)
{
    (void)data, (void)slot, (void)warp, (void)mask, (void)all;
}

static void ignore_fence(void *data, guint32 slot, guint32 warp, guint64 mask, guint8 scope)
{
    (void)data, (void)slot, (void)warp, (void)mask, (void)scope;
}

static void note_arrival(void *data, guint32 slot, guint32 warp, guint64 mask, guint32 instruction,
                         guint32 number, gboolean waits)
{
    Record *record = data;
    (void)slot, (void)number, (void)waits;
    for (; mask != 0; mask &= mask - 1)
        visit(record, warp * record->issue.warp_size + (guint32)__builtin_ctzll(mask), instruction);
}

static void ignore_release(void *data, guint32 slot, guint32 number, gboolean all)
{
    (void)data, (void)slot, (void)number, (void)all;
}

static void ignore_wait(void *data, guint32 slot, guint32 thread, guint32 instruction)
{
    (void)data, (void)slot, (void)thread, (void)instruction;
}

static void run(Record *record, guint32 launch)
{
    const WsInterpretWatcher watcher = {.data = record,
                                        .issue = note_issue,
                                        .block_begin = ignore_block,
                                        .access = note_access,
                                        .atomic_done = ignore_atomic,
                                        .lanes_meet = ignore_meeting,
                                        .fence = ignore_fence,
                                        .barrier_arrive = note_arrival,
                                        .barrier_release = ignore_release,
                                        .waits_for_ever = ignore_wait};
    const WsInterpretOptions options = {
        .watcher = &watcher, .first_block_only = TRUE, .max_warp_instructions = 2000000};
    WsInterpretCounts counts;
    record->events = 0;
    g_autoptr(GError) error = NULL;
    if (!ws_interpret(record->job, launch, &options, &counts, &error))
        printf("# %s, launch %u: %s\n", record->path, launch, error->message);
}

static WsJob *load(const char *path, gboolean debug)
{
    g_autofree char *cache = ws_ptx_cache_folder();
    const WsJobOptions options = {
        .variables = TRUE, .debug = debug, .bounds = {.cache = cache, .header_cache = cache}};
    g_autoptr(GError) error = NULL;
    WsJob *job = ws_job_load(path, &options, &error);
    if (job == NULL)
        printf("# %s\n", error->message);
    else if (job->program->variables->reason != NULL)
        printf("# %s: %s\n", path, job->program->variables->reason);
    return job;
}

static GHashTable *by_pair(GDestroyNotify free_value)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_value);
}

/* The same launch, to debug and optimised, or another one. FALSE if one does not load. */
static gboolean try_file(const char *path, const char *beside, Counts *counts)
{
    const char *other = beside == NULL ? path : beside;
    WsJob *plain = load(path, TRUE), *fast = load(other, beside != NULL),
          *counted = load(other, beside != NULL);
    if (plain == NULL || fast == NULL || counted == NULL)
        return FALSE;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint32 launch = 0; launch < fast->launch_count; launch++) {
        Record record = {
            .job = plain, .names = names, .counts = counts, .path = path, .launch = launch};
        record.visits = by_pair(NULL);
        record.turns = record.totals = by_pair(NULL);
        record.others = by_pair(NULL);
        record.pending = by_pair((GDestroyNotify)g_array_unref);
        record.all = g_array_new(FALSE, FALSE, sizeof(Visit));
        record.entries = g_array_new(FALSE, FALSE, sizeof(Entry));
        record.job = counted;
        record.counts_only = TRUE;
        run(&record, launch);
        record.job = plain;
        record.counts_only = FALSE;
        record.turns = record.others;
        name_variables(&record);
        run(&record, launch);
        g_free(record.name_of);
        record.turns = by_pair(NULL);
        record.job = fast;
        record.compares = TRUE;
        name_variables(&record);
        run(&record, launch);
        g_free(record.name_of);
        g_hash_table_unref(record.visits);
        g_hash_table_unref(record.turns);
        g_hash_table_unref(record.totals);
        g_hash_table_unref(record.others);
        g_hash_table_unref(record.pending);
        g_array_unref(record.all);
        g_array_unref(record.entries);
    }
    ws_job_free(plain);
    ws_job_free(fast);
    ws_job_free(counted);
    return TRUE;
}

int main(int argc, char **argv)
{
    Counts counts = {0};
    gboolean good = argc > 1;
    const char *beside = argc >= 4 && strcmp(argv[2], "--beside") == 0 ? argv[3] : NULL;
    for (int i = 1; i < (beside == NULL ? argc : 2); i++)
        good = try_file(argv[i], beside, &counts) && good;
    const double share =
        counts.wanted == 0 ? 0 : 100.0 * (double)counts.known / (double)counts.wanted;
    printf("visits %" G_GUINT64_FORMAT ", without a partner %" G_GUINT64_FORMAT
           "; values compared %" G_GUINT64_FORMAT ", wrong %" G_GUINT64_FORMAT
           "; known %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " that are read later (%.1f %%)\n",
           counts.visits, counts.alone, counts.compared, counts.wrong, counts.known, counts.wanted,
           share);
    good = good && (argc != 5 || share >= g_ascii_strtod(argv[4], NULL));
    return good && counts.wrong == 0 ? 0 : 1;
}
