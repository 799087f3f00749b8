#include "tests/sm/units.h"
#include "tests/support/engine_fixture.h"

enum { QUIET = 40, FIRST = 4 + QUIET };

/*
 * Eight stores of one warp one behind the other, by the places of the queue, the cycles of a pass
 * and those until the registers are read: the issue of each, from the first on. The example of
 * sim/memory/load_store_unit.h (Huerta et al., MICRO 2025) is the first row.
 */
static const struct {
    const char *settings[4];
    guint8 stores[8];
    const char *code;
} queues[] = {
    {{"memory.lsu.queue=5", "memory.lsu.sub_core_interval=4", "memory.lsu.source_latency=10"},
     {0, 1, 2, 3, 4, 11, 15, 19},
     "STG [R2], R4 ;\n"},
    {{"memory.lsu.queue=1", "memory.lsu.sub_core_interval=4", "memory.lsu.source_latency=10"},
     {0, 11, 22, 33, 44, 55, 66, 77},
     "STG [R2], R4 ;\n"},
    {{"memory.lsu.queue=2", "memory.lsu.sub_core_interval=1", "memory.lsu.source_latency=6"},
     {0, 1, 7, 8, 14, 15, 21, 22},
     "STG [R2], R4 ;\n"},
    {{"memory.lsu.queue=5", "memory.lsu.sub_core_interval=4", "memory.lsu.source_latency=10"},
     {0, 1, 2, 3, 4, 11, 15, 19},
     "STS [R0], R4 ;\n"},
    {{"memory.lsu.queue=64", "memory.lsu.sub_core_interval=1", "memory.lsu.source_latency=0"},
     {0, 1, 2, 3, 4, 5, 6, 7},
     "STG [R2], R4 ;\n"},
};

static Engine *run_stores(const char *const *settings, const char *code, guint count)
{
    g_autoptr(GString) text =
        g_string_new(".shared 1024\nS2R R0, SR_TID.X ;\nSHF.L.U32 R0, R0, 2 ;\nLDC.64 R2, c[x] ;\n"
                     "MOV R4, 1 ;\n");
    const char *all[8] = {"dependences=scoreboard", "memory.model=cached"};

    for (guint i = 0; i < QUIET; i++) /* S2R and LDC have left the queue */
        g_string_append(text, "NOP ;\n");
    for (guint i = 0; i < count; i++)
        g_string_append(text, code);
    g_string_append(text, "EXIT ;\n");
    for (guint i = 0; i < 4; i++)
        all[i + 2] = settings[i];
    Engine *e = engine_new("textbook", all, text->str, 1, 32, 64);
    engine_run(e);
    return e;
}

START_TEST(places)
{
    Engine *e = run_stores(queues[_i].settings, queues[_i].code, 8);
    guint64 first = engine_issue_cycle(e, 0, FIRST);

    for (guint i = 0; i < 8; i++)
        ck_assert_msg(engine_issue_cycle(e, 0, FIRST + i) - first == queues[_i].stores[i],
                      "row %d: store %u issues at %u", _i, i,
                      (guint)(engine_issue_cycle(e, 0, FIRST + i) - first));
    engine_free(e);
}
END_TEST

void add_load_store_queue(TCase *cases)
{
    tcase_add_loop_test(cases, places, 0, G_N_ELEMENTS(queues));
}
