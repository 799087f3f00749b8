/*
 * The scheduling policies: one row each. From here come the values of the setting `policy`, the
 * enum WsPolicyKind and the table of policies. Parameters of a policy are settings
 * policies.NAME.PARAMETER in settings.def.
 *
 *   ROW(ENUM, name, "setting")
 *
 * ENUM becomes WS_POLICY_ENUM; sim/policies/NAME.c, which the build finds by this table, defines
 * ws_policy_NAME.
 */
#ifndef WS_SIM_DEVICE_POLICIES_H
#define WS_SIM_DEVICE_POLICIES_H

/* clang-format off */
#define WS_POLICIES(ROW)                                                                           \
    ROW(LRR, lrr, "lrr")                                                                           \
    ROW(GTO, gto, "gto")                                                                           \
    ROW(OLDEST, oldest, "oldest")                                                                  \
    ROW(GREEDY_THEN_YOUNGEST, greedy_then_youngest, "greedy-then-youngest")                        \
    ROW(GREEDY_THEN_LEAST_RECENT, greedy_then_least_recent, "greedy-then-least-recent")            \
    ROW(LONGEST_WAIT_FIRST, longest_wait_first, "longest-wait-first")                              \
    ROW(TEXTBOOK_PRIORITY, textbook_priority, "textbook-priority")                                 \
    ROW(TWO_LEVEL, two_level, "two-level")                                                         \
    ROW(CCWS, ccws, "ccws")
/* clang-format on */

/* For lists of the settings' values. */
#define WS_POLICY_SETTING(ENUM, name, setting) setting,

#endif
