#include "cli/occupancy_batch.h"

#include <string.h>

#include "isa/base/error.h"
#include "sim/occupancy/occupancy.h"

typedef enum {
    COLUMN_DEVICE,
    COLUMN_BLOCK,
    COLUMN_REGISTERS,
    COLUMN_STATIC_SHARED,
    COLUMN_DYNAMIC_SHARED,
    COLUMN_CARVEOUT,
    COLUMN_COUNT,
    COLUMN_OTHER = COLUMN_COUNT
} Column;

static const char *const column_names[] = {"device",       "block",    "regs", "smem",
                                           "dynamic_smem", "carveout", NULL};

enum { MAX_COLUMNS = 64, FLUSH_BYTES = 1 << 16 };

typedef struct {
    WsPosition position;
    guint8 columns[MAX_COLUMNS]; /* Column */
    guint column_count;
    const WsDevice *fallback;
    GHashTable *devices; /* name -> WsDevice */
    const WsDevice *last_device;
    char last_name[64];
} Batch;

static gboolean fail(const Batch *batch, const char *line, const char *at, GError **error,
                     const char *text)
{
    WsPosition position = batch->position;
    position.column = (guint32)g_utf8_strlen(line, at - line) + 1;
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

static gboolean read_header(Batch *batch, const char *line, const char *end, GError **error)
{
    gboolean seen[COLUMN_COUNT + 1] = {FALSE};
    for (const char *at = line;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        g_autofree char *name = g_strstrip(g_strndup(at, (gsize)(stop - at)));
        if (batch->column_count == MAX_COLUMNS)
            return fail(batch, line, at, error, "too many columns");
        guint column = 0;
        while (column_names[column] != NULL && strcmp(column_names[column], name) != 0)
            column++;
        if (column < COLUMN_COUNT && seen[column])
            return fail(batch, line, at, error, "column named twice");
        seen[column] = TRUE;
        batch->columns[batch->column_count++] = (guint8)column;
        if (comma == NULL)
            break;
        at = comma + 1;
    }
    if (!seen[COLUMN_BLOCK] || !seen[COLUMN_REGISTERS])
        return fail(batch, line, line, error,
                    "the first line must name the columns, block and regs among them");
    if (!seen[COLUMN_DEVICE] && batch->fallback == NULL)
        return fail(batch, line, line, error, "no column `device`, and no --device given");
    return TRUE;
}

static gboolean read_number(const char *at, const char *end, gint64 *ret)
{
    gboolean negative = at < end && *at == '-';
    if (negative)
        at++;
    if (at == end || end - at > 18)
        return FALSE;
    gint64 value = 0;
    for (; at < end; at++) {
        if (!g_ascii_isdigit(*at))
            return FALSE;
        value = value * 10 + (*at - '0');
    }
    *ret = negative ? -value : value;
    return TRUE;
}

static const WsDevice *find_device(Batch *batch, const char *at, const char *end, GError **error)
{
    gsize length = (gsize)(end - at);
    if (batch->last_device != NULL && length < sizeof batch->last_name &&
        strncmp(batch->last_name, at, length) == 0 && batch->last_name[length] == '\0')
        return batch->last_device;

    g_autofree char *name = g_strndup(at, length);
    WsDevice *device = g_hash_table_lookup(batch->devices, name);
    if (device == NULL) {
        device = ws_device_load(name, NULL, error);
        if (device == NULL)
            return NULL;
        g_hash_table_insert(batch->devices, g_strdup(name), device);
    }
    batch->last_device = device;
    g_strlcpy(batch->last_name, name, sizeof batch->last_name);
    return device;
}

static gboolean store_value(WsOccupancyQuery *query, Column column, gint64 value)
{
    switch (column) {
    case COLUMN_BLOCK:
        query->threads = (guint32)value;
        return value >= 1 && value <= G_MAXINT32;
    case COLUMN_REGISTERS:
        query->registers = (guint32)value;
        return value >= 0 && value <= G_MAXINT32;
    case COLUMN_STATIC_SHARED:
        query->static_shared = (guint64)value;
        return value >= 0 && value <= G_MAXINT32;
    case COLUMN_DYNAMIC_SHARED:
        query->dynamic_shared = (guint64)value;
        return value >= 0 && value <= G_MAXINT32;
    default:
        query->carveout = (gint32)value;
        return value >= -1 && value <= 100;
    }
}

/* Without the blanks around it. */
static void trim(const char **at, const char **end)
{
    while (*at < *end && (**at == ' ' || **at == '\t'))
        (*at)++;
    while (*end > *at && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        (*end)--;
}

static gboolean read_query(Batch *batch, const char *line, const char *end, WsOccupancyQuery *query,
                           const WsDevice **device, GError **error)
{
    *query = (WsOccupancyQuery){.carveout = -1, .barriers = 1};
    *device = batch->fallback;
    guint n = 0;
    for (const char *at = line;; n++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        trim(&at, &stop);
        Column column = n < batch->column_count ? batch->columns[n] : COLUMN_OTHER;
        if (column == COLUMN_DEVICE && stop > at) {
            *device = find_device(batch, at, stop, error);
            if (*device == NULL) {
                g_prefix_error(error, "%s:%u: ", batch->position.file, batch->position.line);
                return FALSE;
            }
        } else if (column == COLUMN_BLOCK || column == COLUMN_REGISTERS ||
                   (column < COLUMN_COUNT && column != COLUMN_DEVICE && stop > at)) {
            gint64 value = 0;
            if (!read_number(at, stop, &value))
                return fail(batch, line, at, error, "expected a whole number");
            if (!store_value(query, column, value))
                return fail(batch, line, at, error,
                            column == COLUMN_BLOCK      ? "a block has at least 1 thread"
                            : column == COLUMN_CARVEOUT ? "a carve-out is -1 or 0..100 percent"
                                                        : "value out of range");
        }
        if (comma == NULL)
            break;
        at = comma + 1;
    }
    if (n + 1 != batch->column_count)
        return fail(batch, line, end, error, "number of fields differs from the first line");
    if (*device == NULL)
        return fail(batch, line, line, error, "no device given");
    return TRUE;
}

static void add_number(GString *out, guint64 value)
{
    char digits[20];
    guint n = sizeof digits;
    do {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    g_string_append_len(out, digits + n, (gssize)(sizeof digits - n));
}

static void add_answer(GString *out, const WsOccupancy *result)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_c(out, ',');
    add_number(out, result->blocks_per_sm);
    g_string_append_c(out, ',');
    add_number(out, result->warps_per_sm);
    g_string_append_c(out, ',');
    g_string_append(out, g_ascii_formatd(number, sizeof number, "%.6g", result->occupancy));
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        g_string_append_c(out, ',');
        if (result->limits[i] != WS_OCCUPANCY_UNLIMITED)
            add_number(out, result->limits[i]);
    }
    char separator = ',';
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        if (!result->limiting[i])
            continue;
        g_string_append_c(out, separator);
        g_string_append(out, ws_occupancy_limit_name(i));
        separator = '+';
    }
    g_string_append_c(out, ',');
    add_number(out, result->registers_per_block);
    g_string_append_c(out, ',');
    add_number(out, result->shared_per_block);
    g_string_append_c(out, '\n');
}

