/* What an SM tells observers: each kind of event, with all that it says, of small kernels. */
#include "sim/observe/observer.h"
#include "tests/sm/units.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"

static void append_registers(GString *out, const WsRegisterSet *set)
{
    g_string_append_printf(out, " R%u+%u UR%u+%u P%x UP%x", set->first, set->count,
                           set->uniform_first, set->uniform_count, set->predicates,
                           set->uniform_predicates);
}

static void append_lanes(GString *out, const char *title, guint64 lanes)
{
    g_string_append_printf(out, " %s %" G_GINT64_MODIFIER "x", title, lanes);
}

static void append_memory(GString *out, const WsTraceEvent *event)
{
    if (event->kind == WS_TRACE_REQUEST) {
        append_lanes(out, "lanes", event->request.lanes);
        g_string_append_printf(out, ", %u sectors, %u passes", event->request.sectors,
                               event->request.wavefronts);
    } else {
        append_lanes(out, "lanes", event->response.lanes);
        g_string_append_printf(out, ", %u cycles, from %s", event->response.latency,
                               ws_memory_level_name((WsMemoryLevel)event->response.level));
    }
}

static void append_path(GString *out, const WsTraceEvent *event)
{
    append_lanes(out, "lanes", event->path.lanes);
    if (event->path.count != 0)
        g_string_append_printf(out, " %u of %u %s %u", event->path.index, event->path.count,
                               event->path.how, event->path.pc);
}

static void append_issue(GString *out, const WsTraceEvent *event)
{
    append_lanes(out, "active", event->issue.active);
    append_lanes(out, "executed", event->issue.executed);
    append_lanes(out, "alive", event->issue.alive);
    append_lanes(out, "of", event->issue.launched);
}

static void append_words(GString *out, const WsTraceEvent *event)
{
    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_BLOCK_BEGIN:
        g_string_append_printf(out, " since %u, %u warps", (guint)event->block_begin.since,
                               event->block_begin.warps);
        break;
    case WS_TRACE_WARP_BEGIN:
        append_lanes(out, "launched", event->warp_begin.launched);
        break;
    case WS_TRACE_CHOICE:
        append_lanes(out, "eligible", event->choice.eligible);
        append_lanes(out, "admitted", event->choice.admitted);
        break;
    case WS_TRACE_ISSUE:
        append_issue(out, event);
        break;
    case WS_TRACE_STALL:
        g_string_append_printf(out, " %s", ws_stall_name((WsStall)event->stall.reason));
        break;
    case WS_TRACE_DIVERGE:
        append_lanes(out, "taken", event->split.taken);
        append_lanes(out, "not", event->split.not_taken);
        break;
    case WS_TRACE_RECONVERGE:
        append_lanes(out, "lanes", event->joined.lanes);
        break;
    case WS_TRACE_PATH:
        append_path(out, event);
        break;
    case WS_TRACE_CONVERGENCE:
        append_lanes(out, "lanes", event->convergence.lanes);
        g_string_append_printf(out, " in B%u", event->convergence.number);
        break;
    case WS_TRACE_BARRIER_ARRIVE:
    case WS_TRACE_BARRIER_RELEASE:
        g_string_append_printf(out, " %u", event->barrier.number);
        break;
    case WS_TRACE_REQUEST:
    case WS_TRACE_RESPONSE:
        append_memory(out, event);
        break;
    case WS_TRACE_SCOREBOARD_SET:
    case WS_TRACE_SCOREBOARD_RELEASE:
        append_registers(out, &event->scoreboard.registers);
        if (event->scoreboard.until != WS_UNKNOWN_CYCLE)
            g_string_append_printf(out, " until %u", (guint)event->scoreboard.until);
        break;
    case WS_TRACE_WRITE:
        append_lanes(out, "lanes", event->write.lanes);
        append_registers(out, &event->write.registers);
        break;
    case WS_TRACE_STOP:
        g_string_append_printf(out, " %s, lane %d", event->stop.what, (int)event->stop.lane);
        break;
    default:
        break;
    }
}

static void add_event(void *data, const WsTraceEvent *event)
{
    g_string_append_printf(data, "%5u %s SM %u.%u warp %u, %u of block %u", (guint)event->cycle,
                           ws_trace_event_name(event->kind), event->sm, event->sub_core,
                           event->warp, event->warp_in_block, event->block);
    if (event->instruction != WS_NO_INSTRUCTION)
        g_string_append_printf(data, " at %u", event->instruction);
    g_string_append_c(data, ':');
    append_words(data, event);
    g_string_append_c(data, '\n');
}

