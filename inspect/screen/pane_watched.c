/* What `display` was asked to show, of the focused warp. */
#include "inspect/screen/view.h"

void ws_draw_watched(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    if (!view->has_watched)
        ws_grid_put(grid, in, 0, 1, WS_LOOK_DIM, "Nothing: :display sum shows a variable here.");
    else if (ws_session_place(view->session).sm == NULL)
        ws_grid_put(grid, in, 0, 1, WS_LOOK_DIM, "The warp is not resident.");
    for (guint row = 0;
         view->has_watched && row < in->rows && view->watched != NULL && view->watched[row] != NULL;
         row++)
        ws_grid_put(grid, in, row, 0, WS_LOOK_PLAIN, view->watched[row]);
}
