#include "isa/cuda/call_filter.h"

#include "isa/cuda/memory_file.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_BYTES = 1 << 16 };

struct WsCallFilter {
    char *instructions;
    struct sock_fprog program;
};

/*
 * By the names of all machines; a name that this one lacks adds nothing. What a C library asks for
 * at a program's start is in it, and what LLVM does to files, memory and threads.
 */
static const char *const needed[] = {
    /* memory */
    "brk", "madvise", "membarrier", "mincore", "mmap", "mmap2", "mprotect", "mremap", "munmap",
    /* files; which of them may be opened is Landlock's part */
    "_llseek", "access", "close", "close_range", "dup", "dup2", "dup3", "faccessat", "faccessat2",
    "fadvise64", "fstat", "fstat64", "fstatat64", "fstatfs", "fstatfs64", "getcwd", "getdents",
    "getdents64", "lseek", "lstat", "lstat64", "newfstatat", "open", "openat", "pread64", "preadv",
    "pwrite64", "pwritev", "read", "readahead", "readlink", "readlinkat", "readv", "stat", "stat64",
    "statfs", "statfs64", "statx", "umask", "write", "writev",
    /* threads, signals to itself */
    "arch_prctl", "cacheflush", "futex", "futex_time64", "get_robust_list", "gettid",
    "restart_syscall", "riscv_flush_icache", "rseq", "rt_sigaction", "rt_sigprocmask",
    "rt_sigreturn", "sched_getaffinity", "sched_yield", "set_robust_list", "set_thread_area",
    "set_tid_address", "set_tls", "sigaltstack", "sigreturn",
    /* time, and what the process is */
    "clock_getres", "clock_getres_time64", "clock_gettime", "clock_gettime64", "clock_nanosleep",
    "clock_nanosleep_time64", "getcpu", "getegid", "geteuid", "getgid", "getpid", "getppid",
    "getrandom", "getrlimit", "getrusage", "gettimeofday", "getuid", "nanosleep", "sysinfo", "time",
    "times", "ugetrlimit", "uname",
    /* the end, and exec, which is the other filter's part */
    "execve", "execveat", "exit", "exit_group"};

/* Calls of which only some are needed: those with this value as an argument. */
static const struct {
    const char *name;
    guint argument;
    guint64 value;
} needed_with[] = {
    {"fcntl", 1, F_DUPFD},           {"fcntl", 1, F_DUPFD_CLOEXEC}, {"fcntl", 1, F_GETFD},
    {"fcntl", 1, F_SETFD},           {"fcntl", 1, F_GETFL},         {"fcntl64", 1, F_DUPFD},
    {"fcntl64", 1, F_DUPFD_CLOEXEC}, {"fcntl64", 1, F_GETFD},       {"fcntl64", 1, F_SETFD},
    {"fcntl64", 1, F_GETFL},         {"ioctl", 1, TCGETS},          {"ioctl", 1, TIOCGWINSZ},
    {"prctl", 0, PR_SET_NAME},       {"prctl", 0, PR_GET_NAME},     {"prlimit64", 2, 0 /* NULL */},
};

#if defined __s390__
enum { CLONE_FLAGS = 1 };
#else
enum { CLONE_FLAGS = 0 };
#endif

/* Where a filter finds the half of a call's first argument that a process id is in. */
enum {
    LOW_WORD_OF_FIRST =
        offsetof(struct seccomp_data, args) + (G_BYTE_ORDER == G_BIG_ENDIAN ? sizeof(guint32) : 0)
};

static int number_of(const char *name)
{
    return seccomp_syscall_resolve_name(name);
}

/* `without`: names that are left out, NULL-terminated. */
static gboolean allow_needed_without(scmp_filter_ctx context, const char *const *without)
{
    gboolean good = TRUE;
    for (guint i = 0; good && i < G_N_ELEMENTS(needed); i++)
        if (number_of(needed[i]) >= 0 && !g_strv_contains(without, needed[i]))
            good = seccomp_rule_add(context, SCMP_ACT_ALLOW, number_of(needed[i]), 0) == 0;
    for (guint i = 0; good && i < G_N_ELEMENTS(needed_with); i++)
        if (number_of(needed_with[i].name) >= 0)
            good = seccomp_rule_add(context, SCMP_ACT_ALLOW, number_of(needed_with[i].name), 1,
                                    SCMP_CMP(needed_with[i].argument, SCMP_CMP_EQ,
                                             needed_with[i].value, 0)) == 0;
    /* Threads. The flags of clone3() are in memory, where no filter sees them; without it the C
     * library takes clone(). */
    return good && seccomp_rule_add(
                       context, SCMP_ACT_ALLOW, number_of("clone"), 1,
                       SCMP_CMP(CLONE_FLAGS, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) == 0;
}

static gboolean allow_needed(scmp_filter_ctx context)
{
    static const char *const none[] = {NULL};
    return allow_needed_without(context, none);
}

/*
 * What a program takes is counted: private memory by a limit, files by their folder. So there is no
 * shared memory without a file, and no file without a name.
 */
static gboolean allow_program(scmp_filter_ctx context)
{
    static const char *const restricted[] = {"mmap", "mmap2", "open", "openat", NULL};
    static const char *const more[] = {"fdatasync", "fsync", "tgkill"};
    enum { NO_NAME = O_TMPFILE & ~O_DIRECTORY, FLAGS_OF_MMAP = 3, FLAGS_OF_OPEN = 1 };
    const struct scmp_arg_cmp of_file =
        SCMP_CMP(FLAGS_OF_MMAP, SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, 0);
    const struct scmp_arg_cmp private =
        SCMP_CMP(FLAGS_OF_MMAP, SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_PRIVATE);
    gboolean good = allow_needed_without(context, restricted);
    for (guint i = 0; good && i < G_N_ELEMENTS(more); i++)
        if (number_of(more[i]) >= 0)
            good = seccomp_rule_add(context, SCMP_ACT_ALLOW, number_of(more[i]), 0) == 0;
    for (guint i = 0; good && restricted[i] != NULL; i++) {
        const int number = number_of(restricted[i]);
        const gboolean maps = g_str_has_prefix(restricted[i], "mmap");
        const guint flags = FLAGS_OF_OPEN + g_str_has_suffix(restricted[i], "at");
        if (number < 0)
            continue;
        if (maps)
            good = seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 1, of_file) == 0 &&
                   seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 1, private) == 0;
        else
            good = seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 1,
                                    SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, NO_NAME, 0)) == 0;
    }
    return good;
}