static void begin_launch(void *data, const WsTraceLaunch *launch)
{
    g_string_append_printf(
        data, "      launch %u at %u of %s on %s: grid %u %u %u, block %u %u %u\n", launch->number,
        (guint)launch->cycle, launch->kernel->name, launch->device, launch->grid[0],
        launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2]);
    g_string_append_printf(data,
                           "      %u lanes, %u warps a block, %u SMs, %u.%u of each, %u kHz\n",
                           launch->warp_size, launch->warps_per_block, launch->sms,
                           launch->sub_cores, launch->warp_slots, launch->clock_khz);
}

static void end_launch(void *data, guint32 launch, guint64 cycle)
{
    g_string_append_printf(data, "%5u launch %u ends\n", (guint)cycle, launch);
}

static const struct {
    const char *title, *device, *settings[3], *text;
    guint blocks, threads;
} watched[] = {
    {"levels of memory, shared memory, constants",
     "textbook",
     {"memory.model=cached", "dependences=scoreboard"},
     ".shared 128\nLDC.64 R2, c[x] ;\nLDG.E R4, [R2] ;\nIADD3 R5, R4, R4, RZ ;\n"
     "LDG.E R6, [R2] ;\nIADD3 R7, R6, R6, R5 ;\nLDG.E.STRONG.GPU R8, [R2] ;\n"
     "IADD3 R9, R8, R7, RZ ;\nSTS [RZ], R9 ;\nLDS R9, [RZ] ;\nSTG.E [R2], R9 ;\nEXIT ;\n",
     1,
     20},
    {"sides of a branch",
     "textbook",
     {"divergence.model=its", "dependences=scoreboard"},
     ".reconvergence manual\nS2R R0, SR_LANEID ;\nISETP.GE P0, R0, 12 ;\nBSSY B0, join ;\n"
     "@P0 BRA join ;\n@!P0 MOV R1, 3 ;\njoin: BSYNC B0 ;\nEXIT ;\n",
     1,
     32},
    {"two warps at barriers, two schedulers",
     "textbook",
     {"sub_cores=2", "dependences=scoreboard"},
     "BAR.SYNC 0 ;\nS2R R0, SR_TID.X ;\nISETP.LT P1, R0, 32 ;\n@P1 BAR.ARV 3, 64 ;\n"
     "@P1 EXIT ;\nBAR.SYNC 3, 64 ;\nEXIT ;\n",
     1,
     64},
    {"a fault",
     "textbook",
     {"dependences=scoreboard"},
     "S2R R0, SR_TID.X ;\nISETP.GE P1, R0, 5 ;\n@P1 BPT.TRAP ;\nEXIT ;\n",
     1,
     32},
};

START_TEST(events)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(watched); i++) {
        const WsObserver observer = {.data = out,
                                     .kinds = WS_ALL_EVENTS,
                                     .launch_begin = begin_launch,
                                     .event = add_event,
                                     .launch_end = end_launch};
        Engine *e = engine_new(watched[i].device, watched[i].settings, watched[i].text,
                               watched[i].blocks, watched[i].threads, 64);

        g_string_append_printf(out, "---- %s\n", watched[i].title);
        e->observers[0] = &observer;
        engine_run(e);
        engine_free(e);
    }
    golden_text_check("watch.txt", out->str);
}
END_TEST

/* Names of kinds are words of options; what is no kind has none. */
START_TEST(names)
{
    for (guint kind = 0; kind < WS_TRACE_COUNT; kind++)
        ck_assert_uint_eq(ws_trace_event_by_name(ws_trace_event_name(kind)), kind);
    ck_assert_uint_eq(ws_trace_event_by_name("barrier_arrive"), WS_TRACE_BARRIER_ARRIVE);
    ck_assert_uint_eq(ws_trace_event_by_name("nothing"), WS_TRACE_COUNT);
    ck_assert_str_eq(ws_trace_event_name(WS_TRACE_COUNT), "");
}
END_TEST

void add_watch(TCase *cases)
{
    tcase_add_test(cases, events);
    tcase_add_test(cases, names);
}
