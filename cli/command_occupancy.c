/* `warpstep occupancy`: how many blocks of a kernel an SM holds, and why. */
#include "cli/colour_report.h"
#include "cli/command.h"
#include "cli/load_options.h"
#include "cli/occupancy_batch.h"
#include "cli/report_occupancy.h"
#include "isa/base/input_file.h"
#include "isa/base/size.h"
#include "sim/launch/launch.h"
#include "sim/launch/target.h"
#include "sim/occupancy/explain.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    char **settings;
    char *device, *kernel, *format, *plot, *batch;
    gint64 block, registers, shared, dynamic_shared, carveout, carveout_bytes, barriers, blocks;
    gboolean explain, curves;
    WsLoadOptions load;
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->settings);
    g_free(options->device);
    g_free(options->kernel);
    g_free(options->format);
    g_free(options->plot);
    g_free(options->batch);
    ws_load_options_clear(&options->load);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

enum { NOT_GIVEN = -1000000, MAX_BATCH_BYTES = 1 << 30 };

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &options->device,
         "a built-in device (warpstep devices) or a YAML file; default h200", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->settings,
         "change a setting of the device; may be repeated", "PATH=VALUE"},
        {"kernel", 'k', 0, G_OPTION_ARG_FILENAME, &options->kernel,
         "take the values below, and the device, from a launch file's first launch", "TARGET"},
        {"block", 'b', 0, G_OPTION_ARG_INT64, &options->block, "threads of a block", "N"},
        {"regs", 'r', 0, G_OPTION_ARG_INT64, &options->registers, "registers of a thread", "N"},
        {"smem", 0, 0, G_OPTION_ARG_INT64, &options->shared,
         "static shared memory of a block, bytes", "N"},
        {"dynamic-smem", 0, 0, G_OPTION_ARG_INT64, &options->dynamic_shared,
         "dynamic shared memory of a block, bytes", "N"},
        {"barriers", 0, 0, G_OPTION_ARG_INT64, &options->barriers,
         "named barriers of a block (default 1)", "N"},
        {"carveout", 0, 0, G_OPTION_ARG_INT64, &options->carveout,
         "preferred share of shared memory, percent; -1 = the largest (default)", "P"},
        {"smem-config", 0, 0, G_OPTION_ARG_INT64, &options->carveout_bytes, "the same in bytes",
         "BYTES"},
        {"blocks", 0, 0, G_OPTION_ARG_INT64, &options->blocks,
         "also: the registers a thread and the shared memory a block may use so that N blocks fit",
         "N"},
        {"explain", 0, 0, G_OPTION_ARG_NONE, &options->explain, "show every step of the working",
         NULL},
        {"curves", 0, 0, G_OPTION_ARG_NONE, &options->curves,
         "draw occupancy by block size, registers and shared memory", NULL},
        {"plot", 0, 0, G_OPTION_ARG_FILENAME, &options->plot,
         "draw the curves with gnuplot, as .svg or .png", "FILE"},
        {"batch", 0, 0, G_OPTION_ARG_FILENAME, &options->batch,
         "answer the queries of a CSV file: device,block,regs,smem,dynamic_smem,carveout", "FILE"},
        WS_COMPILE_LIMIT_ENTRY(&options->load),
        WS_CONFINE_ENTRIES(&options->load),
        WS_NO_CACHE_ENTRY(&options->load),
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format,
         "default: text; csv goes with --batch or --curves", "text|json|csv"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    ws_load_options_init(&options->load);
    return ws_parse_options(command, entries, arguments, 0, 0) &&
           ws_load_options_finish(&options->load);
}

/* ---- batch -------------------------------------------------------------------------------------
 */

static void collect(const char *data, gsize length, void *out)
{
    g_string_append_len(out, data, (gssize)length);
}

