/*
 * Which launches the environment names: WARPSTEP_KERNEL=NAME, those of a kernel, or NAME,NTH, one
 * of them.
 */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At the end: a name that no launch has had is a mistake. */
static void report_unfound(void)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsSelection *selection = &runtime->selection;
    if (selection->count == 0)
        fprintf(stderr, "warpstep: WARPSTEP_KERNEL: the program never launched '%s'\n",
                selection->kernel);
    else if (selection->count < selection->nth)
        fprintf(stderr,
                "warpstep: WARPSTEP_KERNEL: the program has launched '%s' %" G_GUINT64_FORMAT
                " times\n",
                selection->kernel, selection->count);
    g_mutex_unlock(&runtime->lock);
}

gboolean ws_selection_begin(WsSelection *selection)
{
    const char *wanted = getenv("WARPSTEP_KERNEL");
    if (wanted == NULL || selection->kernel != NULL)
        return TRUE;
    /* Names of templates have commas too, but no number behind the last. */
    const char *comma = strrchr(wanted, ',');
    const gboolean has_number =
        comma != NULL && comma[1] != '\0' && strspn(comma + 1, "0123456789") == strlen(comma + 1);
    if (has_number)
        selection->nth = g_ascii_strtoull(comma + 1, NULL, 10);
    if (*wanted == '\0' || comma == wanted || (has_number && selection->nth == 0) ||
        (comma != NULL && comma[1] == '\0')) {
        fprintf(stderr,
                "warpstep: error: WARPSTEP_KERNEL is NAME or NAME,NTH, the first is 1, not '%s'\n",
                wanted);
        return FALSE;
    }
    selection->kernel = has_number ? g_strndup(wanted, (gsize)(comma - wanted)) : g_strdup(wanted);
    atexit(report_unfound);
    return TRUE;
}

gboolean ws_selection_take(WsRuntime *runtime, unsigned program, const warpstep_kernel *kernel)
{
    WsSelection *selection = &runtime->selection;
    const char *symbol = kernel->symbol;
    if (selection->kernel == NULL)
        return TRUE;
    /* "axpy" finds "axpy<float>". The kernel is shown in the same place: only its texts stay. */
    const warpstep_kernel *wanted =
        strcmp(kernel->name, selection->kernel) == 0
            ? kernel
            : warpstep_find_kernel(runtime->gpu, program, selection->kernel);
    if (wanted == NULL || strcmp(wanted->symbol, symbol) != 0)
        return FALSE;
    selection->count++;
    return selection->nth == 0 || selection->count == selection->nth;
}
