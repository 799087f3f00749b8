/*
 * Registers: first fit by start of life over exact live ranges with holes. For every position of
 * the function there is a set of the physical registers that are taken there; a register goes to
 * the lowest place (aligned to its size) that is free at all positions where it lives, a word to
 * one in another bank than what is read beside it, where that costs no registers. Where none is,
 * what costs least to spill gives way, and after spilling the whole is done again.
 */
#include "isa/base/error.h"
#include "isa/codegen/candidates.h"
#include "isa/codegen/code_generation.h"
#include "isa/codegen/spill.h"
#include "isa/ir/register_budget.h"

#include <math.h>
#include <string.h>

enum {
    SET_WORDS = WS_REGISTER_SET_WORDS,
    MAX_ROUNDS = 64,
    ALLOCATED = 8, /* registers of a thread are allocated by so many */
    PREDICATES = 7
};

static gboolean in_set(const guint64 *set, guint n)
{
    return set[n / 64] >> (n % 64) & 1;
}

/* The first number from `n` on that is not in the set, or the number of bits. */
static guint next_free(const guint64 *set, guint n)
{
    for (guint word = n / 64; word < SET_WORDS; word++) {
        guint64 free = ~set[word];
        if (word == n / 64)
            free &= G_MAXUINT64 << (n % 64);
        if (free != 0)
            return 64 * word + (guint)__builtin_ctzll(free);
    }
    return 64 * SET_WORDS;
}

/* ---- placing ----------------------------------------------------------------------------------
 */

static void mark(WsAllocator *a, guint32 c, gboolean set)
{
    const WsCandidate *candidate = &a->candidates[c];
    for (guint w = 0; w < candidate->words; w++) {
        guint place = candidate->place + w;
        const WsSegment *segment = ws_liveness_first(a->liveness, ws_candidate_variable(a, c) + w);
        for (; segment != NULL; segment = ws_liveness_next(a->liveness, segment)) {
            if (set)
                ws_taken_registers_enter(&a->taken, segment->begin, segment->end, place);
            else
                ws_taken_registers_take_out(&a->taken, segment->begin, segment->end, place);
        }
    }
}

static void forbidden_places(const WsAllocator *a, guint32 c, guint64 ret[][SET_WORDS])
{
    for (guint w = 0; w < a->candidates[c].words; w++) {
        memset(ret[w], 0, sizeof(ret[w]));
        const WsSegment *segment = ws_liveness_first(a->liveness, ws_candidate_variable(a, c) + w);
        for (; segment != NULL; segment = ws_liveness_next(a->liveness, segment))
            ws_taken_registers_ask(&a->taken, segment->begin, segment->end, ret[w]);
    }
}

static gboolean is_free(const WsAllocator *a, guint words, guint64 forbidden[][SET_WORDS],
                        gint64 place)
{
    if (place < 0 || place % words != 0 || place + words > a->cap)
        return FALSE;
    for (guint w = 0; w < words; w++) {
        if (in_set(forbidden[w], (guint)place + w))
            return FALSE;
    }
    return TRUE;
}

/* Reads at one bank that an even place and an odd one cost, by the words that have a place. */
static void conflicts_with_placed(const WsAllocator *a, const WsCandidate *candidate, double ret[2])
{
    ret[0] = ret[1] = 0;
    for (guint32 at = candidate->partner; at != 0;) {
        const WsBankPartner *partner = &g_array_index(a->partners, WsBankPartner, at - 1);
        const WsCandidate *other = &a->candidates[partner->other];
        if (other->place != WS_NOT_PLACED)
            ret[(other->place + partner->odd) % 2] += partner->weight;
        at = partner->next;
    }
}

/*
 * The same by all words: one that is still to be placed will have the bank that those which have a
 * place leave to it, if they do not leave it both.
 */
