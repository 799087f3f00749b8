/*
 * The law of settings: every setting at its least, its greatest and each of its named values, on
 * every device, runs each of three kernels with right results, or is refused by a message that
 * names it.
 *
 *   test_setting_law FOLDER                    each value on one device with one kernel, in
 * rotation test_setting_law FOLDER --whole            all test_setting_law FOLDER --whole DEVICE...
 * all, on these devices
 *
 * FOLDER is tests/data/setting_law. Devices have two SMs at most unless `sms` is the setting: that
 * costs less, and the kernels have few blocks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/device/settings.h"
#include "sim/gpu/simulation.h"
#include "sim/launch/program_store.h"

/* ---- what the kernels compute ------------------------------------------------------------------
 */

enum { MOST_CYCLES = 50000000 }; /* 20 times the longest of these runs */

enum { X = 200, BLOCKS = 3, BLOCK = 64, PATHS = 96, TURNS = 5, TURNS_BLOCK = 40 };

static const void *contents(const WsJob *job, const char *name)
{
    for (guint32 i = 0; i < job->buffer_count; i++)
        if (strcmp(job->buffers[i].name, name) == 0)
            return job->buffers[i].data;
    g_assert_not_reached();
}

static gboolean sums_are_right(const WsJob *job)
{
    static const gint32 weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    const gint32 *x = contents(job, "x"), *total = contents(job, "total");
    gint32 expected[BLOCKS] = {0}, sum = 0;
    for (guint k = 0; k < X; k++) {
        expected[k / BLOCK % BLOCKS] += x[k] * weights[k & 7];
        sum += x[k] * weights[k & 7];
    }
    return memcmp(contents(job, "out"), expected, sizeof expected) == 0 && *total == sum;
}

static gboolean paths_are_right(const WsJob *job)
{
    const float *x = contents(job, "x"), *y = contents(job, "y");
    const double *z = contents(job, "z");
    for (guint i = 0; i < PATHS; i++) {
        float v = x[i], kept[8];
        for (guint k = 0; k < 8; k++)
            kept[k] = v * (float)k;
        for (guint k = 0; k < i % 7; k++)
            v = v > 2.0f ? sqrtf(v) : fmaf(v, 1.5f, 0.25f);
        if ((i & 3) == 2) {
            if (z[i] != 1.0 || y[i] != 0.0f)
                return FALSE;
            continue;
        }
        if ((i & 3) == 0)
            v = v / 3.0f;
        else if ((i & 3) == 1)
            v = v + kept[(i * 5) & 7];
        if (y[i] != v - kept[(i * 3) & 7] || z[i] != (double)v / (i + 1))
            return FALSE;
    }
    return TRUE;
}

static gboolean turns_are_right(const WsJob *job)
{
    const guint32 *lock = contents(job, "lock");
    const guint64 *sum = contents(job, "sum");
    const gint32 *odd = contents(job, "odd");
    guint64 expected = 0;
    for (guint b = 0; b < TURNS; b++) {
        expected += (b + 1) * G_GUINT64_CONSTANT(1000003) * 1000033 / 7;
        if (odd[b] != (TURNS_BLOCK + 1) / 3)
            return FALSE;
    }
    return *lock == 0 && *sum == expected;
}

static const struct {
    const char *file;
    gboolean (*is_right)(const WsJob *job);
} kernels[] = {{"sums.yaml", sums_are_right},
               {"paths.yaml", paths_are_right},
               {"turns.yaml", turns_are_right}};

/* ---- one run ----------------------------------------------------------------------------------
 */

typedef struct {
    const char *folder;
    const char *cache;
    WsProgramStore *programs;
    GHashTable *settings; /* name of a device -> what fewer_sms() says */
    guint runs, refused, failed;
} Law;

static void fail(Law *law, const char *device, const char *assignment, guint kernel,
                 const char *what, const char *message)
{
    printf("FAILED %s --set '%s' %s: %s%s\n", device, assignment, kernels[kernel].file, what,
           message);
    law->failed++;
}

/* A refusal is good if it names the setting. */
static void look_at_refusal(Law *law, const char *device, const char *assignment, guint kernel,
                            const WsSetting *setting, const char *message)
{
    if (strstr(message, setting->path) == NULL)
        fail(law, device, assignment, kernel, "refused, and the setting is not named: ", message);
    else
        law->refused++;
}

/* "sms=2", or NULL for a device that has fewer, or whose number of them is tried. */
static const char *fewer_sms(Law *law, const char *name, const WsSetting *setting)
{
    gpointer known = NULL;
    if (strcmp(setting->path, "sms") == 0)
        return NULL;
    if (!g_hash_table_lookup_extended(law->settings, name, NULL, &known)) {
        g_autoptr(WsDevice) device = ws_device_load(name, NULL, NULL);
        known = device->sms > 2 ? "sms=2" : NULL;
        g_hash_table_insert(law->settings, (gpointer)name, known);
    }
    return known;
}

