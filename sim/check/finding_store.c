/* Findings, grouped by source lines as they come. */
#include "sim/base/instruction_place.h"
#include "sim/check/private.h"

enum { MOST_FINDINGS = 100 };

static char *line_key(const WsCheck *check, WsCheckKind kind, guint32 first, guint32 second)
{
    guint64 lines[2];
    const guint32 instructions[2] = {first, second};

    for (guint i = 0; i < 2; i++) {
        guint32 file = 0, line = 0;

        if (instructions[i] != WS_CHECK_NO_INSTRUCTION)
            ws_line_of_instruction(check->job->program, instructions[i], &file, &line);
        /* Without a line each instruction stands for itself. */
        lines[i] =
            line != 0 ? (guint64)file << 32 | line : G_GUINT64_CONSTANT(1) << 63 | instructions[i];
    }
    return g_strdup_printf("%d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, (int)kind,
                           MIN(lines[0], lines[1]), MAX(lines[0], lines[1]));
}

static WsCheckFinding *find_by_lines(WsCheck *check, WsCheckKind kind, guint32 first,
                                     guint32 second, gboolean *ret_new)
{
    g_autofree char *key = line_key(check, kind, first, second);
    WsCheckFinding *finding = g_hash_table_lookup(check->by_lines, key);

    *ret_new = FALSE;
    if (finding != NULL)
        return finding;
    if (check->findings->list->len == MOST_FINDINGS) {
        check->left_out++;
        return NULL;
    }
    finding = g_new0(WsCheckFinding, 1);
    finding->kind = kind;
    finding->launch = check->launch;
    finding->index = -1;
    g_ptr_array_add(check->findings->list, finding);
    g_hash_table_insert(check->by_lines, g_steal_pointer(&key), finding);
    *ret_new = TRUE;
    return finding;
}

WsCheckFinding *ws_check_find(WsCheck *check, WsCheckKind kind, guint32 first, guint32 second,
                              gboolean *ret_new)
{
    guint64 pair = (guint64)MIN(first, second) << 32 | MAX(first, second);
    /* Kinds of one instruction stay apart, and from races. */
    pair ^= (guint64)kind << 62;
    WsCheckFinding *finding = g_hash_table_lookup(check->by_pair, &pair);

    *ret_new = FALSE;
    if (finding == NULL) {
        finding = find_by_lines(check, kind, first, second, ret_new);
        if (finding == NULL)
            return NULL;
        g_hash_table_insert(check->by_pair, g_memdup2(&pair, sizeof pair), finding);
    }
    finding->count++;
    return finding;
}

static void split_index(guint64 number, const guint32 size[3], guint32 ret[3])
{
    ret[0] = (guint32)(number % size[0]);
    ret[1] = (guint32)(number / size[0] % size[1]);
    ret[2] = (guint32)(number / size[0] / size[1]);
}

WsTouch ws_check_touch(const WsCheck *check, guint32 serial, guint32 thread, guint32 instruction,
                       WsTouchAction action)
{
    const WsLaunch *launch = &check->copy->launches[check->launch];
    WsTouch touch = {.action = action,
                     .warp = thread / check->warp_size,
                     .lane = thread % check->warp_size,
                     .instruction = instruction};

    split_index(serial - check->first_serial, launch->grid, touch.block);
    split_index(thread, launch->block, touch.thread);
    return touch;
}

char *ws_check_line_text(const WsCheck *check, guint32 instruction)
{
    guint32 file, line;

    ws_line_of_instruction(check->job->program, instruction, &file, &line);
    return line != 0 ? g_strdup_printf("line %u", line)
                     : ws_instruction_place(check->job->program, instruction);
}
