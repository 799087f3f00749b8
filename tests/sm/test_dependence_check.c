#include "sim/sm/dependence_check.h"
#include "tests/sm/units.h"

/* Registers 0 to 3, then a predicate. Class 1 has a result that serves relation 0 at once and
 * relation 1 three cycles later; class 2 is waited for as a short scoreboard. */
enum { REGISTERS = 4, PREDICATE = REGISTERS, ENTRIES, FAST = 1, SHARED = 2, LOAD = 3 };

static WsIssueTable *table;
static WsDependence dependences[16];

static void setup(void)
{
    table = g_new0(WsIssueTable, 1);
    table->dependences = dependences;
    table->first_predicate = REGISTERS;
    table->later[FAST][1] = 3;
    table->later[FAST][2] = -2;
    table->latest = 3;
    table->wait[FAST] = table->wait[FAST + WS_VARIABLE] = WS_WAIT_FIXED;
    table->wait[SHARED] = table->wait[SHARED + WS_VARIABLE] = WS_WAIT_SHORT;
    table->wait[LOAD] = table->wait[LOAD + WS_VARIABLE] = WS_WAIT_LONG;
}

static void teardown(void)
{
    g_free(table);
}

/* An operand written by a class with a result at 100, read in a relation: when it is there. */
START_TEST(operand_cycles)
{
    static const struct {
        guint kind, relation;
        guint64 ready;
        guint wait;
    } rows[] = {
        {FAST, 0, 100, WS_WAIT_FIXED},
        {FAST, 1, 103, WS_WAIT_FIXED},
        {FAST, 2, 98, WS_WAIT_FIXED},
        {SHARED + WS_VARIABLE, 1, 100, WS_WAIT_SHORT}, /* exact: no differences */
        {LOAD + WS_VARIABLE, 0, 100, WS_WAIT_LONG},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint64 entries[ENTRIES] = {[2] = ws_entry(100, rows[i].kind)}, until[WS_WAIT_COUNT] = {0};
        WsIssueInfo issue = {.inputs = 1, .quick_inputs = 1};

        dependences[0] = issue.quick_input[0] = (WsDependence){2, (guint16)rows[i].relation};
        ck_assert(!ws_operands_are_ready(table, entries, &issue, rows[i].ready - 1));
        ck_assert(ws_operands_are_ready(table, entries, &issue, rows[i].ready));
        ck_assert(ws_operands_are_ready(table, entries, &issue, rows[i].ready + 1));
        ws_find_waits(table, entries, &issue, 0, until);
        for (guint w = 0; w < WS_WAIT_COUNT; w++)
            ck_assert_uint_eq(until[w], w == rows[i].wait ? rows[i].ready : 0);
        issue.quick_inputs = WS_NOT_QUICK;
        ck_assert(!ws_operands_are_ready(table, entries, &issue, 1000));
    }
}
END_TEST

/* Of each kind of wait the last operand counts. */
START_TEST(latest_of_a_kind)
{
    guint64 entries[ENTRIES] = {ws_entry(10, FAST), ws_entry(30, FAST), ws_entry(20, FAST),
                                ws_entry(50, LOAD + WS_VARIABLE)};
    guint64 until[WS_WAIT_COUNT] = {[WS_WAIT_SHORT] = 7, [WS_WAIT_FIXED] = 5};
    const WsIssueInfo issue = {.inputs = 4};

    for (guint16 i = 0; i < 4; i++)
        dependences[i] = (WsDependence){i, 0};
    ws_find_waits(table, entries, &issue, 0, until);
    ck_assert_uint_eq(until[WS_WAIT_FIXED], 30);
    ck_assert_uint_eq(until[WS_WAIT_SHORT], 7);
    ck_assert_uint_eq(until[WS_WAIT_LONG], 50);
}
END_TEST

/* Results that were there before the last issue are no reason: nothing is said of them. */
START_TEST(old_results)
{
    guint64 entries[ENTRIES] = {ws_entry(96, FAST), ws_entry(97, FAST)};
    guint64 until[WS_WAIT_COUNT] = {0};
    const WsIssueInfo issue = {.inputs = 1};

    dependences[0] = (WsDependence){0, 1};
    ws_find_waits(table, entries, &issue, 100, until); /* there at 99 */
    ck_assert_uint_eq(until[WS_WAIT_FIXED], 0);
    dependences[0] = (WsDependence){1, 1};
    ws_find_waits(table, entries, &issue, 100, until); /* there at 100 */
    ck_assert_uint_eq(until[WS_WAIT_FIXED], 100);
}
END_TEST