/* Nothing is printed before every query is answered, so that a bad line leaves no half answer. */
static int run_batch(const Options *options)
{
    GError *error = NULL;
    g_autoptr(WsDevice) device = NULL;
    if (options->device != NULL || options->settings != NULL) {
        device = ws_device_load(options->device != NULL ? options->device : "h200",
                                (const char *const *)options->settings, &error);
        if (device == NULL)
            return ws_report_error(error);
    }
    g_autoptr(GBytes) bytes = ws_read_input_file(options->batch, MAX_BATCH_BYTES, &error);
    if (bytes == NULL)
        return ws_report_error(error);
    gsize length = 0;
    const char *text = g_bytes_get_data(bytes, &length);
    g_autoptr(GString) out = g_string_sized_new(2 * length + 1024);
    if (!ws_occupancy_batch(options->batch, text, length, device, collect, out, &error))
        return ws_report_error(error);
    fwrite(out->str, 1, out->len, stdout);
    return 0;
}

/* ---- one query ---------------------------------------------------------------------------------
 */

static gboolean take_program(const Options *options, const WsDevice *device,
                             WsOccupancyQuery *query, GError **error)
{
    const WsCompileOptions compile = {.bounds = ws_load_options_bounds(&options->load)};
    g_autoptr(WsProgram) program =
        ws_target_load_program(options->kernel, device, &compile, NULL, error);
    if (program == NULL)
        return FALSE;
    if (program->kernel_count + program->refused_count != 1) {
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = options->kernel},
                        "%u kernels in this program: name a launch file",
                        program->kernel_count + program->refused_count);
        return FALSE;
    }
    const WsKernel *kernel = &program->kernels[0];
    query->registers = kernel->registers;
    query->static_shared = ws_kernel_shared_asked(kernel);
    query->barriers = kernel->barriers;
    return TRUE;
}

/* The first launch, on the launch file's device unless the command line names one. */
static gboolean take_launch(const Options *options, WsDevice **device, WsOccupancyQuery *query,
                            GError **error)
{
    WsJobOptions job_options = {
        .device = options->device,
        .settings = (const char *const *)options->settings,
        .bounds = ws_load_options_bounds(&options->load),
    };
    g_autoptr(WsJob) job = ws_job_load(options->kernel, &job_options, error);
    if (job == NULL)
        return FALSE;
    const WsLaunch *launch = &job->launches[0];
    query->threads = (guint32)ws_size_volume(launch->block);
    query->registers = launch->kernel->registers;
    query->static_shared = ws_kernel_shared_asked(launch->kernel);
    query->dynamic_shared = launch->dynamic_shared_bytes;
    query->barriers = launch->kernel->barriers;
    query->carveout = launch->carveout;
    *device = g_steal_pointer(&job->device);
    return TRUE;
}

/* The device, and what --kernel says of the query. */
static gboolean load(const Options *options, WsDevice **device, WsOccupancyQuery *query,
                     GError **error)
{
    g_autoptr(WsTarget) target = NULL;
    if (options->kernel != NULL) {
        const WsLoadBounds bounds = ws_load_options_bounds(&options->load);
        target = ws_target_resolve(options->kernel, bounds.confinement, error);
        if (target == NULL)
            return FALSE;
        if (!target->is_program)
            return take_launch(options, device, query, error);
    }
    *device = ws_device_load(options->device != NULL ? options->device : "h200",
                             (const char *const *)options->settings, error);
    return *device != NULL && (target == NULL || take_program(options, *device, query, error));
}

typedef struct {
    const char *option;
    gint64 value, minimum, maximum;
    const char *what;
} Bound;

