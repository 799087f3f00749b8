/* What printf prints, against the host's; and the buffer that keeps it. */
#include "sim/base/print_log.h"
#include "sim/base/print_text.h"

#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

enum { FORMAT = 0x1000, ARGUMENTS = 0x2000, STRINGS = 0x3000, ROOM = 256, LIMIT = 400 };

typedef struct {
    char format[ROOM];
    guint8 arguments[ROOM];
    char strings[ROOM];
} Memory;

static gboolean read_memory(void *data, guint64 address, guint bytes, void *ret)
{
    Memory *memory = data;
    const guint64 bases[] = {FORMAT, ARGUMENTS, STRINGS};
    const void *const parts[] = {memory->format, memory->arguments, memory->strings};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (address >= bases[i] && address + bytes <= bases[i] + ROOM) {
            memcpy(ret, (const char *)parts[i] + (address - bases[i]), bytes);
            return TRUE;
        }
    return FALSE;
}

static char *print(Memory *memory, WsPrintEnd *end)
{
    const WsPrintMemory how = {read_memory, memory};
    GString *text = g_string_new("before:");
    ws_print_text(text, &how, FORMAT, ARGUMENTS, LIMIT, end);
    ck_assert(g_str_has_prefix(text->str, "before:"));
    g_string_erase(text, 0, (gssize)strlen("before:"));
    return g_string_free(text, FALSE);
}

static guint put(Memory *memory, guint at, const void *value, guint bytes)
{
    at = (at + bytes - 1) / bytes * bytes;
    memcpy(memory->arguments + at, value, bytes);
    return at + bytes;
}

/* Flags, width, precision, size and type in all combinations, of values at the edges. */
START_TEST(integers_are_as_the_host_prints_them)
{
    static const char *const flags[] = {"", "-", "0", "+", " ", "#", "-+", "+0", "#0", " -#"};
    static const char *const widths[] = {"", "1", "7", "25"};
    static const char *const precisions[] = {"", ".", ".0", ".3", ".21"};
    static const char *const sizes[] = {"", "h", "hh", "l", "ll", "z", "t", "j"};
    static const guint64 values[] = {
        0,          1,           42,
        0x7f,       0x80,        0xffff8000,
        0x80000000, G_MAXUINT64, G_GUINT64_CONSTANT(0x123456789abcdef0)};
    const char types[] = "diouxX";
    WsPrintEnd end;
    for (guint n = 0; n < 10 * 4 * 5 * 8 * 6; n++) {
        const char *size = sizes[n / 200 % 8];
        Memory memory = {.strings = ""};
        char *spec = memory.format;
        g_snprintf(spec, ROOM, "%%%s%s%s%s%c", flags[n % 10], widths[n / 10 % 4],
                   precisions[n / 40 % 5], size, types[n / 1600]);
        for (guint v = 0; v < G_N_ELEMENTS(values); v++) {
            gboolean wide = *size != '\0' && *size != 'h';
            put(&memory, 0, &values[v], wide ? 8 : 4);
            g_autofree char *expected =
                wide ? g_strdup_printf(spec, values[v]) : g_strdup_printf(spec, (int)values[v]);
            g_autofree char *printed = print(&memory, &end);
            ck_assert_msg(strcmp(printed, expected) == 0, "%s: '%s', not '%s'", spec, printed,
                          expected);
            ck_assert_int_eq(end.returned, 1);
        }
    }
}
END_TEST

START_TEST(floats_are_as_the_host_prints_them)
{
    static const char *const front[] = {"%", "%-12", "%+", "%012", "%.0", "%.10", "% 20.3", "%#.0"};
    static const double values[] = {0,
                                    -0.0,
                                    1,
                                    -2.5,
                                    0.1,
                                    1e300,
                                    -1e-300,
                                    123456789,
                                    5e-324,
                                    (double)INFINITY,
                                    (double)-INFINITY,
                                    (double)NAN};
    const char types[] = "fFeEgGaA";
    WsPrintEnd end;
    for (guint f = 0; f < G_N_ELEMENTS(front); f++)
        for (const char *type = types; *type != '\0'; type++)
            for (guint v = 0; v < G_N_ELEMENTS(values); v++) {
                Memory memory = {.strings = ""};
                g_snprintf(memory.format, ROOM, "%s%c", front[f], *type);
                put(&memory, 0, &values[v], 8);
                g_autofree char *expected = g_strdup_printf(memory.format, values[v]);
                g_autofree char *printed = print(&memory, &end);
                ck_assert_str_eq(printed, expected);
            }
}
END_TEST

START_TEST(arguments_are_taken_in_order_at_multiples_of_their_size)
{
    Memory memory = {.strings = "word"};
    const gint32 width = -6, small = 7, letter = 'c';
    const guint64 where = STRINGS, null = 0, nowhere = 0x12345;
    const double real = 2.5;
    WsPrintEnd end;
    guint at = put(&memory, 0, &small, 4);
    at = put(&memory, at, &where, 8); /* 4 bytes are left out before it */
    at = put(&memory, at, &width, 4);
    at = put(&memory, at, &small, 4);
    at = put(&memory, at, &letter, 4);
    at = put(&memory, at, &real, 8);
    at = put(&memory, at, &null, 8);
    at = put(&memory, at, &nowhere, 8);
    at = put(&memory, at, &null, 8);
    at = put(&memory, at, &where, 8);
    put(&memory, at, &where, 8);
    strcpy(memory.format, "%d %s [%*d] %c %.1f %p %9p %s [%-6.2s] [%6s] 100%% %q %");
    g_autofree char *printed = print(&memory, &end);
    ck_assert_str_eq(printed,
                     "7 word [7     ] c 2.5 (nil)   0x12345 (null) [wo    ] [  word] 100% %q %");
    ck_assert_int_eq(end.returned, 11);
    ck_assert_ptr_null(end.fault);
}
END_TEST

