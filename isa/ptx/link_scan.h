/* What a PTX text declares, for the linker: isa/ptx/link.c alone reads it. */
#ifndef WS_ISA_PTX_LINK_SCAN_H
#define WS_ISA_PTX_LINK_SCAN_H

#include "isa/ptx/lexer.h"

typedef enum { WS_LINK_OWN, WS_LINK_STRONG, WS_LINK_WEAK, WS_LINK_EXTERN } WsLinkage;

typedef enum {
    WS_LINK_KERNEL,
    WS_LINK_FUNCTION,
    WS_LINK_VARIABLE,
    WS_LINK_FILE,   /* .file: `name` is its number */
    WS_LINK_SECTION /* .section, .version and the like: what only one text has, or none needs */
} WsLinkKind;

/* Numbers are of tokens. */
typedef struct {
    WsLinkKind kind;
    WsLinkage linkage;
    gboolean is_definition;
    guint first, inner, end; /* with its linkage, behind it, behind its last token */
    guint name;
    guint body;        /* of a definition: '{' or '=', or the ';' */
    const char *space; /* of a variable: "global"; a literal */
} WsLinkRecord;

typedef struct {
    GArray *tokens;  /* of WsPtxToken, the end included; with the length of all */
    GArray *records; /* of WsLinkRecord, in order */
} WsLinkScan;

/* FALSE: the error is set, and nothing is to be cleared. */
gboolean ws_link_scan(WsLinkScan *ret, const char *name, const char *text, gsize length,
                      GError **error);
void ws_link_scan_clear(WsLinkScan *scan);

#endif
