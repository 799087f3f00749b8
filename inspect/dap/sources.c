#include <string.h>

#include "inspect/dap/adapter.h"
#include "isa/base/error.h"
#include "isa/text/disassembler.h"
#include "sim/report/line_profile.h"

enum { MOST_LOCATIONS = 10000 };

/* ---- files --------------------------------------------------------------------------------------
 */

static const char *text_of(const WsDapAdapter *adapter, guint32 file)
{
    return adapter->job->sources != NULL && file < g_strv_length(adapter->job->sources)
               ? adapter->job->sources[file]
               : "";
}

/* The path of a file that is still what the program was made from; else NULL. */
static char *path_of(const WsDapAdapter *adapter, guint32 file)
{
    g_autofree char *here = g_get_current_dir();
    g_autofree char *path = g_canonicalize_filename(adapter->job->program->files[file], here);
    g_autofree char *contents = NULL;

    if (!g_file_get_contents(path, &contents, NULL, NULL) ||
        strcmp(contents, text_of(adapter, file)) != 0)
        return NULL;
    return g_steal_pointer(&path);
}

void ws_dap_find_sources(WsDapAdapter *adapter)
{
    char **files = adapter->job->program->files;

    for (guint32 i = 0; files[i] != NULL; i++)
        g_ptr_array_add(adapter->paths, *text_of(adapter, i) != '\0' ? path_of(adapter, i) : NULL);
}

JsonObject *ws_dap_source_of(const WsDapAdapter *adapter, guint32 file)
{
    JsonObject *source = json_object_new();
    const char *path = g_ptr_array_index(adapter->paths, file);
    g_autofree char *base = g_path_get_basename(adapter->job->program->files[file]);
    g_autofree char *name = g_utf8_make_valid(base, -1);

    json_object_set_string_member(source, "name", name);
    if (path != NULL && g_utf8_validate(path, -1, NULL))
        json_object_set_string_member(source, "path", path);
    else if (*text_of(adapter, file) != '\0')
        json_object_set_int_member(source, "sourceReference", file);
    return source;
}

guint32 ws_dap_file_of(const WsDapAdapter *adapter, JsonObject *source)
{
    WsDapArguments arguments = {.object = source};
    gint64 number = ws_dap_number(&arguments, "sourceReference", 0, 0, G_MAXINT32);
    const char *path = ws_dap_text(&arguments, "path", FALSE);
    const char *name = ws_dap_text(&arguments, "name", FALSE);
    g_autofree char *whole = path != NULL ? g_canonicalize_filename(path, adapter->folder) : NULL;
    g_autofree char *base = path != NULL ? g_path_get_basename(path) : g_strdup(name);
    guint32 found = 0;

    g_clear_error(&arguments.error);
    if (number > 0 && number < adapter->paths->len)
        return (guint32)number;
    for (guint32 i = 1; i < adapter->paths->len; i++) {
        const char *other = g_ptr_array_index(adapter->paths, i);
        g_autofree char *other_base = g_path_get_basename(adapter->job->program->files[i]);

        if (whole != NULL && other != NULL && strcmp(whole, other) == 0)
            return i;
        if (found == 0 && base != NULL && strcmp(base, other_base) == 0 &&
            ws_dap_line_with_code(adapter, i, 1) != 0)
            found = i;
    }
    return found;
}

gboolean ws_dap_source(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                       GError **error)
{
    JsonObject *source = ws_dap_object(arguments, "source", FALSE);
    gint64 number = ws_dap_number(arguments, "sourceReference", 0, 0, G_MAXINT32);
    guint32 file;
    g_autofree char *text = NULL;

    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    file = number > 0 && number < adapter->paths->len ? (guint32)number
           : source != NULL                           ? ws_dap_file_of(adapter, source)
                                                      : 0;
    if (file == 0 || *text_of(adapter, file) == '\0') {
        ws_set_error(error, WS_ERROR_USAGE, "the program has no text of this source");
        return FALSE;
    }
    text = g_utf8_make_valid(text_of(adapter, file), -1);
    json_object_set_string_member(body, "content", text);
    return TRUE;
}

