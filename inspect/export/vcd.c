/*
 * VCD (IEEE 1364), for GTKWave and other waveform viewers: a scope for each SM and in it one for
 * each warp slot, with signals that change as the warp runs. One nanosecond is one cycle. `state`
 * is the letter of the stall reason in ASCII, "I" for an issue.
 */
#include "inspect/export/exporter.h"
#include "sim/base/number_list.h"

typedef enum { ISSUE, STATE, PC, ACTIVE, EXECUTED, SIGNALS } Signal;

enum { STATE_BITS = 8, PC_BITS = 32 };

typedef struct {
    gboolean begun, any_time;
    guint64 cycle;  /* of the last time stamp */
    GArray *issued; /* of guint32: numbers of warps whose signal `issue` is up */
} Vcd;

/* ---- head ---------------------------------------------------------------------------------------
 */

/* The signal's short name: digits to the base of 94, all printable characters but the blank. */
static void put_code(WsTraceWriter *out, guint32 warp, Signal signal)
{
    guint32 number = warp * SIGNALS + signal;

    do {
        ws_trace_put_char(out, (char)('!' + number % 94));
        number /= 94;
    } while (number != 0);
}

static void put_variable(WsTraceWriter *out, guint32 warp, Signal signal, guint bits,
                         const char *name)
{
    ws_trace_put(out, "$var wire ");
    ws_trace_put_decimal(out, bits);
    ws_trace_put_char(out, ' ');
    put_code(out, warp, signal);
    ws_trace_put_char(out, ' ');
    ws_trace_put(out, name);
    ws_trace_put(out, " $end\n");
}

static void put_warp(WsExport *export, guint32 sm, guint32 slot)
{
    WsTraceWriter *out = &export->out;
    guint32 number = sm * WS_EXPORT_WARPS + slot, lanes = export->launch.warp_size;

    ws_trace_printf(out, "$scope module warp%u $end\n", slot);
    put_variable(out, number, ISSUE, 1, "issue");
    put_variable(out, number, STATE, STATE_BITS, "state");
    put_variable(out, number, PC, PC_BITS, "pc");
    put_variable(out, number, ACTIVE, lanes, "active");
    put_variable(out, number, EXECUTED, lanes, "executed");
    ws_trace_put(out, "$upscope $end\n");
}

static void launch_begin(WsExport *export)
{
    Vcd *vcd = export->state;
    WsTraceWriter *out = &export->out;

    if (vcd->begun)
        return;
    vcd->begun = TRUE;
    vcd->issued = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_trace_put(out, "$version " WS_TRACE_GENERATOR " $end\n$timescale 1 ns $end\n");
    for (guint32 sm = 0; sm < export->launch.sms; sm++) {
        if (!ws_number_list_has(export->filter->sms, sm))
            continue;
        ws_trace_printf(out, "$scope module sm%u $end\n", sm);
        for (guint32 slot = 0; slot < export->launch.warp_slots; slot++)
            if (ws_number_list_has(export->filter->warps, slot))
                put_warp(export, sm, slot);
        ws_trace_put(out, "$upscope $end\n");
    }
    ws_trace_put(out, "$enddefinitions $end\n");
}

static void clear(WsExport *export)
{
    Vcd *vcd = export->state;

    if (vcd->issued != NULL)
        g_array_unref(vcd->issued);
}

/* ---- changes ------------------------------------------------------------------------------------
 */

static void put_bit(WsTraceWriter *out, guint32 warp, Signal signal, gboolean value)
{
    ws_trace_put_char(out, value ? '1' : '0');
    put_code(out, warp, signal);
    ws_trace_put_char(out, '\n');
}

static void put_vector(WsTraceWriter *out, guint32 warp, Signal signal, guint64 value)
{
    guint bit = value == 0 ? 0 : 63 - (guint)__builtin_clzll(value);

    ws_trace_put_char(out, 'b');
    do
        ws_trace_put_char(out, value >> bit & 1 ? '1' : '0');
    while (bit-- != 0);
    ws_trace_put_char(out, ' ');
    put_code(out, warp, signal);
    ws_trace_put_char(out, '\n');
}

static void put_time(WsExport *export, guint64 cycle)
{
    Vcd *vcd = export->state;

    ws_trace_put_char(&export->out, '#');
    ws_trace_put_decimal(&export->out, cycle);
    ws_trace_put_char(&export->out, '\n');
    vcd->cycle = cycle;
    vcd->any_time = TRUE;
}

/* Warps that issued in the cycle before do so no longer. */
static void go_to(WsExport *export, guint64 cycle)
{
    Vcd *vcd = export->state;

    if (vcd->any_time && vcd->cycle == cycle)
        return;
    if (vcd->issued->len != 0)
        put_time(export, vcd->cycle + 1);
    for (guint i = 0; i < vcd->issued->len; i++)
        put_bit(&export->out, g_array_index(vcd->issued, guint32, i), ISSUE, FALSE);
    g_array_set_size(vcd->issued, 0);
    if (!vcd->any_time || vcd->cycle != cycle)
        put_time(export, cycle);
}

static void take_event(WsExport *export, const WsTraceEvent *event)
{
    Vcd *vcd = export->state;
    WsTraceWriter *out = &export->out;
    guint32 warp = event->sm * WS_EXPORT_WARPS + event->warp;
    char state = '-'; /* nobody is there */

    go_to(export, event->cycle);
    if (event->kind == WS_TRACE_ISSUE) {
        put_bit(out, warp, ISSUE, TRUE);
        put_vector(out, warp, ACTIVE, event->issue.active);
        put_vector(out, warp, EXECUTED, event->issue.executed);
        g_array_append_val(vcd->issued, warp);
        state = ws_stall_letter(WS_STALL_SELECTED)[0];
    } else if (event->kind == WS_TRACE_STALL) {
        state = ws_stall_letter((WsStall)event->stall.reason)[0];
    }
    put_vector(out, warp, STATE, (guint8)state);
    if (event->instruction != WS_NO_INSTRUCTION)
        put_vector(out, warp, PC, ws_instruction_address(event->instruction));
}

static void launch_end(WsExport *export, guint64 cycle)
{
    const Vcd *vcd = export->state;

    if (vcd->any_time)
        go_to(export, MAX(cycle, vcd->cycle + 1));
}

const WsExporter ws_exporter_vcd = {
    .name = "vcd",
    .kinds = WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(WARP_END),
    .state_bytes = sizeof(Vcd),
    .launch_begin = launch_begin,
    .event = take_event,
    .launch_end = launch_end,
    .clear = clear,
};
