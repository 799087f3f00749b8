#include "inspect/session/condition.h"

#include <string.h>

#include "sim/expression/whole.h"

typedef enum { TRUTH, EQUAL, DIFFERENT, LESS, AT_MOST, MORE, AT_LEAST } Relation;

/* A side that is one name or number: its value is at hand. */
typedef enum {
    SIDE_EXPRESSION, /* it is neither */
    SIDE_NUMBER,
    SIDE_REGISTER, /* R4, without a type */
    SIDE_SIGNED,   /* R4.s32 */
    SIDE_PREDICATE,
    SIDE_LANE,
    SIDE_THREAD_X, /* of a block with one dimension, or any */
    SIDE_WARP,     /* from here on the same in all lanes */
    SIDE_BLOCK,
    SIDE_SM,
    SIDE_SLOT,
    SIDE_CYCLE
} SideKind;

typedef struct {
    SideKind kind;
    guint32 index; /* of a register or predicate */
    gint64 value;  /* NUMBER */
} Side;

typedef struct {
    char *left, *right; /* right NULL with TRUTH */
    Relation relation;
    gboolean real; /* compared as floating point numbers */
    Side quick_left, quick_right;
    gboolean about_lanes; /* "lane < 16": `lanes` are those for which it holds */
    guint64 lanes;
} Comparison;

struct WsCondition {
    char *text;
    GArray *comparisons;
};

/* ---- values -------------------------------------------------------------------------------------
 */

typedef struct {
    const WsSm *sm;
    guint32 slot, lane;
} Lane;

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

static gboolean register_value(const Lane *lane, guint32 index, const char *type, gint64 *ret)
{
    const WsSm *sm = lane->sm;
    guint32 size = sm->context->decoded->warp_size, count = sm->context->kernel->registers;
    const guint32 *row = sm->state->registers[lane->slot].registers + (gsize)index * size;

    if (index >= count)
        return FALSE;
    if (*type == '\0' || strcmp(type, ".u32") == 0) {
        *ret = row[lane->lane];
    } else if (strcmp(type, ".s32") == 0) {
        *ret = (gint32)row[lane->lane];
    } else if (strcmp(type, ".u64") == 0 || strcmp(type, ".s64") == 0) {
        if (index + 1 >= count)
            return FALSE;
        *ret = (gint64)(row[lane->lane] | (guint64)row[size + lane->lane] << 32);
    } else {
        return FALSE;
    }
    return TRUE;
}

static gboolean coordinate(const char *name, const char *prefix, const guint32 values[3],
                           gint64 *ret)
{
    static const char axes[] = "xyz";
    gsize length = strlen(prefix);
    const char *axis;

    if (strncmp(name, prefix, length) != 0 || name[length] != '.' || name[length + 1] == '\0' ||
        name[length + 2] != '\0')
        return FALSE;
    axis = strchr(axes, name[length + 1]);
    if (axis == NULL)
        return FALSE;
    *ret = values[axis - axes];
    return TRUE;
}

static gboolean place_value(const Lane *lane, const char *name, gint64 *ret)
{
    const WsSm *sm = lane->sm;
    const WsWarp *warp = &sm->state->warps[lane->slot];
    const WsBlockState *block = &sm->state->blocks[warp->block_slot];
    const struct {
        const char *name;
        guint64 value;
    } places[] = {
        {"lane", lane->lane}, {"warp", warp->warp_in_block}, {"block", block->linear},
        {"sm", sm->number},   {"slot", lane->slot},          {"cycle", sm->state->now},
    };
    guint32 thread[3];

    for (guint i = 0; i < G_N_ELEMENTS(places); i++)
        if (strcmp(name, places[i].name) == 0) {
            *ret = (gint64)places[i].value;
            return TRUE;
        }
    ws_thread_of(sm, lane->slot, lane->lane, thread);
    return coordinate(name, "thread", thread, ret) || coordinate(name, "block", block->index, ret);
}

