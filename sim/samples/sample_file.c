#include "sim/samples/sample_file.h"

#include "sim/samples/npz_writer.h"
#include "sim/samples/sample_columns.h"

struct WsSampleFile {
    const WsJob *job;
    WsNpzWriter *writer;
    int *arrays; /* by column: number in the writer, or -1 */
    WsSampleSink sampling;
};

static void take(void *data, const WsSample *sample)
{
    WsSampleFile *file = data;

    for (guint i = 0; i < ws_sample_column_count(); i++) {
        if (file->arrays[i] < 0)
            continue;
        double value = ws_sample_value(i, sample, file->job->device);

        if (ws_sample_column_at(i).integer)
            ws_npz_writer_put_integer(file->writer, (guint)file->arrays[i], (gint64)value);
        else
            ws_npz_writer_put_float(file->writer, (guint)file->arrays[i], value);
    }
}

WsSampleFile *ws_sample_file_new(const WsJob *job, guint64 every, gboolean by_sm)
{
    WsSampleFile *file = g_new0(WsSampleFile, 1);

    file->job = job;
    file->writer = ws_npz_writer_new();
    file->arrays = g_new(int, ws_sample_column_count());
    for (guint i = 0; i < ws_sample_column_count(); i++) {
        WsSampleColumn column = ws_sample_column_at(i);

        file->arrays[i] = by_sm && column.of_memory
                              ? -1
                              : (int)ws_npz_writer_add(file->writer, column.name, column.integer);
    }
    file->sampling = (WsSampleSink){.every = every, .by_sm = by_sm, .data = file, .take = take};
    return file;
}

void ws_sample_file_free(WsSampleFile *file)
{
    if (file == NULL)
        return;
    ws_npz_writer_free(file->writer);
    g_free(file->arrays);
    g_free(file);
}

const WsSampleSink *ws_sample_file_sampling(WsSampleFile *file)
{
    return &file->sampling;
}

GByteArray *ws_sample_file_finish(WsSampleFile *file, const WsResult *result, GError **error)
{
    const WsDevice *device = file->job->device;
    const struct {
        const char *name;
        guint64 value;
    } numbers[] = {{"every", file->sampling.every},          {"sms", device->sms},
                   {"warp_slots", device->max_warps_per_sm}, {"sub_cores", device->sub_cores},
                   {"warp_size", device->warp_size},         {"clock_khz", device->clock_khz}};
    const char *name = device->name, *version = WS_VERSION;
    g_autoptr(GPtrArray) kernels = g_ptr_array_new();
    GByteArray *bytes;

    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        ws_npz_writer_add_integer(file->writer, numbers[i].name, (gint64)numbers[i].value);
    for (guint32 i = 0; i < result->launch_count; i++)
        g_ptr_array_add(kernels, result->launches[i].kernel);
    ws_npz_writer_add_texts(file->writer, "kernels", (const char *const *)kernels->pdata,
                            kernels->len);
    ws_npz_writer_add_texts(file->writer, "device", &name, 1);
    ws_npz_writer_add_texts(file->writer, "version", &version, 1);
    bytes = ws_npz_writer_finish(file->writer);
    if (bytes == NULL)
        ws_set_error(error, WS_ERROR_LIMIT,
                     "the file of samples would be larger than 4 GiB; sample less often");
    return bytes;
}
