#include "inspect/session/lane_scope.h"

#include <string.h>

#include "inspect/session/lane_memory.h"
#include "isa/base/nearest_name.h"
#include "sim/memory/global_memory.h"

struct WsLaneScope {
    WsLaneView view; /* without a place */
    WsSourceVariables *variables;
    const WsTimeline *timeline;
    const WsJob *job;
    const WsLaunch *launch;
    guint32 function; /* whose names are meant, or WS_NO_SCOPE */
    WsTypeStore *types;
    GArray *objects; /* of Named: what is neither a register nor a place */
};

/* What has a name of its own in the launch or the program. */
typedef struct {
    const char *name;
    WsObject object;
} Named;

/* ---- what there is ------------------------------------------------------------------------------
 */

static const WsValueType *element_type(WsType type)
{
    const WsValueType *known = ws_base_type_by_name(ws_type_name(type));

    return known != NULL ? known
                         : ws_base_type(type == WS_TYPE_TEXREF ? WS_BASE_UNSIGNED_LONG
                                                               : WS_BASE_UNSIGNED_CHAR);
}

/* So many bytes of elements: an array, or one of them. */
static void add(WsLaneScope *scope, const char *name, WsMemoryKind kind, guint64 base, WsType type,
                guint64 bytes, gboolean array)
{
    const WsValueType *element = element_type(type);
    guint64 count = bytes / element->size;
    Named named = {.name = name,
                   .object = {.type = array || count > 1
                                          ? ws_array_type(scope->types, element, count)
                                          : element,
                              .bytes = bytes,
                              .kind = kind,
                              .base = base}};

    if (name != NULL && *name != '\0' && bytes != 0 && !ws_is_built_in_name(name))
        g_array_append_val(scope->objects, named);
}

static void add_objects(WsLaneScope *scope)
{
    const WsProgram *program = scope->job->program;
    const WsKernel *kernel = scope->launch->kernel;

    for (guint32 i = 0; i < kernel->shared_count; i++)
        if (kernel->shared[i].size != 0)
            add(scope, kernel->shared[i].name, WS_MEMORY_SHARED, kernel->shared[i].offset,
                kernel->shared[i].type, kernel->shared[i].size, FALSE);
    for (guint32 i = 0; i < scope->launch->part_count; i++)
        add(scope, scope->launch->parts[i].name, WS_MEMORY_SHARED,
            kernel->static_shared_bytes + scope->launch->parts[i].offset,
            scope->launch->parts[i].type, scope->launch->parts[i].bytes, TRUE);
    for (guint32 i = 0; i < program->symbol_count; i++)
        add(scope, program->symbols[i].name, WS_MEMORY_GENERIC,
            program->symbols[i].address +
                (program->symbols[i].space == WS_SYMBOL_CONSTANT ? WS_CONSTANT_WINDOW : 0),
            program->symbols[i].type, program->symbols[i].size, FALSE);
    for (guint32 i = 0; i < scope->job->buffer_count; i++)
        add(scope, scope->job->buffers[i].name, WS_MEMORY_GENERIC, scope->job->buffers[i].address,
            scope->job->buffers[i].type, scope->job->buffers[i].bytes, TRUE);
    /* A buffer is often called like the parameter that leads to it. */
    for (guint32 i = 0; i < kernel->parameter_count; i++) {
        const WsParameter *parameter = &kernel->parameters[i];

        add(scope, parameter->name, WS_MEMORY_PARAMETER, parameter->offset, parameter->type,
            parameter->size, FALSE);
    }
    add(scope, "shared", WS_MEMORY_SHARED, 0, WS_TYPE_U8,
        kernel->static_shared_bytes + scope->launch->dynamic_shared_bytes, TRUE);
}

/* ---- the scope ----------------------------------------------------------------------------------
 */

static gboolean find_variable(WsLaneView *view, const char *name, WsObject *ret)
{
    const WsSourceVariables *variables = view->lanes->variables;

    if (!ws_source_variables_has(variables, name))
        return FALSE;
    view->by_place = TRUE;
    if (view->pc == WS_NO_INSTRUCTION ||
        !ws_source_variables_find(variables, view->source_scope, name, ret))
        return FALSE;
    g_array_append_val(view->variables, ret->index);
    return TRUE;
}

