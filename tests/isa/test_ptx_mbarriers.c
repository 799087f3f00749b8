/* mbarrier in PTX, as text. What it does: tests/cli/test_cli_nvcc.py. */
#include "isa/ptx/mbarriers.h"

#include <string.h>

#include "isa/ir/ir.h"
#include "tests/support/suite.h"

static char *in_kernel(const char *statements)
{
    return g_strdup_printf(
        ".visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>; .reg .b32 %%r<9>;"
        " .reg .b64 %%rd<9>; .shared .align 8 .b8 bar[16];\n%s\nret;\n}\n",
        statements);
}

static char *replaced(const char *statements)
{
    g_autofree char *text = in_kernel(statements);
    return ws_ptx_replace_mbarriers(text, strlen(text));
}

/* All become PTX that is taken, in as many lines. */
START_TEST(all_forms)
{
    static const char forms[] =
        "mbarrier.init.shared::cta.b64 [bar], 32;\n"
        "mbarrier.init.shared.b64 [%r1+8], %r2;\n"
        "@%p1 mbarrier.inval.shared.b64 [%r1];\n"
        "mbarrier.arrive.shared.b64 %rd1, [%r1];\n"
        "mbarrier.arrive.release.cta.shared::cta.b64 \t\n%rd1, [bar+8], %r3;\n"
        "@!%p2 mbarrier.arrive.b64 _, [%rd3];\n"
        "mbarrier.arrive.noComplete.shared.b64 %rd1, [%r1], 2;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r1+16], %r3;\n"
        "mbarrier.arrive_drop.shared.b64 _, [%r1];\n"
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2;\n"
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 64;\n"
        "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd2;\n"
        "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r1], %r2, 1000;\n"
        "cp.async.mbarrier.arrive.shared.b64 [%r1];\n"
        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], %r3, "
        "[%r1];";
    g_autofree char *text = replaced(forms);
    ck_assert_ptr_null(strstr(text, "mbarrier"));
    ck_assert_ptr_nonnull(strstr(text, "atom.shared.add.u32 ws_e, [%r1+20], ws_d;"));
    ck_assert_ptr_nonnull(strstr(text, "atom.add.u32 ws_e, [%rd3], ws_d;"));
    ck_assert_ptr_nonnull(strstr(text, " @%p2 bra WS_END;"));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autofree char *before = in_kernel(forms);
    g_auto(GStrv) lines_before = g_strsplit(before, "\n", -1);
    ck_assert_uint_eq(g_strv_length(lines), g_strv_length(lines_before));
    WsCompileOptions options;
    ws_compile_options_init(&options);
    GError *error = NULL;
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("a.ptx", text, strlen(text), &options, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
}
END_TEST

/* What it does not know, and barriers of other blocks, stay and are refused by their names. */
START_TEST(others_stay)
{
    static const char *const others[] = {
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];",
        "mbarrier.pending_count.b64 %r1, %rd1;",
        "mbarrier.init.shared.b64 [%r1];",
        "mbarrier.test_wait.shared.b64 %p1, [%r1];",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%r2], "
        "[%rd1], %r3, [%r1], %rs1;",
    };
    ck_assert_ptr_null(replaced("bar.sync 0;"));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *text = replaced(others[i]);
        ck_assert_msg(strstr(text, others[i]) != NULL, "%s", text);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, all_forms);
    tcase_add_test(cases, others_stay);
}

int main(void)
{
    return run_suite("ptx_mbarriers", add_tests);
}
