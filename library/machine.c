/* The handle: opening, closing, settings, errors. */
#include "library/machine.h"

#include <stdarg.h>
#include <string.h>

#include "sim/device/settings.h"

enum { MAX_STRUCT = 4096 /* bytes: a size above it was never set */ };

const char *warpstep_version(void)
{
    return WS_VERSION;
}

/* ---- errors ------------------------------------------------------------------------------------
 */

static void clear_error(warpstep *gpu)
{
    g_clear_pointer(&gpu->error_text, g_free);
    g_clear_pointer(&gpu->error_file, g_free);
    g_clear_pointer(&gpu->error_details, g_free);
    gpu->error = (warpstep_error){.text = "",
                                  .launch = -1,
                                  .cycle = -1,
                                  .block = {-1, -1, -1},
                                  .thread = {-1, -1, -1},
                                  .sm = -1,
                                  .warp = -1,
                                  .lane = -1};
}

static warpstep_code note(warpstep *gpu, warpstep_code code, char *text)
{
    clear_error(gpu);
    gpu->error.code = code;
    gpu->error.text = gpu->error_text = text;
    return code;
}

/* "k.cu:12:3: error: ..." says where it is. */
static void note_place(warpstep *gpu)
{
    const char *mark = strstr(gpu->error_text, ": error: ");
    guint32 numbers[2] = {0, 0};
    guint count = 0;
    if (mark == NULL)
        return;
    const char *end = mark;
    while (count < 2) {
        const char *at = end;
        while (at > gpu->error_text && g_ascii_isdigit(at[-1]))
            at--;
        if (at == end || at == gpu->error_text || at[-1] != ':')
            break;
        numbers[count++] = (guint32)g_ascii_strtoull(at, NULL, 10);
        end = at - 1;
    }
    gpu->error.file = gpu->error_file = g_strndup(gpu->error_text, (gsize)(end - gpu->error_text));
    gpu->error.line = count == 2 ? numbers[1] : numbers[0];
    gpu->error.column = count == 2 ? numbers[0] : 0;
}

static warpstep_code code_of(const GError *failure)
{
    switch (failure->domain == WS_ERROR ? failure->code : WS_ERROR_INTERNAL) {
    case WS_ERROR_CHECK:
    case WS_ERROR_INPUT:
        return WARPSTEP_BAD_INPUT;
    case WS_ERROR_USAGE:
        return WARPSTEP_BAD_CALL;
    case WS_ERROR_FAULT:
        return WARPSTEP_FAULT;
    case WS_ERROR_DEADLOCK:
        return WARPSTEP_DEADLOCK;
    case WS_ERROR_LIMIT:
        return WARPSTEP_LIMIT;
    default:
        return WARPSTEP_INTERNAL;
    }
}

/* What a message about a fault names first. */
static const char *fault_of(const char *text)
{
    static const char *const faults[] = {"out of bounds", "misaligned", "assertion failed", "trap"};
    const char *found = NULL, *first = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(faults); i++) {
        const char *at = strstr(text, faults[i]);
        if (at != NULL && (first == NULL || at < first)) {
            first = at;
            found = faults[i];
        }
    }
    return found;
}

warpstep_code ws_machine_fail(warpstep *gpu, GError *failure)
{
    const char *text = failure->message;
    const warpstep_code code = code_of(failure);
    if (g_str_has_prefix(text, "error: "))
        text += strlen("error: ");
    note(gpu, code, g_strdup(text));
    note_place(gpu);
    gpu->error.fault = code == WARPSTEP_FAULT ? fault_of(gpu->error_text) : NULL;
    g_error_free(failure);
    return code;
}

warpstep_code ws_machine_refuse(warpstep *gpu, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return note(gpu, WARPSTEP_BAD_CALL, text);
}

warpstep_code ws_machine_take(warpstep *gpu, void *to, gsize bytes, const void *given,
                              const char *name)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > MAX_STRUCT)
        return ws_machine_refuse(gpu, "the member `size` of the %s is not set", name);
    memset(to, 0, bytes);
    memcpy(to, given, MIN(size, bytes));
    return WARPSTEP_OK;
}

warpstep_code ws_machine_note_end(warpstep *gpu, WsStatus status, const WsStop *stop)
{
    static const warpstep_code codes[] = {
        [WS_STATUS_OK] = WARPSTEP_OK,
        [WS_STATUS_CHECK_FAILED] = WARPSTEP_OK, /* nothing is expected of a launch here */
        [WS_STATUS_FAULT] = WARPSTEP_FAULT,
        [WS_STATUS_DEADLOCK] = WARPSTEP_DEADLOCK,
        [WS_STATUS_LIVELOCK] = WARPSTEP_DEADLOCK,
        [WS_STATUS_LIMIT] = WARPSTEP_LIMIT,
        [WS_STATUS_INTERRUPTED] = WARPSTEP_LIMIT};
    const warpstep_code code = codes[status];
    if (code == WARPSTEP_OK)
        return code;
    note(gpu, code, g_strdup(stop->message != NULL ? stop->message : ws_status_name(status)));
    warpstep_error *error = &gpu->error;
    error->fault = code == WARPSTEP_FAULT ? fault_of(error->text) : NULL;
    error->details = gpu->error_details = g_strdup(stop->details);
    error->launch = stop->launch;
    error->cycle = (long long)stop->cycle;
    error->sm = stop->sm;
    error->warp = stop->warp;
    error->lane = stop->lane;
    for (guint i = 0; i < 3 && stop->warp >= 0; i++) {
        error->block[i] = (int)stop->block[i];
        error->thread[i] = stop->lane >= 0 ? (int)stop->thread[i] : -1;
    }
    if (stop->instruction >= 0 && gpu->job != NULL) {
        const WsProgram *program = gpu->job->program;
        const WsLocation *at =
            &program->locations[program->instructions[stop->instruction].location];
        error->line = at->line;
        error->column = at->column;
        error->file = at->line != 0 ? program->files[at->file] : NULL;
    }
    return code;
}

