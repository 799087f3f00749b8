/* What places in memory are called: by the names and elements that the author knows. */
#include "sim/check/private.h"

#include <string.h>

/* ---- elements -----------------------------------------------------------------------------------
 */

/* Of "ld.shared.v2.f32 {...": the type behind the last dot of the first word, 0 = not known. */
static guint32 type_bytes(const char *line)
{
    g_autofree char *statement = g_strndup(line, strcspn(line, "\n;"));
    char *word = g_strchug(statement);
    WsType type;

    if (*word == '@')
        word = g_strchug(word + strcspn(word, " \t"));
    word[strcspn(word, " \t")] = '\0';
    const char *dot = strrchr(word, '.');
    return dot != NULL && ws_type_by_name(dot + 1, &type) ? ws_type_size(type) : 0;
}

void ws_check_find_elements(WsCheck *check)
{
    const WsProgram *program = check->job->program;
    const char *ptx = program->ptx != NULL ? program->ptx : "";
    g_autoptr(GArray) begins = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 at = 0;

    do {
        g_array_append_val(begins, at);
        at += (guint32)strcspn(ptx + at, "\n");
    } while (ptx[at++] != '\0');
    check->element = g_malloc0(program->instruction_count + 1);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsInstruction *instruction = &program->instructions[i];
        guint32 line = program->locations[instruction->location].ptx_line;

        if (ws_kind_is_memory(ws_opcode_info(instruction->opcode)->kind) && line != 0 &&
            line <= begins->len)
            check->element[i] = (guint8)type_bytes(ptx + g_array_index(begins, guint32, line - 1));
    }
}

guint32 ws_check_element_bytes(const WsCheck *check, const WsWatchedAccess *access)
{
    guint32 bytes = check->element[access->instruction];

    return MIN(access->bytes, bytes != 0 ? bytes : 4);
}

/* ---- names --------------------------------------------------------------------------------------
 */

static void name_element(WsCheckFinding *finding, const char *what, const char *name,
                         guint64 offset, guint64 bytes, guint32 element)
{
    finding->array = g_strdup(name);
    element = MAX(element, 1);
    if (bytes == element && offset == 0) {
        finding->place = g_strdup_printf("%s%s", what, name);
    } else if (offset % element == 0) {
        finding->index = (gint64)(offset / element);
        finding->place = g_strdup_printf("%s%s[%" G_GINT64_FORMAT "]", what, name, finding->index);
    } else {
        finding->place = g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s%s", offset, what, name);
    }
}

static const WsSharedVariable *shared_variable(const WsCheck *check, guint64 offset)
{
    const WsKernel *kernel = check->kernel;

    for (guint32 v = 0; v < kernel->shared_count; v++) {
        const WsSharedVariable *variable = &kernel->shared[v];
        guint64 size = variable->size != 0 ? variable->size : G_MAXUINT32;

        if (offset >= variable->offset && offset - variable->offset < size)
            return variable;
    }
    return NULL;
}

static void name_shared(const WsCheck *check, const WsWatchedAccess *access, guint64 address,
                        WsCheckFinding *finding)
{
    const WsSharedVariable *variable = shared_variable(check, address);
    const WsSharedPart *part = ws_check_part_at(check, address);
    guint32 element = ws_check_element_bytes(check, access);

    if (part != NULL) {
        name_element(finding, "shared ", part->name,
                     address - check->kernel->static_shared_bytes - part->offset, part->bytes,
                     ws_type_size(part->type));
        return;
    }

    if (variable == NULL) {
        finding->place =
            g_strdup_printf("byte %" G_GUINT64_FORMAT " of the block's shared memory", address);
        return;
    }
    if (variable->type != WS_TYPE_B8 && ws_type_size(variable->type) != 0)
        element = ws_type_size(variable->type);
    name_element(finding, "shared ", variable->name, address - variable->offset, variable->size,
                 element);
}

static void name_global(const WsCheck *check, const WsWatchedAccess *access, guint64 address,
                        WsCheckFinding *finding)
{
    const WsJob *job = check->job;

    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];

        if (address >= buffer->address && address - buffer->address < buffer->bytes) {
            name_element(finding, "buffer ", buffer->name, address - buffer->address, 0,
                         ws_type_size(buffer->type));
            return;
        }
    }
    for (guint32 i = 0; i < job->program->symbol_count; i++) {
        const WsSymbol *symbol = &job->program->symbols[i];
        guint32 element = symbol->type != WS_TYPE_B8 ? ws_type_size(symbol->type) : 0;

        if (symbol->space != WS_SYMBOL_GLOBAL || address < symbol->address ||
            address - symbol->address >= symbol->size)
            continue;
        name_element(finding, "__device__ ", symbol->name, address - symbol->address, symbol->size,
                     element != 0 ? element : ws_check_element_bytes(check, access));
        return;
    }
    finding->place = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", address);
}

static void name_local(const WsCheck *check, const WsWatchedAccess *access, guint64 address,
                       WsCheckFinding *finding)
{
    const char *variable;
    g_autofree char *name = ws_check_variable_at(check, access->instruction, address, &variable);

    if (name == NULL) {
        finding->place =
            g_strdup_printf("byte %" G_GUINT64_FORMAT " of the thread's local memory", address);
        return;
    }
    finding->place = g_strdup_printf("variable %s", name);
    finding->array = g_strdup(variable);
}

void ws_check_name_place(const WsCheck *check, const WsWatchedAccess *access, guint64 address,
                         WsCheckFinding *finding)
{
    switch (access->space) {
    case WS_SPACE_SHARED:
        finding->space = "shared";
        name_shared(check, access, address, finding);
        break;
    case WS_SPACE_LOCAL:
        finding->space = "local";
        name_local(check, access, address, finding);
        break;
    default:
        finding->space = "global";
        name_global(check, access, address, finding);
    }
}
