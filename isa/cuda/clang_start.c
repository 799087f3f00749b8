#include "isa/cuda/clang_start.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAST_DESCRIPTOR = 65536, NOT_STARTED = 127 };

/*
 * What the child tells through the socket, a message each: the listener (ws_clang_sandbox_enter()),
 * the parts that hold, and, if exec fails, errno. It hangs up when exec succeeds.
 */

/* ---- in the child: only calls that are safe between fork and exec ------------------------------
 */

static void close_on_exec(int from)
{
    if (syscall(SYS_close_range, (guint)from, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int descriptor = from; descriptor < LAST_DESCRIPTOR; descriptor++)
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/* FALSE: there are too few descriptors. Those above 2 need no copy. */
static gboolean set_descriptors(const WsClangStart *start)
{
    const int wanted[] = {start->input, start->output, start->messages};
    int copies[G_N_ELEMENTS(wanted)];
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        copies[i] = wanted[i] < 0 || wanted[i] > 2 ? wanted[i] : fcntl(wanted[i], F_DUPFD, 3);
        if (wanted[i] >= 0 && copies[i] < 0)
            return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (copies[i] >= 0 && dup2(copies[i], (int)i) < 0)
            return FALSE;
    close_on_exec(3);
    for (guint list = 0; start->inherited != NULL && start->inherited[list] != NULL; list++)
        for (guint i = 0; i < start->inherited[list]->len; i++)
            fcntl(g_array_index(start->inherited[list], int, i), F_SETFD, 0);
    return TRUE;
}

static void tell(int socket, guint value)
{
    if (write(socket, &value, sizeof value) != sizeof value)
        _exit(NOT_STARTED);
}

static _Noreturn void be_child(const WsClangStart *start, pid_t parent, int report)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(NOT_STARTED); /* it ended before the line above */
    signal(SIGPIPE, SIG_DFL);
    if (!set_descriptors(start))
        _exit(NOT_STARTED);
    if (start->prepare != NULL)
        start->prepare(start->data);
    static const WsClangSandbox none = {.files = -1};
    guint parts = ws_clang_sandbox_enter(start->sandbox != NULL ? start->sandbox : &none, report);
    tell(report, parts);
    if ((start->required & ~parts) != 0)
        _exit(NOT_STARTED);
    execve(start->arguments[0], (char *const *)start->arguments, (char *const *)start->environment);
    tell(report, (guint)errno);
    _exit(NOT_STARTED);
}

/* ---- in the parent ----------------------------------------------------------------------------
 */

/* A descriptor, or -1 if there came none. FALSE if the child has ended. */
static gboolean receive_listener(int report, int *ret)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    gssize got;
    *ret = -1;
    do
        got = recvmsg(report, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *head = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head != NULL && head->cmsg_type == SCM_RIGHTS)
        memcpy(ret, CMSG_DATA(head), sizeof *ret);
    return got > 0;
}

/* FALSE if the child has hung up. */
static gboolean hear(int report, guint *ret)
{
    gssize got;
    do
        got = read(report, ret, sizeof *ret);
    while (got < 0 && errno == EINTR);
    return got == sizeof *ret;
}

static void end_child(pid_t process)
{
    kill(process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
}

typedef enum { STARTED, FAILED, NO_GRANT } Outcome;

/* The child's report up to its exec. `ret_errno`: 0 if it said nothing. */
static Outcome follow(const WsClangStart *start, int report, guint *ret_parts, int *ret_errno)
{
    int listener;
    guint failure = 0;
    *ret_parts = 0;
    *ret_errno = 0;
    if (!receive_listener(report, &listener))
        return FAILED;
    if (!hear(report, ret_parts) || (start->required & ~*ret_parts) != 0) {
        if (listener >= 0)
            close(listener);
        return FAILED;
    }
    WsExecGrant grant =
        listener >= 0 ? ws_call_filter_grant_exec(listener, report) : WS_EXEC_GRANTED;
    if (grant == WS_EXEC_REFUSED)
        return NO_GRANT;
    if (!hear(report, &failure))
        return grant == WS_EXEC_GRANTED ? STARTED : FAILED;
    *ret_errno = (int)failure;
    return FAILED;
}

static Outcome start_once(const WsClangStart *start, WsClangStarted *ret, int *ret_errno)
{
    int ends[2];
    pid_t parent = getpid();
    *ret = (WsClangStarted){.process = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *ret_errno = errno;
        return FAILED;
    }
    pid_t process = fork();
    if (process == 0)
        be_child(start, parent, ends[1]);
    close(ends[1]);
    Outcome outcome = FAILED;
    if (process < 0)
        *ret_errno = errno;
    else
        outcome = follow(start, ends[0], &ret->protection, ret_errno);
    close(ends[0]);
    if (outcome == STARTED)
        ret->process = process;
    else if (process > 0)
        end_child(process);
    return outcome;
}

/* A kernel before 5.5 has listeners that can let nothing through: again without. */
static Outcome start_with_what_works(const WsClangStart *start, WsClangStarted *ret, int *ret_errno)
{
    Outcome outcome = start_once(start, ret, ret_errno);
    if (outcome != NO_GRANT)
        return outcome;
    const WsClangSandbox less = {.files = start->sandbox->files, .calls = start->sandbox->calls};
    WsClangStart again = *start;
    again.sandbox = &less;
    return start_once(&again, ret, ret_errno);
}

gboolean ws_clang_start(const WsClangStart *start, WsClangStarted *ret, GError **error)
{
    int number = 0;
    if (start_with_what_works(start, ret, &number) == STARTED)
        return TRUE;
    g_autofree char *lacks = NULL;
    if (number == 0 && (start->required & ~ret->protection) != 0)
        lacks = ws_protection_text(ret->protection);
    ws_set_error(error, WS_ERROR_INPUT, "cannot start %s: %s", start->arguments[0],
                 lacks != NULL ? lacks
                 : number != 0 ? g_strerror(number)
                               : "it ended at once");
    return FALSE;
}
