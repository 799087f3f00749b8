/* Writing YAML. */
#ifndef WS_SIM_BASE_YAML_TEXT_H
#define WS_SIM_BASE_YAML_TEXT_H

#include <glib.h>

/* A scalar as it is read back, in quotes where it needs them. g_free. */
char *ws_yaml_scalar(const char *text);

#endif
