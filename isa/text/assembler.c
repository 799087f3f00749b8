#include "isa/text/assembler.h"

#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/container/verifier.h"
#include "isa/flow/reconvergence.h"
#include "isa/text/assembler_private.h"

/* ---- tokens and messages ----------------------------------------------------------------------
 */

const WsToken *ws_assembler_peek(const WsAssembler *assembler)
{
    return &assembler->tokens[assembler->at];
}

const WsToken *ws_assembler_take(WsAssembler *assembler)
{
    const WsToken *token = &assembler->tokens[assembler->at];
    if (token->kind != WS_TOKEN_END) {
        assembler->at++;
    }
    return token;
}

gboolean ws_assembler_accept(WsAssembler *assembler, char punctuation)
{
    if (!ws_token_is(ws_assembler_peek(assembler), punctuation)) {
        return FALSE;
    }
    ws_assembler_take(assembler);
    return TRUE;
}

gboolean ws_assembler_fail(const WsAssembler *assembler, const WsToken *token, GError **error,
                           const char *format, ...)
{
    WsPosition position = {assembler->path, token->line, token->column};
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

gboolean ws_assembler_fail_expected(const WsAssembler *assembler, const char *what, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind == WS_TOKEN_NEWLINE || token->kind == WS_TOKEN_END) {
        return ws_assembler_fail(assembler, token, error, "expected %s, found the end of the line",
                                 what);
    }
    g_autofree char *text = ws_token_text(token);
    g_autofree char *shown = ws_printable(text);
    return ws_assembler_fail(assembler, token, error, "expected %s, found \"%s\"", what, shown);
}

gboolean ws_assembler_expect(WsAssembler *assembler, char punctuation, GError **error)
{
    const char what[] = {'"', punctuation, '"', '\0'};
    return ws_assembler_accept(assembler, punctuation) ||
           ws_assembler_fail_expected(assembler, what, error);
}

static const char *nearest(const char *text, const char *const *names)
{
    g_autofree char *upper = g_ascii_strup(text, -1);
    g_autofree char *lower = g_ascii_strdown(text, -1);
    const char *found = ws_nearest_name(text, names);
    if (found == NULL) {
        found = ws_nearest_name(upper, names);
    }
    return found != NULL ? found : ws_nearest_name(lower, names);
}

gboolean ws_assembler_fail_unknown(const WsAssembler *assembler, const WsToken *token,
                                   const char *what, const char *const *names, GError **error)
{
    g_autofree char *text = ws_token_text(token);
    g_autofree char *shown = ws_printable(text);
    const char *found = nearest(text, names);
    if (found == NULL) {
        return ws_assembler_fail(assembler, token, error, "there is no %s \"%s\"", what, shown);
    }
    return ws_assembler_fail(assembler, token, error, "there is no %s \"%s\"; did you mean \"%s\"?",
                             what, shown, found);
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static gboolean parse_label(WsAssembler *assembler, GError **error)
{
    const WsToken *token = ws_assembler_take(assembler);
    ws_assembler_take(assembler); /* the colon */
    g_autofree char *name = ws_token_text(token);
    if (!assembler->in_kernel) {
        return ws_assembler_fail(assembler, token, error,
                                 "this label is outside a kernel: .kernel NAME first");
    }
    if (ws_word_is_register(name)) {
        return ws_assembler_fail(assembler, token, error, "\"%s\" is a register, not a label",
                                 name);
    }
    guint32 number = assembler->instructions->len;
    if (!g_hash_table_insert(assembler->label_numbers, g_strdup(name),
                             GUINT_TO_POINTER(number + 1))) {
        return ws_assembler_fail(assembler, token, error, "there is already a label \"%s\"", name);
    }
    WsLabel label = {number, g_steal_pointer(&name)};
    g_array_append_val(assembler->labels, label);
    return TRUE;
}

static gboolean parse_code(WsAssembler *assembler, GError **error)
{
    enum { MAX_INSTRUCTIONS = 1 << 20 };
    const WsToken *token = ws_assembler_peek(assembler);
    WsInstruction instruction;
    if (!assembler->in_kernel) {
        return ws_assembler_fail(assembler, token, error,
                                 "this is outside a kernel: .kernel NAME first");
    }
    if (assembler->instructions->len == MAX_INSTRUCTIONS) {
        return ws_assembler_fail(assembler, token, error, "more than %d instructions",
                                 MAX_INSTRUCTIONS);
    }
    if (!ws_assembler_parse_instruction(assembler, &instruction, error)) {
        return FALSE;
    }
    gboolean given = assembler->loc_line != 0;
    WsTextPlace place = {token->line, token->column};
    WsLocation location = {.file = given ? assembler->loc_file : 1,
                           .line = given ? assembler->loc_line : token->line,
                           .column = given ? 0 : token->column};
    instruction.location = assembler->locations->len;
    g_array_append_val(assembler->locations, location);
    g_array_append_val(assembler->instructions, instruction);
    g_array_append_val(assembler->places, place);
    return TRUE;
}

static gboolean parse_line(WsAssembler *assembler, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind == WS_TOKEN_NEWLINE) {
        ws_assembler_take(assembler);
        return TRUE;
    }
    if (token->kind == WS_TOKEN_WORD && ws_token_is(token + 1, ':')) {
        return parse_label(assembler, error);
    }
    gboolean directive = token->kind == WS_TOKEN_WORD && *token->text == '.';
    if (directive ? !ws_assembler_parse_directive(assembler, error)
                  : !parse_code(assembler, error)) {
        return FALSE;
    }
    return ws_assembler_peek(assembler)->kind == WS_TOKEN_NEWLINE ||
           ws_assembler_fail_expected(assembler, "the end of the line", error);
}

