#include "study/run/axes.h"

#include "isa/container/binary.h"

#include <string.h>

/* Of an axis with more values than these, so many are compiled, spread over it, the last among
 * them. */
enum { MOST_COMPILED = 8 };

#define NO_PARAMETER G_MAXUINT

typedef struct {
    const WsStudy *study;
    const WsSweepOptions *options;
    WsProgramStore *programs;
} Axes;

/* The launch at a point, as if the parameter of number `left_out` were none (or NO_PARAMETER). */
static WsJob *load(const Axes *axes, guint number, guint left_out)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, axes->study, number);
    if (left_out != NO_PARAMETER) {
        const char *key = ws_study_parameter(axes->study, left_out)->key;
        gsize length = strlen(key);
        for (guint i = 0; i + 1 < point.defines->len; i++) {
            const char *define = point.defines->pdata[i];
            if (strncmp(define, key, length) == 0 && define[length] == '=')
                g_ptr_array_remove_index(point.defines, i--);
        }
    }
    return ws_sweep_load(axes->study, &point, axes->options, axes->programs, NULL);
}

/* ---- macros -----------------------------------------------------------------------------------
 */

static gboolean is_name_byte(char byte)
{
    return g_ascii_isalnum(byte) || byte == '_';
}

static gboolean text_mentions(const char *text, const char *name, gsize length)
{
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name))
        if ((at == text || !is_name_byte(at[-1])) && !is_name_byte(at[length]))
            return TRUE;
    return FALSE;
}

/* Of what is compiled: bytecode and PTX have no macros. */
static gboolean program_mentions(const WsProgram *program, const char *name, gsize length)
{
    gboolean compiled = program != NULL && (g_str_has_suffix(program->path, ".cu") ||
                                            g_str_has_suffix(program->path, ".c"));
    char **text = compiled ? program->sources : NULL;
    for (; text != NULL && *text != NULL; text++)
        if (text_mentions(*text, name, length))
            return TRUE;
    return FALSE;
}

/* Everything that is compiled for a point, as a text. */
static char *code_of(const WsJob *job)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    const WsProgram *programs[] = {job->program, job->policy};
    for (guint i = 0; i < G_N_ELEMENTS(programs); i++) {
        g_autoptr(GBytes) bytes =
            programs[i] == NULL ? NULL : ws_program_to_binary(programs[i], NULL);
        gsize length = 0;
        const guchar *data = bytes == NULL ? NULL : g_bytes_get_data(bytes, &length);
        if (data != NULL)
            g_checksum_update(sum, data, (gssize)length);
    }
    return g_strdup(g_checksum_get_string(sum));
}

/*
 * Whether some values of the macro give other code than its first does, all else as at `point`. A
 * single value is compared with none.
 */
static gboolean code_differs(const Axes *axes, guint parameter, guint point)
{
    const WsStudyParameter *macro = ws_study_parameter(axes->study, parameter);
    guint tried = CLAMP(macro->count, 2, MOST_COMPILED);
    g_autofree char *first = NULL;
    for (guint i = 0; i < tried; i++) {
        guint value = (guint)((guint64)i * (macro->count - 1) / (tried - 1));
        gboolean none = macro->count == 1 && i > 0;
        g_autoptr(WsJob) job = load(axes, ws_study_point_with(axes->study, point, parameter, value),
                                    none ? parameter : NO_PARAMETER);
        if (job == NULL)
            return TRUE; /* that is a difference, or the rows will tell */
        g_autofree char *code = code_of(job);
        if (first != NULL && strcmp(first, code) != 0)
            return TRUE;
        if (first == NULL)
            first = g_steal_pointer(&code);
    }
    return FALSE;
}

/* Whether the macro is of use with what is compiled at `point`, where it has its first value. */
static gboolean is_used_at(const Axes *axes, guint parameter, guint point)
{
    const char *key = ws_study_parameter(axes->study, parameter)->key;
    gsize length = strcspn(key, "(");
    g_autofree char *name = g_strndup(key, length);
    g_autoptr(WsJob) job = load(axes, point, NO_PARAMETER);
    return job == NULL || program_mentions(job->program, name, length) ||
           program_mentions(job->policy, name, length) || code_differs(axes, parameter, point);
}

static gboolean is_used(const Axes *axes, guint parameter)
{
    const WsStudy *study = axes->study;
    if (is_used_at(axes, parameter, 0))
        return TRUE;
    for (guint i = 0; i < study->parameters->len; i++)
        for (guint v = 1; ws_study_brings_sources(ws_study_parameter(study, i)) &&
                          v < ws_study_parameter(study, i)->count;
             v++)
            if (is_used_at(axes, parameter, ws_study_first_point(study, i, v)))
                return TRUE;
    return FALSE;
}

static gboolean check_macro(const Axes *axes, guint parameter, GError **error)
{
    if (ws_study_parameter(axes->study, parameter)->kind != WS_STUDY_DEFINE ||
        is_used(axes, parameter))
        return TRUE;
    g_autofree char *shown = ws_printable(ws_study_parameter(axes->study, parameter)->name);
    ws_set_error(error, WS_ERROR_USAGE,
                 "-P %s: has no effect: no compiled source mentions the macro, and the code is the "
                 "same for all its values",
                 shown);
    return FALSE;
}

gboolean ws_sweep_check_axes(const WsStudy *study, const WsSweepOptions *options,
                             WsProgramStore *programs, GError **error)
{
    const Axes axes = {.study = study, .options = options, .programs = programs};
    gboolean any = FALSE;
    for (guint i = 0; i < study->parameters->len; i++)
        any = any || ws_study_parameter(study, i)->kind == WS_STUDY_DEFINE;
    if (!any)
        return TRUE;
    g_autoptr(WsJob) job = load(&axes, 0, NO_PARAMETER);
    if (job == NULL)
        return TRUE;
    for (guint i = 0; i < study->parameters->len; i++)
        if (!check_macro(&axes, i, error))
            return FALSE;
    return TRUE;
}
