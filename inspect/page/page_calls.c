#include "inspect/page/page_calls.h"

#include <string.h>

#include "isa/base/escape.h"
#include "sim/base/call_frames.h"
#include "sim/base/json_members.h"

static const char LINE[] = "\n"; /* stands for the line: no name has it */

gboolean ws_job_launches(const WsJob *job, guint32 instruction)
{
    for (guint32 i = 0; i < job->launch_count; i++) {
        const WsKernel *kernel = job->launches[i].kernel;

        if (instruction >= kernel->first && instruction - kernel->first < kernel->count)
            return TRUE;
    }
    return FALSE;
}

/* Instructions with the same text, in the order of the first of each. */
typedef struct {
    GPtrArray *texts;   /* of char * */
    GHashTable *places; /* text -> GArray of guint32 */
} Calls;

static void find_calls(const WsJob *job, Calls *ret)
{
    ret->texts = g_ptr_array_new();
    ret->places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
    for (guint32 i = 0; i < job->program->instruction_count; i++) {
        g_autofree char *text =
            ws_job_launches(job, i) ? ws_place_with_frames(job->program, i, LINE) : NULL;
        GArray *instructions;

        if (text == NULL || strcmp(text, LINE) == 0)
            continue;
        instructions = g_hash_table_lookup(ret->places, text);
        if (instructions == NULL) {
            instructions = g_array_new(FALSE, FALSE, sizeof(guint32));
            g_ptr_array_add(ret->texts, text);
            g_hash_table_insert(ret->places, g_steal_pointer(&text), instructions);
        }
        g_array_append_val(instructions, i);
    }
}

static void add_text(JsonBuilder *json, const char *name, const char *text)
{
    g_autofree char *shown = ws_escape_controls(text, -1, "");

    ws_json_add_text(json, name, shown);
}

void ws_page_add_calls(JsonBuilder *json, const WsJob *job)
{
    Calls calls;

    find_calls(job, &calls);
    ws_json_open_list(json, "calls");
    for (guint i = 0; i < calls.texts->len; i++) {
        const char *text = calls.texts->pdata[i];
        const GArray *instructions = g_hash_table_lookup(calls.places, text);
        g_auto(GStrv) around = g_strsplit(text, LINE, 2);

        json_builder_begin_object(json);
        add_text(json, "before", around[0]);
        add_text(json, "behind", around[1]);
        ws_json_open_list(json, "instructions");
        for (guint k = 0; k < instructions->len; k++)
            json_builder_add_int_value(json, g_array_index(instructions, guint32, k));
        json_builder_end_array(json);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    g_ptr_array_unref(calls.texts);
    g_hash_table_unref(calls.places);
}
