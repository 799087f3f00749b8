/*
 * Options of the commands that simulate (run and its like, sweep, advise) which stand for settings
 * of the machine, and the check of those that are numbers.
 */
#ifndef WS_CLI_MACHINE_OPTIONS_H
#define WS_CLI_MACHINE_OPTIONS_H

#include <glib.h>

#include "sim/device/policies.h"

/* A number that the command line does not have. */
#define WS_NOT_GIVEN G_MININT64

typedef struct {
    char *policy, *share; /* NULL: not given */
    gint64 sms;
} WsMachineOptions;

/* Entries of an option table for a WsMachineOptions. */
#define WS_POLICY_WORD(ENUM, name, setting) " " setting
#define WS_POLICY_ENTRY(options)                                                                   \
    {                                                                                              \
        "policy", 0, 0, G_OPTION_ARG_FILENAME, &(options)->policy,                                 \
            "the same as --set policy=POLICY:" WS_POLICIES(WS_POLICY_WORD) " or ./mine.c",         \
            "POLICY"                                                                               \
    }
#define WS_SMS_ENTRY(options)                                                                      \
    {                                                                                              \
        "sms", 0, 0, G_OPTION_ARG_INT64, &(options)->sms, "the same as --set sms=N", "N"           \
    }
#define WS_SHARE_ENTRY(options)                                                                    \
    {                                                                                              \
        "share", 0, 0, G_OPTION_ARG_FILENAME, &(options)->share,                                   \
            "the same as --set memory.share=SHARE: whole or fair, the part of L2 and DRAM that "   \
            "the simulated SMs have if they are not all SMs of the GPU",                           \
            "SHARE"                                                                                \
    }

void ws_machine_options_clear(WsMachineOptions *options);

/* The settings that they stand for, as --set takes them, behind those of --set. g_strfreev. */
char **ws_machine_options_settings(const WsMachineOptions *options);

/* FALSE after a message if a number is given and is not from 1 to `maximum`. */
gboolean ws_check_number_option(const char *name, gint64 value, gint64 maximum);
/* --sms, --max-cycles, --threads */
gboolean ws_check_run_numbers(const WsMachineOptions *options, gint64 max_cycles, gint64 threads);
/* --max-seconds; 0: not given */
gboolean ws_check_max_seconds(double seconds);

#endif