/* What no launch could ask for is refused; what the rules answer with 0 blocks is answered. */
static gboolean check_bounds(const Options *options, const WsDevice *device, GError **error)
{
    gint64 shared = (gint64)device->shared_bytes_per_block_optin;
    const Bound bounds[] = {
        {"--block", options->block, 1, (gint64)device->max_threads_per_block, "threads of a block"},
        {"--regs", options->registers, 0, (gint64)device->max_registers_per_thread,
         "registers of a thread"},
        {"--smem", options->shared, 0, shared, "bytes of shared memory of a block"},
        {"--dynamic-smem", options->dynamic_shared, 0, shared, "bytes of shared memory of a block"},
        {"--barriers", options->barriers, 0, (gint64)device->barriers_per_block,
         "barriers of a block"},
        {"--carveout", options->carveout, -1, 100, "percent"},
        {"--smem-config", options->carveout_bytes, 0, (gint64)device->shared_bytes_per_sm,
         "bytes of shared memory of an SM"},
        {"--blocks", options->blocks, 1, (gint64)device->max_blocks_per_sm, "blocks of an SM"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(bounds); i++) {
        const Bound *bound = &bounds[i];
        if (bound->value == NOT_GIVEN ||
            (bound->value >= bound->minimum && bound->value <= bound->maximum))
            continue;
        ws_set_error(
            error, WS_ERROR_INPUT,
            "%s %" G_GINT64_FORMAT ": %s allows %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " %s",
            bound->option, bound->value, device->name, bound->minimum, bound->maximum, bound->what);
        return FALSE;
    }
    gint64 total = MAX(options->shared, 0) + MAX(options->dynamic_shared, 0);
    if (total > shared) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "--smem and --dynamic-smem: %" G_GINT64_FORMAT " bytes together, %s allows "
                     "%" G_GINT64_FORMAT " a block",
                     total, device->name, shared);
        return FALSE;
    }
    return TRUE;
}

static gboolean make_query(const Options *options, const WsDevice *device, WsOccupancyQuery *query,
                           GError **error)
{
    if (!check_bounds(options, device, error))
        return FALSE;
    if (options->block != NOT_GIVEN)
        query->threads = (guint32)options->block;
    if (options->registers != NOT_GIVEN)
        query->registers = (guint32)options->registers;
    if (options->shared != NOT_GIVEN)
        query->static_shared = (guint64)options->shared;
    if (options->dynamic_shared != NOT_GIVEN)
        query->dynamic_shared = (guint64)options->dynamic_shared;
    if (options->barriers != NOT_GIVEN)
        query->barriers = (guint32)options->barriers;
    if (options->carveout != NOT_GIVEN)
        query->carveout = (gint32)options->carveout;
    if (options->carveout_bytes == 0)
        query->carveout = 0; /* in the query, 0 bytes stand for none given */
    else if (options->carveout_bytes != NOT_GIVEN)
        query->carveout_bytes = (guint64)options->carveout_bytes;
    if (query->threads != 0 && (options->kernel != NULL || options->registers != NOT_GIVEN))
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "--block and --regs are needed, or --kernel TARGET");
    return FALSE;
}

/* What so many blocks leave to each of them. */
static void print_budgets(const WsDevice *device, const WsOccupancyQuery *query, guint32 blocks)
{
    gint64 shared = ws_occupancy_shared_budget(device, query, blocks);

    printf("\n__launch_bounds__(%u, %u): a thread may have %u registers\n", query->threads, blocks,
           ws_occupancy_register_budget(device, query->threads, blocks));
    if (shared >= 0)
        printf("%u block%s: each may have %" G_GINT64_FORMAT " bytes of dynamic shared memory\n",
               blocks, blocks == 1 ? "" : "s", shared);
    else
        printf("%u blocks: their shared memory does not fit\n", blocks);
}

static void print_text(const Options *options, const WsDevice *device,
                       const WsOccupancyQuery *query, const WsOccupancy *result)
{
    g_autofree char *text = ws_occupancy_text(device, query, result);
    ws_put_report(text);
    if (options->blocks != NOT_GIVEN)
        print_budgets(device, query, (guint32)options->blocks);
    if (options->explain) {
        g_autofree char *working = ws_occupancy_explain(device, query, result);
        printf("\nThe working\n%s", working);
    }
    if (options->curves) {
        g_autofree char *curves = ws_occupancy_curves_text(device, query);
        ws_put(curves);
    }
}