START_TEST(at_most_32_arguments_are_taken)
{
    Memory memory = {.strings = ""};
    GString *expected = g_string_new(NULL);
    WsPrintEnd end;
    for (gint32 i = 0; i < 33; i++) {
        put(&memory, 4 * (guint)i, &i, 4);
        strcat(memory.format, "%d,");
        if (i < 32)
            g_string_append_printf(expected, "%d,", i);
    }
    g_string_append(expected, "%d,");
    g_autofree char *printed = print(&memory, &end);
    ck_assert_str_eq(printed, expected->str);
    ck_assert_int_eq(end.returned, 32);
    g_string_free(expected, TRUE);
}
END_TEST

START_TEST(what_cannot_be_printed_is_told)
{
    const WsPrintMemory how = {read_memory, &(Memory){.strings = ""}};
    g_autoptr(GString) text = g_string_new(NULL);
    WsPrintEnd end;
    ws_print_text(text, &how, 0, 0, LIMIT, &end);
    ck_assert_int_eq(end.returned, -1);
    ws_print_text(text, &how, 0x9999, 0, LIMIT, &end);
    ck_assert_str_eq(end.fault, "the format of printf is out of bounds");
    ck_assert_uint_eq(end.address, 0x9999);

    Memory memory = {.format = "a%d%s", .strings = ""};
    const WsPrintMemory with = {read_memory, &memory};
    ws_print_text(text, &with, FORMAT, 0x8000, LIMIT, &end);
    ck_assert_str_eq(end.fault, "the arguments of printf are out of bounds");
    ck_assert_uint_eq(end.address, 0x8000);
    const guint64 last = STRINGS + ROOM - 2;
    memset(memory.strings, 'x', ROOM);
    put(&memory, 8, &last, 8);
    ws_print_text(text, &with, FORMAT, ARGUMENTS, LIMIT, &end);
    ck_assert_str_eq(end.fault, "a string of printf is out of bounds");
    ck_assert_uint_eq(end.address, STRINGS + ROOM);
    ck_assert_uint_eq(text->len, 0);

    /* longer than the buffer, also where a width alone is */
    static const char *const formats[] = {"%500d", "%.500d", "%399dxx", "%2000000000d"};
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_strlcpy(memory.format, formats[i], ROOM);
        ws_print_text(text, &with, FORMAT, ARGUMENTS, LIMIT, &end);
        ck_assert_int_eq(end.returned, -2);
        ck_assert_ptr_null(end.fault);
        ck_assert_uint_eq(text->len, 0);
    }
}
END_TEST

/* ---- the buffer --------------------------------------------------------------------------------
 */

START_TEST(a_full_buffer_loses_the_oldest_calls)
{
    WsPrintLog log, copy;
    gsize length = 0;
    ws_print_log_init(&log, NULL, 3 * (WS_PRINT_CALL_BYTES + 4));
    for (guint i = 0; i < 1000; i++) {
        const WsPrintedCall call = {.cycle = i, .sm = 1, .slot = 2, .lane = 3, .length = 4};
        char text[8];
        g_snprintf(text, sizeof text, "%03u,", i);
        ws_print_log_add(&log, &call, text);
    }
    ck_assert_uint_eq(log.lost, 997);
    ws_print_log_copy(&log, &copy);
    ws_print_log_clear(&log);
    g_autofree char *all = ws_print_log_text(&copy, &length);
    ck_assert_str_eq(all, "997,998,999,");
    ck_assert_uint_eq(length, 12);
    const char *text;
    gsize at = 0;
    ck_assert_uint_eq(ws_print_log_next(&copy, &at, &text)->cycle, 997);
    ck_assert(memcmp(text, "997,", 4) == 0);

    /* one that alone is too long is lost, and leaves room for none */
    const WsPrintedCall large = {.length = 100};
    const WsPrintedCall exact = {.length = 3 * (WS_PRINT_CALL_BYTES + 4) - WS_PRINT_CALL_BYTES};
    const char blank[100] = "";
    ws_print_log_add(&copy, &exact, blank);
    ck_assert_uint_eq(copy.lost, 1000);
    ck_assert_uint_eq(copy.used, copy.limit);
    ws_print_log_add(&copy, &large, blank);
    ck_assert_uint_eq(copy.lost, 1002);
    at = 0;
    ck_assert_ptr_null(ws_print_log_next(&copy, &at, &text));
    ws_print_log_clear(&copy);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, integers_are_as_the_host_prints_them);
    tcase_add_test(cases, floats_are_as_the_host_prints_them);
    tcase_add_test(cases, arguments_are_taken_in_order_at_multiples_of_their_size);
    tcase_add_test(cases, at_most_32_arguments_are_taken);
    tcase_add_test(cases, what_cannot_be_printed_is_told);
    tcase_add_test(cases, a_full_buffer_loses_the_oldest_calls);
}

int main(void)
{
    return run_suite("print", add_tests);
}
