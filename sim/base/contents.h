/*
 * Contents of a buffer or variable as a launch file describes them: zero, fill, values, linear,
 * random, file (docs/reference/formats.md has the formulas).
 */
#ifndef WS_SIM_BASE_CONTENTS_H
#define WS_SIM_BASE_CONTENTS_H

#include "sim/base/element.h"

/* The keys that describe contents, NULL-terminated. */
const char *const *ws_contents_keys(void);

/* The name of the file in a mapping of contents, or NULL. Owned by the tree. */
const char *ws_contents_file(const WsYamlTree *tree, const WsYamlNode *contents);

/*
 * Number of elements that `contents` gives by itself (values, file), or 0 if it fits any number.
 * `folder` is what a file's name is relative to.
 */
gboolean ws_contents_count(const WsYamlTree *tree, const WsYamlNode *contents, const char *folder,
                           WsType type, guint64 *ret, GError **error);

/*
 * Fills `data`, `count` elements of `type`, zero before. `contents` is the word `zero` or a
 * mapping with one key.
 */
gboolean ws_contents_read(const WsYamlTree *tree, const WsYamlNode *contents, const char *folder,
                          WsType type, guint64 count, guint8 *data, GError **error);

/* Output `index` of the SplitMix64 generator that starts from `seed`. */
guint64 ws_split_mix(guint64 seed, guint64 index);

#endif
