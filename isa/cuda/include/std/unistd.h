#ifndef WARPSTEP_UNISTD_H
#define WARPSTEP_UNISTD_H

#include <getopt.h>
#include <parts/types.h>

#define STDIN_FILENO        0
#define STDOUT_FILENO       1
#define STDERR_FILENO       2
#define F_OK                0
#define X_OK                1
#define W_OK                2
#define R_OK                4
#define _SC_CLK_TCK         2
#define _SC_PAGESIZE        30
#define _SC_PAGE_SIZE       _SC_PAGESIZE
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES      85
#define _SC_AVPHYS_PAGES    86
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

extern "C" {
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
int close(int);
off_t lseek(int, off_t, int) noexcept;
off64_t lseek64(int, off64_t, int) noexcept;
int access(const char *, int) noexcept;
int unlink(const char *) noexcept;
int rmdir(const char *) noexcept;
int chdir(const char *) noexcept;
int link(const char *, const char *) noexcept;
int symlink(const char *, const char *) noexcept;
ssize_t readlink(const char *, char *, size_t) noexcept;
char *getcwd(char *, size_t) noexcept;
int truncate(const char *, off_t) noexcept;
int ftruncate(int, off_t) noexcept;
int fsync(int);
void sync(void) noexcept;
int dup(int) noexcept;
int dup2(int, int) noexcept;
int pipe(int[2]) noexcept;
int isatty(int) noexcept;
unsigned int sleep(unsigned int);
int usleep(useconds_t);
unsigned int alarm(unsigned int) noexcept;
int pause(void);
pid_t fork(void) noexcept;
int execl(const char *, const char *, ...) noexcept;
int execlp(const char *, const char *, ...) noexcept;
int execv(const char *, char *const[]) noexcept;
int execvp(const char *, char *const[]) noexcept;
[[noreturn]] void _exit(int);
pid_t getpid(void) noexcept;
pid_t getppid(void) noexcept;
pid_t gettid(void) noexcept;
uid_t getuid(void) noexcept;
uid_t geteuid(void) noexcept;
gid_t getgid(void) noexcept;
int gethostname(char *, size_t) noexcept;
long sysconf(int) noexcept;
int getpagesize(void) noexcept;
void *sbrk(intptr_t) noexcept;
long syscall(long, ...) noexcept;
void swab(const void *, void *, ssize_t) noexcept;
extern char **environ;
}

#endif
