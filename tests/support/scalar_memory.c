#include "tests/support/scalar_memory.h"

#include <string.h>

#include "isa/bytecode/opcode.h"
#include "tests/support/scalar_float.h"

void scalar_memory_begin_launch(ScalarMemory *memory, const WsLaunch *launch, guint threads)
{
    memory->threads = threads;
    memory->shared_bytes = launch->kernel->static_shared_bytes + launch->dynamic_shared_bytes;
    memory->local_bytes = launch->kernel->local_bytes;
    memory->shared = g_malloc0((gsize)memory->shared_bytes + 1);
    memory->local = g_malloc0((gsize)memory->local_bytes * threads + 1);
}

void scalar_memory_begin_block(ScalarMemory *memory)
{
    memset(memory->shared, 0, memory->shared_bytes);
    memset(memory->local, 0, (gsize)memory->local_bytes * memory->threads);
}

void scalar_memory_end_launch(ScalarMemory *memory)
{
    g_free(memory->shared);
    g_free(memory->local);
}

/* ---- addresses ----------------------------------------------------------------------------------
 */

static guint64 address_of(const ScalarStep *step)
{
    const WsOperand *operand = &step->instruction->operand[scalar_find(step, WS_SLOT_Ma)];
    const ScalarLane *lane = &step->before->lane[step->lane];
    gboolean wide = MOD(step, ADDRESS);
    guint64 address = (guint64)(gint64)(gint32)operand->value;
    if (operand->index != WS_RZ) {
        address += lane->registers[operand->index];
        address += wide ? (guint64)lane->registers[operand->index + 1] << 32 : 0;
    }
    if (operand->uniform != WS_URZ) {
        address += step->before->uniform[operand->uniform];
        address += wide ? (guint64)step->before->uniform[operand->uniform + 1] << 32 : 0;
    }
    return wide ? address : (guint32)address;
}

static guint8 *within(guint8 *data, guint64 size, guint64 offset, guint bytes)
{
    return offset <= size && bytes <= size - offset ? data + offset : NULL;
}

static guint8 *in_shared(const ScalarMemory *memory, guint64 offset, guint bytes)
{
    return within(memory->shared, memory->shared_bytes, offset, bytes);
}

static guint8 *in_local(const ScalarMemory *memory, guint64 offset, guint bytes)
{
    return within(memory->local + (gsize)memory->thread * memory->local_bytes, memory->local_bytes,
                  offset, bytes);
}

static guint8 *in_buffers(const ScalarMemory *memory, guint64 address, guint bytes)
{
    for (guint32 i = 0; i < memory->job->buffer_count; i++) {
        const WsBuffer *buffer = &memory->job->buffers[i];
        if (address >= buffer->address && address - buffer->address < buffer->bytes) {
            return within(memory->buffers[i], buffer->bytes, address - buffer->address, bytes);
        }
    }
    return NULL;
}

static guint8 *place(const ScalarStep *step, const ScalarMemory *memory, guint bytes)
{
    guint64 address = address_of(step);
    if (address % bytes != 0) {
        return NULL;
    }
    switch (step->instruction->opcode) {
    case WS_OP_LDS:
    case WS_OP_STS:
    case WS_OP_ATOMS:
    case WS_OP_ATOMS_CAS:
        return in_shared(memory, address, bytes);
    case WS_OP_LDL:
    case WS_OP_STL:
        return in_local(memory, address, bytes);
    case WS_OP_LD:
    case WS_OP_ST:
    case WS_OP_ATOM:
    case WS_OP_ATOM_CAS:
    case WS_OP_RED:
        if (address >= WS_SHARED_WINDOW && address < WS_LOCAL_WINDOW) {
            return in_shared(memory, address - WS_SHARED_WINDOW, bytes);
        }
        if (address >= WS_LOCAL_WINDOW && address < WS_CONSTANT_WINDOW) {
            return in_local(memory, address - WS_LOCAL_WINDOW, bytes);
        }
        return in_buffers(memory, address, bytes);
    default:
        return in_buffers(memory, address, bytes);
    }
}

/* ---- atomic operations --------------------------------------------------------------------------
 */

static guint64 add(guint type, guint64 old, guint64 operand)
{
    switch (type) {
    case WS_ATOMIC_F32:
        return scalar_add32((guint32)old, (guint32)operand, WS_ROUND_NEAREST);
    case WS_ATOMIC_F32_FTZ:
        return scalar_flush32(scalar_add32(scalar_flush32((guint32)old),
                                           scalar_flush32((guint32)operand), WS_ROUND_NEAREST));
    case WS_ATOMIC_F64:
        return scalar_add64(old, operand, WS_ROUND_NEAREST);
    case WS_ATOMIC_F16X2:
    case WS_ATOMIC_BF16X2: {
        guint format = type == WS_ATOMIC_F16X2 ? WS_FLOAT_F16 : WS_FLOAT_BF16;
        guint32 one = type == WS_ATOMIC_F16X2 ? 0x3c00 : 0x3f80, sum = 0;
        for (guint shift = 0; shift < 32; shift += 16) {
            sum |= scalar_half_fma(old >> shift & 0xffff, one, operand >> shift & 0xffff, format)
                   << shift;
        }
        return sum;
    }
    default:
        return old + operand;
    }
}

