#include "inspect/session/lane_scope.h"

#include <string.h>

#include "inspect/session/lane_memory.h"
#include "isa/base/error.h"
#include "isa/base/nearest_name.h"
#include "sim/memory/global_memory.h"

struct WsLaneScope {
    WsScope scope;
    const WsTimeline *timeline;
    const WsJob *job;
    const WsLaunch *launch;
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

    if (name != NULL && *name != '\0' && bytes != 0)
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

static gboolean find(gconstpointer data, const char *name, WsObject *ret)
{
    const WsLaneScope *scope = data;
    g_autofree char *problem = NULL;

    for (guint i = 0; i < scope->objects->len; i++) {
        const Named *named = &g_array_index(scope->objects, Named, i);

        if (strcmp(named->name, name) == 0) {
            *ret = named->object;
            return TRUE;
        }
    }
    return ws_lane_name_find(scope->launch->kernel, name, ret, &problem);
}

static char *explain(gconstpointer data, const char *name)
{
    const WsLaneScope *scope = data;
    g_auto(GStrv) names = ws_lane_scope_names(scope, "");
    const char *nearest = ws_nearest_name(name, (const char *const *)names);
    char *problem = NULL;
    WsObject object;

    if (!ws_lane_name_find(scope->launch->kernel, name, &object, &problem) && problem != NULL)
        return problem;
    if (nearest != NULL)
        return g_strdup_printf("'%s' is not known; did you mean '%s'?", name, nearest);
    return g_strdup_printf("'%s' is not known: R0, P0, UR0, threadIdx.x, blockIdx.x, lane, warp, "
                           "buffers, parameters and so on are",
                           name);
}

static void load(gconstpointer data, gconstpointer where, const WsObject *object,
                 const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret)
{
    const WsLaneScope *scope = data;
    const WsLanePlace *place = where;

    if (object != NULL && object->kind < WS_OBJECT_KINDS)
        ws_lane_name_load(place->sm, place->slot, object, type, offset, mask, ret);
    else
        ws_lane_memory_load(ws_simulation_contents(ws_timeline_simulation(scope->timeline)),
                            place->sm, place->slot, object, type, offset, mask, ret);
}

static gboolean address(gconstpointer data, gconstpointer where, const WsObject *object,
                        guint64 mask, WsRow *ret)
{
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

WsLaneScope *ws_lane_scope_new(const WsTimeline *timeline, const WsLaunch *launch)
{
    WsLaneScope *scope = g_new0(WsLaneScope, 1);

    scope->scope = (WsScope){
        .find = find, .explain = explain, .load = load, .address = address, .data = scope};
    scope->timeline = timeline;
    scope->job = ws_timeline_job(timeline);
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
    ws_type_store_free(scope->types);
    g_array_unref(scope->objects);
    g_free(scope);
}

const WsScope *ws_lane_scope_of(const WsLaneScope *scope)
{
    return &scope->scope;
}

char **ws_lane_scope_names(const WsLaneScope *scope, const char *begin)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < scope->objects->len; i++) {
        const char *name = g_array_index(scope->objects, Named, i).name;

        if (g_str_has_prefix(name, begin))
            g_ptr_array_add(names, g_strdup(name));
    }
    for (guint i = 0; ws_lane_names[i] != NULL; i++)
        if (g_str_has_prefix(ws_lane_names[i], begin))
            g_ptr_array_add(names, g_strdup(ws_lane_names[i]));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

WsTyped *ws_lane_scope_compile(const WsLaneScope *scope, const char *what, const char *text,
                               GError **error)
{
    g_autofree char *problem = NULL;
    gsize offset = 0;
    WsTyped *typed = ws_typed_new(text, &scope->scope, &problem, &offset);

    if (typed == NULL)
        ws_set_error(error, WS_ERROR_USAGE, "%s '%s', column %ld: %s", what, text,
                     g_utf8_strlen(text, (gssize)offset) + 1, problem);
    return typed;
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
                                   named->object.type->kind == WS_VALUE_ARRAY
                                       ? (guint32)named->object.type->target->size
                                       : 0,
                                   MAX(bytes, 1));
        all = named;
    }
    return all != NULL
               ? g_strdup_printf("shared + %" G_GUINT64_FORMAT, address_value - WS_SHARED_WINDOW)
               : g_strdup("");
}

gboolean ws_lane_scope_reads_memory(const WsTyped *typed)
{
    return ws_typed_loads(typed, WS_MEMORY_GENERIC, TRUE);
}
