/* Sets and maps that share, against plain arrays. */
#include "isa/ir/shared_maps.h"
#include "isa/ir/shared_sets.h"
#include "tests/support/suite.h"

#include <string.h>

enum { LIMITS = 6, LARGEST = 5000, SETS = 40, STEPS = 400 };

static const guint32 limits[LIMITS] = {0, 1, 64, 65, 700, LARGEST};

typedef struct {
    WsSharedSet set;
    guint8 has[LARGEST];
} Pair;

static gboolean is_at(const GArray *list, guint at, guint32 number)
{
    return at < list->len && g_array_index(list, guint32, at) == number;
}

static void check_pair(const WsSharedSets *sets, const Pair *pair, guint32 limit)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_shared_set_list(sets, pair->set, WS_SHARED_SET_EMPTY, list);
    guint at = 0, wrong = 0; /* an assertion each would take longer than what it asserts */
    for (guint32 n = 0; n < limit; n++) {
        wrong += ws_shared_set_contains(sets, pair->set, n) != pair->has[n];
        if (pair->has[n])
            wrong += !is_at(list, at++, n);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(list->len, at);
    ck_assert(!ws_shared_set_contains(sets, pair->set, G_MAXUINT32));
}

/* Runs of neighbours and single numbers, ascending. */
static void fill(WsSharedSets *sets, Pair *pair, GRand *random, guint32 limit)
{
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 step = (guint32)g_rand_int_range(random, 1, 200);
    memset(pair->has, 0, sizeof(pair->has));
    for (guint32 n = 0; n < limit; n += (guint32)g_rand_int_range(random, 1, (gint32)step + 1)) {
        pair->has[n] = TRUE;
        g_array_append_val(numbers, n);
    }
    pair->set = ws_shared_set_with(sets, WS_SHARED_SET_EMPTY,
                                   (const guint32 *)(void *)numbers->data, numbers->len);
}

static void make_union(WsSharedSets *sets, const Pair *a, const Pair *b, Pair *ret)
{
    for (guint32 n = 0; n < LARGEST; n++)
        ret->has[n] = a->has[n] | b->has[n];
    ret->set = ws_shared_set_union(sets, a->set, b->set);
}

static void make_intersection(WsSharedSets *sets, const Pair *a, const Pair *b, Pair *ret)
{
    for (guint32 n = 0; n < LARGEST; n++)
        ret->has[n] = a->has[n] & b->has[n];
    ret->set = ws_shared_set_intersection(sets, a->set, b->set);
}

static void make_changed(WsSharedSets *sets, const Pair *a, const Pair *b, Pair *ret, gboolean add)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 n = 0; n < LARGEST; n++) {
        ret->has[n] = add ? a->has[n] | b->has[n] : a->has[n] & !b->has[n];
        if (b->has[n])
            g_array_append_val(list, n);
    }
    ret->set = (add ? ws_shared_set_with : ws_shared_set_without)(
        sets, a->set, (const guint32 *)(void *)list->data, list->len);
}

static void make(WsSharedSets *sets, guint way, const Pair *a, const Pair *b, Pair *ret)
{
    if (way == 0)
        make_union(sets, a, b, ret);
    else if (way == 1)
        make_intersection(sets, a, b, ret);
    else
        make_changed(sets, a, b, ret, way == 2);
}

static void check_difference(const WsSharedSets *sets, const Pair *a, const Pair *b)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_shared_set_list(sets, a->set, b->set, list);
    guint at = 0, wrong = 0;
    for (guint32 n = 0; n < LARGEST; n++) {
        if (a->has[n] && !b->has[n])
            wrong += !is_at(list, at++, n);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(list->len, at);
}

START_TEST(test_operations)
{
    guint32 limit = limits[_i];
    WsSharedSets *sets = ws_shared_sets_new(limit);
    GRand *random = g_rand_new_with_seed((guint32)_i);
    Pair *pairs = g_new0(Pair, SETS);
    for (guint p = 0; p < SETS / 2; p++)
        fill(sets, &pairs[p], random, limit);
    for (guint step = 0; step < STEPS; step++) {
        const Pair *a = &pairs[g_rand_int_range(random, 0, SETS)];
        const Pair *b = &pairs[g_rand_int_range(random, 0, SETS)];
        Pair made;
        make(sets, step % 4, a, b, &made);
        check_pair(sets, &made, limit);
        check_difference(sets, a, b);
        /* Equal sets are equal handles, whatever they came from. */
        for (guint p = 0; p < SETS; p++)
            ck_assert_int_eq(made.set == pairs[p].set,
                             memcmp(made.has, pairs[p].has, LARGEST) == 0);
        pairs[g_rand_int_range(random, 0, SETS)] = made;
    }
    g_free(pairs);
    g_rand_free(random);
    ws_shared_sets_free(sets);
}
END_TEST

/* ---- maps ---- */

typedef struct {
    WsSharedMap map;
    guint32 value[LARGEST];
} Model;

typedef struct {
    GArray *found; /* of guint64: both values of a difference */
} Differences;

static void note(guint32 a, guint32 b, gpointer data)
{
    Differences *differences = data;
    guint64 both = a | (guint64)b << 32;
    g_array_append_val(differences->found, both);
}

static void check_differences(const WsSharedMaps *maps, const Model *a, const Model *b,
                              const Pair *within, guint32 limit)
{
    Differences differences = {g_array_new(FALSE, FALSE, sizeof(guint64))};
    ws_shared_map_compare(maps, a->map, b->map, within->set, note, &differences);
    guint at = 0, wrong = 0;
    for (guint32 n = 0; n < limit; n++) {
        if (!within->has[n] || a->value[n] == b->value[n] || a->value[n] == 0 || b->value[n] == 0)
            continue;
        guint64 both = a->value[n] | (guint64)b->value[n] << 32;
        wrong +=
            at >= differences.found->len || g_array_index(differences.found, guint64, at) != both;
        at++;
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(differences.found->len, at);
    g_array_unref(differences.found);
}

START_TEST(test_maps)
{
    guint32 limit = limits[_i];
    if (limit == 0)
        return;
    WsSharedSets *sets = ws_shared_sets_new(limit);
    WsSharedMaps *maps = ws_shared_maps_new(sets);
    GRand *random = g_rand_new_with_seed(100 + (guint32)_i);
    Model *models = g_new0(Model, SETS);
    Pair within;
    for (guint step = 0; step < STEPS; step++) {
        const Model *from = &models[g_rand_int_range(random, 0, SETS)];
        Model *to = &models[g_rand_int_range(random, 0, SETS)];
        *to = *from;
        for (guint i = 0; i < 20; i++) {
            guint32 number = (guint32)g_rand_int_range(random, 0, (gint32)limit);
            guint32 value = (guint32)g_rand_int_range(random, 0, 6);
            to->value[number] = value;
            to->map = ws_shared_map_set(maps, to->map, number, value);
        }
        guint wrong = 0;
        for (guint32 n = 0; n < limit; n++)
            wrong += ws_shared_map_get(maps, to->map, n) != to->value[n];
        ck_assert_uint_eq(wrong, 0);
        fill(sets, &within, random, limit);
        check_differences(maps, to, &models[step % SETS], &within, limit);
    }
    g_free(models);
    g_rand_free(random);
    ws_shared_maps_free(maps);
    ws_shared_sets_free(sets);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_operations, 0, LIMITS);
    tcase_add_loop_test(cases, test_maps, 0, LIMITS);
}

int main(void)
{
    return run_suite("shared_sets", add_tests);
}
