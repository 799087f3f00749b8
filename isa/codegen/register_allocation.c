/*
 * Registers: first fit by start of life over exact live ranges with holes. For every position of
 * the function there is a set of the physical registers that are taken there; a register goes to
 * the lowest place (aligned to its size) that is free at all positions where it lives, a word to
 * one in another bank than what is read beside it, where that costs no registers. Where none is,
 * what costs least to spill gives way, and after spilling the whole is done again.
 */
#include "isa/base/error.h"
#include "isa/codegen/code_generation.h"
#include "isa/codegen/spill.h"
#include "isa/codegen/taken_registers.h"
#include "isa/ir/liveness.h"
#include "isa/ir/register_budget.h"

#include <math.h>
#include <string.h>

enum {
    SET_WORDS = WS_REGISTER_SET_WORDS,
    NOT_ASSIGNED = 256,
    MAX_ROUNDS = 64,
    MAX_HINTS = 4,
    MAX_PARTNERS = 2048, /* of one word that count; some in generated code have any number */
    NOBODY = G_MAXUINT32,
    ALLOCATED = 8, /* registers of a thread are allocated by so many */
    PREDICATES = 7
};

typedef struct {
    guint32 other;
    gint32 distance; /* wanted: own place - place of the other */
} Hint;

typedef struct {
    guint32 begin; /* bounds of its life */
    guint32 end;
    guint32 length; /* positions in which some word lives */
    guint32 place;  /* physical register, or NOT_ASSIGNED */
    guint8 words;
    guint8 hints;
    Hint hint[MAX_HINTS];
    guint32 apart;   /* candidate whose place it had better not take, or NOBODY */
    guint32 partner; /* first of its partners + 1 */
    guint32 partners;
    gboolean is_guarded; /* written under a guard */
    gboolean ends_late;  /* read last by an instruction that reads some time after its issue */
    gboolean is_low;     /* low word of a sum of 64 bits */
    gboolean is_passed;  /* to or from a subroutine: must have one place */
    double weight;       /* accesses, ten times as many per loop around them */
} Candidate;

/* Another word that instructions read beside a word: better of the other bank. */
typedef struct {
    guint32 other;
    gboolean odd; /* the words are an odd number of places from the begins of their registers */
    double weight;
    guint32 next; /* partner + 1 */
} Partner;

typedef struct {
    WsIrFunction *function;
    WsLiveness *liveness;
    GArray *partners; /* of Partner */
    guint cap;
    gboolean predicates;     /* allocates predicates rather than registers */
    gboolean spread;         /* banks and late readers count; else the lowest place is taken */
    guint32 first_temporary; /* from here on: made by spilling, must have a register */
    guint32 count;           /* candidates */
    Candidate *candidates;
    WsTakenRegisters taken;
    GArray *placed; /* of guint32: candidates with a place that may still live, as placed */
    guint32 newest[NOT_ASSIGNED]; /* per place: candidate that came there last + 1 */
    guint8 *spilled;              /* per candidate */
    gboolean any_spilled;
    guint high; /* places used so far */
} Allocator;

static guint32 first_variable(const Allocator *a, guint32 candidate)
{
    const WsVariables *variables = &a->liveness->variables;
    return a->predicates ? variables->word_count + candidate : variables->first[candidate];
}

static gboolean in_set(const guint64 *set, guint n)
{
    return set[n / 64] >> (n % 64) & 1;
}

/* ---- what is to be placed ---------------------------------------------------------------------
 */

static void measure_life(Allocator *a, guint32 c)
{
    Candidate *candidate = &a->candidates[c];
    candidate->begin = G_MAXUINT32;
    candidate->place = NOT_ASSIGNED;
    candidate->apart = NOBODY;
    for (guint w = 0; w < candidate->words; w++) {
        const WsSegment *segment = ws_liveness_first(a->liveness, first_variable(a, c) + w);
        for (; segment != NULL; segment = ws_liveness_next(a->liveness, segment)) {
            candidate->begin = MIN(candidate->begin, segment->begin);
            candidate->end = MAX(candidate->end, segment->end);
            candidate->length += segment->end - segment->begin;
        }
    }
}

static void add_hint(Allocator *a, guint32 c, guint32 other, gint32 distance)
{
    Candidate *candidate = &a->candidates[c];
    if (candidate->hints < MAX_HINTS)
        candidate->hint[candidate->hints++] = (Hint){other, distance};
}

