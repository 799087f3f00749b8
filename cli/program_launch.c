#include "cli/program_launch.h"

#include "cli/output_file.h"
#include "sim/launch/target.h"

#include <stdio.h>
#include <string.h>

char *ws_program_launch_name(const char *program)
{
    const char *dot = strrchr(program, '.');
    const char *slash = strrchr(program, '/');
    gsize length =
        dot != NULL && (slash == NULL || dot > slash) ? (gsize)(dot - program) : strlen(program);
    return g_strdup_printf("%.*s.yaml", (int)length, program);
}

void ws_program_launch_report(const WsStarter *starter, const char *output)
{
    g_autofree char *shown = ws_printable(output);
    if (starter->stop != NULL)
        fprintf(stderr, "%s: warning: unchanged, it stops early: %s\n", shown, starter->stop);
    for (guint i = 0; i < starter->notes->len; i++)
        fprintf(stderr, "%s: note: %s\n", shown, (const char *)starter->notes->pdata[i]);
}

char *ws_program_launch_file(const char *target, const WsCompileOptions *compile, GError **error)
{
    if (!ws_is_program_name(target) || !g_file_test(target, G_FILE_TEST_IS_REGULAR))
        return NULL;
    g_autofree char *output = ws_program_launch_name(target);
    if (g_file_test(output, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&output);
    g_autoptr(GError) failure = NULL;
    const WsStarterOptions options = {.compile = compile, .output = output};
    g_autoptr(WsStarter) starter = ws_starter_write(target, &options, &failure);
    if (starter == NULL) {
        if (!g_error_matches(failure, WS_ERROR, WS_ERROR_USAGE))
            g_propagate_error(error, g_steal_pointer(&failure));
        return NULL;
    }
    if (!ws_write_file(output, starter->text, strlen(starter->text), error))
        return NULL;
    g_autofree char *shown = ws_printable(output);
    fprintf(stderr, "%s is written, with guessed values: it launches %s\n", shown, starter->kernel);
    ws_program_launch_report(starter, output);
    return g_steal_pointer(&output);
}
