#include "isa/source/construct_places.h"

#include "isa/ir/walk.h"
#include "isa/source/construct_scan.h"
#include "isa/source/loop_guards.h"
#include "isa/source/macro_table.h"

#include <string.h>

typedef struct {
    WsIrModule *module;
    GHashTable *sources;
    GHashTable *macros;
    GPtrArray *scans;    /* per file of the module: WsConstructScan, or NULL */
    GHashTable *counts;  /* place_of() of branches -> how many have it */
    GHashTable *numbers; /* a Key -> index in module->constructs */
} Namer;

/* ---- the module's table -----------------------------------------------------------------------
 */

typedef enum { PART_WHOLE, PART_ROUND } Part;

static const WsSourceConstruct *source_construct(const WsConstructScan *scan, guint32 index)
{
    return &g_array_index(scan->constructs, WsSourceConstruct, index);
}

static gint64 key_of(guint32 file, guint32 index, Part part, gboolean inlined)
{
    return (gint64)((guint64)file << 34 | (guint64)index << 2 | (guint64)part << 1 |
                    (guint64)(inlined != FALSE));
}

/* TRUE if it was there. */
static gboolean find_number(const Namer *namer, gint64 key, guint32 *ret)
{
    gpointer known = g_hash_table_lookup(namer->numbers, &key);
    *ret = GPOINTER_TO_UINT(known);
    return known != NULL;
}

static guint32 add_construct(Namer *namer, gint64 key, const WsConstruct *construct)
{
    GArray *all = namer->module->constructs;
    g_array_append_vals(all, construct, 1);
    guint32 number = all->len - 1;
    g_hash_table_insert(namer->numbers, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(number));
    return number;
}

static guint32 number_with_parent(Namer *namer, guint32 file, guint32 index, gboolean inlined,
                                  guint32 parent)
{
    gint64 key = key_of(file, index, PART_WHOLE, inlined);
    guint32 number;
    if (find_number(namer, key, &number))
        return number;
    const WsSourceConstruct *from = source_construct(namer->scans->pdata[file], index);
    return add_construct(namer, key,
                         &(WsConstruct){.kind = from->kind,
                                        .file = file,
                                        .line = from->line,
                                        .end_line = from->end_line,
                                        .parent = parent,
                                        .name = g_strdup(from->name),
                                        .returns = from->returns && !inlined});
}

/* The number of a construct, those around it there before it. */
static guint32 whole_number(Namer *namer, guint32 file, guint32 index, gboolean inlined)
{
    g_autoptr(GArray) around = g_array_new(FALSE, FALSE, sizeof(guint32));
    const WsConstructScan *scan = namer->scans->pdata[file];
    guint32 number = 0;
    for (; index != 0; index = source_construct(scan, index)->parent)
        g_array_append_val(around, index);
    for (guint i = around->len; i-- > 0;)
        number =
            number_with_parent(namer, file, g_array_index(around, guint32, i), inlined, number);
    return number;
}

static guint32 part_number(Namer *namer, guint32 file, guint32 index, Part part, gboolean inlined)
{
    guint32 whole = whole_number(namer, file, index, inlined), number;
    gint64 key = key_of(file, index, part, inlined);
    if (part == PART_WHOLE || find_number(namer, key, &number))
        return part == PART_WHOLE ? whole : number;
    WsConstruct round = g_array_index(namer->module->constructs, WsConstruct, whole);
    round.kind = WS_CONSTRUCT_ROUND;
    round.parent = whole;
    round.name = NULL;
    return add_construct(namer, key, &round);
}

/* The function that a construct is in, 0 = none. */
static guint32 function_of(const WsConstructScan *scan, guint32 index)
{
    while (index != 0 && source_construct(scan, index)->kind != WS_CONSTRUCT_FUNCTION)
        index = source_construct(scan, index)->parent;
    return index;
}

static gboolean breaks_behind(const WsSourceConstruct *loop, const WsSourceConstruct *inner)
{
    return loop->last_break_line > inner->line ||
           (loop->last_break_line == inner->line && loop->last_break_column > inner->column);
}

/*
 * The construct at whose end lanes meet that part in construct `index`, 0 = not known. A construct
 * that a `break` leaves ends where the loop does; a `return` in an inlined function leads to its
 * end, in a kernel the lanes are gone.
 */
static guint32 meeting_of(const WsConstructScan *scan, guint32 index, gboolean inlined, Part *ret)
{
    enum { MAX_STEPS = 64 };
    *ret = PART_WHOLE;
    for (guint step = 0; step < MAX_STEPS && index != 0; step++) {
        const WsSourceConstruct *at = source_construct(scan, index);
        if (at->tangled)
            return 0;
        if (at->in_condition) {
            index = at->parent;
            continue;
        }
        if (at->returns && inlined)
            return function_of(scan, index);
        guint32 to = at->breaks_to, on = at->continues_to;
        if (on != 0 && (to == 0 || to > on)) {
            const WsSourceConstruct *loop = source_construct(scan, on);
            if (loop->tangled || (loop->returns && inlined))
                return 0;
            if (!breaks_behind(loop, at)) {
                *ret = PART_ROUND;
                return on;
            }
            to = on;
        }
        if (to == 0)
            return index;
        index = to;
    }
    return 0;
}

