/*
 * Precompiled headers change nothing: what is kept of a compile with them is, to the byte, what is
 * kept of one without. `test_precompiled_headers FOLDER [EVERY]`: of each EVERY-th source below
 * FOLDER, optimised and for the checks in turn, or of all both ways.
 */
#include "isa/base/error.h"
#include "isa/cuda/find_clang.h"
#include "isa/cuda/header_words.h"
#include "isa/cuda/precompiled_headers.h"
#include "isa/cuda/ptx_cache.h"
#include "isa/ir/ir.h"

#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char *clang; /* the path of the one that is found */

static const char *sources_folder;
static guint every = 1;
static char *folder, *primed;

static void empty_folder(const char *path)
{
    g_autoptr(GDir) names = g_dir_open(path, 0, NULL);
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        if (g_file_test(file, G_FILE_TEST_IS_DIR))
            empty_folder(file);
        ck_assert_int_eq(g_remove(file), 0);
    }
}

static WsCompileOptions options_with(const char *cache, gboolean for_checks)
{
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.bounds.cache = cache;
    options.bounds.header_cache = cache;
    options.for_checks = for_checks;
    return options;
}

static char *compile(const char *path, const WsCompileOptions *options)
{
    g_autoptr(GError) error = NULL;
    char *ptx = ws_cuda_to_ptx(path, options, NULL, NULL, &error);
    ck_assert_msg(ptx != NULL, "%s", error != NULL ? error->message : "");
    return ptx;
}

static void write_text(const char *path, const char *text)
{
    ck_assert(g_file_set_contents(path, text, -1, NULL));
}

/* A cache that has the headers: they are made with the second program that it gets. */
static void prime(const char *cache)
{
    const WsCompileOptions fast = options_with(cache, FALSE), checked = options_with(cache, TRUE);
    g_free((write_text("first.cu", "__global__ void first() {}\n"), compile("first.cu", &fast)));
    g_free((write_text("next.cu", "__global__ void next() {}\n"), compile("next.cu", &fast)));
    g_free(compile("next.cu", &checked));
}

static void set_up(void)
{
    folder = g_dir_make_tmp("ws-headers-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    ck_assert_int_eq(g_chdir(folder), 0);
    g_unsetenv("WARPSTEP_CLANG");
    primed = g_build_filename(folder, "primed", NULL);
    prime(primed);
}

static void tear_down(void)
{
    ck_assert_int_eq(g_chdir("/"), 0);
    empty_folder(folder);
    g_rmdir(folder);
    g_clear_pointer(&folder, g_free);
    g_clear_pointer(&primed, g_free);
}

static guint count_headers(const char *cache)
{
    guint count = 0;
    g_autoptr(GDir) names = g_dir_open(cache, 0, NULL);
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;)
        count += g_str_has_suffix(name, ".pch");
    return count;
}

START_TEST(made_with_the_second_program)
{
    const WsCompileOptions options = options_with("new", FALSE);
    g_free(compile("first.cu", &options));
    ck_assert_uint_eq(count_headers("new"), 0);
    g_free(compile("next.cu", &options));
    ck_assert_uint_eq(count_headers("new"), 1);
    ck_assert_uint_eq(count_headers(primed), 2); /* one is for the checks */
}
END_TEST

static gint64 children_microseconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * (gint64)G_USEC_PER_SEC +
           used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

/* The least processor time of clang of some compiles, each of another text. */
static gint64 cost(const char *cache, gboolean fresh)
{
    gint64 least = G_MAXINT64;
    for (guint i = 0; i < 3; i++) {
        g_autofree char *text = g_strdup_printf("__global__ void k%u() {}\n", i);
        g_autofree char *own = g_strdup_printf("%s%u", cache, i);
        const WsCompileOptions options = options_with(fresh ? own : cache, FALSE);
        write_text("k.cu", text);
        const gint64 before = children_microseconds();
        g_free(compile("k.cu", &options));
        least = MIN(least, children_microseconds() - before);
    }
    return least;
}

START_TEST(less_than_half_of_the_time)
{
    const gint64 with = cost(primed, FALSE), without = cost("fresh", TRUE);
    ck_assert_msg(with * 2 < without, "%" G_GINT64_FORMAT " us with, %" G_GINT64_FORMAT " without",
                  with, without);
}
END_TEST

