#include "inspect/profile/launch_match.h"

#include "isa/base/kernel_names.h"

#include <string.h>

void ws_launch_identity_clear(WsLaunchIdentity *identity)
{
    g_free(identity->mangled);
    g_free(identity->display_name);
}

/* ---- names --------------------------------------------------------------------------------------
 */

/* Without blanks, and without what names types in front of values: "(int)16" is "16". */
static char *squeeze(const char *name, gsize length)
{
    GString *out = g_string_new(NULL);

    for (gsize i = 0; i < length; i++) {
        if (name[i] == '(' && out->len != 0 && strchr("<,", out->str[out->len - 1]) != NULL) {
            const char *end = memchr(name + i, ')', length - i);

            if (end != NULL) {
                i = (gsize)(end - name);
                continue;
            }
        }
        if (name[i] != ' ')
            g_string_append_c(out, name[i]);
    }
    return g_string_free(out, FALSE);
}

/* The length up to the parenthesis of the parameters, which the name ends with. */
static gsize without_parameters(const char *name)
{
    gsize length = strlen(name);
    gsize depth = 0;

    if (length == 0 || name[length - 1] != ')')
        return length;
    for (gsize i = length; i > 0; i--) {
        depth += name[i - 1] == ')' ? 1 : 0;
        depth -= name[i - 1] == '(' && depth > 0 ? 1 : 0;
        if (depth == 0)
            return i - 1;
    }
    return length;
}

/* The length of a squeezed name up to the template arguments that it ends with. */
static gsize without_arguments(const char *name)
{
    const char *at = strchr(name, '<');

    return at != NULL && at != name ? (gsize)(at - name) : strlen(name);
}

WsKernelLikeness ws_kernel_likeness(const char *mangled, const char *display_name,
                                    const char *measured)
{
    if (g_str_has_prefix(measured, "void "))
        measured += strlen("void ");
    if (ws_kernel_match_name(mangled, display_name, measured) >= WS_NAME_SHOWN)
        return WS_LIKE_WHOLE;
    g_autofree char *a = squeeze(measured, without_parameters(measured));
    g_autofree char *b = squeeze(display_name, strlen(display_name));
    gsize base_a = without_arguments(a), base_b = without_arguments(b);

    if (strcmp(a, b) == 0)
        return WS_LIKE_FUNCTION;
    return base_a == base_b && strncmp(a, b, base_a) == 0 ? WS_LIKE_BASE : WS_LIKE_NONE;
}

/* ---- launches -----------------------------------------------------------------------------------
 */

static gboolean same_shape(const WsMeasuredLaunch *launch, const WsLaunchIdentity *identity)
{
    return memcmp(launch->grid, identity->grid, sizeof identity->grid) == 0 &&
           memcmp(launch->block, identity->block, sizeof identity->block) == 0;
}

/* The place of the best launch that is not taken, or -1. */
static gint best_launch(const WsMeasuredProfile *profile, const WsLaunchIdentity *identity,
                        const gboolean *taken)
{
    guint best_score = 0;
    gint best = -1;

    for (guint i = 0; i < profile->launches->len; i++) {
        const WsMeasuredLaunch *launch = ws_measured_launch(profile, i);
        WsKernelLikeness likeness =
            ws_kernel_likeness(identity->mangled, identity->display_name, launch->kernel);
        guint score = 2 * likeness + (same_shape(launch, identity) ? 1 : 0);

        if (taken[i] || likeness == WS_LIKE_NONE || score <= best_score)
            continue;
        best_score = score;
        best = (gint)i;
    }
    return best;
}

