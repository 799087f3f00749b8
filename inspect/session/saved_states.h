/*
 * The saved states of a run, each with what is known of the stretch up to the next one.
 *
 * How close they lie goes by work (ws_simulation_work()), not by the host's clock, so that what a
 * move simulates is the same every time. Over the whole run they lie evenly, so closely that saving
 * costs about a tenth of running or as closely as the memory for them allows. Towards the place
 * that a move leads to, and around the place that the run is at, they lie closer and closer: moves
 * from there begin near by.
 */
#ifndef WS_INSPECT_SESSION_SAVED_STATES_H
#define WS_INSPECT_SESSION_SAVED_STATES_H

#include "inspect/session/residents.h"

typedef struct WsSavedStates WsSavedStates;

/*
 * Saves the simulation of `program`, which is at cycle 0. Both must live longer. `bytes`: of all
 * states together; at least two are kept whatever they take.
 */
WsSavedStates *ws_saved_states_new(WsSimulation *simulation, const WsProgram *program, gsize bytes);
void ws_saved_states_free(WsSavedStates *states); /* NULL does nothing */

guint ws_saved_states_count(const WsSavedStates *states);
/* What they take: bytes of the host. */
gsize ws_saved_states_bytes(const WsSavedStates *states);

/* Index of the last state at or before `cycle`. */
guint ws_saved_states_last(const WsSavedStates *states, guint64 cycle);
/* State 0 is at cycle 0; they ascend. */
guint64 ws_saved_states_cycle(const WsSavedStates *states, guint index);
/* The work at which it was saved. */
guint64 ws_saved_states_work(const WsSavedStates *states, guint index);
void ws_saved_states_restore(WsSavedStates *states, guint index);

/*
 * The simulation has come to `cycle` on its way to `target` (WS_NEVER: not known): saves it if that
 * is worth its cost, and drops others where memory is short.
 */
void ws_saved_states_offer(WsSavedStates *states, guint64 cycle, guint64 target);
/* The run goes another way from `cycle` on: drops what is of it or later, but for state 0. */
void ws_saved_states_drop_from(WsSavedStates *states, guint64 cycle);
/* Work in which the even states lie, at least. */
guint64 ws_saved_states_spacing(const WsSavedStates *states);

/*
 * Whether no event of the `kinds` in the scope is told from state `index` to the next state.
 * FALSE: there may be one, or there is no next state.
 */
gboolean ws_saved_states_are_quiet(const WsSavedStates *states, guint index,
                                   const WsEventScope *scope, guint64 kinds);

#endif
