#include "grade/trial/last_writer.h"

#include "sim/base/call_frames.h"
#include "sim/interpreter/interpreter.h"

char *ws_last_writer(WsJob *job, guint32 buffer, guint64 element, guint64 most_instructions)
{
    const WsBuffer *wrong = &job->buffers[buffer];
    WsLastWrite watch = {.address = wrong->address + element * ws_type_size(wrong->type)};
    WsInterpretOptions options = {.max_warp_instructions = most_instructions, .watch = &watch};
    WsInterpretCounts counts;
    for (guint32 i = 0; i < job->launch_count; i++)
        if (!ws_interpret(job, i, &options, &counts, NULL))
            return NULL;
    if (!watch.found)
        return g_strdup("");
    g_autofree char *place = ws_framed_instruction_place(job->program, watch.instruction, TRUE);
    return g_strdup_printf("block (%u,%u,%u), thread (%u,%u,%u) at %s", watch.block[0],
                           watch.block[1], watch.block[2], watch.thread[0], watch.thread[1],
                           watch.thread[2], place);
}
