/*
 * Text: one line an event, in columns, made for grep and diff.
 *
 *       57 sm0.1 w5 b1.3 issue 0030 ####....######## FADD R4, R4, 1 kernel.cu:10
 *
 * Cycle, SM and sub-core, warp slot, block and warp in it, event, address of the instruction; then
 * what is particular to the event.
 */
#include "inspect/export/exporter.h"

enum { CYCLE_WIDTH = 8, ADDRESS_DIGITS = 4 };

static void begin(WsExport *export)
{
    ws_trace_put(&export->out, "# " WS_TRACE_GENERATOR " trace, text version 1\n"
                               "# cycle sm.sub-core warp-slot block.warp event address ...\n"
                               "# lanes: # active, p predicated off, d on another path, x exited, "
                               ". never launched\n");
}

static void put_size(WsTraceWriter *out, const guint32 size[3])
{
    ws_trace_printf(out, "%ux%ux%u", size[0], size[1], size[2]);
}

static void launch_begin(WsExport *export)
{
    WsTraceWriter *out = &export->out;

    ws_trace_printf(out, "# launch %u: %s, grid ", export->launch.number,
                    export->launch.kernel->display_name);
    put_size(out, export->launch.grid);
    ws_trace_put(out, ", block ");
    put_size(out, export->launch.block);
    ws_trace_printf(out, ", on %s, from cycle %" G_GUINT64_FORMAT "\n", export->launch.device,
                    export->launch.cycle);
}

/* ---- parts of a line ----------------------------------------------------------------------------
 */

static void put_cycle(WsTraceWriter *out, guint64 cycle)
{
    guint64 limit = 10;

    for (guint width = 1; width < CYCLE_WIDTH; width++, limit *= 10)
        if (cycle < limit)
            ws_trace_put_char(out, ' ');
    ws_trace_put_decimal(out, cycle);
}

static void put_part(WsTraceWriter *out, const char *prefix, guint32 number, gboolean known)
{
    ws_trace_put(out, prefix);
    if (known)
        ws_trace_put_decimal(out, number);
    else
        ws_trace_put_char(out, '-');
}

static void put_head(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;
    gboolean warp = !ws_trace_is_of_block(event);

    put_cycle(out, event->cycle);
    put_part(out, " sm", event->sm, TRUE);
    put_part(out, ".", event->sub_core, warp);
    put_part(out, " w", event->warp, warp);
    put_part(out, " b", event->block, TRUE);
    put_part(out, ".", event->warp_in_block, warp);
    ws_trace_put_char(out, ' ');
    ws_trace_put(out, ws_trace_event_name(event->kind));
    if (event->instruction == WS_NO_INSTRUCTION)
        return;
    ws_trace_put_char(out, ' ');
    ws_trace_put_hex(out, ws_instruction_address(event->instruction), ADDRESS_DIGITS);
}

/* Lanes that are meant, and the others. */
static void put_lanes(WsExport *export, guint64 lanes)
{
    ws_trace_put_char(&export->out, ' ');
    for (guint lane = 0; lane < export->launch.warp_size; lane++)
        ws_trace_put_char(&export->out, lanes >> lane & 1 ? '#' : '-');
}

static void put_lane_states(WsExport *export, const WsTraceEvent *event)
{
    guint64 executed = event->issue.executed, active = event->issue.active;
    guint64 alive = event->issue.alive, launched = event->issue.launched;

    ws_trace_put_char(&export->out, ' ');
    for (guint lane = 0; lane < export->launch.warp_size; lane++) {
        char c = executed >> lane & 1   ? '#'
                 : active >> lane & 1   ? 'p'
                 : alive >> lane & 1    ? 'd'
                 : launched >> lane & 1 ? 'x'
                                        : '.';
        ws_trace_put_char(&export->out, c);
    }
}

static void put_slots(WsTraceWriter *out, guint64 slots)
{
    for (; slots != 0; slots &= slots - 1) {
        ws_trace_put(out, " w");
        ws_trace_put_decimal(out, (guint64)__builtin_ctzll(slots));
    }
}

static void put_number(WsTraceWriter *out, guint64 number)
{
    ws_trace_put_char(out, ' ');
    ws_trace_put_decimal(out, number);
}

/* "4 sectors", "1 sector" */
static void put_count(WsTraceWriter *out, guint64 number, const char *what)
{
    put_number(out, number);
    ws_trace_put_char(out, ' ');
    ws_trace_put(out, what);
    if (number != 1)
        ws_trace_put_char(out, 's');
}

static void put_word(WsTraceWriter *out, const char *word)
{
    ws_trace_put_char(out, ' ');
    ws_trace_put(out, word);
}

/* ---- events -------------------------------------------------------------------------------------
 */

