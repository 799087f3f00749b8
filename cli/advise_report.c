#include "cli/advise_report.h"

#include "isa/base/escape.h"
#include "sim/base/json_members.h"
#include "sim/base/json_text.h"

enum { SHOWN = 8 }; /* of the causes, and of the other changes */
static const double WORTH_A_ROW = 0.001;
static const double LEAST_GAIN = 0.01; /* of the cycles: less is not worth a sentence */

/* Of the cycles as it stands; below 0: more of them. */
static double gain_of(const WsAdvise *advise, const WsAdvice *advice)
{
    return 1 - (double)advice->cycles / (double)advise->cycles;
}

static gboolean is_cause(const WsAdvice *advice)
{
    return advice->cause != WS_CAUSE_NONE;
}

/* ---- text -------------------------------------------------------------------------------------
 */

/* "kernel.cu:12: 68 % of the loss" */
static char *line_text(const WsAdvice *advice)
{
    g_autofree char *base = g_path_get_basename(advice->file);
    g_autofree char *shown = ws_printable(base);
    return g_strdup_printf("%s:%u: %.0f %% of the loss", shown, advice->line, 100 * advice->share);
}

static void add_row(GString *out, const WsAdvise *advise, const WsAdvice *advice, gboolean all)
{
    if (!advice->ran) {
        g_string_append_printf(out, "           %-30s does not run, or gives different results\n",
                               advice->what);
        return;
    }
    g_string_append_printf(out, "  %+6.1f %%  %-30s %12" G_GUINT64_FORMAT "  %s",
                           -100 * gain_of(advise, advice), advice->what, advice->cycles,
                           advice->differs    ? "other results"
                           : advice->possible ? "possible"
                                              : "what-if");
    if (is_cause(advice) && advice->line != 0) {
        g_autofree char *line = line_text(advice);
        g_string_append_printf(out, "  %s", line);
    }
    g_string_append_c(out, '\n');
    if (all)
        g_string_append_printf(out, "            %s\n            %s\n", advice->how,
                               advice->command);
}

/* The causes, or the other changes, under `title`. */
static void add_rows(GString *out, const WsAdvise *advise, gboolean causes, gboolean all,
                     const char *title)
{
    guint shown = 0, left = 0;
    for (guint i = 0; i < advise->advice->len; i++) {
        const WsAdvice *advice = &g_array_index(advise->advice, WsAdvice, i);
        if (is_cause(advice) != causes)
            continue;
        if (!all && (shown == SHOWN || !advice->ran || gain_of(advise, advice) < WORTH_A_ROW)) {
            left++;
            continue;
        }
        if (shown == 0)
            g_string_append(out, title);
        add_row(out, advise, advice, all);
        shown++;
    }
    if (left > 0)
        g_string_append_printf(out,
                               "and %u more %s that gain less or nothing, or do not run (--all)\n",
                               left, causes ? "causes" : "changes");
}

/* The first that gains enough to be told of, among causes or among changes that one can make. */
static const WsAdvice *best(const WsAdvise *advise, gboolean cause)
{
    for (guint i = 0; i < advise->advice->len; i++) {
        const WsAdvice *advice = &g_array_index(advise->advice, WsAdvice, i);
        if (advice->ran && !advice->differs && is_cause(advice) == cause &&
            (cause || advice->possible) && gain_of(advise, advice) > LEAST_GAIN)
            return advice;
    }
    return NULL;
}

