/*
 * Which warp and lane is looked at. A focus names them as the program does, by block and number in
 * the block, so that it stays with them; where they are on the machine depends on the cycle.
 */
#ifndef WS_INSPECT_SESSION_FOCUS_H
#define WS_INSPECT_SESSION_FOCUS_H

#include "inspect/session/timeline.h"

typedef struct {
    guint32 block; /* linear number */
    guint32 warp;  /* in its block */
    guint32 lane;
} WsFocus;

/* Where a warp is at the cycle of the timeline. */
typedef struct {
    const WsSm *sm; /* NULL: it has not begun, or has left */
    guint32 slot;
} WsWarpPlace;

WsWarpPlace ws_find_warp(const WsTimeline *timeline, guint32 block, guint32 warp);
/* The warp in a slot; lane 0. */
WsFocus ws_focus_of(const WsSm *sm, guint32 slot);

/* What becomes of the lanes of a warp, each in one of these masks or in none: not launched. */
typedef struct {
    guint64 launched;
    guint64 active;  /* on the path that runs */
    guint64 guarded; /* of these: whose guard is false for the instruction that issues next */
    guint64 waiting; /* alive, on other paths */
    guint64 exited;
} WsLaneStates;

guint64 ws_launched_lanes(const WsSm *sm, guint32 slot);
void ws_lane_states(const WsSm *sm, guint32 slot, WsLaneStates *ret);
/* '#' active, 'p' guarded off, 'd' waiting on another path, 'x' exited, '.' never launched. */
char ws_lane_glyph(const WsLaneStates *states, guint lane);
/* One glyph a lane, lane 0 first. `ret` has room for 65 bytes. */
void ws_lane_glyphs(const WsLaneStates *states, guint warp_size, char *ret);

/* '#' for each lane of `lanes` and '-' for each other one, lane 0 first; `size`: lanes of a warp.
 * `ret` has room for 65 bytes. */
void ws_lane_set(guint64 lanes, guint size, char *ret);

/* "1 lane", "5 lanes": how many there are in a set. g_free. */
char *ws_lane_count_text(guint64 lanes);

/* "sm 0 sub-core 1 warp 5, block (2,0,0) warp 1" and so on: hardware and software names. g_free. */
char *ws_warp_name(const WsSm *sm, guint32 slot);
/* What an entry of a warp's scoreboard stands for: "R4", "P0", "UR3", "UP1"; "" for one of a
 * barrier. Into `ret`, of so many bytes. */
void ws_scoreboard_entry_name(const WsIssueTable *table, guint32 entry, char *ret, gsize bytes);
/* Coordinates of a thread in its block. */
void ws_thread_of(const WsSm *sm, guint32 slot, guint32 lane, guint32 ret[3]);

#endif