static void run(Law *law, const char *device, const WsSetting *setting, const char *value,
                guint kernel)
{
    g_autofree char *assignment = g_strdup_printf("%s=%s", setting->path, value);
    const char *settings[] = {assignment, fewer_sms(law, device, setting), NULL};
    WsJobOptions job_options = {.device = device,
                                .settings = settings,
                                .bounds = {.cache = law->cache},
                                .programs = law->programs};
    WsRunOptions options;
    g_autofree char *path = g_build_filename(law->folder, kernels[kernel].file, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = ws_job_load(path, &job_options, &error);
    ws_run_options_init(&options);
    options.max_cycles = MOST_CYCLES;
    g_autoptr(WsResult) result = job == NULL ? NULL : ws_simulation_run(job, &options, &error);
    law->runs++;
    if (result == NULL)
        look_at_refusal(law, device, assignment, kernel, setting, error->message);
    else if (result->status != WS_STATUS_OK)
        look_at_refusal(law, device, assignment, kernel, setting,
                        result->stop.message == NULL ? "no message" : result->stop.message);
    else if (!kernels[kernel].is_right(job))
        fail(law, device, assignment, kernel, "wrong results", "");
}

/* ---- which runs -------------------------------------------------------------------------------
 */

/* The values of a setting that are tried, as they are written. */
static GPtrArray *values_of(const WsSetting *setting)
{
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
    switch (setting->kind) {
    case WS_SETTING_INTEGER:
        g_ptr_array_add(values, g_strdup_printf("%" G_GUINT64_FORMAT, setting->minimum));
        g_ptr_array_add(values, g_strdup_printf("%" G_GUINT64_FORMAT, setting->maximum));
        break;
    case WS_SETTING_NUMBER:
        g_ptr_array_add(values, g_strdup_printf("%.17g", setting->number_minimum));
        g_ptr_array_add(values, g_strdup_printf("%.17g", setting->number_maximum));
        break;
    case WS_SETTING_BOOLEAN:
        g_ptr_array_add(values, g_strdup("true"));
        g_ptr_array_add(values, g_strdup("false"));
        break;
    case WS_SETTING_ENUM:
        for (guint i = 0; setting->names[i] != NULL; i++)
            g_ptr_array_add(values, g_strdup(setting->names[i]));
        break;
    case WS_SETTING_TEXT:
        g_ptr_array_add(values, g_strdup("any text"));
        break;
    case WS_SETTING_LIST:
        g_ptr_array_add(values, g_strdup("[]"));
        g_ptr_array_add(values, g_strdup_printf("[%" G_GUINT64_FORMAT "]", setting->minimum));
        g_ptr_array_add(values, g_strdup_printf("[%" G_GUINT64_FORMAT "]", setting->maximum));
        g_ptr_array_add(values, g_strdup_printf("[%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "]",
                                                setting->minimum, setting->maximum));
        break;
    }
    return values;
}

/*
 * Every value once, of the many settings of execution classes one end each: the devices in turn,
 * and another kernel when a device comes again.
 */
static void run_sample(Law *law)
{
    const char *const *devices = ws_device_names();
    guint count = g_strv_length((char **)devices), n = 0;
    for (guint s = 0; s < ws_setting_count(); s++) {
        const WsSetting *setting = ws_setting_at(s);
        g_autoptr(GPtrArray) values = values_of(setting);
        gboolean of_class = g_str_has_prefix(setting->path, "classes.");
        guint from = of_class ? s % values->len : 0, to = of_class ? from + 1 : values->len;
        guint times = g_str_has_prefix(setting->path, "lower.") ? count : 1;
        for (guint v = from; v < to; v++)
            for (guint t = 0; t < times; t++, n++)
                run(law, devices[n % count], setting, values->pdata[v],
                    n / count % G_N_ELEMENTS(kernels));
    }
}

static void run_device(Law *law, const char *device)
{
    guint failed = law->failed, runs = law->runs;
    for (guint s = 0; s < ws_setting_count(); s++) {
        const WsSetting *setting = ws_setting_at(s);
        g_autoptr(GPtrArray) values = values_of(setting);
        for (guint v = 0; v < values->len; v++)
            for (guint k = 0; k < G_N_ELEMENTS(kernels); k++)
                run(law, device, setting, values->pdata[v], k);
        g_clear_pointer(&law->programs, ws_program_store_free); /* it keeps what it has compiled */
        law->programs = ws_program_store_new();
    }
    printf("%s: %u runs, %u failed\n", device, law->runs - runs, law->failed - failed);
}

int main(int argc, char **argv)
{
    g_autofree char *cache = g_build_filename(g_get_user_cache_dir(), "warpstep", NULL);
    if (argc < 2 || (argc > 2 && strcmp(argv[2], "--whole") != 0)) {
        fprintf(stderr, "usage: %s FOLDER [--whole [DEVICE...]]\n", argv[0]);
        return EXIT_FAILURE;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    Law law = {.folder = argv[1],
               .cache = cache,
               .programs = ws_program_store_new(),
               .settings = g_hash_table_new(g_str_hash, g_str_equal)};
    if (argc == 2)
        run_sample(&law);
    for (int i = 3; i < argc; i++)
        run_device(&law, argv[i]);
    for (guint i = 0; argc == 3 && ws_device_names()[i] != NULL; i++)
        run_device(&law, ws_device_names()[i]);
    ws_program_store_free(law.programs);
    g_hash_table_unref(law.settings);
    printf("%u runs, %u refused, %u failed\n", law.runs, law.refused, law.failed);
    return law.failed == 0 && law.runs > law.refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
