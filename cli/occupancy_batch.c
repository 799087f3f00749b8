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

/* A field of a line: as it stands, and what it says. */
typedef struct {
    const char *begin, *end;   /* with quotes and blanks, up to the comma or the end of the line */
    const char *text, *behind; /* without them */
    gboolean quoted;
    gboolean last;
} Field;

/* Without the blanks around it. */
static void trim(const char **at, const char **end)
{
    while (*at < *end && (**at == ' ' || **at == '\t'))
        (*at)++;
    while (*end > *at && ((*end)[-1] == ' ' || (*end)[-1] == '\t'))
        (*end)--;
}

/* The quote that ends a text which begins at `at`; of two behind each other none does. */
static const char *closing_quote(const char *at, const char *end)
{
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (at + 1 == end || at[1] != '"')
            return at;
        at += 2;
    }
    return NULL;
}

/* The field at `at`, by RFC 4180. Errors: a quote that is not closed, or with text behind it. */
static gboolean read_field(Batch *batch, const char *line, const char *at, const char *end,
                           Field *ret, GError **error)
{
    const char *from = at;
    while (from < end && (*from == ' ' || *from == '\t'))
        from++;
    *ret = (Field){.begin = at, .quoted = from < end && *from == '"'};
    if (ret->quoted) {
        const char *close = closing_quote(from + 1, end);
        if (close == NULL)
            return fail(batch, line, from, error, "the quote is not closed");
        ret->text = from + 1;
        ret->behind = close;
        from = close + 1;
    }
    const char *comma = memchr(from, ',', (size_t)(end - from));
    const char *stop = comma != NULL ? comma : end;
    ret->end = stop;
    ret->last = comma == NULL;
    trim(&from, &stop);
    if (ret->quoted)
        return from == stop || fail(batch, line, from, error, "text after the closing quote");
    ret->text = from;
    ret->behind = stop;
    return TRUE;
}

/* What it says; free with g_free(). */
static char *text_of(const Field *field)
{
    GString *text = g_string_new_len(field->text, field->behind - field->text);
    if (field->quoted)
        g_string_replace(text, "\"\"", "\"", 0);
    return g_string_free(text, FALSE);
}

/* Carries a field over: as it stands, but one with a quote somewhere inside is put in quotes. */
static void carry_over(GString *out, const Field *field)
{
    gsize length = (gsize)(field->end - field->begin);
    if (field->quoted || memchr(field->begin, '"', length) == NULL) {
        g_string_append_len(out, field->begin, (gssize)length);
        return;
    }
    g_string_append_c(out, '"');
    for (const char *at = field->begin; at < field->end; at++) {
        if (*at == '"')
            g_string_append_c(out, '"');
        g_string_append_c(out, *at);
    }
    g_string_append_c(out, '"');
}

