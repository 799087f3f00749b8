#include "tests/support/ir_interpreter.h"

#include "isa/bytecode/opcode.h"
#include "isa/flow/control_flow.h"
#include "isa/ir/walk.h"

static guint32 mix(guint64 a, guint64 b)
{
    guint64 x =
        (a + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) ^ (b * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9));
    x ^= x >> 31;
    x *= G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return (guint32)(x ^ x >> 32);
}

static gpointer register_key(guint32 index, guint word)
{
    guint32 key = index < WS_VIRTUAL_BASE ? index + word : WS_VIRTUAL_BASE + index * 4 + word;
    return GUINT_TO_POINTER(key + 1);
}

/* Uniform registers have numbers of their own among the others. */
static guint32 uniform_index(guint32 index)
{
    enum { FIRST_UNIFORM = 512 };
    return FIRST_UNIFORM + index;
}

static guint32 get_register(WsLane *thread, guint32 index, guint word)
{
    if (index == WS_RZ)
        return 0;
    return GPOINTER_TO_UINT(g_hash_table_lookup(thread->registers, register_key(index, word)));
}

static void set_register(WsLane *thread, guint32 index, guint word, guint32 value)
{
    if (index != WS_RZ)
        g_hash_table_insert(thread->registers, register_key(index, word), GUINT_TO_POINTER(value));
}

static gboolean get_predicate(WsLane *thread, guint32 index)
{
    if (index == WS_PT)
        return TRUE;
    return GPOINTER_TO_UINT(g_hash_table_lookup(thread->predicates, GUINT_TO_POINTER(index + 1)));
}

static void set_predicate(WsLane *thread, guint32 index, gboolean value)
{
    if (index != WS_PT)
        g_hash_table_insert(thread->predicates, GUINT_TO_POINTER(index + 1),
                            GUINT_TO_POINTER(value));
}

static guint32 plain_word(WsLane *thread, const WsInstruction *instruction, guint n, guint word)
{
    const WsOperand *operand = &instruction->operand[n];
    switch ((WsOperandKind)operand->kind) {
    case WS_OPERAND_REGISTER:
        return get_register(thread, operand->index, operand->bank + word);
    case WS_OPERAND_UNIFORM_REGISTER:
        return get_register(thread, uniform_index(operand->index), word);
    case WS_OPERAND_IMMEDIATE:
        return ws_operand_words(instruction, n) == 2 && word == 0 ? 0 : operand->value;
    case WS_OPERAND_CONSTANT:
        return mix(operand->bank, operand->value + 4 * word);
    case WS_OPERAND_SPECIAL:
        return operand->value <= WS_SR_TID_Z || operand->value == WS_SR_LANEID ||
                       (operand->value >= WS_SR_LANEMASK_EQ && operand->value < WS_SR_ACTIVEMASK)
                   ? mix(77 + thread->number, operand->value)
                   : mix(76, operand->value);
    default:
        return 0;
    }
}

/* A word of an operand with its signs applied as its type says. */
static guint32 get_word(WsLane *thread, const WsInstruction *instruction, guint n, guint word)
{
    guint32 value = plain_word(thread, instruction, n, word);
    guint8 flags = instruction->operand[n].flags;
    gboolean top = word + 1 == MAX(ws_operand_words(instruction, n), 1);
    WsSources sources = ws_opcode_info(instruction->opcode)->sources;
    if (sources == WS_SOURCES_FLOAT) {
        if ((flags & WS_OPERAND_ABSOLUTE) && top)
            value &= 0x7fffffff;
        if ((flags & WS_OPERAND_NEGATE) && top)
            value ^= 0x80000000;
    } else if ((flags & WS_OPERAND_NEGATE) && sources == WS_SOURCES_INTEGER) {
        value = -value;
    } else if ((flags & WS_OPERAND_NEGATE) && sources == WS_SOURCES_BITS) {
        value = ~value;
    }
    return value;
}

static gboolean get_condition(WsLane *thread, const WsOperand *operand)
{
    return get_predicate(thread, operand->index) ^ ((operand->flags & WS_OPERAND_NEGATE) != 0);
}

static gboolean passes(WsLane *thread, const WsInstruction *instruction)
{
    return get_predicate(thread, instruction->guard) ^ (instruction->guard_negated != 0);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static int slot_of(const WsInstruction *instruction, WsSlot slot)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint n = 0; n < info->operand_count; n++) {
        if (info->slots[n] == slot)
            return (int)n;
    }
    return -1;
}

