#include "inspect/animation/animation.h"

#include <string.h>

#include "inspect/export/instruction_texts.h"
#include "isa/base/escape.h"
#include "sim/base/instruction_place.h"

enum {
    WIDTH = 1120,
    MARGIN = 20,
    TOP = 74, /* of the first row */
    ROW = 44,
    LANES_LEFT = 170,
    LANES_WIDTH = 448,
    LANE_HEIGHT = 24,
    TEXT_LEFT = LANES_LEFT + LANES_WIDTH + 16,
    LINE = 19, /* of source */
    MOST_LINES = 16,
    AROUND = 2, /* lines that nobody is at, where there is room */
    KEY_SCALE = 1000000
};

static const char style[] =
    "text{font:14px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1b1f24}"
    ".title{font:600 17px system-ui,sans-serif}.faint{fill:#5b6570}.big{font-weight:600;"
    "font-size:17px}.reason{font-weight:600}";

/* What a lane does in a cycle, with its colour. */
typedef enum { ISSUES, GUARDED, STALLED, WAITS, GONE, LANE_KINDS } LaneKind;

static const struct {
    const char *colour, *text;
} lane_kinds[LANE_KINDS] = {
    [ISSUES] = {"#159447", "executes"},
    [GUARDED] = {"#e3c22f", "predicated off"},
    [STALLED] = {"#a9c9ee", "active, the warp does not issue"},
    [WAITS] = {"#c2c9d3", "waits on another path"},
    [GONE] = {"#ffffff", "exited, or never launched"},
};

typedef struct {
    GString *out;
    const WsJob *job;
    const WsFrames *frames;
    WsInstructionTexts *texts;
    guint count, speed; /* cycles; cycles a second */
} Picture;

static void append_escaped(GString *out, const char *text)
{
    g_autofree char *shown = ws_escape_controls(text, -1, "");
    g_autofree char *escaped = g_markup_escape_text(shown, -1);

    g_string_append(out, escaped);
}

/* ---- moving -------------------------------------------------------------------------------------
 */

/* Sets the attribute to values[i] in cycle i; nothing where it is always the same. */
static void append_changes(Picture *p, const char *attribute, const char *const *values)
{
    GString *list = g_string_new(values[0]), *keys = g_string_new("0");
    guint millis = (guint)((guint64)p->count * 1000 / p->speed);
    gboolean any = FALSE;

    for (guint i = 1; i < p->count; i++) {
        if (strcmp(values[i], values[i - 1]) == 0)
            continue;
        g_string_append_printf(list, ";%s", values[i]);
        g_string_append_printf(keys, ";0.%06u", (guint)((guint64)i * KEY_SCALE / p->count));
        any = TRUE;
    }
    if (any)
        g_string_append_printf(p->out,
                               "<animate attributeName=\"%s\" calcMode=\"discrete\" dur=\"%ums\" "
                               "repeatCount=\"indefinite\" values=\"%s\" keyTimes=\"%s\"/>",
                               attribute, millis, list->str, keys->str);
    g_string_free(list, TRUE);
    g_string_free(keys, TRUE);
}

/* texts[i] stands there in cycle i. Each different one is an element that comes and goes. */
static void append_text(Picture *p, guint x, guint y, const char *look, const GPtrArray *texts)
{
    g_autofree const char **values = g_new(const char *, p->count);
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < p->count; i++) {
        const char *text = texts->pdata[i];

        if (*text == '\0' || !g_hash_table_add(done, (gpointer)text))
            continue;
        for (guint k = 0; k < p->count; k++)
            values[k] = strcmp(texts->pdata[k], text) == 0 ? "visible" : "hidden";
        g_string_append_printf(p->out, "<text x=\"%u\" y=\"%u\" class=\"%s\" visibility=\"%s\">", x,
                               y, look, values[0]);
        append_escaped(p->out, text);
        append_changes(p, "visibility", values);
        g_string_append(p->out, "</text>\n");
    }
}

static void append_fixed(Picture *p, guint x, guint y, const char *look, const char *text)
{
    g_string_append_printf(p->out, "<text x=\"%u\" y=\"%u\" class=\"%s\">", x, y, look);
    append_escaped(p->out, text);
    g_string_append(p->out, "</text>\n");
}

/* ---- warps --------------------------------------------------------------------------------------
 */

static LaneKind lane_kind(const WsFrame *frame, guint lane)
{
    guint64 bit = (guint64)1 << lane;

    if (!frame->there)
        return GONE;
    if ((frame->waiting & bit) != 0)
        return WAITS;
    if ((frame->active & bit) == 0)
        return GONE;
    if (frame->reason != WS_STALL_SELECTED)
        return STALLED;
    return (frame->executed & bit) != 0 ? ISSUES : GUARDED;
}

