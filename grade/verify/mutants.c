#include "grade/verify/mutants.h"

#include "isa/base/input_file.h"
#include "isa/base/temporary_folder.h"

#include <string.h>

enum { MAX_BYTES = 64 << 20 };

static void mutant_free(gpointer data)
{
    WsMutant *mutant = data;
    g_free(mutant->name);
    g_free(mutant->replaces);
    g_free(mutant->loses);
    g_clear_pointer(&mutant->contents, g_bytes_unref);
    g_free(mutant);
}

/* The checks in "// loses: a, b" of the first line. */
static gboolean read_losses(const WsAssignment *assignment, const char *path, WsMutant *mutant,
                            GError **error)
{
    static const char mark[] = "loses:";
    WsPosition position = {.file = path, .line = 1};
    gsize length;
    const char *text = g_bytes_get_data(mutant->contents, &length);
    g_autofree char *line = g_strndup(text, strcspn(text, "\n"));
    const char *list = strstr(line, mark);
    if (list == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a mutant says in its first line what it loses: // loses: CHECK, CHECK");
        return FALSE;
    }
    g_auto(GStrv) names = g_strsplit(list + strlen(mark), ",", -1);
    mutant->loses = g_new0(gboolean, assignment->rules->len + 1);
    for (guint i = 0; names[i] != NULL; i++) {
        const char *name = g_strstrip(names[i]);
        gint rule = ws_assignment_find_rule(assignment, name);
        if (rule < 0) {
            g_autofree char *shown = ws_printable(name);
            ws_set_error_at(error, WS_ERROR_INPUT, &position, "there is no check '%s'", shown);
            return FALSE;
        }
        mutant->loses[rule] = TRUE;
    }
    return TRUE;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp((*(WsMutant *const *)a)->name, (*(WsMutant *const *)b)->name);
}

GPtrArray *ws_mutants_load(const WsAssignment *assignment, GError **error)
{
    g_autoptr(GPtrArray) mutants = g_ptr_array_new_with_free_func(mutant_free);
    g_autofree char *folder = ws_assignment_path(assignment, "mutants");
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    const char *ending = strrchr(assignment->program, '.');
    const char *name;
    while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
        gboolean program = g_str_has_suffix(name, ending);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (!program && !g_str_has_suffix(name, ".yaml"))
            continue;
        WsMutant *mutant = g_new0(WsMutant, 1);
        g_ptr_array_add(mutants, mutant);
        mutant->name = g_strdup(name);
        mutant->replaces = g_strdup(program ? assignment->program : assignment->answers);
        mutant->contents = ws_read_input_file_in(NULL, path, MAX_BYTES, NULL, error);
        if (mutant->contents == NULL || !read_losses(assignment, path, mutant, error))
            return NULL;
    }
    g_ptr_array_sort(mutants, by_name);
    return g_steal_pointer(&mutants);
}

gboolean ws_mutant_write(const WsAssignment *assignment, const WsMutant *mutant, const char *folder,
                         GError **error)
{
    const char *const files[] = {assignment->program, assignment->answers};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *from =
            g_build_filename(assignment->folder, assignment->reference, files[i], NULL);
        g_autofree char *to = g_build_filename(folder, files[i], NULL);
        g_autoptr(GBytes) contents = NULL;
        if (mutant != NULL && strcmp(mutant->replaces, files[i]) == 0)
            contents = g_bytes_ref(mutant->contents);
        else if (i == 0 || g_file_test(from, G_FILE_TEST_EXISTS))
            contents = ws_read_input_file_in(NULL, from, MAX_BYTES, NULL, error);
        else
            continue;
        if (contents == NULL || !ws_temporary_file_write(to, contents, error))
            return FALSE;
    }
    return TRUE;
}
