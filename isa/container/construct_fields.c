#include "isa/container/construct_fields.h"

enum { ENTRY_BYTES = 24 };

void ws_write_constructs(GByteArray *out, const WsProgram *program)
{
    ws_write_u32(out, program->construct_count);
    for (guint32 c = 0; c < program->construct_count; c++) {
        const WsConstruct *construct = &program->constructs[c];
        const guint32 fields[] = {construct->kind, construct->file, construct->line,
                                  construct->end_line, construct->parent};
        for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
            ws_write_u32(out, fields[i]);
        }
        ws_write_string(out, construct->name);
    }
}

void ws_read_constructs(WsFieldReader *reader, WsProgram *program)
{
    guint32 count = ws_read_count(reader, ENTRY_BYTES);
    ws_constructs_free(program->constructs, program->construct_count);
    program->constructs = g_new0(WsConstruct, (gsize)count + 1);
    program->construct_count = count;
    for (guint32 c = 0; c < count && !reader->failed; c++) {
        WsConstruct *construct = &program->constructs[c];
        guint32 kind = ws_read_u32(reader);
        guint32 *const fields[] = {&construct->file, &construct->line, &construct->end_line,
                                   &construct->parent};
        for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
            *fields[i] = ws_read_u32(reader);
        }
        construct->kind = kind < WS_CONSTRUCT_KINDS ? kind : WS_CONSTRUCT_NONE;
        construct->name = ws_read_name(reader);
        if (kind >= WS_CONSTRUCT_KINDS) {
            ws_read_fail(reader, "a construct of the source has an unknown kind");
        }
    }
}
