/* What Nsight Compute measured: launches with their metrics, read from its CSV pages. */
#ifndef WS_INSPECT_PROFILE_MEASURED_PROFILE_H
#define WS_INSPECT_PROFILE_MEASURED_PROFILE_H

#include "isa/base/error.h"
#include "sim/base/stall.h"

/* A metric of a launch, as the file has it. Texts belong to the profile. */
typedef struct {
    const char *name;    /* "smsp__inst_executed.sum", or the label of a details page */
    const char *section; /* of a details page; NULL: `name` is that of the raw page */
    const char *text;    /* the value */
    const char *unit;    /* "" where there is none */
    const char *file;
    guint32 line;
} WsMeasuredValue;

/* Figures of a line or an opcode on a source page. */
typedef enum {
    WS_SOURCE_SAMPLES,
    WS_SOURCE_INSTRUCTIONS,
    WS_SOURCE_THREADS,
    WS_SOURCE_THREADS_ON,
    WS_SOURCE_DIVERGENT,
    WS_SOURCE_SECTORS,
    WS_SOURCE_EXTRA_SECTORS,
    WS_SOURCE_EXTRA_WAVEFRONTS,
    WS_SOURCE_FIGURE_COUNT
} WsSourceFigure;

typedef struct {
    double figures[WS_SOURCE_FIGURE_COUNT]; /* NaN: the page has no such column */
    double stalls[WS_STALL_COUNT];          /* samples by reason, likewise */
} WsSourceSums;

typedef struct {
    const char *file; /* path as the page has it, "" where it has none */
    guint32 line;
    WsSourceSums sums;
} WsMeasuredLine;

typedef struct {
    const char *opcode; /* without modifiers: "LDG" */
    WsSourceSums sums;
} WsMeasuredOpcode;

typedef struct {
    const char *id;     /* of the file; NULL: a source page has none */
    const char *kernel; /* as the file has it: "saxpy(int, float)", a function's name or mangled */
    guint32 grid[3];    /* zeros: not known */
    guint32 block[3];   /* likewise */
    const char *capability; /* "9.0", or NULL */
    GArray *values;         /* of WsMeasuredValue, in the order of the file */
    GArray *lines;          /* of WsMeasuredLine, in the order of the page */
    GArray *opcodes;        /* of WsMeasuredOpcode, in the order in which they come */
    GPtrArray *columns;     /* of const char*: names of the source page's columns, each once */
    guint rules;            /* rows of a details page that are advice and no metrics */
    /* While files are read: */
    guint raw_file;                 /* number of the file that gave a row of a raw page, from 1 */
    guint lines_file, opcodes_file; /* likewise: what a second file has of them is left out */
    GHashTable *seen;               /* of a source page: addresses and paths */
} WsMeasuredLaunch;

typedef struct {
    GPtrArray *launches; /* of WsMeasuredLaunch*, in the order of the files */
    GStringChunk *texts;
} WsMeasuredProfile;

/*
 * Reads files of `ncu --csv`: pages raw and details, a summary per kernel, and source. Pages of one
 * launch are joined: by ID and kernel, or for a source page by kernel and order. What a program or
 * Nsight Compute itself printed in front of a page is skipped. Errors: WS_ERROR_INPUT, with the
 * file and line: not such a page, cut off, rows of another width.
 */
WsMeasuredProfile *ws_measured_profile_read(const char *const *paths, GError **error);
/* Adds a file that is read already: `text` ends in a NUL, `number` counts files from 1. */
gboolean ws_measured_profile_add(WsMeasuredProfile *profile, const char *path, guint number,
                                 const char *text, gsize length, GError **error);
WsMeasuredProfile *ws_measured_profile_new(void);
void ws_measured_profile_free(WsMeasuredProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsMeasuredProfile, ws_measured_profile_free)

static inline WsMeasuredLaunch *ws_measured_launch(const WsMeasuredProfile *profile, guint index)
{
    return g_ptr_array_index(profile->launches, index);
}

#endif
