#include "inspect/session/source_variables.h"

#include <string.h>

#include "inspect/session/source_types.h"
#include "inspect/session/source_variables_private.h"
#include "sim/base/call_frames.h"
#include "sim/report/line_profile.h"

/* ---- life ---------------------------------------------------------------------------------------
 */

/* Scopes behind those around them: the innermost one is painted last. */
static void find_inner(WsSourceVariables *variables)
{
    const WsVariableTable *table = variables->table;

    variables->inner = g_new(guint32, variables->program->instruction_count + 1);
    for (guint32 i = 0; i < variables->program->instruction_count; i++)
        variables->inner[i] = WS_NO_SCOPE;
    for (guint32 s = 0; s < table->scopes->len; s++) {
        const WsSourceScope *scope = ws_variable_table_scope(table, s);

        for (guint32 r = scope->first_range; r < scope->first_range + scope->range_count; r++) {
            const WsCodeRange *range = &g_array_index(table->ranges, WsCodeRange, r);

            for (guint32 i = 0; i < range->count; i++)
                variables->inner[range->first + i] = s;
        }
    }
}

static void find_names(WsSourceVariables *variables)
{
    const GArray *all = variables->table->variables;

    for (guint32 i = 0; i < all->len; i++) {
        char *name = ws_variable_table_variable(variables->table, i)->name;
        GArray *numbers = g_hash_table_lookup(variables->names, name);

        if (numbers == NULL) {
            numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
            g_hash_table_insert(variables->names, name, numbers);
        }
        g_array_append_val(numbers, i);
    }
}

WsSourceVariables *ws_source_variables_new(const WsProgram *program)
{
    WsSourceVariables *variables = g_new0(WsSourceVariables, 1);

    variables->program = program;
    variables->table = program->variables;
    variables->names =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
    if (variables->table == NULL)
        return variables;
    variables->types = ws_source_types_new(variables->table);
    find_inner(variables);
    find_names(variables);
    return variables;
}

void ws_source_variables_free(WsSourceVariables *variables)
{
    if (variables == NULL)
        return;
    ws_source_types_free(variables->types);
    g_hash_table_unref(variables->names);
    g_free(variables->inner);
    g_free(variables);
}

const WsVariableTable *ws_source_variables_table(const WsSourceVariables *variables)
{
    return variables->table != NULL && variables->table->variables->len != 0 ? variables->table
                                                                             : NULL;
}

char *ws_source_variables_lacking(const WsSourceVariables *variables)
{
    if (ws_source_variables_table(variables) != NULL)
        return NULL;
    return g_strdup(variables->table != NULL && variables->table->reason != NULL
                        ? variables->table->reason
                        : "the program has no variables by name: CUDA C has, and PTX from nvcc -G; "
                          "--debug keeps them all");
}

/* ---- names --------------------------------------------------------------------------------------
 */

guint32 ws_source_variables_scope(const WsSourceVariables *variables, guint32 pc)
{
    return variables->table == NULL || pc >= variables->program->instruction_count
               ? WS_NO_SCOPE
               : variables->inner[pc];
}

guint32 ws_source_variables_function(const WsSourceVariables *variables, guint32 scope)
{
    while (scope != WS_NO_SCOPE &&
           ws_variable_table_scope(variables->table, scope)->kind == WS_SOURCE_SCOPE_BLOCK)
        scope = ws_variable_table_scope(variables->table, scope)->parent;
    return scope;
}

guint32 ws_source_variables_scope_in(const WsSourceVariables *variables, guint32 pc,
                                     guint32 function)
{
    guint32 scope = ws_source_variables_scope(variables, pc);

    while (function != WS_NO_SCOPE && scope != WS_NO_SCOPE) {
        guint32 of = ws_source_variables_function(variables, scope);

        if (of == function)
            return scope;
        scope = of == WS_NO_SCOPE ? of : ws_variable_table_scope(variables->table, of)->parent;
    }
    return scope;
}

gboolean ws_source_variables_has(const WsSourceVariables *variables, const char *name)
{
    return g_hash_table_contains(variables->names, name);
}

void ws_source_variables_object(const WsSourceVariables *variables, guint32 variable, WsObject *ret)
{
    *ret = (WsObject){
        .type = ws_source_types_at(variables->types,
                                   ws_variable_table_variable(variables->table, variable)->type),
        .kind = WS_SOURCE_VARIABLE,
        .index = variable};
}

gboolean ws_is_built_in_name(const char *name)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim",
                                        "gridDim",   "warpSize", NULL};

    return g_strv_contains(names, name);
}

gboolean ws_source_variables_find(const WsSourceVariables *variables, guint32 scope,
                                  const char *name, WsObject *ret)
{
    const GArray *numbers = g_hash_table_lookup(variables->names, name);

    while (numbers != NULL && !(scope == WS_NO_SCOPE && ws_is_built_in_name(name))) {
        for (guint i = 0; i < numbers->len; i++) {
            guint32 number = g_array_index(numbers, guint32, i);

            if (ws_variable_table_variable(variables->table, number)->scope != scope)
                continue;
            ws_source_variables_object(variables, number, ret);
            return TRUE;
        }
        if (scope == WS_NO_SCOPE)
            break;
        scope = ws_variable_table_scope(variables->table, scope)->parent;
    }
    return FALSE;
}

