/*
 * What registers are allocated to: each register (or predicate) of a function with its life, and
 * with what speaks for and against places. register_allocation.c gives the places.
 */
#ifndef WS_ISA_CODEGEN_CANDIDATES_H
#define WS_ISA_CODEGEN_CANDIDATES_H

#include "isa/codegen/taken_registers.h"
#include "isa/ir/liveness.h"

enum { WS_NOT_PLACED = 256, WS_ALLOCATION_HINTS = 4, WS_NO_CANDIDATE = G_MAXUINT32 };

typedef struct {
    guint32 other;
    gint32 distance; /* wanted: own place - place of the other */
} WsAllocationHint;

typedef struct {
    guint32 begin; /* bounds of its life */
    guint32 end;
    guint32 length; /* positions in which some word lives */
    guint32 place;  /* physical register, or WS_NOT_PLACED */
    guint8 words;
    guint8 hints;
    WsAllocationHint hint[WS_ALLOCATION_HINTS];
    guint32 apart;   /* candidate whose place it had better not take, or WS_NO_CANDIDATE */
    guint32 partner; /* first of its partners + 1 */
    guint32 partners;
    gboolean is_guarded;  /* written under a guard */
    gboolean ends_as_war; /* read last by an instruction that reads some time after its issue */
    gboolean is_low;      /* low word of a sum of 64 bits */
    gboolean is_passed;   /* to or from a subroutine: must have one place */
    double weight;        /* accesses, ten times as many per loop around them */
} WsCandidate;

/* Another word that instructions read beside a word: better of the other bank. */
typedef struct {
    guint32 other;
    gboolean odd; /* the words are an odd number of places from the begins of their registers */
    double weight;
    guint32 next; /* partner + 1 */
} WsBankPartner;

typedef struct {
    WsIrFunction *function;
    WsLiveness *liveness;
    GArray *partners; /* of WsBankPartner */
    guint cap;
    gboolean predicates;     /* allocates predicates rather than registers */
    gboolean spread;         /* banks and WAR count; else the lowest place is taken */
    guint32 first_temporary; /* from here on: made by spilling, must have a register */
    guint32 count;           /* candidates */
    WsCandidate *candidates;
    WsTakenRegisters taken;
    GArray *placed; /* of guint32: candidates with a place that may still live, as placed */
    guint32 newest[WS_NOT_PLACED]; /* per place: candidate that came there last + 1 */
    guint8 *spilled;               /* per candidate */
    gboolean any_spilled;
    guint high; /* places used so far */
} WsAllocator;

/* The variable of liveness that is the first word of candidate `c`. */
guint32 ws_candidate_variable(const WsAllocator *a, guint32 c);

/*
 * Fills the candidates of `a`, which has its function, liveness and count, and room for them: how
 * long each lives, what copies ask for, what its words are read beside, what a spill would cost.
 */
void ws_candidates_measure(WsAllocator *a);

#endif
