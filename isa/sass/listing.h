/*
 * The text that NVIDIA's disassemblers write, taken apart into functions and lines. Nothing here
 * knows what an instruction means.
 *
 * Read are
 *   - cuobjdump -sass: "Function : name", lines "/ *0010* / text ; / * 0x... * /" with the second
 *     word of the encoding on a line of its own;
 *   - cuobjdump -res-usage, in the same file: "Function name:" and "REG:24 STACK:0 SHARED:1024 ..."
 *     (CUDA Binary Utilities, "Usage");
 *   - nvdisasm, with or without -c, -hex and -g: ".text.name:", labels, "//## File ..., line N",
 * and the size of ".nv.shared.name". Of a file with code for several GPUs that of the newest one up
 * to sm_90 is taken.
 */
#ifndef WS_ISA_SASS_LISTING_H
#define WS_ISA_SASS_LISTING_H

#include <glib.h>

enum { WS_SASS_NOT_GIVEN = G_MAXUINT32 };

typedef struct {
    char *text;       /* "@!P0 BRA 0x400": labels replaced by byte addresses, no ";" */
    guint32 line;     /* of the file */
    guint32 file;     /* index into WsSassListing.files, of the source; 0 = not known */
    guint32 source;   /* line of the source, 0 = not known */
    gboolean encoded; /* `word` is set */
    guint64 word[2];  /* the encoding, low word first */
} WsSassLine;

typedef struct {
    char *name;        /* mangled */
    guint32 line;      /* of the file */
    GArray *lines;     /* of WsSassLine: instruction n is at byte address 16 n */
    guint32 registers; /* of a thread; WS_SASS_NOT_GIVEN */
    guint32 stack;     /* bytes of local memory of a thread; WS_SASS_NOT_GIVEN */
    guint32 shared;    /* bytes of static shared memory, the system's included; WS_SASS_NOT_GIVEN */
} WsSassFunction;

typedef struct {
    guint32 architecture; /* 90 for sm_90 */
    GPtrArray *functions; /* of WsSassFunction */
    GPtrArray *files;     /* of char*; [0] is the listing */
} WsSassListing;

/*
 * `path` is for messages. Errors: WS_ERROR_INPUT with line: text that is no listing, of a GPU that
 * is not supported, with addresses out of order, or with a label that is not there.
 */
WsSassListing *ws_sass_listing_parse(const char *path, const char *text, gsize length,
                                     GError **error);
void ws_sass_listing_free(WsSassListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSassListing, ws_sass_listing_free)

#endif
