/* Branches of compiled CUDA C: the constructs that they are of. */
#include <glib/gstdio.h>
#include <string.h>

#include "isa/bytecode/program.h"
#include "tests/support/suite.h"

/* Bodies of a kernel of (int n, int *p, int t), line 3 on. */
static const struct {
    const char *body;
    const char *has, *others; /* constructs with their lines that branches have; "" = no others */
} cases[] = {
    {"    if (p[t] > n)\n        __syncthreads();\n    p[t] = 1;\n", "if 3-4", ""},
    {"    while (p[t] > n)\n        p[t] -= n;\n", "while 3-4", ""},
    {"    for (int i = 0; i < p[t]; i++)\n        p[i] += n;\n", "for 3-4", ""},
    {"    do\n        p[t] -= n;\n    while (p[t] > n);\n", "do 3-5", ""},
    {"    if (p[t] > n) {\n        for (int i = 0; i < p[t]; i++)\n            p[i] += n;\n    }\n",
     "for 4-5", "if 3-6"},
    {"    if (p[t] > n)\n        __syncthreads();\n    else\n        p[n] = 3;\n", "if 3-6", ""},
};

/* The constructs of all branches: "if 3-4 for 5-6", each once. */
static char *constructs_of(const char *body, gboolean debug)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-constructs-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "k.cu", NULL);
    g_autofree char *text =
        g_strdup_printf("__global__ void k(int n, int *p)\n{   int t = threadIdx.x;\n%s}\n", body);
    GString *found = g_string_new(NULL);
    WsCompileOptions options;
    GError *error = NULL;

    ck_assert(g_file_set_contents(path, text, -1, NULL));
    ws_compile_options_init(&options);
    options.debug = debug;
    options.if_convert = FALSE;
    g_autoptr(WsProgram) program = ws_program_load(path, &options, &error);
    ck_assert_msg(program != NULL, "%s", error ? error->message : "");
    for (guint32 i = 0; i < program->instruction_count; i++) {
        guint32 number = ws_program_construct(program, i);
        if (number == 0)
            continue;
        const WsConstruct *at = &program->constructs[number];
        g_autofree char *name = ws_construct_name(program->constructs, number);
        g_autofree char *one = g_strdup_printf("%s %u-%u", name, at->line, at->end_line);
        if (strstr(found->str, one) == NULL)
            g_string_append_printf(found, "%s%s", found->len == 0 ? "" : ", ", one);
    }
    g_unlink(path);
    g_rmdir(folder);
    return g_string_free(found, FALSE);
}

/* Optimised, a loop has a branch in front of it, which is the loop's. */
START_TEST(branches)
{
    for (gboolean debug = FALSE; debug <= TRUE; debug++) {
        g_autofree char *found = constructs_of(cases[_i].body, debug);
        g_auto(GStrv) list = g_strsplit(found, ", ", -1);
        ck_assert_msg(strstr(found, cases[_i].has) != NULL, "%s%s", cases[_i].body, found);
        for (guint i = 0; list[i] != NULL; i++)
            ck_assert_msg(strcmp(list[i], cases[_i].has) == 0 ||
                              strcmp(list[i], cases[_i].others) == 0,
                          "%s%s", cases[_i].body, found);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, branches, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    return run_suite("constructs", add_tests);
}
