#include <string.h>

#include "inspect/export/exporter.h"

#define EXPORTER(name) extern const WsExporter ws_exporter_##name;
#include "inspect/export/exporters.def"
#undef EXPORTER

const WsExporter *const ws_exporters[] = {
#define EXPORTER(name) &ws_exporter_##name,
#include "inspect/export/exporters.def"
#undef EXPORTER
    NULL,
};

const WsExporter *ws_exporter_find(const char *name)
{
    for (guint i = 0; ws_exporters[i] != NULL; i++)
        if (strcmp(ws_exporters[i]->name, name) == 0)
            return ws_exporters[i];
    return NULL;
}

const char *ws_exporter_name(const WsExporter *exporter)
{
    return exporter->name;
}
