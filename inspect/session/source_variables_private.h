/* What the files of source_variables.h share. */
#ifndef WS_INSPECT_SESSION_SOURCE_VARIABLES_PRIVATE_H
#define WS_INSPECT_SESSION_SOURCE_VARIABLES_PRIVATE_H

#include "inspect/session/source_types.h"
#include "inspect/session/source_variables.h"

struct WsSourceVariables {
    const WsProgram *program;
    const WsVariableTable *table; /* or NULL */
    WsSourceTypes *types;
    GHashTable *names; /* name: GArray of the numbers of variables */
    guint32 *inner;    /* by instruction: the innermost scope */
};

#endif
