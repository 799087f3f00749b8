#include "inspect/session/lane_names.h"

#include <string.h>

#include "isa/base/float_bits.h"

typedef enum {
    PLACE_THREAD,
    PLACE_BLOCK_INDEX,
    PLACE_BLOCK_SIZE,
    PLACE_GRID_SIZE,
    PLACE_WARP_SIZE,
    PLACE_LANE,
    PLACE_WARP,
    PLACE_BLOCK,
    PLACE_SM,
    PLACE_SLOT,
    PLACE_CYCLE
} Place;

const char *const ws_lane_names[] = {
#define LANE_NAME(place, name, type) name,
#define LANE_TRIPLE(place, name)     name,
#include "inspect/session/lane_names.def"
#undef LANE_NAME
#undef LANE_TRIPLE
    NULL};

static const struct {
    const char *name;
    Place place;
    WsBaseType type;
    gboolean triple;
} places[] = {
#define LANE_NAME(place, name, type) {name, PLACE_##place, WS_BASE_##type, FALSE},
#define LANE_TRIPLE(place, name)     {name, PLACE_##place, WS_BASE_UNSIGNED, TRUE},
#include "inspect/session/lane_names.def"
#undef LANE_NAME
#undef LANE_TRIPLE
};

/* ---- names --------------------------------------------------------------------------------------
 */

/* x, y and z: a struct of three numbers, whose type is made here once. */
static const WsValueType *triple_type(void)
{
    static const WsValueType number = {
        .kind = WS_CTYPE_UNSIGNED, .size = sizeof(guint32), .name = "unsigned int"};
    static const WsValueMember members[] = {
        {"x", 0, &number}, {"y", 4, &number}, {"z", 8, &number}};
    static const WsValueType triple = {.kind = WS_CTYPE_STRUCT,
                                       .size = 12,
                                       .name = "uint3",
                                       .members = members,
                                       .member_count = G_N_ELEMENTS(members)};

    return &triple;
}

/* "thread.x", "block.z". */
static gboolean find_axis(const char *name, WsObject *ret)
{
    gsize length = strlen(name);
    char axis = length < 2 ? '\0' : name[length - 1];

    if (axis < 'x' || axis > 'z' || name[length - 2] != '.')
        return FALSE;
    *ret = (WsObject){.type = ws_base_type(WS_BASE_LONG),
                      .kind = WS_OBJECT_PLACE,
                      .index = length == 8 && g_str_has_prefix(name, "thread") ? PLACE_THREAD
                                                                               : PLACE_BLOCK_INDEX,
                      .base = (guint64)(axis - 'x') * sizeof(guint32)};
    return ret->index == PLACE_THREAD || (length == 7 && g_str_has_prefix(name, "block"));
}

static gboolean find_place(const char *name, WsObject *ret)
{
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        if (strcmp(places[i].name, name) != 0)
            continue;
        *ret = (WsObject){.type = places[i].triple ? triple_type() : ws_base_type(places[i].type),
                          .kind = WS_OBJECT_PLACE,
                          .index = places[i].place};
        return TRUE;
    }
    return find_axis(name, ret);
}

/* "R12" with the prefix "R": 12 and what follows the number. */
static gboolean read_index(const char *name, const char *prefix, guint32 *ret,
                           const char **ret_rest)
{
    gsize length = strlen(prefix);
    char *end;

    if (g_ascii_strncasecmp(name, prefix, length) != 0 || !g_ascii_isdigit(name[length]))
        return FALSE;
    *ret = (guint32)MIN(g_ascii_strtoull(name + length, &end, 10), 1000);
    *ret_rest = end;
    return TRUE;
}

/* What follows a register's number: "" or ".s32". NULL: it is the name of no scalar. */
static const WsValueType *register_type(const char *rest)
{
    const WsValueType *type = *rest == '.'    ? ws_base_type_by_name(rest + 1)
                              : *rest == '\0' ? ws_base_type(WS_BASE_UNSIGNED)
                                              : NULL;

    return type != NULL && ws_value_type_is_scalar(type) ? type : NULL;
}

static gboolean find_register(const WsKernel *kernel, const char *name, guint32 index,
                              const char *rest, WsObject *ret, char **ret_problem)
{
    const WsValueType *type = register_type(rest);

    *ret = (WsObject){.type = type, .kind = WS_OBJECT_REGISTER, .index = index};
    if (index >= kernel->registers)
        *ret_problem = g_strdup_printf("the kernel has %u registers, R0 to R%u", kernel->registers,
                                       kernel->registers - 1);
    else if (type == NULL || (type->size == 8 && index + 1 >= kernel->registers))
        *ret_problem =
            g_strdup_printf("'%s': .u32, .s32, .f32 or, followed by a register, .u64, .s64 or "
                            ".f64 may follow",
                            name);
    return *ret_problem == NULL;
}

gboolean ws_lane_name_find(const WsKernel *kernel, const char *name, WsObject *ret,
                           char **ret_problem)
{
    const char *rest;
    guint32 index;

    *ret_problem = NULL;
    if (read_index(name, "UR", &index, &rest)) {
        const WsValueType *type = register_type(rest);

        *ret = (WsObject){.type = type, .kind = WS_OBJECT_UNIFORM, .index = index};
        return type != NULL && index + (type->size == 8 ? 1 : 0) < 63;
    }
    if (read_index(name, "UP", &index, &rest) || read_index(name, "P", &index, &rest)) {
        *ret = (WsObject){.type = ws_base_type(WS_BASE_BOOL),
                          .kind = g_ascii_toupper(*name) == 'U' ? WS_OBJECT_UNIFORM_PREDICATE
                                                                : WS_OBJECT_PREDICATE,
                          .index = index};
        return index < 7 && *rest == '\0';
    }
    if (read_index(name, "R", &index, &rest))
        return find_register(kernel, name, index, rest, ret, ret_problem);
    return find_place(name, ret);
}

