/*
 * Random programs on every kind of machine (tests/support/property_case.h).
 *
 *   test_property FIRST COUNT     cases FIRST .. FIRST + COUNT - 1
 *   test_property --damage FIRST COUNT    the same with damaged programs
 * (tests/support/property_damage.h) test_property --print SEED    the program and the machine of
 * one case test_property --shrink SEED   leaves out statements as long as the case still fails
 *
 * Cases run in child processes, so that a crash or a hang is one failed case. A case that fails
 * prints its machine, what does not hold, and the command that shrinks it. The exit code is 1 if
 * any failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/property_case.h"
#include "tests/support/property_damage.h"

enum { SLICE = 100, MAX_SECONDS = 60, PAIRS_FROM = 500 };

/* What a child tells its parent. */
typedef struct {
    guint64 seed;
    guint64 failed;
    guint64 ran; /* damaged programs that were not refused */
} Shared;

static char *check_case(const PropertyCase *this)
{
    guint statements;
    g_autofree char *text = property_case_text(this, NULL, 0, &statements);
    return property_case_check(this, text);
}

static gboolean check_seed(guint64 seed, gboolean damaged, Shared *shared)
{
    g_autoptr(PropertyCase) this = property_case_new(seed);
    gboolean ran = TRUE;
    g_autofree char *problem = damaged ? property_damage_check(this, &ran) : check_case(this);
    shared->ran += ran;
    if (problem != NULL) {
        g_autofree char *machine = property_case_describe(this);
        printf("FAILED %s\n  %s\n", machine, problem);
        if (!damaged) {
            printf("  see: test_property --shrink %" G_GUINT64_FORMAT "\n", seed);
        }
        fflush(stdout);
    }
    return problem == NULL;
}

/* From now on, MAX_SECONDS of processor time: SIGPROF ends what takes longer. */
static void limit_time(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = MAX_SECONDS}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* Runs cases up to `end` in a child; returns the next case to run. */
static guint64 run_slice(Shared *shared, guint64 from, guint64 end, gboolean damaged)
{
    int status;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        for (shared->seed = from; shared->seed < end; shared->seed++) {
            limit_time();
            shared->failed += !check_seed(shared->seed, damaged, shared);
        }
        fflush(stdout);
        _exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("test_property");
        exit(EXIT_FAILURE);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) {
        return end;
    }
    printf("FAILED seed %" G_GUINT64_FORMAT ": the process ended with status 0x%x\n", shared->seed,
           (guint)status);
    shared->failed++;
    return shared->seed + 1;
}

static int run_cases(guint64 first, guint64 count, gboolean damaged)
{
    Shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    guint64 failed, ran;
    if (shared == MAP_FAILED) {
        perror("test_property");
        return EXIT_FAILURE;
    }
    for (guint64 seed = first; seed < first + count;) {
        seed = run_slice(shared, seed, MIN(seed + SLICE, first + count), damaged);
    }
    failed = shared->failed;
    ran = shared->ran;
    printf("%" G_GUINT64_FORMAT " programs from seed %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
           " ran, %" G_GUINT64_FORMAT " failed\n",
           count, first, ran, failed);
    munmap(shared, sizeof *shared);
    return failed == 0 && ran > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Each two values of different axes meet in the first cases. */
static int check_pairs(guint64 first, guint64 count)
{
    static gboolean seen[PROPERTY_AXES][PROPERTY_AXES][64][64];
    int status = EXIT_SUCCESS;
    for (guint64 seed = first; seed < first + count; seed++) {
        g_autoptr(PropertyCase) this = property_case_new(seed);
        for (guint a = 0; a < PROPERTY_AXES; a++) {
            for (guint b = 0; b < PROPERTY_AXES; b++) {
                seen[a][b][this->value[a]][this->value[b]] = TRUE;
            }
        }
    }
    for (guint a = 0; a < PROPERTY_AXES; a++) {
        for (guint b = 0; b < a; b++) {
            for (guint k = 0; k < property_axis_count(a) * property_axis_count(b); k++) {
                guint x = k % property_axis_count(a), y = k / property_axis_count(a);
                if (!seen[a][b][x][y]) {
                    printf("value %u of axis %u never meets value %u of axis %u\n", x, a, y, b);
                    status = EXIT_FAILURE;
                }
            }
        }
    }
    return status;
}

static int print(guint64 seed)
{
    g_autoptr(PropertyCase) this = property_case_new(seed);
    g_autofree char *machine = property_case_describe(this);
    guint statements;
    g_autofree char *text = property_case_text(this, NULL, 0, &statements);
    printf("// %s\n// %u statements\n%s", machine, statements, text);
    return EXIT_SUCCESS;
}

/* Whether the case fails without the dropped statements; a crash counts. */
static gboolean still_fails(const PropertyCase *this, const guint8 *dropped, guint count)
{
    guint statements;
    g_autofree char *text = property_case_text(this, dropped, count, &statements);
    int status;
    pid_t child = fork();
    if (child == 0) {
        limit_time();
        g_autofree char *problem = property_case_check(this, text);
        gboolean fails = problem != NULL && !g_str_has_prefix(problem, "the program is refused") &&
                         !g_str_has_prefix(problem, "reference");
        _exit(fails ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    return child > 0 && waitpid(child, &status, 0) == child &&
           !(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

static int shrink(guint64 seed)
{
    g_autoptr(PropertyCase) this = property_case_new(seed);
    guint statements;
    g_free(property_case_text(this, NULL, 0, &statements)); /* how many there are */
    g_autofree guint8 *dropped = g_new0(guint8, statements);
    gboolean smaller = still_fails(this, dropped, statements);
    if (!smaller) {
        printf("case %" G_GUINT64_FORMAT " does not fail\n", seed);
        return EXIT_FAILURE;
    }
    while (smaller) {
        smaller = FALSE;
        for (guint n = 0; n < statements; n++) {
            dropped[n] = !dropped[n];
            if (dropped[n] && still_fails(this, dropped, statements)) {
                smaller = TRUE;
            } else {
                dropped[n] = !dropped[n];
            }
        }
    }
    g_autofree char *text = property_case_text(this, dropped, statements, &statements);
    g_autofree char *machine = property_case_describe(this);
    printf("// %s\n%s", machine, text);
    fflush(stdout);
    g_autofree char *problem = property_case_check(this, text);
    printf("// %s\n", problem ? problem : "");
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        return print(g_ascii_strtoull(argv[2], NULL, 10));
    }
    if (argc == 3 && strcmp(argv[1], "--shrink") == 0) {
        return shrink(g_ascii_strtoull(argv[2], NULL, 10));
    }
    if (argc == 4 && strcmp(argv[1], "--damage") == 0) {
        return run_cases(g_ascii_strtoull(argv[2], NULL, 10), g_ascii_strtoull(argv[3], NULL, 10),
                         TRUE);
    }
    if (argc != 3) {
        fprintf(stderr,
                "usage: test_property [--damage] FIRST COUNT | --print SEED | --shrink SEED\n");
        return EXIT_FAILURE;
    }
    guint64 first = g_ascii_strtoull(argv[1], NULL, 10);
    guint64 count = g_ascii_strtoull(argv[2], NULL, 10);
    int pairs = count >= PAIRS_FROM ? check_pairs(first, count) : EXIT_SUCCESS;
    int cases = run_cases(first, count, FALSE);
    return pairs == EXIT_SUCCESS ? cases : pairs;
}
