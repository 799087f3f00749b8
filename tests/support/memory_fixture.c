#include "tests/support/memory_fixture.h"

#include "sim/lanes/memory_operation.h"

#include <string.h>

#include "sim/lanes/private.h"

static WsWarpRegisters *new_warp(guint32 warp_size)
{
    WsWarpRegisters *warp = g_new0(WsWarpRegisters, 1);
    warp->registers = g_new0(guint32, (gsize)MACHINE_REGISTERS * warp_size);
    warp->predicates[7] = G_MAXUINT64;
    return warp;
}

static void add_buffers(Machine *machine, const guint64 *bytes, guint32 buffers)
{
    guint64 address = WS_BUFFER_BASE;
    machine->job.program = machine->program;
    machine->job.device = machine->device;
    machine->job.buffer_count = buffers;
    machine->job.buffers = g_new0(WsBuffer, buffers);
    for (guint32 i = 0; i < buffers; i++) {
        machine->job.buffers[i] = (WsBuffer){.name = g_strdup_printf("b%u", i),
                                             .type = WS_TYPE_U32,
                                             .count = bytes[i] / 4,
                                             .bytes = bytes[i],
                                             .address = address,
                                             .data = g_malloc0(bytes[i])};
        address = (address + bytes[i] + (2u << 20)) & ~(guint64)0xfffff;
    }
}

Machine *machine_new(const char *device, const char *const *settings, guint32 sms,
                     const guint64 *bytes, guint32 buffers, guint64 carveout, guint32 local_bytes)
{
    GError *error = NULL;
    Machine *machine = g_new0(Machine, 1);
    machine->device = ws_device_load(device, settings, &error);
    g_assert_no_error(error);
    machine->program = g_new0(WsProgram, 1);
    machine->program->instructions = g_new0(WsInstruction, MACHINE_OPS);
    machine->decoded = (WsDecodedProgram){.program = machine->program,
                                          .addresses = ws_lanes_table(NULL)->addresses,
                                          .instructions = g_new0(WsDecoded, MACHINE_OPS),
                                          .warp_size = (guint32)machine->device->warp_size};
    add_buffers(machine, bytes, buffers);
    machine->contents = ws_global_memory_new(&machine->job);
    machine->system = ws_memory_system_new(machine->device, machine->contents, NULL);
    machine->window = ws_memory_window(machine->device);
    machine->sms = sms;
    for (guint32 sm = 0; sm < sms; sm++) {
        machine->memory[sm] = ws_sm_memory_new(machine->system, machine->device, sm, MACHINE_WARPS,
                                               carveout, local_bytes);
        for (guint32 warp = 0; warp < MACHINE_WARPS; warp++)
            machine->warps[sm][warp] = new_warp(machine->decoded.warp_size);
    }
    return machine;
}

void machine_free(Machine *machine)
{
    for (guint32 sm = 0; sm < machine->sms; sm++) {
        ws_sm_memory_free(machine->memory[sm]);
        for (guint32 warp = 0; warp < MACHINE_WARPS; warp++) {
            g_free(machine->warps[sm][warp]->registers);
            g_free(machine->warps[sm][warp]);
        }
    }
    ws_memory_system_free(machine->system);
    ws_global_memory_free(machine->contents);
    for (guint32 i = 0; i < machine->job.buffer_count; i++) {
        g_free(machine->job.buffers[i].name);
        g_free(machine->job.buffers[i].data);
    }
    g_free(machine->job.buffers);
    g_free(machine->decoded.instructions);
    g_free(machine->program->instructions);
    g_free(machine->program);
    ws_device_free(machine->device);
    g_free(machine);
}

static guint32 add_op(Machine *machine, WsOpcode opcode, guint flags)
{
    guint32 number = machine->program->instruction_count++;
    g_assert_true(number < MACHINE_OPS);
    ws_instruction_init(&machine->program->instructions[number], opcode);
    WsDecoded *decoded = &machine->decoded.instructions[number];
    *decoded = (WsDecoded){.d = R_RESULT,
                           .a = R_ADDRESS,
                           .b = R_VALUE,
                           .c = R_SECOND,
                           .immediate = (guint32)WS_URZ << 24, /* no uniform register, offset 0 */
                           .flags = (guint16)(flags | 1u << WS_FIELD_ADDRESS),
                           .opcode = (guint8)opcode,
                           .kind = WS_KIND_MEMORY,
                           .execution_class = ws_opcode_info(opcode)->execution_class,
                           .guard = 7};
    ws_memory_operation_init(&decoded->operation, decoded);
    return number;
}

guint32 machine_op(Machine *machine, WsOpcode opcode, guint width, guint cache)
{
    return add_op(machine, opcode, width << WS_FIELD_WIDTH | cache << WS_FIELD_CACHE);
}