static guint32 construct_number(Namer *namer, guint32 file, guint32 index, gboolean inlined)
{
    if (index == 0)
        return 0;
    const WsConstructScan *scan = namer->scans->pdata[file];
    guint32 number = whole_number(namer, file, index, inlined);
    Part part;
    guint32 meeting = meeting_of(scan, index, inlined, &part);
    guint32 meets = meeting == 0 ? 0 : part_number(namer, file, meeting, part, inlined);
    g_array_index(namer->module->constructs, WsConstruct, number).meets = meets;
    return number;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static void read_macros(Namer *namer)
{
    GHashTableIter iter;
    gpointer text;
    namer->macros = ws_macro_table_new();
    g_hash_table_iter_init(&iter, namer->sources);
    while (g_hash_table_iter_next(&iter, NULL, &text))
        ws_macro_table_add(namer->macros, text, strlen(text));
    ws_macro_table_finish(namer->macros);
}

static const WsConstructScan *scan_of(Namer *namer, guint32 file)
{
    if (file >= namer->scans->len)
        return NULL;
    if (namer->scans->pdata[file] == NULL) {
        const char *text = g_hash_table_lookup(namer->sources, namer->module->files->pdata[file]);
        if (text == NULL)
            return NULL;
        if (namer->macros == NULL)
            read_macros(namer);
        namer->scans->pdata[file] = ws_construct_scan(text, strlen(text), namer->macros);
    }
    return namer->scans->pdata[file];
}

static gint64 *place_of(const WsLocation *at)
{
    gint64 place =
        (gint64)((guint64)at->file << 48 | (guint64)at->line << 16 | (at->column & 0xffff));
    return g_memdup2(&place, sizeof place);
}

static void count_places(Namer *namer, const WsIrFunction *function)
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        if (!ws_ir_is_conditional(block))
            continue;
        gint64 *place =
            place_of(&g_array_index(namer->module->locations, WsLocation, block->branch.location));
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(namer->counts, place));
        g_hash_table_insert(namer->counts, place, GUINT_TO_POINTER(count + 1));
    }
}

/*
 * Whether a construct that begins with a call may not be the one that a branch of its place belongs
 * to: functions of Warpstep's header have no lines of their own, and some hold branches.
 */
static gboolean may_be_callees(const Namer *namer, const WsConstructScan *scan, guint32 index,
                               const WsLocation *at)
{
    static const char *const without[] = {"min",   "max",   "abs",  "fmin",  "fmax",
                                          "fminf", "fmaxf", "fabs", "fabsf", "isnan",
                                          "isinf", "sqrtf", "expf", "logf",  NULL};
    const char *callee = source_construct(scan, index)->callee;
    if (callee == NULL || g_str_has_prefix(callee, "__") || g_str_has_prefix(callee, "atomic") ||
        g_strv_contains(without, callee))
        return FALSE;
    g_autofree gint64 *place = place_of(at);
    if (GPOINTER_TO_UINT(g_hash_table_lookup(namer->counts, place)) < 2)
        return FALSE;
    for (guint32 i = 1; i < scan->constructs->len; i++) {
        const WsSourceConstruct *one = source_construct(scan, i);
        if (one->kind == WS_CONSTRUCT_FUNCTION && strcmp(one->name, callee) == 0)
            return FALSE; /* it has lines */
    }
    return TRUE;
}

static void name_branch(Namer *namer, const WsIrBlock *block)
{
    WsLocation *at = &g_array_index(namer->module->locations, WsLocation, block->branch.location);
    const WsConstructScan *scan = at->line == 0 ? NULL : scan_of(namer, at->file);
    if (scan == NULL || at->construct != 0)
        return;
    guint32 found = ws_construct_scan_find(scan, at->line, at->column);
    if (found != 0 && may_be_callees(namer, scan, found, at))
        return;
    at->construct = construct_number(namer, at->file, found, at->inlined_at != 0);
}

static void free_scan(gpointer scan)
{
    if (scan != NULL)
        ws_construct_scan_free(scan);
}

void ws_name_constructs(WsIrModule *module, GHashTable *sources)
{
    Namer namer = {.module = module, .sources = sources};
    namer.scans = g_ptr_array_new_with_free_func(free_scan);
    namer.numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_ptr_array_set_size(namer.scans, (gint)module->files->len);
    namer.counts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint f = 0; f < module->functions->len; f++)
        count_places(&namer, module->functions->pdata[f]);
    for (guint f = 0; f < module->functions->len; f++) {
        WsIrFunction *function = module->functions->pdata[f];
        for (guint32 b = 0; b < function->blocks->len; b++)
            if (ws_ir_is_conditional(ws_ir_block(function, b)))
                name_branch(&namer, ws_ir_block(function, b));
        ws_place_loop_guards(module, function);
    }
    g_ptr_array_unref(namer.scans);
    g_hash_table_unref(namer.numbers);
    g_hash_table_unref(namer.counts);
    if (namer.macros != NULL)
        g_hash_table_unref(namer.macros);
}
