/*
 * Texture fetches: tex in unified mode, where one 64-bit handle names texture and sampler. Levels,
 * gradients and gathers are refused. Surfaces: isa/ptx/surfaces.h.
 */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

/* Coordinates as PTX writes them: what is past `used` is padding. */
static const struct {
    guint8 written, used;
} coordinate_counts[WS_TEX_KIND_COUNT] = {
    [WS_TEX_1D] = {1, 1},       [WS_TEX_2D] = {2, 2},       [WS_TEX_3D] = {4, 3},
    [WS_TEX_ARRAY_1D] = {2, 2}, [WS_TEX_ARRAY_2D] = {4, 3}, [WS_TEX_CUBE] = {4, 3},
};

/* The handle: in a register, or where a reference or parameter lies in constant memory. */
static WsOperand handle_of(WsLowerStatement *lower, const WsPtxOperand *operand)
{
    if (operand->value != 0 || operand->base == WS_PTX_INTEGER) {
        ws_lower_fail(lower->kernel, &operand->position, "a texture handle expected in '%s'",
                      lower->statement->full);
        return ws_operand_zero();
    }
    if (operand->base == WS_PTX_VARIABLE)
        return ws_lower_texture_reference(lower, operand->variable, &operand->position);
    WsPtxOperand plain = *operand;
    plain.kind = WS_PTX_REGISTER;
    WsOperand low = ws_lower_operand_word(lower, &plain, WS_PTX_B64, 0);
    return ws_lower_pair(lower, low, ws_lower_operand_word(lower, &plain, WS_PTX_B64, 1));
}

static WsOperand coordinate(WsLowerStatement *lower, const WsPtxOperand *operand)
{
    return ws_lower_in_register(lower, ws_lower_operand_word(lower, operand, lower->types[1], 0));
}

/* tex.2d.v4.f32.f32 {d0, d1, d2, d3}, [handle, {x, y}] */
static void lower_tex(WsLowerStatement *lower)
{
    static const char *const kinds[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", NULL};
    int kind = ws_lower_which(lower, kinds);
    const WsPtxOperand *to = &lower->operands[0], *from = &lower->operands[1];
    if (kind < 0 || !ws_lower_has(lower, "v4") || lower->type_count != 2 ||
        to->kind != WS_PTX_VECTOR || from->kind != WS_PTX_TEXTURE ||
        (kind == WS_TEX_CUBE && lower->types[1] == WS_PTX_S32)) {
        ws_lower_refuse(lower);
        return;
    }
    guint used = coordinate_counts[kind].used;
    if (to->count != 4 || from->count < used || from->count > coordinate_counts[kind].written) {
        ws_lower_fail(lower->kernel, to->count != 4 ? &to->position : &from->position,
                      "4 results and %u coordinates expected in '%s'",
                      coordinate_counts[kind].written, lower->statement->full);
        return;
    }
    const WsPtxOperand *at = ws_lower_elements(lower, from);
    WsOperand handle = handle_of(lower, from);
    WsOperand first = coordinate(lower, &at[0]);
    if (used > 1)
        first = ws_lower_pair(lower, first, coordinate(lower, &at[1]));
    WsOperand third = used > 2 ? coordinate(lower, &at[2]) : ws_operand_zero();
    WsOperand texel = ws_lower_temporary(lower, 4);
    WsInstruction *tex = EMIT(lower, TEX, texel, first, third, handle);
    tex->mod[WS_MOD_TEX_KIND] = (guint8)kind;
    tex->mod[WS_MOD_TEX_COORDINATE] = lower->types[1] == WS_PTX_S32 ? WS_TEX_INTEGER : WS_TEX_FLOAT;
    for (guint i = 0; i < 4; i++) {
        const WsPtxOperand *element = &ws_lower_elements(lower, to)[i];
        if (element->kind != WS_PTX_SINK)
            ws_lower_move(lower, ws_lower_destination_of(lower, element, 32),
                          ws_operand_word(texel, i));
    }
}

#define WORDS (WS_PTX_BIT(F32) | WS_PTX_BIT(S32) | WS_PTX_BIT(U32))

const WsPtxRow ws_ptx_texture_rows[] = {
    {"tex", "1d 2d 3d a1d a2d cube v4", WORDS, WS_PTX_BIT(F32) | WS_PTX_BIT(S32), 2, 2, 0,
     lower_tex},
    /* one level: its number and the gradients say nothing */
    {"tex", "base 1d 2d 3d a1d a2d cube v4", WORDS, WS_PTX_BIT(F32) | WS_PTX_BIT(S32), 2, 2, 0,
     lower_tex},
    {"tex", "level 1d 2d 3d a1d a2d cube v4", WORDS, WS_PTX_BIT(F32) | WS_PTX_BIT(S32), 3, 3, 0,
     lower_tex},
    {"tex", "grad 1d 2d 3d a1d a2d cube v4", WORDS, WS_PTX_BIT(F32), 4, 4, 0, lower_tex},
    {0}};
