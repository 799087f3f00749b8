#include "isa/cuda/dependency_rule.h"

#include "isa/cuda/memory_file.h"

#include <string.h>

enum { MAX_DEPENDENCY_BYTES = 16 << 20 };

/* The next name of a rule of `make`, or NULL. */
static char *next_dependency(const char **at)
{
    GString *name = g_string_new(NULL);
    const char *c = *at + strspn(*at, " \t\r\n");
    while (g_str_has_prefix(c, "\\\n"))
        c += 2 + strspn(c + 2, " \t\r\n");
    for (; *c != '\0' && strchr(" \t\r\n", *c) == NULL; c++) {
        if (*c == '\\' && c[1] == '\n')
            break;
        if ((*c == '\\' && c[1] != '\0' && strchr(" \\#", c[1]) != NULL) ||
            (*c == '$' && c[1] == '$'))
            c++;
        g_string_append_c(name, *c);
    }
    *at = c;
    return g_string_free(name, name->len == 0);
}

void ws_dependency_rule_read(int descriptor, void (*found)(const char *name, gpointer data),
                             gpointer data)
{
    gsize length = 0;
    g_autofree char *rule = ws_memory_file_read(descriptor, MAX_DEPENDENCY_BYTES, &length);
    const char *at = rule == NULL ? "" : rule;
    for (char *name = next_dependency(&at); name != NULL; name = next_dependency(&at)) {
        found(name, data);
        g_free(name);
    }
}