/* ---- the same result --------------------------------------------------------------------------
 */

/* What is kept in `cache` that is not in `known`, which then has it. One entry, whose name is
 * `ret`. */
static char *new_entry(const char *cache, GHashTable *known)
{
    char *found = NULL;
    g_autoptr(GDir) names = g_dir_open(cache, 0, NULL);
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
        if (g_str_has_suffix(name, ".pch") || !g_hash_table_add(known, g_strdup(name)))
            continue;
        ck_assert_ptr_null(found);
        found = g_strdup(name);
    }
    return found;
}

/*
 * A cache that is new has no headers, and gives the plain compile. FALSE if that fails, as it is
 * meant to for some sources, which want a macro or are wrong: then with the same message.
 */
static gboolean compare(const char *path, gboolean for_checks, GHashTable *known)
{
    const WsCompileOptions plain = options_with("plain", for_checks);
    const WsCompileOptions quick = options_with(primed, for_checks);
    g_autoptr(GHashTable) none = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GError) failure = NULL, error = NULL;
    g_autofree char *first = ws_cuda_to_ptx(path, &plain, NULL, NULL, &failure);
    g_autofree char *second = ws_cuda_to_ptx(path, &quick, NULL, NULL, &error);
    if (first == NULL || second == NULL) {
        ck_assert_msg(failure != NULL && error != NULL, "%s", path);
        ck_assert_str_eq(failure->message, error->message);
        return FALSE;
    }
    g_autofree char *expected = new_entry("plain", none);
    g_autofree char *name = new_entry(primed, known);
    ck_assert_msg(strcmp(first, second) == 0, "%s", path);
    ck_assert_msg(g_strcmp0(expected, name) == 0 && name != NULL, "%s: %s, %s", path, expected,
                  name);
    g_autofree char *expected_path = g_build_filename("plain", name, NULL);
    g_autofree char *given_path = g_build_filename(primed, name, NULL);
    g_autofree char *expected_text = NULL, *text = NULL;
    gsize expected_length, length;
    ck_assert(g_file_get_contents(expected_path, &expected_text, &expected_length, NULL));
    ck_assert(g_file_get_contents(given_path, &text, &length, NULL));
    ck_assert_msg(length == expected_length && memcmp(text, expected_text, length) == 0, "%s",
                  path);
    empty_folder("plain");
    return TRUE;
}

static void find_sources(const char *path, GPtrArray *found)
{
    g_autoptr(GDir) names = g_dir_open(path, 0, NULL);
    for (const char *name; names != NULL && (name = g_dir_read_name(names)) != NULL;) {
        char *file = g_build_filename(path, name, NULL);
        if (g_str_has_suffix(name, ".cu") || g_str_has_suffix(name, ".c"))
            g_ptr_array_add(found, file);
        else {
            find_sources(file, found);
            g_free(file);
        }
    }
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

START_TEST(same_as_without)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(g_free);
    guint compared = 0;
    find_sources(sources_folder, sources);
    g_ptr_array_sort(sources, compare_paths);
    ck_assert_uint_gt(sources->len, 100);
    g_free((new_entry("nothing", known)));
    g_autoptr(GDir) names = g_dir_open(primed, 0, NULL);
    for (const char *name; (name = g_dir_read_name(names)) != NULL;)
        g_hash_table_add(known, g_strdup(name));
    /* clang refuses this one at first: it is compiled three times. */
    write_text("assembly.cu", "__global__ void k(int *p) { int a; asm(\"mov.u32 %0, %smid;\" : "
                              "\"=r\"(a)); *p = a; }\n");
    ck_assert(compare("assembly.cu", FALSE, known));
    for (guint i = every / 2; i < sources->len; i += every)
        for (guint for_checks = 0; for_checks < 2; for_checks++)
            if (every == 1 || i / every % 2 == for_checks)
                compared += compare(g_ptr_array_index(sources, i), for_checks != 0, known);
    ck_assert_uint_gt(compared, sources->len / every * 3 / 4);
}
END_TEST

static char *message_of(const char *cache, const char *const *defines)
{
    g_autoptr(GError) error = NULL;
    WsCompileOptions options = options_with(cache, FALSE);
    options.defines = defines;
    ck_assert_ptr_null(ws_cuda_to_ptx("wrong.cu", &options, NULL, NULL, &error));
    return g_strdup(error->message);
}

