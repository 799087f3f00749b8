/*
 * Simulates what was measured on an H200 and compares.
 *
 *   calibrate            prints the tables as Markdown (docs/understand/calibration.json)
 *   calibrate --check    no table
 *   calibrate WORDS      only groups whose title begins so, for work on one of them
 *   calibrate --ptx      prints the chains of PTX that were measured
 *
 * Rows that are off by more than their tolerance are named on stderr; exit code 1 if there are any.
 * WS_TEST_SOURCES is the folder of the sources.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static const Group *const groups[] = {
    &latency_group,    &sequence_group, &chain_group,    &throughput_group, &issue_group,
    &phase_group,      &loop_group,     &shared_group,   &coalescing_group, &hiding_group,
    &sector_group,     &traffic_group,  &round_group,    &atomic_group,     &barrier_group,
    &divergence_group, &block_group,    &spinning_group, &wave_group};

static const char introduction[] =
    "Every row is a launch of bytecode with clock reads (`CS2R`). `measured` is its time on an "
    "H200 (driver 580.159.04, CUDA 13.0, 1980 MHz), `simulated` that on the device `h200`. Times "
    "are SM cycles. `allowed` is the error in percent up to which the test of the row passes; a "
    "row above it fails `meson test calibration`. It describes the present accuracy and is not a "
    "target.\n";

char *row_loop(const char *name)
{
    g_autofree char *path =
        g_strdup_printf("%s/tests/model/loops/%s.wsasm", g_getenv("WS_TEST_SOURCES"), name);
    g_autoptr(GError) error = NULL;
    char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, &error)) {
        g_printerr("%s\n", error->message);
        exit(1);
    }
    return text;
}

static gboolean show_row(const Row *row, gboolean check)
{
    double simulated = row->simulate(row), error = 100 * (simulated / row->measured - 1);
    /* Straight chains have clock reads at their ends: half a percent is none. */
    gboolean ok = fabs(error) <= MAX(row->tolerance, 0.5);

    if (!check)
        printf("| %s | %.5g | %.5g | %+.1f %% | %g |\n", row->name, row->measured, simulated,
               error == 0 ? 0.0 : error, row->tolerance);
    if (!ok)
        g_printerr("%s: measured %g, simulated %g, %+.1f %% (allowed %g)\n", row->name,
                   row->measured, simulated, error, row->tolerance);
    return ok;
}

static gboolean show_group(const Group *group, gboolean check)
{
    gboolean ok = TRUE;

    if (!check)
        printf("\n## %s\n\n%s\n\n| | measured | simulated | error | allowed |\n"
               "| --- | ---: | ---: | ---: | ---: |\n",
               group->title, group->about);
    for (guint i = 0; i < group->count; i++)
        ok = show_row(&group->rows[i], check) && ok;
    return ok;
}

int main(int argc, char **argv)
{
    gboolean check = argc > 1 && strcmp(argv[1], "--check") == 0, ok = TRUE;
    const char *only = argc > 1 && !check ? argv[1] : "";

    if (strcmp(only, "--ptx") == 0) {
        g_autofree char *text = ptx_chains_text();
        fputs(text, stdout);
        return 0;
    }
    if (!check && *only == 0)
        fputs(introduction, stdout);
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
        if (g_str_has_prefix(groups[i]->title, only))
            ok = show_group(groups[i], check) && ok;
    return ok ? 0 : 1;
}
