#ifndef WARPSTEP_SYS_WAIT_H
#define WARPSTEP_SYS_WAIT_H

#include <signal.h>

#define WNOHANG        1
#define WEXITSTATUS(s) (((s)&0xff00) >> 8)
#define WTERMSIG(s)    ((s)&0x7f)
#define WIFEXITED(s)   (WTERMSIG(s) == 0)
#define WIFSIGNALED(s) (WTERMSIG(s) != 0 && WTERMSIG(s) != 0x7f)

extern "C" {
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
}

#endif
