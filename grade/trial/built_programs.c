#include "grade/trial/built_programs.h"

struct WsBuiltPrograms {
    const WsAssignment *assignment;
    char *folder;
    GHashTable *built; /* char* -> WsBuiltProgram */
};

static void free_built(gpointer data)
{
    WsBuiltProgram *built = data;
    g_free(built->program);
    ws_host_program_clear(&built->parts);
    g_clear_error(&built->error);
    g_free(built);
}

WsBuiltPrograms *ws_built_programs_new(const WsAssignment *assignment, const char *folder)
{
    WsBuiltPrograms *programs = g_new0(WsBuiltPrograms, 1);
    programs->assignment = assignment;
    programs->folder = g_strdup(folder);
    programs->built = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_built);
    return programs;
}

void ws_built_programs_free(WsBuiltPrograms *programs)
{
    if (programs == NULL)
        return;
    g_hash_table_unref(programs->built);
    g_free(programs->folder);
    g_free(programs);
}

const char *ws_built_programs_folder(const WsBuiltPrograms *programs)
{
    return programs->folder;
}

static WsBuiltProgram *build(const WsBuiltPrograms *programs, const char *source,
                             guint compile_seconds)
{
    WsBuiltProgram *built = g_new0(WsBuiltProgram, 1);
    g_autoptr(WsReadScope) scope = ws_read_scope_new(TRUE);
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autofree char *folder = g_path_get_dirname(source);
    ws_read_scope_add(scope, folder);
    for (char **include = programs->assignment->includes; *include != NULL; include++)
        ws_read_scope_add(scope, *include);
    options.scope = scope;
    options.includes = (const char *const *)programs->assignment->includes;
    options.bounds.confinement = WS_CONFINE_STRICT;
    options.bounds.clang_seconds = compile_seconds;
    options.bounds.clang_seconds_name = "compile_seconds";
    g_autofree char *name = g_strdup_printf("program%u", g_hash_table_size(programs->built));
    g_autofree char *output = g_build_filename(programs->folder, name, NULL);
    if (ws_host_program_build(source, &options, output, &built->parts, &built->at_fault,
                              &built->error))
        built->program = g_steal_pointer(&output);
    return built;
}

const WsBuiltProgram *ws_built_programs_get(WsBuiltPrograms *programs, const char *source,
                                            guint compile_seconds)
{
    WsBuiltProgram *built = g_hash_table_lookup(programs->built, source);
    if (built == NULL) {
        built = build(programs, source, compile_seconds);
        g_hash_table_insert(programs->built, g_strdup(source), built);
    }
    return built;
}
