#include "isa/debug/dwarf_image.h"

#include <elf.h>
#include <string.h>

enum {
    NAMES = WS_DEBUG_SECTION_COUNT + 1, /* number of the section with the names of sections */
    HEADERS,                            /* section 0, which is nothing, included */
    ALIGN = 8
};

static void pad(GByteArray *image)
{
    static const guint8 zeros[ALIGN];
    g_byte_array_append(image, zeros, (ALIGN - image->len % ALIGN) % ALIGN);
}

/* Appends the contents of a section and says so in its header. */
static void add_section(GByteArray *image, Elf64_Shdr *header, GByteArray *names, const char *name,
                        const GByteArray *bytes)
{
    pad(image);
    *header = (Elf64_Shdr){.sh_name = names->len,
                           .sh_type = SHT_PROGBITS,
                           .sh_offset = image->len,
                           .sh_size = bytes->len,
                           .sh_addralign = 1};
    g_byte_array_append(names, (const guint8 *)name, (guint)strlen(name) + 1);
    g_byte_array_append(image, bytes->data, bytes->len);
}

static GByteArray *build(const WsDebugText *text)
{
    GByteArray *image = g_byte_array_new();
    g_autoptr(GByteArray) names = g_byte_array_new();
    Elf64_Shdr headers[HEADERS] = {0};
    Elf64_Ehdr start = {.e_type = ET_EXEC,
                        .e_machine = EM_NONE,
                        .e_version = EV_CURRENT,
                        .e_ehsize = sizeof start,
                        .e_shentsize = sizeof headers[0],
                        .e_shnum = HEADERS,
                        .e_shstrndx = NAMES};
    memcpy(start.e_ident, ELFMAG, SELFMAG);
    start.e_ident[EI_CLASS] = ELFCLASS64;
    start.e_ident[EI_DATA] = ELFDATA2LSB;
    start.e_ident[EI_VERSION] = EV_CURRENT;
    g_byte_array_append(names, (const guint8 *)"", 1);
    g_byte_array_append(image, (const guint8 *)&start, sizeof start);
    for (guint s = 0; s < WS_DEBUG_SECTION_COUNT; s++)
        add_section(image, &headers[s + 1], names, ws_debug_section_names[s], text->sections[s]);
    pad(image);
    headers[NAMES] = (Elf64_Shdr){.sh_name = names->len,
                                  .sh_type = SHT_STRTAB,
                                  .sh_offset = image->len,
                                  .sh_size = names->len + sizeof ".shstrtab",
                                  .sh_addralign = 1};
    g_byte_array_append(names, (const guint8 *)".shstrtab", sizeof ".shstrtab");
    g_byte_array_append(image, names->data, names->len);
    pad(image);
    start.e_shoff = image->len;
    g_byte_array_append(image, (const guint8 *)headers, sizeof headers);
    memcpy(image->data, &start, sizeof start);
    return image;
}

void ws_dwarf_image_init(WsDwarfImage *ret, const WsDebugText *text)
{
    *ret = (WsDwarfImage){0};
    if (text->sections[WS_DEBUG_INFO]->len == 0)
        return;
    GByteArray *image = build(text);
    gsize length = image->len;
    ret->bytes = g_byte_array_free(image, FALSE);
    elf_version(EV_CURRENT);
    ret->elf = elf_memory(ret->bytes, length);
    if (ret->elf != NULL)
        ret->dwarf = dwarf_begin_elf(ret->elf, DWARF_C_READ, NULL);
}

void ws_dwarf_image_clear(WsDwarfImage *image)
{
    if (image->dwarf != NULL)
        dwarf_end(image->dwarf);
    if (image->elf != NULL)
        elf_end(image->elf);
    g_free(image->bytes);
    *image = (WsDwarfImage){0};
}
