/* Fat binaries of nvcc (tests/data/nvcc), whole and damaged. */
#include "isa/fatbin/fatbin.h"

#include <string.h>

#include "tests/support/suite.h"

static const char *const files[] = {"plain", "lz4", "zstd"};

static GBytes *contents(const char *name)
{
    char *text;
    gsize length;
    g_autofree char *path = g_strdup_printf("%s/nvcc/%s.fatbin", g_getenv("WS_TEST_DATA"), name);
    ck_assert(g_file_get_contents(path, &text, &length, NULL));
    return g_bytes_new_take(text, length);
}

/* The PTX for a device, or NULL with the error. */
static char *ptx_of(const guint8 *bytes, gsize size, guint capability, GError **error)
{
    g_autoptr(GArray) images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage));
    return ws_fatbin_add_images(bytes, size, images, error)
               ? ws_fatbin_ptx(images, capability, error)
               : NULL;
}

START_TEST(the_newest_that_is_taken)
{
    static const struct {
        guint capability;
        const char *target;
    } cases[] = {{75, ".target sm_75\n"},
                 {80, ".target sm_75\n"},
                 {89, ".target sm_75\n"},
                 {90, ".target sm_90\n"},
                 {120, ".target sm_90\n"}};
    g_autoptr(GBytes) file = contents(files[_i]);
    gsize size;
    const guint8 *bytes = g_bytes_get_data(file, &size);
    ck_assert_uint_eq(ws_fatbin_bytes(bytes), size);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = ptx_of(bytes, size, cases[i].capability, &error);
        ck_assert_msg(text != NULL, "%s", error == NULL ? "" : error->message);
        ck_assert_ptr_nonnull(strstr(text, cases[i].target));
        ck_assert_ptr_nonnull(strstr(text, ".visible .entry scale("));
        ck_assert_ptr_nonnull(strstr(text, "ret;\n\n}"));
    }
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ptx_of(bytes, size, 70, &error));
    ck_assert_str_eq(error->message,
                     "error: the program has no PTX for a device of compute capability 7.0, but "
                     "compute_75, compute_90: build it with 'nvcc -gencode "
                     "arch=compute_70,code=compute_70'");
}
END_TEST

/* As in a section: containers one behind the other, at multiples of 8. */
START_TEST(containers_of_a_section)
{
    g_autoptr(GArray) images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage));
    g_autoptr(GByteArray) section = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    static const guint8 zeros[16];
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(GBytes) file = contents(files[i]);
        gsize size;
        const guint8 *bytes = g_bytes_get_data(file, &size);
        g_byte_array_append(section, bytes, (guint)size);
        g_byte_array_append(section, zeros, 8 * i);
    }
    ck_assert(ws_fatbin_add_section(section->data, section->len, images, &error));
    ck_assert_uint_eq(images->len, 6);
    g_autofree char *names = ws_fatbin_names(images);
    ck_assert_str_eq(names, "compute_75, compute_90");
    g_byte_array_append(section, (const guint8 *)"x", 1);
    ck_assert(!ws_fatbin_add_section(section->data, section->len, images, &error));
    ck_assert_str_eq(error->message,
                     "error: the fat binary of nvcc is damaged: it does not begin like one");
}
END_TEST

START_TEST(what_an_architecture_takes)
{
    static const struct {
        WsFatbinImage image;
        guint capability;
        gboolean taken;
    } cases[] = {
        {{.kind = WS_FATBIN_PTX, .capability = 80}, 80, TRUE},
        {{.kind = WS_FATBIN_PTX, .capability = 80}, 75, FALSE},
        {{.kind = WS_FATBIN_PTX, .capability = 80}, 120, TRUE},
        {{.kind = WS_FATBIN_CODE, .capability = 80}, 80, FALSE},
        {{.kind = WS_FATBIN_PTX, .capability = 90, .suffix = 'a'}, 90, TRUE},
        {{.kind = WS_FATBIN_PTX, .capability = 90, .suffix = 'a'}, 100, FALSE},
        {{.kind = WS_FATBIN_PTX, .capability = 100, .suffix = 'f'}, 103, TRUE},
        {{.kind = WS_FATBIN_PTX, .capability = 100, .suffix = 'f'}, 120, FALSE},
        {{.kind = WS_FATBIN_PTX, .capability = 103, .suffix = 'f'}, 100, FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_msg(ws_fatbin_is_taken(&cases[i].image, cases[i].capability) == cases[i].taken,
                      "%u", i);
}
END_TEST

START_TEST(names_of_images)
{
    static const WsFatbinImage all[] = {{.kind = WS_FATBIN_CODE, .capability = 90, .suffix = 'a'},
                                        {.kind = WS_FATBIN_CODE, .capability = 80},
                                        {.kind = WS_FATBIN_CODE, .capability = 80},
                                        {.kind = WS_FATBIN_PTX, .capability = 100, .suffix = 'f'}};
    g_autoptr(GArray) images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage));
    g_array_append_vals(images, all, G_N_ELEMENTS(all));
    g_autofree char *names = ws_fatbin_names(images);
    ck_assert_str_eq(names, "sm_90a, sm_80, compute_100f");
}
END_TEST