START_TEST(messages_are_the_same)
{
    static const char *const texts[] = {
        "__global__ void k() { int a = ; }\n",
        "\n\n__global__ void k(int *p) { *p = NUMBER; }\n", /* a note of the command line */
        "__global__ void k() { __syncthreads(1, 2, 3); sinf(\"a\"); }\n", /* notes of headers */
        "#include \"absent.h\"\n",
        "int threadIdx;\n",
        "#error done\n",
    };
    static const char *const defines[] = {"OTHER=1", "NUMBER=(1", NULL};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        write_text("wrong.cu", texts[i]);
        g_autofree char *with = message_of(primed, defines);
        g_autofree char *without = message_of(NULL, defines);
        ck_assert_str_eq(with, without);
    }
}
END_TEST

/* ---- where they do not stand for the headers --------------------------------------------------
 */

static gboolean are_used_of(const char *cache, const char *path, const char *const *defines,
                            const char *const *includes)
{
    WsCompileOptions options = options_with(cache, FALSE);
    options.defines = defines;
    options.includes = includes;
    const WsClangLimits limits = {.clang = clang,
                                  .sandboxed = TRUE,
                                  .cpu_seconds = 60,
                                  .stuck_seconds = 60,
                                  .threads = 64,
                                  .memory_bytes = G_GUINT64_CONSTANT(1) << 30,
                                  .output_bytes = 64 << 20};
    g_autoptr(WsClangView) view = ws_clang_view_new(NULL);
    ck_assert_ptr_nonnull(view);
    g_autoptr(WsCudaFiles) files = ws_cuda_files_new(path, &options, view, NULL);
    ck_assert_ptr_nonnull(files);
    g_autofree char *headers = ws_precompiled_headers_add(&limits, path, &options, files, view);
    return headers != NULL;
}

static gboolean are_used(const char *path, const char *const *defines, const char *const *includes)
{
    return are_used_of(primed, path, defines, includes);
}

START_TEST(macros)
{
    static const struct {
        const char *define;
        gboolean used;
    } cases[] = {
        {"N", TRUE},
        {"N=4", TRUE},
        {"OPERATIONS=1", TRUE},
        {"FUNCTION(x)=x", TRUE},
        {"NDEBUG", FALSE},
        {"float=double", FALSE},
        {"inline=", FALSE},
        {"_GNU_SOURCE", FALSE},
        {"__OPTIMIZE__=1", FALSE},
        {"sinf=cosf", FALSE},
        {"log1pf(x)=x", FALSE},
        {"threadIdx=blockIdx", FALSE},
        {"4=5", FALSE},
        {"N\xc3\xa9=5", FALSE},
        {"", FALSE},
    };
    write_text("k.cu", "__global__ void k() {}\n");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const defines[] = {"M=1", cases[i].define, NULL};
        ck_assert_msg(are_used("k.cu", defines, NULL) == cases[i].used, "%s", cases[i].define);
    }
}
END_TEST

START_TEST(folders_and_files)
{
    static const char *const own[] = {"own", NULL}, *const top[] = {"/", NULL},
                             *const ours[] = {"/.warpstep/include/warpstep", NULL},
                             *const above[] = {"/.warpstep", NULL},
                             *const round_about[] = {"/tmp/../.warpstep/include/std", NULL};
    ck_assert_int_eq(g_mkdir("own", 0700), 0);
    write_text("own/math.h", "#include_next <math.h>\n");
    write_text("own/bits.h", "");
    write_text("k.cu", "#include \"bits.h\"\n__global__ void k() {}\n");
    ck_assert(are_used("k.cu", NULL, own)); /* nothing asks for own/math.h: clang does not see it */
    ck_assert(!are_used("k.cu", NULL, above));
    ck_assert(!are_used("k.cu", NULL, top));
    ck_assert(!are_used("k.cu", NULL, ours));
    ck_assert(!are_used("k.cu", NULL, round_about));
    write_text("k.cu", "#include <math.h>\n__global__ void k() {}\n");
    ck_assert(are_used("k.cu", NULL, NULL));
    ck_assert(!are_used("k.cu", NULL, own));
}
END_TEST