static void note_copy(Allocator *a, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    const WsOperand *from = &instruction->operand[1];
    if (instruction->opcode != WS_OP_MOV || from->kind != WS_OPERAND_REGISTER ||
        to->index < WS_VIRTUAL_BASE || from->index < WS_VIRTUAL_BASE)
        return;
    gint32 distance = (gint32)from->bank - (gint32)to->bank;
    add_hint(a, to->index - WS_VIRTUAL_BASE, from->index - WS_VIRTUAL_BASE, distance);
    add_hint(a, from->index - WS_VIRTUAL_BASE, to->index - WS_VIRTUAL_BASE, -distance);
}

/* The sum has a carry out: its result is the low word of a pair. */
static gboolean carries(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_IADD3 && instruction->operand[1].index != WS_PT;
}

/*
 * A result of the XU pipe takes another register than its operand where that is the low word of a
 * pair, and where the result is changed under a guard, as in code compiled by ptxas: there a pair
 * keeps its registers until both words have been read. An instruction of this pipe that overwrites
 * its operand waits longer.
 */
static void note_apart(Allocator *a, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    if (ws_class_pipe(ws_instruction_class(instruction)) != WS_PIPE_XU ||
        to->kind != WS_OPERAND_REGISTER || to->index < WS_VIRTUAL_BASE)
        return;
    Candidate *result = &a->candidates[to->index - WS_VIRTUAL_BASE];
    for (guint n = 1; n < instruction->operand_count; n++) {
        const WsOperand *from = &instruction->operand[n];
        if (from->kind == WS_OPERAND_REGISTER && from->index >= WS_VIRTUAL_BASE &&
            (result->is_guarded || a->candidates[from->index - WS_VIRTUAL_BASE].is_low))
            result->apart = from->index - WS_VIRTUAL_BASE;
    }
}

static void note_all_apart(Allocator *a)
{
    for (guint pass = 0; pass < 2; pass++) {
        for (guint32 b = 0; b < a->function->blocks->len; b++) {
            const WsIrBlock *block = ws_ir_block(a->function, b);
            for (guint i = 0; i < block->instructions->len; i++) {
                const WsInstruction *instruction =
                    &g_array_index(block->instructions, WsInstruction, i);
                const WsOperand *to = &instruction->operand[0];
                if (pass == 1) {
                    note_apart(a, instruction);
                } else if (to->kind == WS_OPERAND_REGISTER && to->index >= WS_VIRTUAL_BASE &&
                           ws_operand_is_destination(instruction, 0)) {
                    Candidate *candidate = &a->candidates[to->index - WS_VIRTUAL_BASE];
                    candidate->is_guarded |= ws_is_guarded(instruction);
                    candidate->is_low |= carries(instruction);
                }
            }
        }
    }
}

static void add_partner(Allocator *a, const WsOperand *word, const WsOperand *other, double weight)
{
    Candidate *candidate = &a->candidates[word->index - WS_VIRTUAL_BASE];
    if (candidate->words > 1 || candidate->partners >= MAX_PARTNERS)
        return;
    Partner partner = {other->index - WS_VIRTUAL_BASE, (word->bank + other->bank) % 2 != 0, weight,
                       candidate->partner};
    g_array_append_val(a->partners, partner);
    candidate->partner = a->partners->len;
    candidate->partners++;
}

/*
 * Words that an instruction reads through the ports of the register banks: ptxas gives those of two
 * operands to different banks (875 of 936 instructions of the workloads; of 454 with three none had
 * all in one). Of three, two must share a bank: rather the second and the third (398 of 458 there),
 * and where these cannot, rather the first and the third (shifts of 64 bits to the right).
 */
static void note_partners(Allocator *a, const WsInstruction *instruction, double weight)
{
    static const double later = 0.005; /* so little that it decides only between equals */
    gint slots[WS_OPERAND_SLOTS];
    if (!ws_pipe_has_operand_slots(ws_class_pipe(ws_instruction_class(instruction))))
        return;
    ws_operand_slots(instruction, slots);
    for (guint i = 0; i < WS_OPERAND_SLOTS; i++) {
        for (guint k = 0; k < WS_OPERAND_SLOTS; k++) {
            if (i == k || slots[i] < 0 || slots[k] < 0)
                continue;
            const WsOperand *x = &instruction->operand[slots[i]];
            const WsOperand *y = &instruction->operand[slots[k]];
            if (x->index >= WS_VIRTUAL_BASE && y->index >= WS_VIRTUAL_BASE &&
                ws_operand_width(instruction, (guint)slots[i]) == 1 &&
                ws_operand_width(instruction, (guint)slots[k]) == 1 &&
                (x->index != y->index || x->bank != y->bank))
                add_partner(a, x, y, weight * (1 - later * (i + k)));
        }
    }
}

