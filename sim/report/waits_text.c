/* Who waits for whom, in words and as JSON. */
#include <string.h>

#include "sim/base/call_frames.h"
#include "sim/base/instruction_place.h"
#include "sim/base/json_members.h"
#include "sim/base/meeting_text.h"
#include "sim/report/waits.h"

enum { MOST_OF_CIRCLE = 16, MOST_OTHERS = 8, MOST_IN_JSON = 64 };

/* ---- words --------------------------------------------------------------------------------------
 */

void ws_append_lanes(GString *text, guint64 lanes)
{
    const char *separator = "";

    for (guint i = 0; i < 64; i++) {
        guint last = i;

        if (!(lanes >> i & 1))
            continue;
        while (last < 63 && (lanes >> (last + 1) & 1))
            last++;
        if (last == i)
            g_string_append_printf(text, "%s%u", separator, i);
        else
            g_string_append_printf(text, "%s%u-%u", separator, i, last);
        separator = ",";
        i = last;
    }
}

/* "lane 3", "lanes 0-7" */
static void append_numbers(GString *text, const char *one, const char *many, guint64 numbers)
{
    g_string_append(text, (numbers & (numbers - 1)) != 0 ? many : one);
    ws_append_lanes(text, numbers);
}

static void append_thread(GString *text, const guint32 block[3], guint32 warp, guint64 lanes)
{
    g_string_append_printf(text, "block (%u,%u,%u) warp %u", block[0], block[1], block[2], warp);
    if (lanes != 0)
        append_numbers(text, ", lane ", ", lanes ", lanes);
}

static void append_value(GString *text, const WsWaiting *waiting)
{
    g_string_append_printf(text, "for %s", waiting->place);
    if (waiting->last_place != NULL)
        g_string_append_printf(text, " to %s", waiting->last_place);
    g_string_append(text, " to change");
    if (waiting->last_place == NULL && waiting->bytes <= 8)
        g_string_append_printf(text,
                               waiting->value < 1 << 20 ? " from %" G_GUINT64_FORMAT
                                                        : " from 0x%" G_GINT64_MODIFIER "x",
                               waiting->value);
}

/* Where an instruction stands, its file with its folder or without. */
static void append_place(GString *text, const WsProgram *program, guint32 pc, gboolean folders)
{
    g_autofree char *place = ws_framed_instruction_place(program, pc, folders);

    g_string_append(text, place);
}

static void append_writer(GString *text, const WsWaiting *waiting, const WsProgram *program,
                          gboolean folders)
{
    if (!waiting->writer.known) {
        g_string_append(text, waiting->shared ? ", which no thread has changed"
                                              : ", which no thread has changed since the "
                                                "loop first read it");
        return;
    }
    g_string_append(text, ", last changed by ");
    append_thread(text, waiting->writer_block, waiting->writer.warp, waiting->writer.lanes);
    g_string_append(text, " at ");
    append_place(text, program, waiting->writer.pc, folders);
    if (waiting->writer_left)
        g_string_append(text, ", which has ended");
}

/* What lanes do that others wait for at a join. */
static void append_doing(GString *text, const WsWaiting *waiting, const WsProgram *program)
{
    if (ws_is_kind(&program->instructions[waiting->pc], WS_KIND_BSYNC) &&
        ws_program_construct(program, waiting->pc) != 0)
        g_string_append_printf(
            text, ", which %s",
            ws_meeting_doing(program, waiting->pc, (guint)__builtin_popcountll(waiting->wanted)));
}

void ws_waiting_append(GString *text, const WsWaiting *waiting, const WsProgram *program,
                       gboolean folders)
{
    gboolean many = (waiting->lanes & (waiting->lanes - 1)) != 0;

    append_thread(text, waiting->block, waiting->warp, waiting->lanes);
    g_string_append(text, " at ");
    append_place(text, program, waiting->pc, folders);
    g_string_append(text, many ? ": wait " : ": waits ");
    if (waiting->barrier >= 0)
        g_string_append_printf(text, "at barrier %d ", waiting->barrier);
    switch (waiting->kind) {
    case WS_WAITS_AT_BARRIER:
        if (waiting->wanted == 0)
            g_string_append(text, "for more threads than the block has left");
        else
            append_numbers(text, "for warp ", "for warps ", waiting->wanted);
        break;
    case WS_WAITS_FOR_LANES:
        append_numbers(text, "for lane ", "for lanes ", waiting->wanted);
        g_string_append(text, " of the warp");
        append_doing(text, waiting, program);
        break;
    case WS_WAITS_FOR_TURN:
        append_numbers(text, "for a turn, after lane ", "for a turn, after lanes ",
                       waiting->wanted);
        g_string_append(text, " of the warp");
        break;
    case WS_WAITS_FOR_VALUE:
        append_value(text, waiting);
        append_writer(text, waiting, program, folders);
        break;
    }
}

