#include "tests/memory_fixture.h"

#include <string.h>

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
                                          .instructions = g_new0(WsDecoded, MACHINE_OPS),
                                          .warp_size = (guint32)machine->device->warp_size};
    add_buffers(machine, bytes, buffers);
    machine->contents = ws_global_memory_new(&machine->job);
    machine->system = ws_memory_system_new(machine->device, machine->contents);
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

static guint32 add_op(Machine *machine, WsOpcode opcode)
{
    guint32 number = machine->program->instruction_count++;
    g_assert_cmpuint(number, <, MACHINE_OPS);
    WsInstruction *instruction = &machine->program->instructions[number];
    ws_instruction_init(instruction, opcode);
    machine->decoded.instructions[number] =
        (WsDecoded){.d = R_RESULT,
                    .a = R_ADDRESS,
                    .b = R_VALUE,
                    .c = R_SECOND,
                    .opcode = (guint8)opcode,
                    .kind = WS_KIND_MEMORY,
                    .execution_class = ws_opcode_info(opcode)->execution_class,
                    .guard = 7};
    return number;
}

guint32 machine_op(Machine *machine, WsOpcode opcode, guint width, guint cache)
{
    guint32 number = add_op(machine, opcode);
    guint8 *mod = machine->program->instructions[number].mod;
    mod[WS_MOD_WIDTH] = (guint8)width;
    mod[WS_MOD_CACHE] = (guint8)cache;
    mod[WS_MOD_ADDRESS] = 1;
    return number;
}

guint32 machine_atomic(Machine *machine, WsOpcode opcode, guint operation, guint type)
{
    guint32 number = add_op(machine, opcode);
    guint8 *mod = machine->program->instructions[number].mod;
    mod[WS_MOD_ATOMIC] = (guint8)operation;
    mod[WS_MOD_ATOMIC_TYPE] = (guint8)type;
    mod[WS_MOD_ADDRESS] = 1;
    return number;
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

WsAccess machine_issue(Machine *machine, guint32 sm, guint32 warp, guint64 cycle, guint32 op,
                       guint64 mask)
{
    WsAccess access = ws_sm_memory_access(
        machine->memory[sm], cycle, warp % machine->device->sub_cores, warp, 0, &machine->decoded,
        &machine->decoded.instructions[op], machine->warps[sm][warp], mask);
    if (access.outcome == WS_ACCESS_PENDING) {
        g_assert_cmpuint(access.token, <, 65536);
        machine->ready[sm][access.token] = 0;
    }
    return access;
}

static void deliver(Machine *machine, guint32 sm, guint64 until)
{
    WsResponse response;
    for (;;) {
        guint64 next = ws_sm_memory_next_response(machine->memory[sm]);
        if (next > until)
            return;
        while (ws_sm_memory_deliver(machine->memory[sm], next, machine->warps[sm], &response))
            machine->ready[sm][response.token] = response.ready_cycle;
    }
}

void machine_run(Machine *machine, guint64 cycle)
{
    while (machine->settled <= cycle) {
        guint64 end = machine->settled + machine->window;
        for (guint32 i = 0; i < machine->sms; i++)
            deliver(machine, machine->reverse ? machine->sms - 1 - i : i, end - 1);
        ws_memory_system_settle(machine->system, end);
        machine->settled = end;
    }
    for (guint32 i = 0; i < machine->sms; i++)
        deliver(machine, machine->reverse ? machine->sms - 1 - i : i, cycle);
}

guint64 machine_complete(Machine *machine, guint32 sm, guint32 warp, guint64 cycle, guint32 op,
                         guint64 mask)
{
    WsAccess access = machine_issue(machine, sm, warp, cycle, op, mask);
    g_assert_cmpint(access.outcome, !=, WS_ACCESS_FAULT);
    if (access.outcome == WS_ACCESS_DONE)
        return access.ready_cycle;
    for (guint64 now = cycle; machine->ready[sm][access.token] == 0; now += machine->window) {
        g_assert_cmpuint(now, <, cycle + 10000000);
        machine_run(machine, now);
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
        machine_run(machine, machine->settled);
    }
    return last;
}

/*
 * Until the lane bodies are in the library: the functions the memory needs of them. Weak, so
 * that the library's own win.
 */
void __attribute__((weak))
ws_lane_addresses(const WsDecodedProgram *program, const WsDecoded *instruction,
                  const WsWarpRegisters *warp, guint64 mask, guint64 ret_address[WS_MAX_WARP_SIZE])
{
    const guint32 *low = warp->registers + (gsize)instruction->a * program->warp_size;
    const guint32 *high = low + program->warp_size;
    for (guint32 lane = 0; lane < program->warp_size; lane++)
        if (mask >> lane & 1)
            ret_address[lane] =
                (low[lane] | (guint64)high[lane] << 32) + (guint64)(gint32)instruction->immediate;
}

guint64 __attribute__((weak))
ws_atomic_apply(guint operation, guint type, guint64 memory, guint64 operand)
{
    return operation == WS_ATOMIC_ADD ? memory + operand : operand;
}

const char *__attribute__((weak)) ws_type_name(WsType type)
{
    return type == WS_TYPE_U32 ? "u32" : "?";
}
