/*
 * wmma of PTX. PTX leaves open which lane holds which element; here they lie as mma.m16n8k16 (TF32:
 * m16n8k4) wants them, as ptxas has it for sm_90 (seen on an H200). So a product of 16x16x16 is two
 * HMMA, and a fragment is made of 8x8 tiles (TF32: 8x4), a register each, F32 sums two registers.
 *
 * One factor has rows in groups of 16 and is HMMA's A, the other in groups of 8 and is its B, taken
 * as the transposed matrix, so that both have the sum's dimension k along their columns. m8n32k16
 * is computed as the transposed product: its B has the role of A, and C and D are transposed.
 */
#include "isa/lower/matrix.h"

#include "isa/bytecode/opcode.h"

enum { MAX_TILES = 8, MAX_REGISTERS = 8, MAX_LINES = 16, TILE_ROWS = 8 };

/* A matrix in memory and its tiles in registers. */
typedef struct {
    guint tiles;
    guint8 row[MAX_TILES], column[MAX_TILES]; /* of the first element of each tile */
    guint bytes;                              /* of an element */
    guint per_register;                       /* elements of a row in one register */
    guint registers_per_tile;
    gboolean by_columns; /* in memory neighbours are in one column */
    gboolean by_four;    /* the tiles of a factor of 16 rows go down first */
    guint registers;     /* of the fragment: more than tiles where they repeat */
} Matrix;

typedef struct {
    const char *name;
    guint8 m, n, k;
} Shape;

static const Shape shapes[] = {{"m16n16k16", 16, 16, 16},
                               {"m32n8k16", 32, 8, 16},
                               {"m8n32k16", 8, 32, 16},
                               {"m16n16k8", 16, 16, 8}};

static const Shape *shape_of(const WsLowerStatement *lower)
{
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (ws_lower_has(lower, shapes[i].name))
            return &shapes[i];
    return NULL;
}

/* ---- tiles ---- */

static void add_tile(Matrix *matrix, guint row, guint column)
{
    matrix->row[matrix->tiles] = (guint8)row;
    matrix->column[matrix->tiles++] = (guint8)column;
}

/* A factor of `rows` rows, with the tiles in the order of the registers of HMMA. */
static void tile_factor(Matrix *matrix, guint rows, guint depth, gboolean is_a)
{
    guint group = is_a ? 16 : 8, width = 4 * matrix->per_register;
    for (guint row = 0; row < rows; row += group)
        for (guint column = 0; column < depth; column += width)
            for (guint down = 0; down < group; down += TILE_ROWS)
                add_tile(matrix, row + down, column);
}

static void tile_sum(Matrix *matrix, guint rows, guint columns)
{
    for (guint column = 0; column < columns; column += TILE_ROWS)
        for (guint row = 0; row < rows; row += TILE_ROWS)
            add_tile(matrix, row, column);
}

/* The matrix of wmma.load or wmma.store; FALSE if there is none such. */
static gboolean matrix_of(WsLowerStatement *lower, Matrix *ret)
{
    static const char *const names[] = {"a", "b", "c", "d", NULL};
    const Shape *shape = shape_of(lower);
    int which = ws_lower_which(lower, names);
    WsPtxType type = lower->types[0];
    gboolean row = ws_lower_has(lower, "row");
    if (shape == NULL || which < 0 || row == ws_lower_has(lower, "col"))
        return FALSE;
    gboolean sum = which >= 2, turned = shape->m == 8;
    gboolean narrow = shape->k == 8; /* TF32 */
    gboolean wide = type == WS_PTX_F32 || type == WS_PTX_S32;
    if (sum ? (!wide && type != WS_PTX_F16) || (narrow && type != WS_PTX_F32)
            : wide || type == WS_PTX_F64 || narrow != (type == WS_PTX_TF32))
        return FALSE;
    *ret = (Matrix){.bytes = ws_ptx_type_bits(type) / 8};
    ret->per_register = 4 / ret->bytes;
    ret->registers_per_tile = sum && wide ? 2 : 1;
    /* B is taken transposed, everything once more if the product is. */
    ret->by_columns = row == ((which == 1) != (sum && turned));
    if (sum) {
        tile_sum(ret, turned ? shape->n : shape->m, turned ? shape->m : shape->n);
    } else {
        gboolean is_a = (which == 0) != turned;
        tile_factor(ret, which == 0 ? shape->m : shape->n, shape->k, is_a);
        ret->by_four = is_a;
    }
    ret->registers =
        !sum && type == WS_PTX_F16 ? MAX_REGISTERS : ret->tiles * ret->registers_per_tile;
    return TRUE;
}

