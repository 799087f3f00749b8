/*
 * `kernel<< <grid, block>> >(...)`, as Visual Studio's formatter leaves launches and nvcc takes
 * them: for clang, the brackets of a launch are one token each.
 */
#ifndef WS_ISA_CUDA_REWRITE_LAUNCHES_H
#define WS_ISA_CUDA_REWRITE_LAUNCHES_H

#include <glib.h>

/*
 * The text with the blanks in brackets of launches moved behind them; all else stays in its line
 * and column. `text` itself, with a reference more, if there are none.
 */
GBytes *ws_cuda_rewrite_launches(GBytes *text);

#endif
