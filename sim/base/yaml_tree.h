/*
 * YAML as configurations and launch files use it, read into a small tree with positions.
 *
 * The file is hostile until checked: UTF-8, one document, at most 16 MiB, 32 levels and 4 million
 * nodes; aliases, anchors, tags, merge keys and duplicate keys are refused. Scalars stay text; the
 * getters below give them a type when asked, so `no` is a word and `010` is an error, not an eight.
 *
 * All errors are WS_ERROR_INPUT with file:line:column.
 */
#ifndef WS_SIM_BASE_YAML_TREE_H
#define WS_SIM_BASE_YAML_TREE_H

#include "isa/base/read_scope.h"
#include "sim/expression/whole.h"

typedef enum { WS_YAML_SCALAR, WS_YAML_SEQUENCE, WS_YAML_MAPPING } WsYamlKind;

typedef struct WsYamlNode WsYamlNode;
struct WsYamlNode {
    WsYamlKind kind;
    gboolean quoted; /* scalar written in quotes or as a block */
    gint8 inset;     /* SCALAR: columns before the text, 0 or 1 for a quote; -1 if not as written */
    guint32 line, column;
    const char *source; /* what messages call the text if not the tree's name; not owned */
    char *text;         /* SCALAR */
    GPtrArray *keys;    /* MAPPING: of WsYamlNode*, scalars, in file order */
    GPtrArray *items;   /* MAPPING: the values; SEQUENCE: the items */
};

typedef struct {
    char *name; /* file name, for messages */
    WsYamlNode *root;
    const WsReadScope *scope; /* of the files that it names; NULL = all; not owned */
    const WsNames *names;     /* not NULL: numbers may be expressions of these; not owned */
} WsYamlTree;

/*
 * Parses `length` bytes. `name` is what messages call the text. A document without content gives
 * an empty mapping.
 */
WsYamlTree *ws_yaml_parse(const char *name, const char *text, gsize length, GError **error);
WsYamlTree *ws_yaml_read(const char *path, GError **error);
/* A file of `scope` (NULL = all), which must outlive the tree. */
WsYamlTree *ws_yaml_read_in(const WsReadScope *scope, const char *path, GError **error);
void ws_yaml_free(WsYamlTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsYamlTree, ws_yaml_free)

/*
 * The path of a file that is named in another: absolute, or relative to `folder` ("." is left out).
 * Free with g_free.
 */
char *ws_path_in_folder(const char *folder, const char *name);

/* Where `node` stands. */
WsPosition ws_yaml_position(const WsYamlTree *tree, const WsYamlNode *node);

/* Sets `error` to "file:line:column: error: text". Returns FALSE. */
gboolean ws_yaml_error(const WsYamlTree *tree, const WsYamlNode *node, GError **error,
                       const char *format, ...) G_GNUC_PRINTF(4, 5);

/*
 * Parses the value of a command-line option, written as in a file. Messages name `source` and no
 * line. `source` must live as long as the node. Free with ws_yaml_node_free.
 */
WsYamlNode *ws_yaml_parse_value(const char *source, const char *text, GError **error);
void ws_yaml_node_free(WsYamlNode *node);

/* Gives `key` of the mapping this value, instead of the one it has. Takes both. */
void ws_yaml_put(WsYamlNode *mapping, const char *key, WsYamlNode *value);

guint ws_yaml_count(const WsYamlNode *node); /* items of a sequence or mapping; 0 for a scalar */
const WsYamlNode *ws_yaml_item(const WsYamlNode *node, guint index);
const WsYamlNode *ws_yaml_key(const WsYamlNode *node, guint index);

/* The value of `key`, or NULL. */
const WsYamlNode *ws_yaml_get(const WsYamlNode *mapping, const char *key);

/*
 * `what` names the value in messages ("grid"). The node must have this kind. For a mapping, every
 * key must be in the NULL-terminated list `keys` (unless that is NULL); a wrong one is reported
 * with the nearest.
 */
gboolean ws_yaml_expect_mapping(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                                const char *const *keys, GError **error);
gboolean ws_yaml_expect_sequence(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                                 GError **error);

/* The value of `key`, which must be there. */
const WsYamlNode *ws_yaml_require(const WsYamlTree *tree, const WsYamlNode *mapping,
                                  const char *what, const char *key, GError **error);

/* Text of a scalar that is not empty. Owned by the tree. */
const char *ws_yaml_text(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         GError **error);

/*
 * Decimal, or hexadecimal with 0x; no leading zeros, no sign but `-`, no fraction. If the tree has
 * names, what does not look like a number is an expression (sim/expression/whole.h), in quotes or
 * not; what is wrong inside it is reported with its own column.
 */
gboolean ws_yaml_unsigned(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                          guint64 minimum, guint64 maximum, guint64 *ret, GError **error);
gboolean ws_yaml_signed(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        gint64 minimum, gint64 maximum, gint64 *ret, GError **error);

/*
 * A decimal number with or without fraction and exponent; also inf, -inf, nan (or .inf ...). If the
 * tree has names, also an expression, whose divisions must leave no remainder.
 */
gboolean ws_yaml_number(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        double *ret, GError **error);

/* `true` or `false`. */
gboolean ws_yaml_boolean(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         gboolean *ret, GError **error);

/* The index of the scalar in the NULL-terminated `names`. */
gboolean ws_yaml_choice(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        const char *const *names, guint *ret, GError **error);

#endif