/* MIN and MAX of integers. */
static gboolean is_less(guint type, guint64 x, guint64 y)
{
    switch (type) {
    case WS_ATOMIC_S32:
        return (gint32)x < (gint32)y;
    case WS_ATOMIC_S64:
        return (gint64)x < (gint64)y;
    default:
        return x < y;
    }
}

static guint64 combine(guint operation, guint type, guint64 old, guint64 operand)
{
    switch (operation) {
    case WS_ATOMIC_ADD:
        return add(type, old, operand);
    case WS_ATOMIC_MIN:
        return is_less(type, operand, old) ? operand : old;
    case WS_ATOMIC_MAX:
        return is_less(type, old, operand) ? operand : old;
    case WS_ATOMIC_INC:
        return old >= operand ? 0 : old + 1;
    case WS_ATOMIC_DEC:
        return old == 0 || old > operand ? operand : old - 1;
    case WS_ATOMIC_AND:
        return old & operand;
    case WS_ATOMIC_OR:
        return old | operand;
    case WS_ATOMIC_XOR:
        return old ^ operand;
    default: /* EXCH */
        return operand;
    }
}

static gboolean atomic(ScalarStep *step, ScalarMemory *memory, gboolean compares)
{
    guint type = MOD(step, ATOMIC_TYPE);
    guint bytes = type == WS_ATOMIC_U64 || type == WS_ATOMIC_S64 || type == WS_ATOMIC_F64 ? 8 : 4;
    guint64 operand = scalar_plain(step, 'b'), other = scalar_plain(step, 'c'), old = 0, result;
    guint8 *at = place(step, memory, bytes);
    if (at == NULL) {
        return FALSE;
    }
    memcpy(&old, at, bytes);
    if (bytes == 4) {
        operand = (guint32)operand;
    }
    result =
        compares ? (old == operand ? other : old) : combine(MOD(step, ATOMIC), type, old, operand);
    memcpy(at, &result, bytes);
    if (scalar_find(step, WS_SLOT_Rd) >= 0) {
        scalar_put(step, old);
    }
    return TRUE;
}

/* ---- loads and stores ---------------------------------------------------------------------------
 */

static gboolean load(ScalarStep *step, const guint8 *at, guint bytes)
{
    guint32 words[4] = {0};
    guint32 index = step->instruction->operand[scalar_find(step, WS_SLOT_Rd)].index;
    memcpy(words, at, bytes);
    if (MOD(step, WIDTH) == WS_WIDTH_S8) {
        words[0] = (guint32)(gint32)(gint8)words[0];
    } else if (MOD(step, WIDTH) == WS_WIDTH_S16) {
        words[0] = (guint32)(gint32)(gint16)words[0];
    }
    for (guint word = 0; index != WS_RZ && word < (bytes + 3) / 4; word++) {
        step->after->lane[step->lane].registers[index + word] = words[word];
    }
    return TRUE;
}

static gboolean store(const ScalarStep *step, guint8 *at, guint bytes)
{
    guint32 words[4] = {0};
    guint32 index = step->instruction->operand[scalar_find(step, WS_SLOT_Rb)].index;
    for (guint word = 0; index != WS_RZ && word < (bytes + 3) / 4; word++) {
        words[word] = step->before->lane[step->lane].registers[index + word];
    }
    memcpy(at, words, bytes);
    return TRUE;
}

gboolean scalar_access(ScalarStep *step, ScalarMemory *memory)
{
    static const guint8 sizes[] = {4, 1, 1, 2, 2, 8, 16};
    guint bytes = sizes[MOD(step, WIDTH)];
    guint8 *at;
    switch (step->instruction->opcode) {
    case WS_OP_ATOM:
    case WS_OP_ATOMG:
    case WS_OP_ATOMS:
    case WS_OP_RED:
        return atomic(step, memory, FALSE);
    case WS_OP_ATOM_CAS:
    case WS_OP_ATOMG_CAS:
    case WS_OP_ATOMS_CAS:
        return atomic(step, memory, TRUE);
    default:
        break;
    }
    at = place(step, memory, bytes);
    if (at == NULL) {
        return FALSE;
    }
    return scalar_find(step, WS_SLOT_Rd) >= 0 ? load(step, at, bytes) : store(step, at, bytes);
}
