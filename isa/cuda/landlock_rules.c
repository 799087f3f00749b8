#include "isa/cuda/landlock_rules.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const guint64 reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/* A rule for a file may not speak of what only folders have. */
static const guint64 reading_a_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
/* All that the first version of Landlock knows, and (as of its second and third) moving a file to
 * another folder and truncating. */
static const guint64 first_version = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
static const guint64 refer = G_GUINT64_CONSTANT(1) << 13, truncating = G_GUINT64_CONSTANT(1) << 14;

static const guint64 writing = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                               LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG;

static void allow_as(int rules, const char *path, guint64 access)
{
    struct stat status;
    struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0)
        return;
    if (fstat(rule.parent_fd, &status) == 0) {
        rule.allowed_access = S_ISDIR(status.st_mode) ? access : access & reading_a_file;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(rule.parent_fd);
}

static void allow(int rules, const char *path)
{
    allow_as(rules, path, reading);
}

static void allow_all(int rules, const char *const *paths)
{
    for (; rules >= 0 && paths != NULL && *paths != NULL; paths++)
        allow(rules, *paths);
}

/* The folder of the program and the libraries beside it, links followed. */
static void allow_program(int rules, const char *program)
{
    static const char *const stores[] = {"/nix/store", "/opt/homebrew",
                                         "/home/linuxbrew/.linuxbrew"};
    static const char *const libraries[] = {"lib", "lib64"};
    char *real = realpath(program, NULL);
    if (real == NULL)
        return;
    g_autofree char *folder = g_path_get_dirname(real);
    allow(rules, folder);
    for (guint i = 0; i < G_N_ELEMENTS(libraries); i++) {
        g_autofree char *library = g_build_filename(folder, "..", libraries[i], NULL);
        allow(rules, library);
    }
    /* Nix and Homebrew keep each library in a folder of its own. */
    for (guint i = 0; i < G_N_ELEMENTS(stores); i++)
        if (g_str_has_prefix(real, stores[i]))
            allow(rules, stores[i]);
    free(real);
}

/* Rules that allow nothing; of `ret_version` of Landlock. */
static int rules_new(long *ret_version)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    *ret_version = version;
    if (version < 1)
        return -1;
    const struct landlock_ruleset_attr handled = {.handled_access_fs =
                                                      first_version | (version >= 2 ? refer : 0) |
                                                      (version >= 3 ? truncating : 0)};
    return (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
}

static const char *const libraries_of_the_system[] = {
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",      "/lib", "/lib32",
    "/lib64",   "/libx32",    "/dev/null",  "/etc/ld.so.cache", NULL};

int ws_landlock_rules_new(const char *clang, const char *const *reads)
{
    static const char *const programs[] = {"/usr/bin", "/bin", NULL};
    long version;
    int rules = rules_new(&version);
    allow_all(rules, libraries_of_the_system);
    allow_all(rules, programs);
    allow_all(rules, reads);
    if (rules >= 0)
        allow_program(rules, clang);
    return rules;
}

int ws_landlock_rules_new_for_program(const char *program, const char *const *reads,
                                      const char *writes)
{
    long version;
    int rules = rules_new(&version);
    allow_all(rules, libraries_of_the_system);
    allow_all(rules, reads);
    if (rules < 0)
        return rules;
    allow(rules, program);
    allow_as(rules, writes, writing | (version >= 3 ? truncating : 0));
    return rules;
}

gboolean ws_landlock_rules_enter(int rules)
{
    return syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}
