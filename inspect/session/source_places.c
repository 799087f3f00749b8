/* The values of variables, from where they lie at an instruction. */
#include <string.h>

#include "inspect/session/source_variables_private.h"

/* What a load needs to know. */
typedef struct {
    const WsSourceVariables *variables;
    const WsGlobalMemory *contents;
    const WsLanePlace *place;
} Reader;

/* ---- registers ----------------------------------------------------------------------------------
 */

/* Lanes whose value of a scoreboard entry is brought by a load that is under way. */
static guint64 lanes_under_way(const WsLanePlace *place, guint32 entry)
{
    const WsSm *sm = place->sm;
    const WsIssueTable *table = sm->context->issue_table;
    guint64 lanes = 0;

    if (ws_entry_cycle(ws_sm_entries(sm, &sm->state->warps[place->slot])[entry]) < WS_NEVER)
        return 0;
    for (guint32 i = 0; i < sm->pending.count; i++) {
        const WsSmAccess *access = &ws_state_array_index(&sm->pending, WsSmAccess, i);
        const WsIssueInfo *issue = &table->issues[access->pc];
        const WsDependence *output = &table->dependences[issue->first + issue->inputs];

        for (guint o = 0; access->under_way && access->slot == place->slot && o < issue->outputs;
             o++)
            if (output[o].entry == entry)
                lanes |= access->lanes;
    }
    return lanes;
}

/* The entries of the registers that hold `count` bytes of a piece; FALSE: there are no such. */
static gboolean entries_of(const WsLanePlace *place, const WsVariablePiece *piece, guint64 from,
                           guint64 count, guint32 *ret_first, guint32 *ret_count)
{
    enum { UNIFORM_REGISTERS = 63, PREDICATES = 7 };
    const WsIssueTable *table = place->sm->context->issue_table;
    guint64 first = piece->index + from / 4, last = piece->index + (from + count - 1) / 4;

    *ret_count = (guint32)(last - first + 1);
    switch (piece->kind) {
    case WS_PIECE_REGISTER:
        *ret_first = (guint32)first;
        return last < place->sm->context->kernel->registers;
    case WS_PIECE_UNIFORM_REGISTER:
        *ret_first = table->first_uniform + (guint32)first;
        return last < UNIFORM_REGISTERS;
    case WS_PIECE_PREDICATE:
        *ret_first = table->first_predicate + piece->index;
        *ret_count = 1;
        return piece->index < PREDICATES;
    default:
        *ret_count = 0;
        return TRUE;
    }
}

static guint64 piece_under_way(const WsLanePlace *place, guint32 first, guint32 count)
{
    guint64 lanes = 0;

    for (guint32 i = 0; i < count; i++)
        lanes |= lanes_under_way(place, first + i);
    return lanes;
}

/* ---- bytes of a lane ----------------------------------------------------------------------------
 */

static gboolean is_memory(const WsVariablePiece *piece)
{
    return piece->kind == WS_PIECE_LOCAL || piece->kind == WS_PIECE_SHARED ||
           piece->kind == WS_PIECE_ADDRESS || piece->kind == WS_PIECE_CONSTANT;
}

/* The piece in memory as an object that begins `before` bytes in front of it. */
static gboolean memory_of(const WsSourceVariables *variables, const WsVariablePiece *piece,
                          guint64 before, WsObject *ret)
{
    *ret = (WsObject){.kind = WS_MEMORY_GENERIC, .base = piece->value - before};
    if (piece->kind == WS_PIECE_LOCAL) {
        ret->kind = WS_MEMORY_LOCAL;
    } else if (piece->kind == WS_PIECE_SHARED) {
        ret->kind = WS_MEMORY_SHARED;
    } else if (piece->kind == WS_PIECE_CONSTANT) {
        ret->kind = WS_MEMORY_PARAMETER;
        ret->base -= variables->program->parameter_base;
        return piece->index == 0 && piece->value >= variables->program->parameter_base;
    }
    return TRUE;
}