/* ---- addresses ---- */

typedef struct {
    WsPtxSpace space;
    gint64 constant;  /* bytes from one line of the matrix to the next, or -1 */
    WsOperand stride; /* the same in a register */
    WsOperand base;   /* of this lane's part of the first tile: a pair or a word */
    gint64 offset;    /* to be added */
    struct {
        guint lines;
        WsOperand address;
    } known[MAX_LINES]; /* further lines whose address has been worked out */
    guint known_count;
} Place;

static gboolean is_long(const Place *place)
{
    return place->space != WS_PTX_SPACE_SHARED;
}

/* d = a * b + c, where c is an address; b may be an immediate. */
static WsOperand multiply_add(WsLowerStatement *lower, const Place *place, WsOperand a, WsOperand b,
                              WsOperand c)
{
    WsOperand d = ws_lower_temporary(lower, is_long(place) ? 2 : 1);
    if (is_long(place))
        EMIT(lower, IMAD_WIDE, d, ws_operand_none(), a, b, c)->mod[WS_MOD_UNSIGNED] = 1;
    else
        EMIT(lower, IMAD, d, a, b, c);
    return d;
}

/* The leading dimension, in elements, is operand `n`, or the matrix is dense. */
static void read_stride(WsLowerStatement *lower, const Matrix *matrix, guint n, guint dense,
                        Place *ret)
{
    guint32 value = dense;
    WsOperand elements = ws_operand_immediate(dense);
    if (n < lower->statement->operand_count)
        elements = ws_lower_operand_word(lower, &lower->operands[n], WS_PTX_U32, 0);
    ret->constant =
        ws_lower_known_value(lower->kernel, elements, &value) ? (gint64)value * matrix->bytes : -1;
    if (ret->constant >= 0 && ret->constant <= G_MAXINT32) {
        ret->stride = ws_operand_immediate((guint32)ret->constant);
    } else {
        ret->constant = -1;
        ret->stride = ws_lower_temporary(lower, 1);
        ws_lower_shift(lower, ret->stride, ws_lower_in_register(lower, elements),
                       ws_operand_immediate(matrix->bytes / 2), ws_operand_zero(),
                       WS_DIRECTION_LEFT, WS_SHIFT_U32, FALSE);
    }
}

/* The number of the lane, read once in each block, as ptxas does. */
static WsOperand lane_number(WsLowerStatement *lower)
{
    WsLowerKernel *kernel = lower->kernel;
    if (kernel->lane == 0 || kernel->lane_block != kernel->block) {
        WsOperand lane = ws_lower_temporary(lower, 1);
        WsOperand special = {.kind = WS_OPERAND_SPECIAL, .value = WS_SR_LANEID, .uniform = WS_URZ};
        EMIT(lower, S2R, lane, special);
        kernel->lane = lane.index;
        kernel->lane_block = kernel->block;
    }
    return ws_operand_register(kernel->lane);
}

static WsOperand masked(WsLowerStatement *lower, WsOperand value, guint32 mask)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_logic(lower, d, value, ws_operand_immediate(mask), ws_operand_zero(), 0xc0);
    return d;
}

static WsOperand shifted(WsLowerStatement *lower, WsOperand value, guint amount)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_shift(lower, d, ws_operand_zero(), ws_operand_immediate(amount), value,
                   WS_DIRECTION_RIGHT, WS_SHIFT_U32, TRUE);
    return d;
}

/* Where the address operand `n` points, apart from an offset that is known. */
static void read_address(WsLowerStatement *lower, guint n, Place *ret)
{
    WsOperand address = ws_lower_address(lower, n, ret->space);
    ret->offset = (gint32)address.value;
    address.kind = WS_OPERAND_REGISTER;
    address.value = 0;
    ret->base = address;
    if (ret->space == WS_PTX_SPACE_GENERIC && ws_lower_is_shared(lower, n)) {
        ret->space = WS_PTX_SPACE_SHARED;
        ret->base = ws_lower_offset_in_shared(lower, address);
    }
}

/*
 * The lane's own part: `line` lines of the matrix and `along` elements in the line. A lane 4g + t
 * has row g and its register's first column of a tile.
 */
