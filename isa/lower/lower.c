/*
 * PTX to the intermediate form: the driver. Walks the statements of a kernel, and of the functions
 * inlined into it, finds the row of each in the tables and lets its function emit instructions.
 */
#include "isa/lower/bodies.h"
#include "isa/lower/device_launch.h"

#include "isa/bytecode/opcode.h"
#include "isa/ir/reference.h"
#include "isa/optimise/combine.h"
#include "isa/ptx/large_constants.h"
#include "isa/ptx/mbarriers.h"
#include "isa/ptx/surfaces.h"

#include <string.h>

/* CUDA C has its own lines: those of the PTX that clang made of it are nowhere to be seen. */
static WsPosition position_for_user(const WsPtxLower *lower, const WsPosition *position)
{
    const WsLocation *place =
        &g_array_index(lower->module->ir->locations, WsLocation, lower->location);
    if (!g_str_has_suffix(lower->module->ir->path, ".cu") || place->line == 0)
        return *position;
    return (WsPosition){lower->module->ir->files->pdata[place->file], place->line, place->column};
}

void ws_lower_fail(WsPtxLower *lower, const WsPosition *position, const char *format, ...)
{
    if (lower->failed)
        return;
    lower->failed = TRUE;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    WsPosition shown = position_for_user(lower, position);
    ws_set_error_at(lower->error, WS_ERROR_INPUT, &shown, "%s", text);
}

void ws_lower_refuse(WsPtxLower *lower)
{
    ws_lower_fail(lower, &lower->statement->position, "instruction '%s' is not supported",
                  lower->statement->full);
}

/* ---- rows ---- */

static GHashTable *index_rows(void)
{
    static const WsPtxRow *const tables[] = {
        ws_ptx_integer_rows,     ws_ptx_logic_rows,   ws_ptx_compare_rows,   ws_ptx_float_rows,
        ws_ptx_approximate_rows, ws_ptx_convert_rows, ws_ptx_memory_rows,    ws_ptx_atomic_rows,
        ws_ptx_warp_rows,        ws_ptx_control_rows, ws_ptx_texture_rows,   ws_ptx_matrix_rows,
        ws_ptx_saturate_rows,    ws_ptx_video_rows,   ws_ptx_async_copy_rows};
    GHashTable *rows =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
    for (guint t = 0; t < G_N_ELEMENTS(tables); t++) {
        for (const WsPtxRow *row = tables[t]; row->opcode != NULL; row++) {
            GPtrArray *list = g_hash_table_lookup(rows, row->opcode);
            if (list == NULL) {
                list = g_ptr_array_new();
                g_hash_table_insert(rows, (gpointer)row->opcode, list);
            }
            g_ptr_array_add(list, (gpointer)row);
        }
    }
    return rows;
}

/* TRUE if `word` is one of the words of `list`. */
static gboolean is_word_of(const char *word, const char *list)
{
    gsize length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return TRUE;
    return FALSE;
}

static const char *modifier_at(const WsPtxLower *lower, guint n)
{
    return g_ptr_array_index(lower->frame->function->modifiers,
                             lower->statement->first_modifier + n);
}

static gboolean row_fits(const WsPtxLower *lower, const WsPtxRow *row)
{
    const WsPtxStatement *s = lower->statement;
    guint32 types = row->types == 0 ? WS_PTX_BIT(NONE) : row->types;
    if (s->operand_count < row->minimum || s->operand_count > row->maximum ||
        (types & (1u << lower->types[0])) == 0)
        return FALSE;
    for (guint i = 1; i < lower->type_count; i++)
        if ((row->others & (1u << lower->types[i])) == 0)
            return FALSE;
    if (row->others != 0 && lower->type_count < 2)
        return FALSE;
    for (guint i = 0; i < s->modifier_count; i++) {
        const char *modifier = modifier_at(lower, i);
        if (ws_ptx_type_find(modifier) == WS_PTX_NONE && !is_word_of(modifier, row->modifiers))
            return FALSE;
    }
    return TRUE;
}

