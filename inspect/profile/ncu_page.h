/* The readers of the pages of Nsight Compute: what they share. Inside the module only. */
#ifndef WS_INSPECT_PROFILE_NCU_PAGE_H
#define WS_INSPECT_PROFILE_NCU_PAGE_H

#include "inspect/profile/measured_profile.h"
#include "isa/base/csv_record.h"

/* A file while it is read. */
typedef struct {
    WsMeasuredProfile *profile;
    const char *file; /* name, kept by the profile */
    guint number;     /* of the file, from 1 */
    WsCsvReader reader;
    GError **error;
} WsNcuFile;

/* Sets the error at a line of the file; FALSE. */
gboolean ws_ncu_error(const WsNcuFile *file, guint32 line, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

typedef enum { WS_NCU_RECORD, WS_NCU_END, WS_NCU_ERROR } WsNcuNext;

/*
 * The next record. Empty lines and messages of the profiler ("==PROF== ...") are skipped. Errors:
 * an open quote (the file is cut off), text behind a quote.
 */
WsNcuNext ws_ncu_next(WsNcuFile *file, WsCsvRecord *ret);
/* FALSE and an error unless the record has as many cells as the header. */
gboolean ws_ncu_check_width(const WsNcuFile *file, const WsCsvRecord *record, guint width);

/* The place of a cell, or -1. */
int ws_ncu_column(char *const *header, const char *name);

/* A text that the profile keeps. */
const char *ws_ncu_keep(WsNcuFile *file, const char *text);

/* "(256, 1, 1)", "256,1,1" or "256"; zeros for anything else. */
void ws_ncu_shape(const char *text, guint32 ret[3]);

/* A launch behind those that there are. */
WsMeasuredLaunch *ws_ncu_add_launch(WsNcuFile *file, const char *id, const char *kernel);
/* The first launch with this ID and kernel, or NULL. */
WsMeasuredLaunch *ws_ncu_find_launch(const WsNcuFile *file, const char *id, const char *kernel);

/*
 * Read what follows the header: up to the end, or to a record that is a header, which is left to
 * the caller in `ret_next`, whose `cells` are NULL at the end.
 */
gboolean ws_ncu_read_raw(WsNcuFile *file, const WsCsvRecord *header, WsCsvRecord *ret_next);
gboolean ws_ncu_read_details(WsNcuFile *file, const WsCsvRecord *header, WsCsvRecord *ret_next);
/* `first` is the record that names the kernel or the file. */
gboolean ws_ncu_read_source(WsNcuFile *file, const WsCsvRecord *first, WsCsvRecord *ret_next);

#endif
