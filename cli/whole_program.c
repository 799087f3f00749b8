#include "cli/whole_program.h"

#include "cli/built_program.h"
#include "cli/cc_passes.h"
#include "cli/cc_toolkit.h"
#include "cli/program_cache.h"
#include "isa/base/resources.h"
#include "isa/base/temporary_folder.h"
#include "isa/cuda/dependency_rule.h"
#include "isa/cuda/find_clang.h"
#include "sim/device/device.h"
#include "sim/starter/host_code.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

gboolean ws_is_whole_program(const char *target)
{
    g_autofree char *text = NULL;
    if (ws_is_built_program(target))
        return TRUE;
    return g_str_has_suffix(target, ".cu") && g_file_test(target, G_FILE_TEST_IS_REGULAR) &&
           g_file_get_contents(target, &text, NULL, NULL) && ws_host_code_find(text).main_line != 0;
}

gboolean ws_refuse_whole_program(const char *target, GError **error)
{
    const WsPosition position = {.file = target};
    g_autofree char *shown = ws_printable(target);
    if (!ws_is_whole_program(target))
        return TRUE;
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "a whole program: 'warpstep run %s --capture FOLDER' writes its launches as "
                    "launch files, which this command takes; 'warpstep init %s' writes one for a "
                    "kernel of it alone",
                    shown, shown);
    return FALSE;
}

/* ---- compiling ---------------------------------------------------------------------------------
 */

/* The words of `cc`; `rule` and `output` are its last. */
static GPtrArray *words_of(const WsWholeProgram *program)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (const char *const *define = program->defines; define != NULL && *define != NULL; define++)
        g_ptr_array_add(words, g_strconcat("-D", *define, NULL));
    for (const char *const *folder = program->includes; folder != NULL && *folder != NULL; folder++)
        g_ptr_array_add(words, g_strconcat("-I", *folder, NULL));
    g_ptr_array_add(words, g_strdup("-O2"));
    g_ptr_array_add(words, g_strdup("-pthread"));
    g_ptr_array_add(words, g_strdup(program->source));
    return words;
}

static void add_stamp(GChecksum *key, const char *path)
{
    struct stat status = {0};
    const gboolean there = stat(path, &status) == 0;
    g_autofree char *text =
        g_strdup_printf("%s %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", path, there,
                        (gint64)status.st_size, (gint64)status.st_mtime);
    g_checksum_update(key, (const guchar *)text, -1);
}

/* What decides besides the files: the words, where they are read, Warpstep and clang. */
static char *key_of(const GPtrArray *words)
{
    g_autoptr(GChecksum) key = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *here = g_get_current_dir();
    g_autofree char *clang = ws_find_clang(NULL);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_checksum_update(key, (const guchar *)ws_isa_bundle_digest, -1);
    add_stamp(key, self != NULL ? self : "");
    add_stamp(key, clang != NULL ? clang : "");
    g_checksum_update(key, (const guchar *)here, -1);
    for (guint i = 0; i < words->len; i++) {
        g_checksum_update(key, (const guchar *)"\n", 1);
        g_checksum_update(key, (const guchar *)words->pdata[i], -1);
    }
    return g_strdup(g_checksum_get_string(key));
}

static gboolean compile(const GPtrArray *words, const char *output, const char *rule,
                        GError **error)
{
    g_auto(WsCcOptions) options = {0};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint i = 0; i < words->len; i++)
        g_ptr_array_add(all, words->pdata[i]);
    const char *const more[] = {"-MD", "-MF", rule, "-o", output, NULL};
    for (guint i = 0; i < G_N_ELEMENTS(more); i++)
        g_ptr_array_add(all, (gpointer)more[i]);
    if (!ws_cc_options_parse(&options, (char *const *)all->pdata)) {
        ws_set_error(error, WS_ERROR_USAGE, "the program cannot be compiled with these options");
        return FALSE;
    }
    return ws_cc_passes(&options, error);
}