static void conflicts(const WsAllocator *a, const WsCandidate *candidate, double ret[2])
{
    conflicts_with_placed(a, candidate, ret);
    for (guint32 at = candidate->partner; at != 0;) {
        const WsBankPartner *partner = &g_array_index(a->partners, WsBankPartner, at - 1);
        const WsCandidate *other = &a->candidates[partner->other];
        at = partner->next;
        if (other->place != WS_NOT_PLACED)
            continue;
        double its[2];
        conflicts_with_placed(a, other, its);
        if (its[0] != its[1])
            ret[((its[1] < its[0]) + partner->odd) % 2] += partner->weight;
    }
}

/* TRUE if the one who writes the place first may have to wait for a reader of what was there (WAR).
 */
static gboolean is_still_read(const WsAllocator *a, const WsCandidate *candidate, guint place)
{
    enum { WAR = 24 }; /* positions, two an instruction */
    if (!a->spread || a->newest[place] == 0)
        return FALSE;
    const WsCandidate *before = &a->candidates[a->newest[place] - 1];
    return before->ends_as_war && before->end <= candidate->begin + 1 &&
           candidate->begin <= before->end + WAR;
}

/* The end of the places that cost no warps if `used` are used. */
static guint free_places(const WsAllocator *a, guint used)
{
    guint allocated = (MAX(a->high, used) + ALLOCATED - 1) / ALLOCATED * ALLOCATED;
    return MIN(a->cap, MAX(allocated, a->function->register_goal));
}

/* Of a place found later than `best`. */
static gboolean is_no_better(guint best, double weight, double least, gboolean best_fills,
                             gboolean fills)
{
    return best != WS_NOT_PLACED && (weight > least || (weight == least && best_fills >= fills));
}

/*
 * For one word: of the places that cost no warps, one of the better bank, then rather one
 * that fills the other half of a pair that is taken anyway, so that pairs stay free.
 */
static guint choose_single(const WsAllocator *a, const WsCandidate *candidate,
                           const guint64 *forbidden)
{
    guint avoided =
        candidate->apart == WS_NO_CANDIDATE ? WS_NOT_PLACED : a->candidates[candidate->apart].place;
    guint best = WS_NOT_PLACED, end = a->cap;
    double least = 0, cost[2] = {0};
    gboolean best_fills = FALSE;
    if (a->spread)
        conflicts(a, candidate, cost);
    for (guint place = next_free(forbidden, 0); place < end;
         place = next_free(forbidden, place + 1)) {
        if (place == avoided)
            continue;
        if (best == WS_NOT_PLACED)
            end = free_places(a, place + 1);
        double weight = cost[place % 2];
        gboolean fills = place < a->high && in_set(forbidden, place ^ 1);
        if (is_no_better(best, weight, least, best_fills, fills))
            continue;
        if (is_still_read(a, candidate, place))
            weight += candidate->weight;
        if (is_no_better(best, weight, least, best_fills, fills))
            continue;
        best = place;
        least = weight;
        best_fills = fills;
        if (fills && weight <= MIN(cost[0], cost[1]))
            break;
    }
    gboolean costs = best >= free_places(a, 0);
    return avoided != WS_NOT_PLACED && costs && !in_set(forbidden, avoided) ? avoided : best;
}

/* For several words: the lowest free place, rather one without a WAR wait, if that is free. */
static guint choose_wide(const WsAllocator *a, const WsCandidate *candidate,
                         guint64 forbidden[][SET_WORDS])
{
    guint best = WS_NOT_PLACED, end = a->cap;
    guint64 begins[SET_WORDS] = {0}; /* where it may not begin */
    for (guint w = 0; w < candidate->words; w++) {
        for (guint i = 0; i < SET_WORDS; i++)
            begins[i] |= forbidden[w][i] >> w;
    }
    for (guint place = 0; place + candidate->words <= end; place += candidate->words) {
        gboolean war = FALSE;
        if (in_set(begins, place))
            continue;
        for (guint w = 0; w < candidate->words; w++)
            war |= is_still_read(a, candidate, place + w);
        if (!war)
            return place;
        if (best == WS_NOT_PLACED) {
            best = place;
            end = free_places(a, place + candidate->words);
        }
    }
    return best;
}

