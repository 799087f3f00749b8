/* Programs from files of each kind, and what is said of those that are none. */
#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

#include "isa/bytecode/variables.h"
#include "isa/container/binary.h"
#include "isa/ir/ir.h"
#include "isa/text/disassembler.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static char *folder;

static const struct {
    const char *name, *text;
} files[] = {
    {"good.wsasm", ".kernel k\n.loc \"a.cu\" 3\nNOP ;\nEXIT ;\n"},
    {"good.ptx",
     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k ()\n{\nret;\n}\n"},
    {"mark.wsasm", "\xef\xbb\xbf.kernel k\nEXIT ;\n"},
    {"mark.ptx", "\xef\xbb\xbf.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k ()\n"
                 "{\nret;\n}\n"},
    {"none.wsasm", NULL},
    {"none.ptx", NULL},
    {"none.wsbin", NULL},
    {"none.cu", NULL},
    {"empty.wsasm", ""},
    {"empty.ptx", ""},
    {"empty.wsbin", ""},
    {"wrong.wsasm", ".kernel k\nNOPE ;\n"},
    {"wrong.ptx", ".version 8.0\n.target sm_90\n.entry k () { nope; }\n"},
    {"wrong.wsbin", "this is none"},
    {"label.wsasm", ".kernel k\nfirst: NOP ;\nsecond: NOP ;\nBRA secnd ;\nEXIT ;\n"},
    {"value.ptx",
     ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 a;\n.global .u64 p = nothing;\n"},
    {"array.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 a[\x01];\n.visible "
                  ".entry k ()\n{\nret;\n}\n"},
    {"program.txt", "x"},
    {"program", "x"},
    {"no_kernel.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"},
    {"two.ptx",
     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry a ()\n{\nret;\n}\n"
     ".visible .entry b ()\n{\n.reg .b64 %rd<2>;\ntex.1d.v4.s32.s32 {%rd1}, [x];\nret;\n}\n"},
};

static char *put(const char *name, const char *text, gsize length)
{
    char *path = g_build_filename(folder, name, NULL);

    ck_assert(g_file_set_contents(path, text, (gssize)length, NULL));
    return path;
}

START_TEST(kinds)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        WsCompileOptions options;
        GError *error = NULL;
        g_autofree char *path = files[i].text != NULL
                                    ? put(files[i].name, files[i].text, strlen(files[i].text))
                                    : g_build_filename(folder, files[i].name, NULL);

        ws_compile_options_init(&options);
        WsProgram *program = ws_program_load(path, &options, &error);
        if (program == NULL)
            g_string_append_printf(out, "%s: %s\n", files[i].name, error->message);
        else {
            g_autofree char *code =
                ws_disassemble(program, &(WsDisassembleOptions){.sources = TRUE});
            g_string_append_printf(out, "%s:\n%s", files[i].name, code);
            for (guint f = 0; f < g_strv_length(program->sources); f++)
                g_string_append_printf(out, "source %u: %zu bytes\n", f,
                                       strlen(program->sources[f]));
            ws_program_unref(program);
        }
        g_clear_error(&error);
        g_unlink(path);
    }
    g_autofree char *anywhere = golden_text_replace(out->str, folder, "FOLDER");
    golden_text_check("load.txt", anywhere);
}
END_TEST

