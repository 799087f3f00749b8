#include "cli/cc_options.h"

#include "cli/command.h"

#include <string.h>

typedef enum {
    ALONE,  /* -c */
    VALUE,  /* -o FILE, --output-file=FILE */
    JOINED, /* -Ifolder, -I folder, -I=folder */
    PREFIX  /* -O2: all that begins so, as one word */
} Form;

typedef enum {
    IGNORED,
    TO_BOTH,
    STANDARD, /* of C++: for both passes, not for C */
    TO_HOST,
    TO_LINK,
    TO_HOST_AND_LINK,
    HOST_WORDS, /* -Xcompiler: words between commas */
    LINK_WORDS, /* -Xlinker: likewise */
    OUTPUT,
    LANGUAGE,
    COMPILE_ONLY,
    PTX_ONLY
} Meaning;

typedef struct {
    const char *name;
    Form form;
    Meaning meaning;
    const char *clang; /* what clang calls it, if it is another name */
} Row;

/* The first row that fits counts. */
static const Row rows[] = {
    {"-o", JOINED, OUTPUT, NULL},
    {"--output-file", VALUE, OUTPUT, NULL},
    {"-c", ALONE, COMPILE_ONLY, NULL},
    {"-dc", ALONE, COMPILE_ONLY, NULL},
    {"--compile", ALONE, COMPILE_ONLY, NULL},
    {"--device-c", ALONE, COMPILE_ONLY, NULL},
    {"-ptx", ALONE, PTX_ONLY, NULL},
    {"--ptx", ALONE, PTX_ONLY, NULL},
    {"-x", VALUE, LANGUAGE, NULL},
    {"--x", VALUE, LANGUAGE, NULL},
    {"-isystem", VALUE, TO_BOTH, NULL},
    {"--system-include", VALUE, TO_BOTH, "-isystem"},
    {"-include", VALUE, TO_BOTH, NULL},
    {"--pre-include", VALUE, TO_BOTH, "-include"},
    {"-I", JOINED, TO_BOTH, NULL},
    {"--include-path", VALUE, TO_BOTH, "-I"},
    {"-D", JOINED, TO_BOTH, NULL},
    {"--define-macro", VALUE, TO_BOTH, "-D"},
    {"-U", JOINED, TO_BOTH, NULL},
    {"--undefine-macro", VALUE, TO_BOTH, "-U"},
    {"--std", VALUE, STANDARD, "-std="},
    {"-std", VALUE, STANDARD, "-std="},
    {"-O", PREFIX, TO_HOST, NULL},
    {"--optimize", VALUE, TO_HOST, "-O"},
    {"-g", ALONE, TO_HOST, NULL},
    {"-g0", ALONE, TO_HOST, NULL},
    {"-g1", ALONE, TO_HOST, NULL},
    {"-g2", ALONE, TO_HOST, NULL},
    {"-g3", ALONE, TO_HOST, NULL},
    {"-ggdb", ALONE, TO_HOST, NULL},
    {"--debug", ALONE, TO_HOST, "-g"},
    {"-fopenmp", ALONE, TO_HOST_AND_LINK, NULL},
    {"-pthread", ALONE, TO_HOST_AND_LINK, NULL},
    {"-fPIC", ALONE, TO_HOST, NULL},
    {"-fpic", ALONE, TO_HOST, NULL},
    {"-MD", ALONE, TO_HOST, NULL},
    {"-MMD", ALONE, TO_HOST, NULL},
    {"-MP", ALONE, TO_HOST, NULL},
    {"-MF", VALUE, TO_HOST, NULL},
    {"-MT", VALUE, TO_HOST, NULL},
    {"-Xcompiler", VALUE, HOST_WORDS, NULL},
    {"--compiler-options", VALUE, HOST_WORDS, NULL},
    {"-Xlinker", VALUE, LINK_WORDS, NULL},
    {"--linker-options", VALUE, LINK_WORDS, NULL},
    {"-lineinfo", ALONE, IGNORED, NULL},
    {"-lcudart", ALONE, IGNORED, NULL},
    {"-lcudart_static", ALONE, IGNORED, NULL},
    {"-lcudadevrt", ALONE, IGNORED, NULL},
    {"-l", JOINED, TO_LINK, NULL},
    {"--library", VALUE, TO_LINK, "-l"},
    {"-L", JOINED, TO_LINK, NULL},
    {"--library-path", VALUE, TO_LINK, "-L"},
    {"-Wl,", PREFIX, TO_LINK, NULL},
    {"-shared", ALONE, TO_LINK, NULL},
    {"--shared", ALONE, TO_LINK, "-shared"},
    {"-W", PREFIX, IGNORED, NULL},
    {"-w", ALONE, IGNORED, NULL},
    {"--disable-warnings", ALONE, IGNORED, NULL},
    {"-G", ALONE, IGNORED, NULL},
    {"--device-debug", ALONE, IGNORED, NULL},
    {"--generate-line-info", ALONE, IGNORED, NULL},
    {"-arch", VALUE, IGNORED, NULL},
    {"--gpu-architecture", VALUE, IGNORED, NULL},
    {"-code", VALUE, IGNORED, NULL},
    {"--gpu-code", VALUE, IGNORED, NULL},
    {"-gencode", VALUE, IGNORED, NULL},
    {"--generate-code", VALUE, IGNORED, NULL},
    {"-rdc", VALUE, IGNORED, NULL},
    {"--relocatable-device-code", VALUE, IGNORED, NULL},
    {"-cudart", VALUE, IGNORED, NULL},
    {"--cudart", VALUE, IGNORED, NULL},
    {"-ccbin", VALUE, IGNORED, NULL},
    {"--compiler-bindir", VALUE, IGNORED, NULL},
    {"-maxrregcount", VALUE, IGNORED, NULL},
    {"--maxrregcount", VALUE, IGNORED, NULL},
    {"-use_fast_math", ALONE, IGNORED, NULL},
    {"--use_fast_math", ALONE, IGNORED, NULL},
    {"-m64", ALONE, IGNORED, NULL},
    {"--threads", VALUE, IGNORED, NULL},
    {"-t", VALUE, IGNORED, NULL},
    {"-Xptxas", VALUE, IGNORED, NULL},
    {"--ptxas-options", VALUE, IGNORED, NULL},
    {"-Xcudafe", VALUE, IGNORED, NULL},
    {"--expt-relaxed-constexpr", ALONE, IGNORED, NULL},
    {"-expt-relaxed-constexpr", ALONE, IGNORED, NULL},
    {"--expt-extended-lambda", ALONE, IGNORED, NULL},
    {"-expt-extended-lambda", ALONE, IGNORED, NULL},
    {"--extended-lambda", ALONE, IGNORED, NULL},
    {"-extended-lambda", ALONE, IGNORED, NULL},
    {"-diag-suppress", VALUE, IGNORED, NULL},
    {"--diag-suppress", VALUE, IGNORED, NULL},
    {"-allow-unsupported-compiler", ALONE, IGNORED, NULL},
};

