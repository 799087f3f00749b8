#include "sim/sm/stall_counts.h"

#include "isa/bytecode/accesses.h"
#include "isa/flow/control_flow.h"

#include <string.h>

enum {
    LONGEST_STALL = 15,
    BARRIER_STALL = 2, /* behind an instruction whose barrier the next one waits for */
    REGISTERS = 256,
    PLACES = REGISTERS + 8, /* predicates behind the registers */
    LONG_AGO = -1000
};

gboolean ws_is_fixed_latency(const WsDevice *device, const WsInstruction *instruction)
{
    WsClass k = ws_instruction_class(instruction);

    switch (ws_class_pipe(k)) {
    case WS_PIPE_FMA:
    case WS_PIPE_ALU:
    case WS_PIPE_FP16:
    case WS_PIPE_FP16_MMA:
    case WS_PIPE_FP64:
    case WS_PIPE_UNIFORM:
        return device->classes[k].latency < LONGEST_STALL;
    default:
        return FALSE;
    }
}

/* A block's stall counts, added up: the cycles at which its instructions stand. */
typedef struct {
    const WsDevice *device;
    gint now;
    gint last_xu;
    gint cycle[PLACES];       /* of the place's writer */
    guint8 writer[PLACES];    /* its class */
    guint8 is_waited[PLACES]; /* written by an instruction of variable latency */
} Counts;

static void reset(Counts *counts)
{
    counts->now = 0;
    counts->last_xu = LONG_AGO;
    memset(counts->is_waited, FALSE, sizeof(counts->is_waited));
    for (guint i = 0; i < PLACES; i++)
        counts->cycle[i] = LONG_AGO;
}

/* First place of an access, PLACES if it is in no file that counts here. */
static guint place_of(const WsRegisterAccess *access)
{
    if (access->file == WS_FILE_REGISTER)
        return access->index;
    return access->file == WS_FILE_PREDICATE ? REGISTERS + access->index : PLACES;
}

/* Latency of a fixed result; `pipe` is the consumer's. */
static gint latency_of(const WsClassTiming *timing, guint producer, const WsRegisterAccess *access,
                       WsPipe pipe)
{
    guint cross = timing->cross_latency ? timing->cross_latency : timing->latency;
    guint predicate = timing->predicate_latency ? timing->predicate_latency : timing->latency;

    if (access->file == WS_FILE_PREDICATE)
        return access->operand == WS_ACCESS_GUARD && timing->branch_latency ? timing->branch_latency
                                                                            : (gint)predicate;
    if (pipe == WS_PIPE_XU)
        return timing->xu_latency ? timing->xu_latency : (gint)cross;
    return pipe == ws_class_pipe(producer) ? timing->latency : (gint)cross;
}

/* The cycle at which it stands by what it reads. */
static gint earliest(const Counts *counts, const WsRegisterAccess *accesses, guint count,
                     WsPipe pipe)
{
    gint cycle = counts->now + 1;

    for (guint a = 0; a < count; a++) {
        guint place = place_of(&accesses[a]);

        if (accesses[a].write)
            continue;
        for (guint p = place; p < MIN(place + accesses[a].words, (guint)PLACES); p++) {
            guint writer = counts->writer[p];

            if (counts->is_waited[p])
                cycle = MAX(cycle, counts->cycle[p] + BARRIER_STALL);
            else if (counts->cycle[p] != LONG_AGO)
                cycle = MAX(cycle, counts->cycle[p] + latency_of(&counts->device->classes[writer],
                                                                 writer, &accesses[a], pipe));
        }
    }
    return cycle;
}

/* It reads a fixed result of the block and writes the same register. */
static gboolean overwrites_operand(const Counts *counts, const WsRegisterAccess *accesses,
                                   guint count)
{
    for (guint w = 0; w < count; w++)
        for (guint r = 0; accesses[w].write && r < count; r++)
            if (!accesses[r].write && accesses[r].file == WS_FILE_REGISTER &&
                accesses[w].file == WS_FILE_REGISTER &&
                accesses[r].index < accesses[w].index + accesses[w].words &&
                accesses[w].index < accesses[r].index + accesses[r].words &&
                !counts->is_waited[place_of(&accesses[r])])
                return TRUE;
    return FALSE;
}

/* Adds one instruction; TRUE if it is of the XU pipe and kept apart. */
static gboolean add(Counts *counts, const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    guint k = ws_instruction_class(instruction);
    gboolean xu = ws_class_pipe(k) == WS_PIPE_XU, apart = FALSE;
    gint cycle = earliest(counts, accesses, count, ws_class_pipe(k));

    if (xu) {
        gint spaced = counts->last_xu + (gint)counts->device->xu_spacing;

        apart = cycle < spaced || overwrites_operand(counts, accesses, count);
        counts->last_xu = cycle = MAX(cycle, spaced);
    }
    for (guint a = 0; a < count; a++) {
        guint place = place_of(&accesses[a]);

        for (guint p = place;
             accesses[a].write && p < MIN(place + accesses[a].words, (guint)PLACES); p++) {
            counts->cycle[p] = cycle;
            counts->writer[p] = (guint8)k;
            counts->is_waited[p] = !ws_is_fixed_latency(counts->device, instruction);
        }
    }
    counts->now = cycle;
    return apart;
}

guint8 *ws_xu_apart(const WsDevice *device, const WsInstruction *instructions, guint32 first,
                    guint32 count)
{
    g_autofree guint8 *is_target = g_new0(guint8, count + 1);
    Counts counts = {.device = device};
    guint8 *apart;

    if (device->xu_spacing == 0)
        return NULL;
    apart = g_new0(guint8, count + 1);
    for (guint32 i = 0; i < count; i++) {
        guint32 target = ws_branch_target(&instructions[first + i]);

        if (target - first < count)
            is_target[target - first] = TRUE;
    }
    reset(&counts);
    for (guint32 i = 0; i < count; i++) {
        const WsInstruction *instruction = &instructions[first + i];

        if (is_target[i])
            reset(&counts);
        apart[i] = (guint8)add(&counts, instruction);
        if (ws_opcode_ends_block(instruction->opcode))
            reset(&counts);
    }
    return apart;
}
