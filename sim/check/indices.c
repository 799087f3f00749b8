/*
 * Indices that leave an array of known size: a row of a larger one, a member, an array of the
 * thread. clang's check of each index (-fsanitize=array-bounds) knows the sizes, which the PTX has
 * no more; what it finds goes to the variable of warpstep/bounds.h, whose writes are seen here.
 */
#include "sim/check/private.h"

#include <string.h>

/* What clang tells its runtime library of a wrong index: OutOfBoundsData of compiler-rt. */
enum { FILE_NAME = 0, LINE = 8, ARRAY_TYPE = 16, INDEX_TYPE = 24, DATA_BYTES = 32 };
/* Of a type: kind and size, 16 bits each, then its name in quotation marks. */
enum { TYPE_INFO = 2, TYPE_NAME = 4 };

static const char VARIABLE[] = "__warpstep_wrong_index";

void ws_check_indices_find(WsCheck *check)
{
    const WsSymbol *symbol = ws_program_find_symbol(check->job->program, VARIABLE);

    check->wrong_index = symbol != NULL ? symbol->address : 0;
}

/* Bytes at an address of the module's variables, or NULL. */
static const guint8 *module_bytes(const WsCheck *check, guint64 address, guint64 bytes)
{
    guint64 offset = address - WS_MODULE_WINDOW, all = check->job->program->module_bytes;

    return offset < all && bytes <= all - offset ? check->job->module_data + offset : NULL;
}

static guint64 pointer_at(const guint8 *bytes)
{
    guint64 value;

    memcpy(&value, bytes, sizeof value);
    return GUINT64_FROM_LE(value);
}

/* "int [32]" of a type's description, or NULL. */
static char *type_name(const WsCheck *check, guint64 address)
{
    const guint8 *name = module_bytes(check, address + TYPE_NAME, 1);
    gsize room = name == NULL ? 0
                              : check->job->program->module_bytes -
                                    (gsize)(address + TYPE_NAME - WS_MODULE_WINDOW);

    if (name == NULL || memchr(name, '\0', room) == NULL)
        return NULL;
    char *text = g_strdup((const char *)name);
    gsize length = strlen(text);
    if (length >= 2 && text[0] == '\'' && text[length - 1] == '\'') {
        memmove(text, text + 1, length - 2);
        text[length - 2] = '\0';
    }
    return text;
}

/* The index as its type has it: clang hands it over without its sign. */
static gint64 signed_index(const WsCheck *check, guint64 type, guint64 index)
{
    const guint8 *info = module_bytes(check, type + TYPE_INFO, 2);
    guint bits = info == NULL ? 64 : 1u << (info[0] >> 1 & 7);

    if (info == NULL || (info[0] & 1) == 0 || bits >= 64)
        return (gint64)index;
    guint64 sign = G_GUINT64_CONSTANT(1) << (bits - 1);
    return (gint64)(((index & (2 * sign - 1)) ^ sign) - sign);
}

/* The file of the reported program that clang calls so, 0 = none. */
static guint32 find_file(const WsCheck *check, guint64 address)
{
    char *const *files = check->reported->program->files;
    const guint8 *bytes = module_bytes(check, address, 1);
    const char *name = (const char *)bytes;
    guint32 found = 0;

    if (bytes == NULL ||
        memchr(bytes, '\0',
               check->job->program->module_bytes - (gsize)(address - WS_MODULE_WINDOW)) == NULL)
        return 0;
    while (g_str_has_prefix(name, "./"))
        name += 2;
    g_autofree char *last = g_path_get_basename(name);
    for (guint32 i = 1; files != NULL && files[0] != NULL && files[i] != NULL; i++) {
        g_autofree char *base = g_path_get_basename(files[i]);
        const char *shown = files[i];

        while (g_str_has_prefix(shown, "./"))
            shown += 2;
        if (strcmp(shown, name) == 0)
            return i;
        if (strcmp(base, last) == 0)
            found = i;
    }
    return found;
}

static void report(WsCheck *check, const WsWatchedAccess *access, const guint8 *data, guint64 index)
{
    guint32 line, file = find_file(check, pointer_at(data + FILE_NAME));
    gboolean is_new;

    memcpy(&line, data + LINE, sizeof line);
    WsCheckFinding *finding =
        ws_check_find_line(check, WS_CHECK_BOUNDS, file, GUINT32_FROM_LE(line), &is_new);
    if (!is_new)
        return;
    g_autofree char *type = type_name(check, pointer_at(data + ARRAY_TYPE));
    const char *shown = type != NULL ? type : "array";
    const char *size = strchr(shown, '[');
    finding->touches = 1;
    finding->touch[0] = ws_check_touch(check, ws_order_serial(check->order, access->slot),
                                       access->thread, access->instruction, WS_TOUCH_INDEX);
    /* the check's own call of the index's line, whose frames are not looked for */
    g_clear_pointer(&finding->touch[0].inlined, g_free);
    finding->touch[0].file = file;
    finding->touch[0].line = GUINT32_FROM_LE(line);
    finding->index = signed_index(check, pointer_at(data + INDEX_TYPE), index);
    finding->place =
        g_strdup_printf("index %" G_GINT64_FORMAT " of an array %s", finding->index, shown);
    finding->missing = g_strdup_printf(
        "the array has %" G_GINT64_FORMAT
        " elements; the next bytes belong to another row, another array or another variable",
        size != NULL ? g_ascii_strtoll(size + 1, NULL, 10) : 0);
}

gboolean ws_check_index_access(WsCheck *check, const WsWatchedAccess *access)
{
    if (check->wrong_index == 0 || access->space != WS_SPACE_GLOBAL ||
        access->address != check->wrong_index)
        return FALSE;
    if (access->action == WS_ACTION_STORE && access->bytes == 16) {
        const guint8 *data = module_bytes(check, pointer_at(access->stored), DATA_BYTES);

        if (data != NULL && ws_check_looks_for(check, WS_CHECK_BOUNDS))
            report(check, access, data, pointer_at(access->stored + 8));
    }
    return TRUE;
}
