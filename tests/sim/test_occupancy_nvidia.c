/*
 * Random occupancy queries against NVIDIA's own calculator, cuda_occupancy.h of an installed CUDA
 * toolkit (built only where it is found; nothing of it is kept here).
 *
 *   test_occupancy_nvidia [QUERIES [SEED]]     compares, 1000000 queries by default
 *   test_occupancy_nvidia --table ROWS         prints a CSV of ROWS answers of NVIDIA's calculator
 *
 * The table made by the second form is kept in tests/data/occupancy_nvidia.csv for machines without
 * the toolkit (test_occupancy_table).
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wshadow"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

#include "sim/base/contents.h"
#include "sim/occupancy/occupancy.h"

typedef struct {
    const char *device;
    WsOccupancyQuery query;
} Question;

static guint64 pick(guint64 seed, guint64 *index, guint64 count)
{
    return ws_split_mix(seed, (*index)++) % count;
}

static cudaOccDeviceProp properties(const WsDevice *device)
{
    cudaOccDeviceProp prop = {0};
    prop.computeMajor = (int)device->compute_major;
    prop.computeMinor = (int)device->compute_minor;
    prop.maxThreadsPerBlock = (int)device->max_threads_per_block;
    prop.maxThreadsPerMultiprocessor = (int)(device->max_warps_per_sm * device->warp_size);
    prop.regsPerBlock = (int)device->registers_per_block;
    prop.regsPerMultiprocessor = (int)device->registers_per_sm;
    prop.warpSize = (int)device->warp_size;
    prop.sharedMemPerBlock = device->shared_bytes_per_block;
    prop.sharedMemPerMultiprocessor = device->shared_bytes_per_sm;
    prop.numSms = (int)device->sms;
    prop.sharedMemPerBlockOptin = device->shared_bytes_per_block_optin;
    prop.reservedSharedMemPerBlock = device->reserved_shared_bytes;
    return prop;
}

/* NVIDIA's answer in blocks, -1 if it gives an error. */
static int ask_nvidia(const WsDevice *device, const WsOccupancyQuery *query)
{
    cudaOccDeviceProp prop = properties(device);
    cudaOccFuncAttributes attributes = {0};
    attributes.maxThreadsPerBlock = INT_MAX;
    attributes.numRegs = (int)query->registers;
    attributes.sharedSizeBytes = query->static_shared;
    attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    attributes.maxDynamicSharedSizeBytes = query->dynamic_shared;
    attributes.numBlockBarriers = (int)query->barriers;
    cudaOccDeviceState state = {0};
    state.cacheConfig = CACHE_PREFER_NONE;
    state.carveoutConfig = query->carveout;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &prop, &attributes, &state,
                                                (int)query->threads,
                                                query->dynamic_shared) != CUDA_OCC_SUCCESS)
        return -1;
    return result.activeBlocksPerMultiprocessor;
}

static WsOccupancyQuery random_query(const WsDevice *device, guint64 seed, guint64 *index)
{
    WsOccupancyQuery query = {0};
    query.threads = 1 + (guint32)pick(seed, index, 1024);
    query.registers = 1 + (guint32)pick(seed, index, 255);
    guint64 most = device->shared_bytes_per_block_optin;
    /* Half of the questions have little shared memory, so that other limits bind too. */
    guint64 range = pick(seed, index, 2) == 0 ? most : 8192;
    query.static_shared = pick(seed, index, MIN(range, 49152) + 1);
    query.dynamic_shared = pick(seed, index, range - MIN(query.static_shared, range) + 1);
    query.carveout = (gint32)pick(seed, index, 102) - 1;
    query.barriers = (guint32)pick(seed, index, 17);
    return query;
}

static void print_question(FILE *file, const char *name, const WsOccupancyQuery *query)
{
    fprintf(file, "%s,%u,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%d,%u", name,
            query->threads, query->registers, query->static_shared, query->dynamic_shared,
            query->carveout, query->barriers);
}

typedef struct {
    const char *name;
    WsDevice *device;
} Named;

/* Real devices only: the teaching machines are not NVIDIA's. */
static GArray *load_devices(void)
{
    GArray *devices = g_array_new(FALSE, FALSE, sizeof(Named));
    for (const char *const *name = ws_device_names(); *name != NULL; name++) {
        g_autoptr(GError) error = NULL;
        Named named = {*name, ws_device_load(*name, NULL, &error)};
        g_assert_no_error(error);
        WsOccupancyQuery query = {.threads = 32, .registers = 16, .carveout = -1, .barriers = 1};
        if (named.device->warp_size != 32 || g_str_has_prefix(*name, "textbook") ||
            ask_nvidia(named.device, &query) < 0)
            ws_device_free(named.device);
        else
            g_array_append_val(devices, named);
    }
    return devices;
}

static int print_table(const GArray *devices, guint64 rows)
{
    printf("device,block,regs,smem,dynamic_smem,carveout,barriers,blocks_per_sm\n");
    guint64 index = 0;
    for (guint64 i = 0; i < rows; i++) {
        const Named *named = &g_array_index(devices, Named, i % devices->len);
        WsOccupancyQuery query = random_query(named->device, 2026, &index);
        print_question(stdout, named->name, &query);
        printf(",%d\n", ask_nvidia(named->device, &query));
    }
    return EXIT_SUCCESS;
}

static int compare(const GArray *devices, guint64 queries, guint64 seed)
{
    guint64 index = 0;
    guint64 differences = 0;
    guint64 zero = 0;
    for (guint64 i = 0; i < queries; i++) {
        const Named *named = &g_array_index(devices, Named, i % devices->len);
        WsOccupancyQuery query = random_query(named->device, seed, &index);
        WsOccupancy result;
        ws_occupancy(named->device, &query, &result);
        int expected = ask_nvidia(named->device, &query);
        zero += expected == 0;
        if (expected == (int)result.blocks_per_sm)
            continue;
        if (differences++ < 10) {
            print_question(stderr, named->name, &query);
            fprintf(stderr, ": NVIDIA %d, Warpstep %u\n", expected, result.blocks_per_sm);
        }
    }
    printf("%" G_GUINT64_FORMAT " queries over %u devices (seed %" G_GUINT64_FORMAT
           "), %" G_GUINT64_FORMAT " with 0 blocks, %" G_GUINT64_FORMAT " differences\n",
           queries, devices->len, seed, zero, differences);
    return differences == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void clear_named(gpointer data)
{
    Named *named = data;
    ws_device_free(named->device);
}

int main(int argc, char **argv)
{
    g_autoptr(GArray) devices = load_devices();
    g_array_set_clear_func(devices, clear_named);
    if (argc == 3 && strcmp(argv[1], "--table") == 0)
        return print_table(devices, g_ascii_strtoull(argv[2], NULL, 10));
    guint64 queries = argc > 1 ? g_ascii_strtoull(argv[1], NULL, 10) : 1000000;
    guint64 seed = argc > 2 ? g_ascii_strtoull(argv[2], NULL, 10) : 1;
    return compare(devices, queries, seed);
}