/* ---- damage ----------------------------------------------------------------------------------
 */

/* Bytes in memory of just their size, so that sanitizers see a read behind them. */
static void assert_read_or_refused(const guint8 *bytes, gsize size)
{
    g_autofree guint8 *copy = g_memdup2(bytes, size);
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ptx_of(copy, size, 90, &error);
    ck_assert((text == NULL) == (error != NULL));
}

static void assert_refused(const guint8 *bytes, gsize size, const char *why)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ptx_of(bytes, size, 90, &error));
    g_autofree char *expected =
        g_strconcat("error: the fat binary of nvcc is damaged: ", why, NULL);
    ck_assert_str_eq(error->message, expected);
    ck_assert_int_eq(error->code, WS_ERROR_INPUT);
}

START_TEST(cut_off)
{
    g_autoptr(GBytes) file = contents(files[_i]);
    gsize size;
    const guint8 *bytes = g_bytes_get_data(file, &size);
    for (gsize length = 0; length < size; length++)
        assert_refused(bytes, length, length < 16 ? "it does not begin like one" : "it is cut off");
}
END_TEST

START_TEST(changed_bytes)
{
    static const guint8 values[] = {0, 1, 0x7f, 0x80, 0xff};
    g_autoptr(GBytes) file = contents(files[_i]);
    gsize size;
    const guint8 *bytes = g_bytes_get_data(file, &size);
    g_autofree guint8 *changed = g_memdup2(bytes, size);
    for (gsize at = 0; at < size; at++) {
        for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
            changed[at] = values[i];
            assert_read_or_refused(changed, size);
        }
        changed[at] = bytes[at];
    }
}
END_TEST

/* Fields of the first image, whose header is behind the container's. */
START_TEST(wrong_sizes)
{
    static const struct {
        const char *file;
        gsize at;
        guint8 bytes[8];
        guint count;
        const char *why;
    } cases[] = {
        {"plain", 4, {2, 0}, 2, "it is of a version that is not known"},
        {"plain", 6, {15, 0}, 2, "it does not begin like one"},
        {"plain",
         8,
         {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
         8,
         "it does not begin like one"},
        {"plain", 8, {32, 0, 0, 0, 0, 0, 0, 0}, 8, "the header of an image is cut off"},
        {"plain", 16 + 4, {63, 0, 0, 0}, 4, "an image is longer than its container"},
        {"plain",
         16 + 8,
         {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
         8,
         "an image is longer than its container"},
        {"zstd", 16 + 16, {0xff, 0xff, 0xff, 0xff}, 4, "an image is longer than its container"},
        {"zstd", 16 + 56, {0}, 8, "an image is packed and has no length"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GBytes) file = contents(cases[i].file);
        gsize size;
        g_autofree guint8 *bytes = g_memdup2(g_bytes_get_data(file, &size), g_bytes_get_size(file));
        size = g_bytes_get_size(file);
        memcpy(bytes + cases[i].at, cases[i].bytes, cases[i].count);
        assert_refused(bytes, size, cases[i].why);
    }
}
END_TEST

/* The length that is told is not the one that comes out, or no memory would hold it. */
START_TEST(wrong_lengths_unpacked)
{
    enum { LENGTH_AT = 16 + 56 };
    g_autoptr(GBytes) file = contents(files[_i]);
    gsize size = g_bytes_get_size(file);
    g_autofree guint8 *bytes = g_memdup2(g_bytes_get_data(file, NULL), size);
    const guint8 before = bytes[LENGTH_AT];
    g_autoptr(GError) error = NULL;
    for (int step = -1; step <= 1; step += 2) {
        bytes[LENGTH_AT] = (guint8)(before + step);
        g_autoptr(GArray) images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage));
        g_autoptr(GError) damage = NULL;
        ck_assert(ws_fatbin_add_images(bytes, size, images, NULL));
        ck_assert_ptr_null(ws_fatbin_ptx(images, 75, &damage));
        ck_assert_str_eq(damage->message,
                         "error: the fat binary of nvcc is damaged: its PTX does not unpack");
    }
    bytes[LENGTH_AT + 7] = 0x40;
    ck_assert_ptr_null(ptx_of(bytes, size, 75, &error));
    ck_assert_str_eq(error->message, "error: the PTX has more than 64 MiB");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, the_newest_that_is_taken, 0, G_N_ELEMENTS(files));
    tcase_add_test(cases, containers_of_a_section);
    tcase_add_test(cases, what_an_architecture_takes);
    tcase_add_test(cases, names_of_images);
    tcase_add_loop_test(cases, cut_off, 0, G_N_ELEMENTS(files));
    tcase_add_loop_test(cases, changed_bytes, 0, G_N_ELEMENTS(files));
    tcase_add_test(cases, wrong_sizes);
    tcase_add_loop_test(cases, wrong_lengths_unpacked, 1, G_N_ELEMENTS(files));
}

int main(void)
{
    return run_suite("fatbin", add_tests);
}
