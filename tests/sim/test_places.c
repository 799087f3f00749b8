/*
 * Places hold: what each thread stores, counts with atomics and waits for at barriers, line by
 * line and inlined call by inlined call, is what the same program does that clang has not
 * optimised. Over all workloads and labs in CUDA C, their first block; or over the launch files
 * that are named.
 */
#include "isa/bytecode/opcode.h"
#include "isa/cuda/ptx_cache.h"
#include "sim/base/call_frames.h"
#include "sim/base/instruction_place.h"
#include "sim/interpreter/interpreter.h"

#include <stdio.h>
#include <string.h>

enum { MOST_THREADS = 1024, MOST_EVENTS = 1 << 22, MOST_TOLD = 20 };

/* What a thread does that is not moved, and where; `merged`: clang says no line. */
typedef struct {
    char kind; /* 's'tore, 'a'tomic, 'b'arrier */
    guint32 line;
    gboolean merged;
    const char *calls; /* interned: the calls that it was inlined by */
    guint64 address;
    guint32 bytes;
} Event;

typedef struct {
    const WsJob *job;
    GArray *threads[MOST_THREADS]; /* of Event */
    guint32 warp_size;
    guint events;
    guint8 *reached; /* by instruction */
    guint8 *merged;  /* likewise: 1 = no, 2 = yes */
    gboolean ended;  /* not by the limit */
} Record;

/* Whether the last .loc in front of a line of the PTX says line 0: clang has made one of several.
 */
static gboolean has_no_line(const WsProgram *program, guint32 ptx_line)
{
    g_auto(GStrv) lines = g_strsplit(program->ptx, "\n", (gint)ptx_line + 1);
    for (guint32 i = MIN(ptx_line, g_strv_length(lines)); i-- > 0;) {
        guint file, line;
        if (sscanf(lines[i], " .loc %u %u", &file, &line) == 2)
            return line == 0;
    }
    return TRUE;
}

/* Whether an instruction lies behind a join of two sides that clang has made end as one. */
static gboolean is_common_rest(const WsProgram *program, guint32 instruction)
{
    for (guint32 i = instruction; i-- > 0;) {
        guint8 opcode = program->instructions[i].opcode;
        if (opcode == WS_OP_BSYNC)
            return program->constructs[ws_program_construct(program, i)].kind == WS_CONSTRUCT_REST;
        if (opcode == WS_OP_BRA || opcode == WS_OP_EXIT)
            break;
    }
    return FALSE;
}

/* "half() at , called by twice() at a.cuh:9, called at k.cu:5"; "" in a kernel's own code. */
static const char *calls_of(const WsProgram *program, guint32 instruction)
{
    g_autofree char *text = ws_place_with_frames(program, instruction, "");
    return g_intern_string(text);
}

static Event *add(Record *record, guint32 thread, guint32 instruction, char kind)
{
    guint32 file, line;
    ws_line_of_instruction(record->job->program, instruction, &file, &line);
    const WsProgram *program = record->job->program;
    guint8 *known = &record->merged[instruction];
    if (*known == 0)
        *known =
            1 +
            (is_common_rest(program, instruction) ||
             has_no_line(program,
                         program->locations[program->instructions[instruction].location].ptx_line));
    const Event event = {
        .kind = kind, .line = line, .merged = *known == 2, .calls = calls_of(program, instruction)};
    g_assert_true(thread < MOST_THREADS);
    if (record->threads[thread] == NULL)
        record->threads[thread] = g_array_new(FALSE, TRUE, sizeof(Event));
    record->events++;
    g_array_append_val(record->threads[thread], event);
    return &g_array_index(record->threads[thread], Event, record->threads[thread]->len - 1);
}

static void block_begin(void *data, guint32 slot, guint64 number)
{
    (void)data, (void)slot, (void)number;
}

