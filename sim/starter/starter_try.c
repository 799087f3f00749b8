#include "sim/starter/starter_try.h"

#include "isa/base/size.h"
#include "isa/base/temporary_folder.h"
#include "sim/interpreter/interpreter.h"
#include "sim/starter/starter_reach.h"
#include "sim/starter/starter_values.h"

#include <string.h>

enum {
    MAX_TRIES = 4,
    /* Warp instructions. One that is tried takes up to 100 ns, one that is simulated 10 times as
       long. */
    MAX_TRY_INSTRUCTIONS = 10000000,
    FULL_INSTRUCTIONS = 2000000,   /* of a grid that fills all places of the device */
    FILLED_INSTRUCTIONS = 8000000, /* of one with a block for each SM */
    MOST_ELEMENTS = 1 << 26,       /* of a buffer of such a grid */
    MOST_SIZE = 1 << 24,
    LEAST_SIZE = 256 /* that long work is tried with */
};

typedef struct {
    WsStarterWriter *writer;
    const char *folder;
    guint8 *reached; /* by instruction of the program */
    guint64 blocks;  /* of the grid of the last try */
} Attempt;

static WsProgram *loaded_program(void *data, const WsDevice *device, const WsCompileOptions *wanted,
                                 GError **error)
{
    return ws_program_ref(data);
}

/* Runs what the writer writes, up to `limit` warp instructions. */
static gboolean try_it(Attempt *attempt, guint64 limit, WsInterpretCounts *ret, GError **error)
{
    WsStarterWriter writer = *attempt->writer;
    g_autofree char *path = g_build_filename(attempt->folder, "launch.yaml", NULL);
    g_autofree char *program = g_canonicalize_filename(writer.program->path, NULL);
    writer.program_text = program;
    g_autofree char *text = ws_starter_text(&writer);
    *ret = (WsInterpretCounts){0};
    memset(attempt->reached, 0, writer.program->instruction_count);
    if (!g_file_set_contents(path, text, -1, error))
        return FALSE;
    /* The file lies elsewhere than the program, which is loaded already. */
    const WsGivenProgram given = {loaded_program, (gpointer)writer.program};
    const WsJobOptions options = {.device = writer.options->device,
                                  .settings = writer.options->settings,
                                  .bounds = writer.bounds,
                                  .program = &given};
    g_autoptr(WsJob) job = ws_job_load(path, &options, error);
    const WsInterpretOptions limits = {.max_warp_instructions = limit, .reached = attempt->reached};
    if (job == NULL)
        return FALSE;
    attempt->blocks = ws_size_volume(job->launches[0].grid);
    return ws_interpret(job, 0, &limits, ret, error);
}

static guint32 count_reached(const Attempt *attempt)
{
    const WsStarterWriter *writer = attempt->writer;
    return ws_starter_count_reached(writer->program, writer->kernel, attempt->reached);
}

/* ---- sizes with which it runs -----------------------------------------------------------------
 */

/* Why a try stopped, without the place in a file that nobody has. */
static char *reason_of(const GError *failure, const char *folder)
{
    g_auto(GStrv) parts = g_strsplit(failure->message, folder, -1);
    g_autofree char *text = g_strjoinv("", parts);
    g_strdelimit(text, "\n", ' ');
    const char *colon = strstr(text, "error: ");
    return g_strdup(colon != NULL ? colon + strlen("error: ") : text);
}