static WsUnknown memory_bytes(const Reader *reader, const WsVariablePiece *piece, guint lane,
                              guint64 from, guint64 count, guint8 *to)
{
    WsObject object;

    if (!memory_of(reader->variables, piece, 0, &object))
        return WS_UNKNOWN_OPTIMISED_OUT;
    for (guint64 b = 0; b < count; b++) {
        WsRow at, row;

        ws_row_set_same(&at, from + b);
        ws_lane_memory_load(reader->contents, reader->place->sm, reader->place->slot, &object,
                            ws_base_type(WS_BASE_UNSIGNED_CHAR), &at, (guint64)1 << lane, &row);
        if (!ws_row_is_known(&row, lane))
            return (WsUnknown)row.why[ws_row_lane(&row, lane)];
        to[b] = (guint8)row.bits[ws_row_lane(&row, lane)];
    }
    return WS_KNOWN;
}

static WsUnknown register_bytes(const WsLanePlace *place, const WsVariablePiece *piece, guint lane,
                                guint64 from, guint64 count, guint8 *to)
{
    const WsWarpRegisters *registers = &place->sm->state->registers[place->slot];
    guint32 size = place->sm->context->decoded->warp_size, first, entries;

    if (!entries_of(place, piece, from, count, &first, &entries))
        return WS_UNKNOWN_OPTIMISED_OUT;
    if ((piece_under_way(place, first, entries) >> lane & 1) != 0)
        return WS_UNKNOWN_ON_ITS_WAY;
    for (guint64 b = 0; b < count; b++) {
        guint64 at = from + b, index = piece->index + at / 4, away = at % 4 * 8;

        if (piece->kind == WS_PIECE_REGISTER)
            to[b] = (guint8)(registers->registers[index * size + lane] >> away);
        else if (piece->kind == WS_PIECE_UNIFORM_REGISTER)
            to[b] = (guint8)(registers->uniform[index] >> away);
        else
            to[b] = at == 0 && ((registers->predicates[piece->index] >> lane & 1) != 0) !=
                                   (piece->negated != 0);
    }
    return WS_KNOWN;
}

static WsUnknown piece_bytes(const Reader *reader, const WsVariablePiece *piece, guint lane,
                             guint64 from, guint64 count, guint8 *to)
{
    if (is_memory(piece))
        return memory_bytes(reader, piece, lane, from, count, to);
    if (piece->kind == WS_PIECE_UNKNOWN)
        return WS_UNKNOWN_OPTIMISED_OUT;
    if (piece->kind != WS_PIECE_IMMEDIATE)
        return register_bytes(reader->place, piece, lane, from, count, to);
    for (guint64 b = 0; b < count; b++)
        to[b] = from + b < sizeof piece->value ? (guint8)(piece->value >> (from + b) * 8) : 0;
    return WS_KNOWN;
}

/* Bytes `from` on of the variable; what no piece has is not known. */
static WsUnknown lane_bytes(const Reader *reader, const WsVariablePlace *place, guint lane,
                            guint64 from, guint64 count, guint8 *to)
{
    const WsVariableTable *table = reader->variables->table;
    guint64 begin = 0, done = from;

    for (guint32 p = 0; p < place->piece_count && done < from + count; p++) {
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece + p);
        guint64 end = begin + piece->bytes;

        if (done >= begin && done < end) {
            guint64 part = MIN(end, from + count) - done;
            WsUnknown why =
                piece_bytes(reader, piece, lane, done - begin, part, to + (done - from));

            if (why != WS_KNOWN)
                return why;
            done += part;
        }
        begin = end;
    }
    return done == from + count ? WS_KNOWN : WS_UNKNOWN_OPTIMISED_OUT;
}

