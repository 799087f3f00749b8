#include "isa/flow/lock_take.h"

#include "isa/bytecode/accesses.h"
#include "isa/bytecode/operand.h"

gboolean ws_is_exchange(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);

    if (info->flags & WS_FLAG_CAS)
        return TRUE;
    return (info->flags & WS_FLAG_ATOMIC) && info->slots[0] == WS_SLOT_Rd && /* no reduction */
           instruction->mod[WS_MOD_ATOMIC] == WS_ATOMIC_EXCH;
}

static gboolean touches(const WsInstruction *instruction, gboolean write, guint32 index)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);

    for (guint a = 0; a < count; a++) {
        guint32 words = accesses[a].index < WS_VIRTUAL_BASE ? accesses[a].words : 1;

        if (accesses[a].file == WS_FILE_REGISTER && accesses[a].write == (write != FALSE) &&
            accesses[a].index <= index && index < accesses[a].index + words)
            return TRUE;
    }
    return FALSE;
}

static gboolean is_number(const WsOperand *operand)
{
    return ws_is_zero(operand) || operand->kind == WS_OPERAND_IMMEDIATE;
}

/* The number that an operand holds at its place, if its block says so. */
static gboolean known_number(const WsPlaceInBlock *place, const WsOperand *operand, guint32 *ret)
{
    const WsOperand *source = operand;

    if (!is_number(operand)) {
        guint32 i = place->at;

        while (i > 0 && !touches(&place->code[i - 1], TRUE, operand->index))
            i--;
        if (i == 0 || !ws_is_copy(&place->code[i - 1]) || ws_is_guarded(&place->code[i - 1]))
            return FALSE;
        source = &place->code[i - 1].operand[1];
    }
    *ret = ws_is_zero(source) ? 0 : (guint32)source->value;
    return is_number(source);
}

/* What the exchange leaves in memory: its last operand. */
static gboolean leaves_number(const WsPlaceInBlock *place, guint32 *ret)
{
    const WsInstruction *exchange = &place->code[place->at];

    return known_number(place, &exchange->operand[exchange->operand_count - 1], ret);
}

static gboolean result_is_read(const WsPlaceInBlock *place)
{
    guint32 result = place->code[place->at].operand[0].index;

    if (result == WS_RZ)
        return FALSE;
    for (guint32 i = place->at + 1; i < place->count; i++) {
        if (touches(&place->code[i], FALSE, result))
            return TRUE;
        if (touches(&place->code[i], TRUE, result) && !ws_is_guarded(&place->code[i]))
            return FALSE;
    }
    return FALSE;
}

gboolean ws_takes_again(const WsPlaceInBlock *place, const WsPlaceInBlock *taker)
{
    guint32 number, taken;

    if (!ws_is_exchange(&place->code[place->at]))
        return FALSE;
    if (ws_is_exchange(&taker->code[taker->at]) && leaves_number(place, &number) &&
        leaves_number(taker, &taken))
        return number == taken;
    return result_is_read(place);
}
