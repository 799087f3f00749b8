/*
 * export_job TARGET FOLDER [RELATIVE]: simulates a job and writes everything that a machine with a
 * GPU needs to repeat it (run_on_device.py): job.json, the program's source, and raw files with the
 * initial contents of every buffer and symbol, the simulator's results and the expected values.
 * RELATIVE is how far the device's floats may be from the simulator's where the launch file expects
 * nothing.
 */
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/simulation.h"

typedef struct {
    const WsJob *job;
    const char *folder;
    JsonBuilder *json;
} Export;

static gboolean write_file(const Export *export, const char *name, const void *data, gsize bytes,
                           GError **error)
{
    g_autofree char *path = g_build_filename(export->folder, name, NULL);
    return g_file_set_contents(path, data, (gssize)bytes, error);
}

static void put_text(JsonBuilder *json, const char *name, const char *text)
{
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, text);
}

static void put_integer(JsonBuilder *json, const char *name, guint64 value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_int_value(json, (gint64)value);
}

static void begin_list(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
}

/* The program is given by its source text, so that nvcc builds it there. */
static gboolean write_program(const Export *export, GError **error)
{
    const WsProgram *program = export->job->program;
    const char *text = program->ptx;
    const char *name = "kernel.ptx";
    gboolean cuda = g_str_has_suffix(program->path, ".cu");
    for (guint32 i = 1; cuda && program->files[i] != NULL && text != NULL; i++) {
        if (g_str_has_suffix(program->files[i], ".cu") && *export->job->sources[i] != '\0') {
            text = export->job->sources[i];
            name = "kernel.cu";
            break;
        }
    }
    if (text == NULL) {
        ws_set_error(error, WS_ERROR_INPUT, "the program is bytecode: no GPU can run it");
        return FALSE;
    }
    put_text(export->json, "program", name);
    return write_file(export, name, text, strlen(text), error);
}

static gboolean write_initial(const Export *export, GError **error)
{
    const WsJob *job = export->job;
    begin_list(export->json, "buffers");
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        g_autofree char *initial = g_strdup_printf("buffer%u.initial", i);
        g_autofree char *result = g_strdup_printf("buffer%u.result", i);
        json_builder_begin_object(export->json);
        put_text(export->json, "name", buffer->name);
        put_text(export->json, "type", ws_type_name(buffer->type));
        put_integer(export->json, "bytes", buffer->bytes);
        put_text(export->json, "initial", initial);
        put_text(export->json, "result", result);
        json_builder_end_object(export->json);
        if (!write_file(export, initial, buffer->data, buffer->bytes, error))
            return FALSE;
    }
    json_builder_end_array(export->json);

    begin_list(export->json, "symbols");
    for (guint32 i = 0; i < job->program->symbol_count; i++) {
        const WsSymbol *symbol = &job->program->symbols[i];
        const guint8 *data = symbol->space == WS_SYMBOL_GLOBAL
                                 ? job->module_data + (symbol->address - WS_MODULE_WINDOW)
                                 : job->constant_data + symbol->address;
        g_autofree char *initial = g_strdup_printf("symbol%u.initial", i);
        json_builder_begin_object(export->json);
        put_text(export->json, "name", symbol->name);
        put_text(export->json, "initial", initial);
        json_builder_end_object(export->json);
        if (!write_file(export, initial, data, symbol->size, error))
            return FALSE;
    }
    json_builder_end_array(export->json);
    return TRUE;
}

static gboolean write_results(const Export *export, GError **error)
{
    for (guint32 i = 0; i < export->job->buffer_count; i++) {
        const WsBuffer *buffer = &export->job->buffers[i];
        g_autofree char *result = g_strdup_printf("buffer%u.result", i);
        if (!write_file(export, result, buffer->data, buffer->bytes, error))
            return FALSE;
    }
    begin_list(export->json, "expect");
    for (guint32 i = 0; i < export->job->expectation_count; i++) {
        const WsExpectation *expect = &export->job->expectations[i];
        const WsBuffer *buffer = &export->job->buffers[expect->index];
        g_autofree char *file = g_strdup_printf("expect%u", i);
        json_builder_begin_object(export->json);
        put_text(export->json, "buffer", buffer->name);
        put_text(export->json, "file", file);
        json_builder_set_member_name(export->json, "rel");
        json_builder_add_double_value(export->json, expect->relative);
        json_builder_set_member_name(export->json, "abs");
        json_builder_add_double_value(export->json, expect->absolute);
        json_builder_set_member_name(export->json, "equal_nan");
        json_builder_add_boolean_value(export->json, expect->equal_nan);
        json_builder_end_object(export->json);
        if (!write_file(export, file, expect->data, buffer->bytes, error))
            return FALSE;
    }
    json_builder_end_array(export->json);
    return TRUE;
}