static void add_file(const char *name, gpointer files)
{
    const gsize length = strlen(name);
    if (length > 0 && name[length - 1] != ':' && g_file_test(name, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add(files, g_strdup(name));
}

/* What clang has read; the rule names the object first, which is there no more. */
static GPtrArray *files_of(const char *rule)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    int descriptor = open(rule, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        ws_dependency_rule_read(descriptor, add_file, files);
        close(descriptor);
    }
    return files;
}

/* The compiled program: one that is kept, or a new one in `folder`. NULL: it does not compile. */
static char *build(const WsWholeProgram *program, const char *folder, GError **error)
{
    g_autoptr(GPtrArray) words = words_of(program);
    g_autofree char *key = key_of(words);
    g_autofree char *cache = ws_program_cache_folder();
    g_autofree char *kept = program->no_cache ? NULL : ws_program_cache_find(cache, key);
    if (kept != NULL)
        return g_steal_pointer(&kept);
    g_autofree char *rule = g_build_filename(folder, "program.d", NULL);
    g_autofree char *output = g_build_filename(folder, "program", NULL);
    if (!compile(words, output, rule, error))
        return NULL;
    g_autoptr(GPtrArray) files = files_of(rule);
    if (program->no_cache || files->len == 0 || g_mkdir_with_parents(cache, 0700) != 0)
        return g_steal_pointer(&output);
    kept = ws_program_cache_keep(cache, key, files, output);
    return kept != NULL ? g_steal_pointer(&kept) : g_steal_pointer(&output);
}

/* Of a program that was built before: whether the device can run it. */
static gboolean check_built(const WsWholeProgram *program, GError **error)
{
    static const char *const none[] = {NULL};
    const gboolean has_options = (program->defines != NULL && *program->defines != NULL) ||
                                 (program->includes != NULL && *program->includes != NULL);
    if (has_options) {
        ws_set_error(error, WS_ERROR_USAGE, "-D and -I are for what is compiled, and %s was before",
                     program->source);
        return FALSE;
    }
    g_autoptr(WsDevice) device =
        ws_device_load(program->device != NULL ? program->device : "h200",
                       program->settings != NULL ? program->settings : none, error);
    return device != NULL &&
           ws_built_program_check(
               program->source, (guint)(10 * device->compute_major + device->compute_minor), error);
}

/* ---- running -----------------------------------------------------------------------------------
 */

/* The folder comes before those that are given, so that NVIDIA's libraries do not. */
static char **with_libraries(char **environment, const char *folder)
{
    const char *before = g_environ_getenv(environment, "LD_LIBRARY_PATH");
    g_autofree char *path = g_strjoin(before != NULL && *before != '\0' ? ":" : "", folder,
                                      before != NULL ? before : "", NULL);
    return g_environ_setenv(environment, "LD_LIBRARY_PATH", path, TRUE);
}

static char **environment_of(const WsWholeProgram *program, const char *libraries)
{
    char **environment = g_get_environ();
    if (libraries != NULL)
        environment = with_libraries(environment, libraries);
    if (program->device != NULL)
        environment = g_environ_setenv(environment, "WARPSTEP_DEVICE", program->device, TRUE);
    if (program->settings != NULL && *program->settings != NULL) {
        g_autofree char *joined = g_strjoinv(",", (char **)program->settings);
        environment = g_environ_setenv(environment, "WARPSTEP_SET", joined, TRUE);
    }
    if (program->kernel != NULL)
        environment = g_environ_setenv(environment, "WARPSTEP_KERNEL", program->kernel, TRUE);
    for (const char *const *more = program->environment; more != NULL && *more != NULL; more++) {
        const char *equals = strchr(*more, '=');
        g_autofree char *name = g_strndup(*more, (gsize)(equals - *more));
        environment = *equals != '\0' && equals[1] != '\0'
                          ? g_environ_setenv(environment, name, equals + 1, TRUE)
                          : g_environ_unsetenv(environment, name);
    }
    return environment;
}

static void prepare_child(gpointer to_stderr)
{
    ws_temporary_folder_release_signals(NULL);
    if (GPOINTER_TO_INT(to_stderr))
        dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* `libraries`: the folder of those that take the place of NVIDIA's, or NULL. */
static gboolean run(const WsWholeProgram *program, const char *compiled, const char *libraries,
                    int *ret_code, GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autoptr(GError) failure = NULL;
    g_auto(GStrv) environment = environment_of(program, libraries);
    int status = 0;
    g_autofree char *name = g_strdup(program->source);
    if (libraries == NULL)
        name[strlen(name) - strlen(".cu")] = '\0';
    g_ptr_array_add(words, (gpointer)compiled);
    g_ptr_array_add(words, name); /* as it calls itself */
    for (const char *const *word = program->arguments; word != NULL && *word != NULL; word++)
        g_ptr_array_add(words, (gpointer)*word);
    g_ptr_array_add(words, NULL);
    if (!g_spawn_sync(NULL, (char **)words->pdata, environment,
                      G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_FILE_AND_ARGV_ZERO, prepare_child,
                      GINT_TO_POINTER(program->output_to_stderr), NULL, NULL, &status, &failure)) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: %s", program->source, failure->message);
        return FALSE;
    }
    if (WIFSIGNALED(status))
        fprintf(stderr, "%s: error: the program was ended by signal %d (%s)\n", program->source,
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    *ret_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return TRUE;
}

gboolean ws_whole_program_run(const WsWholeProgram *program, int *ret_code, GError **error)
{
    if (ws_is_built_program(program->source)) {
        g_autofree char *libraries = check_built(program, error) ? ws_cc_libraries(error) : NULL;
        return libraries != NULL && run(program, program->source, libraries, ret_code, error);
    }
    g_autoptr(WsTemporaryFolder) folder = ws_temporary_folder_new(error);
    g_autofree char *compiled =
        folder != NULL ? build(program, ws_temporary_folder_path(folder), error) : NULL;
    return compiled != NULL && run(program, compiled, NULL, ret_code, error);
}

/* The only launch file in there, or NULL. */
static char *launch_file_in(const char *folder)
{
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    for (const char *name; directory != NULL && (name = g_dir_read_name(directory)) != NULL;)
        if (g_str_has_suffix(name, ".yaml"))
            return g_build_filename(folder, name, NULL);
    return NULL;
}

char *ws_whole_program_capture(const WsWholeProgram *program, const char *folder, GError **error)
{
    g_autofree char *capture = g_strconcat("WARPSTEP_CAPTURE=", folder, NULL);
    const char *const environment[] = {"WARPSTEP_MODE=functional",
                                       "WARPSTEP_REPORT=", "WARPSTEP_CAPTURE_END=1", capture, NULL};
    const WsPosition position = {.file = program->source};
    WsWholeProgram wanted = *program;
    int code = 0;
    wanted.environment = environment;
    wanted.output_to_stderr = TRUE;
    if (!ws_whole_program_run(&wanted, &code, error))
        return NULL;
    char *launch = launch_file_in(folder);
    if (launch == NULL && program->kernel != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the program ended, with code %d, without the launch '%s' (--kernel)", code,
                        program->kernel);
    else if (launch == NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the program ended, with code %d, without a launch", code);
    return launch;
}
