/* What of a .cu is for the host, and so is no part of a program here. */
#ifndef WS_SIM_STARTER_HOST_CODE_H
#define WS_SIM_STARTER_HOST_CODE_H

#include <glib.h>

typedef struct {
    guint32 main_line;   /* of `main(`; 0 = there is none */
    guint32 launch_line; /* of the first `<<<`; 0 = there is none */
    guint32 launches;    /* how many there are */
} WsHostCode;

/* Comments and texts in quotes are left out. */
WsHostCode ws_host_code_find(const char *source);

/*
 * "main() in line 11 and the launch in line 20 are ignored: ...", without the file's name, or NULL
 * if there is neither. g_free.
 */
char *ws_host_code_text(const WsHostCode *code);

#endif
