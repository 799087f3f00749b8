#include "sim/launch/code_regions.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/base/escape.h"

static const char mark[] = "warpstep:";

enum { MOST_PARTS = 1000 }; /* each is compared with all instructions */

static void clear_region(WsCodeRegion *region)
{
    g_free(region->name);
    g_free(region->place);
    g_free(region->holds);
    g_array_unref(region->ranges);
}

void ws_code_regions_free(WsCodeRegion *regions, guint32 count)
{
    for (guint32 i = 0; i < count; i++)
        clear_region(&regions[i]);
    g_free(regions);
}

/* ---- regions of a job ---------------------------------------------------------------------------
 */

static WsCodeRegion *region_of(WsJob *job, const char *name)
{
    WsCodeRegion *region;

    for (guint32 i = 0; i < job->region_count; i++)
        if (strcmp(job->regions[i].name, name) == 0)
            return &job->regions[i];
    job->regions = g_renew(WsCodeRegion, job->regions, job->region_count + 1);
    region = &job->regions[job->region_count++];
    *region = (WsCodeRegion){.name = g_strdup(name),
                             .holds = g_new0(guint8, job->program->instruction_count + 1),
                             .ranges = g_array_new(FALSE, FALSE, sizeof(WsLineRange))};
    return region;
}

/* The instruction comes from a line of the range, or was inlined into one. */
static gboolean is_from(const WsProgram *program, guint32 instruction, const WsLineRange *range)
{
    guint32 index = program->instructions[instruction].location;

    /* A chain cannot be longer than the table, whatever the table holds. */
    for (guint32 steps = 0; steps < program->location_count; steps++) {
        const WsLocation *location = &program->locations[index];

        if (location->file == range->file && location->line >= range->from &&
            location->line <= range->to && location->line != 0)
            return TRUE;
        if (location->inlined_at == 0)
            return FALSE;
        index = location->inlined_at;
    }
    return FALSE;
}

/* "kernel.cu:12-20, 31, half.cuh:4" */
static char *place_of(const WsProgram *program, const GArray *ranges)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < ranges->len; i++) {
        const WsLineRange *range = &g_array_index(ranges, WsLineRange, i);

        g_string_append(text, i == 0 ? "" : ", ");
        if (i == 0 || range->file != g_array_index(ranges, WsLineRange, i - 1).file) {
            g_autofree char *base = g_path_get_basename(program->files[range->file]);
            g_autofree char *shown = ws_printable(base);

            g_string_append_printf(text, "%s:", shown);
        }
        g_string_append_printf(text, "%u", range->from);
        if (range->to != range->from)
            g_string_append_printf(text, "-%u", range->to);
    }
    return g_string_free(text, FALSE);
}

static void add_range(const WsJob *job, WsCodeRegion *region, WsLineRange range)
{
    const WsProgram *program = job->program;

    g_array_append_val(region->ranges, range);
    for (guint32 i = 0; i < program->instruction_count; i++)
        if (!region->holds[i] && is_from(program, i, &range)) {
            region->holds[i] = TRUE;
            region->instruction_count++;
        }
    g_free(region->place);
    region->place = place_of(program, region->ranges);
}

static gboolean is_name(const char *text)
{
    if (!g_ascii_isalpha(*text) && *text != '_')
        return FALSE;
    while (g_ascii_isalnum(*text) || *text == '_')
        text++;
    return *text == '\0';
}

/* ---- marks --------------------------------------------------------------------------------------
 */

/* A region that has begun and not ended. */
typedef struct {
    char *name;
    guint32 line; /* of its mark */
} Open;

static void clear_open(gpointer data)
{
    g_free(((Open *)data)->name);
}

typedef struct {
    WsJob *job;
    guint32 file, line;
    guint parts;  /* regions that have ended */
    GArray *open; /* of Open */
} Marks;

static gboolean fail(const Marks *marks, guint32 line, const char *what, GError **error)
{
    const WsPosition position = {.file = marks->job->program->files[marks->file], .line = line};

    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", what);
    return FALSE;
}

static gboolean begin_region(Marks *marks, const char *name, GError **error)
{
    const Open open = {g_strdup(name), marks->line};

    g_array_append_val(marks->open, open);
    if (!is_name(name))
        return fail(marks, marks->line,
                    "'// warpstep: region NAME' is expected, with a name of letters, digits and _",
                    error);
    if (marks->job->region_count == WS_MAX_CODE_REGIONS)
        return fail(marks, marks->line, "a program has at most 64 regions", error);
    region_of(marks->job, name);
    return TRUE;
}

/* `name`: of the region, or "" for the one that began last. */
static gboolean end_region(Marks *marks, const char *name, GError **error)
{
    for (guint i = marks->open->len; i-- > 0;) {
        const Open *open = &g_array_index(marks->open, Open, i);

        if (*name != '\0' && strcmp(open->name, name) != 0)
            continue;
        if (++marks->parts > MOST_PARTS)
            return fail(marks, marks->line, "regions have at most 1000 parts in all", error);
        if (open->line + 1 < marks->line)
            add_range(marks->job, region_of(marks->job, open->name),
                      (WsLineRange){marks->file, open->line + 1, marks->line - 1});
        g_array_remove_index(marks->open, i);
        return TRUE;
    }
    return fail(marks, marks->line, "no region begins before this end", error);
}