/* ---- the end of a kernel ----------------------------------------------------------------------
 */

static gboolean resolve_labels(WsAssembler *assembler, GError **error)
{
    for (guint u = 0; u < assembler->label_uses->len; u++) {
        const WsLabelUse *use = &g_array_index(assembler->label_uses, WsLabelUse, u);
        g_autofree char *name = ws_token_text(use->token);
        guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(assembler->label_numbers, name));
        if (number == 0) {
            g_autoptr(GPtrArray) names = g_ptr_array_new();
            for (guint l = 0; l < assembler->labels->len; l++) {
                const WsLabel *label = &g_array_index(assembler->labels, WsLabel, l);
                if (g_hash_table_contains(assembler->label_numbers, label->name)) {
                    g_ptr_array_add(names, label->name);
                }
            }
            g_ptr_array_add(names, NULL);
            return ws_assembler_fail_unknown(assembler, use->token, "label",
                                             (const char *const *)names->pdata, error);
        }
        g_array_index(assembler->instructions, WsInstruction, use->instruction)
            .operand[use->operand]
            .value = number - 1;
    }
    return TRUE;
}

static gboolean uses_barriers(const WsAssembler *assembler, guint32 first)
{
    for (guint32 i = first; i < assembler->instructions->len; i++) {
        switch (g_array_index(assembler->instructions, WsInstruction, i).opcode) {
        case WS_OP_BSSY:
        case WS_OP_BSYNC:
        case WS_OP_BREAK:
        case WS_OP_BMOV_TO:
        case WS_OP_BMOV_FROM:
            return TRUE;
        default:
            break;
        }
    }
    return FALSE;
}

/* Puts the rewritten code of the last kernel in the place of the old one. */
static void replace_code(WsAssembler *assembler, guint32 first, const WsReconvergence *placed)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(WsTextPlace));
    for (guint i = 0; i < placed->code->len; i++) {
        guint32 origin = first + g_array_index(placed->origin, guint32, i);
        g_array_append_val(places, g_array_index(assembler->places, WsTextPlace, origin));
    }
    for (guint l = assembler->labels->len; l-- > 0;) {
        WsLabel *label = &g_array_index(assembler->labels, WsLabel, l);
        if (label->instruction < first) {
            break; /* of an earlier kernel */
        }
        if (label->instruction < assembler->instructions->len) {
            label->instruction =
                first + g_array_index(placed->entry, guint32, label->instruction - first);
        }
    }
    g_array_set_size(assembler->instructions, first);
    g_array_set_size(assembler->places, first);
    g_array_append_vals(assembler->instructions, placed->code->data, placed->code->len);
    g_array_append_vals(assembler->places, places->data, places->len);
}

