#include "cli/cc_device_code.h"

#include "isa/cuda/include/warpstep/relocatable.h"
#include "isa/ptx/link.h"

#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

/* Where clang puts relocatable PTX, of each source up to a byte 0, with more of these between. */
static const char section_name[] = "__nv_relfatbin";

/* The next of the names in the bytes, from `from` on, or NULL. */
static char *find(const char *from, const char *end, const char *name)
{
    return memmem(from, (gsize)(end - from), name, strlen(name));
}

/* Names of an object end with a byte 0, so that a shorter one fits in the same place. */
static void rename_symbols(char *text, gsize length)
{
    static const char called[] = "__cudaRegisterLinkedBinary", alias[] = "__fatbinwrap__nv_";
    const char *end = text + length;
    g_autofree char *digest =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guint8 *)text, length);
    for (char *at = text; (at = find(at, end, called)) != NULL; at += strlen(called))
        at[strlen(called)] = '\0';
    for (char *at = text; (at = find(at, end, alias)) != NULL; at += strlen(alias)) {
        char *digits = at + strlen(alias);
        for (guint i = 0; g_ascii_isxdigit(digits[i]) && digest[i] != '\0'; i++)
            digits[i] = digest[i];
    }
}

gboolean ws_cc_rewrite_relocatable(const char *path, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autofree char *text = NULL;
    gsize length = 0;
    if (g_file_get_contents(path, &text, &length, &failure)) {
        rename_symbols(text, length);
        if (g_file_set_contents(path, text, (gssize)length, &failure))
            return TRUE;
    }
    ws_set_error(error, WS_ERROR_INPUT, "%s: %s", path, ws_file_error_text(failure));
    return FALSE;
}

static void unit_clear(gpointer data)
{
    WsPtxUnit *unit = data;
    g_free((char *)unit->name);
    g_free((char *)unit->text);
}

static void take_units(GArray *units, const char *bytes, gsize size)
{
    for (gsize at = 0; at < size;) {
        const gsize length = strnlen(bytes + at, size - at);
        g_autofree char *text = g_strndup(bytes + at, length);
        if (g_str_has_prefix(text, WS_RELOCATABLE_MARK)) {
            const char *name = text + strlen(WS_RELOCATABLE_MARK);
            WsPtxUnit unit = {g_strndup(name, strcspn(name, "\n")), NULL, length};
            unit.text = g_steal_pointer(&text);
            g_array_append_val(units, unit);
        }
        at += length + 1;
    }
}

static void take_sections(GArray *units, Elf *elf)
{
    size_t names;
    if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        const Elf64_Shdr *header = elf64_getshdr(section);
        const char *name = header == NULL ? NULL : elf_strptr(elf, names, header->sh_name);
        const Elf_Data *data =
            name != NULL && strcmp(name, section_name) == 0 ? elf_rawdata(section, NULL) : NULL;
        if (data != NULL && data->d_buf != NULL)
            take_units(units, data->d_buf, data->d_size);
    }
}

/* What is no ELF file is left to the linker. */
static void take_file(GArray *units, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
        take_sections(units, elf);
    elf_end(elf);
    if (file >= 0)
        close(file);
}

gboolean ws_cc_check_device_code(const GPtrArray *paths, GError **error)
{
    g_autoptr(GArray) units = g_array_new(FALSE, FALSE, sizeof(WsPtxUnit));
    g_array_set_clear_func(units, unit_clear);
    elf_version(EV_CURRENT);
    for (guint i = 0; i < paths->len; i++)
        take_file(units, g_ptr_array_index(paths, i));
    if (units->len == 0)
        return TRUE;
    g_autofree char *linked = ws_ptx_link((const WsPtxUnit *)units->data, units->len, error);
    return linked != NULL;
}
