#include "sim/device/probe.h"

#include <dlfcn.h>
#include <string.h>

#include "sim/device/device.h"

/* CUdevice_attribute of the CUDA driver API, by the settings they fill. */
static const struct {
    const char *path; /* setting, groups separated by a dot */
    int attribute;
} attributes[] = {
    {"sms", 16},                                     /* MULTIPROCESSOR_COUNT */
    {"clock_khz", 13},                               /* CLOCK_RATE */
    {"warp_size", 10},                               /* WARP_SIZE */
    {"compute_capability.major", 75},                /* COMPUTE_CAPABILITY_MAJOR */
    {"compute_capability.minor", 76},                /* COMPUTE_CAPABILITY_MINOR */
    {"limits.threads_per_block", 1},                 /* MAX_THREADS_PER_BLOCK */
    {"limits.blocks_per_sm", 106},                   /* MAX_BLOCKS_PER_MULTIPROCESSOR */
    {"limits.registers_per_sm", 82},                 /* MAX_REGISTERS_PER_MULTIPROCESSOR */
    {"limits.registers_per_block", 12},              /* MAX_REGISTERS_PER_BLOCK */
    {"limits.shared_bytes_per_sm", 81},              /* MAX_SHARED_MEMORY_PER_MULTIPROCESSOR */
    {"limits.shared_bytes_per_block", 8},            /* MAX_SHARED_MEMORY_PER_BLOCK */
    {"limits.shared_bytes_per_block_optin", 97},     /* MAX_SHARED_MEMORY_PER_BLOCK_OPTIN */
    {"limits.reserved_shared_bytes_per_block", 111}, /* RESERVED_SHARED_MEMORY_PER_BLOCK */
    {"limits.block_x", 2},                           /* MAX_BLOCK_DIM_X */
    {"limits.block_y", 3},                           /* MAX_BLOCK_DIM_Y */
    {"limits.block_z", 4},                           /* MAX_BLOCK_DIM_Z */
    {"limits.grid_x", 5},                            /* MAX_GRID_DIM_X */
    {"limits.grid_y", 6},                            /* MAX_GRID_DIM_Y */
    {"limits.grid_z", 7},                            /* MAX_GRID_DIM_Z */
    {"memory.l2.bytes", 38},                         /* L2_CACHE_SIZE */
};
enum { THREADS_PER_SM = 39 /* MAX_THREADS_PER_MULTIPROCESSOR */ };

typedef struct {
    void *library;
    int (*init)(unsigned flags);
    int (*get_device)(int *device, int ordinal);
    int (*get_name)(char *name, int length, int device);
    int (*get_attribute)(int *value, int attribute, int device);
    int device;
} Driver;

static gboolean load_driver(Driver *driver, GError **error)
{
    driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver->library == NULL) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "there is no CUDA driver on this machine (libcuda.so.1)");
        return FALSE;
    }
    /* POSIX allows the conversion; C has no other way to write it without a warning. */
    *(void **)&driver->init = dlsym(driver->library, "cuInit");
    *(void **)&driver->get_device = dlsym(driver->library, "cuDeviceGet");
    *(void **)&driver->get_name = dlsym(driver->library, "cuDeviceGetName");
    *(void **)&driver->get_attribute = dlsym(driver->library, "cuDeviceGetAttribute");
    if (driver->init == NULL || driver->get_device == NULL || driver->get_name == NULL ||
        driver->get_attribute == NULL) {
        ws_set_error(error, WS_ERROR_INPUT, "libcuda.so.1 is not a CUDA driver");
        return FALSE;
    }
    return TRUE;
}

static gboolean open_device(Driver *driver, guint ordinal, GError **error)
{
    int result = driver->init(0);
    if (result == 0)
        result = driver->get_device(&driver->device, (int)MIN(ordinal, (guint)G_MAXINT));
    if (result != 0) {
        ws_set_error(error, WS_ERROR_INPUT, "there is no CUDA device %u (driver error %d)", ordinal,
                     result);
        return FALSE;
    }
    return TRUE;
}

/* The built-in device of that name, else of the same compute capability, else the nearest older
 * one. */
