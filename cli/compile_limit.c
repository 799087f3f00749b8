#include "cli/compile_limit.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/command.h"

static char message[160];

/* Only calls that are safe in a handler. */
static void stop(int number)
{
    (void)number;
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(WS_ERROR_INTERNAL);
    _exit(WS_ERROR_INPUT);
}

gboolean ws_compile_limit_check(gint64 seconds)
{
    if (seconds >= 1 && seconds <= WS_MOST_COMPILE_SECONDS)
        return TRUE;
    ws_usage_error("--max-compile-seconds: a number from 1 to %d is expected",
                   WS_MOST_COMPILE_SECONDS);
    return FALSE;
}

void ws_compile_limit_begin(gint64 seconds)
{
    struct sigaction action = {.sa_handler = stop};
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};

    g_snprintf(message, sizeof message,
               "error: loading and compiling took more than %d seconds; --max-compile-seconds "
               "sets another limit\n",
               (int)seconds);
    sigemptyset(&action.sa_mask);
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

void ws_compile_limit_end(void)
{
    struct itimerval none = {0};

    setitimer(ITIMER_VIRTUAL, &none, NULL);
    signal(SIGVTALRM, SIG_DFL);
}
