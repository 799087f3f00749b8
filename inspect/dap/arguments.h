/*
 * Arguments of a request, taken with their types checked. The first that is wrong is kept as an
 * error; what comes behind gives defaults, so that a handler looks once, behind all.
 */
#ifndef WS_INSPECT_DAP_ARGUMENTS_H
#define WS_INSPECT_DAP_ARGUMENTS_H

#include <json-glib/json-glib.h>

typedef struct {
    JsonObject *object; /* or NULL: the request has none */
    GError *error;      /* WS_ERROR_USAGE */
} WsDapArguments;

/* In place of a default number: the argument must be there. */
#define WS_DAP_REQUIRED G_MININT64

/* A whole number from `least` to `most`. */
gint64 ws_dap_number(WsDapArguments *arguments, const char *name, gint64 otherwise, gint64 least,
                     gint64 most);
/* Whether the argument is there and this very text. */
gboolean ws_dap_is_word(const WsDapArguments *arguments, const char *name, const char *word);
gboolean ws_dap_flag(WsDapArguments *arguments, const char *name, gboolean otherwise);
/* NULL where it is not there, as below. */
const char *ws_dap_text(WsDapArguments *arguments, const char *name, gboolean required);
JsonArray *ws_dap_list(WsDapArguments *arguments, const char *name, gboolean required);
JsonObject *ws_dap_object(WsDapArguments *arguments, const char *name, gboolean required);

/* Item `index` of a list of objects, to read from; its error is to be freed by the caller. */
WsDapArguments ws_dap_item(JsonArray *list, guint index);

/*
 * A list of texts "KEY=VALUE", or an object of plain values, as "KEY=VALUE" texts, or one such
 * text. NULL-terminated; NULL where it is not there. Free with g_strfreev.
 */
char **ws_dap_pairs(WsDapArguments *arguments, const char *name);

#endif