static GPtrArray *words_new(void)
{
    return g_ptr_array_new_with_free_func(g_free);
}

void ws_cc_options_clear(WsCcOptions *options)
{
    g_clear_pointer(&options->both, g_ptr_array_unref);
    g_clear_pointer(&options->cplusplus, g_ptr_array_unref);
    g_clear_pointer(&options->host, g_ptr_array_unref);
    g_clear_pointer(&options->link, g_ptr_array_unref);
    g_clear_pointer(&options->inputs, g_ptr_array_unref);
    g_clear_pointer(&options->output, g_free);
    g_clear_pointer(&options->language, g_free);
}

/* Whether the word is an option of the row; `ret` is a value in the same word, or NULL. */
static gboolean fits(const Row *row, const char *word, const char **ret)
{
    gsize length = strlen(row->name);
    const char *rest = word + length;
    *ret = NULL;
    if (strncmp(word, row->name, length) != 0)
        return FALSE;
    if (*rest == '\0' || row->form == PREFIX)
        return TRUE;
    if (*rest == '=' && row->form != ALONE)
        *ret = rest + 1;
    else if (row->form == JOINED)
        *ret = rest;
    return *ret != NULL;
}

/* As clang takes them: short names with the value in the same word, words apart. */
static void add_option(GPtrArray *words, const Row *row, const char *word, const char *value)
{
    const char *name = row->clang != NULL ? row->clang : row->name;
    if (value == NULL) {
        g_ptr_array_add(words, g_strdup(row->form == PREFIX ? word : name));
    } else if (strlen(name) == 2 || g_str_has_suffix(name, "=")) {
        g_ptr_array_add(words, g_strconcat(name, value, NULL));
    } else {
        g_ptr_array_add(words, g_strdup(name));
        g_ptr_array_add(words, g_strdup(value));
    }
}

