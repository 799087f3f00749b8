/*
 * What the checks of a run found: one finding for each pair of source lines, with the first
 * instance in full and a count of the others.
 */
#ifndef WS_SIM_CHECK_FINDINGS_H
#define WS_SIM_CHECK_FINDINGS_H

#include <glib.h>

typedef enum {
#define KIND(name, ...) WS_CHECK_##name,
#include "sim/check/kinds.def"
#undef KIND
    WS_CHECK_COUNT
} WsCheckKind;

#define WS_CHECK_BIT(kind) (1u << (kind))
#define WS_ALL_CHECKS      ((1u << WS_CHECK_COUNT) - 1)

const char *ws_check_kind_name(WsCheckKind kind);
/* The bits of "races,bounds", or of "all". FALSE with the word that is no kind in `ret_wrong`. */
gboolean ws_check_kinds_parse(const char *text, guint *ret, char **ret_wrong);

typedef enum {
    WS_TOUCH_READ,
    WS_TOUCH_WRITE,
    WS_TOUCH_ATOMIC,
    WS_TOUCH_INDEX, /* computes the address of an element */
    WS_TOUCH_WAIT   /* at a barrier */
} WsTouchAction;

/* Stands for an instruction where there is none. */
enum { WS_CHECK_NO_INSTRUCTION = G_MAXUINT32 };

/* What one thread does. */
typedef struct {
    WsTouchAction action;
    guint32 block[3], thread[3];
    guint32 warp, lane; /* in the block */
    guint32 file, line; /* of the program that ran; 0 = none */
    /* Index in the program that ran; WS_CHECK_NO_INSTRUCTION: found in the unoptimised one. */
    guint32 instruction;
    /* Where its code is inlined: "twice() at k.cu:8, called at k.cu:31" (ws_place_with_frames());
     * NULL where nothing was, or it is not known. */
    char *inlined;
} WsTouch;

typedef struct {
    WsCheckKind kind;
    guint32 launch;
    guint64 count;     /* instances, this one among them */
    gboolean of_plain; /* found in the unoptimised program */
    WsTouch touch[2];  /* of a race or barriers: both, in the order of the run; else the first */
    guint touches;     /* 1 or 2 */
    char *place;       /* "shared array 'tile', index 3" */
    const char *space; /* "global", "shared", "local"; NULL: not known, or no memory */
    char *array;       /* name of the array, buffer or variable, or NULL */
    gint64 index;      /* of the element, -1 = not known */
    char *missing;     /* what is wrong: "no barrier between line 12 and line 15" */
} WsCheckFinding;

typedef struct {
    guint kinds;      /* WS_CHECK_BIT()s: what was looked for */
    GPtrArray *list;  /* of WsCheckFinding, in the order in which they were found */
    char *incomplete; /* why not all of the run was looked at, or NULL */
} WsFindings;

/* None yet. */
WsFindings *ws_findings_new(guint kinds);
void ws_findings_free(WsFindings *findings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsFindings, ws_findings_free)

#endif
