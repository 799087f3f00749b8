/* The program as lines of text: its sources, its PTX and its bytecode. */
#ifndef WS_INSPECT_SCREEN_LISTING_H
#define WS_INSPECT_SCREEN_LISTING_H

#include "inspect/screen/layout.h"
#include "sim/launch/launch.h"

typedef struct {
    char **lines; /* NULL-terminated */
    guint count;
    guint code_columns; /* of a source: those of its longest line of a launched kernel */
} WsListing;

typedef struct WsListings WsListings;

WsListings *ws_listings_new(const WsJob *job);
void ws_listings_free(WsListings *listings);

/* The source `file` of the program, the PTX or the bytecode; empty if there is no such text. */
const WsListing *ws_listing(const WsListings *listings, WsPane pane, guint32 file);
/* The line, from 0, that an instruction is at in it. FALSE: in none. `ret_file`: of the source. */
gboolean ws_listing_line(const WsListings *listings, WsPane pane, guint32 instruction,
                         guint32 *ret_file, guint *ret_line);
/* The first instruction of a line, or WS_NO_INSTRUCTION. */
guint32 ws_listing_instruction(const WsListings *listings, WsPane pane, guint32 file, guint line);
/* A line of bytecode begins so: "0040 BSSY B0, LBB0_3". g_free. */
char *ws_instruction_line(const WsListings *listings, guint32 instruction);

#endif
