#include "sim/sm/dispatcher.h"

gboolean ws_dispatcher_switch(WsDispatcher *dispatcher, WsPipes *pipes, guint last, guint64 cost,
                              guint64 now, guint *warp)
{
    if (dispatcher->committed != WS_NO_WARP) {
        *warp = dispatcher->committed;
        dispatcher->committed = WS_NO_WARP;
        return TRUE;
    }
    if (last == WS_NO_WARP || last == *warp)
        return TRUE;
    dispatcher->committed = (guint8)*warp;
    ws_dispatcher_block(dispatcher, pipes, now + 1, now + cost);
    return FALSE;
}