static guint64 address_of(WsLane *thread, const WsInstruction *instruction)
{
    const WsOperand *operand = &instruction->operand[slot_of(instruction, WS_SLOT_Ma)];
    guint64 address = get_register(thread, operand->index, operand->bank);
    if (instruction->mod[WS_MOD_ADDRESS])
        address |= (guint64)get_register(thread, operand->index, operand->bank + 1) << 32;
    address += (guint64)(gint64)(gint32)operand->value;
    guint64 space = ws_instruction_class(instruction) == WS_CLASS_SHARED_LOAD ||
                            ws_instruction_class(instruction) == WS_CLASS_SHARED_STORE
                        ? 1
                        : 0;
    return ((address & G_GUINT64_CONSTANT(0xfffffffffff)) & ~(guint64)3) | space << 60;
}

static gboolean is_local(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_LDL || instruction->opcode == WS_OP_STL;
}

static void run_load(WsLane *thread, const WsInstruction *instruction)
{
    guint64 address = address_of(thread, instruction);
    GHashTable *memory = is_local(instruction) ? thread->local : thread->run->memory;
    const WsOperand *to = &instruction->operand[0];
    for (guint w = 0; w < MAX(ws_operand_width(instruction, 0), 1); w++) {
        gpointer value = NULL;
        guint64 at = address + 4 * w;
        gboolean found = g_hash_table_lookup_extended(memory, GSIZE_TO_POINTER(at), NULL, &value);
        set_register(thread, to->index, to->bank + w,
                     found ? GPOINTER_TO_UINT(value) : mix(99 + thread->number, at));
    }
}

static void run_store(WsLane *thread, const WsInstruction *instruction)
{
    guint64 address = address_of(thread, instruction);
    GHashTable *memory = is_local(instruction) ? thread->local : thread->run->memory;
    for (guint w = 0; w < MAX(ws_operand_words(instruction, 1), 1); w++) {
        guint32 value = get_word(thread, instruction, 1, w);
        guint64 at = address + 4 * w;
        g_hash_table_insert(memory, GSIZE_TO_POINTER(at), GUINT_TO_POINTER(value));
        if (ws_is_volatile(instruction)) {
            guint64 event = (guint64)mix(at, value) << 32 | value;
            g_array_append_val(thread->run->trace, event);
        }
    }
}

static void run_constant_load(WsLane *thread, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    gboolean uniform = instruction->opcode == WS_OP_ULDC;
    for (guint w = 0; w < ws_operand_width(instruction, 0); w++)
        set_register(thread, uniform ? uniform_index(to->index) : to->index, to->bank + w,
                     plain_word(thread, instruction, 1, w));
}

/* ---- everything else --------------------------------------------------------------------------
 */

static gboolean compare(const WsInstruction *instruction, guint32 a, guint32 b)
{
    gboolean less = instruction->mod[WS_MOD_UNSIGNED] ? a < b : (gint32)a < (gint32)b;
    switch (instruction->mod[WS_MOD_ICMP]) {
    case WS_ICMP_LT:
        return less;
    case WS_ICMP_EQ:
        return a == b;
    case WS_ICMP_LE:
        return less || a == b;
    case WS_ICMP_GT:
        return !less && a != b;
    case WS_ICMP_NE:
        return a != b;
    case WS_ICMP_GE:
        return !less;
    default:
        return instruction->mod[WS_MOD_ICMP] == WS_ICMP_T;
    }
}

static gboolean combine(const WsInstruction *instruction, gboolean a, gboolean b)
{
    switch (instruction->mod[WS_MOD_BOOLEAN]) {
    case WS_BOOLEAN_AND:
        return a && b;
    case WS_BOOLEAN_OR:
        return a || b;
    default:
        return a != b;
    }
}

/* Hash of the operation and its sources; Ra and Sb count alike whatever their order. */
static guint32 operation_hash(WsLane *thread, const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    guint32 hash = mix(info->encoding, instruction->mod[WS_MOD_ATOMIC]);
    guint32 sum = 0;
    for (guint n = 0; n < info->operand_count; n++) {
        if (ws_operand_is_destination(instruction, n))
            continue;
        guint32 value = 0;
        if (instruction->operand[n].kind == WS_OPERAND_PREDICATE)
            value = get_condition(thread, &instruction->operand[n]);
        if (instruction->operand[n].kind == WS_OPERAND_SPECIAL)
            value = plain_word(thread, instruction, n, 0);
        for (guint w = 0; w < ws_operand_words(instruction, n); w++)
            value = mix(value, get_word(thread, instruction, n, w));
        if (info->slots[n] == WS_SLOT_Ra || info->slots[n] == WS_SLOT_Sb)
            sum += mix(5, value);
        else
            hash = mix(hash, value);
    }
    return mix(hash, sum);
}

