/*
 * What a PTX text says for debuggers: its debug sections, as bytes with all labels resolved, the
 * lines of its .loc directives, and the names of its files.
 *
 * PTX has no addresses. A label of code stands for its line in the text, 1 on; so a range of lines
 * is a range of statements. A name that is no label (a variable) stands for WS_DEBUG_SYMBOL_UNIT
 * times its number in `symbols`, 1 on, so that an offset can be added to it.
 */
#ifndef WS_ISA_DEBUG_DEBUG_TEXT_H
#define WS_ISA_DEBUG_DEBUG_TEXT_H

#include <glib.h>

#define WS_DEBUG_SYMBOL_UNIT (G_GUINT64_CONSTANT(1) << 32)

typedef enum {
    WS_DEBUG_ABBREV,
    WS_DEBUG_INFO,
    WS_DEBUG_STR,
    WS_DEBUG_RANGES,
    WS_DEBUG_LOC,
    WS_DEBUG_SECTION_COUNT
} WsDebugSection;

extern const char *const ws_debug_section_names[WS_DEBUG_SECTION_COUNT]; /* ".debug_info" */

/* A .loc directive. */
typedef struct {
    guint32 at; /* its own line in the PTX */
    guint32 file, line, column;
} WsDebugLine;

typedef struct {
    GByteArray *sections[WS_DEBUG_SECTION_COUNT];
    GPtrArray *symbols; /* of char*; number n is at n - 1 */
    GHashTable *files;  /* number -> char*, name */
    GArray *lines;      /* of WsDebugLine, by rising `at` */
} WsDebugText;

/* Any text will do: what is not understood is left out. */
WsDebugText *ws_debug_text_new(const char *ptx);
void ws_debug_text_free(WsDebugText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDebugText, ws_debug_text_free)

#endif
