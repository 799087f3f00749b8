#include "inspect/recording/job_image.h"

#include <math.h>
#include <string.h>

#include "isa/base/size.h"
#include "isa/container/binary.h"
#include "sim/base/element.h"
#include "sim/base/stall.h"
#include "sim/device/policy_parameters.h"
#include "sim/device/settings.h"
#include "sim/launch/code_regions.h"
#include "sim/launch/host_memory.h"

enum { BUFFER_ALIGNMENT = 512, GUARD_BYTES = 65536, ADDRESS_ALIGNMENT = 128, MOST_ITEMS = 10000 };

/* Of a buffer, as in a launch file. */
#define MAX_ADDRESS (G_GUINT64_CONSTANT(1) << 48)

/* ---- writing ------------------------------------------------------------------------------------
 */

static GVariant *bytes_of(const void *data, gsize length)
{
    return g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, data, length, 1);
}

static GVariant *sizes_of(const guint32 sizes[3])
{
    return g_variant_new("(uuu)", sizes[0], sizes[1], sizes[2]);
}

static GVariant *settings_of(const WsDevice *device)
{
    GVariantBuilder list;

    g_variant_builder_init(&list, G_VARIANT_TYPE("as"));
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        g_autofree char *value = ws_setting_value_text(setting, device);
        g_autofree char *text = g_strconcat(setting->path, "=", value, NULL);

        g_variant_builder_add(&list, "s", text);
    }
    for (guint i = 0; i < ws_policy_parameters_count(device->policy_parameters); i++) {
        const WsPolicyParameter *parameter = ws_policy_parameters_at(device->policy_parameters, i);
        g_autofree char *text = g_strdup_printf("policy.%s=%s", parameter->name, parameter->value);

        g_variant_builder_add(&list, "s", text);
    }
    return g_variant_builder_end(&list);
}

static GVariant *initial_of(const WsInitialWarp *warp)
{
    GVariantBuilder registers;

    g_variant_builder_init(&registers, G_VARIANT_TYPE("a(uu)"));
    for (guint32 i = 0; i < warp->register_count; i++)
        g_variant_builder_add(&registers, "(uu)", warp->registers[i].index,
                              warp->registers[i].value);
    return g_variant_new("(uubuua(uu))", warp->warp, warp->start, warp->has_start,
                         warp->ready_cycle, warp->stall_reason, &registers);
}

enum { CARVEOUTS = 1000 };

/*
 * A stack of its own size goes with the carve-out: images have no other place for it, and older
 * programs refuse such a carve-out.
 */
static gint32 pack_carveout(const WsLaunch *launch)
{
    return launch->carveout +
           CARVEOUTS * (gint32)((launch->stack_bytes + WS_STACK_ALIGN - 1) / WS_STACK_ALIGN);
}

static guint32 unpack_stack(WsLaunch *launch)
{
    if (launch->carveout < CARVEOUTS - 1)
        return 0;
    guint32 units = (guint32)(launch->carveout + 1) / CARVEOUTS;
    launch->carveout -= CARVEOUTS * (gint32)units;
    return MIN(units, WS_MAX_LOCAL_BYTES / WS_STACK_ALIGN) * WS_STACK_ALIGN;
}

static GVariant *launch_of(const WsJob *job, const WsLaunch *launch)
{
    GVariantBuilder references, initial;

    g_variant_builder_init(&references, G_VARIANT_TYPE("a(uut)"));
    for (guint32 i = 0; i < launch->reference_count; i++)
        g_variant_builder_add(&references, "(uut)", launch->references[i].parameter_offset,
                              launch->references[i].buffer, launch->references[i].byte_offset);
    g_variant_builder_init(&initial, G_VARIANT_TYPE("a(uubuua(uu))"));
    for (guint32 i = 0; i < launch->initial_count; i++)
        g_variant_builder_add_value(&initial, initial_of(&launch->initial[i]));
    return g_variant_new("(u@(uuu)@(uuu)u@ayiba(uut)a(uubuua(uu)))",
                         (guint32)(launch->kernel - job->program->kernels), sizes_of(launch->grid),
                         sizes_of(launch->block), launch->dynamic_shared_bytes,
                         bytes_of(launch->parameters, launch->kernel->parameter_bytes),
                         pack_carveout(launch), launch->keep_caches, &references, &initial);
}

