/*
 * Errors and source positions, shared by the whole library.
 *
 * Every function that can fail takes a GError ** as its last argument and reports in the domain
 * WS_ERROR. The code says what kind of failure it is; the command line maps it to an exit code.
 * The message is complete: for anything a user wrote it begins with "file:line:column: error: ".
 */
#ifndef WS_ISA_BASE_ERROR_H
#define WS_ISA_BASE_ERROR_H

#include "isa/base/nearest_name.h"

#define WS_ERROR (ws_error_quark())
GQuark ws_error_quark(void);

/* The numbers are the exit codes of the command line (docs/reference/formats.md). */
typedef enum {
    WS_ERROR_CHECK = 1,    /* a check or a comparison failed */
    WS_ERROR_USAGE = 2,    /* the command line is wrong */
    WS_ERROR_INPUT = 3,    /* bad program, launch or configuration, or a file that cannot be read */
    WS_ERROR_FAULT = 4,    /* the kernel did something it must not */
    WS_ERROR_DEADLOCK = 5, /* deadlock or livelock */
    WS_ERROR_LIMIT = 6,    /* a limit was reached */
    WS_ERROR_INTERNAL = 70 /* a defect of ours */
} WsErrorCode;

/* A place in a file that a user wrote. Line and column count from 1; 0 means not known. */
typedef struct {
    const char *file; /* not owned; NULL if there is none */
    guint32 line;
    guint32 column; /* in characters (not bytes), tabs count as one */
} WsPosition;

/*
 * Sets `error` to "file:line:column: error: text". Parts of the position that are not known are
 * left out. User text in the arguments must be valid UTF-8 (see ws_printable()).
 */
void ws_set_error_at(GError **error, WsErrorCode code, const WsPosition *position,
                     const char *format, ...) G_GNUC_PRINTF(4, 5);

/* The same without a position: "error: text". */
void ws_set_error(GError **error, WsErrorCode code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/*
 * A copy of `text` fit for a message: valid UTF-8, control characters as escapes
 * (isa/base/escape.h), at most 80 characters.
 */
char *ws_printable(const char *text);

/*
 * Why a function of GLib could not read or write a file, without the file's name: that of a
 * temporary one would be another in each run. Points into `failure`.
 */
const char *ws_file_error_text(const GError *failure);

#endif