/* Memory instructions read their registers when they leave their queue. */
static void note_end(Allocator *a, const WsInstruction *instruction, const WsAccess *access,
                     guint32 number)
{
    Candidate *candidate = &a->candidates[access->index - WS_VIRTUAL_BASE];
    if (!access->write && candidate->end == 2 * number + 1)
        candidate->ends_late =
            ws_is_load(instruction) || ws_is_store(instruction) || ws_is_atomic(instruction);
}

static void weigh(Allocator *a)
{
    guint32 number = 0;
    for (guint32 b = 0; b < a->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(a->function, b);
        double scale = pow(10, MIN(block->loop_depth, 8));
        for (guint i = 0; i < ws_ir_length(block); i++, number++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            WsAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(instruction, accesses);
            for (guint n = 0; n < count; n++) {
                guint file = a->predicates ? WS_FILE_PREDICATE : WS_FILE_REGISTER;
                if (accesses[n].file != file || accesses[n].index < WS_VIRTUAL_BASE)
                    continue;
                Candidate *candidate = &a->candidates[accesses[n].index - WS_VIRTUAL_BASE];
                candidate->weight += scale;
                candidate->is_passed |=
                    instruction->opcode == WS_OP_CALL || instruction->opcode == WS_OP_RET;
                note_end(a, instruction, &accesses[n], number);
            }
            if (a->predicates)
                continue;
            note_copy(a, instruction);
            note_partners(a, instruction, scale);
        }
    }
}

/* ---- placing ----------------------------------------------------------------------------------
 */

static void mark(Allocator *a, guint32 c, gboolean set)
{
    const Candidate *candidate = &a->candidates[c];
    for (guint w = 0; w < candidate->words; w++) {
        guint place = candidate->place + w;
        const WsSegment *segment = ws_liveness_first(a->liveness, first_variable(a, c) + w);
        for (; segment != NULL; segment = ws_liveness_next(a->liveness, segment)) {
            if (set)
                ws_taken_registers_enter(&a->taken, segment->begin, segment->end, place);
            else
                ws_taken_registers_take_out(&a->taken, segment->begin, segment->end, place);
        }
    }
}

static void forbidden_places(const Allocator *a, guint32 c, guint64 ret[][SET_WORDS])
{
    for (guint w = 0; w < a->candidates[c].words; w++) {
        memset(ret[w], 0, sizeof(ret[w]));
        const WsSegment *segment = ws_liveness_first(a->liveness, first_variable(a, c) + w);
        for (; segment != NULL; segment = ws_liveness_next(a->liveness, segment))
            ws_taken_registers_ask(&a->taken, segment->begin, segment->end, ret[w]);
    }
}