/* The lowest free place, or one a copy asks for, or one of the better bank. */
static guint choose_place(const WsAllocator *a, guint32 c)
{
    const WsCandidate *candidate = &a->candidates[c];
    guint64 forbidden[4][SET_WORDS];
    forbidden_places(a, c, forbidden);
    for (guint h = 0; h < candidate->hints; h++) {
        const WsCandidate *other = &a->candidates[candidate->hint[h].other];
        if (other->place == WS_NOT_PLACED)
            continue;
        gint64 place = (gint64)other->place + candidate->hint[h].distance;
        if (is_free(a, candidate->words, forbidden, place))
            return (guint)place;
    }
    return candidate->words == 1 ? choose_single(a, candidate, forbidden[0])
                                 : choose_wide(a, candidate, forbidden);
}

static gboolean words_overlap(const WsAllocator *a, guint32 x, guint32 y)
{
    const WsSegment *p = ws_liveness_first(a->liveness, x);
    const WsSegment *q = ws_liveness_first(a->liveness, y);
    while (p != NULL && q != NULL) {
        if (p->begin < q->end && q->begin < p->end)
            return TRUE;
        if (p->end <= q->end)
            p = ws_liveness_next(a->liveness, p);
        else
            q = ws_liveness_next(a->liveness, q);
    }
    return FALSE;
}

static gboolean lives_overlap(const WsAllocator *a, guint32 x, guint32 y)
{
    const WsCandidate *p = &a->candidates[x];
    const WsCandidate *q = &a->candidates[y];
    if (p->begin >= q->end || q->begin >= p->end)
        return FALSE;
    guint32 first = ws_candidate_variable(a, x), second = ws_candidate_variable(a, y);
    for (guint i = 0; i < p->words; i++) {
        for (guint j = 0; j < q->words; j++) {
            if (words_overlap(a, first + i, second + j))
                return TRUE;
        }
    }
    return FALSE;
}

/*
 * What it costs to spill a candidate; INFINITY where that would gain nothing. A temporary lives
 * from a load to an access, or from an access to a store; only a predicate that spilling keeps from
 * one read to others (ws_spill_predicates()) lives longer.
 */
static double spill_cost(const WsAllocator *a, guint32 c)
{
    const WsCandidate *candidate = &a->candidates[c];
    gboolean kept = a->predicates && candidate->length > 2 * WS_MAX_OPERANDS;
    if ((c >= a->first_temporary && !kept) || candidate->length <= 2u * candidate->words ||
        candidate->is_passed)
        return INFINITY;
    return candidate->weight / candidate->length;
}

static void spill(WsAllocator *a, guint32 c)
{
    if (a->candidates[c].place != WS_NOT_PLACED)
        mark(a, c, FALSE);
    a->candidates[c].place = WS_NOT_PLACED;
    a->spilled[c] = TRUE;
    a->any_spilled = TRUE;
}

/* Ascending; most come in order, and few live at once. */
static void sort_placed(WsAllocator *a)
{
    guint32 *placed = &g_array_index(a->placed, guint32, 0);
    for (guint i = 1; i < a->placed->len; i++) {
        guint32 c = placed[i];
        guint at = i;
        for (; at > 0 && placed[at - 1] > c; at--)
            placed[at] = placed[at - 1];
        placed[at] = c;
    }
}

/*
 * Forgets those that ended before candidate `c` begins, and so before all that are still to be
 * placed. The rest in ascending order: sums of costs are the same in every run.
 */