/* The first that runs, else the first of all, with `ret_stop`. */
static void choose_sizes(Attempt *attempt, char **ret_stop)
{
    static const WsStarterSizes tries[][MAX_TRIES] = {
        {{8192, 1, 1, 1}, {8192, 1, 2, 4}, {256, 2, 1, 4}, {64, 3, 1, 8}}, /* a line, one length */
        {{64, 2, 1, 1}, {64, 2, 2, 4}, {32, 3, 1, 8}}, /* a plane, two lengths */
        {{16, 3, 1, 1}, {16, 3, 2, 4}, {16, 4, 1, 8}}, /* a box */
    };
    const WsStarterGuess *guess = attempt->writer->guess;
    const WsStarterSizes *row = tries[guess->axes == 1 && guess->lengths > 1 ? 1 : guess->axes - 1];
    for (guint i = 0; i < MAX_TRIES && row[i].n != 0; i++) {
        g_autoptr(GError) failure = NULL;
        WsInterpretCounts counts;
        attempt->writer->sizes = row[i];
        gboolean good = try_it(attempt, MAX_TRY_INSTRUCTIONS, &counts, &failure);
        /* Where the work grows faster than the size, it is the same work at a quarter of it. */
        while (!good && g_error_matches(failure, WS_ERROR, WS_ERROR_LIMIT) &&
               attempt->writer->sizes.n >= 4 * LEAST_SIZE) {
            g_clear_error(&failure);
            attempt->writer->sizes.n /= 4;
            good = try_it(attempt, MAX_TRY_INSTRUCTIONS, &counts, &failure);
        }
        if (good) {
            g_clear_pointer(ret_stop, g_free);
            return;
        }
        if (*ret_stop == NULL)
            *ret_stop = reason_of(failure, attempt->folder);
    }
    attempt->writer->sizes = row[0];
}

/* ---- values with which it does something ------------------------------------------------------
 */

static gboolean try_values(gpointer data, guint32 *ret_reached, guint64 *ret_cost)
{
    Attempt *attempt = data;
    WsInterpretCounts counts;
    gboolean good = try_it(attempt, MAX_TRY_INSTRUCTIONS, &counts, NULL);
    *ret_reached = count_reached(attempt);
    *ret_cost = counts.warp_instructions;
    return good;
}

/* ---- a grid that fills the device -------------------------------------------------------------
 */

/* Blocks of the grid that the writer writes for `n`; docs/learn/guide.md. */
static guint64 blocks_for(const WsStarterWriter *writer, guint64 n)
{
    const WsStarterGuess *guess = writer->guess;
    guint64 blocks = 1;
    for (guint axis = 0; axis < guess->axes; axis++) {
        guint64 threads = ws_starter_grid_is_square(writer) ? n * n : n;
        if (guess->uses_axis[axis])
            blocks *= (threads + guess->block[axis] - 1) / guess->block[axis];
    }
    return blocks;
}

/* The least n, in whole blocks, with so many; 0 if no n has them. */
static guint32 size_for(const WsStarterWriter *writer, guint64 blocks)
{
    const guint32 *block = writer->guess->block;
    guint32 step = MAX(MAX(block[0], block[1]), block[2]);
    if (blocks_for(writer, MOST_SIZE) < blocks)
        return 0;
    guint32 n = step;
    while (blocks_for(writer, n) < blocks)
        n += step;
    return n;
}

static gboolean fits(const WsStarterSizes *sizes)
{
    double elements = sizes->times;
    for (guint i = 0; i < sizes->power; i++)
        elements *= sizes->n;
    return elements <= MOST_ELEMENTS;
}

/* From the sizes `before`, with which it runs, down until it takes not too long; or these. */
static void shrink(Attempt *attempt, const WsStarterSizes *before, guint32 reached)
{
    const guint32 *block = attempt->writer->guess->block;
    guint32 least = MAX(MAX(block[0], block[1]), block[2]);
    WsStarterSizes *sizes = &attempt->writer->sizes;
    for (*sizes = *before; sizes->n >= least; sizes->n /= 2) {
        WsInterpretCounts counts;
        if (try_it(attempt, FILLED_INSTRUCTIONS, &counts, NULL) &&
            count_reached(attempt) >= reached)
            return;
    }
    *sizes = *before;
}

/*
 * As many blocks as the device has places for, else half of them and so on, down to one for each
 * SM: the first that takes not too long and reaches as much of the kernel.
 */
