#ifndef WARPSTEP_STDLIB_H
#define WARPSTEP_STDLIB_H

#include <alloca.h>
#include <parts/types.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX     2147483647
#define MB_CUR_MAX   (__ctype_get_mb_cur_max())

typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;
struct drand48_data {
    unsigned short __x[3], __old_x[3], __c, __init;
    unsigned long long __a;
};
struct random_data {
    int32_t *fptr, *rptr, *state;
    int rand_type, rand_deg, rand_sep;
    int32_t *end_ptr;
};
typedef int (*__compar_fn_t)(const void *, const void *);
typedef __compar_fn_t comparison_fn_t;

extern "C" {
size_t __ctype_get_mb_cur_max(void) noexcept;
double atof(const char *) noexcept;
int atoi(const char *) noexcept;
long atol(const char *) noexcept;
long long atoll(const char *) noexcept;
double strtod(const char *, char **) noexcept;
float strtof(const char *, char **) noexcept;
long double strtold(const char *, char **) noexcept;
long strtol(const char *, char **, int) noexcept;
unsigned long strtoul(const char *, char **, int) noexcept;
long long strtoll(const char *, char **, int) noexcept;
unsigned long long strtoull(const char *, char **, int) noexcept;
long long strtoq(const char *, char **, int) noexcept;
unsigned long long strtouq(const char *, char **, int) noexcept;

int rand(void) noexcept;
void srand(unsigned int) noexcept;
int rand_r(unsigned int *) noexcept;
long random(void) noexcept;
void srandom(unsigned int) noexcept;
char *initstate(unsigned int, char *, size_t) noexcept;
char *setstate(char *) noexcept;
int random_r(struct random_data *, int32_t *) noexcept;
int srandom_r(unsigned int, struct random_data *) noexcept;
int initstate_r(unsigned int, char *, size_t, struct random_data *) noexcept;
double drand48(void) noexcept;
double erand48(unsigned short[3]) noexcept;
long lrand48(void) noexcept;
long nrand48(unsigned short[3]) noexcept;
long mrand48(void) noexcept;
long jrand48(unsigned short[3]) noexcept;
void srand48(long) noexcept;
unsigned short *seed48(unsigned short[3]) noexcept;
void lcong48(unsigned short[7]) noexcept;
int drand48_r(struct drand48_data *, double *) noexcept;
int erand48_r(unsigned short[3], struct drand48_data *, double *) noexcept;
int lrand48_r(struct drand48_data *, long *) noexcept;
int srand48_r(long, struct drand48_data *) noexcept;

void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void *reallocarray(void *, size_t, size_t) noexcept;
void free(void *) noexcept;
void *aligned_alloc(size_t, size_t) noexcept;
void *valloc(size_t) noexcept;
int posix_memalign(void **, size_t, size_t) noexcept;

[[noreturn]] void abort(void) noexcept;
[[noreturn]] void exit(int) noexcept;
[[noreturn]] void _Exit(int) noexcept;
[[noreturn]] void quick_exit(int) noexcept;
int atexit(void (*)(void)) noexcept;
int at_quick_exit(void (*)(void)) noexcept;
int on_exit(void (*)(int, void *), void *) noexcept;
char *getenv(const char *) noexcept;
char *secure_getenv(const char *) noexcept;
int setenv(const char *, const char *, int) noexcept;
int unsetenv(const char *) noexcept;
int putenv(char *) noexcept;
int clearenv(void) noexcept;
int system(const char *);
char *realpath(const char *, char *) noexcept;
char *mktemp(char *) noexcept;
int mkstemp(char *);
char *mkdtemp(char *) noexcept;

void *bsearch(const void *, const void *, size_t, size_t, __compar_fn_t);
void qsort(void *, size_t, size_t, __compar_fn_t);
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
div_t div(int, int) noexcept;
ldiv_t ldiv(long, long) noexcept;
lldiv_t lldiv(long long, long long) noexcept;
int mblen(const char *, size_t) noexcept;
int mbtowc(wchar_t *, const char *, size_t) noexcept;
int wctomb(char *, wchar_t) noexcept;
size_t mbstowcs(wchar_t *, const char *, size_t) noexcept;
size_t wcstombs(char *, const wchar_t *, size_t) noexcept;
char *ecvt(double, int, int *, int *) noexcept;
char *fcvt(double, int, int *, int *) noexcept;
char *gcvt(double, int, char *) noexcept;
int getloadavg(double[], int) noexcept;
int getsubopt(char **, char *const *, char **) noexcept;
}

#include <parts/abs.h>

#endif
