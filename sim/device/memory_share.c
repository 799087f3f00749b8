#include "sim/device/memory_share.h"

enum { SECTOR_BYTES = 32, MILLI = 1000 };

/* SMs that are simulated, of those that L2 and DRAM are made for; at most all of them. */
static guint64 memory_share_sms(const WsDevice *device)
{
    return MIN(device->sms, device->memory_sms);
}

gboolean ws_memory_is_divided(const WsDevice *device)
{
    return device->memory_model == WS_MEMORY_CACHED && device->memory_share == WS_SHARE_FAIR &&
           device->sms < device->memory_sms;
}

guint64 ws_memory_slices(const WsDevice *device)
{
    return MAX(1, device->l2_slices / device->l2_partitions) * device->l2_partitions;
}

/* The least whole number that holds the share of `count`. */
static guint64 share_of(const WsDevice *device, guint64 count)
{
    guint64 part = count * memory_share_sms(device);
    return (part + device->memory_sms - 1) / device->memory_sms;
}

guint64 ws_memory_share_slices(const WsDevice *device)
{
    return share_of(device, ws_memory_slices(device));
}

guint64 ws_memory_share_channels(const WsDevice *device)
{
    return share_of(device, device->dram_channels);
}

guint64 ws_memory_share_l2_bytes(const WsDevice *device)
{
    return device->l2_bytes * memory_share_sms(device) / device->memory_sms;
}

static guint64 common_divisor(guint64 a, guint64 b)
{
    while (b != 0) {
        guint64 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static WsServiceRate make_rate(guint64 numerator, guint64 denominator)
{
    guint64 common = common_divisor(numerator, denominator);
    return (WsServiceRate){numerator / common, denominator / common};
}

/* `few` units do what N/M of `all` would. */
static WsServiceRate share_rate(const WsDevice *device, guint64 few, guint64 all)
{
    return make_rate(few * device->memory_sms, all * memory_share_sms(device));
}

WsServiceRate ws_memory_share_slice_rate(const WsDevice *device)
{
    return share_rate(device, ws_memory_share_slices(device), ws_memory_slices(device));
}

WsServiceRate ws_memory_share_channel_rate(const WsDevice *device)
{
    WsServiceRate rate =
        share_rate(device, ws_memory_share_channels(device), device->dram_channels);
    guint64 interval = device->dram_refresh_interval;
    if (interval == 0)
        return rate;
    guint64 busy = MIN(device->dram_refresh_cycles, interval - 1);
    WsServiceRate refresh = make_rate(interval, interval - busy);
    return make_rate(rate.numerator * refresh.numerator, rate.denominator * refresh.denominator);
}

guint64 ws_service_cycles(const WsServiceRate *rate, guint64 milli, guint64 *carry)
{
    unsigned __int128 work = (unsigned __int128)milli * rate->numerator + *carry;
    unsigned __int128 cycle = (unsigned __int128)rate->denominator * MILLI;
    *carry = (guint64)(work % cycle);
    return (guint64)(work / cycle);
}

void ws_memory_fair_share(const WsDevice *device, WsFairShare *ret)
{
    double share = (double)memory_share_sms(device) / (double)device->memory_sms;
    *ret = (WsFairShare){
        .l2_bytes = share * (double)device->l2_bytes,
        .l2_bytes_per_cycle = share * (double)ws_memory_slices(device) * SECTOR_BYTES /
                              (double)device->l2_slice_interval,
        .dram_bytes_per_cycle = share * (double)device->dram_channels * SECTOR_BYTES * MILLI /
                                (double)device->dram_interval_milli,
    };
}