static void put_issue(WsExport *export, const WsTraceEvent *event)
{
    const WsInstructionText *text = ws_instruction_text(export->texts, event->instruction);

    put_lane_states(export, event);
    put_word(&export->out, text->text);
    if (text->framed[0] != '\0')
        put_word(&export->out, text->framed);
}

static void put_choice(WsTraceWriter *out, const WsTraceEvent *event)
{
    guint64 held = event->choice.eligible & ~event->choice.admitted;

    ws_trace_put(out, " of");
    put_slots(out, event->choice.admitted);
    if (held == 0)
        return;
    ws_trace_put(out, ", held back");
    put_slots(out, held);
}

static void put_path(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;

    if (event->path.count == 0) {
        ws_trace_put(out, " none waits");
        return;
    }
    put_number(out, event->path.index + 1u);
    ws_trace_put_char(out, '/');
    ws_trace_put_decimal(out, event->path.count);
    put_lanes(export, event->path.lanes);
    put_word(out, event->path.how);
    ws_trace_put_char(out, ' ');
    ws_trace_put_hex(out, ws_instruction_address(event->path.pc), ADDRESS_DIGITS);
}

static void put_memory(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;

    if (event->kind == WS_TRACE_RESPONSE) {
        put_word(out, ws_memory_level_name((WsMemoryLevel)event->response.level));
        put_count(out, event->response.latency, "cycle");
        return;
    }
    put_lanes(export, event->request.lanes);
    if (event->request.sectors != 0)
        put_count(out, event->request.sectors, "sector");
    if (event->request.wavefronts != 0)
        put_count(out, event->request.wavefronts, "wavefront");
}

static void put_scoreboard(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;

    put_word(out, ws_register_set_text(export->texts, &event->scoreboard.registers));
    if (event->kind != WS_TRACE_SCOREBOARD_SET)
        return;
    if (event->scoreboard.until == WS_UNKNOWN_CYCLE)
        ws_trace_put(out, " until it comes");
    else
        put_number(out, event->scoreboard.until);
}

static void put_stop(WsTraceWriter *out, const WsTraceEvent *event)
{
    if (event->stop.lane != G_MAXUINT32) {
        ws_trace_put(out, " lane ");
        ws_trace_put_decimal(out, event->stop.lane);
    }
    put_word(out, event->stop.what);
}

/* What is particular to the event. */
static void put_rest(WsExport *export, const WsTraceEvent *event)
{
    WsTraceWriter *out = &export->out;

    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_BLOCK_BEGIN:
        put_count(out, event->block_begin.warps, "warp");
        break;
    case WS_TRACE_WARP_BEGIN:
        put_lanes(export, event->warp_begin.launched);
        break;
    case WS_TRACE_CHOICE:
        put_choice(out, event);
        break;
    case WS_TRACE_ISSUE:
        put_issue(export, event);
        break;
    case WS_TRACE_STALL:
        put_word(out, ws_stall_name((WsStall)event->stall.reason));
        break;
    case WS_TRACE_DIVERGE:
        put_lanes(export, event->split.taken);
        put_lanes(export, event->split.not_taken);
        break;
    case WS_TRACE_RECONVERGE:
        put_lanes(export, event->joined.lanes);
        break;
    case WS_TRACE_PATH:
        put_path(export, event);
        break;
    case WS_TRACE_CONVERGENCE:
        ws_trace_put(out, " B");
        ws_trace_put_decimal(out, event->convergence.number);
        put_lanes(export, event->convergence.lanes);
        break;
    case WS_TRACE_BARRIER_ARRIVE:
    case WS_TRACE_BARRIER_RELEASE:
        put_number(out, event->barrier.number);
        break;
    case WS_TRACE_REQUEST:
    case WS_TRACE_RESPONSE:
        put_memory(export, event);
        break;
    case WS_TRACE_SCOREBOARD_SET:
    case WS_TRACE_SCOREBOARD_RELEASE:
        put_scoreboard(export, event);
        break;
    case WS_TRACE_WRITE:
        put_word(out, ws_register_set_text(export->texts, &event->write.registers));
        put_lanes(export, event->write.lanes);
        break;
    case WS_TRACE_STOP:
        put_stop(out, event);
        break;
    default:
        break;
    }
}

static void put_event(WsExport *export, const WsTraceEvent *event)
{
    put_head(export, event);
    put_rest(export, event);
    ws_trace_put_char(&export->out, '\n');
}

static void launch_end(WsExport *export, guint64 cycle)
{
    ws_trace_printf(&export->out, "# launch %u ended at cycle %" G_GUINT64_FORMAT "\n",
                    export->launch.number, cycle);
}

const WsExporter ws_exporter_text = {
    .name = "text",
    .kinds = WS_ALL_EVENTS,
    .any_kinds = TRUE,
    .begin = begin,
    .launch_begin = launch_begin,
    .event = put_event,
    .launch_end = launch_end,
};