gboolean ws_dap_loadedSources(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                              GError **error)
{
    JsonArray *list = json_array_new();

    for (guint32 i = 1; i < adapter->paths->len; i++)
        if (*text_of(adapter, i) != '\0')
            json_array_add_object_element(list, ws_dap_source_of(adapter, i));
    json_object_set_array_member(body, "sources", list);
    return TRUE;
}

/* ---- lines --------------------------------------------------------------------------------------
 */

gboolean ws_dap_add_position(const WsDapAdapter *adapter, JsonObject *object, guint32 instruction)
{
    guint32 file = 0, line = 0;

    if (instruction < adapter->job->program->instruction_count)
        ws_line_of_instruction(adapter->job->program, instruction, &file, &line);
    if (file != 0)
        json_object_set_object_member(object, "source", ws_dap_source_of(adapter, file));
    json_object_set_int_member(object, "line", file != 0 ? line - 1 + adapter->first_line : 0);
    json_object_set_int_member(object, "column", file != 0 ? adapter->first_column : 0);
    return file != 0;
}

guint32 ws_dap_line_with_code(const WsDapAdapter *adapter, guint32 file, guint32 line)
{
    const WsProgram *program = adapter->job->program;
    guint32 best = 0;

    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 number, at;

        ws_line_of_instruction(program, i, &number, &at);
        if (number == file && at != 0 && at >= line && (best == 0 || at < best))
            best = at;
    }
    return best;
}

gboolean ws_dap_breakpointLocations(WsDapAdapter *adapter, WsDapArguments *arguments,
                                    JsonObject *body, GError **error)
{
    JsonArray *list = json_array_new();
    JsonObject *source = ws_dap_object(arguments, "source", TRUE);
    gint64 first = ws_dap_number(arguments, "line", WS_DAP_REQUIRED, 0, G_MAXINT32);
    gint64 last = ws_dap_number(arguments, "endLine", first, 0, G_MAXINT32);
    guint32 file, line;

    json_object_set_array_member(body, "breakpoints", list);
    if (!ws_dap_arguments_end(arguments, error))
        return FALSE;
    file = ws_dap_file_of(adapter, source);
    last += 1 - adapter->first_line;
    line = (guint32)(first + 1 - adapter->first_line);
    for (guint i = 0; file != 0 && i < MOST_LOCATIONS; i++) {
        JsonObject *location;

        line = ws_dap_line_with_code(adapter, file, line);
        if (line == 0 || line > last)
            break;
        location = json_object_new();
        json_object_set_int_member(location, "line", line - 1 + adapter->first_line);
        json_array_add_object_element(list, location);
        line++;
    }
    return TRUE;
}

/* ---- instructions -------------------------------------------------------------------------------
 */

char *ws_dap_code_address(guint32 instruction)
{
    return g_strdup_printf("0x%" G_GINT64_MODIFIER "x", (guint64)instruction * 16);
}

gboolean ws_dap_read_address(const char *text, gint64 offset, gint64 *ret, GError **error)
{
    gboolean hexadecimal = g_str_has_prefix(text, "0x");
    g_autofree char *shown = NULL;
    guint64 address;

    if (g_ascii_string_to_unsigned(text + (hexadecimal ? 2 : 0), hexadecimal ? 16 : 10, 0,
                                   G_MAXINT64, &address, NULL) &&
        !__builtin_add_overflow((gint64)address, offset, ret))
        return TRUE;
    shown = ws_printable(text);
    ws_set_error(error, WS_ERROR_USAGE, "'%s' is no address", shown);
    return FALSE;
}

char *ws_dap_instruction_text(const WsDapAdapter *adapter, guint32 instruction)
{
    const WsProgram *program = adapter->job->program;
    WsInstruction copy = program->instructions[instruction];
    g_autofree char *text = NULL;

    copy.control = (WsControl){.write_barrier = 7, .read_barrier = 7};
    text = ws_instruction_to_text(&copy, program->labels);
    return g_utf8_make_valid(text, -1);
}