static GVariant *launches_of(const WsJob *job, const WsLaunch *launches, guint32 count)
{
    GVariantBuilder list;

    g_variant_builder_init(&list, G_VARIANT_TYPE("a" WS_LAUNCH_IMAGE));
    for (guint32 i = 0; i < count; i++)
        g_variant_builder_add_value(&list, launch_of(job, &launches[i]));
    return g_variant_builder_end(&list);
}

/* Where the buffer behind it lies, unless it has an address of its own. */
static guint64 next_address(const WsBuffer *buffer)
{
    guint64 end = buffer->address + buffer->bytes + GUARD_BYTES;

    return (end + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

/* "u8", or "u8@200000000000" of a buffer that is not at `address`. */
static char *type_text(const WsBuffer *buffer, guint64 address)
{
    return buffer->address == address
               ? g_strdup(ws_type_name(buffer->type))
               : g_strdup_printf("%s@%" G_GINT64_MODIFIER "x", ws_type_name(buffer->type),
                                 buffer->address);
}

static GVariant *buffers_of(const WsJob *job)
{
    GVariantBuilder list;

    guint64 address = WS_BUFFER_BASE;

    g_variant_builder_init(&list, G_VARIANT_TYPE("a(sstay)"));
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        g_autofree char *type = type_text(buffer, address);

        g_variant_builder_add(&list, "(sst@ay)", buffer->name, type, buffer->count,
                              bytes_of(buffer->data, buffer->bytes));
        address = next_address(buffer);
    }
    return g_variant_builder_end(&list);
}

static GVariant *expectations_of(const WsJob *job)
{
    GVariantBuilder list;

    g_variant_builder_init(&list, G_VARIANT_TYPE("a(uddbsuay)"));
    for (guint32 i = 0; i < job->expectation_count; i++) {
        const WsExpectation *item = &job->expectations[i];
        /* what a reference kernel is to compute is not known yet */
        gsize bytes = item->reference == 0 ? job->buffers[item->index].bytes : 0;

        g_variant_builder_add(&list, "(uddbsu@ay)", item->index, item->relative, item->absolute,
                              item->equal_nan, item->source != NULL ? item->source : "",
                              item->reference, bytes_of(item->data, bytes));
    }
    return g_variant_builder_end(&list);
}

static GVariant *let_of(const WsJob *job)
{
    GVariantBuilder list;

    g_variant_builder_init(&list, G_VARIANT_TYPE("a(sx)"));
    for (guint32 i = 0; i < job->let_count; i++)
        g_variant_builder_add(&list, "(sx)", job->let[i].name, job->let[i].value);
    return g_variant_builder_end(&list);
}

/* Text that is not UTF-8 is shown as its valid part. */
static GVariant *sources_of(const WsJob *job)
{
    GVariantBuilder list;

    g_variant_builder_init(&list, G_VARIANT_TYPE("as"));
    for (char **source = job->sources; source != NULL && *source != NULL; source++)
        g_variant_builder_add_value(&list,
                                    g_variant_new_take_string(g_utf8_make_valid(*source, -1)));
    return g_variant_builder_end(&list);
}

/* A program's bytes; none if there is no program. NULL after an error. */
static GVariant *program_of(const WsProgram *program, GError **error)
{
    g_autoptr(GBytes) bytes = NULL;
    gsize length;
    const void *packed;

    if (program == NULL)
        return bytes_of(NULL, 0);
    bytes = ws_program_to_binary(program, error);
    if (bytes == NULL)
        return NULL;
    packed = g_bytes_get_data(bytes, &length);
    return bytes_of(packed, length);
}

GVariant *ws_job_image_new(const WsJob *job, GError **error)
{
    g_autoptr(GVariant) program = NULL, policy = NULL;
    g_autofree char *path = g_utf8_make_valid(job->path, -1);

    if (job->texture_count != 0) {
        ws_set_error(error, WS_ERROR_INPUT, "a run with textures cannot be recorded");
        return NULL;
    }
    program = program_of(job->program, error);
    if (program == NULL)
        return NULL;
    g_variant_ref_sink(program);
    policy = program_of(job->policy, error);
    if (policy == NULL)
        return NULL;
    g_variant_ref_sink(policy);
    return g_variant_new("(@ay@ass@a(sx)@a(sstay)@ay@ay@a" WS_LAUNCH_IMAGE "@a" WS_LAUNCH_IMAGE
                         "@a(uddbsuay)@as@ay)",
                         program, settings_of(job->device), path, let_of(job), buffers_of(job),
                         bytes_of(job->module_data, job->program->module_bytes),
                         bytes_of(job->constant_data, WS_CONSTANT_BANK_BYTES),
                         launches_of(job, job->launches, job->launch_count),
                         launches_of(job, job->reference_launches, job->reference_launch_count),
                         expectations_of(job), sources_of(job), policy);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

typedef struct {
    WsJob *job;
    const char *path;
    GError **error;
} Reader;

static gboolean fail(const Reader *reader, const char *what)
{
    const WsPosition position = {.file = reader->path};

    ws_set_error_at(reader->error, WS_ERROR_INPUT, &position, "the recording is damaged: %s", what);
    return FALSE;
}

/* A copy of an `ay`, which must have `bytes` bytes; NULL after a message. */
static guint8 *copy_bytes(const Reader *reader, GVariant *array, guint64 bytes, const char *what)
{
    gsize length;
    const guint8 *data = g_variant_get_fixed_array(array, &length, 1);
    guint8 *copy;

    if (length != bytes) {
        fail(reader, what);
        return NULL;
    }
    if (!ws_host_memory_take(reader->job, bytes) || (copy = g_try_malloc(MAX(bytes, 1))) == NULL) {
        fail(reader, "it needs more memory than --max-memory allows");
        return NULL;
    }
    if (length != 0)
        memcpy(copy, data, length);
    return copy;
}

static gboolean read_program(const Reader *reader, GVariant *array)
{
    gsize length;
    const guint8 *data = g_variant_get_fixed_array(array, &length, 1);

    reader->job->program = ws_program_from_binary(reader->path, data, length, reader->error);
    return reader->job->program != NULL;
}

static gboolean read_device(const Reader *reader, GVariant *list)
{
    g_autofree const char **settings = g_variant_get_strv(list, NULL);

    reader->job->device = ws_device_load("h200", settings, reader->error);
    return reader->job->device != NULL;
}

/* A job has one if its device asks for it. */
static gboolean read_policy(const Reader *reader, GVariant *array)
{
    gsize length;
    const guint8 *data = g_variant_get_fixed_array(array, &length, 1);
    gboolean wanted = reader->job->device->policy == WS_POLICY_FILE;

    if ((length != 0) != wanted)
        return fail(reader, "the scheduling policy");
    if (wanted)
        reader->job->policy = ws_program_from_binary(reader->path, data, length, reader->error);
    return !wanted || reader->job->policy != NULL;
}

static gboolean read_let(const Reader *reader, GVariant *list)
{
    WsJob *job = reader->job;
    gsize count = g_variant_n_children(list);

    if (count > MOST_ITEMS)
        return fail(reader, "too many values of let");
    job->let = g_new0(WsNamedValue, count + 1);
    for (; job->let_count < count; job->let_count++)
        g_variant_get_child(list, job->let_count, "(sx)", &job->let[job->let_count].name,
                            &job->let[job->let_count].value);
    return TRUE;
}

/* What type_text() wrote; `least`: the end of the buffer before. */
static gboolean read_type(char *text, guint64 least, WsBuffer *buffer)
{
    char *at = strchr(text, '@');

    if (at != NULL) {
        *at = '\0';
        if (!g_ascii_string_to_unsigned(at + 1, 16, least, MAX_ADDRESS, &buffer->address, NULL) ||
            buffer->address % ADDRESS_ALIGNMENT != 0)
            return FALSE;
    }
    return ws_element_find_type(text, &buffer->type);
}

static gboolean read_buffers(const Reader *reader, GVariant *list)
{
    WsJob *job = reader->job;
    gsize count = g_variant_n_children(list);
    guint64 end = WS_BUFFER_BASE, address = WS_BUFFER_BASE;

    if (count > MOST_ITEMS)
        return fail(reader, "too many buffers");
    job->buffers = g_new0(WsBuffer, count + 1);
    while (job->buffer_count < count) {
        WsBuffer *buffer = &job->buffers[job->buffer_count];
        g_autoptr(GVariant) contents = NULL;
        g_autofree char *type = NULL;

        g_variant_get_child(list, job->buffer_count++, "(sst@ay)", &buffer->name, &type,
                            &buffer->count, &contents);
        buffer->address = address;
        if (!read_type(type, end, buffer))
            return fail(reader, "the type of a buffer");
        buffer->bytes = ws_size_multiply(buffer->count, ws_type_size(buffer->type));
        buffer->data = copy_bytes(reader, contents, buffer->bytes, "the length of a buffer");
        if (buffer->data == NULL || buffer->count == 0)
            return buffer->data != NULL && fail(reader, "an empty buffer");
        buffer->has_contents = TRUE; /* what the launch file said is not known */
        end = buffer->address + buffer->bytes;
        address = next_address(buffer);
    }
    return TRUE;
}

static gboolean read_references(const Reader *reader, GVariant *list, WsLaunch *launch)
{
    gsize count = g_variant_n_children(list);

    if (count > MOST_ITEMS)
        return fail(reader, "too many references");
    launch->references = g_new0(WsReference, count + 1);
    for (; launch->reference_count < count; launch->reference_count++) {
        WsReference *item = &launch->references[launch->reference_count];

        g_variant_get_child(list, launch->reference_count, "(uut)", &item->parameter_offset,
                            &item->buffer, &item->byte_offset);
        if (item->buffer >= reader->job->buffer_count ||
            ws_size_add(item->parameter_offset, 8) > launch->kernel->parameter_bytes ||
            item->byte_offset > reader->job->buffers[item->buffer].bytes)
            return fail(reader, "a reference to a buffer");
    }
    return TRUE;
}

static gboolean read_registers(const Reader *reader, GVariant *list, const WsKernel *kernel,
                               WsInitialWarp *warp)
{
    gsize count = g_variant_n_children(list);

    if (count > G_N_ELEMENTS(warp->registers))
        return fail(reader, "too many initial registers");
    for (; warp->register_count < count; warp->register_count++) {
        g_variant_get_child(list, warp->register_count, "(uu)",
                            &warp->registers[warp->register_count].index,
                            &warp->registers[warp->register_count].value);
        if (warp->registers[warp->register_count].index >= kernel->registers)
            return fail(reader, "an initial register");
    }
    return TRUE;
}

static gboolean read_initial(const Reader *reader, GVariant *list, WsLaunch *launch)
{
    gsize count = g_variant_n_children(list);
    guint64 size = reader->job->device->warp_size;
    guint64 warps = (ws_size_volume(launch->block) + size - 1) / size;

    if (count > warps)
        return fail(reader, "too many initial states");
    launch->initial = g_new0(WsInitialWarp, count + 1);
    while (launch->initial_count < count) {
        WsInitialWarp *warp = &launch->initial[launch->initial_count];
        g_autoptr(GVariant) registers = NULL;

        g_variant_get_child(list, launch->initial_count, "(uubuu@a(uu))", &warp->warp, &warp->start,
                            &warp->has_start, &warp->ready_cycle, &warp->stall_reason, &registers);
        for (guint32 i = 0; i < launch->initial_count; i++)
            if (launch->initial[i].warp == warp->warp)
                return fail(reader, "an initial state");
        launch->initial_count++;
        if (warp->warp >= warps || warp->start >= launch->kernel->count ||
            warp->ready_cycle > 1000000000 || warp->stall_reason >= WS_STALL_COUNT ||
            warp->stall_reason == WS_STALL_SELECTED)
            return fail(reader, "an initial state");
        if (!read_registers(reader, registers, launch->kernel, warp))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_launch(const Reader *reader, GVariant *image, WsLaunch *launch)
{
    const WsPosition position = {.file = reader->path};
    const WsProgram *program = reader->job->program;
    g_autoptr(GVariant) parameters = NULL, references = NULL, initial = NULL;
    guint32 kernel;

    g_variant_get(image, "(u(uuu)(uuu)u@ayib@a(uut)@a(uubuua(uu)))", &kernel, &launch->grid[0],
                  &launch->grid[1], &launch->grid[2], &launch->block[0], &launch->block[1],
                  &launch->block[2], &launch->dynamic_shared_bytes, &parameters, &launch->carveout,
                  &launch->keep_caches, &references, &initial);
    guint32 stack = unpack_stack(launch);
    if (kernel >= program->kernel_count || launch->carveout < -1 || launch->carveout > 100 ||
        launch->dynamic_shared_bytes > G_MAXINT32)
        return fail(reader, "a launch");
    launch->kernel = &program->kernels[kernel];
    launch->stack_bytes = stack;
    if (!ws_launch_check(launch, reader->job->device, &position, &position, reader->error))
        return FALSE;
    launch->parameters =
        copy_bytes(reader, parameters, launch->kernel->parameter_bytes, "the parameters");
    return launch->parameters != NULL && read_references(reader, references, launch) &&
           read_initial(reader, initial, launch);
}

static gboolean read_launches(const Reader *reader, GVariant *list, WsLaunch **ret_launches,
                              guint32 *ret_count)
{
    gsize count = g_variant_n_children(list);

    if (count > MOST_ITEMS)
        return fail(reader, "too many launches");
    *ret_launches = g_new0(WsLaunch, count + 1);
    while (*ret_count < count) {
        g_autoptr(GVariant) image = g_variant_get_child_value(list, *ret_count);

        if (!read_launch(reader, image, &(*ret_launches)[(*ret_count)++]))
            return FALSE;
    }
    return TRUE;
}

static gboolean is_tolerance(double value)
{
    return isfinite(value) && value >= 0;
}

static gboolean read_expectations(const Reader *reader, GVariant *list)
{
    WsJob *job = reader->job;
    gsize count = g_variant_n_children(list);

    if (count > MOST_ITEMS)
        return fail(reader, "too many expectations");
    job->expectations = g_new0(WsExpectation, count + 1);
    while (job->expectation_count < count) {
        WsExpectation *item = &job->expectations[job->expectation_count];
        g_autoptr(GVariant) contents = NULL;
        guint64 bytes;

        g_variant_get_child(list, job->expectation_count++, "(uddbsu@ay)", &item->index,
                            &item->relative, &item->absolute, &item->equal_nan, &item->source,
                            &item->reference, &contents);
        if (item->index >= job->buffer_count || item->reference > job->reference_launch_count ||
            !is_tolerance(item->relative) || !is_tolerance(item->absolute))
            return fail(reader, "an expectation");
        if (*item->source == '\0')
            g_clear_pointer(&item->source, g_free);
        bytes = job->buffers[item->index].bytes;
        item->data = copy_bytes(reader, contents, item->reference == 0 ? bytes : 0,
                                "the length of an expectation");
        if (item->data == NULL)
            return FALSE;
        if (item->reference == 0)
            continue;
        g_free(item->data);
        item->data = ws_host_memory_take(job, bytes) ? g_try_malloc0(MAX(bytes, 1)) : NULL;
        if (item->data == NULL)
            return fail(reader, "it needs more memory than --max-memory allows");
    }
    return TRUE;
}

/* As many as the program has files. */
static gboolean read_sources(const Reader *reader, GVariant *list)
{
    WsJob *job = reader->job;
    guint files = job->program->files != NULL ? g_strv_length(job->program->files) : 0;

    if (g_variant_n_children(list) != files)
        return fail(reader, "the texts of the program");
    job->sources = g_variant_dup_strv(list, NULL);
    return TRUE;
}

WsJob *ws_job_image_load(GVariant *image, const char *path, guint64 max_memory, GError **error)
{
    g_autoptr(WsJob) job = g_new0(WsJob, 1);
    const Reader reader = {.job = job, .path = path, .error = error};
    g_autoptr(GPtrArray) parts =
        g_ptr_array_new_with_free_func((GDestroyNotify)(void *)g_variant_unref);

    for (gsize i = 0; i < g_variant_n_children(image); i++)
        g_ptr_array_add(parts, g_variant_get_child_value(image, i));
    job->max_memory = max_memory;
    job->path = g_variant_dup_string(parts->pdata[2], NULL);
    job->defines = g_new0(char *, 1);
    job->includes = g_new0(char *, 1);
    if (!read_program(&reader, parts->pdata[0]) || !read_device(&reader, parts->pdata[1]) ||
        !read_let(&reader, parts->pdata[3]) || !read_buffers(&reader, parts->pdata[4]))
        return NULL;
    job->module_data =
        copy_bytes(&reader, parts->pdata[5], job->program->module_bytes, "the variables");
    if (job->module_data == NULL)
        return NULL;
    job->constant_data =
        copy_bytes(&reader, parts->pdata[6], WS_CONSTANT_BANK_BYTES, "the constants");
    if (job->constant_data == NULL ||
        !read_launches(&reader, parts->pdata[7], &job->launches, &job->launch_count) ||
        !read_launches(&reader, parts->pdata[8], &job->reference_launches,
                       &job->reference_launch_count) ||
        !read_expectations(&reader, parts->pdata[9]) || !read_sources(&reader, parts->pdata[10]) ||
        !read_policy(&reader, parts->pdata[11]) || !ws_job_find_regions(job, error))
        return NULL;
    return g_steal_pointer(&job);
}
