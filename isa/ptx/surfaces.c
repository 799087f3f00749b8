#include "isa/ptx/surfaces.h"

#include "isa/ptx/replace.h"

#include <string.h>

/* The parts of `suld.b.2d.v4.b32.trap {a, b, c, d}, [handle, {x, y}];`, or of sust's likewise. */
typedef struct {
    gboolean is_load;
    char *guard; /* "@!%p1", or NULL */
    char *kind, *vector, *type, *mode;
    char *values, *handle;
    char **coordinates;
} Access;

static void access_clear(Access *access)
{
    g_free(access->guard);
    g_free(access->kind);
    g_free(access->vector);
    g_free(access->type);
    g_free(access->mode);
    g_free(access->values);
    g_free(access->handle);
    g_strfreev(access->coordinates);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Access, access_clear)

static GRegex *pattern_new(void)
{
    return g_regex_new(
        "(?:(@!?[%\\w$]+)\\s+)?(?:"
        "suld\\.b\\.(a?[123]d)(\\.v[24])?(\\.b(?:8|16|32|64))\\.(trap|clamp|zero)\\s+"
        "(\\{[^}]*\\}|[%\\w$]+)\\s*,\\s*\\[(%[\\w$]+)\\s*,\\s*\\{([^}]*)\\}\\s*\\]|"
        "sust\\.b\\.(a?[123]d)(\\.v[24])?(\\.b(?:8|16|32|64))\\.(trap|clamp|zero)\\s+"
        "\\[(%[\\w$]+)\\s*,\\s*\\{([^}]*)\\}\\s*\\]\\s*,\\s*(\\{[^}]*\\}|[%\\w$]+)"
        ")\\s*;",
        G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);
}

static void take(const GMatchInfo *match, Access *ret)
{
    enum { GUARD = 1, LOAD_KIND = 2, STORE_KIND = 9 };
    g_autofree char *kind = g_match_info_fetch(match, LOAD_KIND);
    g_autofree char *guard = g_match_info_fetch(match, GUARD);
    ret->is_load = kind != NULL && *kind != '\0';
    const gint first = ret->is_load ? LOAD_KIND : STORE_KIND;
    ret->guard = guard != NULL && *guard != '\0' ? g_steal_pointer(&guard) : NULL;
    ret->kind = g_match_info_fetch(match, first);
    ret->vector = g_match_info_fetch(match, first + 1);
    ret->type = g_match_info_fetch(match, first + 2);
    ret->mode = g_match_info_fetch(match, first + 3);
    ret->values = g_match_info_fetch(match, first + (ret->is_load ? 4 : 6));
    ret->handle = g_match_info_fetch(match, first + (ret->is_load ? 5 : 4));
    g_autofree char *coordinates = g_match_info_fetch(match, first + (ret->is_load ? 6 : 5));
    ret->coordinates = g_strsplit(coordinates, ",", -1);
    g_strdelimit(ret->values, "\r\n", ' '); /* lines are put behind */
    for (char **one = ret->coordinates; *one != NULL; one++)
        g_strstrip(*one);
}

/* x, y and z of an access: an array's layer comes first, and a coordinate may follow for nothing.
 */
static gboolean find_coordinates(const Access *access, const char *ret[3])
{
    const gboolean layered = access->kind[0] == 'a';
    const guint count = (guint)(access->kind[layered] - '0'), written = count + layered;
    if (g_strv_length(access->coordinates) < written)
        return FALSE;
    for (guint i = 0; i < 3; i++)
        ret[i] = i < count ? access->coordinates[i + layered] : "0";
    if (layered)
        ret[2] = access->coordinates[0];
    return TRUE;
}

static guint bytes_of(const Access *access)
{
    const guint bits = (guint)g_ascii_strtoull(access->type + strlen(".b"), NULL, 10);
    return bits / 8 * (access->vector[0] == '\0' ? 1 : (guint)(access->vector[2] - '0'));
}