/* ---- values -------------------------------------------------------------------------------------
 */

/* Coordinate `axis` of the threads of a warp. */
static void load_thread(const WsSm *sm, guint32 slot, guint axis, guint lanes, WsRow *ret)
{
    const guint32 *size = sm->context->launch->block;
    guint32 at[3];

    ws_thread_of(sm, slot, 0, at);
    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    for (guint lane = 0; lane < lanes; lane++) {
        ret->bits[lane] = at[axis];
        if (++at[0] < size[0])
            continue;
        at[0] = 0;
        if (++at[1] < size[1])
            continue;
        at[1] = 0;
        at[2]++;
    }
}

static void load_lane(guint lanes, WsRow *ret)
{
    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    for (guint lane = 0; lane < lanes; lane++)
        ret->bits[lane] = lane;
}

static void load_place(const WsSm *sm, guint32 slot, Place place, guint axis, guint64 mask,
                       WsRow *ret)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const WsBlockState *block = &sm->state->blocks[warp->block_slot];
    const WsLaunch *launch = sm->context->launch;
    guint lanes = 64 - (guint)__builtin_clzll(mask);

    switch (place) {
    case PLACE_THREAD:
        load_thread(sm, slot, axis, lanes, ret);
        return;
    case PLACE_LANE:
        load_lane(lanes, ret);
        return;
    case PLACE_BLOCK_INDEX:
        ws_row_set_same(ret, block->index[axis]);
        return;
    case PLACE_BLOCK_SIZE:
        ws_row_set_same(ret, launch->block[axis]);
        return;
    case PLACE_GRID_SIZE:
        ws_row_set_same(ret, launch->grid[axis]);
        return;
    case PLACE_WARP_SIZE:
        ws_row_set_same(ret, sm->context->decoded->warp_size);
        return;
    case PLACE_WARP:
        ws_row_set_same(ret, warp->warp_in_block);
        return;
    case PLACE_BLOCK:
        ws_row_set_same(ret, block->linear);
        return;
    case PLACE_SM:
        ws_row_set_same(ret, sm->number);
        return;
    case PLACE_SLOT:
        ws_row_set_same(ret, slot);
        return;
    case PLACE_CYCLE:
        ws_row_set_same(ret, sm->state->now);
        return;
    }
}

/* Of a scalar in the bytes of registers, as rows have it. */
static guint64 fit(const WsValueType *type, guint64 bits)
{
    guint away = 64 - 8 * (guint)type->size;

    if (type->kind == WS_CTYPE_FLOAT && type->size == 4)
        return ws_double_bits((double)ws_float((guint32)bits));
    if (type->kind == WS_CTYPE_SIGNED)
        return (guint64)((gint64)(bits << away) >> away);
    return bits << away >> away;
}

static void load_register(const WsSm *sm, guint32 slot, guint32 index, const WsValueType *type,
                          guint64 mask, WsRow *ret)
{
    guint32 size = sm->context->decoded->warp_size;
    const guint32 *row = sm->state->registers[slot].registers + (gsize)index * size;
    guint lanes = MIN(size, 64 - (guint)__builtin_clzll(mask));

    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    if (type->size == 4 && size == 32 && type->kind != WS_CTYPE_FLOAT) {
        if (type->kind == WS_CTYPE_SIGNED)
            for (guint lane = 0; lane < 32; lane++)
                ret->number[lane] = (gint32)row[lane];
        else
            for (guint lane = 0; lane < 32; lane++)
                ret->bits[lane] = row[lane];
        return;
    }
    for (guint lane = 0; lane < lanes; lane++) {
        guint64 high = type->size == 8 ? row[size + lane] : 0;

        ret->bits[lane] = fit(type, row[lane] | high << 32);
    }
}

void ws_lane_name_load(const WsSm *sm, guint32 slot, const WsObject *object,
                       const WsValueType *type, const WsRow *offset, guint64 mask, WsRow *ret)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 index = object->index;

    switch (object->kind) {
    case WS_OBJECT_REGISTER:
        load_register(sm, slot, index, type, mask, ret);
        break;
    case WS_OBJECT_UNIFORM:
        ws_row_set_same(
            ret,
            fit(type, registers->uniform[index] |
                          (guint64)(type->size == 8 ? registers->uniform[index + 1] : 0) << 32));
        break;
    case WS_OBJECT_PREDICATE:
        ret->same = FALSE;
        ret->known = G_MAXUINT64;
        for (guint lane = 0; lane < WS_ROW_LANES; lane++)
            ret->bits[lane] = registers->predicates[index] >> lane & 1;
        break;
    case WS_OBJECT_UNIFORM_PREDICATE:
        ws_row_set_same(ret, ws_uniform_predicate(registers, index));
        break;
    default:
        load_place(sm, slot, (Place)index, (guint)((object->base + offset->bits[0]) / 4), mask,
                   ret);
        break;
    }
}

gboolean ws_lane_value(const WsSm *sm, guint32 slot, guint32 lane, const char *name, gint64 *ret)
{
    static const WsRow begin = {.known = G_MAXUINT64, .same = TRUE};
    g_autofree char *problem = NULL;
    WsObject object;
    WsRow row;

    if (!ws_lane_name_find(sm->context->kernel, name, &object, &problem) ||
        !ws_value_type_is_scalar(object.type) || ws_value_type_is_float(object.type))
        return FALSE;
    ws_lane_name_load(sm, slot, &object, object.type, &begin, (guint64)1 << lane, &row);
    *ret = row.number[ws_row_lane(&row, lane)];
    return TRUE;
}
