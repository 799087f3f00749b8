/* Where lanes of a warp meet, in the words of the source. */
#ifndef WS_SIM_BASE_MEETING_TEXT_H
#define WS_SIM_BASE_MEETING_TEXT_H

#include "isa/bytecode/program.h"

/*
 * "end of the while (line 10)": what BSYNC `sync` waits at. NULL if that is not known, or `sync` is
 * no BSYNC. Free with g_free.
 */
char *ws_meeting_name(const WsProgram *program, guint32 sync);

/* The same of where BSSY `set` begins: "while (line 10)". */
char *ws_meeting_opening(const WsProgram *program, guint32 set);

/* Lanes that are to meet in a BSYNC. */
typedef struct {
    guint64 waiting; /* they have come */
    guint64 wanted;  /* they have to come; */
    guint64 left;    /* of these, BSYNC is the next instruction */
} WsMeetingLanes;

/*
 * "11 lanes wait at the end of the while (line 10) for 10 that still iterate and 11 that have left
 * it". NULL as above. The part behind "for " alone.
 */
char *ws_meeting_sentence(const WsProgram *program, guint32 sync, const WsMeetingLanes *lanes);
char *ws_meeting_wanted(const WsProgram *program, guint32 sync, const WsMeetingLanes *lanes);

/* "still iterate", or "are still in it": what is said of `count` lanes that have to come. */
const char *ws_meeting_doing(const WsProgram *program, guint32 sync, guint count);

/*
 * The BSSY of convergence barrier `barrier` whose lanes are at instruction `pc`, or G_MAXUINT32.
 * The kernel's code is looked through.
 */
guint32 ws_meeting_set_by(const WsProgram *program, const WsKernel *kernel, guint32 barrier,
                          guint32 pc);

#endif