/* `text`: a line, without the blanks around it. */
static gboolean read_line(Marks *marks, const char *text, GError **error)
{
    const char *comment = g_str_has_prefix(text, "//") ? text + strspn(text, "/ \t") : NULL;
    g_auto(GStrv) words = NULL;

    if (comment == NULL || !g_str_has_prefix(comment, mark))
        return TRUE;
    words = g_strsplit_set(comment + strlen(mark), " \t", -1);
    char *given[3] = {(char *)"", (char *)"", NULL};
    guint count = 0;

    for (guint i = 0; words[i] != NULL; i++) {
        if (*words[i] == '\0')
            continue;
        if (count < 2)
            given[count] = words[i];
        count++;
    }
    if (strcmp(given[0], "region") == 0 && count == 2)
        return begin_region(marks, given[1], error);
    if (strcmp(given[0], "end") == 0 && count <= 2)
        return end_region(marks, given[1], error);
    return fail(marks, marks->line, "'// warpstep: region NAME' or '// warpstep: end' is expected",
                error);
}

static gboolean read_file(Marks *marks, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    g_array_set_size(marks->open, 0);
    for (guint i = 0; lines[i] != NULL; i++) {
        marks->line = i + 1;
        if (!read_line(marks, g_strstrip(lines[i]), error))
            return FALSE;
    }
    return marks->open->len == 0 ||
           fail(marks, g_array_index(marks->open, Open, 0).line, "this region has no end", error);
}

gboolean ws_job_find_regions(WsJob *job, GError **error)
{
    Marks marks = {.job = job, .open = g_array_new(FALSE, FALSE, sizeof(Open))};
    gboolean ok = TRUE;

    g_array_set_clear_func(marks.open, clear_open);
    for (; ok && job->sources != NULL && job->sources[marks.file] != NULL; marks.file++)
        if (strstr(job->sources[marks.file], mark) != NULL)
            ok = read_file(&marks, job->sources[marks.file], error);
    g_array_unref(marks.open);
    return ok;
}

/* ---- options ------------------------------------------------------------------------------------
 */

static gboolean has_name(const char *path, const char *wanted)
{
    g_autofree char *base = g_path_get_basename(path);

    return strcmp(path, wanted) == 0 || strcmp(base, wanted) == 0;
}

/* The file of the program that has this name; 0 if none has. */
static guint32 find_file(const WsProgram *program, const char *name)
{
    for (guint32 i = 1; program->files[0] != NULL && program->files[i] != NULL; i++)
        if (has_name(program->files[i], name))
            return i;
    return 0;
}

/* That of the program itself, or the first that an instruction comes from. */
static guint32 own_file(const WsProgram *program)
{
    g_autofree char *base = program->path != NULL ? g_path_get_basename(program->path) : NULL;
    guint32 file = base != NULL ? find_file(program, base) : 0;

    for (guint32 i = 0; file == 0 && i < program->instruction_count; i++)
        file = program->locations[program->instructions[i].location].file;
    return file;
}

/* A whole number above 0 at *at, which is moved behind it; 0 if there is none. */
static guint32 read_number(const char **at)
{
    char *end;
    guint64 number = g_ascii_isdigit(**at) ? g_ascii_strtoull(*at, &end, 10) : 0;

    if (number == 0 || number > G_MAXINT32)
        return 0;
    *at = end;
    return (guint32)number;
}

/* "A", "A-B", "FILE:A-B". `ret->file` is kept where there is no FILE. */
static gboolean read_range(const WsProgram *program, const char *text, WsLineRange *ret,
                           const char **ret_problem)
{
    const char *colon = strrchr(text, ':'), *at = colon != NULL ? colon + 1 : text;

    if (colon != NULL) {
        g_autofree char *name = g_strndup(text, (gsize)(colon - text));

        ret->file = find_file(program, name);
        *ret_problem = "the program has no such file";
        if (ret->file == 0)
            return FALSE;
    }
    *ret_problem = "lines are expected, such as 12-20 or kernel.cu:12-20,31";
    ret->from = ret->to = read_number(&at);
    if (ret->from != 0 && *at == '-') {
        at++;
        ret->to = read_number(&at);
    }
    return ret->from != 0 && ret->to >= ret->from && *at == '\0';
}

static gboolean refuse(const char *option, const char *text, const char *problem, GError **error)
{
    g_autofree char *shown = ws_printable(text);

    ws_set_error(error, WS_ERROR_USAGE, "%s %s: %s", option, shown, problem);
    return FALSE;
}

/* The ranges of the region that was added last. */
static gboolean add_ranges(WsJob *job, const char *option, const char *text, char *const *parts,
                           GError **error)
{
    WsCodeRegion *region = &job->regions[job->region_count - 1];
    WsLineRange range = {.file = own_file(job->program)};
    const char *problem = "lines are expected";

    for (; *parts != NULL; parts++) {
        if (!read_range(job->program, *parts, &range, &problem))
            return refuse(option, text, problem, error);
        add_range(job, region, range);
    }
    if (region->ranges->len == 0)
        return refuse(option, text, problem, error);
    return region->instruction_count != 0 ||
           refuse(option, text, "no instruction comes from these lines", error);
}

gboolean ws_job_add_region(WsJob *job, const char *option, const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name =
        equals != NULL ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
    g_auto(GStrv) parts = g_strsplit(equals != NULL ? equals + 1 : text, ",", -1);

    if (equals != NULL && !is_name(name))
        return refuse(option, text, "a name has letters, digits and _", error);
    for (guint32 i = 0; i < job->region_count; i++)
        if (strcmp(job->regions[i].name, name) == 0)
            return refuse(option, text, "there is a region of this name already", error);
    if (job->region_count == WS_MAX_CODE_REGIONS)
        return refuse(option, text, "there are 64 regions at most", error);
    region_of(job, name);
    if (add_ranges(job, option, text, parts, error))
        return TRUE;
    clear_region(&job->regions[--job->region_count]);
    return FALSE;
}