gboolean ws_assembler_end_kernel(WsAssembler *assembler, GError **error)
{
    WsKernel *kernel = &g_array_index(assembler->kernels, WsKernel, assembler->kernels->len - 1);
    if (!resolve_labels(assembler, error)) {
        return FALSE;
    }
    guint32 count = assembler->instructions->len - kernel->first;
    if (count > 0 && !assembler->manual && !uses_barriers(assembler, kernel->first)) {
        g_autoptr(WsReconvergence) placed = ws_place_convergence_barriers(
            (const WsInstruction *)(gpointer)assembler->instructions->data, kernel->first, count);
        replace_code(assembler, kernel->first, placed);
    }
    kernel->count = assembler->instructions->len - kernel->first;
    WsProgram view = {.instructions = (WsInstruction *)(gpointer)assembler->instructions->data};
    ws_kernel_scan_code(&view, kernel);
    if (assembler->given_registers != 0) {
        if (assembler->given_registers < kernel->registers) {
            WsPosition position = {assembler->path, assembler->kernel_place.line,
                                   assembler->kernel_place.column};
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "kernel \"%s\" uses %u registers, more than .registers %u",
                            kernel->name, kernel->registers, assembler->given_registers);
            return FALSE;
        }
        kernel->registers = assembler->given_registers;
    }
    kernel->parameter_count = assembler->parameters->len;
    kernel->parameters =
        g_memdup2(assembler->parameters->data, sizeof(WsParameter) * assembler->parameters->len);
    g_array_set_size(assembler->parameters, 0);
    g_array_set_size(assembler->label_uses, 0);
    g_hash_table_remove_all(assembler->label_numbers);
    assembler->in_kernel = FALSE;
    assembler->loc_line = 0;
    return TRUE;
}

/* ---- whole texts ------------------------------------------------------------------------------
 */

static WsAssembler *assembler_new(const char *path, const GArray *tokens)
{
    WsAssembler *assembler = g_new0(WsAssembler, 1);
    assembler->path = path;
    assembler->tokens = (const WsToken *)(gpointer)tokens->data;
    assembler->instructions = g_array_new(FALSE, TRUE, sizeof(WsInstruction));
    assembler->places = g_array_new(FALSE, TRUE, sizeof(WsTextPlace));
    assembler->locations = g_array_new(FALSE, TRUE, sizeof(WsLocation));
    assembler->files = g_ptr_array_new_with_free_func(g_free);
    assembler->symbols = g_array_new(FALSE, TRUE, sizeof(WsSymbol));
    assembler->kernels = g_array_new(FALSE, TRUE, sizeof(WsKernel));
    assembler->parameters = g_array_new(FALSE, TRUE, sizeof(WsParameter));
    assembler->label_numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    assembler->label_uses = g_array_new(FALSE, TRUE, sizeof(WsLabelUse));
    assembler->labels = g_array_new(FALSE, TRUE, sizeof(WsLabel));
    g_array_set_size(assembler->locations, 1);
    g_ptr_array_add(assembler->files, g_strdup(""));
    g_ptr_array_add(assembler->files, g_strdup(path));
    return assembler;
}

static void free_parameters(WsParameter *parameters, guint count)
{
    for (guint p = 0; p < count; p++) {
        g_free(parameters[p].name);
    }
}

static void assembler_free(WsAssembler *assembler)
{
    for (guint k = 0; k < assembler->kernels->len; k++) {
        WsKernel *kernel = &g_array_index(assembler->kernels, WsKernel, k);
        free_parameters(kernel->parameters, kernel->parameter_count);
        g_free(kernel->parameters);
        g_free(kernel->name);
        g_free(kernel->display_name);
    }
    free_parameters((WsParameter *)(gpointer)assembler->parameters->data,
                    assembler->parameters->len);
    for (guint s = 0; s < assembler->symbols->len; s++) {
        g_free(g_array_index(assembler->symbols, WsSymbol, s).name);
        g_free(g_array_index(assembler->symbols, WsSymbol, s).initial);
    }
    for (guint l = 0; l < assembler->labels->len; l++) {
        g_free(g_array_index(assembler->labels, WsLabel, l).name);
    }
    g_array_unref(assembler->instructions);
    g_array_unref(assembler->places);
    g_array_unref(assembler->locations);
    g_ptr_array_unref(assembler->files);
    g_array_unref(assembler->symbols);
    g_array_unref(assembler->kernels);
    g_array_unref(assembler->parameters);
    g_hash_table_unref(assembler->label_numbers);
    g_array_unref(assembler->label_uses);
    g_array_unref(assembler->labels);
    g_free(assembler);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsAssembler, assembler_free)

