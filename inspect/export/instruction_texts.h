/* Instructions of a program as texts for traces, made once each. */
#ifndef WS_INSPECT_EXPORT_INSTRUCTION_TEXTS_H
#define WS_INSPECT_EXPORT_INSTRUCTION_TEXTS_H

#include "sim/observe/trace_event.h"

typedef struct {
    char *text;     /* "@!P0 FFMA R1, R2, R3, R4" */
    char *mnemonic; /* "FFMA" */
    char *place;    /* "kernel.cu:12", or "" */
    char *framed; /* with the calls that it was inlined by: "f() at a.cuh:12, called at k.cu:30" */
    char *file;   /* "kernel.cu", or "" */
    guint32 line;
} WsInstructionText;

typedef struct WsInstructionTexts WsInstructionTexts;

WsInstructionTexts *ws_instruction_texts_new(const WsProgram *program);
void ws_instruction_texts_free(WsInstructionTexts *texts);
/* Without control characters, valid UTF-8. Also of WS_NO_INSTRUCTION: all empty. */
const WsInstructionText *ws_instruction_text(WsInstructionTexts *texts, guint32 instruction);
/* "R4..R5 P0 UR2": the registers of a set, in a buffer that the next call overwrites. */
const char *ws_register_set_text(WsInstructionTexts *texts, const WsRegisterSet *set);

#endif