static void read_types(WsPtxLower *lower)
{
    lower->type_count = 0;
    memset(lower->types, 0, sizeof lower->types);
    for (guint i = 0; i < lower->statement->modifier_count; i++) {
        WsPtxType type = ws_ptx_type_find(modifier_at(lower, i));
        if (type != WS_PTX_NONE && lower->type_count < WS_PTX_MAX_TYPES)
            lower->types[lower->type_count++] = type;
    }
}

static const WsPtxRow *find_row(WsPtxLower *lower)
{
    GPtrArray *list = g_hash_table_lookup(lower->module->rows, lower->statement->opcode);
    read_types(lower);
    for (guint i = 0; list != NULL && i < list->len; i++)
        if (row_fits(lower, g_ptr_array_index(list, i)))
            return g_ptr_array_index(list, i);
    return NULL;
}

/* ---- locations ---- */

/* The file of a .file number, as an index of the module's files. */
static guint32 numbered_file(WsLowerModule *module, guint32 number)
{
    const char *name = g_hash_table_lookup(module->ptx->files, GUINT_TO_POINTER(number));
    return name == NULL ? 0 : ws_lower_file_index(module, name);
}

static guint32 add_location(WsPtxLower *lower, const WsPtxLocation *place, guint32 parent,
                            guint32 ptx_line)
{
    WsLocation location = {.file = numbered_file(lower->module, place->file),
                           .line = place->line,
                           .column = place->column,
                           .inlined_at = parent,
                           .ptx_line = ptx_line,
                           .frame = lower->frame->number};
    g_array_append_val(lower->module->ir->locations, location);
    return lower->module->ir->locations->len - 1;
}

/*
 * Location `number` of the PTX as one of the module, its chain of calls first. PTX that has no .loc
 * at all is its own source.
 */
static guint32 convert_location(WsPtxLower *lower, guint32 number, guint32 ptx_line)
{
    enum { MAX_CHAIN = 256 };
    guint32 chain[MAX_CHAIN];
    guint count = 0;
    GArray *places = lower->frame->module->locations;
    while (number != 0 && count < MAX_CHAIN) {
        chain[count++] = number;
        number = g_array_index(places, WsPtxLocation, number).parent;
    }
    guint32 parent = lower->frames->len > 1 ? lower->frame->location : 0;
    for (guint i = count; i-- > 1;) {
        gpointer known = g_hash_table_lookup(lower->frame->locations, GUINT_TO_POINTER(chain[i]));
        if (known == NULL) {
            const WsPtxLocation *place = &g_array_index(places, WsPtxLocation, chain[i]);
            known = GUINT_TO_POINTER(add_location(lower, place, parent, 0));
            g_hash_table_insert(lower->frame->locations, GUINT_TO_POINTER(chain[i]), known);
        }
        parent = GPOINTER_TO_UINT(known);
    }
    static const WsPtxLocation nowhere;
    const WsPtxLocation *place =
        count == 0 ? &nowhere : &g_array_index(places, WsPtxLocation, chain[0]);
    guint32 added = add_location(lower, place, parent, ptx_line);
    if (places->len <= 1 && ptx_line != 0 && g_str_has_suffix(lower->module->ir->path, ".ptx")) {
        WsLocation *location = &g_array_index(lower->module->ir->locations, WsLocation, added);
        location->file = ws_lower_file_index(lower->module, lower->module->ir->path);
        location->line = ptx_line;
    }
    return added;
}

/* Where the compiler says that the kernel begins: the first .loc of its body. */
static guint32 opening_of(WsPtxLower *lower)
{
    const GArray *statements = lower->kernel->statements;
    for (guint i = 0; i < statements->len; i++) {
        const WsPtxStatement *statement = &g_array_index(statements, WsPtxStatement, i);
        if (statement->location != 0)
            return convert_location(lower, statement->location, 0);
    }
    if (statements->len == 0)
        return 0;
    return convert_location(lower, 0, g_array_index(statements, WsPtxStatement, 0).position.line);
}

static void set_location(WsPtxLower *lower)
{
    const WsPtxStatement *s = lower->statement;
    if (lower->frame->is_library)
        lower->location = lower->frame->location;
    else
        lower->location = convert_location(lower, s->location, s->position.line);
}

