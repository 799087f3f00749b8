/*
 * DRAM: channels with a data bus and banks that keep one row open for a while. The time of an
 * access is decided when it arrives: it waits for the bus and for a refresh under way, and for its
 * bank to open another row. Rows open beside the transfers of other banks.
 */
#ifndef WS_SIM_MEMORY_DRAM_H
#define WS_SIM_MEMORY_DRAM_H

#include "sim/base/divider.h"
#include "sim/base/state_arena.h"
#include "sim/device/device.h"

typedef struct {
    guint64 row;  /* open row + 1, 0 = none */
    guint64 free; /* the bank can open another row from here */
    guint64 closes;
} WsDramBank;

typedef struct {
    WsStateArena *arena; /* or NULL */
    const WsDevice *device;
    guint32 channels, banks;
    WsDivider by_row, by_banks; /* lines of a row, and banks */
    guint64 row_open;           /* cycles, 0 = for good */
    guint64 refresh_interval;   /* 0 = never */
    WsDivider by_refresh;
    guint64 *bus_free; /* by channel, 1/1000 cycle */
    WsDramBank *bank;  /* [channel][bank] */
    guint64 read_bytes, write_bytes;
} WsDram;

void ws_dram_init(WsDram *dram, WsStateArena *arena, const WsDevice *device);
void ws_dram_clear(WsDram *dram);
void ws_dram_reset(WsDram *dram);
/* Time starts over; contents stay. */
void ws_dram_rewind(WsDram *dram);

/*
 * Transfers `sectors` sectors of a line at `cycle`. `place` numbers the lines of this channel, in
 * address order. Returns the cycle at which the last byte has passed.
 */
guint64 ws_dram_access(WsDram *dram, guint64 cycle, guint32 channel, guint64 place, guint32 sectors,
                       gboolean write);

#endif