static void keep_living(WsAllocator *a, guint32 c)
{
    guint kept = 0;
    for (guint i = 0; i < a->placed->len; i++) {
        guint32 o = g_array_index(a->placed, guint32, i);
        if (a->candidates[o].place != WS_NOT_PLACED &&
            a->candidates[o].end > a->candidates[c].begin)
            g_array_index(a->placed, guint32, kept++) = o;
    }
    g_array_set_size(a->placed, kept);
    sort_placed(a);
}

/* Finds the place whose owners cost least, and spills them or `c` itself. FALSE: impossible. */
static gboolean make_room(WsAllocator *a, guint32 c)
{
    guint words = a->candidates[c].words;
    double cost[256] = {0};
    keep_living(a, c);
    for (guint i = 0; i < a->placed->len; i++) {
        guint32 o = g_array_index(a->placed, guint32, i);
        const WsCandidate *other = &a->candidates[o];
        if (!lives_overlap(a, c, o))
            continue;
        for (guint place = other->place / words * words; place < other->place + other->words;
             place += words)
            cost[place] += spill_cost(a, o);
    }
    guint best = 0;
    for (guint place = 0; place + words <= a->cap; place += words) {
        if (cost[place] < cost[best])
            best = place;
    }
    if (spill_cost(a, c) <= cost[best] || words > a->cap) {
        if (isinf(spill_cost(a, c)))
            return FALSE;
        spill(a, c);
        return TRUE;
    }
    for (guint i = 0; i < a->placed->len; i++) {
        guint32 o = g_array_index(a->placed, guint32, i);
        const WsCandidate *other = &a->candidates[o];
        if (other->place != WS_NOT_PLACED && other->place < best + words &&
            best < other->place + other->words && lives_overlap(a, c, o))
            spill(a, o);
    }
    return TRUE;
}

static gboolean place_one(WsAllocator *a, guint32 c)
{
    guint place = choose_place(a, c);
    if (place == WS_NOT_PLACED) {
        if (!make_room(a, c))
            return FALSE;
        if (a->spilled[c])
            return TRUE;
        place = choose_place(a, c);
        if (place == WS_NOT_PLACED)
            return FALSE;
    }
    WsCandidate *candidate = &a->candidates[c];
    candidate->place = place;
    a->high = MAX(a->high, place + candidate->words);
    for (guint w = 0; w < candidate->words; w++)
        a->newest[place + w] = c + 1;
    mark(a, c, TRUE);
    g_array_append_val(a->placed, c);
    return TRUE;
}

static gint compare_begin(gconstpointer x, gconstpointer y, gpointer data)
{
    const WsCandidate *candidates = data;
    guint32 i = *(const guint32 *)x;
    guint32 j = *(const guint32 *)y;
    const WsCandidate *p = &candidates[i];
    const WsCandidate *q = &candidates[j];
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    if (p->words != q->words)
        return p->words > q->words ? -1 : 1;
    return i < j ? -1 : i > j;
}

static gboolean place_all(WsAllocator *a)
{
    g_autofree guint32 *order = g_new(guint32, a->count + 1);
    guint32 living = 0;
    for (guint32 c = 0; c < a->count; c++) {
        if (a->candidates[c].length > 0)
            order[living++] = c;
    }
    g_qsort_with_data(order, (gint)living, sizeof(guint32), compare_begin, a->candidates);
    for (guint32 i = 0; i < living; i++) {
        if (!place_one(a, order[i]))
            return FALSE;
    }
    return TRUE;
}

static void allocator_init(WsAllocator *a, WsIrFunction *function, gboolean predicates, guint cap)
{
    *a = (WsAllocator){.function = function, .predicates = predicates, .cap = cap};
    a->liveness = ws_liveness_new(function);
    a->count = predicates ? function->predicate_count : function->registers->len;
    a->first_temporary = a->count;
    a->candidates = g_new0(WsCandidate, a->count + 1);
    a->spilled = g_new0(guint8, a->count + 1);
    a->partners = g_array_new(FALSE, FALSE, sizeof(WsBankPartner));
    a->placed = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_taken_registers_init(&a->taken, 2 * a->liveness->instruction_count + 2);
    ws_candidates_measure(a);
}