static gboolean ask_for_exec(scmp_filter_ctx context)
{
    return seccomp_rule_add(context, SCMP_ACT_NOTIFY, number_of("execve"), 0) == 0 &&
           seccomp_rule_add(context, SCMP_ACT_NOTIFY, number_of("execveat"), 0) == 0;
}

/* As the kernel takes it: it is loaded where nothing may be allocated. */
static WsCallFilter *compile(guint32 otherwise, gboolean (*add_rules)(scmp_filter_ctx))
{
    scmp_filter_ctx context = seccomp_init(otherwise);
    int file = context == NULL ? -1 : ws_memory_file_new("", 0, NULL);
    gsize length = 0;
    char *instructions = NULL;
    if (file >= 0 && add_rules(context) && seccomp_export_bpf(context, file) == 0)
        instructions = ws_memory_file_read(file, MAX_BYTES, &length);
    if (context != NULL)
        seccomp_release(context);
    if (file >= 0)
        close(file);
    if (instructions == NULL)
        return NULL;
    WsCallFilter *filter = g_new(WsCallFilter, 1);
    filter->instructions = instructions;
    filter->program = (struct sock_fprog){(unsigned short)(length / sizeof(struct sock_filter)),
                                          (struct sock_filter *)(gpointer)instructions};
    return filter;
}

WsCallFilter *ws_call_filter_new_for_compiler(void)
{
    /* As an older kernel has it, which C libraries know how to deal with. */
    return compile(SCMP_ACT_ERRNO(ENOSYS), allow_needed);
}

WsCallFilter *ws_call_filter_new_for_program(void)
{
    return compile(SCMP_ACT_ERRNO(ENOSYS), allow_program);
}

WsCallFilter *ws_call_filter_new_for_exec(void)
{
    return compile(SCMP_ACT_ALLOW, ask_for_exec);
}

void ws_call_filter_free(WsCallFilter *filter)
{
    if (filter == NULL)
        return;
    g_free(filter->instructions);
    g_free(filter);
}

gboolean ws_call_filter_enter(const WsCallFilter *filter)
{
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter->program) == 0;
}

/* Which process it is, is known in that process only, where nothing may be allocated. */
gboolean ws_call_filter_bind_signals(void)
{
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD_OF_FIRST),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (guint32)getpid(), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    const struct sock_fprog program = {G_N_ELEMENTS(instructions), instructions};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

int ws_call_filter_enter_listened(const WsCallFilter *filter)
{
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &filter->program);
}

/* ---- the listener -----------------------------------------------------------------------------
 */

/* A larger kernel's structs may be larger than those of our headers. */
static guint64 *new_buffer(gsize known, guint16 kernels)
{
    return g_new0(guint64, MAX(known, kernels) / sizeof(guint64) + 1);
}

static WsExecGrant answer(int listener, const struct seccomp_notif_sizes *sizes)
{
    g_autofree guint64 *question_buffer =
        new_buffer(sizeof(struct seccomp_notif), sizes->seccomp_notif);
    g_autofree guint64 *answer_buffer =
        new_buffer(sizeof(struct seccomp_notif_resp), sizes->seccomp_notif_resp);
    const struct seccomp_notif *question = (gpointer)question_buffer;
    struct seccomp_notif_resp *reply = (gpointer)answer_buffer;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, question_buffer) != 0)
        return errno == EINTR || errno == ENOENT ? WS_EXEC_GONE : WS_EXEC_REFUSED;
    reply->id = question->id;
    reply->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer_buffer) != 0)
        return errno == ENOENT ? WS_EXEC_GONE : WS_EXEC_REFUSED;
    return WS_EXEC_GRANTED;
}

WsExecGrant ws_call_filter_grant_exec(int listener, int process_end)
{
    struct seccomp_notif_sizes sizes = {0};
    WsExecGrant grant = WS_EXEC_GONE;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0)
        grant = WS_EXEC_REFUSED;
    while (grant == WS_EXEC_GONE) { /* a signal may take a question back, which then comes again */
        struct pollfd waits[] = {{.fd = listener, .events = POLLIN}, {.fd = process_end}};
        if (poll(waits, G_N_ELEMENTS(waits), -1) < 0) {
            if (errno != EINTR)
                break;
        } else if (waits[0].revents & POLLIN) {
            grant = answer(listener, &sizes);
        } else {
            break;
        }
    }
    close(listener);
    return grant;
}