static gboolean is_free(const Allocator *a, guint words, guint64 forbidden[][SET_WORDS],
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
static void conflicts_with_placed(const Allocator *a, const Candidate *candidate, double ret[2])
{
    ret[0] = ret[1] = 0;
    for (guint32 at = candidate->partner; at != 0;) {
        const Partner *partner = &g_array_index(a->partners, Partner, at - 1);
        const Candidate *other = &a->candidates[partner->other];
        if (other->place != NOT_ASSIGNED)
            ret[(other->place + partner->odd) % 2] += partner->weight;
        at = partner->next;
    }
}

/*
 * The same by all words: one that is still to be placed will have the bank that those which have a
 * place leave to it, if they do not leave it both.
 */
static void conflicts(const Allocator *a, const Candidate *candidate, double ret[2])
{
    conflicts_with_placed(a, candidate, ret);
    for (guint32 at = candidate->partner; at != 0;) {
        const Partner *partner = &g_array_index(a->partners, Partner, at - 1);
        const Candidate *other = &a->candidates[partner->other];
        at = partner->next;
        if (other->place != NOT_ASSIGNED)
            continue;
        double its[2];
        conflicts_with_placed(a, other, its);
        if (its[0] != its[1])
            ret[((its[1] < its[0]) + partner->odd) % 2] += partner->weight;
    }
}

/* TRUE if the one who writes the place first may have to wait for a late reader of what was there.
 */
static gboolean is_still_read(const Allocator *a, const Candidate *candidate, guint place)
{
    enum { LATE = 24 }; /* positions, two an instruction */
    if (!a->spread || a->newest[place] == 0)
        return FALSE;
    const Candidate *before = &a->candidates[a->newest[place] - 1];
    return before->ends_late && before->end <= candidate->begin + 1 &&
           candidate->begin <= before->end + LATE;
}

/* The end of the places that cost no warps if `used` are used. */
static guint free_places(const Allocator *a, guint used)
{
    guint allocated = (MAX(a->high, used) + ALLOCATED - 1) / ALLOCATED * ALLOCATED;
    return MIN(a->cap, MAX(allocated, a->function->register_goal));
}

/*
 * For one word: of the places that cost no warps, one of the better bank, then rather one
 * that fills the other half of a pair that is taken anyway, so that pairs stay free.
 */
static guint choose_single(const Allocator *a, const Candidate *candidate, const guint64 *forbidden)
{
    guint avoided =
        candidate->apart == NOBODY ? NOT_ASSIGNED : a->candidates[candidate->apart].place;
    guint best = NOT_ASSIGNED, end = a->cap;
    double least = 0, cost[2] = {0};
    gboolean best_fills = FALSE;
    if (a->spread)
        conflicts(a, candidate, cost);
    for (guint place = 0; place < end; place++) {
        if (in_set(forbidden, place) || place == avoided)
            continue;
        if (best == NOT_ASSIGNED)
            end = free_places(a, place + 1);
        double weight =
            cost[place % 2] + (is_still_read(a, candidate, place) ? candidate->weight : 0);
        gboolean fills = place < a->high && in_set(forbidden, place ^ 1);
        if (best != NOT_ASSIGNED && (weight > least || (weight == least && best_fills >= fills)))
            continue;
        best = place;
        least = weight;
        best_fills = fills;
    }
    gboolean costs = best >= free_places(a, 0);
    return avoided != NOT_ASSIGNED && costs && !in_set(forbidden, avoided) ? avoided : best;
}

/* For several words: the lowest free place, rather one that nobody reads late, if that is free. */
static guint choose_wide(const Allocator *a, const Candidate *candidate,
                         guint64 forbidden[][SET_WORDS])
{
    guint best = NOT_ASSIGNED, end = a->cap;
    guint64 begins[SET_WORDS] = {0}; /* where it may not begin */
    for (guint w = 0; w < candidate->words; w++) {
        for (guint i = 0; i < SET_WORDS; i++)
            begins[i] |= forbidden[w][i] >> w;
    }
    for (guint place = 0; place + candidate->words <= end; place += candidate->words) {
        gboolean late = FALSE;
        if (in_set(begins, place))
            continue;
        for (guint w = 0; w < candidate->words; w++)
            late |= is_still_read(a, candidate, place + w);
        if (!late)
            return place;
        if (best == NOT_ASSIGNED) {
            best = place;
            end = free_places(a, place + candidate->words);
        }
    }
    return best;
}

/* The lowest free place, or one a copy asks for, or one of the better bank. */
static guint choose_place(const Allocator *a, guint32 c)
{
    const Candidate *candidate = &a->candidates[c];
    guint64 forbidden[4][SET_WORDS];
    forbidden_places(a, c, forbidden);
    for (guint h = 0; h < candidate->hints; h++) {
        const Candidate *other = &a->candidates[candidate->hint[h].other];
        if (other->place == NOT_ASSIGNED)
            continue;
        gint64 place = (gint64)other->place + candidate->hint[h].distance;
        if (is_free(a, candidate->words, forbidden, place))
            return (guint)place;
    }
    return candidate->words == 1 ? choose_single(a, candidate, forbidden[0])
                                 : choose_wide(a, candidate, forbidden);
}

static gboolean words_overlap(const Allocator *a, guint32 x, guint32 y)
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

static gboolean lives_overlap(const Allocator *a, guint32 x, guint32 y)
{
    const Candidate *p = &a->candidates[x];
    const Candidate *q = &a->candidates[y];
    if (p->begin >= q->end || q->begin >= p->end)
        return FALSE;
    for (guint i = 0; i < p->words; i++) {
        for (guint j = 0; j < q->words; j++) {
            if (words_overlap(a, first_variable(a, x) + i, first_variable(a, y) + j))
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
static double spill_cost(const Allocator *a, guint32 c)
{
    const Candidate *candidate = &a->candidates[c];
    gboolean kept = a->predicates && candidate->length > 2 * WS_MAX_OPERANDS;
    if ((c >= a->first_temporary && !kept) || candidate->length <= 2u * candidate->words ||
        candidate->is_passed)
        return INFINITY;
    return candidate->weight / candidate->length;
}

static void spill(Allocator *a, guint32 c)
{
    if (a->candidates[c].place != NOT_ASSIGNED)
        mark(a, c, FALSE);
    a->candidates[c].place = NOT_ASSIGNED;
    a->spilled[c] = TRUE;
    a->any_spilled = TRUE;
}

/* Ascending; most come in order, and few live at once. */
static void sort_placed(Allocator *a)
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
static void keep_living(Allocator *a, guint32 c)
{
    guint kept = 0;
    for (guint i = 0; i < a->placed->len; i++) {
        guint32 o = g_array_index(a->placed, guint32, i);
        if (a->candidates[o].place != NOT_ASSIGNED && a->candidates[o].end > a->candidates[c].begin)
            g_array_index(a->placed, guint32, kept++) = o;
    }
    g_array_set_size(a->placed, kept);
    sort_placed(a);
}

/* Finds the place whose owners cost least, and spills them or `c` itself. FALSE: impossible. */
static gboolean make_room(Allocator *a, guint32 c)
{
    guint words = a->candidates[c].words;
    double cost[256] = {0};
    keep_living(a, c);
    for (guint i = 0; i < a->placed->len; i++) {
        guint32 o = g_array_index(a->placed, guint32, i);
        const Candidate *other = &a->candidates[o];
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
        const Candidate *other = &a->candidates[o];
        if (other->place != NOT_ASSIGNED && other->place < best + words &&
            best < other->place + other->words && lives_overlap(a, c, o))
            spill(a, o);
    }
    return TRUE;
}

static gboolean place_one(Allocator *a, guint32 c)
{
    guint place = choose_place(a, c);
    if (place == NOT_ASSIGNED) {
        if (!make_room(a, c))
            return FALSE;
        if (a->spilled[c])
            return TRUE;
        place = choose_place(a, c);
        if (place == NOT_ASSIGNED)
            return FALSE;
    }
    Candidate *candidate = &a->candidates[c];
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
    const Candidate *candidates = data;
    guint32 i = *(const guint32 *)x;
    guint32 j = *(const guint32 *)y;
    const Candidate *p = &candidates[i];
    const Candidate *q = &candidates[j];
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    if (p->words != q->words)
        return p->words > q->words ? -1 : 1;
    return i < j ? -1 : i > j;
}

static gboolean place_all(Allocator *a)
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

static void allocator_init(Allocator *a, WsIrFunction *function, gboolean predicates, guint cap)
{
    *a = (Allocator){.function = function, .predicates = predicates, .cap = cap};
    a->liveness = ws_liveness_new(function);
    a->count = predicates ? function->predicate_count : function->registers->len;
    a->first_temporary = a->count;
    a->candidates = g_new0(Candidate, a->count + 1);
    a->spilled = g_new0(guint8, a->count + 1);
    a->partners = g_array_new(FALSE, FALSE, sizeof(Partner));
    a->placed = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_taken_registers_init(&a->taken, 2 * a->liveness->instruction_count + 2);
    for (guint32 c = 0; c < a->count; c++) {
        a->candidates[c].words =
            predicates ? 1 : g_array_index(function->registers, WsIrRegister, c).words;
        measure_life(a, c);
    }
    weigh(a);
    if (!predicates)
        note_all_apart(a);
}

static void allocator_clear(Allocator *a)
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

static guint32 place_of(const Allocator *a, guint32 index, guint word)
{
    guint32 place = a->candidates[index - WS_VIRTUAL_BASE].place;
    /* What never lives is read on no path: any register will do. */
    return place == NOT_ASSIGNED ? word : place + word;
}

static void rewrite_registers(const Allocator *a, WsInstruction *instruction)
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

static void rewrite_predicates(const Allocator *a, WsInstruction *instruction)
{
    if (instruction->guard >= WS_VIRTUAL_BASE)
        instruction->guard = place_of(a, instruction->guard, 0);
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        if (operand->kind == WS_OPERAND_PREDICATE && operand->index >= WS_VIRTUAL_BASE)
            operand->index = place_of(a, operand->index, 0);
    }
}

static void rewrite(const Allocator *a)
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
        Allocator a;
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