static void run_general(WsLane *thread, const WsInstruction *instruction)
{
    guint32 hash = operation_hash(thread, instruction);
    if (ws_is_atomic(instruction)) {
        guint64 event = mix(address_of(thread, instruction),
                            get_word(thread, instruction, instruction->operand_count - 1, 0));
        g_array_append_val(thread->run->trace, event);
        hash = mix(event, thread->number);
    } else if (instruction->opcode == WS_OP_SHFL) {
        hash = mix(hash, thread->number);
    } else if (instruction->opcode == WS_OP_BAR) {
        guint64 event = hash;
        g_array_append_val(thread->run->trace, event);
    }
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (!ws_operand_is_destination(instruction, n))
            continue;
        for (guint w = 0; w < ws_operand_width(instruction, n); w++)
            set_register(thread, operand->index, operand->bank + w, mix(hash, 10 * n + w));
        if (operand->kind == WS_OPERAND_PREDICATE)
            set_predicate(thread, operand->index, mix(hash, n + 3) & 1);
    }
}

/* Word operations whose result passes may work out: real arithmetic. FALSE for other forms. */
static gboolean run_integer(WsLane *thread, const WsInstruction *instruction)
{
    const WsOperand *o = instruction->operand;
    guint32 in[WS_MAX_OPERANDS] = {0}, result = 0;
    for (guint n = 1; n < instruction->operand_count; n++)
        in[n] = get_word(thread, instruction, n, 0);
    gboolean plain = o[1].kind != WS_OPERAND_PREDICATE || o[1].index == WS_PT;
    gboolean high = instruction->mod[WS_MOD_HIGH], extended = instruction->mod[WS_MOD_EXTENDED];
    gboolean left = instruction->mod[WS_MOD_DIRECTION] == WS_DIRECTION_LEFT;
    guint8 type = instruction->mod[WS_MOD_SHIFT_TYPE];
    switch (instruction->opcode) {
    case WS_OP_IADD3:
        result = in[3] + in[4] + in[5];
        plain = plain && o[2].index == WS_PT && !extended;
        break;
    case WS_OP_VIADD:
        result = in[1] + in[2];
        break;
    case WS_OP_IMAD:
        result = in[1] * in[2] + in[3];
        break;
    case WS_OP_LOP3:
        for (guint bit = 0; bit < 32; bit++) {
            guint row = (in[2] >> bit & 1) << 2 | (in[3] >> bit & 1) << 1 | (in[4] >> bit & 1);
            result |= (o[5].value >> row & 1) << bit;
        }
        break;
    case WS_OP_SHF:
        plain = in[2] < 32 && left != high && (type == WS_SHIFT_U32 || type == WS_SHIFT_S32);
        result = left                   ? in[1] << (in[2] & 31)
                 : type == WS_SHIFT_U32 ? in[3] >> (in[2] & 31)
                                        : (guint32)((gint32)in[3] >> (in[2] & 31));
        break;
    case WS_OP_LEA:
        plain = plain && !extended && o[5].value < 32 && o[5].value > 0;
        if (instruction->mod[WS_MOD_SIGN])
            in[4] = -(in[2] >> 31);
        result = (high ? (guint32)(((guint64)in[4] << 32 | in[2]) >> (32 - (o[5].value & 31)))
                       : in[2] << (o[5].value & 31)) +
                 in[3];
        break;
    case WS_OP_IABS:
        result = in[1] >> 31 ? -in[1] : in[1];
        break;
    default:
        return FALSE;
    }
    if (plain)
        set_register(thread, o[0].index, o[0].bank, result);
    return plain;
}

static void run_instruction(WsLane *thread, const WsInstruction *instruction)
{
    if (!passes(thread, instruction) || run_integer(thread, instruction))
        return;
    const WsOperand *o = instruction->operand;
    switch (instruction->opcode) {
    case WS_OP_MOV:
        set_register(thread, o[0].index, o[0].bank, get_word(thread, instruction, 1, 0));
        return;
    case WS_OP_LDC:
    case WS_OP_ULDC:
        run_constant_load(thread, instruction);
        return;
    case WS_OP_SEL:
        set_register(thread, o[0].index, o[0].bank,
                     get_word(thread, instruction, get_condition(thread, &o[3]) ? 1 : 2, 0));
        return;
    case WS_OP_ISETP: {
        gboolean result = compare(instruction, get_word(thread, instruction, 2, 0),
                                  get_word(thread, instruction, 3, 0));
        gboolean other = get_condition(thread, &o[4]);
        set_predicate(thread, o[0].index, combine(instruction, result, other));
        if (o[1].index != WS_PT)
            set_predicate(thread, o[1].index, combine(instruction, !result, other));
        return;
    }
    case WS_OP_PLOP3: {
        guint row = 4u * get_condition(thread, &o[2]) + 2u * get_condition(thread, &o[3]) +
                    get_condition(thread, &o[4]);
        set_predicate(thread, o[0].index, o[5].value >> row & 1);
        set_predicate(thread, o[1].index, o[6].value >> row & 1);
        return;
    }
    case WS_OP_BSSY:
    case WS_OP_BSYNC:
    case WS_OP_YIELD:
    case WS_OP_WARPSYNC_ALL:
    case WS_OP_NOP:
        return;
    default:
        break;
    }
    if (ws_is_load(instruction))
        run_load(thread, instruction);
    else if (ws_is_store(instruction))
        run_store(thread, instruction);
    else
        run_general(thread, instruction);
}