static void load_each(const Reader *reader, const WsVariablePlace *place, const WsValueType *type,
                      const WsRow *offset, guint64 mask, WsRow *ret)
{
    WsRow at = *offset; /* it may be the row that is written */

    ret->same = FALSE;
    ret->known = G_MAXUINT64;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint8 bytes[8] = {0};
        WsUnknown why = lane_bytes(reader, place, lane, at.bits[ws_row_lane(&at, lane)],
                                   MIN(type->size, sizeof bytes), bytes);

        if (why == WS_KNOWN)
            ret->bits[lane] = ws_scalar_bits(type, bytes);
        else
            ws_row_put_unknown(ret, lane, why);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

/* Whether a whole register, or two, are the scalar as lane_names.h reads it. */
static gboolean is_register(const WsVariablePiece *piece, guint64 from, const WsValueType *type)
{
    return (piece->kind == WS_PIECE_REGISTER || piece->kind == WS_PIECE_UNIFORM_REGISTER) &&
           from % 4 == 0 && type->bits == 0 && (type->size == 4 || type->size == 8) &&
           type->kind != WS_CTYPE_ENUM && (type->size == 4 || type->kind != WS_CTYPE_FLOAT);
}

static gboolean load_register(const WsLanePlace *place, const WsVariablePiece *piece, guint64 from,
                              const WsValueType *type, const WsRow *offset, guint64 mask,
                              WsRow *ret)
{
    gboolean uniform = piece->kind == WS_PIECE_UNIFORM_REGISTER;
    const WsObject object = {.kind = uniform ? WS_OBJECT_UNIFORM : WS_OBJECT_REGISTER,
                             .index = piece->index + (guint32)(from / 4)};
    guint32 first, count;
    guint64 away;

    if (!entries_of(place, piece, from, type->size, &first, &count))
        return FALSE;
    away = piece_under_way(place, first, count) & mask;
    if (away != 0 && uniform) {
        ws_row_set_unknown(ret, WS_UNKNOWN_ON_ITS_WAY);
        return TRUE;
    }
    ws_lane_name_load(place->sm, place->slot, &object, type, offset, mask, ret);
    for (; away != 0; away &= away - 1)
        ws_row_put_unknown(ret, (guint)__builtin_ctzll(away), WS_UNKNOWN_ON_ITS_WAY);
    return TRUE;
}

/* The piece that has all of the scalar for all lanes; NULL: there is none such. */
static const WsVariablePiece *common_piece(const WsVariableTable *table,
                                           const WsVariablePlace *place, const WsValueType *type,
                                           const WsRow *offset, guint64 *ret_begin)
{
    *ret_begin = 0;
    if (place->piece_count == 1)
        return ws_variable_table_piece(table, place->first_piece);
    for (guint32 p = 0; offset->same && p < place->piece_count; p++) {
        const WsVariablePiece *piece = ws_variable_table_piece(table, place->first_piece + p);

        if (offset->bits[0] >= *ret_begin &&
            offset->bits[0] + type->size <= *ret_begin + piece->bytes)
            return piece;
        *ret_begin += piece->bytes;
    }
    return NULL;
}

void ws_source_variables_load(const WsSourceVariables *variables, const WsGlobalMemory *contents,
                              const WsLanePlace *place, const WsObject *object,
                              const WsValueType *type, const WsRow *offset, guint64 mask,
                              WsRow *ret)
{
    const Reader reader = {variables, contents, place};
    const WsVariablePlace *at = ws_variable_table_place(variables->table, object->index, place->pc);
    const WsVariablePiece *piece;
    WsObject memory;
    guint64 begin;

    if (at == NULL) {
        ws_row_set_unknown(ret, WS_UNKNOWN_OPTIMISED_OUT);
        return;
    }
    piece = common_piece(variables->table, at, type, offset, &begin);
    if (piece != NULL && is_memory(piece) && memory_of(variables, piece, begin, &memory))
        ws_lane_memory_load(contents, place->sm, place->slot, &memory, type, offset, mask, ret);
    else if (piece == NULL || !offset->same || !is_register(piece, offset->bits[0] - begin, type) ||
             !load_register(place, piece, offset->bits[0] - begin, type, offset, mask, ret))
        load_each(&reader, at, type, offset, mask, ret);
}

gboolean ws_source_variables_address(const WsSourceVariables *variables, guint32 pc,
                                     guint32 variable, guint64 *ret)
{
    const WsVariablePlace *place = ws_variable_table_place(variables->table, variable, pc);
    const WsVariablePiece *piece;

    if (place == NULL || place->piece_count != 1)
        return FALSE;
    piece = ws_variable_table_piece(variables->table, place->first_piece);
    *ret = piece->value + (piece->kind == WS_PIECE_LOCAL    ? WS_LOCAL_WINDOW
                           : piece->kind == WS_PIECE_SHARED ? WS_SHARED_WINDOW
                                                            : 0);
    return is_memory(piece) && piece->kind != WS_PIECE_CONSTANT;
}

/* The part of a piece that begins at its byte `from`, of `left` bytes at most. FALSE: read only. */
static gboolean part_of(const WsSourceVariables *variables, const WsVariablePiece *piece,
                        guint64 from, guint32 left, WsSourcePart *ret)
{
    WsObject object;

    *ret = (WsSourcePart){.bytes = (guint32)MIN(left, piece->bytes - from)};
    if (piece->kind == WS_PIECE_REGISTER || piece->kind == WS_PIECE_UNIFORM_REGISTER) {
        ret->kind = piece->kind == WS_PIECE_REGISTER ? WS_OBJECT_REGISTER : WS_OBJECT_UNIFORM;
        ret->index = piece->index + (guint32)(from / 4);
        ret->at = from % 4;
        ret->bytes = MIN(ret->bytes, 4 - (guint32)ret->at);
        return TRUE;
    }
    if (piece->kind == WS_PIECE_PREDICATE) {
        ret->kind = WS_OBJECT_PREDICATE;
        ret->index = piece->index;
        ret->negated = piece->negated;
        return piece->bytes == 1;
    }
    if (!is_memory(piece) || piece->kind == WS_PIECE_CONSTANT ||
        !memory_of(variables, piece, 0, &object))
        return FALSE;
    ret->kind = object.kind;
    ret->at = object.base + from;
    return TRUE;
}

guint ws_source_variables_parts(const WsSourceVariables *variables, guint32 pc, guint32 variable,
                                guint64 from, guint32 count, guint most, WsSourcePart *ret)
{
    const WsVariablePlace *place = ws_variable_table_place(variables->table, variable, pc);
    guint64 begin = 0;
    guint32 done = 0;
    guint parts = 0;

    for (guint32 p = 0; place != NULL && p < place->piece_count && done < count; p++) {
        const WsVariablePiece *piece =
            ws_variable_table_piece(variables->table, place->first_piece + p);

        while (done < count && from + done >= begin && from + done < begin + piece->bytes) {
            if (parts == most ||
                !part_of(variables, piece, from + done - begin, count - done, &ret[parts]))
                return 0;
            ret[parts].from = done;
            done += ret[parts++].bytes;
        }
        begin += piece->bytes;
    }
    return done == count ? parts : 0;
}

gboolean ws_source_variables_lies_in(const WsSourceVariables *variables, guint32 variable,
                                     WsPieceKind kind)
{
    const WsSourceVariable *entry = ws_variable_table_variable(variables->table, variable);

    for (guint32 i = 0; i < entry->place_count; i++) {
        const WsVariablePlace *place =
            &g_array_index(variables->table->places, WsVariablePlace, entry->first_place + i);

        for (guint32 p = 0; p < place->piece_count; p++)
            if (ws_variable_table_piece(variables->table, place->first_piece + p)->kind == kind)
                return TRUE;
    }
    return FALSE;
}