static void put_sizes(JsonBuilder *json, const char *name, const guint32 sizes[3])
{
    begin_list(json, name);
    for (guint i = 0; i < 3; i++)
        json_builder_add_int_value(json, sizes[i]);
    json_builder_end_array(json);
}

static void put_launch(const Export *export, const WsLaunch *launch)
{
    JsonBuilder *json = export->json;
    json_builder_begin_object(json);
    put_text(json, "kernel", launch->kernel->name);
    put_sizes(json, "grid", launch->grid);
    put_sizes(json, "block", launch->block);
    put_integer(json, "dynamic_shared_bytes", launch->dynamic_shared_bytes);
    put_integer(json, "carveout", launch->carveout);
    g_autoptr(GString) hex = g_string_new(NULL);
    for (guint32 i = 0; i < launch->kernel->parameter_bytes; i++)
        g_string_append_printf(hex, "%02x", launch->parameters[i]);
    put_text(json, "parameters", hex->str);
    begin_list(json, "references");
    for (guint32 i = 0; i < launch->reference_count; i++) {
        const WsReference *reference = &launch->references[i];
        json_builder_begin_object(json);
        put_integer(json, "offset", reference->parameter_offset);
        put_text(json, "buffer", export->job->buffers[reference->buffer].name);
        put_integer(json, "byte_offset", reference->byte_offset);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void put_texts(JsonBuilder *json, const char *name, char **texts)
{
    begin_list(json, name);
    for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
        json_builder_add_string_value(json, texts[i]);
    json_builder_end_array(json);
}

/* Times differ from run to run of a device, and from the simulator's. */
static gboolean reads_clock(const char *ptx)
{
    return ptx != NULL && (strstr(ptx, "%clock") != NULL || strstr(ptx, "%globaltimer") != NULL);
}

static gboolean export_job(const char *target, const char *folder, double relative, GError **error)
{
    g_autoptr(WsJob) job = ws_job_load(target, NULL, error);
    if (job == NULL)
        return FALSE;
    g_autoptr(JsonBuilder) json = json_builder_new();
    const Export export = {job, folder, json};
    json_builder_begin_object(json);
    put_text(json, "name", target);
    json_builder_set_member_name(json, "reads_clock");
    json_builder_add_boolean_value(json, reads_clock(job->program->ptx));
    json_builder_set_member_name(json, "relative");
    json_builder_add_double_value(json, relative);
    put_texts(json, "define", job->defines);
    put_texts(json, "include", job->includes);
    put_integer(json, "max_registers", job->max_registers);
    if (!write_program(&export, error) || !write_initial(&export, error))
        return FALSE;
    begin_list(json, "launches");
    for (guint32 i = 0; i < job->launch_count; i++)
        put_launch(&export, &job->launches[i]);
    json_builder_end_array(json);

    WsRunOptions options;
    ws_run_options_init(&options);
    g_autoptr(WsResult) result = ws_simulation_run(job, &options, error);
    if (result == NULL)
        return FALSE;
    put_text(json, "status", ws_status_name(result->status));
    put_integer(json, "cycles", result->total.cycles);
    if (!write_results(&export, error))
        return FALSE;
    json_builder_end_object(json);

    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_to_string(root, TRUE);
    return write_file(&export, "job.json", text, strlen(text), error);
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: export_job TARGET FOLDER [RELATIVE]\n");
        return WS_ERROR_USAGE;
    }
    double relative = argc == 4 ? g_ascii_strtod(argv[3], NULL) : 0;
    g_autoptr(GError) error = NULL;
    if (g_mkdir_with_parents(argv[2], 0777) == 0 && export_job(argv[1], argv[2], relative, &error))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s\n", error != NULL ? error->message : argv[2]);
    return error != NULL ? error->code : WS_ERROR_INPUT;
}