gboolean ws_source_variables_find_enumerator(const WsSourceVariables *variables, const char *name,
                                             WsObject *ret)
{
    for (guint32 t = 1; variables->table != NULL && t < variables->table->types->len; t++) {
        const WsValueType *type = ws_source_types_at(variables->types, t);

        for (guint i = 0; type->kind == WS_CTYPE_ENUM && i < type->member_count; i++)
            if (strcmp(type->members[i].name, name) == 0) {
                *ret = (WsObject){.type = type,
                                  .kind = WS_SOURCE_ENUMERATOR,
                                  .base = (guint64)type->members[i].offset};
                return TRUE;
            }
    }
    return FALSE;
}

const WsValueType *ws_source_variables_type(const WsSourceVariables *variables, const char *name)
{
    return variables->types == NULL ? NULL : ws_source_types_find(variables->types, name);
}

/* ---- where they live ----------------------------------------------------------------------------
 */

typedef struct {
    guint32 first, last; /* lines; 0 = none */
    guint32 file;
    guint32 function;
} Life;

/* Lines of a scope in the text of its own function. */
static Life life_of(const WsSourceVariables *variables, guint32 scope)
{
    const WsSourceScope *entry = ws_variable_table_scope(variables->table, scope);
    Life life = {.file = entry->file, .function = ws_source_variables_function(variables, scope)};

    for (guint32 r = entry->first_range; r < entry->first_range + entry->range_count; r++) {
        const WsCodeRange *range = &g_array_index(variables->table->ranges, WsCodeRange, r);

        for (guint32 i = range->first; i < range->first + range->count; i++) {
            guint32 file, line;

            ws_line_of_instruction(variables->program, i, &file, &line);
            if (line == 0 || (life.file != 0 && file != life.file) ||
                ws_source_variables_function(variables, variables->inner[i]) != life.function)
                continue;
            life.file = file;
            life.first = life.first == 0 ? line : MIN(life.first, line);
            life.last = MAX(life.last, line);
        }
    }
    return life;
}

/* "lines 20-31", "lines 3-5 of twice()". */
static char *life_text(const WsSourceVariables *variables, Life life, guint32 here)
{
    g_autofree char *lines = life.first == life.last
                                 ? g_strdup_printf("line %u", life.first)
                                 : g_strdup_printf("lines %u-%u", life.first, life.last);
    const WsSourceScope *function = life.function == WS_NO_SCOPE
                                        ? NULL
                                        : ws_variable_table_scope(variables->table, life.function);
    const WsSourceScope *other =
        here == WS_NO_SCOPE ? NULL : ws_variable_table_scope(variables->table, here);

    if (function == NULL || *function->name == '\0' ||
        (other != NULL && strcmp(other->name, function->name) == 0))
        return g_steal_pointer(&lines);
    return g_strdup_printf("%s of %s()", lines, function->name);
}

static void add_once(GPtrArray *texts, char *text)
{
    if (g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_free(text);
    else
        g_ptr_array_add(texts, text);
}

/* The line of an instruction, or where the function that is meant calls what it is in. */
static void find_line(const WsSourceVariables *variables, guint32 pc, guint32 function,
                      guint32 *ret_file, guint32 *ret_line)
{
    g_autoptr(GArray) frames = ws_call_frames(variables->program, pc);

    for (guint i = 0; i < frames->len; i++) {
        const WsCallFrame *frame = &g_array_index(frames, WsCallFrame, i);

        if (i != 0 && (function == WS_NO_SCOPE || frame->scope != function))
            continue;
        *ret_file = frame->file;
        *ret_line = frame->line;
    }
}

char *ws_source_variables_explain(const WsSourceVariables *variables, guint32 pc, guint32 function,
                                  const char *name)
{
    enum { MOST = 3 };
    const GArray *numbers = g_hash_table_lookup(variables->names, name);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    guint32 here =
        function != WS_NO_SCOPE
            ? function
            : ws_source_variables_function(variables, ws_source_variables_scope(variables, pc));
    g_autofree char *place = NULL, *lives = NULL;
    guint32 file = 0, line = 0;

    if (numbers == NULL)
        return NULL;
    for (guint i = 0; i < numbers->len; i++) {
        guint32 scope =
            ws_variable_table_variable(variables->table, g_array_index(numbers, guint32, i))->scope;
        Life life = scope == WS_NO_SCOPE ? (Life){0} : life_of(variables, scope);

        if (life.first != 0)
            add_once(texts, life_text(variables, life, here));
    }
    find_line(variables, pc, function, &file, &line);
    if (line != 0) {
        g_autofree char *base = g_path_get_basename(variables->program->files[file]);

        place = g_strdup_printf(" at %s:%u", base, line);
    }
    if (texts->len == 0)
        return g_strdup_printf("'%s' is not in scope%s, and its scope has no instructions left",
                               name, place != NULL ? place : "");
    if (texts->len > MOST) {
        g_ptr_array_set_size(texts, MOST);
        g_ptr_array_add(texts, g_strdup("others"));
    }
    g_ptr_array_add(texts, NULL);
    lives = g_strjoinv(", ", (char **)texts->pdata);
    return g_strdup_printf("'%s' is not in scope%s; its scope is %s", name,
                           place != NULL ? place : "", lives);
}
