/*
 * What a printf of a kernel prints: CUDA C++ Programming Guide, "Formatted Output". The format and
 * the strings lie in the thread's memory, and the arguments in a buffer of it, each at a multiple
 * of its size: 4 bytes for what C promotes to int, 8 for `l`, `ll`, `z`, `t`, `j`, pointers and
 * floats.
 */
#ifndef WS_SIM_BASE_PRINT_TEXT_H
#define WS_SIM_BASE_PRINT_TEXT_H

#include <glib.h>

/* Arguments of one call; specifiers beyond them are printed as they are. */
enum { WS_PRINT_MAX_ARGUMENTS = 32 };

/* Memory as a thread sees it. */
typedef struct {
    /* Copies `bytes` bytes from a generic address; FALSE: not all of them are the thread's. */
    gboolean (*read)(void *data, guint64 address, guint bytes, void *ret);
    void *data;
} WsPrintMemory;

typedef struct {
    gint32 returned;   /* the number of arguments; -1: no format; -2: longer than the buffer */
    const char *fault; /* constant text, or NULL: some of it could not be read, ... */
    guint64 address;   /* ... at this address */
} WsPrintEnd;

/* Appends what is printed; nothing if it is more than `limit` bytes, or after a fault. */
void ws_print_text(GString *to, const WsPrintMemory *memory, guint64 format, guint64 arguments,
                   gsize limit, WsPrintEnd *ret);

#endif
