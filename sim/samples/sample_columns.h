/* The columns of samples: those of sample_columns.def, then stall_NAME for each stall reason. */
#ifndef WS_SIM_SAMPLES_SAMPLE_COLUMNS_H
#define WS_SIM_SAMPLES_SAMPLE_COLUMNS_H

#include "sim/device/device.h"
#include "sim/observe/sampling.h"

typedef struct {
    const char *name, *unit, *meaning;
    gboolean integer; /* a key or a count; else a rate */
    gboolean key;
    gboolean of_memory; /* of L2 or DRAM, which all SMs share */
} WsSampleColumn;

guint ws_sample_column_count(void);
WsSampleColumn ws_sample_column_at(guint index);
/* The index, or -1. */
int ws_sample_column_find(const char *name);

/* The value of a column; counts are below 2^53. */
double ws_sample_value(guint index, const WsSample *sample, const WsDevice *device);
/* Adds the value of a column of another sample: a count is summed, others stay as they are. */
void ws_sample_add(WsSample *sample, guint index, double value);

#endif
