/*
 * A study: one launch file or several, run once for each point of a set of parameters.
 *
 * The points are the cross product of the parameters' values, the last parameter changing fastest,
 * or a part of it (design.h). A parameter's name says what it changes:
 *
 *   target           the launch file, or the built-in workload; then the study has no other target
 *   device           the device, by its name or file
 *   maxreg           registers of a thread at most (compile.maxreg)
 *   define.NAME      a macro of the program
 *   set.PATH, PATH   a setting of the device: policy, sms, memory.l1.ways ...
 *   launch.KEY, KEY  anything else: grid, block, params.0, or a value of `let`
 *
 * A study is a text as well, study.json in its folder, so that any process of any machine can run a
 * part of it.
 */
#ifndef WS_STUDY_PLAN_STUDY_H
#define WS_STUDY_PLAN_STUDY_H

#include "sim/launch/launch.h"

enum { WS_MAX_STUDY_POINTS = 1000000, WS_MAX_STUDY_PARAMETERS = 32 };

typedef enum {
    WS_STUDY_TARGET,
    WS_STUDY_DEVICE,
    WS_STUDY_REGISTERS,
    WS_STUDY_DEFINE,
    WS_STUDY_SETTING,
    WS_STUDY_LAUNCH
} WsStudyKind;

typedef enum { WS_DESIGN_CROSS, WS_DESIGN_ZIP, WS_DESIGN_ONE_AT_A_TIME } WsDesign;

typedef struct {
    char *name; /* as given; a column of the results */
    WsStudyKind kind;
    char *key;     /* of the setting, macro or launch */
    char **values; /* NULL-terminated */
    guint count;
    /* Of a fractional design: a bit for each parameter whose product gives the value; 0: none. */
    guint32 generator;
    gboolean negated; /* the generator has a minus */
} WsStudyParameter;

typedef struct {
    char *target; /* as in ws_job_load(), or NULL: a parameter says it */
    /* Absolute: where files of devices and targets are looked for; or NULL: where we are. */
    char *folder;
    char *device; /* of all points, or NULL */
    /* Of all points, NULL-terminated or NULL. Parameters win. */
    char **settings, **launch_values, **defines;
    guint32 max_registers; /* 0 = not given */
    guint64 max_cycles;    /* 0 = the default */
    char **lines;          /* --lines of all points, NULL-terminated or NULL */
    char **regions; /* names of the regions that have columns, NULL-terminated or NULL: none */
    /* "NAME=VALUE" of parameters: the points that the others are compared with (relative.h).
     * NULL-terminated or NULL. */
    char **reference;
    char *
        *columns; /* "NAME=EXPRESSION": columns that are derived from others (derived.h); or NULL */
    WsDesign design;
    /* "NAME=A*B" of parameters of a fractional design. NULL-terminated or NULL. */
    char **generators;
    GArray *parameters; /* of WsStudyParameter */
} WsStudy;

static inline WsStudyParameter *ws_study_parameter(const WsStudy *study, guint index)
{
    return &g_array_index(study->parameters, WsStudyParameter, index);
}

WsStudy *ws_study_new(const char *target); /* NULL: a parameter says it */
void ws_study_free(WsStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsStudy, ws_study_free)

/*
 * Adds a parameter with `values`, which it takes (freed after an error, too). Errors:
 * WS_ERROR_USAGE (no such name, a name twice, too many).
 */
gboolean ws_study_add(WsStudy *study, const char *name, char **values, GError **error);

/* The same from "NAME=VALUES" (study/plan/values.h). */
gboolean ws_study_add_text(WsStudy *study, const char *text, GError **error);

/*
 * Checks the whole: there is one target, or a parameter for it; zipped parameters have as many
 * values; generators are of such parameters; the points are not too many; the reference is one of
 * them. Errors: WS_ERROR_USAGE.
 */
gboolean ws_study_check(WsStudy *study, GError **error);

guint ws_study_points(const WsStudy *study); /* 1 without parameters */

/* Whether other values may bring other sources: targets; a policy in C, by its name or with a
 * device. */
gboolean ws_study_brings_sources(const WsStudyParameter *parameter);

/* The number of the parameter of this name, or -1. */
gint ws_study_find(const WsStudy *study, const char *name);
/* The number of the parameter that says the target, or -1. */
gint ws_study_target_axis(const WsStudy *study);
/* The values of that parameter; 1 without it: all points have the same target. */
guint ws_study_target_count(const WsStudy *study);
/* Which of these a point has, and what it is called: owned by the study. */
guint ws_study_target_of(const WsStudy *study, guint point);
const char *ws_study_target_name(const WsStudy *study, guint target);

/* The value of parameter `parameter` at a point. Owned by the study. */
const char *ws_study_value(const WsStudy *study, guint point, guint parameter);

/* The first point at which a parameter has its value of this number. */
guint ws_study_first_point(const WsStudy *study, guint parameter, guint value);

/*
 * The point with another value of a parameter and all else as at `point`; the first one with that
 * value where the design has no such point.
 */
guint ws_study_point_with(const WsStudy *study, guint point, guint parameter, guint value);

/* The parameters at a point: "warps=8, policy=gto". g_free. */
char *ws_study_point_name(const WsStudy *study, guint point);

/* The path of a file in the study's folder, the same from any folder; `name` if it has none.
 * g_free.
 */
char *ws_study_path(const WsStudy *study, const char *name);
/* The device of this name as it means the same from any folder: a path is made absolute. g_free. */
char *ws_study_device(const WsStudy *study, const char *name);

/* What a point is loaded with; the rest of the options is the caller's to fill in. */
typedef struct {
    WsJobOptions options; /* points into the texts below and into the study */
    GPtrArray *settings, *launch_values, *defines;
    char *target, *device;
} WsStudyPoint;

void ws_study_point_init(WsStudyPoint *ret, const WsStudy *study, guint point);
void ws_study_point_clear(WsStudyPoint *point);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsStudyPoint, ws_study_point_clear)

/* A word as a shell reads it: in quotes where it needs them. g_free. */
char *ws_study_shell_word(const char *word);

/* The command that runs one point alone: "warpstep run TARGET --launch warps=8 ...". g_free. */
char *ws_study_point_command(const WsStudy *study, guint point);

#endif