static void note_access(void *data, const WsWatchedAccess *seen)
{
    Record *record = data;
    if (seen->space == WS_SPACE_LOCAL || seen->action == WS_ACTION_LOAD ||
        record->events > MOST_EVENTS)
        return;
    Event *event =
        add(record, seen->thread, seen->instruction, seen->action == WS_ACTION_STORE ? 's' : 'a');
    event->address = seen->address;
    event->bytes = seen->bytes;
}

static void atomic_done(void *data, const WsWatchedAccess *seen, gboolean changed)
{
    (void)data, (void)seen, (void)changed;
}

static void lanes_meet(void *data, guint32 slot, guint32 warp, guint64 mask, gboolean all)
{
    (void)data, (void)slot, (void)warp, (void)mask, (void)all;
}

static void fence(void *data, guint32 slot, guint32 warp, guint64 mask, guint8 scope)
{
    (void)data, (void)slot, (void)warp, (void)mask, (void)scope;
}

static void barrier_arrive(void *data, guint32 slot, guint32 warp, guint64 mask,
                           guint32 instruction, guint32 number, gboolean waits)
{
    Record *record = data;
    (void)slot, (void)waits;
    for (; mask != 0; mask &= mask - 1)
        add(record, warp * record->warp_size + (guint32)__builtin_ctzll(mask), instruction, 'b')
            ->address = number;
}

static void barrier_release(void *data, guint32 slot, guint32 number, gboolean all)
{
    (void)data, (void)slot, (void)number, (void)all;
}

static void waits_for_ever(void *data, guint32 slot, guint32 thread, guint32 instruction)
{
    (void)data, (void)slot, (void)thread, (void)instruction;
}

static void record_run(Record *record, WsJob *job, guint32 launch)
{
    const WsInterpretWatcher watcher = {.data = record,
                                        .block_begin = block_begin,
                                        .access = note_access,
                                        .atomic_done = atomic_done,
                                        .lanes_meet = lanes_meet,
                                        .fence = fence,
                                        .barrier_arrive = barrier_arrive,
                                        .barrier_release = barrier_release,
                                        .waits_for_ever = waits_for_ever};
    g_autoptr(GError) error = NULL;
    *record = (Record){.job = job, .warp_size = (guint32)job->device->warp_size};
    record->reached = g_new0(guint8, (gsize)job->program->instruction_count + 1);
    record->merged = g_new0(guint8, (gsize)job->program->instruction_count + 1);
    const WsInterpretOptions options = {.first_block_only = TRUE,
                                        .watcher = &watcher,
                                        .reached = record->reached,
                                        .max_warp_instructions = 2000000};
    /* A kernel that fails does so in both, as far as it comes. */
    record->ended = ws_interpret(job, launch, &options, NULL, &error) ||
                    !g_error_matches(error, WS_ERROR, WS_ERROR_LIMIT);
}

/* Lines that threads come to where they do not without optimisation. */
static guint compare_lines(const char *path, const Record *fast, const Record *plain)
{
    g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
    const WsProgram *program = plain->job->program;
    guint different = 0;
    guint32 file, line;
    for (guint32 i = 0; i < program->instruction_count; i++) {
        ws_line_of_instruction(program, i, &file, &line);
        if (plain->reached[i] & WS_REACHED_COME)
            g_hash_table_add(visited, GUINT_TO_POINTER(line));
    }
    program = fast->job->program;
    for (guint32 i = 0; i < program->instruction_count; i++) {
        ws_line_of_instruction(program, i, &file, &line);
        if (!(fast->reached[i] & WS_REACHED_DONE) ||
            g_hash_table_contains(visited, GUINT_TO_POINTER(line)))
            continue;
        g_autofree char *place = ws_instruction_place(program, i);
        g_printerr("%s: instruction %u, %s: no thread comes to that line\n", path, i, place);
        different++;
    }
    return different;
}

static void record_clear(Record *record)
{
    g_free(record->reached);
    g_free(record->merged);
    for (guint i = 0; i < MOST_THREADS; i++)
        if (record->threads[i] != NULL)
            g_array_unref(record->threads[i]);
}

