#include "sim/sm/front_end.h"

void ws_front_end_begin(WsFrontEnd *front, guint64 set_up_until)
{
    *front = (WsFrontEnd){.set_up_until = set_up_until};
    ws_front_end_lose(front);
}

void ws_front_end_fetch(WsFrontEnd *front, const WsFetchRules *rules, guint sub_core, guint32 pc,
                        guint64 free, gboolean before_first, guint64 now)
{
    guint32 at = pc - rules->first, line = at >> rules->line_shift;
    guint32 reached = (at + rules->buffer) >> rules->line_shift;
    guint64 cycle = MAX(now, free);

    front->looked_at = reached;
    if (rules->fetch == NULL)
        return;
    if (before_first)
        cycle = MAX(now, ws_fetch_before(rules->fetch, front->set_up_until));
    if (front->line != line) {
        front->ready = front->ahead_line == line
                           ? front->ahead_ready
                           : ws_instruction_fetch(rules->fetch, sub_core, line, cycle, FALSE);
        front->line = line;
    }
    if (reached == line)
        return;
    if (front->ahead_line != reached) {
        front->ahead_line = reached;
        front->ahead_ready =
            ws_instruction_fetch(rules->fetch, sub_core, reached, MAX(cycle, front->ready), TRUE);
    }
    if (front->ahead_ready > now) /* look again at the next instruction */
        front->looked_at = WS_NO_LINE;
}