static void put_bounds(GString *out, const Access *access)
{
    static const char *const names[][2] = {{"ws_x", "ws_m"}, {"ws_y", "ws_n"}, {"ws_z", "ws_o"}};
    if (strcmp(access->mode, "clamp") == 0) {
        for (guint i = 0; i < G_N_ELEMENTS(names); i++)
            g_string_append_printf(out, " max.s32 %s, %s, 0; min.s32 %s, %s, %s;", names[i][0],
                                   names[i][0], names[i][0], names[i][0], names[i][1]);
        return;
    }
    g_string_append(out, " setp.gt.u32 ws_p, ws_x, ws_m;");
    for (guint i = 1; i < G_N_ELEMENTS(names); i++)
        g_string_append_printf(out, " setp.gt.u32 ws_q, %s, %s; or.pred ws_p, ws_p, ws_q;",
                               names[i][0], names[i][1]);
    if (strcmp(access->mode, "trap") == 0)
        g_string_append(out, " @ws_p trap;");
}

/* What is outside reads as zeros. */
static void put_zeros(GString *out, const Access *access)
{
    g_autofree char *list = g_strdup(access->values);
    g_auto(GStrv) names = g_strsplit_set(g_strdelimit(list, "{}", ','), ", \t", -1);
    const char *type = strcmp(access->type, ".b8") == 0 ? ".b16" : access->type;
    for (char **name = names; *name != NULL; name++)
        if (**name != '\0')
            g_string_append_printf(out, " @ws_p mov%s %s, 0;", type, *name);
}

/* The last place in each direction, and the address: rows lie one behind the other, then slices. */
static void put_address(GString *out, const Access *access, const char *const at[3])
{
    g_string_append_printf(out,
                           " ld.global.u64 ws_a, [%s]; ld.global.v2.u32 {ws_r, ws_n}, [%s+8];"
                           " ld.global.u32 ws_o, [%s+16]; sub.s32 ws_m, ws_r, %u;"
                           " sub.s32 ws_n, ws_n, 1; sub.s32 ws_o, ws_o, 1;"
                           " mov.u32 ws_x, %s; mov.u32 ws_y, %s; mov.u32 ws_z, %s;",
                           access->handle, access->handle, access->handle, bytes_of(access), at[0],
                           at[1], at[2]);
    put_bounds(out, access);
    g_string_append(out, " add.s32 ws_n, ws_n, 1; mad.lo.s32 ws_z, ws_z, ws_n, ws_y;"
                         " mul.wide.u32 ws_b, ws_z, ws_r; add.s64 ws_a, ws_a, ws_b;"
                         " cvt.u64.u32 ws_b, ws_x; add.s64 ws_a, ws_a, ws_b;");
}

static gboolean put(GString *out, const Access *access)
{
    const char *at[3];
    if (!find_coordinates(access, at))
        return FALSE;
    const gboolean zero = strcmp(access->mode, "zero") == 0;
    g_string_append(out, "{ .reg .pred ws_p, ws_q; .reg .b64 ws_a, ws_b;"
                         " .reg .b32 ws_r, ws_x, ws_y, ws_z, ws_m, ws_n, ws_o;");
    ws_ptx_put_guard(out, access->guard);
    put_address(out, access, at);
    if (access->is_load && zero)
        put_zeros(out, access);
    g_string_append_printf(out, " %s%s.global%s%s ", zero ? "@!ws_p " : "",
                           access->is_load ? "ld" : "st", access->vector, access->type);
    g_string_append_printf(out, "%s, %s;", access->is_load ? access->values : "[ws_a]",
                           access->is_load ? "[ws_a]" : access->values);
    ws_ptx_put_end(out, access->guard);
    return TRUE;
}

static gboolean put_access(GString *out, const GMatchInfo *match)
{
    g_auto(Access) access = {0};
    take(match, &access);
    return put(out, &access);
}

char *ws_ptx_replace_surfaces(const char *text, gsize length)
{
    if (g_strstr_len(text, (gssize)length, "suld.b.") == NULL &&
        g_strstr_len(text, (gssize)length, "sust.b.") == NULL)
        return NULL;
    g_autoptr(GRegex) pattern = pattern_new();
    return ws_ptx_replace(text, length, pattern, put_access);
}