static gpointer steal_array(GArray *array, guint32 *ret_count)
{
    gsize count;
    gpointer data = g_array_steal(array, &count);
    *ret_count = (guint32)count;
    return data;
}

static void move_labels(WsAssembler *assembler, WsProgram *program)
{
    program->labels = g_new0(char *, (gsize)program->instruction_count + 1);
    for (guint l = 0; l < assembler->labels->len; l++) {
        WsLabel *label = &g_array_index(assembler->labels, WsLabel, l);
        if (label->instruction < program->instruction_count &&
            program->labels[label->instruction] == NULL) {
            program->labels[label->instruction] = g_steal_pointer(&label->name);
        }
    }
}

static WsProgram *make_program(WsAssembler *assembler)
{
    WsProgram *program = ws_program_new();
    g_clear_pointer(&program->locations, g_free);
    g_clear_pointer(&program->files, g_strfreev);
    program->parameter_base = assembler->parameter_base;
    program->instructions = steal_array(assembler->instructions, &program->instruction_count);
    program->kernels = steal_array(assembler->kernels, &program->kernel_count);
    program->symbols = steal_array(assembler->symbols, &program->symbol_count);
    program->locations = steal_array(assembler->locations, &program->location_count);
    g_ptr_array_add(assembler->files, NULL);
    program->files = (char **)g_ptr_array_steal(assembler->files, NULL);
    program->path = g_strdup(assembler->path);
    program->module_bytes = assembler->module_bytes;
    program->constant_bytes = assembler->constant_bytes;
    program->constants = g_malloc0(MAX(program->constant_bytes, 1));
    for (guint32 s = 0; s < program->symbol_count; s++) {
        const WsSymbol *symbol = &program->symbols[s];
        if (symbol->space == WS_SYMBOL_CONSTANT && symbol->initial != NULL) {
            memcpy(program->constants + symbol->address, symbol->initial, symbol->size);
        }
    }
    move_labels(assembler, program);
    return program;
}

WsProgram *ws_assemble(const char *path, const char *text, gsize length,
                       const WsCompileOptions *options, GError **error)
{
    WsPosition position = {path, 0, 0};
    if (length > WS_MAX_ASSEMBLER_BYTES) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "the text is larger than %d bytes",
                        WS_MAX_ASSEMBLER_BYTES);
        return NULL;
    }
    g_autoptr(GArray) tokens = ws_assembler_tokens(path, text, length, error);
    if (tokens == NULL) {
        return NULL;
    }
    WsCompileOptions defaults;
    ws_compile_options_init(&defaults);
    g_autoptr(WsAssembler) assembler = assembler_new(path, tokens);
    assembler->parameter_base = options != NULL ? options->parameter_base : defaults.parameter_base;
    while (ws_assembler_peek(assembler)->kind != WS_TOKEN_END) {
        if (!parse_line(assembler, error)) {
            return NULL;
        }
    }
    if (assembler->in_kernel && !ws_assembler_end_kernel(assembler, error)) {
        return NULL;
    }
    if (assembler->kernels->len == 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "there is no .kernel in this text");
        return NULL;
    }
    g_autoptr(WsProgram) program = make_program(assembler);
    return ws_verify(program, error) ? g_steal_pointer(&program) : NULL;
}

gboolean ws_assemble_instruction(const char *text, WsInstruction *ret, GError **error)
{
    g_autoptr(GArray) tokens = ws_assembler_tokens("instruction", text, strlen(text), error);
    if (tokens == NULL) {
        return FALSE;
    }
    g_autoptr(WsAssembler) assembler = assembler_new("instruction", tokens);
    assembler->single = TRUE;
    return ws_assembler_parse_instruction(assembler, ret, error);
}
