/* `initial:` of a launch of bytecode: the state in which single warps start. */
#include "isa/base/size.h"
#include "sim/base/element.h"
#include "sim/base/stall.h"
#include "sim/launch/reader.h"

#include <string.h>

/* A label of the kernel, or the number of an instruction in it. */
static gboolean read_start(const WsLaunchReader *reader, const WsYamlNode *node,
                           const WsKernel *kernel, guint32 *ret, GError **error)
{
    const WsProgram *program = reader->job->program;
    const char *text = ws_yaml_text(reader->tree, node, "start", error);
    if (text == NULL)
        return FALSE;
    if (g_ascii_isdigit(*text)) {
        guint64 value;
        if (!ws_yaml_unsigned(reader->tree, node, "start", 0, kernel->count - 1, &value, error))
            return FALSE;
        *ret = (guint32)value;
        return TRUE;
    }
    for (guint32 i = 0; program->labels != NULL && i < kernel->count; i++) {
        const char *label = program->labels[kernel->first + i];
        if (label != NULL && strcmp(label, text) == 0) {
            *ret = i;
            return TRUE;
        }
    }
    g_autofree char *shown = ws_printable(text);
    return ws_yaml_error(reader->tree, node, error, "the kernel '%s' has no label '%s'",
                         kernel->display_name, shown);
}

static gboolean read_stall(const WsLaunchReader *reader, const WsYamlNode *node, guint32 *ret,
                           GError **error)
{
    const char *names[WS_STALL_COUNT + 1] = {NULL};
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        names[i] = ws_stall_name((WsStall)i);
    guint index;
    if (!ws_yaml_choice(reader->tree, node, "stall", names, &index, error))
        return FALSE;
    if (index == WS_STALL_SELECTED)
        return ws_yaml_error(reader->tree, node, error, "a waiting warp is not 'selected'");
    *ret = index;
    return TRUE;
}

/* {R4: 7, R5: {f32: 1.5}} */
static gboolean read_registers(const WsLaunchReader *reader, const WsYamlNode *node,
                               const WsKernel *kernel, WsInitialWarp *warp, GError **error)
{
    static const char *const keys[] = {"f32", "s32", "u32", NULL};
    const WsYamlTree *tree = reader->tree;
    if (!ws_yaml_expect_mapping(tree, node, "registers", NULL, error))
        return FALSE;
    if (ws_yaml_count(node) > G_N_ELEMENTS(warp->registers))
        return ws_yaml_error(tree, node, error, "at most %u registers can be given",
                             (guint)G_N_ELEMENTS(warp->registers));
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *key = ws_yaml_key(node, i), *value = ws_yaml_item(node, i);
        guint64 number = 0;
        const char *digits = key->text + 1;
        if (key->text[0] != 'R' || !g_ascii_string_to_unsigned(digits, 10, 0, 254, &number, NULL) ||
            number >= kernel->registers)
            return ws_yaml_error(tree, key, error, "a register R0..R%u of the kernel is expected",
                                 kernel->registers - 1);
        WsType type = WS_TYPE_U32;
        if (value->kind == WS_YAML_MAPPING) {
            if (!ws_yaml_expect_mapping(tree, value, "a register's value", keys, error))
                return FALSE;
            if (ws_yaml_count(value) != 1)
                return ws_yaml_error(tree, value, error, "one value is expected, as {f32: 1.5}");
            ws_element_find_type(ws_yaml_key(value, 0)->text, &type);
            value = ws_yaml_item(value, 0);
        }
        guint8 bytes[8];
        if (!ws_element_read(tree, value, key->text, type, bytes, error))
            return FALSE;
        warp->registers[i].index = (guint32)number;
        memcpy(&warp->registers[i].value, bytes, 4);
        warp->register_count = i + 1;
    }
    return TRUE;
}

static gboolean read_warp(const WsLaunchReader *reader, const WsYamlNode *node,
                          const WsLaunch *launch, WsInitialWarp *warp, GError **error)
{
    static const char *const keys[] = {"warp", "start", "ready", "stall", "registers", NULL};
    const WsYamlTree *tree = reader->tree;
    if (!ws_yaml_expect_mapping(tree, node, "an initial state", keys, error))
        return FALSE;
    guint64 threads = ws_size_volume(launch->block);
    guint64 size = reader->job->device->warp_size;
    guint64 warps = (threads + size - 1) / size, value;
    const WsYamlNode *number = ws_yaml_require(tree, node, "an initial state", "warp", error);
    if (number == NULL || !ws_yaml_unsigned(tree, number, "warp", 0, warps - 1, &value, error))
        return FALSE;
    warp->warp = (guint32)value;
    for (guint i = 0; i < launch->initial_count; i++)
        if (launch->initial[i].warp == warp->warp)
            return ws_yaml_error(tree, number, error, "warp %u has a state already", warp->warp);
    const WsYamlNode *start = ws_yaml_get(node, "start"), *ready = ws_yaml_get(node, "ready"),
                     *stall = ws_yaml_get(node, "stall"),
                     *registers = ws_yaml_get(node, "registers");
    warp->has_start = start != NULL;
    if (start != NULL && !read_start(reader, start, launch->kernel, &warp->start, error))
        return FALSE;
    if (ready != NULL) {
        if (!ws_yaml_unsigned(tree, ready, "ready", 0, 1000000000, &value, error))
            return FALSE;
        warp->ready_cycle = (guint32)value;
    }
    warp->stall_reason = WS_STALL_LONG_SCOREBOARD;
    if (stall != NULL && !read_stall(reader, stall, &warp->stall_reason, error))
        return FALSE;
    return registers == NULL || read_registers(reader, registers, launch->kernel, warp, error);
}

gboolean ws_launch_read_initial(const WsLaunchReader *reader, const WsYamlNode *node,
                                WsLaunch *launch, GError **error)
{
    if (node == NULL)
        return TRUE;
    const char *path = reader->job->program->path;
    if (g_str_has_suffix(path, ".cu") || g_str_has_suffix(path, ".ptx"))
        return ws_yaml_error(reader->tree, node, error,
                             "initial states need a program in bytecode (.wsasm or .wsbin)");
    if (!ws_yaml_expect_sequence(reader->tree, node, "initial", error))
        return FALSE;
    launch->initial = g_new0(WsInitialWarp, ws_yaml_count(node) + 1);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        if (!read_warp(reader, ws_yaml_item(node, i), launch, &launch->initial[i], error))
            return FALSE;
        launch->initial_count = i + 1;
    }
    return TRUE;
}
