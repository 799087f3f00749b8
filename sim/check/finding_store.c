/* Findings, grouped by source lines as they come. */
#include "sim/base/call_frames.h"
#include "sim/base/instruction_place.h"
#include "sim/check/private.h"

enum { MOST_FINDINGS = 100 };

/* Of one line or two. */
static char *line_key(WsCheckKind kind, guint64 first, guint64 second)
{
    return g_strdup_printf("%d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, (int)kind,
                           MIN(first, second), MAX(first, second));
}

static guint64 line_number(guint32 file, guint32 line)
{
    return (guint64)file << 32 | line;
}

/* File, of the reported program, and line of an instruction; 0 = none. */
static void check_line(const WsCheck *check, guint32 instruction, guint32 *ret_file,
                       guint32 *ret_line)
{
    ws_line_of_instruction(check->job->program, instruction, ret_file, ret_line);
    *ret_file = check->files[*ret_file];
    if (*ret_file == 0)
        *ret_line = 0;
}

/* Without a line each instruction stands for itself. */
static guint64 instruction_line(const WsCheck *check, guint32 instruction)
{
    guint32 file, line;

    if (instruction == WS_CHECK_NO_INSTRUCTION)
        return 0;
    check_line(check, instruction, &file, &line);
    return line != 0 ? line_number(file, line)
                     : (guint64)(check->is_plain ? 3 : 2) << 62 | instruction;
}

/* Takes the key. */
static WsCheckFinding *find_by_key(WsCheck *check, WsCheckKind kind, char *key, gboolean *ret_new)
{
    WsCheckFinding *finding = g_hash_table_lookup(check->by_lines, key);

    *ret_new = FALSE;
    if (finding != NULL || check->findings->list->len == MOST_FINDINGS) {
        check->left_out += finding == NULL;
        g_free(key);
        return finding;
    }
    finding = g_new0(WsCheckFinding, 1);
    finding->kind = kind;
    finding->launch = check->launch;
    finding->index = -1;
    finding->of_plain = check->is_plain;
    g_ptr_array_add(check->findings->list, finding);
    g_hash_table_insert(check->by_lines, key, finding);
    *ret_new = TRUE;
    return finding;
}

/* What was found in one program may be found in the other as well. */
static WsCheckFinding *counted(const WsCheck *check, WsCheckFinding *finding)
{
    if (finding != NULL)
        finding->count += finding->of_plain == check->is_plain;
    return finding;
}

WsCheckFinding *ws_check_find(WsCheck *check, WsCheckKind kind, guint32 first, guint32 second,
                              gboolean *ret_new)
{
    guint64 pair = (guint64)MIN(first, second) << 32 | MAX(first, second);
    /* Kinds of the same instructions stay apart: programs have fewer than 2^30. */
    pair ^= (guint64)kind << 62;
    WsCheckFinding *finding = g_hash_table_lookup(check->by_pair, &pair);

    *ret_new = FALSE;
    if (finding == NULL) {
        guint64 a = instruction_line(check, first), b = instruction_line(check, second);

        finding = find_by_key(check, kind, line_key(kind, a, b), ret_new);
        if (finding == NULL)
            return NULL;
        g_hash_table_insert(check->by_pair, g_memdup2(&pair, sizeof pair), finding);
    }
    return counted(check, finding);
}

WsCheckFinding *ws_check_find_line(WsCheck *check, WsCheckKind kind, guint32 file, guint32 line,
                                   gboolean *ret_new)
{
    return counted(check,
                   find_by_key(check, kind, line_key(kind, 0, line_number(file, line)), ret_new));
}

static gboolean is_it(gpointer key G_GNUC_UNUSED, gpointer value, gpointer finding)
{
    return value == finding;
}

void ws_check_drop(WsCheck *check, WsCheckFinding *finding)
{
    g_hash_table_foreach_remove(check->by_lines, is_it, finding);
    g_hash_table_foreach_remove(check->by_pair, is_it, finding);
    g_ptr_array_remove(check->findings->list, finding);
}

static void split_index(guint64 number, const guint32 size[3], guint32 ret[3])
{
    ret[0] = (guint32)(number % size[0]);
    ret[1] = (guint32)(number / size[0] % size[1]);
    ret[2] = (guint32)(number / size[0] / size[1]);
}

/* NULL where nothing is inlined at the instruction. */
static char *inlined_place(const WsCheck *check, guint32 instruction)
{
    const WsProgram *program = check->job->program;
    guint32 file, line;

    ws_line_of_instruction(program, instruction, &file, &line);
    if (line == 0)
        return NULL;
    g_autofree char *base = g_path_get_basename(program->files[file]);
    g_autofree char *place = g_strdup_printf("%s:%u", base, line);
    char *framed = ws_place_with_frames(program, instruction, place);

    return strcmp(framed, place) != 0 ? framed : (g_free(framed), NULL);
}

WsTouch ws_check_touch(const WsCheck *check, guint32 serial, guint32 thread, guint32 instruction,
                       WsTouchAction action)
{
    const WsLaunch *launch = &check->job->launches[check->launch];
    WsTouch touch = {.action = action,
                     .warp = thread / check->warp_size,
                     .lane = thread % check->warp_size,
                     .instruction = check->is_plain ? WS_CHECK_NO_INSTRUCTION : instruction};

    check_line(check, instruction, &touch.file, &touch.line);
    touch.inlined = inlined_place(check, instruction);
    split_index(serial - check->first_serial, launch->grid, touch.block);
    split_index(thread, launch->block, touch.thread);
    return touch;
}

WsTouchAction ws_check_action(const WsWatchedAccess *access)
{
    return ws_action_is_atomic((guint8)access->action) ? WS_TOUCH_ATOMIC
           : access->action == WS_ACTION_LOAD          ? WS_TOUCH_READ
                                                       : WS_TOUCH_WRITE;
}

char *ws_check_line_text(const WsCheck *check, guint32 instruction)
{
    guint32 file, line;

    check_line(check, instruction, &file, &line);
    return line != 0 ? g_strdup_printf("line %u", line)
                     : ws_instruction_place(check->job->program, instruction);
}