static void append_lanes(Picture *p, guint slot, guint top)
{
    g_autofree const char **values = g_new(const char *, p->count);
    guint size = (guint)p->job->device->warp_size;

    for (guint lane = 0; lane < size; lane++) {
        for (guint i = 0; i < p->count; i++)
            values[i] = lane_kinds[lane_kind(ws_frames_at(p->frames, i, slot), lane)].colour;
        g_string_append_printf(p->out,
                               "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" fill=\"%s\" "
                               "stroke=\"#d8dde3\" stroke-width=\"0.5\">",
                               LANES_LEFT + lane * LANES_WIDTH / size, top, LANES_WIDTH / size - 1,
                               LANE_HEIGHT, values[0]);
        append_changes(p, "fill", values);
        g_string_append(p->out, "</rect>\n");
    }
}

static char *reason_text(const WsFrame *frame)
{
    if (!frame->there)
        return g_strdup("");
    return g_strdup(frame->reason == WS_STALL_SELECTED ? "issues"
                                                       : ws_stall_name((WsStall)frame->reason));
}

static char *instruction_text(Picture *p, const WsFrame *frame)
{
    const WsInstructionText *text;

    if (!frame->there || frame->instruction == WS_NO_INSTRUCTION)
        return g_strdup("");
    text = ws_instruction_text(p->texts, frame->instruction);
    return g_strdup_printf("%s%s%s", text->text, *text->place != '\0' ? "  " : "", text->place);
}

static char *name_text(const WsFrame *frame)
{
    return frame->there ? g_strdup_printf("block %u warp %u", frame->block, frame->warp_in_block)
                        : g_strdup("");
}

static void append_warp(Picture *p, guint slot, guint top)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) reasons = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) instructions = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < p->count; i++) {
        const WsFrame *frame = ws_frames_at(p->frames, i, slot);

        g_ptr_array_add(names, name_text(frame));
        g_ptr_array_add(reasons, reason_text(frame));
        g_ptr_array_add(instructions, instruction_text(p, frame));
    }
    append_text(p, MARGIN, top + LANE_HEIGHT - 7, "faint", names);
    append_lanes(p, slot, top);
    append_text(p, TEXT_LEFT, top + 9, "reason", reasons);
    append_text(p, TEXT_LEFT, top + LANE_HEIGHT + 2, "", instructions);
}

/* Into `ret`, in order: the focus and those that issue most in the stretch. */
static guint choose_warps(const Picture *p, guint32 focus, guint ret[WS_ANIMATION_WARPS])
{
    guint slots = ws_frames_slots(p->frames), count = 0, rows = 0;
    g_autofree guint *issues = g_new0(guint, slots);
    guint64 chosen = 0;

    for (guint slot = 0; slot < slots; slot++)
        for (guint i = 0; i < p->count; i++) {
            const WsFrame *frame = ws_frames_at(p->frames, i, slot);

            if (frame->there) /* one that is there comes before one that is not */
                issues[slot] += frame->reason == WS_STALL_SELECTED ? p->count + 1 : 1;
        }
    if (focus < slots && issues[focus] != 0)
        issues[focus] = G_MAXUINT;
    for (; count < WS_ANIMATION_WARPS; count++) {
        guint best = slots;

        for (guint slot = 0; slot < slots; slot++)
            if (issues[slot] != 0 && !(chosen >> slot & 1) &&
                (best == slots || issues[slot] > issues[best]))
                best = slot;
        if (best == slots)
            break;
        chosen |= (guint64)1 << best;
    }
    for (guint slot = 0; slot < slots; slot++)
        if (chosen >> slot & 1)
            ret[rows++] = slot;
    return rows;
}

/* ---- source -------------------------------------------------------------------------------------
 */

/* The line of the focus in each cycle, 0 = in another file or none; returns the file, or 0. */
static guint32 find_lines(const Picture *p, guint32 focus, guint32 *lines)
{
    guint32 file = 0, own;

    for (guint i = 0; i < p->count; i++) {
        const WsFrame *frame = ws_frames_at(p->frames, i, focus);

        lines[i] = 0;
        if (!frame->there || frame->instruction == WS_NO_INSTRUCTION)
            continue;
        ws_line_of_instruction(p->job->program, frame->instruction, &own, &lines[i]);
        if (file == 0)
            file = own;
        if (own != file)
            lines[i] = 0;
    }
    return file;
}

