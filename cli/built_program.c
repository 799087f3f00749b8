#include "cli/built_program.h"

#include "isa/fatbin/fatbin.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

/* What is looked at in the file. */
typedef struct {
    gboolean is_dynamic; /* the loader starts it */
    gboolean has_kernels;
    GArray *images; /* of WsFatbinImage; the file's memory holds what they point to */
} Contents;

gboolean ws_is_built_program(const char *path)
{
    char magic[SELFMAG];
    const int file =
        g_file_test(path, G_FILE_TEST_IS_REGULAR) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const gboolean is_elf = file >= 0 && read(file, magic, sizeof magic) == (gssize)sizeof magic &&
                            memcmp(magic, ELFMAG, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is_elf;
}

/* ---- what it holds ----------------------------------------------------------------------------
 */

static gboolean read_section(Elf *elf, Elf_Scn *section, Contents *contents, GError **error)
{
    static const char *const names[] = {".nv_fatbin", "__nv_relfatbin", NULL};
    GElf_Shdr header;
    size_t strings;
    if (gelf_getshdr(section, &header) == NULL || elf_getshdrstrndx(elf, &strings) != 0)
        return TRUE;
    const char *name = elf_strptr(elf, strings, header.sh_name);
    if (name == NULL || !g_strv_contains(names, name) || header.sh_type == SHT_NOBITS)
        return TRUE;
    const Elf_Data *data = elf_rawdata(section, NULL);
    contents->has_kernels = TRUE;
    /* `cc` puts PTX there as it is. */
    return data == NULL || data->d_buf == NULL || data->d_size < WS_FATBIN_HEADER_BYTES ||
           ws_fatbin_bytes(data->d_buf) == 0 ||
           ws_fatbin_add_section(data->d_buf, data->d_size, contents->images, error);
}

static gboolean read_contents(Elf *elf, Contents *contents, GError **error)
{
    size_t segments = 0;
    elf_getphdrnum(elf, &segments);
    for (size_t i = 0; i < segments; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, (int)i, &segment) != NULL)
            contents->is_dynamic |= segment.p_type == PT_INTERP;
    }
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
        if (!read_section(elf, section, contents, error))
            return FALSE;
    return TRUE;
}

/* ---- what it is linked with -------------------------------------------------------------------
 */

/* What the loader says it would load, a library a line; it does not start the program. */
static char *loaded_with(const char *path)
{
    char *arguments[] = {(char *)path, NULL};
    char *text = NULL;
    g_auto(GStrv) environment =
        g_environ_setenv(g_get_environ(), "LD_TRACE_LOADED_OBJECTS", "1", TRUE);
    if (!g_spawn_sync(NULL, arguments, environment, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &text,
                      NULL, NULL, NULL))
        return g_strdup("");
    return text;
}

/* Libraries of NVIDIA's that are not here: the program would not start, or fail in them. */
static const char *closed_library_in(const char *libraries)
{
    static const char *const closed[] = {
        "libcuda.so",     "libcublas.so",   "libcublasLt.so", "libcufft.so", "libcurand.so",
        "libcusparse.so", "libcusolver.so", "libcudnn.so",    "libnccl.so",  "libnvrtc.so",
        "libnvjpeg.so",   "libnppc.so",     "libcufile.so",   "libcupti.so", "libnvidia-ml.so",
    };
    for (guint i = 0; i < G_N_ELEMENTS(closed); i++)
        if (strstr(libraries, closed[i]) != NULL)
            return closed[i];
    return NULL;
}

static gboolean check_libraries(const char *path, const Contents *contents, GError **error)
{
    static const char *const known[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13",
                                        "libwarpstep-cudart.so"};
    const WsPosition position = {.file = path};
    g_autofree char *libraries = contents->is_dynamic ? loaded_with(path) : g_strdup("");
    const char *closed = closed_library_in(libraries);
    gboolean is_known = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        is_known |= strstr(libraries, known[i]) != NULL;
    if (is_known && closed == NULL)
        return TRUE;
    if (closed != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the program uses %s, a library that Warpstep does not have", closed);
    else if (strstr(libraries, "libcudart.so") != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the program is linked with a runtime of a CUDA that is neither 11, 12 nor "
                        "13: build it with one of these");
    else if (contents->has_kernels)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the program has CUDA's runtime inside, as nvcc links it by default: link "
                        "it with 'nvcc -cudart shared', so that Warpstep's can be there instead");
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the program does not use CUDA: it holds no kernels and is not linked with "
                        "libcudart");
    return FALSE;
}

static gboolean has_ptx(const GArray *images, guint capability)
{
    for (guint i = 0; i < images->len; i++)
        if (ws_fatbin_is_taken(&g_array_index(images, WsFatbinImage, i), capability))
            return TRUE;
    return FALSE;
}

gboolean ws_built_program_check(const char *path, guint capability, GError **error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const WsPosition position = {.file = path};
    g_autoptr(GError) damage = NULL;
    Contents contents = {.images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage))};
    elf_version(EV_CURRENT);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    gboolean good = elf != NULL && read_contents(elf, &contents, &damage);
    if (!good)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s",
                        damage != NULL ? damage->message + strlen("error: ") : "it cannot be read");
    if (good)
        good = check_libraries(path, &contents, error);
    if (good && contents.images->len > 0 && !has_ptx(contents.images, capability)) {
        ws_fatbin_refuse(&position, contents.images, capability, error);
        good = FALSE;
    }
    g_array_unref(contents.images);
    if (elf != NULL)
        elf_end(elf);
    if (file >= 0)
        close(file);
    return good;
}
