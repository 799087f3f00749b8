/* Lists of numbers as users write them: "0-3,7". */
#ifndef WS_SIM_BASE_NUMBER_LIST_H
#define WS_SIM_BASE_NUMBER_LIST_H

#include <glib.h>

typedef struct {
    guint32 from, to; /* both included */
} WsNumberRange;

/* The ranges of a list, in its order; NULL if it is none. Free with g_array_unref. */
GArray *ws_number_list_parse(const char *text);
/* TRUE if the list has the number, or is NULL. */
gboolean ws_number_list_has(const GArray *list, guint32 number);

#endif
