/*
 * Values of a guessed launch with which a kernel does what it is there for: with a struct of zeros,
 * or with a level that no vertex has, all threads may leave at once. Inside the library only.
 */
#ifndef WS_SIM_STARTER_STARTER_VALUES_H
#define WS_SIM_STARTER_STARTER_VALUES_H

#include "sim/starter/starter_guess.h"

/*
 * Runs the guess as it is now, without timing. FALSE if it stops early. `ret_reached`: how much of
 * the kernel threads reached (ws_starter_count_reached()); `ret_cost`: what the try took, in warp
 * instructions.
 */
typedef gboolean (*WsStarterTrial)(gpointer data, guint32 *ret_reached, guint64 *ret_cost);

/*
 * Changes one value after the other, and keeps each change with which more of the kernel is
 * reached: the `choice` and `words` of the parameters. Ends when `most`, all that the kernel has,
 * is reached, or when the tries have cost `budget`.
 */
void ws_starter_improve(WsStarterGuess *guess, guint32 most, guint64 budget, WsStarterTrial trial,
                        gpointer data);

/* ---- how choices are written ------------------------------------------------------------------
 */

/* Of WS_STARTER_INTEGER and WS_STARTER_FLOAT: "1", "-1.0". */
const char *ws_starter_value_text(const WsStarterParameter *parameter);
/* Of WS_STARTER_BYTES: a 32-bit word of it, where `n` is the size of everything. */
guint32 ws_starter_word(const WsStarterParameter *parameter, guint32 word, guint32 n);
/* Of WS_STARTER_POINTER: type of the elements, and ", init: {...}" or "". g_free. `input`: it is
 * read, as far as is known. */
WsType ws_starter_element_type(const WsStarterParameter *parameter);
char *ws_starter_init_text(const WsStarterParameter *parameter, guint seed, gboolean input);

#endif