static char *nearest_device(const char *device_name, int major, int minor)
{
    char *best = NULL;
    int best_capability = -1;
    for (const char *const *name = ws_device_names(); *name != NULL; name++) {
        g_autoptr(WsDevice) device = ws_device_load(*name, NULL, NULL);
        if (device == NULL || device->compute_major < 7 || device->sms == 1)
            continue;
        int capability = (int)(device->compute_major * 10 + device->compute_minor);
        if (strcmp(device->name, device_name) == 0)
            capability = G_MAXINT;
        if ((capability <= major * 10 + minor || capability == G_MAXINT) &&
            capability > best_capability) {
            g_free(best);
            best = g_strdup(*name);
            best_capability = capability;
        }
    }
    return best != NULL ? best : g_strdup("v100");
}

static gboolean read_attribute(const Driver *driver, int attribute, int *ret, GError **error)
{
    int result = driver->get_attribute(ret, attribute, driver->device);
    if (result == 0)
        return TRUE;
    ws_set_error(error, WS_ERROR_INPUT, "the CUDA driver does not tell attribute %d (error %d)",
                 attribute, result);
    return FALSE;
}

/* Appends "path: value", with the groups of the path as inline mappings. */
static void append_setting(GString *out, const char *path, gint64 value)
{
    g_auto(GStrv) parts = g_strsplit(path, ".", -1);
    guint depth = g_strv_length(parts);
    for (guint i = 0; i + 1 < depth; i++)
        g_string_append_printf(out, "%s: {", parts[i]);
    g_string_append_printf(out, "%s: %" G_GINT64_FORMAT, parts[depth - 1], value);
    for (guint i = 0; i + 1 < depth; i++)
        g_string_append_c(out, '}');
    g_string_append_c(out, '\n');
}

/* The settings of one group stand together, since a YAML mapping has each key once. */
static gboolean append_group(GString *out, const Driver *driver, const char *group, GError **error)
{
    gsize prefix = strlen(group);
    g_string_append_printf(out, "%s:\n", group);
    for (gsize i = 0; i < G_N_ELEMENTS(attributes); i++) {
        const char *path = attributes[i].path;
        int value = 0;
        if (strncmp(path, group, prefix) != 0 || path[prefix] != '.')
            continue;
        if (!read_attribute(driver, attributes[i].attribute, &value, error))
            return FALSE;
        g_string_append(out, "  ");
        append_setting(out, path + prefix + 1, value);
    }
    return TRUE;
}

static gboolean append_plain(GString *out, const Driver *driver, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(attributes); i++) {
        int value = 0;
        if (strchr(attributes[i].path, '.') != NULL)
            continue;
        if (!read_attribute(driver, attributes[i].attribute, &value, error))
            return FALSE;
        append_setting(out, attributes[i].path, value);
    }
    return TRUE;
}

static char *describe(const Driver *driver, GError **error)
{
    char name[256] = "";
    int major = 0, minor = 0, threads = 0, lanes = 0;
    if (driver->get_name(name, sizeof name, driver->device) != 0 ||
        !read_attribute(driver, 75, &major, error) || !read_attribute(driver, 76, &minor, error) ||
        !read_attribute(driver, THREADS_PER_SM, &threads, error) ||
        !read_attribute(driver, 10, &lanes, error)) {
        if (error != NULL && *error == NULL)
            ws_set_error(error, WS_ERROR_INPUT, "the CUDA driver does not tell the device's name");
        return NULL;
    }
    g_autofree char *base = nearest_device(name, major, minor);
    g_autofree char *shown = ws_printable(name);
    g_autoptr(GString) out = g_string_new(NULL);
    g_string_append_printf(out,
                           "# Read from the CUDA driver. Timing is that of the configuration "
                           "inherited.\ninherit: %s\nname: %s\n",
                           base, shown);
    if (!append_plain(out, driver, error) ||
        !append_group(out, driver, "compute_capability", error) ||
        !append_group(out, driver, "limits", error))
        return NULL;
    g_string_append_printf(out, "  warps_per_sm: %d\n", threads / MAX(lanes, 1));
    if (!append_group(out, driver, "memory", error))
        return NULL;
    return g_string_free(g_steal_pointer(&out), FALSE);
}

char *ws_device_probe(guint ordinal, GError **error)
{
    Driver driver = {0};
    char *text = NULL;
    if (load_driver(&driver, error) && open_device(&driver, ordinal, error))
        text = describe(&driver, error);
    if (driver.library != NULL)
        dlclose(driver.library);
    return text;
}
