/*
 * Where the numbers of a device come from. Files of devices say it behind their numbers, in
 * comments: [M] measured, [V] vendor document, [P] paper, [C] another simulator's configuration,
 * [A] assumption.
 */
#ifndef WS_SIM_DEVICE_SOURCES_H
#define WS_SIM_DEVICE_SOURCES_H

#include <glib.h>

typedef enum {
    WS_SOURCE_MEASURED,
    WS_SOURCE_FITTED, /* no measurement shows it by itself */
    WS_SOURCE_VENDOR,
    WS_SOURCE_PAPER,
    WS_SOURCE_SIMULATOR,
    WS_SOURCE_ASSUMED,
    WS_SOURCE_COUNT
} WsSourceKind;

typedef struct {
    guint lines[WS_SOURCE_COUNT]; /* of the device's own file, with such a mark */
    char *inherits;               /* where all else is taken from, or NULL */
} WsDeviceSources;

/* Of a built-in device or a file, as in ws_device_load(). FALSE if there is none. */
gboolean ws_device_sources(const char *name, WsDeviceSources *ret);
void ws_device_sources_clear(WsDeviceSources *sources);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsDeviceSources, ws_device_sources_clear)

/*
 * "8 numbers from vendor documents, 2 assumed; all else is taken from a100". "" if nothing is
 * known. g_free.
 */
char *ws_device_sources_text(const char *name);

#endif
