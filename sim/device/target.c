#include "sim/device/target.h"

static void fill_uses(const WsClassTiming *t, guint k, WsCodeTarget *ret)
{
    guint16 *use = ret->use[k];
    guint cross = t->cross_latency ? t->cross_latency : t->latency;
    guint predicate = t->predicate_latency ? t->predicate_latency : t->latency;

    for (guint pipe = 0; pipe < WS_PIPE_COUNT; pipe++)
        use[pipe] = (guint16)(pipe == (guint)ws_class_pipe(k) ? t->latency : cross);
    if (ws_class_pipe(k) != WS_PIPE_XU && t->xu_latency)
        use[WS_PIPE_XU] = (guint16)t->xu_latency;
    use[WS_RELATION_PREDICATE] = (guint16)predicate;
    use[WS_RELATION_BRANCH] = (guint16)(t->branch_latency ? t->branch_latency : predicate);
    use[WS_RELATION_ADDRESS] = (guint16)(t->address_latency ? t->address_latency : cross);
    use[WS_RELATION_ADDEND] = use[WS_PIPE_FMA];
    use[WS_RELATION_FACTOR] = (guint16)(t->factor_latency ? t->factor_latency : use[WS_PIPE_FMA]);
    use[WS_RELATION_APART] = MAX(use[WS_PIPE_XU], ret->xu_overwrite);
    use[WS_RELATION_JOIN] = (guint16)(t->latency + ret->join_behind);
    use[WS_RELATION_DONE] = (guint16)t->latency;
}

/* Another SM with the same code is what `lower.budget_warps` and its neighbour are for. */
static WsCodeLimits limits_of(const WsDevice *device)
{
    guint64 warps = device->budget_warps != 0 ? device->budget_warps : device->max_warps_per_sm;
    guint64 registers =
        device->budget_registers != 0 ? device->budget_registers : device->registers_per_sm;
    return (WsCodeLimits){.registers = (guint32)registers,
                          .registers_per_thread = (guint32)device->max_registers_per_thread,
                          .register_unit =
                              (guint32)MAX(device->register_allocation_unit / device->warp_size, 1),
                          .warp_unit = (guint32)device->warp_allocation_granularity,
                          .warp_size = (guint32)device->warp_size,
                          .warps = (guint32)warps,
                          .blocks = (guint32)device->max_blocks_per_sm,
                          .block_threads = (guint32)device->max_threads_per_block,
                          .shared_bytes = (guint32)device->shared_bytes_per_sm,
                          .shared_reserved = (guint32)device->reserved_shared_bytes,
                          .shared_unit = (guint32)device->shared_allocation_unit};
}

void ws_code_target_of_device(const WsDevice *device, WsCodeTarget *ret)
{
    *ret = (WsCodeTarget){.limits = limits_of(device),
                          .order = {.miss = (guint16)device->expected_miss,
                                    .wide_to_factor = (guint16)device->wide_to_factor,
                                    .wide_to_address = (guint16)device->wide_to_address,
                                    .wide_interval = (guint16)device->wide_interval},
                          .xu_spacing = (guint16)device->xu_spacing,
                          .xu_overwrite = (guint16)device->xu_overwrite,
                          .join_behind = (guint16)device->convergence_behind};
    for (guint k = 0; k < WS_CLASS_COUNT; k++) {
        const WsClassTiming *t = &device->timing[k];
        guint reads_late = t->warp_interval - MIN(t->interval, t->warp_interval);

        ret->latency[k] = (guint16)t->latency;
        ret->high_later[k] = (guint16)t->high_later;
        ret->late[k] = (guint16)MAX(reads_late, t->hold);
        fill_uses(t, k, ret);
    }
}
