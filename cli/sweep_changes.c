#include "cli/sweep_changes.h"

#include "cli/terminal.h"

enum { SHOWN_TARGETS = 5 };

/* Points of targets that have changed, without a row of the present files. */
static guint points_to_run(const WsStudy *study, const WsStudyFolder *folder)
{
    guint count = 0;
    for (guint i = 0; i < ws_study_points(study); i++)
        count += ws_study_folder_changed(folder, ws_study_target_of(study, i)) &&
                         !ws_study_folder_has(folder, i)
                     ? 1
                     : 0;
    return count;
}

void ws_sweep_tell_changed_targets(const WsStudy *study, const WsStudyFolder *folder,
                                   const char *path)
{
    guint changed = 0, targets = ws_study_target_count(study);
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < targets; i++)
        if (ws_study_folder_changed(folder, i) && changed++ < SHOWN_TARGETS)
            g_string_append_printf(names, "%s%s", changed > 1 ? ", " : "",
                                   ws_study_target_name(study, i));
    if (changed == 0)
        return;
    if (changed > SHOWN_TARGETS)
        g_string_append_printf(names, " and %u more", changed - SHOWN_TARGETS);
    guint points = points_to_run(study, folder), others = targets - changed;
    g_autofree char *kept =
        others == 1 ? g_strdup("target") : g_strdup_printf("%u targets", others);
    g_autofree char *text = g_strdup_printf(
        "%s: files of %s have changed: %u point%s must run again; the rows of the other %s are "
        "kept",
        path, names->str, points, points == 1 ? "" : "s", kept);
    ws_print_message(text);
}