static void allocator_clear(WsAllocator *a)
{
    ws_liveness_free(a->liveness);
    g_free(a->candidates);
    g_array_unref(a->partners);
    g_free(a->spilled);
    g_array_unref(a->placed);
    ws_taken_registers_clear(&a->taken);
}

/* ---- results ----------------------------------------------------------------------------------
 */

static guint32 place_of(const WsAllocator *a, guint32 index, guint word)
{
    guint32 place = a->candidates[index - WS_VIRTUAL_BASE].place;
    /* What never lives is read on no path: any register will do. */
    return place == WS_NOT_PLACED ? word : place + word;
}

static void rewrite_registers(const WsAllocator *a, WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        if (ws_operand_width(instruction, n) == 0 || operand->index < WS_VIRTUAL_BASE ||
            operand->kind == WS_OPERAND_UNIFORM_REGISTER)
            continue;
        gboolean constant = operand->kind == WS_OPERAND_CONSTANT;
        operand->index = place_of(a, operand->index, constant ? 0 : operand->bank);
        if (!constant)
            operand->bank = 0;
    }
}

static void rewrite_predicates(const WsAllocator *a, WsInstruction *instruction)
{
    if (instruction->guard >= WS_VIRTUAL_BASE)
        instruction->guard = place_of(a, instruction->guard, 0);
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        if (operand->kind == WS_OPERAND_PREDICATE && operand->index >= WS_VIRTUAL_BASE)
            operand->index = place_of(a, operand->index, 0);
    }
}

static void rewrite(const WsAllocator *a)
{
    for (guint32 b = 0; b < a->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(a->function, b);
        for (guint i = 0; i < ws_ir_length(block); i++) {
            if (a->predicates)
                rewrite_predicates(a, ws_ir_instruction(block, i));
            else
                rewrite_registers(a, ws_ir_instruction(block, i));
        }
    }
}

/* One file of registers, in rounds. `ret_high` gets the number of places used. */
static gboolean allocate_file(WsIrFunction *function, gboolean predicates, guint cap,
                              gboolean spread, guint *ret_high)
{
    guint32 first_temporary = predicates ? function->predicate_count : function->registers->len;
    for (guint round = 0; round < MAX_ROUNDS; round++) {
        WsAllocator a;
        allocator_init(&a, function, predicates, cap);
        a.first_temporary = first_temporary;
        a.spread = spread;
        gboolean placed = place_all(&a);
        if (placed && a.any_spilled && predicates)
            ws_spill_predicates(function, a.spilled, first_temporary);
        else if (placed && a.any_spilled)
            ws_spill_registers(function, a.spilled);
        else if (placed)
            rewrite(&a);
        gboolean again = a.any_spilled;
        *ret_high = a.high;
        allocator_clear(&a);
        if (!placed)
            return FALSE;
        if (!again)
            return TRUE;
    }
    return FALSE;
}

static gboolean fail(const WsIrFunction *function, guint count, const char *what, GError **error)
{
    g_autofree char *name = ws_printable(function->name);
    ws_set_error(error, WS_ERROR_INPUT, "kernel %s cannot be compiled to %u %s a thread", name,
                 count, what);
    return FALSE;
}

gboolean ws_allocate_predicates(WsIrFunction *function, GError **error)
{
    guint high = 0;
    return allocate_file(function, TRUE, PREDICATES, FALSE, &high) ||
           fail(function, PREDICATES, "predicates", error);
}

gboolean ws_allocate_registers(WsIrFunction *function, guint cap, gboolean spread, GError **error)
{
    guint high = 0;
    if (!allocate_file(function, FALSE, cap, spread, &high))
        return fail(function, cap, "registers", error);
    function->kernel.registers = MAX(high, 1);
    return TRUE;
}