static int answer(const Options *options, int format)
{
    GError *error = NULL;
    g_autoptr(WsDevice) device = NULL;
    WsOccupancyQuery query = {.carveout = -1, .barriers = 1};
    ws_load_options_begin_limit(&options->load);
    gboolean loaded = load(options, &device, &query, &error);
    ws_load_options_end_limit();
    if (!loaded || !make_query(options, device, &query, &error))
        return ws_report_error(error);
    WsOccupancy result;
    ws_occupancy(device, &query, &result);
    if (options->plot != NULL && !ws_occupancy_plot(device, &query, options->plot, &error))
        return ws_report_error(error);
    if (format == 0) {
        print_text(options, device, &query, &result);
        return 0;
    }
    g_autofree char *text = format == 1 ? ws_occupancy_json(device, &query, &result)
                                        : ws_occupancy_curves_csv(device, &query);
    ws_put(text);
    return 0;
}

/* Why these options do not go together, or NULL. */
static const char *misfit(const Options *options, int format)
{
    enum { TEXT, JSON, CSV };
    gboolean query = options->kernel != NULL || options->block != NOT_GIVEN ||
                     options->registers != NOT_GIVEN || options->shared != NOT_GIVEN ||
                     options->dynamic_shared != NOT_GIVEN || options->carveout != NOT_GIVEN ||
                     options->carveout_bytes != NOT_GIVEN || options->barriers != NOT_GIVEN ||
                     options->blocks != NOT_GIVEN;
    gboolean drawing = options->explain || options->curves || options->plot != NULL;
    if (options->batch != NULL && options->format != NULL && format != CSV)
        return "--batch answers as CSV (--format csv)";
    if (options->batch != NULL && (query || drawing))
        return "--batch takes its queries from the file: only --device and --set go with it";
    if (options->carveout != NOT_GIVEN && options->carveout_bytes != NOT_GIVEN)
        return "--carveout and --smem-config are two forms of one option: give one of them";
    if (format == CSV && options->batch == NULL && !options->curves)
        return "--format csv goes with --batch or --curves";
    if (format == JSON && (options->explain || options->curves || options->blocks != NOT_GIVEN))
        return "--explain, --curves and --blocks answer as text; the curves also as CSV";
    if (format == CSV && (options->explain || options->blocks != NOT_GIVEN))
        return "--explain and --blocks answer as text";
    return NULL;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const formats[] = {"text", "json", "csv", NULL};
    g_auto(Options) options = {.block = NOT_GIVEN,
                               .registers = NOT_GIVEN,
                               .shared = NOT_GIVEN,
                               .dynamic_shared = NOT_GIVEN,
                               .carveout = NOT_GIVEN,
                               .carveout_bytes = NOT_GIVEN,
                               .barriers = NOT_GIVEN,
                               .blocks = NOT_GIVEN};
    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    int format = options.format == NULL ? 0 : ws_find_choice("--format", options.format, formats);
    if (format < 0)
        return WS_ERROR_USAGE;
    const char *wrong = misfit(&options, format);
    if (wrong != NULL)
        return ws_usage_error("%s", wrong);
    return options.batch != NULL ? run_batch(&options) : answer(&options, format);
}

const WsCommand ws_command_occupancy = {
    .name = "occupancy",
    .group = WS_GROUP_STUDY,
    .summary = "compute how many blocks an SM holds, and why",
    .usage = "--block N --regs N | --kernel TARGET | --batch FILE",
    .details = WS_TARGET_IS
    ",\n"
    "or a program: .cu, .ptx, .wsasm, .wsbin or .sass. The other options override the values of "
    "the\n"
    "launch file. Sizes are in bytes.\n"
    "\n"
    "The first line of a batch names its columns, in any order: block and regs, and\n"
    "optionally device, smem, dynamic_smem and carveout. Other columns are copied. Each line\n"
    "of the output is a line of the input, followed by blocks_per_sm, warps_per_sm,\n"
    "occupancy, a limit_ column for each resource, limiters, registers_per_block and\n"
    "shared_bytes_per_block.\n"
    "\n"
    "Examples:\n"
    "  warpstep occupancy --block 256 --regs 40 --smem 8192 --explain\n"
    "  warpstep occupancy --kernel matmul --regs 48\n"
    "  warpstep occupancy --device a100 --batch queries.csv > answers.csv\n",
    .run = run,
};
