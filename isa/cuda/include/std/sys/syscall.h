#ifndef WARPSTEP_SYS_SYSCALL_H
#define WARPSTEP_SYS_SYSCALL_H
#define SYS_gettid 186
#endif
