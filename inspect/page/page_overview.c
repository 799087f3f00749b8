#include "inspect/page/page_overview.h"

#include "sim/base/json_members.h"

enum { EACH = WS_USAGE_SPANS / WS_SM_SPANS };

/* Spans of the curve, EACH of them together, until its last one. */
static void add_curve(JsonBuilder *json, const WsUsageCurve *usage)
{
    guint64 sums[3][WS_SM_SPANS] = {0};
    gint64 resident = 0;
    guint count = (usage->count + EACH - 1) / EACH;

    for (guint32 i = 0; i < usage->count; i++) {
        sums[0][i / EACH] += ws_usage_curve_warp_cycles(usage, i, &resident);
        sums[1][i / EACH] += usage->spans[i].issues;
        sums[2][i / EACH] += usage->spans[i].lanes;
    }
    for (guint k = 0; k < G_N_ELEMENTS(sums); k++) {
        json_builder_begin_array(json);
        for (guint i = 0; i < count; i++)
            json_builder_add_int_value(json, (gint64)sums[k][i]);
        json_builder_end_array(json);
    }
}

static void add_sm(JsonBuilder *json, guint32 sm, const WsSmFigures *figures)
{
    const guint64 numbers[] = {sm,           figures->blocks, figures->warps,  figures->first,
                               figures->end, figures->splits, figures->waiting};

    json_builder_begin_array(json);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        json_builder_add_int_value(json, (gint64)numbers[i]);
    json_builder_begin_array(json);
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        json_builder_add_int_value(json, (gint64)figures->stalls[i]);
    json_builder_end_array(json);
    add_curve(json, &figures->usage);
    json_builder_end_array(json);
}

void ws_page_add_overview(JsonBuilder *json, const WsTimelineRecord *record)
{
    json_builder_set_member_name(json, "sms");
    json_builder_begin_object(json);
    ws_json_add_integer(json, "width", record->usage.width * EACH);
    ws_json_open_list(json, "rows");
    for (guint32 sm = 0; sm < record->window.sm_count; sm++) {
        const WsSmFigures *figures = ws_sm_table_at(record->sms, sm);

        if (figures->warps != 0)
            add_sm(json, sm, figures);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void add_string(JsonBuilder *json, const char *name, const char *value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, value);
}

static void add_question(JsonBuilder *json, const WsJob *job, const WsQuizQuestion *question)
{
    g_autofree char *id = ws_quiz_id(question), *prompt = ws_quiz_prompt(job, question);
    g_autofree char *explanation = ws_quiz_explanation(job, question);

    json_builder_begin_object(json);
    ws_json_add_text(json, "id", id);
    ws_json_add_integer(json, "cycle", question->cycle);
    ws_json_add_integer(json, "answered", question->answered);
    ws_json_add_integer(json, "sm", question->sm);
    ws_json_add_integer(json, "slot", question->slot);
    ws_json_add_text(json, "prompt", prompt);
    ws_json_open_list(json, "choices");
    for (guint i = 0; i < question->count; i++) {
        g_autofree char *choice = ws_quiz_choice(job, question, i);

        json_builder_add_string_value(json, choice);
    }
    json_builder_end_array(json);
    ws_json_add_integer(json, "answer", question->answer);
    ws_json_add_text(json, "explanation", explanation);
    json_builder_end_object(json);
}

void ws_page_add_quiz(JsonBuilder *json, const WsPageRun *run)
{
    if (run->quiz == NULL) {
        json_builder_set_member_name(json, "quiz");
        json_builder_add_null_value(json);
        return;
    }
    ws_json_open_list(json, "quiz");
    for (guint i = 0; i < ws_quiz_count(run->quiz); i++)
        add_question(json, run->job, ws_quiz_at(run->quiz, i));
    json_builder_end_array(json);
}

static void add_highlight(JsonBuilder *json, WsHighlightKind kind, const WsHighlight *highlight)
{
    json_builder_begin_object(json);
    add_string(json, "name", ws_highlight_name(kind));
    add_string(json, "title", ws_highlight_title(kind));
    add_string(json, "help", ws_highlight_help(kind));
    ws_json_add_integer(json, "cycle", highlight->cycle);
    ws_json_add_integer(json, "end", highlight->end);
    ws_json_add_integer(json, "launch", highlight->launch);
    ws_json_add_integer(json, "sm", highlight->sm);
    ws_json_add_integer(json, "slot", highlight->slot);
    ws_json_add_integer(json, "block", highlight->block);
    ws_json_add_integer(json, "warp", highlight->warp_in_block);
    json_builder_set_member_name(json, "instruction");
    if (highlight->instruction == WS_NO_INSTRUCTION)
        json_builder_add_null_value(json);
    else
        json_builder_add_int_value(json, highlight->instruction);
    ws_json_add_integer(json, "instructions", highlight->instructions);
    ws_json_add_integer(json, "lanes", highlight->lanes);
    ws_json_add_integer(json, "waiting", highlight->lost);
    json_builder_end_object(json);
}

void ws_page_add_highlights(JsonBuilder *json, const WsPageRun *run)
{
    gint64 opening = -1, count = 0;

    ws_json_open_list(json, "highlights");
    for (guint i = 0; run->highlights != NULL && i < WS_HIGHLIGHT_COUNT; i++) {
        const WsHighlight *highlight = ws_highlights_at(run->highlights, (WsHighlightKind)i);

        if (!highlight->there)
            continue;
        if (i == run->opening)
            opening = count;
        count++;
        add_highlight(json, (WsHighlightKind)i, highlight);
    }
    json_builder_end_array(json);
    json_builder_set_member_name(json, "opening");
    json_builder_add_int_value(json, opening);
}
