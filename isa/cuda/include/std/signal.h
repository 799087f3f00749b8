#ifndef WARPSTEP_SIGNAL_H
#define WARPSTEP_SIGNAL_H

#include <parts/types.h>

#define SIGHUP    1
#define SIGINT    2
#define SIGQUIT   3
#define SIGILL    4
#define SIGTRAP   5
#define SIGABRT   6
#define SIGBUS    7
#define SIGFPE    8
#define SIGKILL   9
#define SIGUSR1   10
#define SIGSEGV   11
#define SIGUSR2   12
#define SIGPIPE   13
#define SIGALRM   14
#define SIGTERM   15
#define SIGCHLD   17
#define SIGCONT   18
#define SIGSTOP   19
#define SIGTSTP   20
#define SIG_DFL   ((sighandler_t)0)
#define SIG_IGN   ((sighandler_t)1)
#define SIG_ERR   ((sighandler_t)-1)
#define SIG_BLOCK   0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_SIGINFO  4
#define SA_RESTART  0x10000000

typedef void (*sighandler_t)(int);
typedef sighandler_t __sighandler_t;
typedef int sig_atomic_t;
typedef struct {
    unsigned long __bits[16];
} sigset_t;
union sigval {
    int sival_int;
    void *sival_ptr;
};
typedef struct {
    int si_signo, si_errno, si_code, si_status;
    pid_t si_pid;
    uid_t si_uid;
    void *si_addr;
} siginfo_t;
struct sigaction {
    union {
        sighandler_t sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    };
    sigset_t sa_mask;
    int sa_flags;
};

extern "C" {
sighandler_t signal(int, sighandler_t) noexcept;
int raise(int) noexcept;
int kill(pid_t, int) noexcept;
int sigemptyset(sigset_t *) noexcept;
int sigfillset(sigset_t *) noexcept;
int sigaddset(sigset_t *, int) noexcept;
int sigdelset(sigset_t *, int) noexcept;
int sigprocmask(int, const sigset_t *, sigset_t *) noexcept;
int sigaction(int, const struct sigaction *, struct sigaction *) noexcept;
}

#endif