static void add_host_words(WsCcOptions *options, const char *value)
{
    g_auto(GStrv) words = g_strsplit_set(value, ", ", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        if (*words[i] == '\0')
            continue;
        g_ptr_array_add(options->host, g_strdup(words[i]));
        if (strcmp(words[i], "-fopenmp") == 0 || strcmp(words[i], "-pthread") == 0)
            g_ptr_array_add(options->link, g_strdup(words[i]));
    }
}

static void add_link_words(WsCcOptions *options, const char *value)
{
    g_auto(GStrv) words = g_strsplit(value, ",", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        g_ptr_array_add(options->link, g_strdup("-Xlinker"));
        g_ptr_array_add(options->link, g_strdup(words[i]));
    }
}

static void take(WsCcOptions *options, const Row *row, const char *word, const char *value)
{
    switch (row->meaning) {
    case IGNORED:
        break;
    case TO_BOTH:
        add_option(options->both, row, word, value);
        break;
    case STANDARD:
        add_option(options->cplusplus, row, word, value);
        break;
    case TO_HOST_AND_LINK:
        add_option(options->link, row, word, value);
        add_option(options->host, row, word, value);
        break;
    case TO_HOST:
        add_option(options->host, row, word, value);
        break;
    case TO_LINK:
        add_option(options->link, row, word, value);
        break;
    case HOST_WORDS:
        add_host_words(options, value);
        break;
    case LINK_WORDS:
        add_link_words(options, value);
        break;
    case OUTPUT:
        g_free(options->output);
        options->output = g_strdup(value);
        break;
    case LANGUAGE:
        g_free(options->language);
        options->language = g_strdup(value);
        break;
    case COMPILE_ONLY:
        options->compile_only = TRUE;
        break;
    case PTX_ONLY:
        options->ptx_only = TRUE;
        break;
    }
}

gboolean ws_cc_options_parse(WsCcOptions *options, char *const *arguments)
{
    *options = (WsCcOptions){.both = words_new(),
                             .cplusplus = words_new(),
                             .host = words_new(),
                             .link = words_new(),
                             .inputs = words_new()};
    for (; *arguments != NULL; arguments++) {
        const char *word = *arguments, *value = NULL;
        guint row = 0;
        if (*word != '-') {
            g_ptr_array_add(options->inputs, g_strdup(word));
            continue;
        }
        while (row < G_N_ELEMENTS(rows) && !fits(&rows[row], word, &value))
            row++;
        if (row == G_N_ELEMENTS(rows)) {
            ws_usage_error("cc: unknown option %s", word);
            return FALSE;
        }
        if ((rows[row].form == VALUE || rows[row].form == JOINED) && value == NULL) {
            value = *++arguments;
            if (value == NULL) {
                ws_usage_error("cc: %s needs a value", word);
                return FALSE;
            }
        }
        take(options, &rows[row], word, value);
    }
    return TRUE;
}
