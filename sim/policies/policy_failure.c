/* What a policy in C has done wrong. */
#include "sim/policies/policy_code_private.h"

static const char *const function_names[] = {
#define FUNCTION(NAME, name) #name,
#include "sim/policies/policy_functions.def"
#undef FUNCTION
};

static const char *const failure_texts[WS_POLICY_FAILURES] = {
    [WS_LANE_BOUNDS] = "the policy accessed memory that it does not have",
    [WS_LANE_READ_ONLY] = "the policy wrote to memory that it may only read",
    [WS_LANE_ALIGNMENT] = "the policy made a misaligned access",
    [WS_LANE_TRAP] = "the policy stopped at a trap",
    [WS_LANE_JUMP] = "the policy jumped to an impossible address",
    [WS_LANE_INSTRUCTIONS] = "the policy took too many instructions for a call",
    [WS_POLICY_BAD_CHOICE] = "the policy picked a warp that is not eligible",
    [WS_POLICY_HELD] = "the policy held all eligible warps back for too long",
    [WS_POLICY_BAD_WAY] = "the policy chose a way that the set does not have",
};

WsStatus ws_policy_code_status(const WsPolicyCode *code, const void *data)
{
    const WsPolicyState *state = data;

    if (G_LIKELY(state->failure == 0))
        return WS_STATUS_OK;
    return state->failure == WS_LANE_INSTRUCTIONS || state->failure == WS_POLICY_HELD
               ? WS_STATUS_LIMIT
               : WS_STATUS_FAULT;
}

const char *ws_policy_code_failure(const WsPolicyCode *code, const void *state)
{
    return failure_texts[((const WsPolicyState *)state)->failure];
}

static char *describe(const WsPolicyCode *code, const WsPolicyState *state)
{
    const char *name = function_names[state->function];

    switch (state->failure) {
    case WS_LANE_BOUNDS:
        return g_strdup_printf("%s() accesses 0x%" G_GINT64_MODIFIER "x, where it has no memory",
                               name, state->value);
    case WS_LANE_READ_ONLY:
        return g_strdup_printf("%s() writes to what it may only read", name);
    case WS_LANE_ALIGNMENT:
        return g_strdup_printf("%s() makes a misaligned access to 0x%" G_GINT64_MODIFIER "x", name,
                               state->value);
    case WS_LANE_TRAP:
        return g_strdup_printf("%s() stops at a trap or an assertion", name);
    case WS_LANE_JUMP:
        return g_strdup_printf("%s() jumps to an impossible address", name);
    case WS_LANE_INSTRUCTIONS:
        return g_strdup_printf("%s() takes more than %" G_GUINT64_FORMAT
                               " instructions (policies.file.instructions)",
                               name, code->most_instructions);
    case WS_POLICY_BAD_CHOICE:
        return g_strdup_printf("%s() returns %" G_GINT64_FORMAT ", which is no eligible warp", name,
                               (gint64)state->value);
    case WS_POLICY_BAD_WAY:
        return g_strdup_printf("%s() returns %" G_GINT64_FORMAT ", which is no way of the set",
                               name, (gint64)state->value);
    case WS_POLICY_HELD:
        return g_strdup_printf("%s() holds all eligible warps back, %d times in a row", name,
                               WS_POLICY_MOST_HELD);
    default:
        g_assert_not_reached();
    }
}

char *ws_policy_code_failure_text(const WsPolicyCode *code, const void *data)
{
    const WsPolicyState *state = data;
    g_autofree char *what = describe(code, state);
    const WsLocation *location =
        &code->program->locations[code->program->instructions[state->pc].location];
    gboolean placed = state->failure <= WS_LANE_INSTRUCTIONS && location->line != 0;
    g_autofree char *place =
        placed ? g_strdup_printf("%s:%u", code->program->files[location->file], location->line)
               : g_strdup(code->program->path);

    return g_strdup_printf("%s: %s, in cycle %" G_GUINT64_FORMAT " of sub-core %u", place, what,
                           state->cycle, state->sub_core);
}
