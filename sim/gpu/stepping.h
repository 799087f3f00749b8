/*
 * Running a job up to one cycle after the other, with its state saved and restored.
 *
 * A run is deterministic: what is at a cycle depends neither on the cycles at which the run was
 * held up on its way there, nor on whether it came there from its beginning or from a saved state.
 */
#ifndef WS_SIM_GPU_STEPPING_H
#define WS_SIM_GPU_STEPPING_H

#include "sim/gpu/simulation.h"
#include "sim/memory/memory.h"
#include "sim/sm/sm.h"

typedef struct WsSimulation WsSimulation;

/*
 * The job before its first cycle; it stays with the caller and must live longer. `savable`: the
 * state can be saved and restored; one host thread runs all SMs then, and nobody observes or
 * samples. Options are copied, what they point to is not. Errors: as ws_simulation_run(), and
 * WS_ERROR_LIMIT if a savable state finds no room on the host.
 */
WsSimulation *ws_simulation_new(WsJob *job, const WsRunOptions *options, gboolean savable,
                                GError **error);
void ws_simulation_free(WsSimulation *simulation);

/*
 * Runs all cycles before `cycle`, of as many launches as there are until then, or up to the end of
 * the job if that comes before. Responses, starts and ends of blocks that are due at `cycle` are
 * taken note of: SMs are as they are when the warps of that cycle are chosen. Cycles count from the
 * beginning of the first launch. FALSE with `error`: WS_ERROR_INPUT, a launch that the device
 * cannot hold.
 */
gboolean ws_simulation_advance(WsSimulation *simulation, guint64 cycle, GError **error);
/*
 * While a simulation is tapped, `tap` is told of events of the `kinds` (bits WS_TRACE_BIT()) in the
 * moment in which they happen, or in which it is known that they will: then event->cycle is later
 * than the cycle that runs. The state is that of the moment: before the instruction for `issue`,
 * behind it for others. The order is that of each SM; SMs follow one another in windows. It changes
 * nothing of the run. Untapped by ws_simulation_untap() and by restoring a state.
 */
typedef void (*WsTap)(void *data, const WsTraceEvent *event);
void ws_simulation_tap(WsSimulation *simulation, guint64 kinds, WsTap tap, void *data);
void ws_simulation_untap(WsSimulation *simulation);

/* Nothing is left to run: all launches are done, or the run stopped early. */
gboolean ws_simulation_is_over(const WsSimulation *simulation);
/* The cycle behind the last one with something in it, where the run is over. */
guint64 ws_simulation_end(const WsSimulation *simulation);
/* The status of a run that is over, with where and why it stopped early in result->stop. */
const WsResult *ws_simulation_result(const WsSimulation *simulation);

/* The launch under way, or the last one where the run is over, with its SMs. */
guint32 ws_simulation_launch(const WsSimulation *simulation);
WsSm *const *ws_simulation_sms(const WsSimulation *simulation, guint32 *ret_count);
const WsGlobalMemory *ws_simulation_contents(const WsSimulation *simulation);
WsMemorySystem *ws_simulation_memory(const WsSimulation *simulation);
/* Blocks of that launch with a lower linear number have been given a place on an SM. */
guint64 ws_simulation_next_block(const WsSimulation *simulation);
/* What each instruction of the program has counted in that launch; NULL before the first one. */
const WsInstructionCounters *ws_simulation_counters(const WsSimulation *simulation);
/*
 * What it has cost the host to come to where the run is from its beginning, about, in warp
 * instructions without memory. It is counted and not measured: instructions, and 4 for each sector
 * of global memory. On a core of 3 GHz one takes 60 to 230 ns.
 */
guint64 ws_simulation_work(const WsSimulation *simulation);

/* Appends what kernels have printed in the cycles from `from` to before `to`, as far as the run has
 * come. */
void ws_simulation_printed(const WsSimulation *simulation, guint64 from, guint64 to, GString *ret);

/*
 * A number for everything that can be seen of the run at `cycle`, which it has come to: where all
 * warps are and with which lanes, why they do not issue, their registers, shared memory, buffers.
 * Equal states have equal numbers, on any host and in any version of this program.
 */
guint64 ws_simulation_digest(const WsSimulation *simulation, guint64 cycle);

/* The result so far, as ws_simulation_run() returns it; the simulation can only be freed then. */
WsResult *ws_simulation_finish(WsSimulation *simulation);

/* ---- saved states ------------------------------------------------------------------------------
 * Everything that changes: SMs, caches, queues, DRAM, buffers. Pages that two states have in common
 * are kept once. */

typedef struct WsSavedState WsSavedState;

/* The state of a savable simulation that is not over, without what taps it. `before` is an earlier
 * one of the same, that it has most in common with, or NULL. Free it with ws_saved_state_free()
 * before the simulation is freed. */
WsSavedState *ws_simulation_save(WsSimulation *simulation, const WsSavedState *before);
void ws_simulation_restore(WsSimulation *simulation, const WsSavedState *state);
void ws_saved_state_free(WsSavedState *state); /* NULL does nothing */
/* Bytes of the host that all saved states of the simulation take together. */
gsize ws_simulation_saved_bytes(const WsSimulation *simulation);
/* Bytes of the state as it is now: a save or restore compares as many. */
gsize ws_simulation_state_bytes(const WsSimulation *simulation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSimulation, ws_simulation_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSavedState, ws_saved_state_free)

#endif