/* ---- statements ---- */

static void set_guard(WsPtxLower *lower)
{
    lower->guard = WS_PT;
    lower->guard_negated = FALSE;
    if (lower->statement->guard == WS_PTX_NO_REGISTER)
        return;
    WsPtxOperand operand = {.kind = WS_PTX_REGISTER, .index = lower->statement->guard};
    lower->guard = ws_lower_predicate_of(lower, &operand).index;
    lower->guard_negated = lower->statement->guard_negated;
}

/* @p around what makes blocks: a branch over it. Returns the block to go on in. */
static guint32 branch_around(WsPtxLower *lower)
{
    WsOperand p = ws_operand_predicate(lower->guard);
    p.flags = lower->guard_negated ? 0 : WS_OPERAND_NEGATE;
    guint32 body = ws_lower_new_block(lower);
    guint32 skip = ws_lower_new_block(lower);
    lower->guard = WS_PT;
    lower->guard_negated = FALSE;
    ws_lower_branch(lower, p, skip, body);
    return skip;
}

static gboolean makes_blocks(const WsPtxLower *lower, const WsPtxRow *row)
{
    if (row->flags & WS_PTX_ROW_BRANCHES)
        return TRUE;
    return (row->flags & WS_PTX_ROW_BRANCHES_IF_SHARED) &&
           (ws_lower_has(lower, "shared") || ws_lower_has(lower, "shared::cta"));
}

static void lower_instruction(WsPtxLower *lower)
{
    const WsPtxFunction *function = lower->frame->function;
    /* An array without operands has no data to point into. */
    lower->operands =
        lower->statement->operand_count == 0
            ? NULL
            : &g_array_index(function->operands, WsPtxOperand, lower->statement->first_operand);
    lower->move_count = 0;
    set_location(lower);
    set_guard(lower);
    const WsPtxRow *row = find_row(lower);
    if (row == NULL) {
        ws_lower_refuse(lower);
        return;
    }
    guint32 skip = WS_IR_NO_BLOCK;
    if (lower->guard != WS_PT && makes_blocks(lower, row))
        skip = branch_around(lower);
    guint depth = lower->frames->len;
    row->lower(lower);
    if (lower->frames->len > depth) { /* a call: the rest waits for its return */
        WsPtxFrame *callee = g_ptr_array_index(lower->frames, depth);
        callee->skip_block = skip;
        lower->frame = callee;
        return;
    }
    ws_lower_flush_moves(lower);
    if (skip != WS_IR_NO_BLOCK)
        ws_lower_fall_through(lower, skip);
}

void ws_lower_statements(WsPtxLower *lower)
{
    while (!lower->failed) {
        WsPtxFrame *frame = lower->frame;
        if (frame->next == frame->function->statements->len) {
            if (lower->frames->len == 1)
                return;
            ws_lower_pop_frame(lower);
            continue;
        }
        lower->statement =
            &g_array_index(frame->function->statements, WsPtxStatement, frame->next++);
        if (lower->statement->kind == WS_PTX_STATEMENT_LABEL)
            ws_lower_fall_through(lower, ws_lower_label_block(lower, lower->statement->label));
        else if (lower->statement->kind == WS_PTX_STATEMENT_INSTRUCTION)
            lower_instruction(lower);
    }
}

/* ---- kernels ---- */

/* Code that runs off the end of the kernel ends there. */
static void finish_kernel(WsPtxLower *lower)
{
    lower->guard = WS_PT;
    lower->guard_negated = FALSE;
    for (guint32 b = 0; b < lower->function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(lower->function, b);
        if (block->branch.opcode == WS_OP_NOP && block->next == WS_IR_NO_BLOCK) {
            lower->block = b;
            ws_lower_end(lower, WS_OP_EXIT);
        }
    }
}

