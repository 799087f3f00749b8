#include "inspect/screen/register_names.h"

#include <string.h>

#include "isa/bytecode/accesses.h"

static void add_name(GPtrArray *names, const char *format, guint number)
{
    char *name = g_strdup_printf(format, number);

    for (guint i = 0; i < names->len; i++)
        if (strcmp(g_ptr_array_index(names, i), name) == 0) {
            g_free(name);
            return;
        }
    g_ptr_array_add(names, name);
}

char **ws_register_names(const WsProgram *program, guint32 instruction)
{
    static const char *const formats[] = {[WS_FILE_REGISTER] = "R%u",
                                          [WS_FILE_PREDICATE] = "P%u",
                                          [WS_FILE_UNIFORM] = "UR%u",
                                          [WS_FILE_UNIFORM_PREDICATE] = "UP%u"};
    GPtrArray *names = g_ptr_array_new();
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(&program->instructions[instruction], accesses);

    for (guint i = 0; i < count; i++)
        for (guint word = 0; accesses[i].file != WS_FILE_BARRIER && word < accesses[i].words;
             word++)
            add_name(names, formats[accesses[i].file], accesses[i].index + word);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
