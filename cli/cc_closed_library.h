/* What is said of a program that does not link as it calls a library without source. */
#ifndef WS_CLI_CC_CLOSED_LIBRARY_H
#define WS_CLI_CC_CLOSED_LIBRARY_H

/*
 * Looks through a linker's messages for functions that are declared in isa/cuda/include/rare and
 * defined nowhere, and says of the first of each library whose it is: a part of a message, g_free.
 * NULL if there is none.
 */
char *ws_cc_closed_library_note(const char *messages);

#endif
