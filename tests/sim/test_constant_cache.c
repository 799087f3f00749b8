/* Caches of constants, alone: from which cycle on a line is there, by where it was. */
#include "sim/fetch/constant_cache.h"
#include "tests/support/suite.h"

enum { LOAD, OPERAND, QUEUE, ROOM, BEGIN };

/*
 * LDC or ULDC asks L1 for a line, an operand its sub-core's L0. QUEUE: `line` says how many cycles
 * of the LDC that ends at `cycle` it waits for lines. ROOM: from when on there is room for an LDC.
 */
typedef struct {
    guint what, sub_core;
    guint32 line;
    guint64 cycle, ready;
} Step;

/* Line of bank 3; four make a line of L1.5. */
#define BANK_3(line) (3 * WS_CONSTANT_BANK_BYTES / WS_CONSTANT_LINE_BYTES + (line))

typedef struct {
    WsDevice *device;
    WsLineDirectory in_l2;
    WsConstantCache *cache;
} Machine;

/* L0 of 2 lines, L1 of 4, L1.5 of 2; SM 2, to which the way is 3 cycles longer. */
static Machine machine_new(const char *parameters, const char *queue)
{
    g_autofree char *sent = g_strconcat("launch.parameters=", parameters, NULL);
    g_autofree char *room = g_strconcat("constant.queue=", queue, NULL);
    const char *settings[] = {"sub_cores=2",
                              "fetch.model=cached",
                              "constant.ways=4",
                              "constant.l0.bytes=128",
                              "constant.l1.bytes=256",
                              "constant.l15.bytes=512",
                              "constant.l1.latency=10",
                              "constant.l15.latency=30",
                              "constant.l2.latency=200",
                              "constant.memory.latency=600",
                              "constant.sm_latency_milli=1500",
                              "launch.parameter_latency=50",
                              "launch.parameter_interval_milli=2000",
                              sent,
                              room,
                              NULL};
    Machine machine = {0};
    GError *error = NULL;

    machine.device = ws_device_load("textbook", settings, &error);
    ck_assert_msg(machine.device != NULL, "%s", error ? error->message : "");
    return machine;
}

static void machine_start(Machine *machine)
{
    ws_line_directory_init(&machine->in_l2, NULL, WS_CONSTANT_L15_LINES);
    machine->cache = ws_constant_cache_new(machine->device, 2, &machine->in_l2, NULL);
    ws_constant_cache_begin(machine->cache, 2);
}

static void machine_free(Machine *machine)
{
    ws_constant_cache_free(machine->cache);
    ws_line_directory_clear(&machine->in_l2);
    ws_device_free(machine->device);
}

static guint64 take(Machine *machine, const Step *step)
{
    switch (step->what) {
    case LOAD:
        return ws_constant_cache_load(machine->cache, step->line, step->cycle);
    case OPERAND:
        return ws_constant_cache_operand(machine->cache, step->sub_core, step->line, step->cycle);
    case QUEUE:
        return ws_constant_cache_queue(machine->cache, step->sub_core, step->cycle, step->line);
    case ROOM:
        return ws_constant_cache_room(machine->cache, step->sub_core);
    default:
        ws_constant_cache_begin(machine->cache, 2);
        return 0;
    }
}

static void check_steps(Machine *machine, const Step *steps, guint count)
{
    for (guint i = 0; i < count; i++) {
        guint64 ready = take(machine, &steps[i]);

        ck_assert_msg(ready == steps[i].ready, "step %u: cycle %u", i, (guint)ready);
    }
}