static void add_lane(WsLowerStatement *lower, const Matrix *matrix, Place *place)
{
    WsOperand lane = lane_number(lower), g = shifted(lower, lane, 2), t = masked(lower, lane, 3);
    guint step = matrix->registers_per_tile * matrix->per_register; /* columns of a lane */
    gboolean turned = matrix->by_columns && matrix->bytes != 2;
    if (turned) { /* its columns are lines */
        WsOperand bytes = ws_operand_immediate(matrix->bytes);
        for (guint times = 1; times < step; times *= 2) {
            WsOperand twice = ws_lower_temporary(lower, 1);
            ws_lower_add(lower, twice, t, t);
            t = twice;
        }
        place->base = multiply_add(lower, place, g, bytes, place->base);
        place->base = multiply_add(lower, place, t, place->stride, place->base);
    } else { /* 16-bit tiles by columns are transposed later: as if by rows */
        place->base =
            multiply_add(lower, place, t, ws_operand_immediate(step * matrix->bytes), place->base);
        place->base = multiply_add(lower, place, g, place->stride, place->base);
    }
}

/* The address of `lines` lines on. */
static WsOperand address_of_line(WsLowerStatement *lower, Place *place, guint lines)
{
    for (guint i = 0; i < place->known_count; i++)
        if (place->known[i].lines == lines)
            return place->known[i].address;
    WsOperand address = multiply_add(lower, place, ws_lower_in_register(lower, place->stride),
                                     ws_operand_immediate(lines), place->base);
    if (place->known_count < MAX_LINES) {
        place->known[place->known_count].lines = lines;
        place->known[place->known_count++].address = address;
    }
    return address;
}

/* The address `lines` lines and `bytes` bytes on. */
static WsOperand address_at(WsLowerStatement *lower, Place *place, guint lines, guint bytes)
{
    enum { REACH = 1 << 22 };
    gint64 offset = place->offset + bytes, far = place->constant * lines;
    WsOperand address = place->base;
    if (lines != 0 && (place->constant < 0 || far > REACH))
        address = address_of_line(lower, place, lines);
    else
        offset += far > 0 ? far : 0;
    if (offset < -2 * REACH || offset >= 2 * REACH) {
        address = multiply_add(lower, place, ws_lower_in_register(lower, ws_operand_immediate(1)),
                               ws_operand_immediate((guint32)offset), address);
        offset = 0;
    }
    address.kind = WS_OPERAND_ADDRESS;
    address.uniform = WS_URZ;
    address.value = (guint32)(gint32)offset;
    return address;
}

static void emit_access(WsLowerStatement *lower, const Place *place, WsOperand value,
                        WsOperand address, guint8 width, gboolean store)
{
    static const WsOpcode opcodes[2][3] = {{WS_OP_LD, WS_OP_LDG, WS_OP_LDS},
                                           {WS_OP_ST, WS_OP_STG, WS_OP_STS}};
    guint kind = place->space == WS_PTX_SPACE_SHARED   ? 2
                 : place->space == WS_PTX_SPACE_GLOBAL ? 1
                                                       : 0;
    const WsOperand operands[] = {store ? address : value, store ? value : address};
    WsInstruction *instruction = ws_lower_emit(lower, opcodes[store][kind], operands, 2);
    instruction->mod[WS_MOD_WIDTH] = width;
    instruction->mod[WS_MOD_ADDRESS] = is_long(place);
}

/* ---- loads and stores ---- */

/* Register `r` of tile `i`: 32 bits of the lane. */
static WsOperand address_of_register(WsLowerStatement *lower, const Matrix *matrix, Place *place,
                                     guint i, guint r)
{
    guint row = matrix->row[i], column = matrix->column[i] + r;
    return matrix->by_columns ? address_at(lower, place, column, row * matrix->bytes)
                              : address_at(lower, place, row, column * matrix->bytes);
}

static WsOperand transpose(WsLowerStatement *lower, WsOperand tile)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    EMIT(lower, MOVM, d, tile);
    return d;
}

/* Where memory has a row's neighbours together, F32 sums go two at a time. */
static gboolean in_pairs(const Matrix *matrix)
{
    return matrix->registers_per_tile == 2 && !matrix->by_columns;
}

