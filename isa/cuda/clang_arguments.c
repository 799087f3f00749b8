#include "isa/cuda/clang_arguments.h"

#include "isa/base/escape.h"
#include "isa/cuda/clang_view.h"

void ws_clang_argument(GPtrArray *arguments, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_ptr_array_add(arguments, g_strdup_vprintf(format, values));
    va_end(values);
}

/*
 * The target is sm_80 and CUDA 11.0: the newest that clang 14 makes PTX for. The host is x86-64
 * Linux wherever this runs: sizes, alignment and the sign of char in kernels are those of the host.
 * Floating point is as nvcc has it by default: contraction on, no
 * fast-math, IEEE division and square root, denormals kept.
 */
static void add_fixed_arguments(GPtrArray *arguments)
{
    static const char *const fixed[] = {
        "-x",
        "cuda",
        "--target=x86_64-unknown-linux-gnu",
        "--cuda-gpu-arch=sm_80",
        "--cuda-device-only",
        "-nocudainc",
        "-nocudalib",
        "--cuda-path=/dev/null", /* an installed toolkit's version would choose PTX's version */
        "-fms-extensions",
        "-Xclang",
        "-target-sdk-version=11.0",
        "-Xclang",
        "-target-feature",
        "-Xclang",
        "+ptx75",
        "-fuse-cuid=none",
        "-std=gnu++17",
        "-ffp-contract=fast",
        "-fno-math-errno",
        "-gline-tables-only",
        "-fdebug-compilation-dir=.",
        "-w",
        "-Wno-register", /* these two are errors of clang, and warnings of nvcc and g++ */
        "-Wno-c++11-narrowing",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-fno-crash-diagnostics",
        "-fintegrated-cc1", /* in this process: it can start no other */
        "-ferror-limit=20",
        "-D__DATE__=\"Jan  1 1970\"",
        "-D__TIME__=\"00:00:00\"",
        "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\"",
    };
    for (guint i = 0; i < G_N_ELEMENTS(fixed); i++)
        ws_clang_argument(arguments, "%s", fixed[i]);
}

/* No header is read but ours. */
static void add_closed_arguments(GPtrArray *arguments)
{
    static const char *const closed[] = {"-nostdinc", "-nostdinc++", "-nobuiltininc"};
    for (guint i = 0; i < G_N_ELEMENTS(closed); i++)
        ws_clang_argument(arguments, "%s", closed[i]);
}

/*
 * Loops are unrolled as far as nvcc 13.0 unrolls them: of 236 loops of 8 to 1024 iterations, those
 * whose number is a power of two come out the same with these thresholds. LLVM 14's are 300 and 75.
 * Functions are inlined as nvcc does unless they are very large: pointers of one that is called
 * would lose their space, and LDG become LD.
 *
 * For the checks, as with nvcc's -G: each variable of the source stays in memory, nothing is moved,
 * and an index that leaves an array of known size is told to warpstep/bounds.h. The driver would
 * drop that option for a device.
 *
 * To debug, as with -G: the same without the checks, and DWARF that says where each variable is.
 *
 * For the variables of optimised code: DWARF with their types and scopes, which clang writes for a
 * device only if it is told that nothing optimises the PTX, and LLVM's last form of the code, which
 * says where they are (isa/debug/machine_values.h). The instructions stay the same.
 */
static void add_optimisation(GPtrArray *arguments, const WsCompileOptions *options)
{
    static const char *const fast[] = {"-O3",
                                       "-mllvm",
                                       "-inline-threshold=10000",
                                       "-mllvm",
                                       "-unroll-threshold=450",
                                       "-mllvm",
                                       "-unroll-partial-threshold=200",
                                       NULL};
    static const char *const checked[] = {"-O0",
                                          "-Xclang",
                                          "-fsanitize=array-bounds",
                                          "-Xclang",
                                          "-fsanitize-recover=array-bounds",
                                          "-D__WARPSTEP_FOR_CHECKS__=1",
                                          "-include",
                                          (WS_CLANG_HEADERS "/warpstep/bounds.h"),
                                          NULL};
    static const char *const debug[] = {"-O0", NULL};
    static const char *const dwarf[] = {"-g", "-Xclang", "-fno-use-ctor-homing", NULL};
    static const char *const dumped[] = {"--cuda-noopt-device-debug", "-mllvm",
                                         "-print-after=xray-instrumentation", NULL};

    const char *const *word = options->debug ? debug : options->for_checks ? checked : fast;
    for (; *word != NULL; word++)
        ws_clang_argument(arguments, "%s", *word);
    for (word = dwarf; ws_clang_arguments_have_dwarf(options) && *word != NULL; word++)
        ws_clang_argument(arguments, "%s", *word);
    for (word = dumped; ws_clang_arguments_have_dump(options) && *word != NULL; word++)
        ws_clang_argument(arguments, "%s", *word);
}

gboolean ws_clang_arguments_have_dwarf(const WsCompileOptions *options)
{
    return options->debug || options->variables;
}

