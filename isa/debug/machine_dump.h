/*
 * LLVM's dump of machine functions as a list: which registers each instruction writes, and the
 * entries that say where variables are.
 */
#ifndef WS_ISA_DEBUG_MACHINE_DUMP_H
#define WS_ISA_DEBUG_MACHINE_DUMP_H

#include "isa/debug/machine_values.h"

typedef enum {
    WS_MACHINE_CODE,    /* an instruction */
    WS_MACHINE_ASM,     /* inline assembly: any number of statements */
    WS_MACHINE_VARIABLE /* from here on a variable is elsewhere */
} WsMachineEntryKind;

typedef enum { WS_MACHINE_UNKNOWN, WS_MACHINE_REGISTER, WS_MACHINE_NUMBER } WsMachineValueKind;

typedef struct {
    WsMachineEntryKind kind;
    guint32 block;                          /* in `blocks` */
    guint32 first_register, register_count; /* CODE, ASM: that it writes, in `registers` */
    const char *opcode;                     /* CODE: LLVM's name of the instruction */
    guint32 location;      /* CODE: its place in the source, in `locations`; 0 = LLVM knows none */
    gboolean is_parameter; /* CODE: it loads a parameter of a kernel */
    guint32 loaded_bits;   /* CODE: that it loads from memory; 0 = none, or LLVM says nothing */
    /* VARIABLE */
    guint32 variable;
    WsMachineValueKind value;
    guint32 reg;
    guint64 number;
    guint32 offset, size; /* in bits; size 0: all of it */
} WsMachineEntry;

/* A place in the source. */
typedef struct {
    guint32 line;
    GArray *calls; /* of WsMachineCall: that it is inlined in, innermost first */
} WsMachineLocation;

typedef struct {
    guint32 number;                           /* LLVM's */
    guint32 first_successor, successor_count; /* in `successors`: LLVM's numbers */
} WsMachineBlock;

typedef struct {
    char *name;
    guint32 first_block, block_count, first_entry, entry_count;
} WsMachineFunction;

typedef struct {
    GArray *functions;  /* of WsMachineFunction */
    GArray *blocks;     /* of WsMachineBlock */
    GArray *successors; /* of guint32 */
    GArray *entries;    /* of WsMachineEntry */
    GArray *registers;  /* of guint32: LLVM's numbers */
    GPtrArray *classes; /* of const char*, beside `registers`: "int32regs", or "" */
    GArray *locations;  /* of WsMachineLocation; [0] is none */
    GArray *variables;  /* of WsMachineVariable */
    GStringChunk *words;
} WsMachineDump;

WsMachineDump *ws_machine_dump_new(const char *text);
void ws_machine_dump_free(WsMachineDump *dump);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsMachineDump, ws_machine_dump_free)

#endif
