/*
 * What a clang that somebody has taken over can do: tests/support/attacker.c runs in its place,
 * under the same rules. Without them each attack works, so that a refusal is theirs.
 */
#include "isa/cuda/call_filter.h"
#include "isa/cuda/clang_run.h"
#include "isa/cuda/protection.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *attacker; /* its path */

static WsClangResult attack(const char *name, guint parts)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(int));
    const WsClangView view = {.paths = paths, .contents = none};
    const char *const arguments[] = {attacker, name, NULL};
    const WsClangLimits limits = {.clang = arguments[0],
                                  .sandboxed = parts != 0,
                                  .required = parts,
                                  .cpu_seconds = 5,
                                  .stuck_seconds = 60,
                                  .threads = 64,
                                  .memory_bytes = G_GUINT64_CONSTANT(1) << 40,
                                  .output_bytes = 1000};
    WsClangResult result;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(ws_clang_run(&limits, &view, none, arguments, &result, &error), "%s: %s", name,
                  error != NULL ? error->message : "");
    return result;
}

static const struct {
    const char *name;
    WsProtection part; /* that refuses it */
    int error;         /* with which */
    gboolean is_usual; /* it works where nothing refuses it, also in most containers */
} attacks[] = {
    {"socket", WS_PROTECTION_CALLS, ENOSYS, TRUE},
    {"socketpair", WS_PROTECTION_CALLS, ENOSYS, TRUE},
    {"exec", WS_PROTECTION_EXEC, ENOSYS, TRUE},
    {"execveat", WS_PROTECTION_EXEC, ENOSYS, TRUE},
    {"process", WS_PROTECTION_CALLS, ENOSYS, TRUE},
    {"process that shares", WS_PROTECTION_CALLS, ENOSYS, TRUE},
    {"process by clone3", WS_PROTECTION_CALLS, ENOSYS, FALSE},
    {"signal", WS_PROTECTION_CALLS, ENOSYS, TRUE},
    {"limit", WS_PROTECTION_CALLS, ENOSYS, FALSE},
    {"trace", WS_PROTECTION_CALLS, ENOSYS, FALSE},
    {"memory file", WS_PROTECTION_CALLS, ENOSYS, TRUE},
    {"ring", WS_PROTECTION_CALLS, ENOSYS, FALSE},
    {"read", WS_PROTECTION_FILES, EACCES, TRUE},
    {"list", WS_PROTECTION_FILES, EACCES, TRUE},
    {"write", WS_PROTECTION_FILES, EACCES, TRUE},
};

/* What the kernel has, as it says itself, is used. */
START_TEST(parts_of_this_kernel)
{
    const guint32 listens = SECCOMP_RET_USER_NOTIF;
    const struct {
        WsProtection part;
        gboolean there;
    } parts[] = {
        {WS_PROTECTION_FILES,
         syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1},
        {WS_PROTECTION_CALLS,
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT},
        {WS_PROTECTION_EXEC, syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &listens) == 0},
    };

    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        ck_assert_msg(((ws_protection_of_host() & parts[i].part) != 0) == parts[i].there, "part %u",
                      i);
}
END_TEST

START_TEST(attacks_are_refused)
{
    guint parts = ws_protection_of_host();
    for (guint i = 0; i < G_N_ELEMENTS(attacks); i++) {
        if ((parts & attacks[i].part) == 0)
            continue; /* this kernel lacks it */
        g_autofree char *refusal = g_strdup_printf("%s\n", strerror(attacks[i].error));
        g_auto(WsClangResult) result = attack(attacks[i].name, parts);
        ck_assert_msg(strcmp(result.output, refusal) == 0, "%s: %s%s", attacks[i].name,
                      result.output, result.messages);
    }
}
END_TEST

START_TEST(attacks_work_without)
{
    for (guint i = 0; i < G_N_ELEMENTS(attacks); i++) {
        g_auto(WsClangResult) result = attack(attacks[i].name, 0);
        ck_assert_msg(!attacks[i].is_usual || strcmp(result.output, "done\n") == 0, "%s: %s%s",
                      attacks[i].name, result.output, result.messages);
    }
}
END_TEST

/* clang may start some, for deep recursion, with or without rules. */
START_TEST(threads)
{
    guint parts = ws_protection_of_host();
    for (guint i = 0; i < 2; i++) {
        g_auto(WsClangResult) one = attack("thread", i == 0 ? 0 : parts);
        g_auto(WsClangResult) many = attack("threads", i == 0 ? 0 : parts);
        ck_assert_str_eq(one.output, "done\n");
        ck_assert_int_eq(many.end, WS_CLANG_THREADS);
        ck_assert_int_eq(many.signal, SIGKILL);
        ck_assert(!many.ended_well);
    }
}
END_TEST

#if defined __x86_64__
START_TEST(other_calls_of_the_machine)
{
    if ((ws_protection_of_host() & WS_PROTECTION_CALLS) == 0)
        return;
    g_auto(WsClangResult) result = attack("32-bit call", WS_PROTECTION_CALLS);
    ck_assert_int_eq(result.signal, SIGSYS);
    ck_assert_str_eq(result.output, "");
}
END_TEST
#endif

START_TEST(texts)
{
    g_autofree char *all = ws_protection_text(WS_PROTECTION_ALL);
    g_autofree char *no_files = ws_protection_text(WS_PROTECTION_CALLS | WS_PROTECTION_EXEC);
    g_autofree char *none = ws_protection_text(0);
    ck_assert_str_eq(all, "full");
    ck_assert_str_eq(no_files, "partial: nothing keeps clang from opening files (no "
                               "Landlock: Linux 5.13)");
    ck_assert(g_str_has_prefix(none, "none: nothing keeps clang from opening files"));
    ck_assert(strstr(none, "sockets") != NULL && strstr(none, "another program") != NULL);
}
END_TEST

/* Making them needs nothing of the kernel. */
START_TEST(filters)
{
    g_autoptr(WsCallFilter) calls = ws_call_filter_new_for_compiler();
    g_autoptr(WsCallFilter) exec = ws_call_filter_new_for_exec();
    ck_assert_ptr_nonnull(calls);
    ck_assert_ptr_nonnull(exec);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, filters);
    tcase_add_test(cases, parts_of_this_kernel);
    tcase_add_test(cases, attacks_are_refused);
    tcase_add_test(cases, attacks_work_without);
    tcase_add_test(cases, threads);
#if defined __x86_64__
    tcase_add_test(cases, other_calls_of_the_machine);
#endif
    tcase_add_test(cases, texts);
}

int main(int count, char **arguments)
{
    attacker = g_canonicalize_filename(count > 1 ? arguments[1] : "", NULL);
    int result = run_suite("clang_sandbox", add_tests);
    g_free(attacker);
    return result;
}