gboolean ws_clang_arguments_have_dump(const WsCompileOptions *options)
{
    return options->variables && !options->debug && !options->for_checks;
}

/* For an option: a name can then be none itself, nor one of a file with options (`@FILE`). */
static const char *ahead_of(const char *path)
{
    return g_path_is_absolute(path) || g_str_has_prefix(path, "./") ? "" : "./";
}

void ws_clang_arguments_for_headers(GPtrArray *arguments, const WsCompileOptions *options)
{
    add_fixed_arguments(arguments);
    add_closed_arguments(arguments);
    add_optimisation(arguments, options);
    ws_clang_argument(arguments, "-ffile-prefix-map=%s=warpstep", WS_CLANG_HEADERS);
}

void ws_clang_arguments_include(GPtrArray *arguments)
{
    ws_clang_argument(arguments, "-isystem");
    ws_clang_argument(arguments, "%s", WS_CLANG_HEADERS);
    ws_clang_argument(arguments, "-isystem");
    ws_clang_argument(arguments, "%s", WS_CLANG_HEADERS "/std");
    ws_clang_argument(arguments, "-include");
    ws_clang_argument(arguments, "%s/cuda_runtime.h", WS_CLANG_HEADERS);
}

void ws_clang_arguments_of_user(GPtrArray *arguments, const char *path,
                                const WsCompileOptions *options)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *name = ws_quote_name(path);
    ws_clang_argument(arguments, "-D__BASE_FILE__=%s", name);
    for (guint i = 0; options->defines != NULL && options->defines[i] != NULL; i++)
        ws_clang_argument(arguments, "-D%s", options->defines[i]);
    ws_clang_argument(arguments, "-iquote");
    ws_clang_argument(arguments, "%s%s", ahead_of(folder), folder);
    for (guint i = 0; options->includes != NULL && options->includes[i] != NULL; i++)
        ws_clang_argument(arguments, "-I%s%s", ahead_of(options->includes[i]),
                          options->includes[i]);
}

/* The host's headers come behind ours; ours in std/ would stand for the host's, and are left out.
 */
static void add_host_headers(GPtrArray *arguments, const char *headers)
{
    ws_clang_argument(arguments, "-D__WARPSTEP_HOST_HEADERS__=1");
    ws_clang_argument(arguments, "-isystem");
    ws_clang_argument(arguments, "%s", headers);
}

void ws_clang_arguments_device_pass(GPtrArray *arguments, const char *headers)
{
    static const WsCompileOptions plain = {0};
    add_fixed_arguments(arguments);
    add_optimisation(arguments, &plain);
    add_host_headers(arguments, headers);
    ws_clang_argument(arguments, "-ffile-prefix-map=%s=warpstep", headers);
    ws_clang_argument(arguments, "-include");
    ws_clang_argument(arguments, "%s/cuda_runtime.h", headers);
    ws_clang_argument(arguments, "-S");
}

void ws_clang_arguments_host_pass(GPtrArray *arguments, const char *headers, const char *ptx)
{
    static const char *const fixed[] = {"-x", "cuda", "--cuda-host-only", "--cuda-gpu-arch=sm_80",
                                        "-nocudainc", "-nocudalib", "--cuda-path=/dev/null",
                                        "-fms-extensions", "-Xclang", "-target-sdk-version=11.0",
                                        "-std=gnu++17", "-Wno-register", "-Wno-c++11-narrowing",
                                        /* clang folds x * x + y of constants as if it were fused */
                                        "-ffp-contract=off", "-w", "-c"};
    for (guint i = 0; i < G_N_ELEMENTS(fixed); i++)
        ws_clang_argument(arguments, "%s", fixed[i]);
    add_host_headers(arguments, headers);
    ws_clang_argument(arguments, "-include");
    ws_clang_argument(arguments, "warpstep/first.h");
    if (ptx == NULL)
        return;
    ws_clang_argument(arguments, "-Xclang");
    ws_clang_argument(arguments, "-fcuda-include-gpubinary");
    ws_clang_argument(arguments, "-Xclang");
    ws_clang_argument(arguments, "%s", ptx);
}

void ws_clang_arguments_plain_pass(GPtrArray *arguments, const char *headers, gboolean is_c)
{
    ws_clang_argument(arguments, "-x");
    ws_clang_argument(arguments, is_c ? "c" : "c++");
    if (!is_c) { /* which g++ takes without being told */
        ws_clang_argument(arguments, "-std=gnu++17");
        ws_clang_argument(arguments, "-Wno-register");
        ws_clang_argument(arguments, "-Wno-c++11-narrowing");
    }
    ws_clang_argument(arguments, "-ffp-contract=off"); /* as the host's side of CUDA files */
    ws_clang_argument(arguments, "-isystem");
    ws_clang_argument(arguments, "%s", headers);
    ws_clang_argument(arguments, "-w");
    ws_clang_argument(arguments, "-c");
}