/* Events by the calls that both compiles say they were inlined by. */
typedef struct {
    guint64 inlined, kernel; /* alike: in an inlined function, in the kernel's own code */
    guint64 different;
    guint64 merged, lone; /* no line of its own; the other run has none */
} Calls;

/* One store of several words stands for those of its words, which then are of one line. */
static gboolean same_event(const Event *a, const Event *b)
{
    return a->kind == b->kind && (a->line == b->line || a->merged);
}

/* Counts the events that both runs have by whether their calls agree; says the first that do not.
 */
static void compare_calls(const char *path, const Record *fast, const Record *plain, Calls *calls)
{
    for (guint t = 0; t < MOST_THREADS; t++) {
        const GArray *a = fast->threads[t], *b = plain->threads[t];
        guint lengths[] = {a == NULL ? 0 : a->len, b == NULL ? 0 : b->len};
        guint both = MIN(lengths[0], lengths[1]);
        calls->lone += MAX(lengths[0], lengths[1]) - both;
        for (guint i = 0; i < both; i++) {
            const Event *x = &g_array_index(a, Event, i), *y = &g_array_index(b, Event, i);
            if (x->merged || !same_event(x, y))
                calls->merged++;
            else if (x->calls == y->calls)
                *(*x->calls != '\0' ? &calls->inlined : &calls->kernel) += 1;
            else if (calls->different++ < MOST_TOLD)
                g_printerr("%s: thread %u, event %u, %c line %u: optimised %s, plain %s\n", path, t,
                           i, x->kind, x->line, x->calls, y->calls);
        }
    }
}

/* The number of threads whose sequences differ; says the first. */
static guint compare(const char *path, const Record *fast, const Record *plain)
{
    guint different = 0;
    for (guint t = 0; t < MOST_THREADS; t++) {
        const GArray *a = fast->threads[t], *b = plain->threads[t];
        guint lengths[] = {a == NULL ? 0 : a->len, b == NULL ? 0 : b->len};
        guint i = 0;
        while (i < lengths[0] && i < lengths[1] &&
               same_event(&g_array_index(a, Event, i), &g_array_index(b, Event, i)))
            i++;
        if (i == lengths[0] && i == lengths[1])
            continue;
        if (different++ == 0)
            g_printerr("%s: thread %u, event %u of %u and %u: optimised %c line %u, plain %c line "
                       "%u\n",
                       path, t, i, lengths[0], lengths[1],
                       i < lengths[0] ? g_array_index(a, Event, i).kind : '-',
                       i < lengths[0] ? g_array_index(a, Event, i).line : 0,
                       i < lengths[1] ? g_array_index(b, Event, i).kind : '-',
                       i < lengths[1] ? g_array_index(b, Event, i).line : 0);
    }
    return different;
}

static WsJob *load(const char *path, gboolean for_checks)
{
    g_autofree char *cache = ws_ptx_cache_folder();
    const WsJobOptions options = {.for_checks = for_checks,
                                  .variables = TRUE,
                                  .bounds = {.cache = cache, .header_cache = cache}};
    g_autoptr(GError) error = NULL;
    WsJob *job = ws_job_load(path, &options, &error);
    if (job == NULL)
        g_printerr("%s: %s\n", path, error->message);
    return job;
}

/* Every branch that may go two ways, BSSY and BSYNC names what it is of. */
static guint count_nameless(const char *path, const WsProgram *program)
{
    guint count = 0;
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsInstruction *instruction = &program->instructions[i];
        gboolean meets = instruction->opcode == WS_OP_BSSY || instruction->opcode == WS_OP_BSYNC;
        gboolean parts = instruction->opcode == WS_OP_BRA && ws_is_guarded(instruction);
        if ((meets || parts) && ws_program_construct(program, i) == 0) {
            g_autofree char *place = ws_instruction_place(program, i);
            g_printerr("%s: instruction %u has no name, %s\n", path, i, place);
            count++;
        }
    }
    return count;
}