static void fill_device(Attempt *attempt, const WsDevice *device)
{
    WsStarterWriter *writer = attempt->writer;
    const guint32 *block = writer->guess->block;
    const WsStarterSizes before = writer->sizes;
    guint32 reached = count_reached(attempt);
    guint64 sms = (guint64)device->sms, threads = (guint64)block[0] * block[1] * block[2];
    guint64 resident = (guint64)device->max_warps_per_sm * (guint64)device->warp_size / threads;
    for (guint64 blocks = sms * MAX(resident, 1);; blocks = MAX(blocks / 2, sms)) {
        guint64 limit = blocks == sms ? FILLED_INSTRUCTIONS : FULL_INSTRUCTIONS;
        writer->sizes.n = size_for(writer, blocks);
        /* What read beyond a buffer by luck only now may need larger ones. */
        for (guint more = 1; more <= 2; more++) {
            WsInterpretCounts counts;
            writer->sizes.times = more * before.times;
            if (writer->sizes.n > before.n && fits(&writer->sizes) &&
                try_it(attempt, limit, &counts, NULL) && count_reached(attempt) >= reached)
                return;
        }
        if (blocks == sms)
            break;
    }
    shrink(attempt, &before, reached);
    if (blocks_for(writer, writer->sizes.n) < sms)
        writer->sms = (guint32)blocks_for(writer, writer->sizes.n);
}

/* ---- what is not reached ----------------------------------------------------------------------
 */

/* "'level', or what is in 'distance'"; sizes only if there is nothing else. */
static char *changeable(const WsStarterGuess *guess, const gboolean *decisive)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint pass = 0; pass < 2 && names->len == 0; pass++)
        for (guint32 i = 0; i < guess->count; i++) {
            const WsStarterParameter *parameter = &guess->parameters[i];
            if (!decisive[i] || (parameter->kind == WS_STARTER_LENGTH) != (pass == 1))
                continue;
            g_ptr_array_add(
                names,
                g_strdup_printf(parameter->kind == WS_STARTER_POINTER ? "what is in '%s'" : "'%s'",
                                parameter->name));
        }
    if (names->len == 0)
        return NULL;
    g_ptr_array_add(names, NULL);
    return g_strjoinv(" or ", (char **)names->pdata);
}

static char *unreached_text(const WsStarterWriter *writer, const WsUnreachedLines *lines)
{
    g_autoptr(GString) text = g_string_new("no thread reaches line");
    g_autofree char *file = ws_printable(writer->program->files[lines->file]);
    g_autofree char *names = changeable(writer->guess, lines->decisive);
    if (lines->last == lines->first)
        g_string_append_printf(text, " %u of %s", lines->first, file);
    else
        g_string_append_printf(text, "s %u to %u of %s", lines->first, lines->last, file);
    if (lines->decided_at != 0)
        g_string_append_printf(text, ": line %u decides that", lines->decided_at);
    if (names != NULL)
        g_string_append_printf(text, "%s change %s", lines->decided_at != 0 ? ";" : ":", names);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void add_notes(const Attempt *attempt, GPtrArray *notes)
{
    const WsStarterWriter *writer = attempt->writer;
    g_autoptr(GArray) unreached =
        ws_starter_find_unreached(writer->program, writer->kernel, attempt->reached);
    for (guint i = 0; i < unreached->len; i++)
        g_ptr_array_add(notes,
                        unreached_text(writer, &g_array_index(unreached, WsUnreachedLines, i)));
}

gboolean ws_starter_try(WsStarterWriter *writer, WsStarterGuess *guess, const WsDevice *device,
                        char **ret_stop, GPtrArray *notes, GError **error)
{
    g_autoptr(WsTemporaryFolder) made = ws_temporary_folder_new(error);
    if (made == NULL)
        return FALSE;
    g_autofree guint8 *reached = g_malloc0(MAX(writer->program->instruction_count, 1));
    Attempt attempt = {
        .writer = writer, .folder = ws_temporary_folder_path(made), .reached = reached};
    WsInterpretCounts counts;
    choose_sizes(&attempt, ret_stop);
    if (*ret_stop != NULL)
        return TRUE;
    ws_starter_improve(guess, ws_starter_count_reached(writer->program, writer->kernel, NULL),
                       MAX_TRY_INSTRUCTIONS, try_values, &attempt);
    try_it(&attempt, MAX_TRY_INSTRUCTIONS, &counts, NULL); /* the best once more */
    fill_device(&attempt, device);
    if (try_it(&attempt, MAX_TRY_INSTRUCTIONS, &counts, NULL))
        add_notes(&attempt, notes);
    return TRUE;
}
