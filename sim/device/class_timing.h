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
    ROW(latency, 1, 10000, 1, "issue to dependent issue, consumer on the same pipe", __VA_ARGS__)  \
    ROW(cross_latency, 0, 10000, 0, "consumer on another pipe (0 = latency)", __VA_ARGS__)         \
    ROW(predicate_latency, 0, 10000, 0,                                                            \
        "predicate result to a predicate operand of the ALU (0 = latency)", __VA_ARGS__)             \
    ROW(branch_latency, 0, 10000, 0,                                                               \
        "predicate result to a guard, branch or exit (0 = predicate_latency)", __VA_ARGS__)               \
    ROW(address_latency, 0, 10000, 0,                                                              \
        "consumer uses the result as an address (0 = cross_latency)", __VA_ARGS__)                 \
    ROW(addend_latency, 0, 10000, 0,                                                               \
        "IMAD and its like add the result to their product (0 = as other users of the FMA pipe)",  \
        __VA_ARGS__)                                                                               \
    ROW(factor_latency, 0, 10000, 0,                                                               \
        "a 64-bit product multiplies the result (0 = as other users of the FMA pipe)",              \
        __VA_ARGS__)                                                                               \
    ROW(high_later, 0, 100, 0,                                                                     \
        "the high word of a 64-bit product, and its carry, come so much later", __VA_ARGS__)       \
    ROW(written_latency, 0, 10000, 0,                                                              \
        "until the register file has it, where 64-bit products read factors (0 = latency)",        \
        __VA_ARGS__)                                                                               \
    ROW(hold, 0, 100, 0, "the sub-core issues nothing for so many cycles behind it", __VA_ARGS__)  \
    ROW(idle_latency, 0, 10000, 0,                                                                 \
        "as latency, for an instruction that its guard keeps from all lanes (0 = latency)",        \
        __VA_ARGS__)                                                                               \
    ROW(xu_latency, 0, 10000, 0, "consumer on the XU pipe (0 = cross_latency)", __VA_ARGS__)        \
    ROW(interval, 1, 1000, 1, "between issues on the pipe of one sub-core", __VA_ARGS__)           \
    ROW(half_interval, 0, 1000, 0,                                                                 \
        "one half of the FMA pipe does it in so many cycles, first the half that makes no "        \
        "products; so if more than interval",                                                      \
        __VA_ARGS__)                                                                               \
    ROW(warp_interval, 0, 1000, 0, "between two issues of one warp (0 = interval)", __VA_ARGS__)   \
    ROW(sm_interval, 0, 1000, 0,                                                                   \
        "between instructions in the unit the SM shares (0 = not shared)", __VA_ARGS__)            \
    ROW(extra_per_way, 0, 1000, 0,                                                                 \
        "added per wavefront or address beyond the first", __VA_ARGS__)                            \
    ROW(passes_barrier, 0, 1, 0,                                                                   \
        "1 = issues while a block barrier that the warp came to is still closed; 0 for what "      \
        "touches memory, branches or ends, whatever is said",                                      \
        __VA_ARGS__)
/* clang-format on */

#endif