static void append_line(Picture *p, guint32 line, const char *text, guint top, const guint32 *lines)
{
    g_autofree const char **values = g_new(const char *, p->count);
    g_autofree char *number = g_strdup_printf("%u", line);
    g_autofree char *shown = ws_escape_controls(text, -1, "\t");
    g_auto(GStrv) parts = g_strsplit(shown, "\t", -1);
    g_autofree char *blanks = g_strjoinv("    ", parts);

    for (guint i = 0; i < p->count; i++)
        values[i] = lines[i] == line ? "#dbe8fd" : "#ffffff";
    g_string_append_printf(p->out,
                           "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"%s\">",
                           MARGIN, top, WIDTH - 2 * MARGIN, LINE, values[0]);
    append_changes(p, "fill", values);
    g_string_append(p->out, "</rect>\n");
    append_fixed(p, MARGIN + 4, top + LINE - 5, "faint", number);
    g_string_append_printf(p->out, "<text x=\"%d\" y=\"%u\" xml:space=\"preserve\">", MARGIN + 46,
                           top + LINE - 5);
    append_escaped(p->out, blanks);
    g_string_append(p->out, "</text>\n");
}

/* Lines that the focus is at, and those between them as far as there is room. Returns what is
 * below. */
static guint append_source(Picture *p, guint32 focus, guint top)
{
    g_autofree guint32 *lines = g_new0(guint32, p->count);
    guint32 file = find_lines(p, focus, lines), first = G_MAXUINT32, last = 0;
    g_auto(GStrv) source = NULL;
    guint rows = 0;

    for (guint i = 0; i < p->count; i++)
        if (lines[i] != 0) {
            first = MIN(first, lines[i]);
            last = MAX(last, lines[i]);
        }
    if (file == 0 || last == 0 || p->job->sources == NULL)
        return top;
    source = g_strsplit(p->job->sources[file], "\n", -1);
    if (last - first + 2 * AROUND < MOST_LINES) {
        first -= MIN(first - 1, AROUND);
        last += AROUND;
    }
    for (guint32 line = first; line <= last && line <= g_strv_length(source); line++) {
        gboolean at = FALSE;

        for (guint i = 0; i < p->count; i++)
            at = at || lines[i] == line;
        if (!at && last - first >= MOST_LINES)
            continue;
        if (rows++ == MOST_LINES)
            break;
        append_line(p, line, g_strchomp(source[line - 1]), top, lines);
        top += LINE;
    }
    return top + 10;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

static void append_head(Picture *p)
{
    g_autoptr(GPtrArray) cycles = g_ptr_array_new_with_free_func(g_free);
    guint64 first = ws_frames_first(p->frames);
    const WsKernel *kernel = p->job->launches[0].kernel;
    g_autofree char *title = g_strdup_printf(
        "%s on %s: SM %u, cycles %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, kernel->display_name,
        p->job->device->name, ws_frames_sm(p->frames), first, first + p->count - 1);

    g_string_append(p->out, "<title>");
    append_escaped(p->out, title);
    g_string_append_printf(p->out, "</title>\n<style>%s</style>\n", style);
    g_string_append(p->out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    append_fixed(p, MARGIN, 30, "title", title);
    for (guint i = 0; i < p->count; i++)
        g_ptr_array_add(cycles, g_strdup_printf("cycle %" G_GUINT64_FORMAT, first + i));
    append_text(p, MARGIN, 56, "big", cycles);
}

static void append_legend(Picture *p, guint top)
{
    guint x = MARGIN;

    for (guint i = 0; i < LANE_KINDS; i++) {
        g_string_append_printf(p->out,
                               "<rect x=\"%u\" y=\"%u\" width=\"13\" height=\"13\" fill=\"%s\" "
                               "stroke=\"#d8dde3\"/>\n",
                               x, top, lane_kinds[i].colour);
        append_fixed(p, x + 19, top + 11, "faint", lane_kinds[i].text);
        x += 44 + (guint)strlen(lane_kinds[i].text) * 9;
    }
}

char *ws_animation_svg(const WsJob *job, const WsFrames *frames, guint32 focus, guint speed)
{
    g_autoptr(GString) body = g_string_new(NULL);
    Picture p = {.out = body,
                 .job = job,
                 .frames = frames,
                 .texts = ws_instruction_texts_new(job->program),
                 .count = ws_frames_count(frames),
                 .speed = speed};
    guint slots[WS_ANIMATION_WARPS], count = choose_warps(&p, focus, slots), top = TOP;

    append_head(&p);
    for (guint i = 0; i < count; i++, top += ROW)
        append_warp(&p, slots[i], top);
    top = append_source(&p, focus, top + 6);
    append_legend(&p, top);
    ws_instruction_texts_free(p.texts);
    return g_strdup_printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" "
                           "width=\"%d\" height=\"%u\" role=\"img\">\n%s</svg>\n",
                           WIDTH, top + 32, WIDTH, top + 32, body->str);
}
