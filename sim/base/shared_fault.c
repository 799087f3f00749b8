#include "sim/base/shared_fault.h"

/* A stretch of shared memory that has a name. */
typedef struct {
    char *name;   /* "shared array 'tile' (f32[256])" */
    gint64 start; /* bytes */
    gint64 size;
    guint32 element; /* bytes, 0 = not known */
    gboolean typed;  /* the name says of what elements */
} Stretch;

static char *sized(guint64 bytes)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT " byte%s", bytes, bytes == 1 ? "" : "s");
}

static Stretch variable_stretch(const WsSharedVariable *variable, guint32 bytes)
{
    guint32 element = ws_type_size(variable->type);
    Stretch ret = {.start = variable->offset, .size = variable->size};

    ret.typed = variable->type != WS_TYPE_B8 && element != 0 && variable->size % element == 0;
    if (!ret.typed) {
        g_autofree char *size = sized(variable->size);
        ret.name = g_strdup_printf("shared array '%s' (%s)", variable->name, size);
        /* Elements have the array's alignment as a rule: a float, and not a merged load of four. */
        ret.element = bytes == variable->align && variable->size > bytes ? bytes : 0;
        return ret;
    }
    ret.element = variable->size > element ? element : 0;
    ret.name = ret.element != 0
                   ? g_strdup_printf("shared array '%s' (%s[%u])", variable->name,
                                     ws_type_name(variable->type), variable->size / element)
                   : g_strdup_printf("shared variable '%s' (%s)", variable->name,
                                     ws_type_name(variable->type));
    return ret;
}

/* " 'buffer'" if one extern array is there. */
static char *dynamic_name(const WsKernel *kernel)
{
    const WsSharedVariable *found = NULL;

    for (guint32 v = 0; v < kernel->shared_count; v++) {
        if (kernel->shared[v].size != 0)
            continue;
        if (found != NULL)
            return g_strdup("");
        found = &kernel->shared[v];
    }
    return found != NULL ? g_strdup_printf(" '%s'", found->name) : g_strdup("");
}

static Stretch dynamic_stretch(const WsKernel *kernel, guint32 dynamic_bytes)
{
    g_autofree char *name = dynamic_name(kernel), *size = sized(dynamic_bytes);

    return (Stretch){.name = g_strdup_printf("dynamic shared memory%s (%s)", name, size),
                     .start = kernel->static_shared_bytes,
                     .size = dynamic_bytes};
}

/* The last stretch that begins at or in front of the offset, else the first. */
static Stretch find(const WsKernel *kernel, guint32 dynamic_bytes, gint64 offset, guint32 bytes)
{
    const WsSharedVariable *found = NULL;
    gint64 end = kernel->static_shared_bytes;

    if (kernel->uses_dynamic_shared && (offset >= end || kernel->static_shared_bytes == 0))
        return dynamic_stretch(kernel, dynamic_bytes);
    for (guint32 v = 0; v < kernel->shared_count; v++)
        if (kernel->shared[v].size != 0 && (found == NULL || kernel->shared[v].offset <= offset))
            found = &kernel->shared[v];
    if (found == NULL) {
        g_autofree char *size = sized((guint64)end + dynamic_bytes);
        return (Stretch){.name = g_strdup_printf("the block's shared memory (%s)", size),
                         .size = end + dynamic_bytes};
    }
    return variable_stretch(found, bytes);
}

/* ", index 259", of elements that divide the way. */
static char *index_text(const Stretch *stretch, gint64 way)
{
    if (stretch->element == 0 || way % stretch->element != 0)
        return g_strdup("");
    if (stretch->typed)
        return g_strdup_printf(", index %" G_GINT64_FORMAT, way / stretch->element);
    return g_strdup_printf(", index %" G_GINT64_FORMAT " if its elements have %u bytes",
                           way / stretch->element, stretch->element);
}

static char *describe(const Stretch *stretch, gint64 offset, guint32 bytes)
{
    gint64 way = offset - stretch->start;
    g_autofree char *index = index_text(stretch, way);

    if (way < 0) {
        g_autofree char *before = sized((guint64)-way);
        return g_strdup_printf("%s before the start of %s%s", before, stretch->name, index);
    }
    if (way == stretch->size)
        return g_strdup_printf("just past the end of %s%s", stretch->name, index);
    if (way > stretch->size) {
        g_autofree char *past = sized((guint64)(way - stretch->size));
        return g_strdup_printf("%s past the end of %s%s", past, stretch->name, index);
    }
    if (bytes > stretch->size - way)
        return g_strdup_printf("%u bytes from byte %" G_GINT64_FORMAT " of %s", bytes, way,
                               stretch->name);
    return g_strdup_printf("byte %" G_GINT64_FORMAT " of %s", way, stretch->name);
}

char *ws_shared_fault_describe(const WsKernel *kernel, guint32 dynamic_bytes, gint64 offset,
                               guint32 bytes)
{
    gboolean dynamic = kernel->uses_dynamic_shared && offset >= kernel->static_shared_bytes;
    g_autofree char *name = NULL;

    if (dynamic && dynamic_bytes == 0) {
        name = dynamic_name(kernel);
        return g_strdup_printf(
            "dynamic shared memory%s has 0 bytes: give dynamic_shared_bytes in the launch file",
            name);
    }
    if (kernel->static_shared_bytes == 0 && dynamic_bytes == 0)
        return g_strdup("the kernel has no shared memory");
    Stretch stretch = find(kernel, dynamic_bytes, offset, bytes);
    char *text = describe(&stretch, offset, bytes);
    g_free(stretch.name);
    if (dynamic && offset + bytes > (gint64)kernel->static_shared_bytes + dynamic_bytes) {
        char *longer = g_strconcat(text, ": see dynamic_shared_bytes of the launch file", NULL);
        g_free(text);
        return longer;
    }
    return text;
}
