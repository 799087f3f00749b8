#ifndef WARPSTEP_SYS_STAT_H
#define WARPSTEP_SYS_STAT_H

#include <parts/types.h>

#define S_IFMT      0170000
#define S_IFDIR     0040000
#define S_IFCHR     0020000
#define S_IFREG     0100000
#define S_IFLNK     0120000
#define S_ISDIR(m)  (((m)&S_IFMT) == S_IFDIR)
#define S_ISREG(m)  (((m)&S_IFMT) == S_IFREG)
#define S_ISLNK(m)  (((m)&S_IFMT) == S_IFLNK)
#define S_IRUSR     0400
#define S_IWUSR     0200
#define S_IXUSR     0100
#define S_IRWXU     0700
#define S_IRGRP     040
#define S_IWGRP     020
#define S_IXGRP     010
#define S_IRWXG     070
#define S_IROTH     04
#define S_IWOTH     02
#define S_IXOTH     01
#define S_IRWXO     07

struct stat {
    dev_t st_dev;
    ino_t st_ino;
    nlink_t st_nlink;
    mode_t st_mode;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    off_t st_size;
    blksize_t st_blksize;
    blkcnt_t st_blocks;
    struct timespec st_atim, st_mtim, st_ctim;
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
};

extern "C" {
int stat(const char *, struct stat *) noexcept;
int fstat(int, struct stat *) noexcept;
int lstat(const char *, struct stat *) noexcept;
int chmod(const char *, mode_t) noexcept;
int fchmod(int, mode_t) noexcept;
mode_t umask(mode_t) noexcept;
int mkdir(const char *, mode_t) noexcept;
int mkfifo(const char *, mode_t) noexcept;
}

#endif