static gboolean read_header(Batch *batch, const char *line, const char *end, GString *out,
                            GError **error)
{
    gboolean seen[COLUMN_COUNT + 1] = {FALSE};
    for (const char *at = line;;) {
        Field field;
        if (!read_field(batch, line, at, end, &field, error))
            return FALSE;
        carry_over(out, &field);
        g_autofree char *name = text_of(&field);
        if (batch->column_count == MAX_COLUMNS)
            return fail(batch, line, at, error, "too many columns");
        guint column = 0;
        while (column_names[column] != NULL && strcmp(column_names[column], name) != 0)
            column++;
        if (column < COLUMN_COUNT && seen[column])
            return fail(batch, line, at, error, "column named twice");
        seen[column] = TRUE;
        batch->columns[batch->column_count++] = (guint8)column;
        if (field.last)
            break;
        g_string_append_c(out, ',');
        at = field.end + 1;
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

static const WsDevice *find_device(Batch *batch, const Field *field, GError **error)
{
    gsize length = (gsize)(field->behind - field->text);
    if (batch->last_device != NULL && length < sizeof batch->last_name &&
        strncmp(batch->last_name, field->text, length) == 0 && batch->last_name[length] == '\0')
        return batch->last_device;

    g_autofree char *name = text_of(field);
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

static gboolean read_value(Batch *batch, const char *line, Column column, const Field *field,
                           WsOccupancyQuery *query, GError **error)
{
    gint64 value = 0;
    if (!read_number(field->text, field->behind, &value))
        return fail(batch, line, field->text, error, "expected a whole number");
    if (store_value(query, column, value))
        return TRUE;
    return fail(batch, line, field->text, error,
                column == COLUMN_BLOCK      ? "a block has at least 1 thread"
                : column == COLUMN_CARVEOUT ? "a carve-out is -1 or 0..100 percent"
                                            : "value out of range");
}

/* Carries the line over to `out`, and reads what its columns ask for. */
static gboolean read_query(Batch *batch, const char *line, const char *end, GString *out,
                           WsOccupancyQuery *query, const WsDevice **device, GError **error)
{
    *query = (WsOccupancyQuery){.carveout = -1, .barriers = 1};
    *device = batch->fallback;
    guint n = 0;
    for (const char *at = line;; n++) {
        Field field;
        if (!read_field(batch, line, at, end, &field, error))
            return FALSE;
        carry_over(out, &field);
        gboolean empty = field.text == field.behind;
        Column column = n < batch->column_count ? batch->columns[n] : COLUMN_OTHER;
        if (column == COLUMN_DEVICE && !empty) {
            *device = find_device(batch, &field, error);
            if (*device == NULL) {
                g_prefix_error(error, "%s:%u: ", batch->position.file, batch->position.line);
                return FALSE;
            }
        } else if (column == COLUMN_BLOCK || column == COLUMN_REGISTERS ||
                   (column < COLUMN_COUNT && column != COLUMN_DEVICE && !empty)) {
            if (!read_value(batch, line, column, &field, query, error))
                return FALSE;
        }
        if (field.last)
            break;
        g_string_append_c(out, ',');
        at = field.end + 1;
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

/* The first newline that no quoted field has in it, or `end`; `lines` gets how many are passed. */
static const char *newline_outside_quotes(const char *at, const char *end, guint *lines)
{
    gboolean open = FALSE, begins = TRUE; /* a field */
    for (; at < end && (open || *at != '\n'); at++) {
        *lines += *at == '\n';
        if (*at == '"' && (open || begins))
            open = !open;
        begins = !open && (*at == ',' || (begins && (*at == ' ' || *at == '\t')));
        /* The second of two quotes in a quoted field opens it again. */
        if (*at == '"' && !open && at + 1 < end && at[1] == '"') {
            open = TRUE;
            at++;
        }
    }
    return at;
}

/*
 * End of the line at `at`, without a carriage return; `next` is where the next one begins. `lines`
 * gets the number of lines of the file that it is.
 */
static const char *line_end(const char *at, const char *end, const char **next, guint *lines)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline != NULL ? newline : end;
    *lines = 1;
    if (memchr(at, '"', (size_t)(stop - at)) != NULL)
        stop = newline_outside_quotes(at, end, lines);
    *next = stop < end ? stop + 1 : end;
    return stop > at && stop[-1] == '\r' ? stop - 1 : stop;
}

static gboolean answer_lines(Batch *batch, const char *text, gsize length,
                             void (*write)(const char *, gsize, void *), void *data, GError **error)
{
    g_autoptr(GString) out = g_string_sized_new(FLUSH_BYTES + 1024);
    const char *end = text + length;
    const char *next = text;
    guint lines = 1;
    batch->position.line = 1;
    for (const char *line = text; line < end; line = next, batch->position.line += lines) {
        const char *stop = line_end(line, end, &next, &lines);
        if (stop == line)
            continue;
        if (batch->column_count == 0) {
            if (!read_header(batch, line, stop, out, error))
                return FALSE;
            g_string_append(out, answer_header);
            continue;
        }
        WsOccupancyQuery query;
        const WsDevice *device = NULL;
        if (!read_query(batch, line, stop, out, &query, &device, error))
            return FALSE;
        WsOccupancy result;
        ws_occupancy(device, &query, &result);
        add_answer(out, &result);
        if (out->len >= FLUSH_BYTES) {
            write(out->str, out->len, data);
            g_string_truncate(out, 0);
        }
    }
    if (batch->column_count == 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = batch->position.file},
                        "no columns: the file is empty");
        return FALSE;
    }
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
