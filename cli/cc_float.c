#include "cli/cc_float.h"

#include "isa/cuda/clang_arguments.h"

static gboolean is_so(WsCcTruth said, gboolean otherwise)
{
    return said == WS_CC_UNSAID ? otherwise : said == WS_CC_YES;
}

static void add_internal(GPtrArray *arguments, const char *option)
{
    ws_clang_argument(arguments, "-mllvm");
    ws_clang_argument(arguments, "%s", option);
}

/*
 * Not clang's -ffast-math, which also reorders sums and takes it that there are no infinities: nvcc
 * does neither. Macros are for our headers (isa/cuda/include/warpstep/).
 */
void ws_cc_float_arguments(GPtrArray *arguments, const WsCcFloat *floats)
{
    const gboolean fast = floats->is_fast;
    if (is_so(floats->flush, fast)) {
        ws_clang_argument(arguments, "-fcuda-flush-denormals-to-zero");
        ws_clang_argument(arguments, "-D__WARPSTEP_FTZ__=1");
    }
    /* 1: div.full, good for all divisors; 0: div.approx, which __fdividef() is. */
    if (!is_so(floats->precise_division, !fast))
        add_internal(arguments, fast ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1");
    if (!is_so(floats->precise_root, !fast)) {
        add_internal(arguments, "-nvptx-prec-sqrtf32=0");
        ws_clang_argument(arguments, "-D__WARPSTEP_APPROXIMATE_ROOT__=1");
    }
    if (!is_so(floats->fused, TRUE))
        ws_clang_argument(arguments, "-ffp-contract=off");
    if (fast)
        ws_clang_argument(arguments, "-D__USE_FAST_MATH__=1");
}
