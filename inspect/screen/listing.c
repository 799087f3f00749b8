#include "inspect/screen/listing.h"

#include <string.h>

#include "inspect/export/instruction_texts.h"
#include "isa/base/escape.h"
#include "sim/report/line_profile.h"

enum { TAB_COLUMNS = 4 };

struct WsListings {
    const WsProgram *program;
    WsInstructionTexts *texts;
    WsListing *sources; /* by file of the program */
    guint32 source_count;
    WsListing ptx, bytecode;
    guint *lines;          /* of the bytecode, by instruction */
    guint32 *instructions; /* by line of the bytecode */
};

/* Tabs as blanks up to the next tab stop. */
static char *expand_tabs(const char *line)
{
    GString *out = g_string_new(NULL);
    guint column = 0;

    for (const char *at = line; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar c = g_utf8_get_char(at);

        if (c != '\t') {
            g_string_append_unichar(out, c);
            column += g_unichar_iswide(c) ? 2 : 1;
            continue;
        }
        do
            g_string_append_c(out, ' ');
        while (++column % TAB_COLUMNS != 0);
    }
    return g_string_free(out, FALSE);
}

static WsListing split(const char *text)
{
    g_autofree char *valid = ws_escape_controls(text, -1, "\n\t\r");
    WsListing ret = {.lines = g_strsplit(valid, "\n", -1)};

    while (ret.lines[ret.count] != NULL) {
        char *line = g_strchomp(ret.lines[ret.count]);

        ret.lines[ret.count++] = expand_tabs(line);
        g_free(line);
    }
    if (ret.count > 0 && *ret.lines[ret.count - 1] == '\0') { /* behind the last line */
        ret.count--;
        g_clear_pointer(&ret.lines[ret.count], g_free);
    }
    return ret;
}

char *ws_instruction_line(const WsListings *listings, guint32 instruction)
{
    return g_strdup_printf("%04x %s", instruction * WS_INSTRUCTION_BYTES,
                           ws_instruction_text(listings->texts, instruction)->text);
}

/* How long the lines are that instructions of launched kernels come from. */
static void measure_code(WsListings *listings, const WsJob *job, const WsKernel *kernel)
{
    for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++) {
        guint32 file, line;
        WsListing *source;

        ws_line_of_instruction(job->program, i, &file, &line);
        if (file >= listings->source_count || line == 0 || line > listings->sources[file].count)
            continue;
        source = &listings->sources[file];
        source->code_columns = MAX(source->code_columns, ws_text_columns(source->lines[line - 1]));
    }
}

static void list_bytecode(WsListings *listings)
{
    const WsProgram *program = listings->program;
    g_autoptr(GPtrArray) lines = g_ptr_array_new();
    GArray *instructions = g_array_new(FALSE, FALSE, sizeof(guint32));

    listings->lines = g_new0(guint, program->instruction_count + 1);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        for (guint32 k = 0; k < program->kernel_count; k++)
            if (program->kernels[k].first == i) {
                g_ptr_array_add(lines,
                                g_strdup_printf("kernel %s", program->kernels[k].display_name));
                g_array_append_val(instructions, i);
            }
        if (program->labels != NULL && program->labels[i] != NULL) {
            g_ptr_array_add(lines, g_strdup_printf("%s:", program->labels[i]));
            g_array_append_val(instructions, i);
        }
        listings->lines[i] = lines->len;
        g_ptr_array_add(lines, ws_instruction_line(listings, i));
        g_array_append_val(instructions, i);
    }
    listings->bytecode.count = lines->len;
    g_ptr_array_add(lines, NULL);
    listings->bytecode.lines = (char **)g_ptr_array_free(g_steal_pointer(&lines), FALSE);
    listings->instructions = (guint32 *)(void *)g_array_free(instructions, FALSE);
}

WsListings *ws_listings_new(const WsJob *job)
{
    const WsProgram *program = job->program;
    guint32 texts = job->sources != NULL ? g_strv_length(job->sources) : 0;
    WsListings *listings = g_new0(WsListings, 1);

    listings->program = program;
    listings->texts = ws_instruction_texts_new(program);
    listings->source_count = program->files != NULL ? g_strv_length(program->files) : 0;
    listings->sources = g_new0(WsListing, listings->source_count + 1);
    for (guint32 i = 1; i < listings->source_count; i++)
        listings->sources[i] = split(i < texts ? job->sources[i] : "");
    listings->ptx = split(program->ptx != NULL ? program->ptx : "");
    list_bytecode(listings);
    for (guint32 i = 0; i < job->launch_count; i++)
        measure_code(listings, job, job->launches[i].kernel);
    return listings;
}

void ws_listings_free(WsListings *listings)
{
    if (listings == NULL)
        return;
    for (guint32 i = 0; i < listings->source_count; i++)
        g_strfreev(listings->sources[i].lines);
    g_free(listings->sources);
    g_strfreev(listings->ptx.lines);
    g_strfreev(listings->bytecode.lines);
    g_free(listings->lines);
    g_free(listings->instructions);
    ws_instruction_texts_free(listings->texts);
    g_free(listings);
}

const WsListing *ws_listing(const WsListings *listings, WsPane pane, guint32 file)
{
    if (pane == WS_PANE_PTX)
        return &listings->ptx;
    if (pane == WS_PANE_BYTECODE)
        return &listings->bytecode;
    return &listings->sources[file < listings->source_count ? file : 0];
}

gboolean ws_listing_line(const WsListings *listings, WsPane pane, guint32 instruction,
                         guint32 *ret_file, guint *ret_line)
{
    const WsProgram *program = listings->program;
    guint32 line = 0;

    *ret_file = 0;
    if (instruction >= program->instruction_count)
        return FALSE;
    if (pane == WS_PANE_BYTECODE) {
        *ret_line = listings->lines[instruction];
        return TRUE;
    }
    if (pane == WS_PANE_PTX)
        line = program->locations[program->instructions[instruction].location].ptx_line;
    else
        ws_line_of_instruction(program, instruction, ret_file, &line);
    *ret_line = line - 1;
    return line != 0;
}

guint32 ws_listing_instruction(const WsListings *listings, WsPane pane, guint32 file, guint line)
{
    if (pane == WS_PANE_BYTECODE)
        return line < listings->bytecode.count ? listings->instructions[line] : WS_NO_INSTRUCTION;
    for (guint32 i = 0; i < listings->program->instruction_count; i++) {
        guint32 at_file;
        guint at;

        if (ws_listing_line(listings, pane, i, &at_file, &at) && at == line &&
            (pane == WS_PANE_PTX || at_file == file))
            return i;
    }
    return WS_NO_INSTRUCTION;
}
