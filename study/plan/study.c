#include "study/plan/study.h"

#include "isa/base/resources.h"
#include "sim/device/policy_parameters.h"
#include "sim/device/settings.h"
#include "study/plan/design.h"
#include "study/plan/values.h"

#include <string.h>

static void clear_parameter(gpointer data)
{
    WsStudyParameter *parameter = data;
    g_free(parameter->name);
    g_free(parameter->key);
    g_strfreev(parameter->values);
}

WsStudy *ws_study_new(const char *target)
{
    WsStudy *study = g_new0(WsStudy, 1);
    study->target = g_strdup(target);
    study->parameters = g_array_new(FALSE, FALSE, sizeof(WsStudyParameter));
    g_array_set_clear_func(study->parameters, clear_parameter);
    return study;
}

void ws_study_free(WsStudy *study)
{
    if (study == NULL)
        return;
    g_array_unref(study->parameters);
    g_free(study->target);
    g_free(study->folder);
    g_free(study->device);
    g_strfreev(study->settings);
    g_strfreev(study->launch_values);
    g_strfreev(study->defines);
    g_strfreev(study->lines);
    g_strfreev(study->regions);
    g_strfreev(study->reference);
    g_strfreev(study->generators);
    g_strfreev(study->columns);
    g_free(study);
}

/* ---- parameters -------------------------------------------------------------------------------
 */

/* What a name changes; `ret_key` points into it. */
static WsStudyKind kind_of(const char *name, const char **ret_key)
{
    static const struct {
        const char *prefix;
        WsStudyKind kind;
    } prefixes[] = {
        {"define.", WS_STUDY_DEFINE}, {"set.", WS_STUDY_SETTING}, {"launch.", WS_STUDY_LAUNCH}};
    *ret_key = name;
    if (strcmp(name, "target") == 0)
        return WS_STUDY_TARGET;
    if (strcmp(name, "device") == 0)
        return WS_STUDY_DEVICE;
    if (strcmp(name, "maxreg") == 0)
        return WS_STUDY_REGISTERS;
    for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++)
        if (g_str_has_prefix(name, prefixes[i].prefix)) {
            *ret_key = name + strlen(prefixes[i].prefix);
            return prefixes[i].kind;
        }
    return ws_setting_find(name) >= 0 || ws_policy_parameter_name(name) != NULL ? WS_STUDY_SETTING
                                                                                : WS_STUDY_LAUNCH;
}

static gboolean check_name(const WsStudy *study, const char *name, GError **error)
{
    const char *key;
    WsStudyKind kind = kind_of(name, &key);
    g_autofree char *shown = ws_printable(name);
    if (*key == '\0' || strchr(name, ',') != NULL || strchr(name, '"') != NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "'%s' is not the name of a parameter", shown);
        return FALSE;
    }
    for (guint i = 0; i < study->parameters->len; i++)
        if (strcmp(ws_study_parameter(study, i)->key, key) == 0 &&
            ws_study_parameter(study, i)->kind == kind) {
            ws_set_error(error, WS_ERROR_USAGE, "the parameter '%s' is given twice", shown);
            return FALSE;
        }
    if (study->parameters->len == WS_MAX_STUDY_PARAMETERS) {
        ws_set_error(error, WS_ERROR_USAGE, "more than %d parameters", WS_MAX_STUDY_PARAMETERS);
        return FALSE;
    }
    if (kind == WS_STUDY_SETTING && ws_setting_find(key) < 0 &&
        ws_policy_parameter_name(key) == NULL) {
        g_autofree char *nearest = ws_setting_nearest(key);
        ws_set_error(error, WS_ERROR_USAGE, "%s: no setting is called so%s%s%s", shown,
                     nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "");
        return FALSE;
    }
    return TRUE;
}