static gboolean find(gconstpointer data, const char *name, WsObject *ret)
{
    WsLaneView *view = (gpointer)data;
    const WsLaneScope *scope = view->lanes;
    g_autofree char *problem = NULL;

    if (find_variable(view, name, ret))
        return TRUE;
    for (guint i = 0; i < scope->objects->len; i++) {
        const Named *named = &g_array_index(scope->objects, Named, i);

        if (strcmp(named->name, name) == 0) {
            *ret = named->object;
            return TRUE;
        }
    }
    return ws_lane_name_find(scope->launch->kernel, name, ret, &problem) ||
           ws_source_variables_find_enumerator(scope->variables, name, ret);
}

static char *explain(gconstpointer data, const char *name)
{
    const WsLaneView *view = data;
    g_auto(GStrv) names = ws_lane_scope_names(view->lanes, view->pc, "");
    g_autofree char *lacking = ws_source_variables_lacking(view->lanes->variables);
    char *problem = NULL;
    const char *nearest;
    WsObject object;

    if (!ws_lane_name_find(view->lanes->launch->kernel, name, &object, &problem) && problem != NULL)
        return problem;
    problem =
        ws_source_variables_explain(view->lanes->variables, view->pc, view->lanes->function, name);
    if (problem != NULL)
        return problem;
    nearest = ws_nearest_name(name, (const char *const *)names);
    if (nearest != NULL)
        return g_strdup_printf("unknown name '%s'; did you mean '%s'?", name, nearest);
    return g_strdup_printf("'%s' is not known: R0, P0, UR0, threadIdx.x, blockIdx.x, lane, warp, "
                           "buffers, parameters and so on are%s%s",
                           name, lacking != NULL ? "; " : "", lacking != NULL ? lacking : "");
}

static const WsValueType *find_type(gconstpointer data, const char *name)
{
    const WsLaneView *view = data;

    return ws_source_variables_type(view->lanes->variables, name);
}

static void load(gconstpointer data, gconstpointer where, const WsObject *object,
                 const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret)
{
    const WsLaneScope *scope = ((const WsLaneView *)data)->lanes;
    const WsGlobalMemory *contents =
        ws_simulation_contents(ws_timeline_simulation(scope->timeline));
    const WsLanePlace *place = where;

    if (object != NULL && object->kind < WS_OBJECT_KINDS)
        ws_lane_name_load(place->sm, place->slot, object, type, offset, mask, ret);
    else if (object != NULL && object->kind == WS_SOURCE_ENUMERATOR)
        ws_row_set_same(ret, object->base);
    else if (object != NULL && object->kind == WS_SOURCE_VARIABLE)
        ws_source_variables_load(scope->variables, contents, place, object, type, offset, mask,
                                 ret);
    else
        ws_lane_memory_load(contents, place->sm, place->slot, object, type, offset, mask, ret);
}