/* Misses of L1 begin one after the other; operands are `l1.latency` behind L1. */
START_TEST(l0_and_l1)
{
    static const Step steps[] = {
        {LOAD, 0, 0, 100, 133},    /* from L1.5, which has bank 0: 30, and 3 of the way */
        {LOAD, 0, 1, 101, 166},    /* begins when the one before has come */
        {LOAD, 0, 0, 110, 133},    /* on its way */
        {LOAD, 0, 0, 200, 200},    /* there */
        {OPERAND, 0, 0, 200, 210}, /* L1 has it */
        {OPERAND, 0, 0, 205, 210}, /* L0 will have it */
        {OPERAND, 0, 0, 300, 300}, /* L0 has it, */
        {OPERAND, 1, 0, 300, 310}, /* that of the other sub-core has not */
        {OPERAND, 0, 2, 300, 343}, /* L1 has not: 33 and 10 */
        {OPERAND, 0, 0, 400, 400}, {OPERAND, 0, 3, 400, 443},
        {OPERAND, 0, 0, 500, 500}, /* used more lately than line 2, */
        {OPERAND, 0, 2, 500, 510}, /* which had to leave L0, and not L1 */
        {LOAD, 0, 4, 600, 633},    /* of 0 1 2 3 line 1 leaves L1 */
        {LOAD, 0, 2, 700, 700},    {LOAD, 0, 3, 700, 700},
        {LOAD, 0, 1, 700, 733},    {BEGIN, 0, 0, 0, 0},
        {OPERAND, 1, 0, 10, 53}, /* nothing is there any more */
        {OPERAND, 0, 0, 60, 70},   {OPERAND, 0, 1, 70, 113},
    };
    Machine machine = machine_new("ready", "2");

    machine_start(&machine);
    check_steps(&machine, steps, G_N_ELEMENTS(steps));
    machine_free(&machine);
}
END_TEST

/* Other banks come from memory, or from L2 if it has them by then; L1.5 has longer lines. */
START_TEST(behind_l1)
{
    static const Step first[] = {
        {LOAD, 0, BANK_3(0), 100, 703},   /* memory: 600 and 3 */
        {LOAD, 0, BANK_3(1), 800, 833},   /* L1.5 has the whole line */
        {LOAD, 0, BANK_3(4), 900, 1503},  /* another one of L1.5 */
        {LOAD, 0, BANK_3(2), 1510, 1543}, /* the first one of L1.5 is used again */
        {LOAD, 0, BANK_3(8), 1600, 2203}, /* and a third: there is room for two, */
        {LOAD, 0, BANK_3(3), 2300, 2333}, /* of which the second has left */
        {LOAD, 0, BANK_3(5), 2400, 3003},
    };
    static const Step second[] = {
        {LOAD, 0, BANK_3(0), 100, 303},    /* L2 has it: 200 and 3 */
        {LOAD, 0, BANK_3(4), 310, 700},    /* L2 will have it at 700 */
        {LOAD, 0, BANK_3(8), 1000, 1603},  /* too late: memory is as quick */
        {LOAD, 0, BANK_3(12), 2000, 2603}, /* at that very cycle */
    };
    Machine machine = machine_new("ready", "2");
    guint32 wide = BANK_3(0) / 4;

    machine_start(&machine);
    check_steps(&machine, first, G_N_ELEMENTS(first));
    ck_assert_uint_eq(machine.cache->asked.count, 4);
    const WsLineRequest *asked = machine.cache->asked.items;
    ck_assert_uint_eq(asked[0].line, wide);
    ck_assert_uint_eq(asked[0].ready, 703);
    ck_assert_uint_eq(asked[2].line, wide + 2);
    ck_assert_uint_eq(asked[3].line, wide + 1);

    machine.in_l2.ready[wide] = 50;
    machine.in_l2.ready[wide + 1] = 700;
    machine.in_l2.ready[wide + 2] = 1604;
    machine.in_l2.ready[wide + 3] = 2603;
    machine.cache->asked.count = 0;
    ws_constant_cache_begin(machine.cache, 1);
    check_steps(&machine, second, G_N_ELEMENTS(second));
    ck_assert_uint_eq(machine.cache->asked.count, 1);
    ck_assert_uint_eq(asked[0].line, wide + 2);
    machine_free(&machine);
}
END_TEST

/*
 * Bank 0 on its way: a line every 4 cycles for the two SMs, in the order in which they are asked
 * for, and 53 cycles later where it is wanted. What LDC lacks is asked for 10 cycles later: an
 * operand in between goes first.
 */