/* The sentences on top. */
static void add_answer(GString *out, const WsAdvise *advise)
{
    const WsAdvice *cause = best(advise, TRUE), *change = best(advise, FALSE);
    if (cause != NULL)
        g_string_append_printf(out, "Largest gain: %s, %.1f %% fewer cycles: %s.\n", cause->what,
                               100 * gain_of(advise, cause), cause->how);
    else
        g_string_append(out, "No single cause costs 1 % of the cycles.\n");
    if (cause != NULL && cause->line != 0) {
        g_autofree char *line = line_text(cause);
        g_string_append_printf(out, "  %s%s%s\n", line, cause->source != NULL ? ": " : "",
                               cause->source != NULL ? cause->source : "");
    }
    if (change != NULL)
        g_string_append_printf(
            out, "Of the changes to the launch, this gains most: %s, %.1f %% fewer cycles: %s.\n",
            change->what, 100 * gain_of(advise, change), change->how);
    if (advise->starving != NULL)
        g_string_append_printf(out, "%s.\n", advise->starving);
    if (advise->share != NULL)
        g_string_append_printf(out, "L2 and DRAM: %s%s%s.\n", advise->share,
                               advise->warning != NULL ? "; " : "",
                               advise->warning != NULL ? advise->warning : "");
}

char *ws_advise_text(const WsAdvise *advise, gboolean all)
{
    GString *out = g_string_new(NULL);
    add_answer(out, advise);
    g_string_append_printf(out, "\nUnchanged: %" G_GUINT64_FORMAT " cycles, IPC %.3f.\n",
                           advise->cycles, advise->ipc);
    add_rows(out, advise, TRUE, all, "Without one cause:\n");
    add_rows(out, advise, FALSE, all, "With one change:\n");
    return g_string_free(out, FALSE);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void add_line(JsonBuilder *json, const WsAdvice *advice)
{
    if (advice->line == 0)
        return;
    ws_json_add_text(json, "file", advice->file);
    ws_json_add_integer(json, "line", advice->line);
    if (advice->source != NULL)
        ws_json_add_text(json, "source", advice->source);
    ws_json_add_number(json, "share", advice->share);
}

static void add_advice(JsonBuilder *json, const WsAdvise *advise, const WsAdvice *advice)
{
    json_builder_begin_object(json);
    if (is_cause(advice))
        ws_json_add_text(json, "cause", ws_cause(advice->cause)->name);
    ws_json_add_text(json, "what", advice->what);
    ws_json_add_text(json, "how", advice->how);
    ws_json_add_text(json, "status",
                     !advice->ran      ? "does_not_run"
                     : advice->differs ? "other_results"
                                       : "ok");
    if (!is_cause(advice)) {
        json_builder_set_member_name(json, "possible");
        json_builder_add_boolean_value(json, advice->possible);
    }
    if (advice->ran) {
        ws_json_add_integer(json, "cycles", (gint64)advice->cycles);
        ws_json_add_number(json, "gain", gain_of(advise, advice));
        ws_json_add_number(json, "ipc", advice->ipc);
    }
    add_line(json, advice);
    ws_json_add_text(json, "command", advice->command);
    json_builder_end_object(json);
}

static void add_list(JsonBuilder *json, const WsAdvise *advise, gboolean causes)
{
    ws_json_open_list(json, causes ? "causes" : "changes");
    for (guint i = 0; i < advise->advice->len; i++) {
        const WsAdvice *advice = &g_array_index(advise->advice, WsAdvice, i);
        if (is_cause(advice) == causes)
            add_advice(json, advise, advice);
    }
    json_builder_end_array(json);
}

char *ws_advise_json(const char *target, const WsAdvise *advise)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    g_autoptr(JsonNode) root = NULL;
    json_builder_begin_object(json);
    ws_json_add_text(json, "schema", "warpstep-advise-1");
    ws_json_add_text(json, "version", WS_VERSION);
    ws_json_add_text(json, "target", target);
    ws_json_add_integer(json, "cycles", (gint64)advise->cycles);
    ws_json_add_number(json, "ipc", advise->ipc);
    if (advise->share != NULL)
        ws_json_add_text(json, "l2_and_dram", advise->share);
    if (advise->warning != NULL)
        ws_json_add_text(json, "warning", advise->warning);
    if (advise->starving != NULL)
        ws_json_add_text(json, "starving", advise->starving);
    add_list(json, advise, TRUE);
    add_list(json, advise, FALSE);
    json_builder_end_object(json);
    root = json_builder_get_root(json);
    return ws_json_text(root);
}
