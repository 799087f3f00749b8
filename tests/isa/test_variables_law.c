/*
 * Variables change nothing: a program compiled with them is, to the byte, the one compiled without,
 * its table of variables and the numbers of lines in the PTX aside. `test_variables_law FOLDER
 * [EVERY]`: of each EVERY-th source below FOLDER, and what the two cost in processor time.
 */
#include "isa/bytecode/program.h"
#include "isa/bytecode/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
    guint programs, known; /* with places of variables in registers */
    gint64 plain, with;    /* microseconds */
} Sum;

static gint64 used_microseconds(void)
{
    gint64 sum = 0;
    const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (guint i = 0; i < G_N_ELEMENTS(who); i++) {
        struct rusage used;
        getrusage(who[i], &used);
        sum += (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * (gint64)G_USEC_PER_SEC +
               used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    }
    return sum;
}

static WsProgram *load(const char *path, gboolean variables, gint64 *cost)
{
    WsCompileOptions options;
    g_autoptr(GError) error = NULL;
    ws_compile_options_init(&options);
    options.variables = variables;
    const gint64 before = used_microseconds();
    WsProgram *program = ws_program_load(path, &options, &error);
    *cost += used_microseconds() - before;
    return program;
}

/* Lines of an instruction and of the calls that it is inlined in. */
static char *places_of(const WsProgram *program, guint32 i)
{
    GString *text = g_string_new(NULL);
    for (guint32 l = program->instructions[i].location; l != 0;
         l = program->locations[l].inlined_at)
        g_string_append_printf(text, "%s:%u:%u ", program->files[program->locations[l].file],
                               program->locations[l].line, program->locations[l].column);
    return g_string_free(text, FALSE);
}

static gboolean same_instruction(const WsProgram *a, const WsProgram *b, guint32 i)
{
    WsInstruction x = a->instructions[i], y = b->instructions[i];
    g_autofree char *place = places_of(a, i), *other = places_of(b, i);
    x.location = y.location = 0;
    return memcmp(&x, &y, sizeof x) == 0 && strcmp(place, other) == 0;
}

/* What differs first, or NULL. */
static char *difference(const WsProgram *a, const WsProgram *b)
{
    if (a->instruction_count != b->instruction_count)
        return g_strdup_printf("%u and %u instructions", a->instruction_count,
                               b->instruction_count);
    for (guint32 i = 0; i < a->instruction_count; i++) {
        g_autofree char *place = places_of(a, i), *other = places_of(b, i);
        if (!same_instruction(a, b, i))
            return g_strdup_printf("instruction %u, at %s and %s", i, place, other);
    }
    if (a->kernel_count != b->kernel_count || a->refused_count != b->refused_count)
        return g_strdup("the kernels");
    for (guint32 k = 0; k < a->kernel_count; k++) {
        const WsKernel *x = &a->kernels[k], *y = &b->kernels[k];
        if (strcmp(x->name, y->name) != 0 || x->registers != y->registers ||
            x->local_bytes != y->local_bytes || x->static_shared_bytes != y->static_shared_bytes)
            return g_strdup_printf("kernel %s", x->display_name);
    }
    if (a->constant_bytes != b->constant_bytes ||
        (a->constant_bytes > 0 && memcmp(a->constants, b->constants, a->constant_bytes) != 0))
        return g_strdup("constants");
    return NULL;
}

/* FALSE if the law does not hold. */
static gboolean try_source(const char *path, Sum *sum)
{
    g_autoptr(WsProgram) plain = load(path, FALSE, &sum->plain);
    g_autoptr(WsProgram) with = load(path, TRUE, &sum->with);
    g_autofree char *wrong = NULL;
    if (plain == NULL && with == NULL)
        return TRUE;
    if (plain == NULL || with == NULL)
        wrong = g_strdup("one of the two is refused");
    else if (with->variables->reason != NULL)
        wrong = g_strdup(with->variables->reason);
    else
        wrong = difference(plain, with);
    sum->programs++;
    sum->known += with != NULL && with->variables->places->len > 0;
    if (wrong != NULL)
        printf("%s: %s\n", path, wrong);
    return wrong == NULL;
}

static void list_sources(const char *folder, GPtrArray *list)
{
    g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            list_sources(path, list);
        else if (g_str_has_suffix(name, ".cu"))
            g_ptr_array_add(list, g_steal_pointer(&path));
    }
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(int argc, char **argv)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
    const guint every = argc > 2 ? (guint)MAX(atoi(argv[2]), 1) : 1;
    Sum sum = {0};
    gboolean good = argc > 1;
    if (good)
        list_sources(argv[1], list);
    g_ptr_array_sort(list, compare_names);
    for (guint i = 0; i < list->len; i += every)
        good = try_source(list->pdata[i], &sum) && good;
    printf("%u programs, %u with places of variables; %.2f s of processor time without variables, "
           "%.2f s with them\n",
           sum.programs, sum.known, (double)sum.plain / G_USEC_PER_SEC,
           (double)sum.with / G_USEC_PER_SEC);
    return good && sum.programs > 0 && sum.known > 0 ? 0 : 1;
}
