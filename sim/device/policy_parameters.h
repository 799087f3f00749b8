/*
 * Parameters of a scheduling policy in C as they were given, `policy.NAME` among the settings:
 * which there are is known when its file has been read (sim/policies/policy_parameters.h).
 */
#ifndef WS_SIM_DEVICE_POLICY_PARAMETERS_H
#define WS_SIM_DEVICE_POLICY_PARAMETERS_H

#include "sim/base/yaml_tree.h"

typedef struct {
    char *name, *value;
    char *file; /* where it was written, for messages */
    guint line, column;
} WsPolicyParameter;

/* The name of the parameter that a setting's path means, or NULL; points into `path`. */
const char *ws_policy_parameter_name(const char *path);

/*
 * Sets one, or sets it anew, in a list of WsPolicyParameter in order of name; NULL is an empty
 * list. Free it with g_ptr_array_unref(). Errors: WS_ERROR_INPUT: the value is no scalar.
 */
gboolean ws_policy_parameters_set(GPtrArray **parameters, const char *name, const WsYamlTree *tree,
                                  const WsYamlNode *node, GError **error);

static inline guint ws_policy_parameters_count(const GPtrArray *parameters)
{
    return parameters != NULL ? parameters->len : 0;
}

static inline const WsPolicyParameter *ws_policy_parameters_at(const GPtrArray *parameters, guint i)
{
    return g_ptr_array_index(parameters, i);
}

#endif
