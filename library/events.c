/* Events of a run, told to the caller. */
#include "library/machine.h"

#include <string.h>

#include "isa/text/disassembler.h"

void ws_code_texts_set(WsCodeTexts *code, WsProgram *program)
{
    for (guint32 i = 0; code->texts != NULL && i < code->program->instruction_count; i++)
        g_free(code->texts[i]);
    g_clear_pointer(&code->texts, g_free);
    g_clear_pointer(&code->program, ws_program_unref);
    if (program == NULL)
        return;
    code->program = ws_program_ref(program);
    code->texts = g_new0(char *, program->instruction_count + 1);
}

const char *ws_code_texts_get(WsCodeTexts *code, guint32 instruction)
{
    char **text = &code->texts[instruction];
    if (*text == NULL)
        *text = ws_instruction_to_text(&code->program->instructions[instruction],
                                       code->program->labels);
    return *text;
}

void ws_event_emitter_clear(WsEventEmitter *events)
{
    ws_code_texts_set(&events->code, NULL);
    *events = (WsEventEmitter){0};
}

static guint64 lanes_of(const WsTraceEvent *event)
{
    switch (event->kind) {
    case WS_TRACE_WARP_BEGIN:
        return event->warp_begin.launched;
    case WS_TRACE_ISSUE:
        return event->issue.executed;
    case WS_TRACE_DIVERGE:
        return event->split.taken;
    case WS_TRACE_RECONVERGE:
        return event->joined.lanes;
    case WS_TRACE_PATH:
        return event->path.lanes;
    case WS_TRACE_CONVERGENCE:
        return event->convergence.lanes;
    case WS_TRACE_REQUEST:
        return event->request.lanes;
    case WS_TRACE_RESPONSE:
        return event->response.lanes;
    case WS_TRACE_WRITE:
        return event->write.lanes;
    default:
        return 0;
    }
}

static void tell(void *data, const WsTraceEvent *seen)
{
    WsEventEmitter *events = data;
    warpstep_event event = {.cycle = seen->cycle,
                            .kind = ws_trace_event_name(seen->kind),
                            .sm = seen->sm,
                            .sub_core = seen->sub_core,
                            .slot = seen->warp,
                            .block = seen->block,
                            .warp = seen->warp_in_block,
                            .lanes = lanes_of(seen)};
    if (seen->instruction != WS_NO_INSTRUCTION) {
        const WsProgram *program = events->code.program;
        const WsLocation *at =
            &program->locations[program->instructions[seen->instruction].location];
        event.instruction = ws_code_texts_get(&events->code, seen->instruction);
        event.line = at->line;
        event.file = at->line != 0 ? program->files[at->file] : NULL;
    }
    if (seen->kind == WS_TRACE_STALL)
        event.stall = ws_stall_name((WsStall)seen->stall.reason);
    events->tell(events->data, &event);
}

const WsObserver *ws_machine_event_observer(warpstep *gpu)
{
    WsEventEmitter *events = &gpu->events;
    if (events->tell == NULL)
        return NULL;
    ws_code_texts_set(&events->code, gpu->job->program);
    events->observer = (WsObserver){.data = events, .kinds = events->kinds, .event = tell};
    return &events->observer;
}

static gboolean read_kinds(const char *text, guint64 *ret, char **ret_unknown)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    *ret = 0;
    for (char **word = words; *word != NULL; word++) {
        const guint kind = ws_trace_event_by_name(g_strstrip(*word));
        if (strcmp(*word, "all") == 0) {
            *ret = WS_ALL_EVENTS;
        } else if (kind == WS_TRACE_COUNT) {
            *ret_unknown = ws_printable(*word);
            return FALSE;
        } else {
            *ret |= (guint64)1 << kind;
        }
    }
    return TRUE;
}

warpstep_code warpstep_observe(warpstep *gpu, const char *kinds,
                               void (*report_caller)(void *data, const warpstep_event *event),
                               void *data)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    g_autofree char *unknown = NULL;
    guint64 wanted = 0;
    if (code != WARPSTEP_OK)
        return code;
    if (kinds != NULL && !read_kinds(kinds, &wanted, &unknown))
        return ws_machine_refuse(
            gpu, "'%s' is no kind of event: warpstep trace --events lists them", unknown);
    ws_event_emitter_clear(&gpu->events);
    if (kinds != NULL && report_caller != NULL) {
        gpu->events.kinds = wanted;
        gpu->events.tell = report_caller;
        gpu->events.data = data;
    }
    return WARPSTEP_OK;
}
