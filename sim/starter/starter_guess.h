/* What a starter launch file says of a kernel, guessed; inside the library only. */
#ifndef WS_SIM_STARTER_STARTER_GUESS_H
#define WS_SIM_STARTER_STARTER_GUESS_H

#include "isa/bytecode/program.h"

typedef enum {
    WS_STARTER_POINTER,
    WS_STARTER_LENGTH,  /* an integer that is the size of something: `n` */
    WS_STARTER_INTEGER, /* any other */
    WS_STARTER_FLOAT,
    WS_STARTER_BYTES /* a struct */
} WsStarterKind;

typedef struct {
    WsStarterKind kind;
    char *name;        /* of the source, fit for a buffer; never NULL */
    char *type;        /* as shown in comments: "float const*"; or NULL if not known */
    WsType value_type; /* of the value, or of what the pointer leads to */
    guint32 width;     /* elements of value_type in one that the pointer leads to: 4 for float4 */
    gboolean constant; /* a pointer that is only read through */
    gboolean typed;    /* value_type is known, not a mere default */
    guint32 size;      /* bytes of the parameter */
    guint8 choice;     /* of its value, or of what is in the buffer: sim/starter/starter_values.h */
    guint8 *words;     /* WS_STARTER_BYTES: the choice for each 32-bit word; else NULL */
} WsStarterParameter;

typedef struct {
    WsStarterParameter *parameters;
    guint32 count;
    guint lengths;         /* how many of them are WS_STARTER_LENGTH */
    guint axes;            /* 1..3: of blocks and threads, that the kernel looks at */
    gboolean uses_axis[3]; /* of blocks */
    guint32 block[3];
    guint32 shared_bytes; /* dynamic, for each thread; 0 if the kernel uses none */
} WsStarterGuess;

/* Errors: WS_ERROR_INPUT for textures and surfaces. */
gboolean ws_starter_guess(const WsProgram *program, const WsKernel *kernel,
                          const WsCompileOptions *options, guint64 registers_per_block,
                          WsStarterGuess *ret, GError **error);
void ws_starter_guess_clear(WsStarterGuess *guess);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsStarterGuess, ws_starter_guess_clear)

#endif