const warpstep_error *warpstep_last_error(const warpstep *gpu)
{
    return &gpu->error;
}

/* ---- the handle --------------------------------------------------------------------------------
 */

static void clear_held(gpointer data)
{
    WsHeldBuffer *held = data;
    g_free(held->buffer.name);
    if (held->is_owned)
        g_free(held->buffer.data);
}

static void clear_printed(gpointer data)
{
    g_free(((WsPrintedText *)data)->text);
}

static void clear_queued(gpointer data)
{
    ws_queued_launch_clear(data);
}

static void free_program(gpointer data)
{
    ws_loaded_program_free(data);
}

warpstep_code warpstep_open(const char *device, const char *const *settings, warpstep **ret)
{
    warpstep *gpu = g_new0(warpstep, 1);
    g_autoptr(GError) error = NULL;
    *ret = gpu;
    clear_error(gpu);
    gpu->programs = g_ptr_array_new_with_free_func(free_program);
    gpu->buffers = g_array_new(FALSE, TRUE, sizeof(WsHeldBuffer));
    gpu->textures = g_array_new(FALSE, TRUE, sizeof(WsTexture));
    g_array_set_clear_func(gpu->buffers, clear_held);
    gpu->queue = g_array_new(FALSE, TRUE, sizeof(WsQueuedLaunch));
    g_array_set_clear_func(gpu->queue, clear_queued);
    gpu->figures = g_array_new(FALSE, TRUE, sizeof(warpstep_figures));
    gpu->printed = g_array_new(FALSE, TRUE, sizeof(WsPrintedText));
    g_array_set_clear_func(gpu->printed, clear_printed);
    gpu->device = ws_device_load(device != NULL ? device : "h200", settings, &error);
    if (gpu->device == NULL)
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    if (gpu->device->policy == WS_POLICY_FILE) {
        g_clear_pointer(&gpu->device, ws_device_free);
        return note(gpu, WARPSTEP_BAD_INPUT,
                    g_strdup("policy: a policy in C is for the command line; the library takes "
                             "those that are built in"));
    }
    return WARPSTEP_OK;
}

void warpstep_close(warpstep *gpu)
{
    if (gpu == NULL)
        return;
    ws_machine_forget(gpu);
    ws_sampling_clear(&gpu->sampling);
    g_array_unref(gpu->figures);
    g_array_unref(gpu->printed);
    g_array_unref(gpu->queue);
    g_array_unref(gpu->buffers);
    g_array_unref(gpu->textures);
    g_ptr_array_unref(gpu->programs);
    ws_event_emitter_clear(&gpu->events);
    ws_device_free(gpu->device);
    clear_error(gpu);
    g_free(gpu->setting_text);
    g_free(gpu->value_text);
    g_free(gpu->linked_text);
    g_free(gpu->fatbin_text);
    g_free(gpu);
}

const char *warpstep_setting(warpstep *gpu, const char *path)
{
    const int row = gpu->device == NULL ? -1 : ws_setting_find(path);
    if (row < 0)
        return NULL;
    g_free(gpu->setting_text);
    gpu->setting_text = ws_setting_value_text(ws_setting_at((guint)row), gpu->device);
    return gpu->setting_text;
}

warpstep_code warpstep_set_limits(warpstep *gpu, const warpstep_limits *limits)
{
    warpstep_limits taken;
    const warpstep_code code =
        ws_machine_take(gpu, &taken, sizeof taken, limits, "warpstep_limits");
    if (code != WARPSTEP_OK)
        return code;
    if (taken.max_seconds < 0)
        return ws_machine_refuse(gpu, "max_seconds is negative");
    if (taken.printf_bytes > G_MAXINT32)
        return ws_machine_refuse(gpu, "printf_bytes is too large");
    if (taken.printf_bytes != 0 && gpu->device != NULL)
        gpu->device->printf_bytes = taken.printf_bytes;
    gpu->limits = taken;
    return WARPSTEP_OK;
}

warpstep_code ws_machine_check_idle(warpstep *gpu)
{
    if (gpu->device == NULL)
        return ws_machine_refuse(gpu, "the machine has no device: warpstep_open() failed");
    if (gpu->stepping.session != NULL)
        return ws_machine_refuse(gpu, "a run is being stepped: warpstep_end_stepping() ends it");
    return WARPSTEP_OK;
}
