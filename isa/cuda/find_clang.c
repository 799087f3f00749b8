#include "isa/cuda/find_clang.h"

#include "isa/base/escape.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of one version, the number for %u: Debian and Ubuntu, Fedora, Arch and Alpine, Homebrew. */
static const char *const versioned[] = {
    "/usr/bin/clang++-%u",
    "/usr/lib/llvm-%u/bin/clang++",
    "/usr/lib64/llvm%u/bin/clang++",
    "/usr/lib/llvm%u/bin/clang++",
    "/opt/homebrew/opt/llvm@%u/bin/clang++",
    "/usr/local/opt/llvm@%u/bin/clang++",
    "/home/linuxbrew/.linuxbrew/opt/llvm@%u/bin/clang++",
};

/* Of whatever version; the last two are NixOS. */
static const char *const plain[] = {
    "/usr/bin/clang++",
    "/usr/local/bin/clang++",
    "/opt/homebrew/opt/llvm/bin/clang++",
    "/usr/local/opt/llvm/bin/clang++",
    "/home/linuxbrew/.linuxbrew/opt/llvm/bin/clang++",
    "/run/current-system/sw/bin/clang++",
    "/nix/var/nix/profiles/default/bin/clang++",
};

static void add_version(GPtrArray *places, const char *root, guint version)
{
    g_autofree char *number = g_strdup_printf("%u", version);

    for (guint i = 0; i < G_N_ELEMENTS(versioned); i++) {
        g_auto(GStrv) halves = g_strsplit(versioned[i], "%u", 2);

        g_ptr_array_add(places, g_strconcat(root, halves[0], number, halves[1], NULL));
    }
}

char **ws_clang_places(const char *root, const char *home, const char *search_path)
{
    GPtrArray *places = g_ptr_array_new();
    g_auto(GStrv) folders = g_strsplit(search_path != NULL ? search_path : "", ":", -1);

    for (guint version = WS_CLANG_OLDEST; version <= WS_CLANG_NEWEST; version++)
        add_version(places, root, version);
    for (guint i = 0; i < G_N_ELEMENTS(plain); i++)
        g_ptr_array_add(places, g_strconcat(root, plain[i], NULL));
    if (home != NULL)
        g_ptr_array_add(places, g_build_filename(home, ".nix-profile/bin/clang++", NULL));
    /* A relative folder would be another one wherever the program is started. */
    for (guint i = 0; folders[i] != NULL; i++)
        if (g_path_is_absolute(folders[i]))
            g_ptr_array_add(places, g_build_filename(folders[i], "clang++", NULL));
    g_ptr_array_add(places, NULL);
    return (char **)g_ptr_array_free(places, FALSE);
}

static char *chosen_by_user(const char *chosen, GError **error)
{
    g_autofree char *shown = ws_printable(chosen);

    if (g_path_is_absolute(chosen) && g_file_test(chosen, G_FILE_TEST_IS_EXECUTABLE))
        return g_strdup(chosen);
    ws_set_error(error, WS_ERROR_INPUT,
                 "WARPSTEP_CLANG is '%s', which is not the absolute path of a program", shown);
    return NULL;
}

char *ws_clang_of_places(char **places, GError **error)
{
    for (guint i = 0; places[i] != NULL; i++)
        if (g_file_test(places[i], G_FILE_TEST_IS_EXECUTABLE) &&
            !g_file_test(places[i], G_FILE_TEST_IS_DIR))
            return g_strdup(places[i]);
    ws_set_error(error, WS_ERROR_INPUT,
                 "clang is needed to compile CUDA C, and there is neither clang++-%u to clang++-%u "
                 "nor clang++ where systems put them or in PATH: install it (apt-get install "
                 "clang-14, or clang where that is newer; dnf install clang; pacman -S clang; apk "
                 "add clang; brew install llvm), or set WARPSTEP_CLANG to the path of clang++",
                 WS_CLANG_OLDEST, WS_CLANG_NEWEST);
    return NULL;
}

/* The file of this code: a program, or libwarpstep in whatever program. */
static char *own_file(void)
{
    Dl_info info;
    struct link_map *object = NULL;
    char *real = NULL, *path = NULL;

    if (dladdr1((const void *)ws_find_clang, &info, (void **)&object, RTLD_DL_LINKMAP) != 0 &&
        object != NULL && object->l_name[0] == '/')
        real = realpath(object->l_name, NULL);
    path = real != NULL ? g_strdup(real) : g_file_read_link("/proc/self/exe", NULL);
    free(real);
    return path;
}

char *ws_clang_beside(const char *file)
{
    g_autofree char *folder = g_path_get_dirname(file);
    g_autofree char *path =
        g_build_filename(folder, "..", "lib", "warpstep", "clang", "bin", "clang++", NULL);
    g_autofree char *clang = g_canonicalize_filename(path, NULL);

    return g_file_test(clang, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer(&clang) : NULL;
}

char *ws_find_clang(GError **error)
{
    const char *chosen = g_getenv("WARPSTEP_CLANG");
    g_autofree char *own = own_file();
    g_autofree char *beside = own != NULL ? ws_clang_beside(own) : NULL;
    g_auto(GStrv) places = ws_clang_places("", g_get_home_dir(), g_getenv("PATH"));

    if (chosen != NULL && *chosen != '\0')
        return chosen_by_user(chosen, error);
    return beside != NULL ? g_steal_pointer(&beside) : ws_clang_of_places(places, error);
}

gboolean ws_is_clang_itself(const char *path)
{
    static const char elf[] = {'\177', 'E', 'L', 'F'};
    char *real = realpath(path, NULL), start[sizeof elf] = {0};
    if (real == NULL)
        return FALSE;
    g_autofree char *name = g_path_get_basename(real);
    int file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    gboolean whole = file >= 0 && read(file, start, sizeof start) == (gssize)sizeof start;
    if (file >= 0)
        close(file);
    free(real);
    return whole && memcmp(start, elf, sizeof elf) == 0 && g_str_has_prefix(name, "clang");
}