static gboolean lane_value(const Lane *lane, const char *name, gint64 *ret)
{
    const WsWarpRegisters *registers = &lane->sm->state->registers[lane->slot];
    const char *rest;
    guint32 index;

    if (read_index(name, "UR", &index, &rest)) {
        if (index >= G_N_ELEMENTS(registers->uniform) || *rest != '\0')
            return FALSE;
        *ret = registers->uniform[index];
        return TRUE;
    }
    if (read_index(name, "UP", &index, &rest)) {
        *ret = registers->uniform_predicates >> index & 1;
        return index < 8 && *rest == '\0';
    }
    if (read_index(name, "P", &index, &rest)) {
        if (index >= G_N_ELEMENTS(registers->predicates) || *rest != '\0')
            return FALSE;
        *ret = registers->predicates[index] >> lane->lane & 1;
        return TRUE;
    }
    if (read_index(name, "R", &index, &rest))
        return register_value(lane, index, rest, ret);
    return place_value(lane, name, ret);
}

gboolean ws_lane_value(const WsSm *sm, guint32 slot, guint32 lane, const char *name, gint64 *ret)
{
    return lane_value(&(Lane){sm, slot, lane}, name, ret);
}

static char *find_name(gpointer data, const char *name, gint64 *ret)
{
    return lane_value(data, name, ret) ? NULL : g_strdup_printf("'%s' is not known", name);
}

/* A name with .f32, or a number. */
static gboolean real_value(const Lane *lane, const char *text, double *ret)
{
    g_autofree char *name = NULL;
    char *end;
    gint64 whole;

    if (g_str_has_suffix(text, ".f32")) {
        union {
            guint32 bits;
            float value;
        } number;

        name = g_strndup(text, strlen(text) - 4);
        if (!lane_value(lane, name, &whole))
            return FALSE;
        number.bits = (guint32)whole;
        *ret = (double)number.value;
        return TRUE;
    }
    *ret = g_ascii_strtod(text, &end);
    if (end != text && *end == '\0')
        return TRUE;
    if (!lane_value(lane, text, &whole))
        return FALSE;
    *ret = (double)whole;
    return TRUE;
}

/* ---- comparing ----------------------------------------------------------------------------------
 */

static gboolean holds(Relation relation, gboolean less, gboolean equal, gboolean ordered)
{
    switch (relation) {
    case EQUAL:
        return equal;
    case DIFFERENT:
        return !equal;
    case LESS:
        return ordered && less;
    case AT_MOST:
        return ordered && (less || equal);
    case MORE:
        return ordered && !less && !equal;
    case AT_LEAST:
        return ordered && !less;
    case TRUTH:
        break;
    }
    return FALSE;
}

static char *compare(const Comparison *what, Lane *lane, gboolean *ret)
{
    const WsNames names = {find_name, lane};
    gint64 left, right = 0;
    gsize offset;
    char *problem;

    if (what->real) {
        double a, b;

        if (!real_value(lane, what->left, &a) || !real_value(lane, what->right, &b))
            return g_strdup("a name or a number is expected beside .f32 or a point");
        *ret = holds(what->relation, a < b, !(a < b) && !(a > b) && a == a && b == b,
                     a == a && b == b);
        return NULL;
    }
    problem = ws_expression_evaluate(what->left, &names, WS_DIVIDE_WHOLE, &left, &offset);
    if (problem == NULL && what->relation != TRUTH)
        problem = ws_expression_evaluate(what->right, &names, WS_DIVIDE_WHOLE, &right, &offset);
    if (problem == NULL)
        *ret = what->relation == TRUTH ? left != 0
                                       : holds(what->relation, left < right, left == right, TRUE);
    return problem;
}

/* ---- quickly ------------------------------------------------------------------------------------
 * A condition is looked at whenever its instruction issues, so names are not looked up then. */

