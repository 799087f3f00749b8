/*
 * The numbers of one execution class (settings classes.NAME.FIELD), in cycles but for the last:
 *
 *   ROW(field, minimum, maximum, default, "help", ...)
 *
 * Further arguments of WS_CLASS_TIMINGS are handed to each row.
 */
#ifndef WS_SIM_DEVICE_CLASS_TIMING_H
#define WS_SIM_DEVICE_CLASS_TIMING_H

/* clang-format off */
#define WS_CLASS_TIMINGS(ROW, ...)                                                                 \
    ROW(latency, 1, 10000, 1,                                                                      \
        "issue to issue of a dependent instruction on the same pipe", __VA_ARGS__)                 \
    ROW(cross_latency, 0, 10000, 0,                                                                \
        "latency to a dependent instruction on another pipe (0 = latency)", __VA_ARGS__)                   \
    ROW(predicate_latency, 0, 10000, 0,                                                            \
        "latency from a predicate result to a predicate operand of the ALU pipe (0 = latency)", __VA_ARGS__)           \
    ROW(branch_latency, 0, 10000, 0,                                                               \
        "latency from a predicate result to a guard, branch or exit (0 = predicate_latency)", __VA_ARGS__)        \
    ROW(address_latency, 0, 10000, 0,                                                              \
        "latency to an instruction that uses the result as an address (0 = cross_latency)", __VA_ARGS__)   \
    ROW(factor_latency, 0, 10000, 0,                                                               \
        "latency to a 64-bit product that uses the result as a factor (0 = as other users of the "         \
        "FMA pipe)",                                                                               \
        __VA_ARGS__)                                                                               \
    ROW(high_later, 0, 100, 0,                                                                     \
        "extra latency of the high word of a 64-bit product, and of its carry", __VA_ARGS__)       \
    ROW(written_latency, 0, 10000, 0,                                                              \
        "time until the result is in the register file, from which 64-bit products read factors "       \
        "(0 = latency)",                                                                           \
        __VA_ARGS__)                                                                               \
    ROW(hold, 0, 100, 0,                                                                           \
        "cycles after the issue in which the sub-core issues nothing", __VA_ARGS__)                \
    ROW(idle_latency, 0, 10000, 0,                                                                 \
        "latency of an instruction whose guard is false in all lanes (0 = latency)",          \
        __VA_ARGS__)                                                                               \
    ROW(xu_latency, 0, 10000, 0,                                                                   \
        "latency to a dependent instruction on the XU pipe (0 = cross_latency)", __VA_ARGS__)              \
    ROW(interval, 1, 1000, 1, "interval between two issues on the pipe of one sub-core", __VA_ARGS__)           \
    ROW(half_interval, 0, 1000, 0,                                                                 \
        "interval on one half of the FMA pipe, preferably the half without integer products; "     \
        "used if more than interval",                                                              \
        __VA_ARGS__)                                                                               \
    ROW(warp_interval, 0, 1000, 0, "interval between two issues of one warp on the pipe (0 = interval)", __VA_ARGS__)   \
    ROW(sm_interval, 0, 1000, 0,                                                                   \
        "interval in the unit that all sub-cores of the SM share (0 = not shared)", __VA_ARGS__)                   \
    ROW(extra_per_way, 0, 1000, 0,                                                                 \
        "time added per wavefront or address beyond the first", __VA_ARGS__)                            \
    ROW(passes_barrier, 0, 1, 0,                                                                   \
        "1 = issues while a block barrier at which its warp waits is still closed; always 0 for "   \
        "memory accesses, branches and exits",                                                     \
        __VA_ARGS__)
/* clang-format on */

#endif