/* What does not hold, over all files. */
typedef struct {
    guint files, failed, sequences, lines, nameless;
    Calls calls;
    gboolean unrolled; /* another clang than 14 has compiled */
} Totals;

static void check_file(const char *path, Totals *totals)
{
    g_autoptr(WsJob) fast_job = load(path, FALSE);
    totals->failed += fast_job == NULL;
    if (fast_job == NULL || !g_str_has_suffix(fast_job->program->path, ".cu"))
        return;
    g_autoptr(WsJob) plain_job = load(path, TRUE);
    totals->failed += plain_job == NULL;
    if (plain_job == NULL)
        return;
    totals->files++;
    totals->unrolled |= !g_str_has_prefix(fast_job->program->compiler, "clang 14.");
    for (guint32 i = 0; i < fast_job->launch_count; i++) {
        Record fast, plain;
        record_run(&fast, fast_job, i);
        record_run(&plain, plain_job, i);
        if (fast.ended && plain.ended) {
            totals->sequences += compare(path, &fast, &plain) > 0;
            totals->lines += compare_lines(path, &fast, &plain);
            compare_calls(path, &fast, &plain, &totals->calls);
        }
        record_clear(&fast);
        record_clear(&plain);
    }
    totals->nameless += count_nameless(path, fast_job->program);
}

static void find_files(const char *folder, GPtrArray *files)
{
    g_autoptr(GDir) list = g_dir_open(folder, 0, NULL);
    for (const char *name; list != NULL && (name = g_dir_read_name(list)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (strcmp(name, "labs") == 0) /* their programs are what students write */
            continue;
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            find_files(path, files);
        else if (strcmp(name, "launch.yaml") == 0)
            g_ptr_array_add(files, g_steal_pointer(&path));
    }
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * test_places [SEQUENCES LINES NAMELESS FILE...]: so many kernels with other sequences,
 * instructions on lines that no thread visits, and branches without a name are known, and of
 * clang's making.
 */
int main(int argc, char **argv)
{
    enum { KNOWN = 4 };
    Totals totals = {0};
    /* Of the workloads: joins of spin loops, which end no statement; newer clangs unroll one. */
    guint known[] = {0, 0, 4}, known_unrolled = 18;
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    for (int i = 1; i < MIN(argc, KNOWN); i++)
        known[i - 1] = (guint)g_ascii_strtoull(argv[i], NULL, 10);
    for (int i = KNOWN; i < argc; i++)
        g_ptr_array_add(paths, g_strdup(argv[i]));
    if (argc == 1) {
        g_autofree char *folder = g_build_filename(g_getenv("WS_TEST_SOURCES"), "workloads", NULL);
        find_files(folder, paths);
    }
    g_ptr_array_sort(paths, compare_paths);
    for (guint i = 0; i < paths->len; i++)
        check_file(paths->pdata[i], &totals);
    if (argc == 1 && totals.unrolled)
        known[2] = known_unrolled;
    g_printerr(
        "%u programs, %u failed, %u kernels with other sequences, %u instructions on lines that "
        "no thread visits, %u branches and joins without a name\n",
        totals.files, totals.failed, totals.sequences, totals.lines, totals.nameless);
    g_printerr("of stores, atomics and barriers, %" G_GUINT64_FORMAT " in inlined functions and "
               "%" G_GUINT64_FORMAT " in kernels have the same calls in both, %" G_GUINT64_FORMAT
               " other ones; %" G_GUINT64_FORMAT " merged, %" G_GUINT64_FORMAT
               " without a partner\n",
               totals.calls.inlined, totals.calls.kernel, totals.calls.different,
               totals.calls.merged, totals.calls.lone);
    if (totals.calls.different > 0 || (argc == 1 && totals.calls.inlined == 0))
        return 1;
    return totals.files == 0 || totals.failed > 0 || totals.sequences > known[0] ||
           totals.lines > known[1] || totals.nameless > known[2];
}
