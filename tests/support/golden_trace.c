#include "tests/support/golden_trace.h"

#include <check.h>
#include <string.h>

#include "isa/text/disassembler.h"

static const char REGENERATE[] = "WS_REGENERATE_GOLDEN";

void golden_trace_begin(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--regenerate") == 0) {
        g_autofree char *here = g_get_current_dir();

        g_setenv(REGENERATE, "1", TRUE);
        g_setenv("WS_TEST_SOURCES", here, FALSE);
    }
}

static void append_mask(GString *text, guint64 mask, guint lanes)
{
    for (guint i = 0; i < lanes; i++)
        g_string_append_c(text, mask >> i & 1 ? '1' : '0');
}

static guint first_of(const Engine *engine, guint32 instruction)
{
    guint i = 0;

    while (i < engine->issues->len &&
           g_array_index(engine->issues, Issue, i).instruction != instruction)
        i++;
    ck_assert_uint_lt(i, engine->issues->len);
    return i;
}

char *golden_trace_text(const Engine *engine, guint32 origin)
{
    const WsProgram *program = engine->job->program;
    guint first = first_of(engine, origin);
    guint64 start = g_array_index(engine->issues, Issue, first).cycle;
    GString *text = g_string_new(NULL);

    for (guint i = first; i < engine->issues->len; i++) {
        const Issue *issue = &g_array_index(engine->issues, Issue, i);

        g_string_append_printf(text, "%4" G_GUINT64_FORMAT "  w%-2u  ", issue->cycle - start,
                               issue->warp);
        append_mask(text, issue->executed, (guint)engine->job->device->warp_size);
        g_string_append(text, "  ");
        ws_instruction_append_text(text, &program->instructions[issue->instruction],
                                   program->labels);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

void golden_trace_check(const Engine *engine, guint32 origin, const char *name)
{
    g_autofree char *file = g_strconcat(name, ".txt", NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests", "golden", file, NULL);
    g_autofree char *actual = golden_trace_text(engine, origin), *expected = NULL;
    GError *error = NULL;

    if (g_getenv(REGENERATE) != NULL) {
        ck_assert_msg(g_file_set_contents(path, actual, -1, &error), "%s",
                      error ? error->message : "");
        return;
    }
    ck_assert_msg(g_file_get_contents(path, &expected, NULL, &error), "%s",
                  error ? error->message : "");
    ck_assert_str_eq(actual, expected);
}