static gboolean address(gconstpointer data, gconstpointer where, const WsObject *object,
                        guint64 mask, WsRow *ret)
{
    const WsLaneScope *scope = ((const WsLaneView *)data)->lanes;
    guint64 begin;

    if (object->kind == WS_SOURCE_VARIABLE) {
        if (!ws_source_variables_address(scope->variables, ((const WsLanePlace *)where)->pc,
                                         object->index, &begin))
            return FALSE;
        ws_row_set_same(ret, begin);
        return TRUE;
    }
    if (object->kind != WS_MEMORY_SHARED && object->kind != WS_MEMORY_GENERIC &&
        object->kind != WS_MEMORY_LOCAL)
        return FALSE;
    ws_row_set_same(ret, object->base + (object->kind == WS_MEMORY_SHARED  ? WS_SHARED_WINDOW
                                         : object->kind == WS_MEMORY_LOCAL ? WS_LOCAL_WINDOW
                                                                           : 0));
    return TRUE;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void ws_lane_view_init(WsLaneView *view, const WsLaneScope *scope, guint32 pc)
{
    *view = (WsLaneView){.scope = {.find = find,
                                   .explain = explain,
                                   .find_type = find_type,
                                   .load = load,
                                   .address = address,
                                   .data = view},
                         .lanes = scope,
                         .pc = pc,
                         .source_scope =
                             ws_source_variables_scope_in(scope->variables, pc, scope->function),
                         .variables = g_array_new(FALSE, FALSE, sizeof(guint32))};
}

void ws_lane_view_clear(WsLaneView *view)
{
    g_clear_pointer(&view->variables, g_array_unref);
}

gboolean ws_lane_view_is_elsewhere(const WsLaneView *view)
{
    return view->lanes->function != WS_NO_SCOPE && view->source_scope == WS_NO_SCOPE;
}

WsLaneScope *ws_lane_scope_new(const WsTimeline *timeline, const WsLaunch *launch)
{
    return ws_lane_scope_new_in(timeline, launch, WS_NO_SCOPE);
}

WsLaneScope *ws_lane_scope_new_in(const WsTimeline *timeline, const WsLaunch *launch,
                                  guint32 function)
{
    WsLaneScope *scope = g_new0(WsLaneScope, 1);

    scope->function = function;
    scope->timeline = timeline;
    scope->job = ws_timeline_job(timeline);
    scope->variables = ws_source_variables_new(scope->job->program);
    ws_lane_view_init(&scope->view, scope, WS_NO_INSTRUCTION);
    scope->launch = launch;
    scope->types = ws_type_store_new();
    scope->objects = g_array_new(FALSE, FALSE, sizeof(Named));
    add_objects(scope);
    return scope;
}

void ws_lane_scope_free(WsLaneScope *scope)
{
    if (scope == NULL)
        return;
    ws_lane_view_clear(&scope->view);
    ws_source_variables_free(scope->variables);
    ws_type_store_free(scope->types);
    g_array_unref(scope->objects);
    g_free(scope);
}

const WsScope *ws_lane_scope_of(const WsLaneScope *scope)
{
    return &scope->view.scope;
}

const WsSourceVariables *ws_lane_scope_variables(const WsLaneScope *scope)
{
    return scope->variables;
}

/* Variables in scope, the innermost first. */
static void add_variables(const WsLaneScope *scope, guint32 pc, const char *begin, GPtrArray *names)
{
    const WsVariableTable *table = ws_source_variables_table(scope->variables);
    g_autoptr(GArray) list = NULL;
    guint32 from;

    if (table == NULL || pc == WS_NO_INSTRUCTION)
        return;
    from = ws_source_variables_scope_in(scope->variables, pc, scope->function);
    list = ws_variable_table_at(table, pc);
    for (guint i = 0; i < list->len; i++) {
        const WsSourceVariable *variable =
            ws_variable_table_variable(table, g_array_index(list, guint32, i));
        const char *name = variable->name;

        /* A scope has a greater number than those around it. */
        if ((variable->scope == WS_NO_SCOPE || (from != WS_NO_SCOPE && variable->scope <= from)) &&
            g_str_has_prefix(name, begin) &&
            !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_strdup(name));
    }
}

char **ws_lane_scope_names(const WsLaneScope *scope, guint32 pc, const char *begin)
{
    GPtrArray *names = g_ptr_array_new();

    add_variables(scope, pc, begin, names);
    for (guint i = 0; i < scope->objects->len; i++) {
        const char *name = g_array_index(scope->objects, Named, i).name;

        if (g_str_has_prefix(name, begin) &&
            !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_strdup(name));
    }
    for (guint i = 0; ws_lane_names[i] != NULL; i++)
        if (g_str_has_prefix(ws_lane_names[i], begin))
            g_ptr_array_add(names, g_strdup(ws_lane_names[i]));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

char *ws_lane_scope_address_name(const WsLaneScope *scope, guint64 address_value, guint32 bytes)
{
    const WsGlobalMemory *contents =
        ws_simulation_contents(ws_timeline_simulation(scope->timeline));
    const Named *all = NULL;

    if (ws_global_memory_at(contents, address_value, MAX(bytes, 1)) != NULL)
        return ws_global_memory_name(contents, address_value, MAX(bytes, 1));
    if (address_value >= WS_LOCAL_WINDOW && address_value < WS_CONSTANT_WINDOW)
        return g_strdup_printf("local + %" G_GUINT64_FORMAT, address_value - WS_LOCAL_WINDOW);
    for (guint i = 0; i < scope->objects->len; i++) {
        const Named *named = &g_array_index(scope->objects, Named, i);
        guint64 begin = WS_SHARED_WINDOW + named->object.base;

        if (named->object.kind != WS_MEMORY_SHARED || address_value < begin ||
            address_value - begin >= named->object.bytes)
            continue;
        if (strcmp(named->name, "shared") != 0)
            return ws_element_name(named->name, named->object.bytes, address_value - begin,
                                   named->object.type->kind == WS_CTYPE_ARRAY
                                       ? (guint32)named->object.type->target->size
                                       : 0,
                                   MAX(bytes, 1));
        all = named;
    }
    return all != NULL
               ? g_strdup_printf("shared + %" G_GUINT64_FORMAT, address_value - WS_SHARED_WINDOW)
               : g_strdup("");
}
