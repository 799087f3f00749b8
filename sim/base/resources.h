/*
 * Files compiled into the library: /warpstep/configs/NAME.yaml and /warpstep/workloads/NAME/...
 *
 * They are GResource bundles held in constant memory and looked at on demand, not registered with
 * GLib: registering needs writable globals.
 */
#ifndef WS_SIM_BASE_RESOURCES_H
#define WS_SIM_BASE_RESOURCES_H

#include <gio/gio.h>

extern const unsigned char ws_configs_bundle[];
extern const unsigned ws_configs_bundle_size;
extern const char *const ws_configs_names[]; /* NULL-terminated, sorted */
extern const unsigned char ws_workloads_bundle[];
extern const unsigned ws_workloads_bundle_size;
extern const char *const ws_workloads_names[];

/* The bundle of built-in devices, or of built-in workloads. Unref after use. */
GResource *ws_configs_resource(void);
GResource *ws_workloads_resource(void);

/* Names in a folder of a bundle, sorted; folders end in a slash. Free with g_strfreev. */
char **ws_resource_names(GResource *resource, const char *folder);

#endif
