/* Single values of a type (WsType) in memory, little-endian as on the device. */
#ifndef WS_SIM_BASE_ELEMENT_H
#define WS_SIM_BASE_ELEMENT_H

#include "isa/bytecode/program.h"
#include "sim/base/yaml_tree.h"

gboolean ws_element_is_float(WsType type);
gboolean ws_element_is_signed(WsType type); /* s8 s16 s32 s64 */

/*
 * The names a launch file may use, NULL-terminated, and their types: s8 u8 s16 u16 s32 u32 s64 u64
 * f16 bf16 f32 f64.
 */
const char *const *ws_element_type_names(void);
gboolean ws_element_find_type(const char *name, WsType *ret);

/* Reads a scalar; integers must be in range, floats are read as f64 and rounded to the type. */
gboolean ws_element_read(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         WsType type, guint8 *ret, GError **error);

/* Integer types take the low bits, float types the nearest value. */
void ws_element_store_integer(WsType type, guint64 value, guint8 *ret);
void ws_element_store_double(WsType type, double value, guint8 *ret);

guint64 ws_element_load_integer(WsType type, const guint8 *data); /* sign-extended if signed */
double ws_element_load_double(WsType type, const guint8 *data);

/* With as few digits as tell the value from its neighbours of the type. Free with g_free. */
char *ws_element_text(WsType type, const guint8 *data);

#endif
