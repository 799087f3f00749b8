#include "sim/dram.h"

#include "sim/coalescer.h"

#include <string.h>

void ws_dram_init(WsDram *dram, const WsDevice *device)
{
    *dram = (WsDram){.device = device,
                     .channels = (guint32)device->dram_channels,
                     .banks = (guint32)device->dram_banks,
                     .lines_per_row = MAX(1, device->dram_row_bytes / WS_LINE_BYTES)};
    dram->bus_free = g_new0(guint64, dram->channels);
    dram->bank = g_new0(WsDramBank, (gsize)dram->channels * dram->banks);
}

void ws_dram_clear(WsDram *dram)
{
    g_clear_pointer(&dram->bus_free, g_free);
    g_clear_pointer(&dram->bank, g_free);
}

void ws_dram_rewind(WsDram *dram)
{
    memset(dram->bus_free, 0, sizeof(guint64) * dram->channels);
    for (gsize i = 0; i < (gsize)dram->channels * dram->banks; i++)
        dram->bank[i].free = 0;
}

void ws_dram_reset(WsDram *dram)
{
    memset(dram->bus_free, 0, sizeof(guint64) * dram->channels);
    memset(dram->bank, 0, sizeof(WsDramBank) * dram->channels * dram->banks);
}

/* Channels refresh in turn, each every refresh_interval cycles. */
static guint64 after_refresh(const WsDram *dram, guint64 cycle, guint32 channel)
{
    guint64 interval = dram->device->dram_refresh_interval;
    if (interval == 0)
        return cycle;
    guint64 phase = (cycle + interval * channel / dram->channels) % interval;
    guint64 busy = MIN(dram->device->dram_refresh_cycles, interval - 1);
    return phase < busy ? cycle + busy - phase : cycle;
}

guint64 ws_dram_access(WsDram *dram, guint64 cycle, guint32 channel, guint64 place, guint32 sectors,
                       gboolean write)
{
    guint64 row = place / dram->lines_per_row;
    /* Neighbouring rows in different banks, and strides spread: fold the upper bits in. */
    guint64 mixed = row ^ (row / dram->banks) ^ (row / dram->banks / dram->banks);
    WsDramBank *bank = &dram->bank[(gsize)channel * dram->banks + mixed % dram->banks];
    guint64 service = sectors * dram->device->dram_interval_milli;
    guint64 start = after_refresh(dram, cycle, channel);
    guint64 bus = MAX(start * 1000, dram->bus_free[channel]);
    dram->bus_free[channel] = bus + service;
    guint64 ready = MAX(start, bank->free);
    if (bank->row != row + 1) {
        ready += dram->device->dram_row_cycles;
        bank->row = row + 1;
    }
    guint64 end = MAX(ready * 1000, bus) + service;
    bank->free = end / 1000;
    *(write ? &dram->write_bytes : &dram->read_bytes) += (guint64)sectors * WS_SECTOR_BYTES;
    return (end + 999) / 1000;
}