/* Bytes of a row that memory has in four columns: nothing transposes bytes, so one at a time. */
static WsOperand load_apart(WsLowerStatement *lower, const Matrix *matrix, Place *place, guint i)
{
    enum { LOW_BYTES = 0x3340, LOW_HALVES = 0x5410 };
    WsOperand byte[4], half[2], d = ws_lower_temporary(lower, 1);
    for (guint k = 0; k < 4; k++) {
        byte[k] = ws_lower_temporary(lower, 1);
        emit_access(lower, place, byte[k], address_of_register(lower, matrix, place, i, k),
                    WS_WIDTH_U8, FALSE);
    }
    for (guint h = 0; h < 2; h++) {
        half[h] = ws_lower_temporary(lower, 1);
        EMIT(lower, PRMT, half[h], byte[2 * h], ws_operand_immediate(LOW_BYTES), byte[2 * h + 1]);
    }
    EMIT(lower, PRMT, d, half[0], ws_operand_immediate(LOW_HALVES), half[1]);
    return d;
}

static void load_tile(WsLowerStatement *lower, const Matrix *matrix, Place *place, guint i,
                      WsOperand ret[2])
{
    if (in_pairs(matrix)) {
        WsOperand pair = ws_lower_temporary(lower, 2);
        emit_access(lower, place, pair, address_of_register(lower, matrix, place, i, 0),
                    WS_WIDTH_64, FALSE);
        ret[0] = pair;
        ret[1] = ws_operand_word(pair, 1);
        return;
    }
    if (matrix->bytes == 1 && matrix->by_columns) {
        ret[0] = load_apart(lower, matrix, place, i);
        return;
    }
    for (guint r = 0; r < matrix->registers_per_tile; r++) {
        ret[r] = ws_lower_temporary(lower, 1);
        emit_access(lower, place, ret[r], address_of_register(lower, matrix, place, i, r),
                    WS_WIDTH_32, FALSE);
        if (matrix->bytes == 2 && matrix->by_columns)
            ret[r] = transpose(lower, ret[r]);
    }
}

/*
 * Factors in shared memory: LDSM loads four tiles, or two. Of them, lane l gives the address of a
 * line (l & 7) of tile l >> 3. Tiles that go down first have their line from bit 3 and the place in
 * it from bit 4 of the lane, the others from bits 4 and 3; turned in memory they change places.
 * Tiles of bytes are all one below the other.
 */
static void load_with_ldsm(WsLowerStatement *lower, const Matrix *matrix, Place *place,
                           WsOperand ret[MAX_TILES])
{
    guint at_once = MIN(matrix->tiles, 4);
    gboolean line_first = matrix->by_four != matrix->by_columns;
    WsOperand lane = lane_number(lower), along, line;
    if (matrix->bytes == 1) {
        along = ws_operand_zero();
        line = lane;
    } else if (at_once == 2) {
        along = line_first ? ws_operand_zero() : masked(lower, lane, 8);
        line = masked(lower, lane, line_first ? 15 : 7);
    } else {
        WsOperand half = masked(lower, shifted(lower, lane, 1), 8);
        along = line_first ? half : masked(lower, lane, 8);
        line = masked(lower, lane, line_first ? 15 : 7);
        if (!line_first) {
            WsOperand both = ws_lower_temporary(lower, 1);
            ws_lower_add(lower, both, line, half);
            line = both;
        }
    }
    if (along.index != WS_RZ)
        place->base =
            multiply_add(lower, place, along, ws_operand_immediate(matrix->bytes), place->base);
    place->base = multiply_add(lower, place, line, place->stride, place->base);
    for (guint i = 0; i < matrix->tiles; i += at_once) {
        WsOperand loaded = ws_lower_temporary(lower, at_once);
        WsOperand address = address_of_register(lower, matrix, place, i, 0);
        WsInstruction *load = EMIT(lower, LDSM, loaded, address);
        load->mod[WS_MOD_MATRIX_COUNT] = (guint8)(at_once / 2);
        load->mod[WS_MOD_MATRIX_LAYOUT] = matrix->by_columns;
        for (guint j = 0; j < at_once; j++)
            ret[i + j] = ws_operand_word(loaded, j);
    }
}

/* TRUE if LDSM loads a factor: it transposes 16-bit elements, and no bytes. */
static gboolean has_ldsm(const Matrix *matrix, const Place *place)
{
    return !is_long(place) && (matrix->bytes == 2 || (matrix->bytes == 1 && !matrix->by_columns));
}

