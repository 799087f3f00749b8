#include "cli/load_options.h"

#include "cli/command.h"
#include "isa/cuda/ptx_cache.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { DEFAULT_SECONDS = 60, MOST_SECONDS = 1000000 };

static const gint64 NOT_GIVEN = G_MININT64;
static char message[160]; /* for the signal handler */

void ws_load_options_init(WsLoadOptions *ret)
{
    *ret = (WsLoadOptions){.compile_seconds = NOT_GIVEN};
}

void ws_load_options_clear(WsLoadOptions *options)
{
    g_clear_pointer(&options->cache, g_free);
}

void ws_load_options_inherit(WsLoadOptions *options, const WsLoadOptions *from)
{
    options->confine |= from->confine;
    options->strict |= from->strict;
    if (options->compile_seconds == NOT_GIVEN)
        options->compile_seconds = from->compile_seconds;
}

char *ws_load_cache_folder(void)
{
    return g_strcmp0(g_getenv("WARPSTEP_CACHE"), "off") == 0 ? NULL : ws_ptx_cache_folder();
}

gboolean ws_load_options_finish(WsLoadOptions *options)
{
    gint64 seconds = options->compile_seconds;
    if (seconds != NOT_GIVEN && (seconds < 1 || seconds > MOST_SECONDS)) {
        ws_usage_error("--max-compile-seconds: a number from 1 to %d is expected", MOST_SECONDS);
        return FALSE;
    }
    options->cache = options->no_cache ? NULL : ws_load_cache_folder();
    return TRUE;
}

WsLoadBounds ws_load_options_bounds(const WsLoadOptions *options)
{
    return (WsLoadBounds){
        .confinement = options->strict    ? WS_CONFINE_STRICT
                       : options->confine ? WS_CONFINE_FOLDER
                                          : WS_CONFINE_NOT,
        .clang_seconds =
            options->compile_seconds == NOT_GIVEN ? 0 : (guint)options->compile_seconds,
        .clang_seconds_name = "--max-compile-seconds",
        .cache = options->cache,
        .header_cache = options->cache,
    };
}

/* ---- the limit of this process ----------------------------------------------------------------
 */

/* Only calls that are safe in a handler. */
static void stop(int number)
{
    (void)number;
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(WS_ERROR_INTERNAL);
    _exit(WS_ERROR_INPUT);
}

void ws_load_options_begin_limit(const WsLoadOptions *options)
{
    gint64 seconds =
        options->compile_seconds == NOT_GIVEN ? DEFAULT_SECONDS : options->compile_seconds;
    struct sigaction action = {.sa_handler = stop};
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};

    g_snprintf(message, sizeof message,
               "error: loading and compiling took more than %d seconds of processor time; "
               "--max-compile-seconds sets another limit\n",
               (int)seconds);
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

void ws_load_options_end_limit(void)
{
    struct itimerval none = {0};

    setitimer(ITIMER_PROF, &none, NULL);
    signal(SIGPROF, SIG_DFL);
}
