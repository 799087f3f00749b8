#include "sim/base/meeting_text.h"

#include "isa/flow/control_flow.h"

/* "while (line 10)" */
static char *construct_text(const WsProgram *program, guint32 instruction, WsKind kind)
{
    guint32 construct = instruction < program->instruction_count &&
                                ws_is_kind(&program->instructions[instruction], kind)
                            ? ws_program_construct(program, instruction)
                            : 0;
    if (construct == 0)
        return NULL;
    g_autofree char *name = ws_construct_name(program->constructs, construct);
    return g_strdup_printf("%s (line %u)", name, program->constructs[construct].line);
}

char *ws_meeting_name(const WsProgram *program, guint32 sync)
{
    g_autofree char *text = construct_text(program, sync, WS_KIND_BSYNC);
    if (text == NULL)
        return NULL;
    WsConstructKind kind = program->constructs[ws_program_construct(program, sync)].kind;
    if (kind == WS_CONSTRUCT_REST)
        return g_steal_pointer(&text);
    gboolean named = kind == WS_CONSTRUCT_MACRO || kind == WS_CONSTRUCT_FUNCTION;
    return g_strdup_printf("end of %s%s", named ? "" : "the ", text);
}

char *ws_meeting_opening(const WsProgram *program, guint32 set)
{
    return construct_text(program, set, WS_KIND_BSSY);
}

const char *ws_meeting_doing(const WsProgram *program, guint32 sync, guint count)
{
    const WsConstruct *construct = &program->constructs[ws_program_construct(program, sync)];
    if (ws_construct_is_loop(construct->kind))
        return count == 1 ? "still iterates" : "still iterate";
    return count == 1 ? "is still in it" : "are still in it";
}

static guint count_of(guint64 lanes)
{
    return (guint)__builtin_popcountll(lanes);
}

char *ws_meeting_wanted(const WsProgram *program, guint32 sync, const WsMeetingLanes *lanes)
{
    guint inside = count_of(lanes->wanted & ~lanes->left);
    guint left = count_of(lanes->wanted & lanes->left);
    const char *doing = ws_meeting_doing(program, sync, inside);
    const char *has = left == 1 ? "has" : "have";
    if (left == 0)
        return g_strdup_printf("%u that %s", inside, doing);
    if (inside == 0)
        return g_strdup_printf("%u that %s left it", left, has);
    return g_strdup_printf("%u that %s and %u that %s left it", inside, doing, left, has);
}

char *ws_meeting_sentence(const WsProgram *program, guint32 sync, const WsMeetingLanes *lanes)
{
    g_autofree char *name = ws_meeting_name(program, sync);
    if (name == NULL)
        return NULL;
    g_autofree char *wanted = ws_meeting_wanted(program, sync, lanes);
    guint count = count_of(lanes->waiting);
    return g_strdup_printf("%u lane%s at the %s for %s", count, count == 1 ? " waits" : "s wait",
                           name, wanted);
}

/* ---- which BSSY -------------------------------------------------------------------------------
 */

static gboolean is_of(const WsInstruction *instruction, WsKind kind, guint32 barrier)
{
    return ws_is_kind(instruction, kind) && instruction->operand[0].index == barrier;
}

/* Whether control comes from BSSY `set` to `pc` without passing its BSYNC, the BSYNC counted. */
static gboolean leads_to(const WsProgram *program, const WsControlFlow *flow,
                         const WsKernel *kernel, guint32 set, guint32 pc)
{
    g_autofree guint8 *seen = g_new0(guint8, (gsize)flow->block_count + 1);
    g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 barrier = program->instructions[set].operand[0].index;
    guint32 b = flow->block_of[set - kernel->first], at = set + 1;
    for (;;) {
        guint32 end = flow->blocks[b].first + flow->blocks[b].count;
        gboolean ended = FALSE;
        for (; at < end && !ended; at++) {
            if (at == pc)
                return TRUE;
            ended = is_of(&program->instructions[at], WS_KIND_BSYNC, barrier);
        }
        for (guint32 e = flow->graph->first[b]; !ended && e < flow->graph->first[b + 1]; e++) {
            guint32 to = flow->graph->successors[e];
            if (!seen[to])
                g_array_append_val(blocks, to);
            seen[to] = TRUE;
        }
        if (blocks->len == 0)
            return FALSE;
        b = g_array_index(blocks, guint32, blocks->len - 1);
        g_array_set_size(blocks, blocks->len - 1);
        at = flow->blocks[b].first;
    }
}

guint32 ws_meeting_set_by(const WsProgram *program, const WsKernel *kernel, guint32 barrier,
                          guint32 pc)
{
    if (program->construct_count <= 1) /* no BSSY has a name */
        return G_MAXUINT32;
    g_autoptr(WsControlFlow) flow =
        ws_control_flow_new(program->instructions, kernel->first, kernel->count);
    for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++)
        if (is_of(&program->instructions[i], WS_KIND_BSSY, barrier) &&
            leads_to(program, flow, kernel, i, pc))
            return i;
    return G_MAXUINT32;
}