static Side read_side(const char *text)
{
    static const struct {
        const char *name;
        SideKind kind;
    } places[] = {{"lane", SIDE_LANE},  {"thread.x", SIDE_THREAD_X},
                  {"warp", SIDE_WARP},  {"block", SIDE_BLOCK},
                  {"sm", SIDE_SM},      {"slot", SIDE_SLOT},
                  {"cycle", SIDE_CYCLE}};
    Side side = {SIDE_EXPRESSION, 0, 0};
    const char *rest;
    char *end;

    for (guint i = 0; i < G_N_ELEMENTS(places); i++)
        if (strcmp(text, places[i].name) == 0)
            side.kind = places[i].kind;
    if (g_ascii_isdigit(*text)) {
        side.value = g_ascii_strtoll(text, &end, g_str_has_prefix(text, "0x") ? 16 : 10);
        if (*end == '\0' && side.value != G_MAXINT64)
            side.kind = SIDE_NUMBER;
    } else if (read_index(text, "P", &side.index, &rest) && *rest == '\0') {
        side.kind = SIDE_PREDICATE;
    } else if (read_index(text, "R", &side.index, &rest)) {
        if (*rest == '\0' || strcmp(rest, ".u32") == 0)
            side.kind = SIDE_REGISTER;
        else if (strcmp(rest, ".s32") == 0)
            side.kind = SIDE_SIGNED;
    }
    return side;
}

static gboolean is_quick(const Comparison *what)
{
    return !what->real && what->quick_left.kind != SIDE_EXPRESSION &&
           what->quick_right.kind != SIDE_EXPRESSION;
}

static gboolean is_same_in_lanes(const Side *side)
{
    return side->kind == SIDE_NUMBER || side->kind >= SIDE_WARP;
}

static gint64 side_value(const Side *side, const Lane *lane)
{
    const WsSmState *state = lane->sm->state;
    const WsWarp *warp = &state->warps[lane->slot];
    guint32 size = lane->sm->context->decoded->warp_size;

    switch (side->kind) {
    case SIDE_REGISTER:
        return state->registers[lane->slot].registers[(gsize)side->index * size + lane->lane];
    case SIDE_SIGNED:
        return (gint32)state->registers[lane->slot]
            .registers[(gsize)side->index * size + lane->lane];
    case SIDE_PREDICATE:
        return (gint64)(state->registers[lane->slot].predicates[side->index] >> lane->lane & 1);
    case SIDE_LANE:
        return lane->lane;
    case SIDE_THREAD_X:
        return (warp->warp_in_block * size + lane->lane) % lane->sm->context->launch->block[0];
    case SIDE_WARP:
        return warp->warp_in_block;
    case SIDE_BLOCK:
        return state->blocks[warp->block_slot].linear;
    case SIDE_SM:
        return lane->sm->number;
    case SIDE_SLOT:
        return lane->slot;
    case SIDE_CYCLE:
        return (gint64)state->now;
    default:
        return side->value;
    }
}

static gboolean holds_quickly(const Comparison *what, const Lane *lane)
{
    gint64 left = side_value(&what->quick_left, lane);
    gint64 right = what->relation != TRUTH ? side_value(&what->quick_right, lane) : 0;

    return what->relation == TRUTH ? left != 0
                                   : holds(what->relation, left < right, left == right, TRUE);
}

/* Of `lanes`: those for which it holds. */
static guint64 lanes_quickly(const Comparison *what, const WsSm *sm, guint32 slot, guint64 lanes)
{
    guint64 kept = 0;

    if (what->about_lanes)
        return lanes & what->lanes;
    if (is_same_in_lanes(&what->quick_left) && is_same_in_lanes(&what->quick_right))
        return holds_quickly(what, &(Lane){sm, slot, 0}) ? lanes : 0;
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1)
        if (holds_quickly(what, &(Lane){sm, slot, (guint32)__builtin_ctzll(rest)}))
            kept |= rest & -rest;
    return kept;
}

