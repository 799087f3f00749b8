/*
 * The divergence models: one row each. From here come the values of the setting
 * `divergence.model`, the enum WsDivergenceKind and the table of models.
 *
 *   ROW(ENUM, name)
 *
 * ENUM becomes WS_DIVERGENCE_ENUM, name the value of the setting; sim/divergence/NAME.c, which the
 * build finds by this table, defines ws_divergence_NAME. `none` shares the code of its.c.
 */
#ifndef WS_SIM_DEVICE_DIVERGENCE_MODELS_H
#define WS_SIM_DEVICE_DIVERGENCE_MODELS_H

/* clang-format off */
#define WS_DIVERGENCE_MODELS(ROW)                                                                  \
    ROW(STACK, stack)                                                                              \
    ROW(ITS, its)                                                                                  \
    ROW(NONE, none)
/* clang-format on */

/* For lists of the setting's values. */
#define WS_DIVERGENCE_SETTING(ENUM, name) #name,

#endif