/* A write of latency 4 comes after the write before it: it may issue 3 cycles before that is there,
 * if that has a fixed latency too. */
START_TEST(write_after_write)
{
    static const struct {
        guint kind;
        guint64 issues;
    } rows[] = {{FAST, 97}, {LOAD + WS_VARIABLE, 100}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint64 entries[ENTRIES] = {ws_entry(100, rows[i].kind)}, until[WS_WAIT_COUNT] = {0};
        const WsIssueInfo issue = {.outputs = 1, .ordered = 1, .latency = 4};

        dependences[0] = (WsDependence){0, 0};
        ws_find_waits(table, entries, &issue, 0, until);
        ck_assert_uint_eq(until[table->wait[rows[i].kind]], rows[i].issues);
        /* Where the order is no matter, nobody waits. */
        WsIssueInfo free = issue;
        free.ordered = 0;
        until[table->wait[rows[i].kind]] = 0;
        ws_find_waits(table, entries, &free, 0, until);
        ck_assert_uint_eq(until[table->wait[rows[i].kind]], 0);
    }
}
END_TEST

/* A store reads registers 1 and 2 until 50: who writes one of them waits, who writes another or a
 * predicate does not. The longest read counts. */
START_TEST(write_after_read)
{
    const WsIssueInfo store = {.war_reads = 2, .execution_class = LOAD};
    guint64 war[ENTRIES] = {0};

    dependences[0] = (WsDependence){1, 0};
    dependences[1] = (WsDependence){2, 0};
    ws_set_war_reads(table, war, &store, 50);
    ws_set_war_reads(table, war, &store, 40);
    ck_assert_uint_eq(ws_entry_cycle(war[1]), 50);
    ck_assert_uint_eq(war[0] | war[3], 0);
    for (guint16 written = 0; written < ENTRIES; written++) {
        const WsIssueInfo issue = {.first = 4, .outputs = 1};
        guint64 until[WS_WAIT_COUNT] = {0};
        gboolean waits = written == 1 || written == 2;

        dependences[4] = (WsDependence){written, 0};
        ws_find_war_waits(table, war, &issue, until);
        ck_assert_uint_eq(until[WS_WAIT_LONG], waits ? 50 : 0);
        ck_assert_int_eq(ws_outputs_are_read(table, war, &issue, 49), !waits);
        ck_assert(ws_outputs_are_read(table, war, &issue, 50));
    }
}
END_TEST

/* The lists of an instruction lie one behind the other. */
START_TEST(lists)
{
    const WsIssueInfo issue = {.first = 2,
                               .inputs = 3,
                               .outputs = 1,
                               .war_reads = 2,
                               .checks = 4,
                               .execution_class = FAST};
    guint64 entries[ENTRIES] = {0};

    ck_assert_ptr_eq(ws_issue_inputs(table, &issue), &dependences[2]);
    ck_assert_ptr_eq(ws_issue_outputs(table, &issue), &dependences[5]);
    ck_assert_ptr_eq(ws_issue_war_reads(table, &issue), &dependences[6]);
    ck_assert_ptr_eq(ws_issue_checks(table, &issue), &dependences[8]);
    ck_assert_ptr_eq(ws_issue_frozen(table, &issue), &dependences[12]);
    dependences[5] = (WsDependence){3, 0};
    ws_set_outputs(table, entries, &issue, 77);
    ck_assert_uint_eq(entries[3], 77);
    ck_assert_uint_eq(entries[0] | entries[1] | entries[2] | entries[PREDICATE], 0);
}
END_TEST

void add_dependence_check(TCase *cases)
{
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, operand_cycles);
    tcase_add_test(cases, latest_of_a_kind);
    tcase_add_test(cases, old_results);
    tcase_add_test(cases, write_after_write);
    tcase_add_test(cases, write_after_read);
    tcase_add_test(cases, lists);
}