gboolean ws_study_add(WsStudy *study, const char *name, char **values, GError **error)
{
    const char *key;
    WsStudyParameter parameter = {.values = values, .count = g_strv_length(values)};
    if (!check_name(study, name, error)) {
        g_strfreev(values);
        return FALSE;
    }
    parameter.kind = kind_of(name, &key);
    parameter.name = g_strdup(name);
    parameter.key = g_strdup(key);
    g_array_append_val(study->parameters, parameter);
    return TRUE;
}

gboolean ws_study_add_text(WsStudy *study, const char *text, GError **error)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        g_autofree char *shown = ws_printable(text);
        ws_set_error(error, WS_ERROR_USAGE, "-P %s: NAME=VALUES is expected, as in warps=8,16,32",
                     shown);
        return FALSE;
    }
    g_autofree char *name = g_strndup(text, (gsize)(equals - text));
    if (!g_utf8_validate(text, -1, NULL)) {
        ws_set_error(error, WS_ERROR_USAGE, "-P: the text is not valid UTF-8");
        return FALSE;
    }
    char **values = ws_study_values(name, equals + 1, error);
    return values != NULL && ws_study_add(study, name, values, error);
}

/* ---- the whole --------------------------------------------------------------------------------
 */

gint ws_study_find(const WsStudy *study, const char *name)
{
    for (guint i = 0; i < study->parameters->len; i++)
        if (strcmp(ws_study_parameter(study, i)->name, name) == 0)
            return (gint)i;
    return -1;
}

gint ws_study_target_axis(const WsStudy *study)
{
    for (guint i = 0; i < study->parameters->len; i++)
        if (ws_study_parameter(study, i)->kind == WS_STUDY_TARGET)
            return (gint)i;
    return -1;
}

guint ws_study_target_count(const WsStudy *study)
{
    gint axis = ws_study_target_axis(study);
    return axis < 0 ? 1 : ws_study_parameter(study, (guint)axis)->count;
}

guint ws_study_target_of(const WsStudy *study, guint point)
{
    gint axis = ws_study_target_axis(study);
    return axis < 0 ? 0 : ws_design_value(study, point, (guint)axis);
}

const char *ws_study_target_name(const WsStudy *study, guint target)
{
    gint axis = ws_study_target_axis(study);
    return axis < 0 ? study->target : ws_study_parameter(study, (guint)axis)->values[target];
}

static gboolean check_target(const WsStudy *study, GError **error)
{
    gboolean varies = ws_study_target_axis(study) >= 0;
    if (varies != (study->target != NULL))
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "%s",
                 varies ? "the target is given twice: once for all points, and as a parameter"
                        : "no launch file is given: TARGET, or -P target=A.yaml,B.yaml");
    return FALSE;
}

/* Whether all combinations of all parameters are points. */
static gboolean is_whole_cross(const WsStudy *study)
{
    return study->design == WS_DESIGN_CROSS && study->generators == NULL;
}

/* The points to compare with: NAME=VALUE of parameters that vary. */
static gboolean check_reference(const WsStudy *study, GError **error)
{
    for (char **text = study->reference; text != NULL && *text != NULL; text++) {
        g_autofree char *shown = ws_printable(*text);
        const char *equals = strchr(*text, '=');
        g_autofree char *name =
            g_strndup(*text, equals != NULL ? (gsize)(equals - *text) : strlen(*text));
        gint at = ws_study_find(study, name);
        if (equals == NULL || at < 0 || at == ws_study_target_axis(study)) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "relative to '%s': NAME=VALUE of a parameter of the study is expected, as "
                         "in policy=lrr",
                         shown);
            return FALSE;
        }
        if (!g_strv_contains((const char *const *)ws_study_parameter(study, (guint)at)->values,
                             equals + 1)) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "relative to '%s': the parameter does not take this value", shown);
            return FALSE;
        }
    }
    if (study->reference == NULL || is_whole_cross(study))
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE,
                 "only a whole cross product has the points to compare the others with");
    return FALSE;
}

