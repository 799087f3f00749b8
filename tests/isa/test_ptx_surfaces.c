/* Accesses to surfaces in PTX, as text. What they do: tests/cli/test_cli_nvcc.py. */
#include "isa/ptx/surfaces.h"

#include <string.h>

#include "isa/ir/ir.h"
#include "tests/support/suite.h"

static char *replaced(const char *statements)
{
    g_autofree char *text = g_strdup_printf(
        ".visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>; .reg .b16 %%rs<8>;"
        " .reg .b32 %%r<9>; .reg .b64 %%rd<9>;\nld.param.u64 %%rd1, [p];\n%s\nret;\n}\n",
        statements);
    return ws_ptx_replace_surfaces(text, strlen(text));
}

static guint lines_of(const char *text)
{
    guint lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* All kinds, widths and modes become PTX that is taken, in as many lines. */
START_TEST(all_forms)
{
    static const char *const kinds[][2] = {{"1d", "{%r1}"},
                                           {"2d", "{%r1, %r2}"},
                                           {"3d", "{%r1, %r2, %r3, %r3}"},
                                           {"a1d", "{%r3, %r1}"},
                                           {"a2d", "{%r3, %r1, %r2, %r2}"}};
    static const char *const types[][2] = {{".b8", "%rs1"},
                                           {".b16", "{%rs1}"},
                                           {".b32", "{%r5}"},
                                           {".b64", "{%rd5}"},
                                           {".v2.b8", "{%rs1, %rs2}"},
                                           {".v2.b64", "{%rd5, %rd6}"},
                                           {".v4.b16", "{%rs1, %rs2, %rs3, %rs4}"},
                                           {".v4.b32", "{%r5,%r6,\n%r7,%r8}"}};
    static const char *const modes[] = {"trap", "clamp", "zero"};
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
        for (guint t = 0; t < G_N_ELEMENTS(types); t++)
            for (guint m = 0; m < G_N_ELEMENTS(modes); m++)
                g_string_append_printf(
                    all,
                    "suld.b.%s%s.%s %s, [%%rd1, %s];\n@!%%p1 sust.b.%s%s.%s [%%rd1, %s], %s;\n",
                    kinds[k][0], types[t][0], modes[m], types[t][1], kinds[k][1], kinds[k][0],
                    types[t][0], modes[m], kinds[k][1], types[t][1]);
    g_autofree char *text = replaced(all->str);
    ck_assert_ptr_null(strstr(text, "suld"));
    ck_assert_ptr_null(strstr(text, "sust"));
    ck_assert_uint_eq(lines_of(text), lines_of(all->str) + 7);
    WsCompileOptions options;
    ws_compile_options_init(&options);
    GError *error = NULL;
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text, strlen(text), &options, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
}
END_TEST

START_TEST(one_access)
{
    g_autofree char *text =
        replaced("@%p2 sust.b.a2d.v2.b32.zero [%rd7, {%r9, %r1, 5, 5}], {%r2, %r3};");
    static const char *const parts[] = {"\n{ .reg .pred ",
                                        " @!%p2 bra WS_END;",
                                        " ld.global.u64 ws_a, [%rd7];",
                                        ", ws_r, 8; ",
                                        " mov.u32 ws_x, %r1; mov.u32 ws_y, 5; mov.u32 ws_z, %r9;",
                                        " @!ws_p st.global.v2.b32 [ws_a], {%r2, %r3}; WS_END: }\n"};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "%s\n%s", parts[i], text);
    ck_assert_ptr_null(strstr(text, "trap"));
}
END_TEST

/* What it does not know stays, and is refused later by its name. */
START_TEST(others_stay)
{
    static const char *const others[] = {"sust.p.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};",
                                         "suld.b.2d.b32.trap {%r1}, [surf, {%r2, %r3}];",
                                         "suld.b.3d.b32.trap {%r1}, [%rd1, {%r2, %r3}];",
                                         "suld.b.2d.b32.trap {%r1}, [%rd1, {%r2, %r3]"};
    ck_assert_ptr_null(replaced("ld.global.u32 %r1, [%rd1];"));
    ck_assert_ptr_null(replaced(others[0]));
    for (guint i = 1; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *text = replaced(others[i]);
        ck_assert_msg(strstr(text, others[i]) != NULL, "%s", text);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, all_forms);
    tcase_add_test(cases, one_access);
    tcase_add_test(cases, others_stay);
}

int main(void)
{
    return run_suite("ptx_surfaces", add_tests);
}
