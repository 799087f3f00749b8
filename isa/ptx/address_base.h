/*
 * Which variable or parameter the address of an access is made from: what its author meant to
 * access, wherever the access ends up. Found in the text alone, so there is none where that depends
 * on the run: where an address comes from memory, or from one of two arrays.
 */
#ifndef WS_ISA_PTX_ADDRESS_BASE_H
#define WS_ISA_PTX_ADDRESS_BASE_H

#include "isa/ptx/ast.h"

typedef struct {
    const WsPtxVariable *variable; /* NULL: not known. A parameter: the address is its value ... */
    guint32 offset;                /* ... at this byte of it */
    gboolean is_parameter;
    gboolean is_fixed; /* the address is the same for all threads: nothing is added but constants */
    /* Where no variable is known: the line of the load that gave the pointer, 0 = none. */
    guint32 pointer_line;
} WsPtxAddressBase;

/*
 * By line of the text, up to `lines` (from 1): of the access that stands there. Entry 0 and those
 * of lines with no access or several different ones are not known. Free with g_free.
 */
WsPtxAddressBase *ws_ptx_address_bases(const WsPtxModule *module, guint32 lines);

#endif
