/*
 * In place of a clang that somebody has taken over: tries what is named on the command line, and
 * prints "done", or how it is refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY_THREADS = 400, SMALL_STACK = 65536 };

static long open_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}

static long open_unix_socket(void)
{
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

/* A program that prints "done". */
static long exec_program(void)
{
    return execl("/bin/echo", "echo", "done", NULL);
}

static long exec_open_program(void)
{
    char *const arguments[] = {"echo", "done", NULL};
    char *const environment[] = {NULL};
    int program = open("/bin/echo", O_PATH);
    return syscall(SYS_execveat, program, "", arguments, environment, AT_EMPTY_PATH);
}

/* The child ends at once. */
static long start_process(unsigned long flags)
{
#ifdef __s390__
    long child = syscall(SYS_clone, 0, flags | SIGCHLD, 0, 0, 0);
#else
    long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
#endif
    if (child == 0)
        _exit(0);
    return child;
}

static long start_plain_process(void)
{
    return start_process(0);
}

static long start_process_without_view(void)
{
    return start_process(CLONE_FS);
}

static long start_process_newly(void)
{
    struct clone_args arguments = {.exit_signal = SIGCHLD};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0)
        _exit(0);
    return child;
}

static long signal_parent(void)
{
    return kill(getppid(), 0);
}

static long raise_limit(void)
{
    struct rlimit limit = {1, 1};
    return setrlimit(RLIMIT_CORE, &limit) == 0 ||
                   syscall(SYS_prlimit64, 0, RLIMIT_CORE, &limit, NULL) == 0
               ? 0
               : -1;
}

static long read_file(void)
{
    return open("/etc/passwd", O_RDONLY);
}

static long list_folder(void)
{
    return open("/", O_RDONLY | O_DIRECTORY);
}

/* Nothing is changed. */
static long write_file(void)
{
    return open("/dev/full", O_WRONLY);
}

static long trace_itself(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long make_file_in_memory(void)
{
    return syscall(SYS_memfd_create, "attack", 0);
}

static long make_ring(void)
{
    char parameters[120] = {0};
    return syscall(SYS_io_uring_setup, 4, parameters);
}

static void *wait_for_ever(void *data)
{
    while (pause() < 0) /* a signal may end it */
        ;
    return data;
}

static long start_threads(unsigned count)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALL_STACK);
    for (unsigned i = 0; i < count; i++) {
        pthread_t thread;
        errno = pthread_create(&thread, &attributes, wait_for_ever, NULL);
        if (errno != 0)
            return -1;
    }
    return 0;
}

static long start_thread(void)
{
    return start_threads(1);
}

static long start_many_threads(void)
{
    long result = start_threads(MANY_THREADS);
    sleep(20);
    return result;
}

/* getpid() by the calls of 32-bit programs, which have numbers of their own. */
#if defined __x86_64__
static long call_as_32_bit(void)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}
#endif

static const struct {
    const char *name;
    long (*attack)(void);
} attacks[] = {
    {"socket", open_socket},
    {"socketpair", open_unix_socket},
    {"exec", exec_program},
    {"execveat", exec_open_program},
    {"process", start_plain_process},
    {"process that shares", start_process_without_view},
    {"process by clone3", start_process_newly},
    {"signal", signal_parent},
    {"limit", raise_limit},
    {"read", read_file},
    {"list", list_folder},
    {"write", write_file},
    {"trace", trace_itself},
    {"memory file", make_file_in_memory},
    {"ring", make_ring},
    {"thread", start_thread},
    {"threads", start_many_threads},
#if defined __x86_64__
    {"32-bit call", call_as_32_bit},
#endif
};

int main(int count, char **arguments)
{
    for (unsigned i = 0; count == 2 && i < sizeof attacks / sizeof attacks[0]; i++) {
        if (strcmp(attacks[i].name, arguments[1]) != 0)
            continue;
        long result = attacks[i].attack();
        printf("%s\n", result >= 0 ? "done" : strerror(errno));
        return 0;
    }
    return 2;
}