guint64 ws_condition_lanes(const WsCondition *condition, const WsSm *sm, guint32 slot,
                           guint64 lanes)
{
    guint64 kept = lanes;

    for (guint i = 0; i < condition->comparisons->len; i++) {
        const Comparison *comparison = &g_array_index(condition->comparisons, Comparison, i);

        if (is_quick(comparison)) {
            kept = lanes_quickly(comparison, sm, slot, kept);
            continue;
        }
        for (guint64 rest = kept; rest != 0; rest &= rest - 1) {
            Lane lane = {sm, slot, (guint32)__builtin_ctzll(rest)};
            gboolean true_here = FALSE;
            g_autofree char *problem = compare(comparison, &lane, &true_here);

            if (problem != NULL || !true_here)
                kept &= ~((guint64)1 << lane.lane);
        }
    }
    return kept;
}

/* ---- parsing ------------------------------------------------------------------------------------
 */

static void clear_comparison(gpointer data)
{
    Comparison *comparison = data;

    g_free(comparison->left);
    g_free(comparison->right);
}

/* Where the relation of a comparison stands: "<<" and ">>" are none. NULL: it has none. */
static const char *find_relation(const char *text, Relation *ret, gsize *ret_length)
{
    static const struct {
        const char *text;
        Relation relation;
    } relations[] = {{"==", EQUAL},    {"!=", DIFFERENT}, {"<=", AT_MOST},
                     {">=", AT_LEAST}, {"<", LESS},       {">", MORE}};

    for (const char *at = text; *at != '\0'; at++) {
        if ((at[0] == '<' || at[0] == '>') && at[1] == at[0]) {
            at++;
            continue;
        }
        for (guint i = 0; i < G_N_ELEMENTS(relations); i++)
            if (g_str_has_prefix(at, relations[i].text)) {
                *ret = relations[i].relation;
                *ret_length = strlen(relations[i].text);
                return at;
            }
    }
    return NULL;
}

static gboolean is_real(const char *text)
{
    const char *point = strchr(text, '.');

    return g_str_has_suffix(text, ".f32") || (point != NULL && g_ascii_isdigit(point[1]) &&
                                              (point == text || g_ascii_isdigit(point[-1])));
}

static Comparison read_comparison(const char *text)
{
    Comparison ret = {.relation = TRUTH};
    gsize length = 0;
    const char *at = find_relation(text, &ret.relation, &length);

    if (at == NULL) {
        ret.left = g_strstrip(g_strdup(text));
        ret.quick_left = read_side(ret.left);
        ret.quick_right = (Side){.kind = SIDE_NUMBER};
        return ret;
    }
    ret.left = g_strstrip(g_strndup(text, (gsize)(at - text)));
    ret.right = g_strstrip(g_strdup(at + length));
    ret.real = is_real(ret.left) || is_real(ret.right);
    ret.quick_left = read_side(ret.left);
    ret.quick_right = read_side(ret.right);
    return ret;
}

/* Every name of a kernel's lane, with the value 1: enough to see whether a text can be evaluated.
 */
static char *find_any(gpointer data, const char *name, gint64 *ret)
{
    static const char *const places[] = {"lane",     "warp",     "block",   "sm",      "slot",
                                         "cycle",    "block.x",  "block.y", "block.z", "thread.x",
                                         "thread.y", "thread.z", NULL};
    const WsKernel *kernel = data;
    const char *rest;
    guint32 index;

    *ret = 1;
    if (g_strv_contains(places, name) ||
        (read_index(name, "UR", &index, &rest) && index < 63 && *rest == '\0') ||
        (read_index(name, "UP", &index, &rest) && index < 7 && *rest == '\0') ||
        (read_index(name, "P", &index, &rest) && index < 7 && *rest == '\0'))
        return NULL;
    if (!read_index(name, "R", &index, &rest))
        return g_strdup_printf("'%s' is not known: R0, P0, UR0, lane, warp, block.x, thread.x and "
                               "so on are",
                               name);
    if (index >= kernel->registers)
        return g_strdup_printf("the kernel has %u registers, R0 to R%u", kernel->registers,
                               kernel->registers - 1);
    if (*rest == '\0' || strcmp(rest, ".u32") == 0 || strcmp(rest, ".s32") == 0 ||
        ((strcmp(rest, ".u64") == 0 || strcmp(rest, ".s64") == 0) && index + 1 < kernel->registers))
        return NULL;
    return g_strdup_printf("'%s': .u32, .s32, .f32 or, with a register behind it, .u64 or .s64 "
                           "may follow",
                           name);
}

