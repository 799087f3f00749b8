/* Questions in words. */
#include "inspect/quiz/quiz.h"
#include "sim/base/call_frames.h"
#include "sim/base/stall.h"
#include "sim/device/device.h"

static guint count_of(guint64 lanes)
{
    return (guint)__builtin_popcountll(lanes);
}

/* "14 lanes", "1 lane" */
static char *lanes_text(guint64 lanes)
{
    return g_strdup_printf("%u lane%s", count_of(lanes), count_of(lanes) == 1 ? "" : "s");
}

static char *slot_text(guint slot, guint64 last)
{
    if (last == 0)
        return g_strdup_printf("the warp in slot %u, which has not issued yet", slot);
    return g_strdup_printf("the warp in slot %u, which issued last %" G_GUINT64_FORMAT
                           " cycle%s ago",
                           slot, last, last == 1 ? "" : "s");
}

char *ws_quiz_prompt(const WsJob *job, const WsQuizQuestion *question)
{
    g_autofree char *place =
        ws_framed_instruction_place(job->program, question->instruction, FALSE);
    g_autofree char *warp = g_strdup_printf("warp %u of block %u on SM %u", question->warp_in_block,
                                            question->block, question->sm);

    switch (question->kind) {
    case WS_QUIZ_PATH:
        return g_strdup_printf("Now %s issues %s and diverges. Which lanes run first?", warp,
                               place);
    case WS_QUIZ_STALL:
        return g_strdup_printf(
            "Now %s issues %s. Which reason keeps it longest from issuing its next instruction?",
            warp, place);
    default:
        return g_strdup_printf("Now several warps of sub-core %u of SM %u are eligible, and the "
                               "policy is %s. Which of these issues?",
                               question->sub_core, question->sm,
                               ws_device_policy_name(job->device));
    }
}

char *ws_quiz_choice(const WsJob *job, const WsQuizQuestion *question, guint choice)
{
    guint64 value = question->choices[choice];
    g_autofree char *lanes = lanes_text(value);

    switch (question->kind) {
    case WS_QUIZ_PATH:
        if (choice == 2)
            return g_strdup_printf("all %s together", lanes);
        return g_strdup_printf("the %s that %s the branch", lanes,
                               choice == 0
                                   ? (count_of(value) == 1 ? "takes" : "take")
                                   : (count_of(value) == 1 ? "does not take" : "do not take"));
    case WS_QUIZ_STALL:
        return g_strdup_printf("%s: %s", ws_stall_name((WsStall)value),
                               ws_stall_help((WsStall)value));
    default:
        return slot_text((guint)value, question->last[choice]);
    }
}

char *ws_quiz_explanation(const WsJob *job, const WsQuizQuestion *question)
{
    g_autofree char *choice = ws_quiz_choice(job, question, question->answer);

    switch (question->kind) {
    case WS_QUIZ_PATH:
        return g_strdup_printf("%c%s: at cycle %" G_GUINT64_FORMAT ", while the others wait.",
                               g_ascii_toupper(choice[0]), choice + 1, question->answered);
    case WS_QUIZ_STALL:
        return g_strdup_printf("It waits %" G_GUINT64_FORMAT " cycles for this. %s.",
                               question->weight, choice);
    default:
        return g_strdup_printf("The warp in slot %u issues.",
                               (guint)question->choices[question->answer]);
    }
}
