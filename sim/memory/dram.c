#include "sim/memory/dram.h"

#include "sim/memory/coalescer.h"

#include <string.h>

void ws_dram_init(WsDram *dram, WsStateArena *arena, const WsDevice *device)
{
    gboolean divided = ws_memory_is_divided(device);
    *dram = (WsDram){
        .arena = arena,
        .device = device,
        .divided = divided,
        .channels = (guint32)(divided ? ws_memory_share_channels(device) : device->dram_channels),
        .banks = (guint32)device->dram_banks,
        .row_open = (guint64)device->dram_row_open,
        .refresh_interval = device->dram_refresh_interval};
    ws_divider_init(&dram->by_row, MAX(1, device->dram_row_bytes / WS_LINE_BYTES));
    ws_divider_init(&dram->by_banks, dram->banks);
    ws_divider_init(&dram->by_refresh, MAX(1, dram->refresh_interval));
    if (divided)
        dram->rate = ws_memory_share_channel_rate(device);
    dram->bus_free = ws_state_new(arena, guint64, dram->channels);
    dram->bus_carry = ws_state_new(arena, guint64, dram->channels);
    dram->bank = ws_state_new(arena, WsDramBank, (gsize)dram->channels * dram->banks);
}

void ws_dram_clear(WsDram *dram)
{
    ws_state_free(dram->arena, dram->bus_free);
    ws_state_free(dram->arena, dram->bus_carry);
    ws_state_free(dram->arena, dram->bank);
}

void ws_dram_rewind(WsDram *dram)
{
    memset(dram->bus_free, 0, sizeof(guint64) * dram->channels);
    memset(dram->bus_carry, 0, sizeof(guint64) * dram->channels);
    for (gsize i = 0; i < (gsize)dram->channels * dram->banks; i++)
        dram->bank[i].free = dram->bank[i].closes = 0;
}

void ws_dram_reset(WsDram *dram)
{
    memset(dram->bus_free, 0, sizeof(guint64) * dram->channels);
    memset(dram->bus_carry, 0, sizeof(guint64) * dram->channels);
    memset(dram->bank, 0, sizeof(WsDramBank) * dram->channels * dram->banks);
}

/* Channels refresh in turn, each every refresh_interval cycles. */
static guint64 after_refresh(const WsDram *dram, guint64 cycle, guint32 channel)
{
    guint64 interval = dram->refresh_interval;
    if (interval == 0)
        return cycle;
    guint64 turn = interval * channel / dram->device->dram_channels;
    guint64 phase = ws_remainder(&dram->by_refresh, cycle + turn);
    guint64 busy = MIN(dram->device->dram_refresh_cycles, interval - 1);
    return phase < busy ? cycle + busy - phase : cycle;
}

/* Takes the bus from `cycle` on, when the access may begin; returns when it has it, in 1/1000. */
static guint64 take_bus(WsDram *dram, guint32 channel, guint64 cycle, guint64 service)
{
    guint64 *free = &dram->bus_free[channel], *carry = &dram->bus_carry[channel];
    guint64 bus = MAX(cycle * 1000, *free);
    if (!dram->divided) {
        *free = bus + service;
        return bus;
    }
    if (*free <= cycle * 1000)
        *carry = 0;
    *free = bus + ws_service_cycles(&dram->rate, service * 1000, carry);
    return bus;
}

guint64 ws_dram_access(WsDram *dram, guint64 cycle, const WsDramPlace *place, guint32 sectors,
                       gboolean write)
{
    guint64 row = ws_divide(&dram->by_row, place->line), upper = ws_divide(&dram->by_banks, row);
    /* Neighbouring rows in different banks, and strides spread: fold the upper bits in. */
    guint64 mixed = row ^ upper ^ ws_divide(&dram->by_banks, upper);
    WsDramBank *bank =
        &dram->bank[(gsize)place->channel * dram->banks + ws_remainder(&dram->by_banks, mixed)];
    guint64 service = sectors * dram->device->dram_interval_milli, row_cycles = 0;
    guint64 refreshed = after_refresh(dram, cycle, place->refresh);
    guint64 start = dram->divided ? cycle : refreshed;
    guint64 bus = take_bus(dram, place->channel, start, service);
    guint64 ready = MAX(start, bank->free);
    if (bank->row != row + 1 || ready >= bank->closes) {
        row_cycles = dram->device->dram_row_cycles;
        bank->row = row + 1;
    }
    guint64 end = MAX((ready + row_cycles) * 1000, bus) + service;
    bank->free = end / 1000;
    bank->closes = dram->row_open == 0 ? G_MAXUINT64 : bank->free + dram->row_open;
    *(write ? &dram->write_bytes : &dram->read_bytes) += (guint64)sectors * WS_SECTOR_BYTES;
    /* Nothing waits behind the refresh of a channel that stands for many. */
    end = MAX(end, (refreshed + row_cycles) * 1000 + service);
    return (end + 999) / 1000;
}

guint64 ws_dram_waiting_bytes(const WsDram *dram, guint32 channel, guint64 cycle)
{
    guint64 now = cycle * 1000, milli = dram->bus_free[channel];

    if (milli <= now)
        return 0;
    milli -= now;
    if (dram->divided)
        milli = milli * dram->rate.denominator / MAX(dram->rate.numerator, 1);
    return milli / dram->device->dram_interval_milli * WS_SECTOR_BYTES;
}