static char *check_side(const char *text, gboolean real, const WsKernel *kernel)
{
    const WsNames names = {find_any, (gpointer)kernel};
    g_autofree char *name = NULL;
    gint64 value;
    gsize offset;

    if (real) {
        char *end;

        (void)g_ascii_strtod(text, &end);
        if (end != text && *end == '\0')
            return NULL;
        name = g_str_has_suffix(text, ".f32") ? g_strndup(text, strlen(text) - 4) : g_strdup(text);
        return find_any((gpointer)kernel, name, &value);
    }
    return ws_expression_evaluate(text, &names, WS_DIVIDE_WHOLE, &value, &offset);
}

static char *check_comparison(const Comparison *comparison, const WsKernel *kernel)
{
    char *problem = check_side(comparison->left, comparison->real, kernel);

    if (problem == NULL && comparison->relation != TRUTH)
        problem = check_side(comparison->right, comparison->real, kernel);
    return problem;
}

/* A comparison of the lane with a number is done here, once. */
static void find_lanes(Comparison *what)
{
    gint64 right = what->quick_right.value;

    what->about_lanes = is_quick(what) && what->relation != TRUTH &&
                        what->quick_left.kind == SIDE_LANE && what->quick_right.kind == SIDE_NUMBER;
    for (gint64 lane = 0; what->about_lanes && lane < 64; lane++)
        if (holds(what->relation, lane < right, lane == right, TRUE))
            what->lanes |= (guint64)1 << lane;
}

/* What is the same in all lanes first, then what is quick, then the rest. */
static gint by_cost(gconstpointer a, gconstpointer b)
{
    const Comparison *const pair[] = {a, b};
    gint cost[2];

    for (guint i = 0; i < 2; i++)
        cost[i] =
            !is_quick(pair[i])                                                                  ? 3
            : is_same_in_lanes(&pair[i]->quick_left) && is_same_in_lanes(&pair[i]->quick_right) ? 0
            : pair[i]->quick_left.kind == SIDE_LANE                                             ? 1
                                                                                                : 2;
    return cost[0] - cost[1];
}

WsCondition *ws_condition_new(const char *text, const WsKernel *kernel, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "&&", -1);
    WsCondition *condition = g_new0(WsCondition, 1);

    condition->text = g_strstrip(g_strdup(text));
    condition->comparisons = g_array_new(FALSE, FALSE, sizeof(Comparison));
    g_array_set_clear_func(condition->comparisons, clear_comparison);
    for (guint i = 0; parts[i] != NULL; i++) {
        Comparison comparison = read_comparison(parts[i]);
        g_autofree char *problem = check_comparison(&comparison, kernel);

        find_lanes(&comparison);
        g_array_append_val(condition->comparisons, comparison);
        if (problem != NULL) {
            ws_set_error(error, WS_ERROR_USAGE, "condition '%s': %s", condition->text, problem);
            ws_condition_free(condition);
            return NULL;
        }
    }
    g_array_sort(condition->comparisons, by_cost);
    return condition;
}

void ws_condition_free(WsCondition *condition)
{
    if (condition == NULL)
        return;
    g_free(condition->text);
    g_array_unref(condition->comparisons);
    g_free(condition);
}

const char *ws_condition_text(const WsCondition *condition)
{
    return condition->text;
}
