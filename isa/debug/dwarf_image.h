/*
 * Debug sections as an ELF file in memory, which is what libdw reads. Nothing in it is trusted:
 * libdw checks what it reads against the size of each section.
 */
#ifndef WS_ISA_DEBUG_DWARF_IMAGE_H
#define WS_ISA_DEBUG_DWARF_IMAGE_H

#include "isa/debug/debug_text.h"

#include <elfutils/libdw.h>

typedef struct {
    void *bytes;
    Elf *elf;
    Dwarf *dwarf; /* NULL: there are no debug sections, or none that libdw takes */
} WsDwarfImage;

void ws_dwarf_image_init(WsDwarfImage *ret, const WsDebugText *text);
void ws_dwarf_image_clear(WsDwarfImage *image);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsDwarfImage, ws_dwarf_image_clear)

#endif
