#include "sim/check/known_places.h"

static WsKnownPlaces *known_places_ref(WsKnownPlaces *known)
{
    if (known != NULL)
        known->references++;
    return known;
}

void ws_known_places_unref(WsKnownPlaces *known)
{
    if (known != NULL && --known->references == 0)
        g_free(known);
}

gboolean ws_known_places_has(const WsKnownPlaces *known, guint32 place, guint32 count)
{
    guint32 low = 0, high = known == NULL ? 0 : known->length;

    while (low < high) {
        guint32 middle = low + (high - low) / 2;

        if (known->list[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return known != NULL && low < known->length && known->list[low].place == place &&
           known->list[low].count >= count;
}

/* Whether `a` knows all that `b` knows. */
static gboolean covers(const WsKnownPlaces *a, const WsKnownPlaces *b)
{
    guint32 i = 0;

    if (a == b || b == NULL)
        return TRUE;
    for (guint32 k = 0; k < b->length; k++) {
        while (a != NULL && i < a->length && a->list[i].place < b->list[k].place)
            i++;
        if (a == NULL || i == a->length || a->list[i].place != b->list[k].place ||
            a->list[i].count < b->list[k].count)
            return FALSE;
    }
    return TRUE;
}

WsKnownPlaces *ws_known_places_join(WsKnownPlaces *a, WsKnownPlaces *b)
{
    guint32 i = 0, k = 0;
    WsKnownPlaces *joined;

    if (covers(a, b))
        return known_places_ref(a);
    if (covers(b, a))
        return known_places_ref(b);
    joined = g_malloc(sizeof *joined + ((gsize)a->length + b->length) * sizeof *joined->list);
    joined->references = 1;
    joined->length = 0;
    while (i < a->length || k < b->length) {
        gboolean from_a = k == b->length || (i < a->length && a->list[i].place <= b->list[k].place);
        gboolean from_b = i == a->length || (k < b->length && b->list[k].place <= a->list[i].place);
        WsKnownPlace next = from_a ? a->list[i] : b->list[k];

        if (from_a && from_b)
            next.count = MAX(next.count, b->list[k].count);
        i += from_a;
        k += from_b;
        joined->list[joined->length++] = next;
    }
    return joined;
}

WsKnownPlaces *ws_known_places_with(WsKnownPlaces *known, guint32 place, guint32 count)
{
    WsKnownPlaces *one = g_malloc(sizeof *one + sizeof *one->list);
    WsKnownPlaces *joined;

    one->references = 1;
    one->length = 1;
    one->list[0] = (WsKnownPlace){place, count};
    joined = ws_known_places_join(known, one);
    ws_known_places_unref(one);
    return joined;
}

void ws_known_places_add(WsKnownPlaces **known, WsKnownPlaces *more)
{
    WsKnownPlaces *before = *known;

    if (before == more)
        return;
    *known = ws_known_places_join(before, more);
    ws_known_places_unref(before);
}