/* "0 saxpy(int), 3 scale(float *)", the first few. */
static char *list_launches(const WsMeasuredProfile *profile)
{
    enum { MOST = 8 };
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < MIN(profile->launches->len, MOST); i++) {
        const WsMeasuredLaunch *launch = ws_measured_launch(profile, i);
        g_autofree char *kernel = ws_printable(launch->kernel);
        g_autofree char *id = ws_printable(launch->id != NULL ? launch->id : "-");

        g_string_append_printf(out, "%s%s %s", i == 0 ? "" : ", ", id, kernel);
    }
    if (profile->launches->len > MOST)
        g_string_append_printf(out, " and %u more", profile->launches->len - MOST);
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static gint find_id(const WsMeasuredProfile *profile, const char *id, GError **error)
{
    for (guint i = 0; i < profile->launches->len; i++)
        if (g_strcmp0(ws_measured_launch(profile, i)->id, id) == 0)
            return (gint)i;
    g_autofree char *known = list_launches(profile);
    g_autofree char *shown = ws_printable(id);
    ws_set_error(error, WS_ERROR_USAGE, "--launch-id: the profile has no launch %s; it has: %s",
                 shown, known);
    return -1;
}

/* Which identity the launch of an ID belongs to, or -1. */
static gint identity_of(const WsMeasuredLaunch *launch, const WsLaunchIdentity *identities,
                        guint count)
{
    guint best_score = 0;
    gint best = count == 1 ? 0 : -1;

    for (guint i = 0; i < count; i++) {
        WsKernelLikeness likeness =
            ws_kernel_likeness(identities[i].mangled, identities[i].display_name, launch->kernel);
        guint score =
            likeness == WS_LIKE_NONE ? 0 : 2 * likeness + same_shape(launch, &identities[i]);

        if (score > best_score) {
            best_score = score;
            best = (gint)i;
        }
    }
    return best;
}

/* Takes the launch of an ID. FALSE and an error: there is none, or no identity for it. */
static gboolean match_id(const WsMeasuredProfile *profile, const WsLaunchIdentity *identities,
                         guint count, const char *id, gint *ret, GError **error)
{
    gint place = find_id(profile, id, error), of;

    if (place < 0)
        return FALSE;
    of = identity_of(ws_measured_launch(profile, (guint)place), identities, count);
    if (of < 0) {
        g_autofree char *kernel = ws_printable(ws_measured_launch(profile, (guint)place)->kernel);
        ws_set_error(error, WS_ERROR_INPUT,
                     "launch %s of the profile is of '%s', which the target does not launch", id,
                     kernel);
        return FALSE;
    }
    ret[of] = place;
    return TRUE;
}

gint *ws_match_launches(const WsMeasuredProfile *profile, const WsLaunchIdentity *identities,
                        guint count, const char *id, GError **error)
{
    g_autofree gint *ret = g_new(gint, MAX(count, 1));
    g_autofree gboolean *taken = g_new0(gboolean, MAX(profile->launches->len, 1));
    guint matched = 0;

    for (guint i = 0; i < count; i++)
        ret[i] = -1;
    if (id != NULL)
        return match_id(profile, identities, count, id, ret, error) ? g_steal_pointer(&ret) : NULL;
    for (guint i = 0; i < count; i++) {
        ret[i] = best_launch(profile, &identities[i], taken);
        if (ret[i] < 0)
            continue;
        taken[ret[i]] = TRUE;
        matched++;
    }
    if (matched != 0)
        return g_steal_pointer(&ret);
    g_autofree char *known = list_launches(profile);
    g_autofree char *kernel = ws_printable(count != 0 ? identities[0].display_name : "");
    ws_set_error(error, WS_ERROR_INPUT,
                 "the profile has no launch of '%s'; it has: %s; --launch-id compares with another "
                 "kernel",
                 kernel, known);
    return NULL;
}

gint ws_match_nth_launch(const WsMeasuredProfile *profile, const WsLaunchIdentity *identity,
                         guint nth)
{
    g_autofree WsKernelLikeness *likeness =
        g_new0(WsKernelLikeness, MAX(profile->launches->len, 1));
    WsKernelLikeness best = WS_LIKE_BASE;

    for (guint i = 0; i < profile->launches->len; i++) {
        likeness[i] = ws_kernel_likeness(identity->mangled, identity->display_name,
                                         ws_measured_launch(profile, i)->kernel);
        best = MAX(best, likeness[i]);
    }
    for (guint i = 0; i < profile->launches->len; i++)
        if (likeness[i] == best && --nth == 0)
            return (gint)i;
    return -1;
}
