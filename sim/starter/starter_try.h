/* Tries of guessed sizes and values, without timing; inside the library only. */
#ifndef WS_SIM_STARTER_STARTER_TRY_H
#define WS_SIM_STARTER_STARTER_TRY_H

#include "sim/starter/starter_text.h"

/*
 * Sets `writer->sizes` and `writer->sms`, and the choices in `guess`, which is the writer's.
 * `ret_stop`: why it stops early all the same, or NULL; `notes` (of char*) gets what is not
 * reached. FALSE if nothing can be tried at all; errors: WS_ERROR_INPUT.
 */
gboolean ws_starter_try(WsStarterWriter *writer, WsStarterGuess *guess, const WsDevice *device,
                        char **ret_stop, GPtrArray *notes, GError **error);

#endif
