/* What the PTX of the program tells of its accesses. */
#include "isa/ptx/sure_loads.h"
#include "sim/check/private.h"

#include <string.h>

/* clang loads early what it knows to be there: a variable, or an element of fixed index. */
static void find_spare_loads(WsCheck *check)
{
    const WsProgram *program = check->job->program;
    g_autofree guint8 *sure = ws_ptx_sure_loads(check->module, check->lines);

    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 line = program->locations[program->instructions[i].location].ptx_line;

        if (ws_opcode_has(program->instructions[i].opcode, WS_FLAG_LOAD) && line <= check->lines)
            check->spare[i] = !sure[line] && check->bases[line].is_fixed;
    }
}

/* barrier.sync without .aligned: threads may come to it from anywhere. */
static void find_loose_barriers(WsCheck *check)
{
    check->loose = g_malloc0((gsize)check->lines + 1);
    for (guint f = 0; f < check->module->functions->len; f++) {
        const WsPtxFunction *function = check->module->functions->pdata[f];

        for (guint i = 0; i < function->statements->len; i++) {
            const WsPtxStatement *statement =
                &g_array_index(function->statements, WsPtxStatement, i);
            guint32 line = (guint32)statement->position.line;

            if (statement->kind == WS_PTX_STATEMENT_INSTRUCTION && line <= check->lines &&
                strcmp(statement->opcode, "barrier") == 0 &&
                strstr(statement->full, ".aligned") == NULL)
                check->loose[line] = 1;
        }
    }
}

void ws_check_read_ptx(WsCheck *check)
{
    const WsProgram *program = check->job->program;

    check->spare = g_malloc0((gsize)program->instruction_count + 1);
    if (program->ptx == NULL)
        return;
    check->lines = 1;
    for (const char *at = program->ptx; *at != '\0'; at++)
        check->lines += *at == '\n';
    check->module = ws_ptx_parse("", program->ptx, strlen(program->ptx), NULL);
    if (check->module == NULL)
        return;
    check->bases = ws_ptx_address_bases(check->module, check->lines);
    find_spare_loads(check);
    find_loose_barriers(check);
}
