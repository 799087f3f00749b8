/* The text of a launch file to start from; inside the library only. */
#ifndef WS_SIM_STARTER_STARTER_TEXT_H
#define WS_SIM_STARTER_STARTER_TEXT_H

#include "sim/starter/starter.h"
#include "sim/starter/starter_guess.h"

/* One guess of the sizes. */
typedef struct {
    guint32 n;   /* 0: no further guess */
    guint power; /* buffers have `times` this power of n elements */
    guint times;
    guint32 shared; /* a thread has so much more shared memory than guessed */
} WsStarterSizes;

typedef struct {
    const WsProgram *program;
    const WsKernel *kernel;
    const WsStarterGuess *guess;
    const WsStarterOptions *options;
    WsLoadBounds bounds;
    WsStarterSizes sizes;
    const char *program_text; /* as it is named in the file */
    const char *reason;       /* why it stops early, or NULL */
    const GPtrArray *notes;   /* of char*: further lines at its head; or NULL */
    guint32 sms;              /* the setting, or 0 for those of the device */
} WsStarterWriter;

/* A line of threads has n * n of them rather than n. */
gboolean ws_starter_grid_is_square(const WsStarterWriter *writer);
/* Free with g_free. */
char *ws_starter_text(const WsStarterWriter *writer);
/* "saxpy(int n, float a, float const* x)", as far as the types are known. g_free. */
char *ws_starter_signature(const WsStarterWriter *writer);

#endif
