/*
 * A device: every number of the machine, constant after loading. Nothing about a device is in C:
 * the fields come from settings.def and the values from configs/NAME.yaml.
 */
#ifndef WS_SIM_DEVICE_DEVICE_H
#define WS_SIM_DEVICE_DEVICE_H

#include "isa/base/read_scope.h"
#include "isa/bytecode/instruction.h"
#include "sim/base/yaml_tree.h"
#include "sim/device/class_timing.h"
#include "sim/device/divergence_models.h"
#include "sim/device/policies.h"

/* Values of the enumerated settings, in the order of settings.def. */
typedef enum {
#define POLICY_KIND(ENUM, ...) WS_POLICY_##ENUM,
    WS_POLICIES(POLICY_KIND)
#undef POLICY_KIND
        WS_POLICY_COUNT,
    WS_POLICY_FILE = WS_POLICY_COUNT /* written in C by the user: WsDevice.policy_file */
} WsPolicyKind;
typedef enum {
    WS_DEPENDENCES_SCOREBOARD,
    WS_DEPENDENCES_CONTROL,
    WS_DEPENDENCES_BLOCKING
} WsDependences;
typedef enum {
#define DIVERGENCE_KIND(ENUM, name) WS_DIVERGENCE_##ENUM,
    WS_DIVERGENCE_MODELS(DIVERGENCE_KIND)
#undef DIVERGENCE_KIND
} WsDivergenceKind;
typedef enum {
    WS_FIRST_SIDE_FEWER_LANES, /* ties to the fall-through */
    WS_FIRST_SIDE_MORE_LANES,
    WS_FIRST_SIDE_TAKEN,
    WS_FIRST_SIDE_FALL_THROUGH
} WsFirstSide;
typedef enum {
    WS_MEMORY_FIXED, /* every access takes its class latency; no caches (the textbook machine) */
    WS_MEMORY_CACHED /* L1, L2, DRAM */
} WsMemoryModel;

typedef enum {
    WS_SLOTS_DYNAMIC, /* a block takes as many warp slots as it has warps */
    WS_SLOTS_STATIC   /* a block slot has its share of the warp slots, used or not */
} WsSlotPartition;

/* What SMs that are fewer than all have of L2 and DRAM: sim/device/memory_share.h. */
typedef enum { WS_SHARE_WHOLE, WS_SHARE_FAIR } WsShare;

typedef enum { WS_L1_LEAST_RECENT, WS_L1_CLOCK } WsL1Replacement;

enum {
    WS_SLEEP_EXACT,          /* NANOSLEEP t ends after its minimum and t */
    WS_SLEEP_TO_POWER_OF_TWO /* at the next multiple of the power of two above t, in nanoseconds */
};

typedef enum {
    WS_FETCH_IDEAL, /* instructions and constants are always there */
    WS_FETCH_CACHED
} WsFetchModel;

typedef enum {
    WS_PARAMETERS_READY, /* L1 gets them as any line that L1.5 has */
    WS_PARAMETERS_SENT
} WsParameters;

enum { WS_MAX_LIST = 16 };

/* A short list of integers (carve-out sizes). */
typedef struct {
    guint32 count;
    guint64 value[WS_MAX_LIST];
} WsList;

/*
 * Numbers of one execution class (settings `classes.NAME.*`, cycles).
 *   latency            issue to dependent issue, consumer on the same pipe
 *   cross_latency      consumer on another pipe (0 = latency)
 *   predicate_latency  predicate result to a predicate operand of the ALU (0 = latency)
 *   branch_latency     predicate result to a guard, branch or exit (0 = predicate_latency)
 *   address_latency    consumer uses the result as an address (0 = cross_latency)
 *   factor_latency     a 64-bit product multiplies the result (0 = as other users of the FMA pipe)
 *   high_later         the high word of a 64-bit product, and its carry, come so much later
 *   written_latency    until the register file has it, from where 64-bit products read factors
 *   hold               the sub-core issues nothing for so many cycles behind it
 *   idle_latency       as latency, where the guard keeps all lanes off (0 = latency)
 *   xu_latency         consumer on the XU pipe (0 = cross_latency)
 *   interval           cycles between issues on one sub-core's pipe
 *   half_interval      cycles that it keeps one half of the FMA pipe, if more than interval: the
 *                      half that makes no products, or while that is busy the other
 *   warp_interval      cycles between two issues of one warp (0 = interval)
 *   sm_interval        cycles between instructions in the unit shared by the SM (0 = not shared)
 *   extra_per_way      further cycles per extra wavefront or address
 */
typedef struct {
#define CLASS_TIMING_FIELD(field, ...) guint16 field;
    WS_CLASS_TIMINGS(CLASS_TIMING_FIELD, )
#undef CLASS_TIMING_FIELD
} WsClassTiming;

typedef struct WsDevice {
#define SETTING_INTEGER(field, ...) guint64 field;
#define SETTING_NUMBER(field, ...)  double field;
#define SETTING_BOOLEAN(field, ...) gboolean field;
#define SETTING_ENUM(field, ...)    guint32 field;
#define SETTING_TEXT(field, ...)    char *field;
#define SETTING_LIST(field, ...)    WsList field;
#include "sim/device/settings.def"
    WsClassTiming classes[WS_CLASS_COUNT]; /* as set, for a warp that the pipes are made for */
    WsClassTiming timing[WS_CLASS_COUNT];  /* of a warp of this device: sim/device/passes.h */
    char *policy_file; /* path of the policy's file if `policy` is WS_POLICY_FILE, else NULL */
    gboolean policy_file_given;   /* by an override, not in a file */
    GPtrArray *policy_parameters; /* of that policy (policy_parameters.h); NULL: none are given */
    char **warnings;              /* of settings that are gone, NULL-terminated, or NULL */
} WsDevice;

/* The value of the setting `policy`: "lrr", or the path of a file. */
const char *ws_device_policy_name(const WsDevice *device);

/* Names of the built-in devices and teaching machines, NULL-terminated, sorted. */
const char *const *ws_device_names(void);

/* Whether a device's name is that of a file: with a slash, or .yaml at its end. */
gboolean ws_device_is_path(const char *name);

/*
 * Loads a device: the name of a built-in one, or the path of a YAML file (a name with a slash or
 * ending .yaml). `overrides` is a NULL-terminated list of "path=value" (or NULL), applied last.
 * Errors: WS_ERROR_INPUT with file:line:column (or the override's text) and the nearest valid name;
 * where two settings do not go together, the place of the one that was given last.
 */
WsDevice *ws_device_load(const char *name, const char *const *overrides, GError **error);
/*
 * The same with the settings in `mapping` of `tree` (or NULL), written as in a device's file, after
 * those of the device and before `overrides`. Files, those that others inherit from too, are read
 * in `scope` (NULL = all).
 */
WsDevice *ws_device_load_with(const WsReadScope *scope, const char *name, const WsYamlTree *tree,
                              const WsYamlNode *mapping, const char *const *overrides,
                              GError **error);
void ws_device_free(WsDevice *device);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDevice, ws_device_free)

/* The device as YAML, every setting with its unit and help as a comment. */
char *ws_device_to_yaml(const WsDevice *device);

#endif
