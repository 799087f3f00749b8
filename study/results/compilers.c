#include "study/results/compilers.h"

typedef struct {
    const char *name; /* of the table */
    guint rows;
} Compiler;

static void count(GArray *compilers, const char *name)
{
    for (guint i = 0; i < compilers->len; i++) {
        Compiler *known = &g_array_index(compilers, Compiler, i);
        if (g_str_equal(known->name, name)) {
            known->rows++;
            return;
        }
    }
    const Compiler first = {name, 1};
    g_array_append_val(compilers, first);
}

char *ws_table_compilers(const WsTable *table)
{
    int column = ws_table_column(table, "compiler");
    g_autoptr(GArray) compilers = g_array_new(FALSE, FALSE, sizeof(Compiler));
    for (guint i = 0; column >= 0 && i < table->rows->len; i++) {
        char *const *cells = table->rows->pdata[i];
        if (*cells[column] != '\0')
            count(compilers, cells[column]);
    }
    if (compilers->len < 2)
        return NULL;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < compilers->len; i++) {
        const Compiler *compiler = &g_array_index(compilers, Compiler, i);
        const char *between = i == 0 ? "" : i + 1 == compilers->len ? " and " : ", ";
        g_string_append_printf(text, "%s%s (%u point%s)", between, compiler->name, compiler->rows,
                               compiler->rows == 1 ? "" : "s");
    }
    return g_string_free(text, FALSE);
}