static void append_some(GString *text, const char *title, const GPtrArray *waits, guint from,
                        guint end, guint most, const WsProgram *program)
{
    if (from < end)
        g_string_append_printf(text, "%s\n", title);
    for (guint i = from; i < MIN(end, from + most); i++) {
        g_string_append(text, "  ");
        ws_waiting_append(text, g_ptr_array_index(waits, i), program, TRUE);
        g_string_append(text, "\n");
    }
    if (end - from > most)
        g_string_append_printf(text, "  and %u more\n", end - from - most);
}

void ws_waits_append(GString *text, const GPtrArray *waits, const WsProgram *program)
{
    guint circle = 0;

    while (circle < waits->len && ((const WsWaiting *)g_ptr_array_index(waits, circle))->in_circle)
        circle++;
    append_some(text, "who waits for whom (circular wait):", waits, 0, circle, MOST_OF_CIRCLE,
                program);
    append_some(text, circle != 0 ? "and who else waits:" : "who waits for whom:", waits, circle,
                waits->len, MOST_OTHERS, program);
}

/* ---- JSON ---------------------------------------------------------------------------------------
 */

static void add_numbers(JsonBuilder *json, const char *name, guint64 numbers)
{
    ws_json_open_list(json, name);
    for (; numbers != 0; numbers &= numbers - 1)
        json_builder_add_int_value(json, __builtin_ctzll(numbers));
    json_builder_end_array(json);
}

static void add_place(JsonBuilder *json, const WsProgram *program, guint32 pc)
{
    guint32 file, line;

    ws_line_of_instruction(program, pc, &file, &line);
    ws_json_add_text(json, "file", file == 0 ? NULL : program->files[file]);
    ws_json_add_integer(json, "line", line);
    ws_json_add_integer(json, "instruction", pc);
}

static void add_value(JsonBuilder *json, const WsWaiting *waiting, const WsProgram *program)
{
    ws_json_add_text(json, "place", waiting->place);
    ws_json_add_text(json, "last_place", waiting->last_place);
    ws_json_add_text(json, "space", waiting->shared ? "shared" : "global");
    ws_json_add_integer(json, "address", (gint64)waiting->address);
    ws_json_add_integer(json, "value", (gint64)waiting->value);
    if (!waiting->writer.known) {
        ws_json_add_text(json, "changed_by", NULL);
        return;
    }
    ws_json_open_object(json, "changed_by");
    ws_json_add_triple(json, "block", waiting->writer_block);
    ws_json_add_integer(json, "warp", waiting->writer.warp);
    add_numbers(json, "lanes", waiting->writer.lanes);
    add_place(json, program, waiting->writer.pc);
    json_builder_set_member_name(json, "ended");
    json_builder_add_boolean_value(json, waiting->writer_left);
    json_builder_end_object(json);
}

static void add_waiting(JsonBuilder *json, const WsWaiting *waiting, const WsProgram *program)
{
    static const char *const kinds[] = {[WS_WAITS_AT_BARRIER] = "barrier",
                                        [WS_WAITS_FOR_LANES] = "lanes",
                                        [WS_WAITS_FOR_TURN] = "turn",
                                        [WS_WAITS_FOR_VALUE] = "value"};

    json_builder_begin_object(json);
    ws_json_add_text(json, "for", kinds[waiting->kind]);
    json_builder_set_member_name(json, "in_circle");
    json_builder_add_boolean_value(json, waiting->in_circle);
    ws_json_add_integer(json, "sm", waiting->sm);
    ws_json_add_triple(json, "block", waiting->block);
    ws_json_add_integer(json, "warp", waiting->warp);
    add_numbers(json, "lanes", waiting->lanes);
    add_place(json, program, waiting->pc);
    if (waiting->barrier >= 0)
        ws_json_add_integer(json, "barrier", waiting->barrier);
    if (waiting->kind == WS_WAITS_FOR_VALUE)
        add_value(json, waiting, program);
    else
        add_numbers(json, waiting->kind == WS_WAITS_AT_BARRIER ? "for_warps" : "for_lanes",
                    waiting->wanted);
    json_builder_end_object(json);
}

void ws_waits_add_json(JsonBuilder *json, const char *name, const GPtrArray *waits,
                       const WsProgram *program)
{
    ws_json_open_list(json, name);
    for (guint i = 0; waits != NULL && i < MIN(waits->len, MOST_IN_JSON); i++)
        add_waiting(json, g_ptr_array_index(waits, i), program);
    json_builder_end_array(json);
}
