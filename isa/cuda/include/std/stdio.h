#ifndef WARPSTEP_STDIO_H
#define WARPSTEP_STDIO_H

#include <parts/types.h>
#include <stdarg.h>

#define EOF          (-1)
#define BUFSIZ       8192
#define FILENAME_MAX 4096
#define FOPEN_MAX    16
#define TMP_MAX      238328
#define L_tmpnam     20
#define P_tmpdir     "/tmp"
#define _IOFBF       0
#define _IOLBF       1
#define _IONBF       2
#define SEEK_SET     0
#define SEEK_CUR     1
#define SEEK_END     2

typedef struct _IO_FILE FILE;
typedef struct {
    long __position;
    unsigned long long __state;
} fpos_t;

extern "C" {
extern FILE *stdin, *stdout, *stderr;
#define stdin  stdin
#define stdout stdout
#define stderr stderr

int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int dprintf(int, const char *, ...);
int sprintf(char *, const char *, ...) noexcept;
int snprintf(char *, size_t, const char *, ...) noexcept;
int asprintf(char **, const char *, ...) noexcept;
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vdprintf(int, const char *, va_list);
int vsprintf(char *, const char *, va_list) noexcept;
int vsnprintf(char *, size_t, const char *, va_list) noexcept;
int vasprintf(char **, const char *, va_list) noexcept;
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...) noexcept;
int vscanf(const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vsscanf(const char *, const char *, va_list) noexcept;

FILE *fopen(const char *, const char *);
FILE *fopen64(const char *, const char *);
FILE *freopen(const char *, const char *, FILE *);
FILE *fdopen(int, const char *) noexcept;
FILE *fmemopen(void *, size_t, const char *) noexcept;
FILE *open_memstream(char **, size_t *) noexcept;
FILE *popen(const char *, const char *);
int pclose(FILE *);
int fclose(FILE *);
int fflush(FILE *);
int fileno(FILE *) noexcept;
FILE *tmpfile(void);
char *tmpnam(char *) noexcept;
char *tempnam(const char *, const char *) noexcept;
void setbuf(FILE *, char *) noexcept;
void setbuffer(FILE *, char *, size_t) noexcept;
void setlinebuf(FILE *) noexcept;
int setvbuf(FILE *, char *, int, size_t) noexcept;

int fgetc(FILE *);
int getc(FILE *);
int getc_unlocked(FILE *);
int getchar(void);
int getchar_unlocked(void);
int fputc(int, FILE *);
int putc(int, FILE *);
int putc_unlocked(int, FILE *);
int putchar(int);
int putchar_unlocked(int);
int ungetc(int, FILE *);
char *fgets(char *, int, FILE *);
char *gets(char *);
int fputs(const char *, FILE *);
int puts(const char *);
ssize_t getline(char **, size_t *, FILE *);
ssize_t getdelim(char **, size_t *, int, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
size_t fread_unlocked(void *, size_t, size_t, FILE *);
size_t fwrite_unlocked(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int);
int fseeko(FILE *, off_t, int);
int fseeko64(FILE *, off64_t, int);
long ftell(FILE *);
off_t ftello(FILE *);
off64_t ftello64(FILE *);
void rewind(FILE *);
int fgetpos(FILE *, fpos_t *);
int fsetpos(FILE *, const fpos_t *);
void clearerr(FILE *) noexcept;
int feof(FILE *) noexcept;
int ferror(FILE *) noexcept;
void perror(const char *);
int remove(const char *) noexcept;
int rename(const char *, const char *) noexcept;
void flockfile(FILE *) noexcept;
int ftrylockfile(FILE *) noexcept;
void funlockfile(FILE *) noexcept;
}

#endif