static const char answer_header[] =
    ",blocks_per_sm,warps_per_sm,occupancy,limit_warps,limit_registers,limit_shared,limit_blocks,"
    "limit_barriers,limiters,registers_per_block,shared_bytes_per_block\n";

/* End of the line at `at`, without a carriage return; `next` is where the next one begins. */
static const char *line_end(const char *at, const char *end, const char **next)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline != NULL ? newline : end;
    *next = newline != NULL ? newline + 1 : end;
    return stop > at && stop[-1] == '\r' ? stop - 1 : stop;
}

static gboolean answer_lines(Batch *batch, const char *text, gsize length,
                             void (*write)(const char *, gsize, void *), void *data, GError **error)
{
    g_autoptr(GString) out = g_string_sized_new(FLUSH_BYTES + 1024);
    const char *end = text + length;
    const char *next = text;
    for (const char *line = text; line < end; line = next) {
        const char *stop = line_end(line, end, &next);
        batch->position.line++;
        if (stop == line)
            continue;
        g_string_append_len(out, line, stop - line);
        if (batch->column_count == 0) {
            if (!read_header(batch, line, stop, error))
                return FALSE;
            g_string_append(out, answer_header);
            continue;
        }
        WsOccupancyQuery query;
        const WsDevice *device = NULL;
        if (!read_query(batch, line, stop, &query, &device, error))
            return FALSE;
        WsOccupancy result;
        ws_occupancy(device, &query, &result);
        add_answer(out, &result);
        if (out->len >= FLUSH_BYTES) {
            write(out->str, out->len, data);
            g_string_truncate(out, 0);
        }
    }
    if (batch->column_count == 0)
        return fail(batch, text, text, error, "no columns: the file is empty");
    write(out->str, out->len, data);
    return TRUE;
}

static void free_device(gpointer device)
{
    ws_device_free(device);
}

gboolean ws_occupancy_batch(const char *name, const char *text, gsize length,
                            const WsDevice *device, void (*write)(const char *, gsize, void *),
                            void *data, GError **error)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf"; /* spreadsheets write it */
    gsize mark = strlen(byte_order_mark);
    if (length >= mark && memcmp(text, byte_order_mark, mark) == 0) {
        text += mark;
        length -= mark;
    }
    if (!g_utf8_validate(text, (gssize)length, NULL)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = name}, "not UTF-8 text");
        return FALSE;
    }
    Batch batch = {.position = {.file = name}, .fallback = device};
    batch.devices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_device);
    gboolean done = answer_lines(&batch, text, length, write, data, error);
    g_hash_table_destroy(batch.devices);
    return done;
}