static gboolean check_zip(const WsStudy *study, GError **error)
{
    const WsStudyParameter *first =
        study->parameters->len == 0 ? NULL : ws_study_parameter(study, 0);
    for (guint i = 1; study->design == WS_DESIGN_ZIP && i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        if (parameter->count == first->count)
            continue;
        ws_set_error(error, WS_ERROR_USAGE,
                     "zipped parameters need the same number of values: '%s' has %u and '%s' %u",
                     first->name, first->count, parameter->name, parameter->count);
        return FALSE;
    }
    return TRUE;
}

gboolean ws_study_check(WsStudy *study, GError **error)
{
    if (!check_target(study, error) || !check_zip(study, error) ||
        !ws_design_take_generators(study, error))
        return FALSE;
    if (ws_design_points(study) > WS_MAX_STUDY_POINTS) {
        ws_set_error(error, WS_ERROR_USAGE, "the study has more than %d points",
                     WS_MAX_STUDY_POINTS);
        return FALSE;
    }
    return check_reference(study, error);
}

/* ---- points -----------------------------------------------------------------------------------
 */

guint ws_study_points(const WsStudy *study)
{
    return (guint)ws_design_points(study);
}

const char *ws_study_value(const WsStudy *study, guint point, guint parameter)
{
    return ws_study_parameter(study, parameter)->values[ws_design_value(study, point, parameter)];
}

guint ws_study_first_point(const WsStudy *study, guint parameter, guint value)
{
    guint point = 0, points = ws_study_points(study);
    if (is_whole_cross(study)) {
        for (guint i = parameter + 1; i < study->parameters->len; i++)
            value *= ws_study_parameter(study, i)->count;
        return value;
    }
    while (point + 1 < points && ws_design_value(study, point, parameter) != value)
        point++;
    return point;
}

guint ws_study_point_with(const WsStudy *study, guint point, guint parameter, guint value)
{
    if (!is_whole_cross(study))
        return ws_study_first_point(study, parameter, value);
    guint stride = ws_study_first_point(study, parameter, 1);
    return point + (value - ws_design_value(study, point, parameter)) * stride;
}

char *ws_study_point_name(const WsStudy *study, guint point)
{
    GString *name = g_string_new(NULL);
    for (guint i = 0; i < study->parameters->len; i++)
        g_string_append_printf(name, "%s%s=%s", i == 0 ? "" : ", ",
                               ws_study_parameter(study, i)->name, ws_study_value(study, point, i));
    return g_string_free(name, FALSE);
}

char *ws_study_path(const WsStudy *study, const char *name)
{
    g_autofree char *here = g_get_current_dir();
    char *path = g_canonicalize_filename(name, study->folder != NULL ? study->folder : here);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return path;
    g_free(path);
    return g_strdup(name);
}

char *ws_study_device(const WsStudy *study, const char *name)
{
    return ws_device_is_path(name) ? ws_study_path(study, name) : g_strdup(name);
}

static GPtrArray *texts_from(char **texts)
{
    GPtrArray *copy = g_ptr_array_new_with_free_func(g_free);
    for (; texts != NULL && *texts != NULL; texts++)
        g_ptr_array_add(copy, g_strdup(*texts));
    return copy;
}

/* In place of one for the same key: a launch value that is given and has no effect is an error. */
static void put(GPtrArray *texts, const char *key, const char *value)
{
    gsize length = strlen(key);
    for (guint i = 0; i < texts->len; i++) {
        const char *text = g_ptr_array_index(texts, i);
        if (strncmp(text, key, length) == 0 && (text[length] == '=' || text[length] == '\0'))
            g_ptr_array_remove_index(texts, i--);
    }
    g_ptr_array_add(texts, g_strconcat(key, "=", value, NULL));
}

gboolean ws_study_brings_sources(const WsStudyParameter *parameter)
{
    return parameter->kind == WS_STUDY_TARGET || parameter->kind == WS_STUDY_DEVICE ||
           (parameter->kind == WS_STUDY_SETTING && strcmp(parameter->key, "policy") == 0);
}

