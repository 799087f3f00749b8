#include "sim/base/call_frames.h"

#include <string.h>

#include "isa/bytecode/variables.h"
#include "sim/base/instruction_place.h"

static void add(GArray *frames, const WsCallFrame *frame)
{
    g_array_append_vals(frames, frame, 1);
}

/* FALSE if the table has no scope there. */
static gboolean add_scopes(const WsProgram *program, guint32 instruction, WsCallFrame at,
                           GArray *frames)
{
    const WsVariableTable *table = program->variables;
    guint32 scope = table == NULL ? WS_NO_SCOPE : ws_variable_table_scope_at(table, instruction);

    for (; scope != WS_NO_SCOPE; scope = ws_variable_table_scope(table, scope)->parent) {
        const WsSourceScope *function = ws_variable_table_scope(table, scope);

        if (function->kind == WS_SOURCE_SCOPE_BLOCK)
            continue;
        at.scope = scope;
        at.function = function->name;
        add(frames, &at);
        at.file = function->call_line == 0 ? 0 : function->call_file;
        at.line = function->call_line;
    }
    return frames->len != 0;
}

/* PTX of nvcc: the calls by their lines. */
static void add_call_sites(const WsProgram *program, guint32 instruction, WsCallFrame at,
                           GArray *frames)
{
    const WsLocation *location = &program->locations[program->instructions[instruction].location];

    add(frames, &at);
    /* A chain cannot be longer than the table, whatever the table holds. */
    for (guint32 steps = 0; steps < program->location_count && location->inlined_at != 0; steps++) {
        gboolean own = g_str_has_prefix(program->files[location->file], "warpstep/");

        location = &program->locations[location->inlined_at];
        at.file = location->line == 0 ? 0 : location->file;
        at.line = location->line;
        if (!own)
            add(frames, &at);
    }
}

GArray *ws_call_frames(const WsProgram *program, guint32 instruction)
{
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(WsCallFrame));
    WsCallFrame at = {.scope = WS_NO_SCOPE};

    if (instruction < program->instruction_count)
        ws_line_of_instruction(program, instruction, &at.file, &at.line);
    if (!add_scopes(program, instruction, at, frames)) {
        if (instruction < program->instruction_count)
            add_call_sites(program, instruction, at, frames);
        else
            add(frames, &at);
    }
    return frames;
}

static const WsCallFrame *frame_of(const GArray *frames, guint index)
{
    return &g_array_index(frames, WsCallFrame, index);
}

static void append_line(GString *text, const char *word, const WsProgram *program,
                        const WsCallFrame *frame)
{
    g_autofree char *base = NULL;

    if (frame->line == 0)
        return;
    base = g_path_get_basename(program->files[frame->file]);
    g_string_append_printf(text, "%s%s:%u", word, base, frame->line);
}

/* Of a caller: ", called by twice() at a.cuh:10"; a kernel's name goes without saying. */
static void append_call(GString *text, const WsProgram *program, const GArray *frames, guint index)
{
    const WsCallFrame *frame = frame_of(frames, index);

    g_string_append(text, ", called");
    if (index + 1 < frames->len && frame->function != NULL)
        g_string_append_printf(text, " by %s()", frame->function);
    append_line(text, " at ", program, frame);
}

char *ws_call_frame_name(const WsProgram *program, const GArray *frames, guint index)
{
    const WsCallFrame *frame = frame_of(frames, index);
    GString *text = g_string_new(frame->function);

    if (frame->function != NULL)
        g_string_append(text, "()");
    append_line(text, frame->function != NULL ? " at " : "", program, frame);
    return g_string_free(text, FALSE);
}

char *ws_call_frame_text(const WsProgram *program, const GArray *frames, guint index)
{
    g_autofree char *name = ws_call_frame_name(program, frames, index);
    GString *text = g_string_new(name);

    if (index + 1 < frames->len)
        append_line(text, ", called at ", program, frame_of(frames, index + 1));
    return g_string_free(text, FALSE);
}

/*
 * A scope covers code that was moved or shared, too; such an instruction may have a line that is
 * not of its function, and a sentence that said so would be wrong. The text of a function begins at
 * its line, and has ended where one begins that calls it.
 */
static gboolean may_hold(const WsProgram *program, const GArray *frames, guint index)
{
    const WsCallFrame *at = frame_of(frames, 0);
    const WsSourceScope *function, *caller;

    if (frame_of(frames, index)->scope == WS_NO_SCOPE)
        return TRUE;
    function = ws_variable_table_scope(program->variables, frame_of(frames, index)->scope);
    if (function->kind == WS_SOURCE_SCOPE_KERNEL || function->line == 0)
        return TRUE;
    if (at->file != function->file || at->line < function->line)
        return FALSE;
    for (guint i = index + 1; i < frames->len; i++) {
        caller = ws_variable_table_scope(program->variables, frame_of(frames, i)->scope);
        if (caller->file == function->file && caller->line > function->line &&
            caller->line <= at->line)
            return FALSE;
    }
    return TRUE;
}

char *ws_place_with_frames(const WsProgram *program, guint32 instruction, const char *place)
{
    g_autoptr(GArray) frames = ws_call_frames(program, instruction);
    guint first = 0;
    GString *text;

    while (first + 1 < frames->len && !may_hold(program, frames, first))
        first++;
    if (first + 1 == frames->len)
        return g_strdup(place);
    text = g_string_new(NULL);
    if (frame_of(frames, first)->function != NULL)
        g_string_append_printf(text, "%s() at ", frame_of(frames, first)->function);
    g_string_append(text, place);
    for (guint i = first + 1; i < frames->len; i++)
        append_call(text, program, frames, i);
    return g_string_free(text, FALSE);
}

char *ws_framed_instruction_place(const WsProgram *program, guint32 instruction, gboolean folders)
{
    g_autofree char *place = ws_instruction_place(program, instruction);
    const char *base = strrchr(place, '/');

    return ws_place_with_frames(program, instruction, folders || base == NULL ? place : base + 1);
}
