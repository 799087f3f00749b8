#include "isa/base/number_set.h"

static gint compare(gconstpointer a, gconstpointer b)
{
    const guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    return x < y ? -1 : x > y;
}

void ws_number_set(GArray *numbers)
{
    guint kept = 0;
    g_array_sort(numbers, compare);
    for (guint i = 0; i < numbers->len; i++) {
        const guint32 number = g_array_index(numbers, guint32, i);
        if (kept == 0 || g_array_index(numbers, guint32, kept - 1) != number)
            g_array_index(numbers, guint32, kept++) = number;
    }
    g_array_set_size(numbers, kept);
}
