#include "cli/cc_options.h"

#include "cli/cc_option_table.h"
#include "cli/command.h"

#include <string.h>

enum { MAX_OPTION_FILES = 8 /* in each other */, MAX_REGISTERS = 255 /* of a thread */ };

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
    g_clear_pointer(&options->output_folder, g_free);
    g_clear_pointer(&options->language, g_free);
}

/* As clang takes them: short names with the value in the same word, words apart. */
static void add_option(GPtrArray *words, const WsCcOption *row, const char *word, const char *value)
{
    const char *name = row->clang != NULL ? row->clang : row->name;
    if (value == NULL) {
        g_ptr_array_add(words, g_strdup(row->form == WS_CC_PREFIX ? word : name));
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

static void set_text(char **text, const char *value)
{
    g_free(*text);
    *text = g_strdup(value);
}

/* Where an option that is true or false is noted; NULL: it is another. */
static WsCcTruth *truth_of(WsCcOptions *options, WsCcMeaning meaning)
{
    switch (meaning) {
    case WS_CC_RELOCATABLE:
        return &options->relocatable;
    case WS_CC_FLUSH:
        return &options->floats.flush;
    case WS_CC_PRECISE_DIVISION:
        return &options->floats.precise_division;
    case WS_CC_PRECISE_ROOT:
        return &options->floats.precise_root;
    case WS_CC_FUSED:
        return &options->floats.fused;
    default:
        return NULL;
    }
}

static gboolean take_truth(WsCcTruth *truth, const char *word, const char *value)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return ws_usage_error("cc: %s is true or false, not '%s'", word, value), FALSE;
    *truth = *value == 't' ? WS_CC_YES : WS_CC_NO;
    return TRUE;
}

/* As nvcc takes it: more than a thread can have is the most that it can have. */
static gboolean take_registers(WsCcOptions *options, const char *word, const char *value)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(value, 10, 1, G_MAXUINT16, &number, NULL))
        return ws_usage_error("cc: %s is a number of registers, not '%s'", word, value), FALSE;
    options->registers = (guint)MIN(number, MAX_REGISTERS);
    return TRUE;
}

static void take(WsCcOptions *options, const WsCcOption *row, const char *word, const char *value)
{
    switch (row->meaning) {
    case WS_CC_IGNORED:
    case WS_CC_REGISTERS:
    case WS_CC_OPTIONS_FILE:
    case WS_CC_FORWARD:
        break;
    case WS_CC_TO_BOTH:
        add_option(options->both, row, word, value);
        break;
    case WS_CC_STANDARD:
        add_option(options->cplusplus, row, word, value);
        break;
    case WS_CC_TO_HOST_AND_LINK:
        add_option(options->link, row, word, value);
        add_option(options->host, row, word, value);
        break;
    case WS_CC_TO_HOST:
        add_option(options->host, row, word, value);
        break;
    case WS_CC_TO_LINK:
        add_option(options->link, row, word, value);
        break;
    case WS_CC_HOST_WORDS:
        add_host_words(options, value);
        break;
    case WS_CC_LINK_WORDS:
        add_link_words(options, value);
        break;
    case WS_CC_OUTPUT:
        set_text(&options->output, value);
        break;
    case WS_CC_OUTPUT_FOLDER:
        set_text(&options->output_folder, value);
        break;
    case WS_CC_LANGUAGE:
        set_text(&options->language, value);
        break;
    case WS_CC_FAST_MATH:
        options->floats.is_fast = TRUE;
        break;
    case WS_CC_COMPILE_ONLY:
        if (row->clang != NULL)
            options->relocatable = WS_CC_YES;
        options->action = row->meaning;
        break;
    case WS_CC_PREPROCESS:
        options->preprocess = row->clang != NULL ? row->clang : row->name;
        options->action = row->meaning;
        break;
    case WS_CC_VERBOSE:
    case WS_CC_DRY_RUN:
        options->is_verbose = TRUE;
        options->is_dry_run |= row->meaning == WS_CC_DRY_RUN;
        break;
    default:
        options->action = row->meaning;
    }
}

/* What is in files of --options-file comes in their place. FALSE: the message is printed. */
static gboolean expand(GPtrArray *words, char *const *arguments, guint depth)
{
    for (; *arguments != NULL; arguments++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = NULL;
        g_auto(GStrv) inner = NULL;
        const char *file = NULL;
        const WsCcOption *row = ws_cc_option_find(*arguments, &file);
        if (row == NULL || row->meaning != WS_CC_OPTIONS_FILE) {
            g_ptr_array_add(words, g_strdup(*arguments));
            continue;
        }
        if (file == NULL && (file = *++arguments) == NULL)
            return ws_usage_error("cc: --options-file needs a value"), FALSE;
        if (depth > MAX_OPTION_FILES || !g_file_get_contents(file, &text, NULL, &error) ||
            (!g_shell_parse_argv(text, NULL, &inner, &error) &&
             !g_error_matches(error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)))
            return ws_usage_error("cc: --options-file %s: %s", file,
                                  error != NULL ? error->message : "nested too deeply"),
                   FALSE;
        if (inner != NULL && !expand(words, inner, depth + 1))
            return FALSE;
    }
    return TRUE;
}

/* nvcc's -forward-unknown-to-host-compiler may stand behind what it is about. */
static gboolean forwards(const GPtrArray *words)
{
    const char *unused;
    for (guint i = 0; i < words->len; i++) {
        const WsCcOption *row = ws_cc_option_find(g_ptr_array_index(words, i), &unused);
        if (row != NULL && row->meaning == WS_CC_FORWARD)
            return TRUE;
    }
    return FALSE;
}

gboolean ws_cc_options_parse(WsCcOptions *options, char *const *arguments)
{
    g_autoptr(GPtrArray) words = words_new();
    *options = (WsCcOptions){.both = words_new(),
                             .cplusplus = words_new(),
                             .host = words_new(),
                             .link = words_new(),
                             .inputs = words_new(),
                             .action = WS_CC_LINK};
    if (!expand(words, arguments, 0))
        return FALSE;
    const gboolean forward = forwards(words);
    for (guint i = 0; i < words->len; i++) {
        const char *word = g_ptr_array_index(words, i), *value = NULL;
        if (*word != '-') {
            g_ptr_array_add(options->inputs, g_strdup(word));
            continue;
        }
        const WsCcOption *row = ws_cc_option_find(word, &value);
        if (row == NULL && !forward)
            return ws_usage_error("cc: unknown option %s", word), FALSE;
        if (row == NULL) {
            g_ptr_array_add(options->host, g_strdup(word));
            g_ptr_array_add(options->link, g_strdup(word));
            continue;
        }
        if ((row->form == WS_CC_VALUE || row->form == WS_CC_JOINED) && value == NULL) {
            if (++i == words->len)
                return ws_usage_error("cc: %s needs a value", word), FALSE;
            value = g_ptr_array_index(words, i);
        }
        WsCcTruth *truth = truth_of(options, row->meaning);
        if (row->meaning == WS_CC_REGISTERS && !take_registers(options, row->name, value))
            return FALSE;
        if (truth == NULL)
            take(options, row, word, value);
        else if (!take_truth(truth, row->name, value))
            return FALSE;
    }
    return TRUE;
}