void ws_lane_init(WsLane *thread, WsRun *run, guint number)
{
    *run = (WsRun){.trace = g_array_new(FALSE, FALSE, sizeof(guint64)),
                   .memory = g_hash_table_new(NULL, NULL)};
    thread->run = run;
    thread->number = number;
    thread->registers = g_hash_table_new(NULL, NULL);
    thread->predicates = g_hash_table_new(NULL, NULL);
    thread->local = g_hash_table_new(NULL, NULL);
}

void ws_lane_clear(WsLane *thread)
{
    g_hash_table_unref(thread->registers);
    g_hash_table_unref(thread->predicates);
    g_hash_table_unref(thread->local);
}

static gboolean takes_branch(WsLane *thread, const WsInstruction *branch)
{
    const WsOperand *condition = &branch->operand[0];
    return passes(thread, branch) &&
           (condition->kind != WS_OPERAND_PREDICATE || get_condition(thread, condition));
}

WsLaneStep ws_lane_step(WsLane *thread, const WsInstruction *instruction, guint32 *ret_row)
{
    *ret_row = 0;
    thread->run->steps++;
    if (!ws_opcode_ends_block(instruction->opcode)) {
        run_instruction(thread, instruction);
        return WS_LANE_NEXT;
    }
    if (instruction->opcode == WS_OP_BRX) {
        *ret_row = get_word(thread, instruction, 0, 0) >> 4 & 1;
        return WS_LANE_TAKEN;
    }
    if (!takes_branch(thread, instruction))
        return WS_LANE_NEXT;
    if (instruction->opcode != WS_OP_EXIT)
        return WS_LANE_TAKEN;
    thread->run->ended = TRUE;
    return WS_LANE_ENDED;
}

void ws_run_function(WsRun *ret, const WsIrFunction *function, guint limit)
{
    WsLane thread;
    ws_lane_init(&thread, ret, 0);
    guint32 at = 0;
    guint32 row = 0;
    while (ret->steps < limit && !ret->ended) {
        WsIrBlock *block = ws_ir_block(function, at);
        WsLaneStep step = WS_LANE_NEXT;
        for (guint i = 0; i < ws_ir_length(block); i++)
            step = ws_lane_step(&thread, ws_ir_instruction(block, i), &row);
        ret->steps++;
        if (step == WS_LANE_NEXT)
            at = block->next;
        else
            at = block->table != NULL ? g_array_index(block->table, guint32, row) : block->taken;
    }
    ws_lane_clear(&thread);
}

void ws_run_kernel(WsRun *ret, const WsProgram *program, const WsKernel *kernel, guint limit)
{
    WsLane thread;
    ws_lane_init(&thread, ret, 0);
    guint32 at = kernel->first;
    guint32 row = 0;
    while (ret->steps < limit && !ret->ended && at < kernel->first + kernel->count) {
        const WsInstruction *instruction = &program->instructions[at];
        WsLaneStep step = ws_lane_step(&thread, instruction, &row);
        at = step == WS_LANE_TAKEN ? ws_branch_target(instruction) + row : at + 1;
    }
    ws_lane_clear(&thread);
}

void ws_run_clear(WsRun *run)
{
    g_array_unref(run->trace);
    g_hash_table_unref(run->memory);
}

char *ws_run_difference(const WsRun *a, const WsRun *b)
{
    guint common = MIN(a->trace->len, b->trace->len);
    for (guint i = 0; i < common; i++) {
        if (g_array_index(a->trace, guint64, i) != g_array_index(b->trace, guint64, i))
            return g_strdup_printf("event %u of %u differs", i, common);
    }
    if (!a->ended)
        return NULL;
    if (!b->ended || a->trace->len != b->trace->len)
        return g_strdup_printf("ended after %u events, the other %s after %u", a->trace->len,
                               b->ended ? "ended" : "stopped", b->trace->len);
    GHashTableIter iter;
    gpointer key;
    gpointer value;
    g_hash_table_iter_init(&iter, a->memory);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        if (g_hash_table_lookup(b->memory, key) != value)
            return g_strdup_printf("memory at %p differs", key);
    }
    if (g_hash_table_size(a->memory) != g_hash_table_size(b->memory))
        return g_strdup("other places of memory are written");
    return NULL;
}
