/* Random kernels: every divergence model and policy leaves the memory that the interpreter does. */
#include "sim/interpreter/interpreter.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/random_kernel.h"
#include "tests/support/suite.h"

/* What the bare interpreter leaves in memory. */
static guint32 *interpreted(const char *text, guint blocks, guint threads, guint words)
{
    Engine *e = engine_new("h200", NULL, text, blocks, threads, words);
    WsInterpretCounts counts;
    GError *error = NULL;
    guint32 *memory;

    ck_assert_msg(ws_interpret(e->job, 0, NULL, &counts, &error), "%s",
                  error ? error->message : "");
    memory = g_memdup2(engine_words(e), words * sizeof *memory);
    engine_free(e);
    return memory;
}

/* Random kernels leave the same memory under every model and policy, and as the interpreter. */
START_TEST(same_memory)
{
    static const char *const models[] = {"divergence.model=stack", "divergence.model=its",
                                         "divergence.model=none"};
    static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};
    guint threads = 24 + 40 * ((guint)_i % 3), blocks = 2;
    g_autofree char *text = random_kernel((guint64)_i + 1000, threads, blocks);
    guint words = threads * blocks * RANDOM_KERNEL_WORDS;
    g_autofree guint32 *first = interpreted(text, blocks, threads, words);

    for (guint m = 0; m < G_N_ELEMENTS(models); m++) {
        g_autofree char *policy =
            g_strconcat("policy=", policies[((guint)_i + m) % WS_POLICY_COUNT], NULL);
        const char *settings[] = {"sms=2", models[m], policy, NULL};
        Engine *e = engine_new("h200", settings, text, blocks, threads, words);

        e->options.max_cycles = 2000000;
        engine_run(e);
        ck_assert_int_eq(e->result->status, WS_STATUS_OK);
        ck_assert_mem_eq(first, engine_words(e), words * sizeof *first);
        engine_free(e);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, same_memory, 0, 60);
}

int main(void)
{
    return run_suite("models_agree", add_tests);
}
