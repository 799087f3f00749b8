#include "cli/cc_option_table.h"

#include <string.h>

/* Of the rows that fit a word, the one with the longest name counts. */
static const WsCcOption rows[] = {
    {"-o", WS_CC_JOINED, WS_CC_OUTPUT, NULL},
    {"--output-file", WS_CC_VALUE, WS_CC_OUTPUT, NULL},
    {"-c", WS_CC_ALONE, WS_CC_COMPILE_ONLY, NULL},
    {"-dc", WS_CC_ALONE, WS_CC_COMPILE_ONLY, "-rdc"},
    {"--compile", WS_CC_ALONE, WS_CC_COMPILE_ONLY, NULL},
    {"-dw", WS_CC_ALONE, WS_CC_COMPILE_ONLY, NULL},
    {"--device-w", WS_CC_ALONE, WS_CC_COMPILE_ONLY, NULL},
    {"--device-c", WS_CC_ALONE, WS_CC_COMPILE_ONLY, "-rdc"},
    {"-lib", WS_CC_ALONE, WS_CC_ARCHIVE, NULL},
    {"--lib", WS_CC_ALONE, WS_CC_ARCHIVE, NULL},
    {"-odir", WS_CC_VALUE, WS_CC_OUTPUT_FOLDER, NULL},
    {"--output-directory", WS_CC_VALUE, WS_CC_OUTPUT_FOLDER, NULL},
    {"-dlink", WS_CC_ALONE, WS_CC_DEVICE_LINK, NULL},
    {"--device-link", WS_CC_ALONE, WS_CC_DEVICE_LINK, NULL},
    {"-M", WS_CC_ALONE, WS_CC_PREPROCESS, NULL},
    {"-MM", WS_CC_ALONE, WS_CC_PREPROCESS, NULL},
    {"-E", WS_CC_ALONE, WS_CC_PREPROCESS, NULL},
    {"--preprocess", WS_CC_ALONE, WS_CC_PREPROCESS, "-E"},
    {"--generate-dependencies", WS_CC_ALONE, WS_CC_PREPROCESS, "-M"},
    {"-ptx", WS_CC_ALONE, WS_CC_PTX_ONLY, NULL},
    {"--ptx", WS_CC_ALONE, WS_CC_PTX_ONLY, NULL},
    {"-x", WS_CC_VALUE, WS_CC_LANGUAGE, NULL},
    {"--x", WS_CC_VALUE, WS_CC_LANGUAGE, NULL},
    {"-V", WS_CC_ALONE, WS_CC_VERSION, NULL},
    {"--version", WS_CC_ALONE, WS_CC_VERSION, NULL},
    {"--toolkit", WS_CC_ALONE, WS_CC_TOOLKIT, NULL},
    {"--libraries", WS_CC_ALONE, WS_CC_LIBRARIES, NULL},
    {"-v", WS_CC_ALONE, WS_CC_VERBOSE, NULL},
    {"--verbose", WS_CC_ALONE, WS_CC_VERBOSE, NULL},
    {"-dryrun", WS_CC_ALONE, WS_CC_DRY_RUN, NULL},
    {"--dryrun", WS_CC_ALONE, WS_CC_DRY_RUN, NULL},
    {"-optf", WS_CC_VALUE, WS_CC_OPTIONS_FILE, NULL},
    {"--options-file", WS_CC_VALUE, WS_CC_OPTIONS_FILE, NULL},
    {"-forward-unknown-to-host-compiler", WS_CC_ALONE, WS_CC_FORWARD, NULL},
    {"--forward-unknown-to-host-compiler", WS_CC_ALONE, WS_CC_FORWARD, NULL},
    {"-isystem", WS_CC_VALUE, WS_CC_TO_BOTH, NULL},
    {"--system-include", WS_CC_VALUE, WS_CC_TO_BOTH, "-isystem"},
    {"-include", WS_CC_VALUE, WS_CC_TO_BOTH, NULL},
    {"--pre-include", WS_CC_VALUE, WS_CC_TO_BOTH, "-include"},
    {"-I", WS_CC_JOINED, WS_CC_TO_BOTH, NULL},
    {"--include-path", WS_CC_VALUE, WS_CC_TO_BOTH, "-I"},
    {"-D", WS_CC_JOINED, WS_CC_TO_BOTH, NULL},
    {"--define-macro", WS_CC_VALUE, WS_CC_TO_BOTH, "-D"},
    {"-U", WS_CC_JOINED, WS_CC_TO_BOTH, NULL},
    {"--undefine-macro", WS_CC_VALUE, WS_CC_TO_BOTH, "-U"},
    {"--std", WS_CC_VALUE, WS_CC_STANDARD, "-std="},
    {"-std", WS_CC_VALUE, WS_CC_STANDARD, "-std="},
    {"-O", WS_CC_PREFIX, WS_CC_TO_HOST, NULL},
    {"--optimize", WS_CC_VALUE, WS_CC_TO_HOST, "-O"},
    {"-g", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-g0", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-g1", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-g2", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-g3", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-ggdb", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"--debug", WS_CC_ALONE, WS_CC_TO_HOST, "-g"},
    {"-fopenmp", WS_CC_ALONE, WS_CC_TO_HOST_AND_LINK, NULL},
    {"-pthread", WS_CC_ALONE, WS_CC_TO_HOST_AND_LINK, NULL},
    {"-fPIC", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-fpic", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-fPIE", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-fpie", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-fvisibility", WS_CC_VALUE, WS_CC_TO_HOST, "-fvisibility="},
    {"-MD", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-MMD", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-MP", WS_CC_ALONE, WS_CC_TO_HOST, NULL},
    {"-MF", WS_CC_VALUE, WS_CC_TO_HOST, NULL},
    {"-MT", WS_CC_VALUE, WS_CC_TO_HOST, NULL},
    {"-MQ", WS_CC_VALUE, WS_CC_TO_HOST, NULL},
    {"-Xcompiler", WS_CC_VALUE, WS_CC_HOST_WORDS, NULL},
    {"--compiler-options", WS_CC_VALUE, WS_CC_HOST_WORDS, NULL},
    {"-Xlinker", WS_CC_VALUE, WS_CC_LINK_WORDS, NULL},
    {"--linker-options", WS_CC_VALUE, WS_CC_LINK_WORDS, NULL},
    {"-lineinfo", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-lcudart", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-lcudart_static", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-lnvToolsExt", WS_CC_ALONE, WS_CC_IGNORED, NULL}, /* all of it is in the header */
    {"-lcudadevrt", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    /* Of libraries without source: a program links that does not call them. */
    {"-lcublas", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lcufft", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lcurand", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lcusparse", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lcusolver", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lcudnn", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lnccl", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lnvrtc", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lnvidia-ml", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-lcuda", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-l", WS_CC_JOINED, WS_CC_TO_LINK, NULL},
    {"--library", WS_CC_VALUE, WS_CC_TO_LINK, "-l"},
    {"-L", WS_CC_JOINED, WS_CC_TO_LINK, NULL},
    {"--library-path", WS_CC_VALUE, WS_CC_TO_LINK, "-L"},
    {"-Wl,", WS_CC_PREFIX, WS_CC_TO_LINK, NULL},
    {"-Werror", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--Werror", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-shared", WS_CC_ALONE, WS_CC_TO_LINK, NULL},
    {"-rdynamic", WS_CC_ALONE, WS_CC_TO_LINK, NULL},
    {"-pie", WS_CC_ALONE, WS_CC_TO_LINK, NULL},
    {"-no-pie", WS_CC_ALONE, WS_CC_TO_LINK, NULL},
    {"--shared", WS_CC_ALONE, WS_CC_TO_LINK, "-shared"},
    {"-W", WS_CC_PREFIX, WS_CC_IGNORED, NULL},
    {"-w", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"--disable-warnings", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-G", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"--device-debug", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"--generate-line-info", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-arch", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--gpu-architecture", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-code", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--gpu-code", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-gencode", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--generate-code", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-rdc", WS_CC_VALUE, WS_CC_RELOCATABLE, NULL},
    {"--relocatable-device-code", WS_CC_VALUE, WS_CC_RELOCATABLE, NULL},
    {"-cudart", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--cudart", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-ccbin", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--compiler-bindir", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-maxrregcount", WS_CC_VALUE, WS_CC_REGISTERS, NULL},
    {"--maxrregcount", WS_CC_VALUE, WS_CC_REGISTERS, NULL},
    {"-use_fast_math", WS_CC_ALONE, WS_CC_FAST_MATH, NULL},
    {"--use_fast_math", WS_CC_ALONE, WS_CC_FAST_MATH, NULL},
    {"-ftz", WS_CC_VALUE, WS_CC_FLUSH, NULL},
    {"--ftz", WS_CC_VALUE, WS_CC_FLUSH, NULL},
    {"-prec-div", WS_CC_VALUE, WS_CC_PRECISE_DIVISION, NULL},
    {"--prec-div", WS_CC_VALUE, WS_CC_PRECISE_DIVISION, NULL},
    {"-prec-sqrt", WS_CC_VALUE, WS_CC_PRECISE_ROOT, NULL},
    {"--prec-sqrt", WS_CC_VALUE, WS_CC_PRECISE_ROOT, NULL},
    {"-fmad", WS_CC_VALUE, WS_CC_FUSED, NULL},
    {"--fmad", WS_CC_VALUE, WS_CC_FUSED, NULL},
    {"-m64", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-keep", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"--keep", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-keep-dir", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--keep-dir", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-res-usage", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"--resource-usage", WS_CC_ALONE, WS_CC_IGNORED, NULL},
    {"-default-stream", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--default-stream", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--threads", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-t", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-Xptxas", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--ptxas-options", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-Xnvlink", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--nvlink-options", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-Xcudafe", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--expt-relaxed-constexpr", WS_CC_ALONE, WS_CC_TO_BOTH, "-D__CUDACC_RELAXED_CONSTEXPR__=1"},
    {"-expt-relaxed-constexpr", WS_CC_ALONE, WS_CC_TO_BOTH, "-D__CUDACC_RELAXED_CONSTEXPR__=1"},
    {"--expt-extended-lambda", WS_CC_ALONE, WS_CC_TO_BOTH, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    {"-expt-extended-lambda", WS_CC_ALONE, WS_CC_TO_BOTH, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    {"--extended-lambda", WS_CC_ALONE, WS_CC_TO_BOTH, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    {"-extended-lambda", WS_CC_ALONE, WS_CC_TO_BOTH, "-D__CUDACC_EXTENDED_LAMBDA__=1"},
    {"-diag-suppress", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"--diag-suppress", WS_CC_VALUE, WS_CC_IGNORED, NULL},
    {"-allow-unsupported-compiler", WS_CC_ALONE, WS_CC_IGNORED, NULL},
};

/* Whether the word is an option of the row; `ret` is a value in the same word, or NULL. */
static gboolean fits(const WsCcOption *row, const char *word, const char **ret)
{
    gsize length = strlen(row->name);
    const char *rest = word + length;
    *ret = NULL;
    if (strncmp(word, row->name, length) != 0)
        return FALSE;
    if (*rest == '\0' || row->form == WS_CC_PREFIX)
        return TRUE;
    if (*rest == '=' && row->form != WS_CC_ALONE)
        *ret = rest + 1;
    else if (row->form == WS_CC_JOINED)
        *ret = rest;
    return *ret != NULL;
}

const WsCcOption *ws_cc_option_find(const char *word, const char **ret_value)
{
    const WsCcOption *best = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const char *value;
        if (!fits(&rows[i], word, &value) ||
            (best != NULL && strlen(best->name) >= strlen(rows[i].name)))
            continue;
        best = &rows[i];
        *ret_value = value;
    }
    return best;
}

const WsCcOption *ws_cc_option_at(guint i)
{
    return i < G_N_ELEMENTS(rows) ? &rows[i] : NULL;
}