START_TEST(sent_with_the_launch)
{
    static const Step steps[] = {
        {OPERAND, 0, 0, 100, 153},
        {OPERAND, 1, 0, 100, 157}, /* 4 later */
        {LOAD, 0, 1, 100, 163},    /* asked for at 110 */
        {QUEUE, 0, 5, 163, 163},
        {QUEUE, 1, 0, 162, 162},
        {OPERAND, 0, 2, 109, 162},
        {LOAD, 0, 1, 120, 166}, /* not before 113 now */
        {ROOM, 0, 0, 0, 166},
        {ROOM, 1, 0, 0, 162},      /* whoever waits for it */
        {LOAD, 0, 3, 104, 170},    /* asked for 4 cycles behind that */
        {OPERAND, 1, 3, 117, 170}, /* L1 has been given its line in that cycle */
        {OPERAND, 0, 6, 116, 174}, /* so one that comes late puts it off no more */
        {LOAD, 0, 3, 120, 170},
        {LOAD, 0, 5, 110, 178}, /* 4 behind the operand */
        {LOAD, 0, BANK_3(0), 100, 703},
        {BEGIN, 0, 0, 0, 0}, /* other banks are not sent */
        {ROOM, 0, 0, 0, 0},
        {LOAD, 0, 1, 0, 63},
        {OPERAND, 0, 0, 5, 58},
    };
    Machine machine = machine_new("sent", "1");

    machine_start(&machine);
    check_steps(&machine, steps, G_N_ELEMENTS(steps));
    machine_free(&machine);
}
END_TEST

/* LDCs that wait for lines end one after the other; there is room when the oldest has ended. */
START_TEST(queue)
{
    static const Step steps[] = {
        {ROOM, 0, 0, 0, 0},      {QUEUE, 0, 0, 100, 100}, {ROOM, 0, 0, 0, 0},
        {QUEUE, 0, 5, 120, 120},                          /* the first that waits */
        {ROOM, 0, 0, 0, 100},    {QUEUE, 0, 5, 110, 123}, /* an interval behind it */
        {ROOM, 0, 0, 0, 120},    {QUEUE, 0, 0, 125, 126}, /* does not wait, but is behind it */
        {QUEUE, 0, 0, 140, 140},                          /* long after */
        {QUEUE, 0, 5, 130, 130}, {QUEUE, 1, 5, 10, 10},   {ROOM, 1, 0, 0, 0},
    };
    static const Step plain[] = {{QUEUE, 0, 5, 120, 120},
                                 {QUEUE, 0, 5, 110, 110},
                                 {ROOM, 0, 0, 0, 120},
                                 {QUEUE, 0, 0, 90, 90},
                                 {ROOM, 0, 0, 0, 110}};
    Machine machine = machine_new("sent", "2"), ready = machine_new("ready", "2");

    machine.device->timing[WS_CLASS_CONSTANT_LOAD].interval = 3;
    machine_start(&machine);
    check_steps(&machine, steps, G_N_ELEMENTS(steps));
    machine_free(&machine);
    machine_start(&ready);
    check_steps(&ready, plain, G_N_ELEMENTS(plain));
    machine_free(&ready);
}
END_TEST

/* Lines of a bank, the last one for what lies behind its end; banks that there are not wrap. */
START_TEST(line_numbers)
{
    const guint32 lines = WS_CONSTANT_BANK_BYTES / WS_CONSTANT_LINE_BYTES;

    ck_assert_uint_eq(ws_constant_line(0, 63), 0);
    ck_assert_uint_eq(ws_constant_line(0, 64), 1);
    ck_assert_uint_eq(ws_constant_line(2, 128), 2 * lines + 2);
    ck_assert_uint_eq(ws_constant_line(1, 2 * WS_CONSTANT_BANK_BYTES), 2 * lines - 1);
    ck_assert_uint_eq(ws_constant_line(WS_CONSTANT_BANKS + 1, 0), lines);
}
END_TEST

/* Where constants are always there, there is no cache. */
START_TEST(ideal)
{
    g_autoptr(WsDevice) device = ws_device_load("textbook", NULL, NULL);

    ck_assert_ptr_null(ws_constant_cache_new(device, 0, NULL, NULL));
    ws_constant_cache_free(NULL);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, l0_and_l1);
    tcase_add_test(cases, behind_l1);
    tcase_add_test(cases, sent_with_the_launch);
    tcase_add_test(cases, queue);
    tcase_add_test(cases, line_numbers);
    tcase_add_test(cases, ideal);
}

int main(void)
{
    return run_suite("constant_cache", add_tests);
}