/* The binary form of a program is that program, with its sources. */
START_TEST(binaries)
{
    static const char *const names[] = {"two_sides.wsasm", "varied.wsasm", "everything.wsasm",
                                        "shapes.ptx"};
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests", "data", "rooms", names[_i], NULL);
    static const WsDisassembleOptions all = {.words = TRUE, .sources = TRUE, .control = TRUE};
    WsCompileOptions options;
    GError *error = NULL;

    ws_compile_options_init(&options);
    g_autoptr(WsProgram) program = ws_program_load(path, &options, &error);
    ck_assert_msg(program != NULL, "%s", error ? error->message : "");
    g_autoptr(GBytes) bytes = ws_program_to_binary(program, &error);
    g_autofree char *copy =
        put("copy.wsbin", g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_autoptr(WsProgram) read = ws_program_load(copy, &options, &error);
    ck_assert_msg(read != NULL, "%s", error ? error->message : "");
    g_autofree char *first = ws_disassemble(program, &all), *second = ws_disassemble(read, &all);
    ck_assert_str_eq(first, second);
    g_unlink(copy);
}
END_TEST

static WsProgram *load(const char *name, const char *text, const WsCompileOptions *options,
                       char **ret_message)
{
    g_autofree char *path = put(name, text, strlen(text));
    GError *error = NULL;
    WsProgram *program = ws_program_load(path, options, &error);
    *ret_message = error ? golden_text_replace(error->message, folder, "FOLDER") : NULL;
    g_clear_error(&error);
    g_unlink(path);
    return program;
}

/* A policy has pick(), and what it calls besides it has defined. */
static const struct {
    const char *text, *message; /* NULL: it is one */
} policies[] = {
    {"int pick(const ws_view *view) { return ws_oldest(view, view->eligible); }", NULL},
    {"int pick(const ws_view *view) { return 0; }\n"
     "uint64_t admit(const ws_view *view) { return view->eligible; }",
     NULL},
    {"uint64_t admit(const ws_view *view) { return view->eligible; }",
     "FOLDER/mine.c: error: a policy must define int pick(const ws_view *view)"},
    {"int other(int);\nint pick(const ws_view *view) { return other(1); }",
     "error: calls of '_Z5otheri' are not supported: it is not defined in this file"},
    {"int other(int);\nint pick(const ws_view *view) { return 0; }\n"
     "uint64_t admit(const ws_view *view) { return other(1); }",
     "error: calls of '_Z5otheri' are not supported: it is not defined in this file"},
    {"int pick(const ws_view *view) { return 0;",
     "FOLDER/mine.c: error: the file ends inside a function, or a function of a policy is not "
     "declared as in <warpstep/policy.h>"},
    {"long pick(const ws_view *view, int more) { return 0; }",
     "FOLDER/mine.c: error: a policy must define int pick(const ws_view *view)"},
};

START_TEST(policy_files)
{
    g_autofree char *text =
        g_strconcat("#include <warpstep/policy.h>\n", policies[_i].text, "\n", NULL);
    g_autofree char *message = NULL;
    WsCompileOptions options;

    ws_compile_options_init(&options);
    g_autoptr(WsProgram) program = load("mine.c", text, &options, &message);
    ck_assert_msg(policies[_i].message ? g_str_has_suffix(message, policies[_i].message) : !message,
                  "policy %d: %s", _i, message);
    ck_assert_int_eq(program != NULL, policies[_i].message == NULL);
    if (program != NULL)
        ck_assert_ptr_nonnull(ws_program_find_kernel(program, "ws_policy_pick"));
}
END_TEST

/* The variable of this name, or NULL. */
static const WsSourceVariable *variable_of(const WsProgram *program, const char *name)
{
    for (guint v = 0; program->variables != NULL && v < program->variables->variables->len; v++) {
        const WsSourceVariable *at = ws_variable_table_variable(program->variables, v);
        if (g_strcmp0(at->name, name) == 0)
            return at;
    }
    return NULL;
}

/* Whether the last place of the variable ends where its scope does. */
static gboolean ends_with_its_scope(const WsProgram *program, const char *name)
{
    const WsSourceVariable *variable = variable_of(program, name);
    const WsVariablePlace *places = (gconstpointer)program->variables->places->data;
    const WsSourceScope *scope = ws_variable_table_scope(program->variables, variable->scope);
    const WsCodeRange *ranges = (gconstpointer)program->variables->ranges->data;
    const WsCodeRange *code = &places[variable->first_place + variable->place_count - 1].code;
    const WsCodeRange *range = &ranges[scope->first_range + scope->range_count - 1];

    return code->first + code->count == range->first + range->count;
}

/* Compiled for debugging, CUDA C or the PTX of it, a variable lives until its scope ends. */
START_TEST(debug_programs)
{
    static const char text[] = "__global__ void k(int n, int *p)\n{\n"
                               "    int early = p[threadIdx.x] * n;\n"
                               "    p[threadIdx.x] = early;\n"
                               "    for (int i = 0; i < n; i++)\n"
                               "        p[i] += n;\n"
                               "    p[n] = 1;\n}\n";
    g_autofree char *message = NULL, *path = put("k.cu", text, strlen(text));
    WsCompileOptions options;
    GError *error = NULL;

    ws_compile_options_init(&options);
    options.variables = options.debug = TRUE;
    g_autofree char *ptx = ws_cuda_to_ptx(path, &options, NULL, NULL, &error);
    ck_assert_msg(ptx != NULL, "%s", error ? error->message : "");
    g_autoptr(WsProgram) program =
        load(_i == 0 ? "k.cu" : "k.ptx", _i == 0 ? text : ptx, &options, &message);
    ck_assert_msg(program != NULL, "%s", message);
    ck_assert_ptr_nonnull(variable_of(program, "early"));
    ck_assert(ends_with_its_scope(program, "early"));
    g_unlink(path);
}
END_TEST

/* PTX of nvcc -G, whose variables are in registers. */
START_TEST(debug_ptx)
{
    static const char *const names[] = {"i", "v", "z", "excess", "y"}; /* of inner scopes */
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests", "ptx", "variables.nvcc.ptx", NULL);
    WsCompileOptions options;
    GError *error = NULL;

    ws_compile_options_init(&options);
    options.variables = options.debug = TRUE;
    g_autoptr(WsProgram) program = ws_program_load(path, &options, &error);
    ck_assert_msg(program != NULL, "%s", error ? error->message : "");
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        ck_assert_msg(ends_with_its_scope(program, names[i]), "%s", names[i]);
}
END_TEST

/* A program knows its source, what it was compiled with, the construct of each branch, and where
 * variables are, if that is asked for. */
START_TEST(cuda_programs)
{
    static const char text[] = "__global__ void k(int n, int *p)\n{\n"
                               "    int count = 0;\n"
                               "    while (p[threadIdx.x + count] > n)\n"
                               "        count++;\n"
                               "    p[threadIdx.x] = count;\n}\n";
    static const struct {
        gboolean variables, debug;
    } asked[] = {{FALSE, FALSE}, {TRUE, FALSE}, {TRUE, TRUE}};
    WsCompileOptions options;
    gboolean named = FALSE;

    ws_compile_options_init(&options);
    options.variables = asked[_i].variables;
    options.debug = asked[_i].debug;
    g_autofree char *message = NULL;
    g_autoptr(WsProgram) program = load("k.cu", text, &options, &message);
    ck_assert_msg(program != NULL, "%s", message);
    ck_assert_ptr_nonnull(program->compiler);
    ck_assert_int_eq(program->variables != NULL, asked[_i].variables);
    for (guint f = 0; program->files[f] != NULL; f++)
        ck_assert_str_eq(program->sources[f],
                         g_str_has_suffix(program->files[f], "k.cu") ? text : "");
    for (guint32 i = 0; i < program->instruction_count; i++) {
        g_autofree char *construct = ws_program_construct_text(program, i);
        named = named || g_strcmp0(construct, "while") == 0;
    }
    ck_assert(named);
    ck_assert(!asked[_i].variables || variable_of(program, "count") != NULL);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, kinds);
    tcase_add_loop_test(cases, binaries, 0, 4);
    tcase_add_loop_test(cases, policy_files, 0, G_N_ELEMENTS(policies));
    tcase_add_loop_test(cases, cuda_programs, 0, 3);
    tcase_add_loop_test(cases, debug_programs, 0, 2);
    tcase_add_test(cases, debug_ptx);
}

int main(void)
{
    folder = g_dir_make_tmp("warpstep-load-XXXXXX", NULL);
    int failed = run_suite("load", add_tests);

    g_rmdir(folder);
    g_free(folder);
    return failed;
}