static gboolean lower_kernel(WsPtxLower *lower, const WsPtxFunction *kernel)
{
    lower->kernel = kernel;
    lower->function = ws_ir_function_new(kernel->name);
    g_ptr_array_add(lower->module->ir->functions, lower->function);
    lower->kernel_parameters = g_hash_table_new(NULL, NULL);
    lower->shared = g_hash_table_new(NULL, NULL);
    lower->frame = ws_lower_push_frame(lower, lower->module->ptx, kernel);
    lower->location = lower->function->opening = opening_of(lower);
    if (ws_ptx_layout_kernel(lower)) {
        ws_lower_note_kernel(lower);
        lower->location = 0;
        lower->block = ws_lower_new_block(lower);
        ws_lower_begin_launches(lower);
        if (!lower->failed)
            ws_lower_statements(lower);
        if (!lower->failed)
            ws_lower_bodies(lower);
        if (!lower->failed)
            finish_kernel(lower);
    }
    ws_lower_note_registers(lower, lower->frame);
    ws_lower_forget_bodies(lower);
    g_clear_pointer(&lower->frames, g_ptr_array_unref);
    g_clear_pointer(&lower->kernel_parameters, g_hash_table_unref);
    g_clear_pointer(&lower->shared, g_hash_table_unref);
    /* No proof of values follows a call into a body. */
    if (!lower->failed && ws_keeps_reference(lower->module->options) &&
        lower->function->bodies == 0)
        ws_reference_keep(lower->function);
    if (!lower->failed &&
        !(lower->module->options->debug && ws_keeps_reference(lower->module->options)))
        ws_ir_combine(lower->function);
    return !lower->failed;
}

/* What one kernel lacks is its own matter, unless there is no other. */
static gboolean lower_kernels(WsLowerModule *module, GError **error)
{
    GError *first = NULL;
    for (guint i = 0; i < module->ptx->functions->len; i++) {
        const WsPtxFunction *function = g_ptr_array_index(module->ptx->functions, i);
        GError *refusal = NULL;
        WsPtxLower lower = {.module = module, .error = &refusal};
        if (!function->is_entry || !function->has_body || lower_kernel(&lower, function))
            continue;
        if (first == NULL)
            first = g_error_copy(refusal);
        ws_ir_refuse(module->ir->refused, lower.function, refusal);
        g_ptr_array_remove_index(module->ir->functions, module->ir->functions->len - 1);
    }
    if (first == NULL || module->ir->functions->len > 0) {
        g_clear_error(&first);
        return TRUE;
    }
    g_propagate_error(error, first);
    return FALSE;
}

static void init_module(WsLowerModule *module, const WsPtxModule *ptx,
                        const WsCompileOptions *options, WsIrModule *ir)
{
    *module = (WsLowerModule){.ptx = ptx, .options = options, .ir = ir};
    module->rows = index_rows();
    module->addresses = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    module->calls = ws_ptx_call_graph_new(ptx);
}

static void clear_module(WsLowerModule *module)
{
    g_hash_table_unref(module->rows);
    g_hash_table_unref(module->addresses);
    ws_ptx_call_graph_free(module->calls);
    ws_ptx_module_free(module->library);
}

WsIrModule *ws_ptx_to_ir(const char *path, const char *text, gsize length,
                         const WsCompileOptions *options, GError **error)
{
    g_autofree char *first = ws_ptx_replace_surfaces(text, length);
    const char *now = first != NULL ? first : text;
    const gsize now_length = first != NULL ? strlen(first) : length;
    g_autofree char *second = ws_ptx_replace_mbarriers(now, now_length);
    g_autoptr(WsPtxModule) parsed = ws_ptx_parse(
        path, second != NULL ? second : now, second != NULL ? strlen(second) : now_length, error);
    if (parsed == NULL ||
        (options->from_cuda && !ws_ptx_move_large_constants(parsed, WS_CONSTANT_BANK_BYTES, error)))
        return NULL;
    g_autoptr(WsIrModule) ir = ws_ir_module_new();
    ir->path = g_strdup(path);
    ir->ptx = g_strndup(text, length);
    WsLowerModule module;
    init_module(&module, parsed, options, ir);
    gboolean good = ws_lower_place_variables(&module, error) && lower_kernels(&module, error);
    clear_module(&module);
    return good ? g_steal_pointer(&ir) : NULL;
}