static gboolean start(WsLowerStatement *lower, Matrix *matrix, Place *place, guint address,
                      guint vector, const WsPtxOperand **ret)
{
    if (!matrix_of(lower, matrix)) {
        ws_lower_refuse(lower);
        return FALSE;
    }
    if (!ws_lower_fragment(lower, vector, matrix->registers, 1, ret))
        return FALSE;
    guint rows = 0, columns = 0;
    for (guint i = 0; i < matrix->tiles; i++) {
        rows = MAX(rows, matrix->row[i] + 8u);
        columns = MAX(columns,
                      matrix->column[i] + 4u * matrix->per_register * matrix->registers_per_tile);
    }
    place->known_count = 0;
    place->space = ws_lower_space(lower);
    read_address(lower, address, place);
    if (matrix->bytes == 2 ? matrix->by_columns || !is_long(place) /* LDSM or MOVM */
                           : matrix->bytes == 1 && has_ldsm(matrix, place))
        ws_lower_meet_warp(lower);
    read_stride(lower, matrix, 2, matrix->by_columns ? rows : columns, place);
    return lower->kernel->refusal == NULL;
}

/* wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {d}, [address], stride */
void ws_lower_wmma_load(WsLowerStatement *lower)
{
    Matrix matrix;
    Place place;
    const WsPtxOperand *to;
    WsOperand loaded[MAX_TILES * 2];
    if (!start(lower, &matrix, &place, 1, 0, &to))
        return;
    guint count = matrix.tiles * matrix.registers_per_tile;
    if (!ws_lower_has(lower, "c") && has_ldsm(&matrix, &place)) {
        load_with_ldsm(lower, &matrix, &place, loaded);
    } else {
        add_lane(lower, &matrix, &place);
        for (guint i = 0; i < matrix.tiles; i++)
            load_tile(lower, &matrix, &place, i, &loaded[i * matrix.registers_per_tile]);
    }
    for (guint r = 0; r < matrix.registers && lower->kernel->refusal == NULL; r++)
        ws_lower_scatter(lower, &to[r], 1, loaded[r % count]);
}

/* wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [address], {d}, stride */
void ws_lower_wmma_store(WsLowerStatement *lower)
{
    Matrix matrix;
    Place place;
    const WsPtxOperand *from;
    if (!start(lower, &matrix, &place, 0, 1, &from))
        return;
    add_lane(lower, &matrix, &place);
    for (guint i = 0; i < matrix.tiles && lower->kernel->refusal == NULL; i++) {
        const WsPtxOperand *elements = &from[i * matrix.registers_per_tile];
        if (in_pairs(&matrix)) {
            WsOperand pair = ws_lower_gather(lower, elements, 2);
            emit_access(lower, &place, pair, address_of_register(lower, &matrix, &place, i, 0),
                        WS_WIDTH_64, TRUE);
            continue;
        }
        for (guint r = 0; r < matrix.registers_per_tile; r++) {
            WsOperand value = ws_lower_gather(lower, &elements[r], 1);
            if (matrix.bytes == 2 && matrix.by_columns)
                value = transpose(lower, value);
            emit_access(lower, &place, value, address_of_register(lower, &matrix, &place, i, r),
                        WS_WIDTH_32, TRUE);
        }
    }
}

/* ---- products ---- */

typedef struct {
    guint8 shape, type, accumulator; /* of HMMA */
    gboolean integer;                /* IMMA, with these modifiers */
    guint8 dot, saturate;
    guint a, b, sum; /* registers of a 16x8 product */
} Product;

static gboolean is_byte(WsPtxType type)
{
    return type == WS_PTX_S8 || type == WS_PTX_U8;
}

static gboolean integer_product(const WsLowerStatement *lower, const Shape *shape, Product *ret)
{
    static const guint8 dot[2][2] = {{0, 2}, {3, 1}}; /* in the order of modifiers.def */
    const WsPtxType *types = lower->types;
    guint turned = shape->m == 8;
    *ret = (Product){.integer = TRUE,
                     .dot = dot[types[1 + turned] == WS_PTX_S8][types[2 - turned] == WS_PTX_S8],
                     .saturate = ws_lower_has(lower, "satfinite"),
                     .a = 2,
                     .b = 1,
                     .sum = 4};
    return types[0] == WS_PTX_S32 && shape->k == 16;
}

