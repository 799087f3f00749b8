#include "inspect/page/page_sources.h"

#include <string.h>

#include "inspect/page/page_calls.h"
#include "isa/base/escape.h"
#include "sim/report/line_profile.h"

enum { WHOLE_FILE_LINES = 2000, LINES_AROUND = 8 };

/* Lines of a file, and which of them are shown. */
typedef struct {
    GPtrArray *begins; /* of const char *; without an empty last line */
    guint8 *shown;     /* by line, from 0 */
} Lines;

static void find_lines(Lines *ret, const char *source)
{
    ret->begins = g_ptr_array_new();
    for (const char *at = source; at != NULL && *at != '\0';) {
        g_ptr_array_add(ret->begins, (gpointer)at);
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    ret->shown = g_malloc0(ret->begins->len + 1);
    if (ret->begins->len <= WHOLE_FILE_LINES)
        memset(ret->shown, 1, ret->begins->len + 1);
}

static void lines_clear(Lines *lines)
{
    g_ptr_array_unref(lines->begins);
    g_free(lines->shown);
}

static void show_around(Lines *lines, guint32 line)
{
    guint32 first = line > LINES_AROUND ? line - 1 - LINES_AROUND : 0;

    if (line == 0 || line > lines->begins->len)
        return;
    for (guint32 i = first; i < MIN(line + LINES_AROUND, lines->begins->len); i++)
        lines->shown[i] = 1;
}

static void add_part(JsonBuilder *json, const Lines *lines, guint from, guint to)
{
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "first");
    json_builder_add_int_value(json, from + 1);
    json_builder_set_member_name(json, "lines");
    json_builder_begin_array(json);
    for (guint i = from; i < to; i++) {
        const char *at = lines->begins->pdata[i];
        g_autofree char *line = ws_escape_controls(at, (gssize)strcspn(at, "\r\n"), "\t");

        json_builder_add_string_value(json, line);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void add_file(JsonBuilder *json, const char *name, const Lines *lines)
{
    g_autofree char *shown = ws_escape_controls(name, -1, "");

    json_builder_begin_object(json);
    json_builder_set_member_name(json, "name");
    json_builder_add_string_value(json, shown);
    json_builder_set_member_name(json, "parts");
    json_builder_begin_array(json);
    for (guint from = 0; from < lines->begins->len;) {
        guint to = from;

        while (to < lines->begins->len && lines->shown[to])
            to++;
        if (to > from)
            add_part(json, lines, from, to);
        from = to + 1;
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

void ws_run_page_add_sources(JsonBuilder *json, const WsJob *job)
{
    const WsProgram *program = job->program;
    guint count = program->files != NULL ? g_strv_length(program->files) : 0;
    g_autofree Lines *files = g_new0(Lines, MAX(count, 1));

    for (guint i = 0; i < count; i++)
        find_lines(&files[i], job->sources != NULL ? job->sources[i] : "");
    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 file, line;

        ws_line_of_instruction(program, i, &file, &line);
        if (file < count)
            show_around(&files[file], line);
    }
    json_builder_set_member_name(json, "files");
    json_builder_begin_array(json);
    for (guint i = 0; i < count; i++) {
        add_file(json, program->files[i], &files[i]);
        lines_clear(&files[i]);
    }
    json_builder_end_array(json);
}

void ws_run_page_add_ptx(JsonBuilder *json, const WsJob *job)
{
    const WsProgram *program = job->program;
    Lines lines;

    json_builder_set_member_name(json, "ptx");
    if (program->ptx == NULL) {
        json_builder_add_null_value(json);
        return;
    }
    find_lines(&lines, program->ptx);
    for (guint32 i = 0; i < program->instruction_count; i++)
        if (ws_job_launches(job, i))
            show_around(&lines, program->locations[program->instructions[i].location].ptx_line);
    add_file(json, "PTX", &lines);
    lines_clear(&lines);
}
