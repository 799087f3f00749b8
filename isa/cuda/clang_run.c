#include "isa/cuda/clang_run.h"

#include "isa/cuda/clang_start.h"
#include "isa/cuda/memory_file.h"
#include "isa/cuda/process_end.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_MESSAGES = 1 << 20 };

void ws_clang_result_clear(WsClangResult *result)
{
    g_clear_pointer(&result->output, g_free);
    g_clear_pointer(&result->messages, g_free);
}

/* In the child, between fork and exec. */
static void set_limits(gconstpointer data)
{
    const WsClangLimits *limits = data;
    const struct rlimit cpu = {limits->cpu_seconds, limits->cpu_seconds};
    const struct rlimit memory = {limits->memory_bytes, limits->memory_bytes};
    const struct rlimit file = {limits->output_bytes, limits->output_bytes};
    const struct rlimit core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &core);
}

/* The names of isa/cuda/process_end.h, but for what clang is not watched for. */
static WsClangEnd end_of(WsProcessReason reason)
{
    static const WsClangEnd ends[] = {[WS_PROCESS_ENDED] = WS_CLANG_ENDED,
                                      [WS_PROCESS_CPU] = WS_CLANG_CPU,
                                      [WS_PROCESS_STUCK] = WS_CLANG_STUCK,
                                      [WS_PROCESS_THREADS] = WS_CLANG_THREADS};
    return ends[reason];
}

gboolean ws_clang_run(const WsClangLimits *limits, const WsClangView *view, const GArray *others,
                      const char *const *arguments, WsClangResult *ret, GError **error)
{
    /* clang starts no other program when it crashes. */
    static const char *const environment[] = {"LC_ALL=C", "PATH=/usr/bin:/bin",
                                              "LLVM_DISABLE_SYMBOLIZATION=1", NULL};
    const GArray *const inherited[] = {view->contents, others, NULL};
    g_auto(WsClangSandbox) sandbox = {.files = -1};
    WsClangStarted started;
    *ret = (WsClangResult){0};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = ws_memory_file_new("", 0, error);
    int messages = output < 0 ? -1 : ws_memory_file_new("", 0, error);
    if (limits->sandboxed)
        ws_clang_sandbox_init(&sandbox, limits->clang, limits->reads);
    const WsClangStart start = {.arguments = arguments,
                                .environment = environment,
                                .input = nothing,
                                .output = output,
                                .messages = messages,
                                .inherited = inherited,
                                .prepare = set_limits,
                                .data = limits,
                                .sandbox = limits->sandboxed ? &sandbox : NULL,
                                .required = limits->required};
    gboolean good = messages >= 0 && ws_clang_start(&start, &started, error);
    if (good) {
        gsize length = 0;
        const WsProcessBounds bounds = {.cpu_seconds = limits->cpu_seconds,
                                        .stuck_seconds = limits->stuck_seconds,
                                        .threads = limits->threads};
        const WsProcessEnd end = ws_process_wait(started.process, &bounds);
        ret->end = end_of(end.reason);
        ret->cpu_microseconds = end.cpu_microseconds;
        ret->signal = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
        ret->ended_well =
            end.reason == WS_PROCESS_ENDED && WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0;
        ret->output = ws_memory_file_read(output, limits->output_bytes, &ret->output_length);
        ret->messages = ws_memory_file_read(
            messages, limits->message_bytes != 0 ? limits->message_bytes : MAX_MESSAGES, &length);
    }
    const int used[] = {nothing, output, messages};
    for (guint i = 0; i < G_N_ELEMENTS(used); i++)
        if (used[i] >= 0)
            close(used[i]);
    return good;
}
