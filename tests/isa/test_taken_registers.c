/* The segment tree of taken registers, against a table of registers and positions. */
#include "isa/codegen/taken_registers.h"
#include "tests/support/suite.h"

#include <string.h>

enum { SIZES = 7, LONGEST = 1000, PLACES = 64 * WS_REGISTER_SET_WORDS, STEPS = 3000, ENTERED = 60 };

static const guint32 sizes[SIZES] = {0, 1, 2, 3, 17, 64, LONGEST};

typedef struct {
    guint32 begin, end;
    guint place;
} Life;

typedef struct {
    WsTakenRegisters tree;
    guint16 taken[LONGEST][PLACES]; /* lives there */
    guint32 positions;
} Pair;

static void change(Pair *pair, const Life *life, gboolean enter)
{
    if (enter)
        ws_taken_registers_enter(&pair->tree, life->begin, life->end, life->place);
    else
        ws_taken_registers_take_out(&pair->tree, life->begin, life->end, life->place);
    for (guint32 at = life->begin; at < life->end; at++)
        pair->taken[at][life->place] = (guint16)(pair->taken[at][life->place] + (enter ? 1 : -1));
}

static void check(const Pair *pair, guint32 begin, guint32 end)
{
    guint64 got[WS_REGISTER_SET_WORDS] = {0}, want[WS_REGISTER_SET_WORDS] = {0};
    for (guint32 at = begin; at < end; at++) {
        for (guint place = 0; place < PLACES; place++) {
            if (pair->taken[at][place] > 0)
                want[place / 64] |= G_GUINT64_CONSTANT(1) << (place % 64);
        }
    }
    ws_taken_registers_ask(&pair->tree, begin, end, got);
    ck_assert_mem_eq(got, want, sizeof(got));
}

static guint32 below(GRand *random, guint32 n)
{
    return n == 0 ? 0 : (guint32)g_rand_int_range(random, 0, (gint32)n);
}

static gboolean is_free(const Pair *pair, const Life *life)
{
    for (guint32 at = life->begin; at < life->end; at++) {
        if (pair->taken[at][life->place] > 0)
            return FALSE;
    }
    return TRUE;
}

/* Lives of all lengths come and go; two of one register never meet, as in the allocator. */
START_TEST(test_against_table)
{
    Pair *pair = g_new0(Pair, 1);
    Life entered[ENTERED];
    guint count = 0;
    GRand *random = g_rand_new_with_seed((guint32)_i);
    pair->positions = sizes[_i];
    ws_taken_registers_init(&pair->tree, pair->positions);
    for (guint step = 0; step < STEPS; step++) {
        guint32 begin = below(random, pair->positions + 1);
        Life life = {begin, begin + below(random, pair->positions - begin + 1),
                     below(random, step % 2 ? 4 : PLACES)};
        if (count < ENTERED && is_free(pair, &life)) {
            change(pair, &life, TRUE);
            entered[count++] = life;
        }
        if (count > 0 && below(random, 2) == 0) {
            guint out = below(random, count);
            change(pair, &entered[out], FALSE);
            entered[out] = entered[--count];
        }
        if (step % 8 == 0)
            check(pair, begin, begin + below(random, pair->positions - begin + 1));
    }
    while (count > 0)
        change(pair, &entered[--count], FALSE);
    check(pair, 0, pair->positions);
    g_rand_free(random);
    ws_taken_registers_clear(&pair->tree);
    g_free(pair);
}
END_TEST

/* What is asked for is added to what the set has. */
START_TEST(test_adds)
{
    WsTakenRegisters tree;
    guint64 set[WS_REGISTER_SET_WORDS] = {1, 0, 0, 8};
    const guint64 want[WS_REGISTER_SET_WORDS] = {1, 2, 0, 8};
    ws_taken_registers_init(&tree, 10);
    ws_taken_registers_enter(&tree, 3, 5, 65);
    ws_taken_registers_ask(&tree, 0, 3, set);
    ck_assert_uint_eq(set[1], 0);
    ws_taken_registers_ask(&tree, 5, 10, set);
    ck_assert_uint_eq(set[1], 0);
    ws_taken_registers_ask(&tree, 4, 5, set);
    ck_assert_mem_eq(set, want, sizeof(set));
    ws_taken_registers_clear(&tree);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_against_table, 0, SIZES);
    tcase_add_test(cases, test_adds);
}

int main(void)
{
    return run_suite("taken_registers", add_tests);
}