guint32 machine_atomic(Machine *machine, WsOpcode opcode, guint operation, guint type)
{
    return add_op(machine, opcode, operation << WS_FIELD_ATOMIC | type << WS_FIELD_ATOMIC_TYPE);
}

guint32 *machine_register(Machine *machine, guint32 sm, guint32 warp, guint32 row, guint32 lane)
{
    return &machine->warps[sm][warp]->registers[row * machine->decoded.warp_size + lane];
}

void machine_set_address(Machine *machine, guint32 sm, guint32 warp, guint32 lane, guint64 address)
{
    *machine_register(machine, sm, warp, R_ADDRESS, lane) = (guint32)address;
    *machine_register(machine, sm, warp, R_ADDRESS + 1, lane) = (guint32)(address >> 32);
}

guint64 machine_all(const Machine *machine)
{
    guint32 lanes = machine->decoded.warp_size;
    return lanes == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << lanes) - 1;
}

WsMemoryAccess machine_issue(Machine *machine, guint32 sm, guint32 warp, guint64 cycle, guint32 op,
                             guint64 mask)
{
    WsMemoryAccess access = ws_sm_memory_access(
        machine->memory[sm], cycle, warp % machine->device->sub_cores, warp, 0, &machine->decoded,
        &machine->decoded.instructions[op], machine->warps[sm][warp], mask);
    if (access.outcome == WS_ACCESS_PENDING) {
        g_assert_true(access.token < 65536);
        machine->ready[sm][access.token] = 0;
    }
    return access;
}

void machine_batch(Machine *machine)
{
    machine->batch = TRUE;
    for (guint32 sm = 0; sm < machine->sms; sm++)
        ws_sm_memory_batch(machine->memory[sm], machine->warps[sm]);
}

/* Delivers what arrives at the next cycle at which anything does, unless that is after `until`. */
static gboolean deliver_next(Machine *machine, guint32 sm, guint64 until)
{
    WsResponse response;
    guint64 next = machine->batch ? ws_sm_memory_next_completion(machine->memory[sm])
                                  : ws_sm_memory_next_response(machine->memory[sm]);
    if (next > until)
        return FALSE;
    machine->arrived++;
    while (ws_sm_memory_deliver(machine->memory[sm], next, machine->warps[sm], &response))
        machine->ready[sm][response.token] = response.ready_cycle;
    return TRUE;
}

static void deliver(Machine *machine, guint64 until)
{
    for (guint32 i = 0; i < machine->sms; i++)
        while (deliver_next(machine, machine->reverse ? machine->sms - 1 - i : i, until))
            continue;
}

static void settle_by_shares(Machine *machine)
{
    ws_memory_system_split(machine->system, machine->shares);
    guint32 shares = ws_memory_system_shares(machine->system);
    g_assert_true(shares == machine->shares);
    while (shares-- > 0)
        ws_memory_system_settle_share(machine->system, shares, machine->settled);
    ws_memory_system_end_settle(machine->system, machine->settled);
    for (guint32 sm = machine->sms; sm-- > 0;)
        ws_memory_system_collect(machine->system, sm);
}

static void end_window(Machine *machine)
{
    machine->settled += machine->window;
    deliver(machine, machine->settled - 1);
    for (guint32 sm = 0; machine->batch && sm < machine->sms; sm++)
        ws_sm_memory_end_batch(machine->memory[sm], machine->settled - 1);
    if (machine->shares == 0)
        ws_memory_system_settle(machine->system, machine->settled);
    else
        settle_by_shares(machine);
}

void machine_run(Machine *machine, guint64 cycle)
{
    while (machine->settled + machine->window <= cycle)
        end_window(machine);
    deliver(machine, cycle);
}

guint64 machine_complete(Machine *machine, guint32 sm, guint32 warp, guint64 cycle, guint32 op,
                         guint64 mask)
{
    machine_run(machine, cycle);
    WsMemoryAccess access = machine_issue(machine, sm, warp, cycle, op, mask);
    g_assert_true(access.outcome != WS_ACCESS_FAULT);
    if (access.outcome == WS_ACCESS_DONE)
        return access.ready_cycle;
    while (machine->ready[sm][access.token] == 0) {
        g_assert_true(machine->settled < cycle + 10000000);
        if (!deliver_next(machine, sm, machine->settled + machine->window - 1))
            end_window(machine);
    }
    return machine->ready[sm][access.token];
}

guint64 machine_drain(Machine *machine)
{
    guint64 last = machine->settled;
    for (guint32 quiet = 0; quiet < 200; quiet++) {
        for (guint32 sm = 0; sm < machine->sms; sm++) {
            guint64 next = ws_sm_memory_next_response(machine->memory[sm]);
            if (next == G_MAXUINT64)
                continue;
            last = MAX(last, next);
            quiet = 0;
        }
        machine_run(machine, machine->settled + machine->window);
    }
    return last;
}