/* The program or the policy in C that takes a macro may be that of other points. */
static gboolean may_spare_defines(const WsStudy *study)
{
    for (guint i = 0; i < study->parameters->len; i++)
        if (ws_study_brings_sources(ws_study_parameter(study, i)))
            return TRUE;
    return FALSE;
}

void ws_study_point_init(WsStudyPoint *ret, const WsStudy *study, guint point)
{
    *ret = (WsStudyPoint){.settings = texts_from(study->settings),
                          .launch_values = texts_from(study->launch_values),
                          .defines = texts_from(study->defines),
                          .target = g_strdup(study->target)};
    const char *device = study->device;
    ret->options.max_registers = study->max_registers;
    ret->options.lines = (const char *const *)study->lines;
    ret->options.spare_defines = may_spare_defines(study);
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        const char *value = ws_study_value(study, point, i);
        guint64 registers = 0;
        switch (parameter->kind) {
        case WS_STUDY_TARGET:
            g_free(ret->target);
            ret->target = ws_study_path(study, value);
            break;
        case WS_STUDY_DEVICE:
            device = value;
            break;
        case WS_STUDY_REGISTERS:
            /* what is no number is out of range, and the loader says so */
            if (!g_ascii_string_to_unsigned(value, 10, 1, G_MAXUINT32, &registers, NULL))
                registers = G_MAXUINT32;
            ret->options.max_registers = (guint32)registers;
            break;
        case WS_STUDY_DEFINE:
            put(ret->defines, parameter->key, value);
            break;
        case WS_STUDY_SETTING:
            put(ret->settings, parameter->key, value);
            break;
        case WS_STUDY_LAUNCH:
            put(ret->launch_values, parameter->key, value);
            break;
        }
    }
    ret->device = device == NULL ? NULL : ws_study_device(study, device);
    ret->options.device = ret->device;
    g_ptr_array_add(ret->settings, NULL);
    g_ptr_array_add(ret->launch_values, NULL);
    g_ptr_array_add(ret->defines, NULL);
    ret->options.settings = (const char *const *)ret->settings->pdata;
    ret->options.launch_values = (const char *const *)ret->launch_values->pdata;
    ret->options.defines = (const char *const *)ret->defines->pdata;
}

void ws_study_point_clear(WsStudyPoint *point)
{
    g_clear_pointer(&point->settings, g_ptr_array_unref);
    g_clear_pointer(&point->launch_values, g_ptr_array_unref);
    g_clear_pointer(&point->defines, g_ptr_array_unref);
    g_clear_pointer(&point->target, g_free);
    g_clear_pointer(&point->device, g_free);
}

char *ws_study_shell_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%";
    return *word != '\0' && word[strspn(word, plain)] == '\0' ? g_strdup(word)
                                                              : g_shell_quote(word);
}

static void append_word(GString *out, const char *word)
{
    g_autofree char *quoted = ws_study_shell_word(word);
    g_string_append_printf(out, " %s", quoted);
}

static void append_each(GString *out, const char *option, const char *const *values)
{
    for (; *values != NULL; values++) {
        g_string_append_printf(out, " %s", option);
        append_word(out, *values);
    }
}

char *ws_study_point_command(const WsStudy *study, guint point)
{
    g_auto(WsStudyPoint) at = {0};
    ws_study_point_init(&at, study, point);
    GString *out = g_string_new("warpstep run");
    append_word(out, at.target);
    if (at.options.device != NULL) {
        g_string_append(out, " --device");
        append_word(out, at.options.device);
    }
    append_each(out, "--set", at.options.settings);
    append_each(out, "--launch", at.options.launch_values);
    append_each(out, "--define", at.options.defines);
    if (at.options.lines != NULL)
        append_each(out, "--lines", at.options.lines);
    if (at.options.max_registers != 0)
        g_string_append_printf(out, " --maxreg %u", at.options.max_registers);
    if (study->max_cycles != 0)
        g_string_append_printf(out, " --max-cycles %" G_GUINT64_FORMAT, study->max_cycles);
    return g_string_free(out, FALSE);
}
