/*
 * Prints the tables of the commands as JSON: what cli/write_manual.py and
 * cli/completion/write_completion.py make the manual pages and the completion of shells from.
 */
#include "cli/commands.h"
#include "sim/base/json_text.h"
#include "sim/base/resources.h"
#include "sim/device/settings.h"
#include "sim/launch/target.h"

#include <stdio.h>
#include <string.h>

static void add_text(JsonBuilder *json, const char *name, const char *text)
{
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, text != NULL ? text : "");
}

static void add_options(JsonBuilder *json, const GOptionEntry *entry)
{
    for (; entry->long_name != NULL; entry++) {
        if (entry->flags & G_OPTION_FLAG_HIDDEN)
            continue;
        char letter[2] = {entry->short_name, '\0'};
        json_builder_begin_object(json);
        add_text(json, "long", entry->long_name);
        add_text(json, "short", letter);
        add_text(json, "value", entry->arg_description);
        add_text(json, "help", entry->description);
        json_builder_set_member_name(json, "repeated");
        json_builder_add_boolean_value(json, entry->arg == G_OPTION_ARG_STRING_ARRAY ||
                                                 entry->arg == G_OPTION_ARG_FILENAME_ARRAY);
        json_builder_end_object(json);
    }
}

static void visit(const GOptionEntry *entries, const GOptionEntry *common, gpointer data)
{
    JsonBuilder *json = data;

    json_builder_set_member_name(json, "options");
    json_builder_begin_array(json);
    if (entries != NULL)
        add_options(json, entries);
    add_options(json, common);
    json_builder_end_array(json);
}

static void add_commands(JsonBuilder *json)
{
    json_builder_set_member_name(json, "commands");
    json_builder_begin_array(json);
    for (const WsCommand *const *at = ws_commands; *at != NULL; at++) {
        const WsCommand *command = *at;
        char *arguments[] = {(char *)command->name, NULL};
        json_builder_begin_object(json);
        add_text(json, "name", command->name);
        add_text(json, "group", ws_command_groups[command->group]);
        add_text(json, "summary", command->summary);
        add_text(json, "usage", command->usage);
        add_text(json, "details", command->details);
        ws_visit_options(visit, json);
        command->run(command, arguments);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_exit_codes(JsonBuilder *json)
{
    json_builder_set_member_name(json, "exit_codes");
    json_builder_begin_array(json);
    for (const WsExitCode *row = ws_exit_codes; row->meaning != NULL; row++) {
        json_builder_begin_object(json);
        json_builder_set_member_name(json, "code");
        json_builder_add_int_value(json, row->code);
        add_text(json, "meaning", row->meaning);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_names(JsonBuilder *json, const char *member, const char *const *names)
{
    json_builder_set_member_name(json, member);
    json_builder_begin_array(json);
    for (; *names != NULL; names++)
        json_builder_add_string_value(json, *names);
    json_builder_end_array(json);
}

/* As TARGET has them: NAME, and NAME/FILE for the launch files beside launch.yaml. */
static void add_workloads(JsonBuilder *json)
{
    g_autoptr(GResource) resource = ws_workloads_resource();

    json_builder_set_member_name(json, "workloads");
    json_builder_begin_array(json);
    for (const char *const *name = ws_workload_names(); *name != NULL; name++) {
        g_autofree char *folder = g_strdup_printf("/warpstep/workloads/%s", *name);
        g_auto(GStrv) files = ws_resource_names(resource, folder);

        json_builder_add_string_value(json, *name);
        for (char **file = files; *file != NULL; file++) {
            if (!g_str_has_suffix(*file, ".yaml") || strcmp(*file, "launch.yaml") == 0)
                continue;
            g_autofree char *target = g_strdup_printf("%s/%s", *name, *file);
            json_builder_add_string_value(json, target);
        }
    }
    json_builder_end_array(json);
}

/* Paths, each with the words that it may be set to, if those are words. */
static void add_settings(JsonBuilder *json)
{
    static const char *const booleans[] = {"true", "false", NULL};

    json_builder_set_member_name(json, "settings");
    json_builder_begin_array(json);
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        static const char *const none[] = {NULL};

        json_builder_begin_object(json);
        add_text(json, "path", setting->path);
        add_names(json, "words",
                  setting->kind == WS_SETTING_ENUM      ? setting->names
                  : setting->kind == WS_SETTING_BOOLEAN ? booleans
                                                        : none);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

int main(void)
{
    g_autoptr(JsonBuilder) json = json_builder_new();

    json_builder_begin_object(json);
    add_text(json, "version", WS_VERSION);
    add_exit_codes(json);
    add_commands(json);
    add_names(json, "devices", ws_configs_names);
    add_names(json, "policies", ws_setting_at((guint)ws_setting_find("policy"))->names);
    add_workloads(json);
    add_settings(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = ws_json_text(root);
    ws_put(text);
    return ws_finish_output(0);
}