/* Types: D and C for F16; D, A, B and C for the others. */
static gboolean product_of(const WsLowerStatement *lower, const Shape *shape, Product *ret)
{
    const WsPtxType *types = lower->types;
    gboolean four = lower->type_count == 4;
    WsPtxType element = four ? types[1] : WS_PTX_F16;
    if (shape == NULL || types[0] != types[four ? 3 : 1] || lower->type_count == 3)
        return FALSE;
    if (four && is_byte(types[1]) && is_byte(types[2]))
        return integer_product(lower, shape, ret);
    if ((four && (types[1] != types[2] || types[0] != WS_PTX_F32)) ||
        (element == WS_PTX_F16 ? four : element != WS_PTX_BF16 && element != WS_PTX_TF32) ||
        (shape->k == 8) != (element == WS_PTX_TF32) || types[0] == WS_PTX_S32 ||
        ws_lower_has(lower, "satfinite"))
        return FALSE;
    *ret = (Product){.shape = element == WS_PTX_TF32 ? WS_MMA_1684 : WS_MMA_16816,
                     .type = element == WS_PTX_TF32   ? WS_MMA_TF32
                             : element == WS_PTX_BF16 ? WS_MMA_BF16
                                                      : WS_MMA_HALF,
                     .accumulator = types[0] == WS_PTX_F16 ? WS_MMA_F16 : WS_MMA_F32,
                     .a = 4,
                     .b = 2,
                     .sum = types[0] == WS_PTX_F16 ? 2 : 4};
    return TRUE;
}

static void multiply(WsLowerStatement *lower, const Product *product, WsOperand d, WsOperand a,
                     WsOperand b, WsOperand c)
{
    if (product->integer) {
        WsInstruction *imma = EMIT(lower, IMMA, d, a, b, c);
        imma->mod[WS_MOD_IMMA_SHAPE] = WS_IMMA_16816;
        imma->mod[WS_MOD_DOT] = product->dot;
        imma->mod[WS_MOD_SAT] = product->saturate;
        return;
    }
    WsInstruction *hmma = EMIT(lower, HMMA, d, a, b, c);
    hmma->mod[WS_MOD_MMA_SHAPE] = product->shape;
    hmma->mod[WS_MOD_MMA_TYPE] = product->type;
    hmma->mod[WS_MOD_MMA_ACCUMULATOR] = product->accumulator;
}

/* Registers of a fragment of A or B of `rows` rows. */
static guint factor_registers(const Product *product, guint rows)
{
    return product->integer ? rows / 8 : product->type == WS_MMA_HALF ? MAX_REGISTERS : rows / 4;
}

/*
 * wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {d}, {a}, {b}, {c}: two HMMA, beside or below
 * each other; for TF32 two for each, one for each four of k.
 */
void ws_lower_wmma_mma(WsLowerStatement *lower)
{
    const Shape *shape = shape_of(lower);
    const WsPtxOperand *a, *b, *c, *d;
    Product product;
    if (!product_of(lower, shape, &product)) {
        ws_lower_refuse(lower);
        return;
    }
    guint sums = product.sum;
    if (!ws_lower_fragment(lower, 0, 2 * sums, 1, &d) ||
        !ws_lower_fragment(lower, 1, factor_registers(&product, shape->m), 1, &a) ||
        !ws_lower_fragment(lower, 2, factor_registers(&product, shape->n), 1, &b) ||
        !ws_lower_fragment(lower, 3, 2 * sums, 1, &c))
        return;
    gboolean turned = shape->m == 8, square = shape->m == 16;
    const WsPtxOperand *first = turned ? b : a, *second = turned ? a : b;
    WsOperand x[2], y = ws_lower_gather(lower, second, square ? 2 * product.b : product.b),
                    results[2];
    ws_lower_meet_warp(lower);
    x[0] = x[1] = ws_lower_gather(lower, first, product.a);
    if (!square)
        x[1] = ws_lower_gather(lower, first + product.a, product.a);
    for (guint j = 0; j < 2; j++) {
        guint parts = product.shape == WS_MMA_1684 ? 2 : 1, pair = square ? product.b * j : 0;
        results[j] = ws_lower_gather_sum(lower, c + sums * j, sums);
        for (guint part = 0; part < parts; part++) {
            WsOperand sum = ws_lower_temporary(lower, sums);
            multiply(lower, &product, sum, ws_operand_word(x[j], 2 * part),
                     ws_operand_word(y, pair + part), results[j]);
            results[j] = sum;
        }
    }
    for (guint j = 0; j < 2; j++)
        ws_lower_scatter(lower, d + sums * j, sums, results[j]);
}
