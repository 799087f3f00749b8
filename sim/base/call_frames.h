/*
 * The functions that an instruction is in: the one whose code it is, and those that it was inlined
 * into, up to the kernel. The instructions themselves do not hold them, since the bytecode is the
 * same with and without variables: they come from the scopes of WsProgram.variables, and where
 * there are none from the call sites of the PTX (nvcc writes them, clang does not).
 */
#ifndef WS_SIM_BASE_CALL_FRAMES_H
#define WS_SIM_BASE_CALL_FRAMES_H

#include "isa/bytecode/program.h"

typedef struct {
    guint32 scope;        /* in WsProgram.variables; WS_NO_SCOPE: there is none */
    const char *function; /* as in the source, the program's; NULL = not known */
    guint32 file,
        line; /* of the instruction, or of the call into the frame before; 0 = not known */
} WsCallFrame;

/*
 * Of WsCallFrame, the innermost first, the kernel's last. One frame where nothing was inlined, or
 * it is not known. Code of Warpstep's CUDA header has no frame, as its line is that of its caller
 * (ws_line_of_instruction). Free with g_array_unref.
 */
GArray *ws_call_frames(const WsProgram *program, guint32 instruction);

/* A frame of these alone: "twice() at k.cu:8". Free with g_free. */
char *ws_call_frame_name(const WsProgram *program, const GArray *frames, guint index);
/* A frame of these as a heading: "twice() at k.cu:8, called at k.cu:31". Free with g_free. */
char *ws_call_frame_text(const WsProgram *program, const GArray *frames, guint index);

/*
 * `place`, which says where an instruction stands ("a.cuh:4 (LDG)"), with its frames: "half_of() at
 * a.cuh:4 (LDG), called by twice() at a.cuh:10, called at k.cu:7". A copy of it where nothing was
 * inlined. Functions that the line of the instruction cannot be of, as it lies in another file,
 * above them or below the start of one that calls them, are left out; ws_call_frames() has them,
 * for their variables. Free with g_free.
 */
char *ws_place_with_frames(const WsProgram *program, guint32 instruction, const char *place);
/* The same of ws_instruction_place(), its file with its folder or without. Free with g_free. */
char *ws_framed_instruction_place(const WsProgram *program, guint32 instruction, gboolean folders);

#endif
