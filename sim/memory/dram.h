/*
 * DRAM: channels with a data bus and banks that keep one row open for a while. The time of an
 * access is decided when it arrives: it waits for the bus and for a refresh under way, and for its
 * bank to open another row. Rows open beside the transfers of other banks.
 *
 * A fair share (sim/device/memory_share.h) has fewer channels with slower buses. Each access waits
 * for the refresh that it would meet in the whole machine, but leaves the bus to others then; what
 * refreshes cost in bandwidth is in the rate of the buses.
 */
#ifndef WS_SIM_MEMORY_DRAM_H
#define WS_SIM_MEMORY_DRAM_H

#include "sim/base/divider.h"
#include "sim/base/state_arena.h"
#include "sim/device/memory_share.h"

typedef struct {
    guint64 row;  /* open row + 1, 0 = none */
    guint64 free; /* the bank can open another row from here */
    guint64 closes;
} WsDramBank;

typedef struct {
    WsStateArena *arena; /* or NULL */
    const WsDevice *device;
    guint32 channels, banks;
    gboolean divided;           /* a fair share */
    WsServiceRate rate;         /* of its buses */
    WsDivider by_row, by_banks; /* lines of a row, and banks */
    guint64 row_open;           /* cycles, 0 = for good */
    guint64 refresh_interval;   /* 0 = never */
    WsDivider by_refresh;
    guint64 *bus_free;  /* by channel, 1/1000 cycle */
    guint64 *bus_carry; /* by channel of a share: see ws_service_cycles() */
    WsDramBank *bank;   /* [channel][bank] */
    guint64 read_bytes, write_bytes;
} WsDram;

void ws_dram_init(WsDram *dram, WsStateArena *arena, const WsDevice *device);
void ws_dram_clear(WsDram *dram);
void ws_dram_reset(WsDram *dram);
/* Time starts over; contents stay. */
void ws_dram_rewind(WsDram *dram);

typedef struct {
    guint32 channel;
    guint32 refresh; /* the channel of the whole machine, which says when it refreshes */
    guint64 line;    /* numbers the lines of the channel, in address order */
} WsDramPlace;

/*
 * Transfers `sectors` sectors of a line at `cycle`. Returns the cycle at which the last byte has
 * passed.
 */
guint64 ws_dram_access(WsDram *dram, guint64 cycle, const WsDramPlace *place, guint32 sectors,
                       gboolean write);

/* What the bus of a channel has still to transfer at `cycle`: as much as fits into the time for
 * which it is taken. */
guint64 ws_dram_waiting_bytes(const WsDram *dram, guint32 channel, guint64 cycle);

#endif
