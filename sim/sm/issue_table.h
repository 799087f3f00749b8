/*
 * The issue table of a kernel: for each instruction what the issue stage must know of it on one
 * device, worked out once before the launch. Its dependences name entries of the scoreboard.
 */
#ifndef WS_SIM_SM_ISSUE_TABLE_H
#define WS_SIM_SM_ISSUE_TABLE_H

#include "isa/bytecode/code_target.h"
#include "sim/divergence/divergence.h"
#include "sim/lanes/lanes.h"
#include "sim/sm/pipes.h"
#include "sim/sm/register_reads.h"
#include "sim/sm/scoreboard.h"

typedef struct {
    guint16 entry;    /* of the warp's scoreboard */
    guint16 relation; /* WsPipe or WS_RELATION_* */
} WsDependence;

/* Dependences that WsIssueInfo has room for; an instruction with more takes the longer way. */
enum { WS_QUICK_INPUTS = 6, WS_QUICK_OUTPUTS = 2, WS_NOT_QUICK = 255 };

/* What issue needs to know of one instruction: one cache line of the host. */
typedef struct __attribute__((aligned(64))) {
    /*
     * The inputs, and the outputs that no input stands for, in short: if all of these are ready the
     * instruction is. WS_NOT_QUICK: not so, see `first`.
     */
    guint8 quick_inputs;
    guint8 plain : 1;  /* a lane operation that no other unit has to do with */
    guint8 quick : 1;  /* plain, no more than WS_QUICK_OUTPUTS, reads nothing but registers */
    guint8 unit : 1;   /* goes through a unit that the SM shares, without an address */
    guint8 passes : 1; /* issues while a block barrier that the warp came to is closed */
    guint8 holds : 1;  /* keeps the sub-core from issuing (ws_hold_issue()) */
    guint8 resource;   /* WsResource */
    guint8 execution_class;
    guint8 step;   /* cycles to the warp's next issue, at least */
    guint8 sooner; /* cycles that the result is there before its latency if no lane is on */
    guint16 latency;
    guint16 interval;
    guint16 quick_output[WS_QUICK_OUTPUTS]; /* unused ones are a place that nobody reads */
    guint16 warp_interval;                  /* 0 = no longer than interval */
    WsDependence quick_input[WS_QUICK_INPUTS];
    guint32 constant; /* line of its constant operand + 1, 0 = none (or never a miss) */
    /* Into WsIssueTable.dependences: inputs, then outputs, WAR reads and checks. */
    guint32 first;
    guint8 inputs;            /* entries that must be ready */
    guint8 outputs;           /* entries that the instruction writes */
    guint8 ordered;           /* of the outputs: those whose earlier write must come first */
    guint8 war_reads;         /* read after issue (stores): writes behind wait (WAR) */
    guint8 checks;            /* inputs that control fields should have waited for */
    guint8 write_barrier : 4; /* control fields; 7 = none */
    guint8 read_barrier : 4;
    guint16 warp_pipe_entry; /* entry that holds back the warp's next instruction on the pipe */
    guint32 target;          /* of a direct branch */
    guint32 reconvergence;   /* where the sides of a branch meet, WS_NOWHERE if they do not */
} WsIssueInfo;

enum { WS_DEPENDENCE_BARRIERS = 6 };

typedef struct {
    gboolean control;    /* instructions wait by their control fields */
    gboolean any_passes; /* instructions that pass a block barrier exist */
    WsIssueInfo *issues; /* [program->instruction_count]; filled for the kernel's instructions */
    /* Of the register banks (sim/sm/register_ports.h), [program->instruction_count]; NULL: no
     * banks.
     */
    guint64 *reads;
    WsDependence *dependences;
    /* [program->instruction_count]: of its dependences behind the checks, results in front of a
     * 64-bit product that are read behind it. */
    guint8 *frozen;
    guint64 latest; /* no entry makes a consumer wait longer than this beyond its cycle */
    gint16 later[2 * WS_VARIABLE][WS_RELATION_COUNT]; /* by kind and relation */
    guint8 wait[2 * WS_VARIABLE];                     /* WS_WAIT_* by kind */
    guint16 complete[WS_CLASS_COUNT]; /* cycles from issue until a result serves every use */
    /* Cycles from its entry's until the register file has the result of a class. */
    guint16 written[WS_CLASS_COUNT];
    guint8 hold[WS_CLASS_COUNT];       /* cycles without an issue of the sub-core behind one */
    guint8 high_later[WS_CLASS_COUNT]; /* cycles from its low word to all else */
    guint32 entries;                   /* of one warp's scoreboard */
    guint32 first_predicate, first_uniform, first_uniform_predicate;
    guint32 first_barrier; /* WS_DEPENDENCE_BARRIERS of the control fields */
    guint32 done;          /* when the warp's last instruction is done (blocking) */
} WsIssueTable;

/* The instruction's dependences, by what they are for: one list behind the other. */
static inline const WsDependence *ws_issue_inputs(const WsIssueTable *table,
                                                  const WsIssueInfo *issue)
{
    return &table->dependences[issue->first];
}

static inline const WsDependence *ws_issue_outputs(const WsIssueTable *table,
                                                   const WsIssueInfo *issue)
{
    return ws_issue_inputs(table, issue) + issue->inputs;
}

static inline const WsDependence *ws_issue_war_reads(const WsIssueTable *table,
                                                     const WsIssueInfo *issue)
{
    return ws_issue_outputs(table, issue) + issue->outputs;
}

static inline const WsDependence *ws_issue_checks(const WsIssueTable *table,
                                                  const WsIssueInfo *issue)
{
    return ws_issue_war_reads(table, issue) + issue->war_reads;
}

/* `frozen` of the instruction. */
static inline const WsDependence *ws_issue_frozen(const WsIssueTable *table,
                                                  const WsIssueInfo *issue)
{
    return ws_issue_checks(table, issue) + issue->checks;
}

/* Works out dependences, resources and branch targets of the decoded kernel on one device. */
WsIssueTable *ws_issue_table_new(const WsDevice *device, const WsDecodedProgram *decoded);
void ws_issue_table_free(WsIssueTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsIssueTable, ws_issue_table_free)

#endif