/* A header of the user's in front of one of the system's is read by the headers as well. */
START_TEST(a_header_in_front)
{
    static const char *const own[] = {"front", NULL};
    WsCompileOptions options = options_with(primed, FALSE);
    ck_assert_int_eq(g_mkdir("front", 0700), 0);
    write_text("front/limits.h", "#define INT_MAX 77\n");
    write_text("k.cu", "#include <limits.h>\n__global__ void k(int *p) { *p = INT_MAX; }\n");
    options.includes = own;
    g_autofree char *with = compile("k.cu", &options);
    options.bounds.cache = NULL;
    options.bounds.header_cache = NULL;
    g_autofree char *without = compile("k.cu", &options);
    ck_assert_str_eq(with, without);
    ck_assert_ptr_nonnull(strstr(with, "77"));
}
END_TEST

START_TEST(words)
{
    static const char text[] =
        "int one; // two\\\nthree\n/* four \" */ #define five(x) \"six\\\"\" 'a' "
        "7'000'000u\n#error don't\neight/*nine*/ten 0x1p3 \"//\" eleven";
    static const char *const there[] = {"int",   "one",   "five", "six",
                                        "error", "eight", "ten",  "eleven"};
    static const char *const absent[] = {"two", "three", "four", "nine", "0x1p3", "7"};
    g_autoptr(GHashTable) found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    ws_header_words(text, strlen(text), found);
    for (guint i = 0; i < G_N_ELEMENTS(there); i++)
        ck_assert_msg(g_hash_table_contains(found, there[i]), "%s", there[i]);
    for (guint i = 0; i < G_N_ELEMENTS(absent); i++)
        ck_assert_msg(!g_hash_table_contains(found, absent[i]), "%s", absent[i]);
}
END_TEST

/* ---- what is kept -----------------------------------------------------------------------------
 */

/* Headers that clang refuses, or that it could not make, are passed over. */
START_TEST(of_no_use)
{
    static const char *const contents[] = {"", "rubbish", "CPCH and no more"};
    g_autoptr(GDir) names = g_dir_open(primed, 0, NULL);
    const WsCompileOptions options = options_with("useless", FALSE),
                           plain = options_with(NULL, FALSE);
    for (guint i = 0; i < G_N_ELEMENTS(contents); i++) {
        g_autofree char *text = g_strdup_printf("__global__ void k(int *p) { *p = %u; }\n", i);
        const WsPrecompiledHeaders headers = {g_bytes_new_static(contents[i], strlen(contents[i])),
                                              "\n", "\n"};
        g_dir_rewind(names);
        for (const char *name; (name = g_dir_read_name(names)) != NULL;)
            if (g_str_has_suffix(name, ".pch"))
                ws_ptx_cache_put_headers("useless", name, &headers);
        write_text("k.cu", text);
        g_autofree char *with = compile("k.cu", &options);
        g_autofree char *without = compile("k.cu", &plain);
        ck_assert_str_eq(with, without);
        ck_assert(are_used_of("useless", "k.cu", NULL, NULL) == (*contents[i] != '\0'));
        g_bytes_unref(headers.data);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("precompiled_headers");
    TCase *cases = tcase_create("precompiled_headers");
    if (argc < 2)
        return EXIT_FAILURE;
    sources_folder = argv[1];
    every = argc > 2 ? (guint)atoi(argv[2]) : 1;
    g_unsetenv("WARPSTEP_CLANG");
    clang = ws_find_clang(NULL);
    if (clang == NULL) {
        g_print("1..0 # SKIP there is no clang\n");
        return EXIT_SUCCESS;
    }
    tcase_add_unchecked_fixture(cases, set_up, tear_down);
    if (every > 1) {
        tcase_add_test(cases, made_with_the_second_program);
        tcase_add_test(cases, less_than_half_of_the_time);
        tcase_add_test(cases, messages_are_the_same);
        tcase_add_test(cases, macros);
        tcase_add_test(cases, folders_and_files);
        tcase_add_test(cases, a_header_in_front);
        tcase_add_test(cases, words);
        tcase_add_test(cases, of_no_use);
    } else {
        tcase_set_timeout(cases, 3600);
    }
    tcase_add_test(cases, same_as_without);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    g_free(clang);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
