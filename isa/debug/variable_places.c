/*
 * A debug compile keeps every variable in memory, at a fixed place of the function that it belongs
 * to; DWARF says which. Each function of the PTX stands in a kernel as often as it is called
 * (WsIrFrame), with a place in the thread's local memory each time, and so do its variables.
 *
 * Of optimised code DWARF says what variables and scopes there are; what is not in memory of the
 * block or of the device is found by isa/debug/optimised_places.h.
 */
#include "isa/debug/variable_places.h"

#include "isa/debug/assigned_names.h"
#include "isa/debug/dwarf_entries.h"
#include "isa/debug/optimised_places.h"

#include <string.h>

enum { MAX_VARIABLES = 1 << 20, MAX_SCOPES = 1 << 18 };

typedef struct {
    const WsIrModule *module;
    const WsProgram *program;
    const WsCompiled *compiled;
    const WsDebugText *text;
    const WsDebugEntries *entries;
    WsVariableTable *table;
    gboolean in_memory; /* all variables are */
    GArray *moving;     /* of WsOptimisedVariable: those of the kernel that are not */
    GHashTable *files;  /* name -> index in the program's files */
    /* of the kernel */
    const WsKernel *kernel;
    guint32 *functions; /* per frame of the module: the entry of its function, or WS_NO_SCOPE */
    guint32 *scopes;    /* per frame: scope in the table of its function, or WS_NO_SCOPE */
    guint32 *inner;     /* per instruction of the kernel: innermost scope, or WS_NO_SCOPE */
} Placer;

static const WsDebugScope *entry_of(const Placer *placer, guint32 entry)
{
    return &g_array_index(placer->entries->scopes, WsDebugScope, entry);
}

static const WsIrFrame *frame_of(const Placer *placer, guint32 frame)
{
    return &g_array_index(placer->module->frames, WsIrFrame, frame);
}

static const WsLocation *location_of(const Placer *placer, guint32 instruction)
{
    return &placer->program->locations[placer->program->instructions[instruction].location];
}

static guint32 file_of(const Placer *placer, guint32 number)
{
    const char *name = g_hash_table_lookup(placer->text->files, GUINT_TO_POINTER(number));
    return name == NULL ? 0 : GPOINTER_TO_UINT(g_hash_table_lookup(placer->files, name));
}

/* ---- scopes -----------------------------------------------------------------------------------
 */

/* The line of the PTX with debug information for one of the module's; 0 = not known. */
static guint32 debug_line(const Placer *placer, guint32 line)
{
    const WsCompiled *compiled = placer->compiled;
    if (compiled->lines == NULL)
        return line;
    return line <= compiled->line_count ? compiled->lines[line] : 0;
}

static gboolean entry_holds(const Placer *placer, guint32 entry, guint32 ptx_line)
{
    return ws_debug_scope_holds(placer->entries, entry, debug_line(placer, ptx_line));
}

/* The entries of a function come behind it, up to the next function. */
static guint32 end_of_function(const Placer *placer, guint32 function)
{
    guint32 end = function + 1;
    while (end < placer->entries->scopes->len &&
           entry_of(placer, end)->kind != WS_SOURCE_SCOPE_KERNEL)
        end++;
    return end;
}

/* The scope of the table for an entry of a function that stands in `frame`. */
static guint32 scope_of(const Placer *placer, guint32 frame, guint32 entry)
{
    return placer->scopes[frame] + (entry - placer->functions[frame]);
}

/* The scope of the caller that holds the call of `frame`. */
static guint32 scope_of_call(const Placer *placer, guint32 frame, guint32 line)
{
    const guint32 caller = frame_of(placer, frame)->caller;
    const guint32 function = placer->functions[caller];
    for (guint32 e = end_of_function(placer, function); e-- > function;)
        if (entry_holds(placer, e, line))
            return scope_of(placer, caller, e);
    return placer->scopes[caller];
}

static void add_function(Placer *placer, guint32 frame, guint32 parent)
{
    const WsIrFrame *noted = frame_of(placer, frame);
    const WsLocation *call =
        noted->call == 0 ? NULL
                         : &g_array_index(placer->module->locations, WsLocation, noted->call);
    const guint32 function = placer->functions[frame];
    placer->scopes[frame] = placer->table->scopes->len;
    for (guint32 e = function; e < end_of_function(placer, function); e++) {
        const WsDebugScope *entry = entry_of(placer, e);
        WsSourceScope scope = {.kind = entry->kind,
                               .name = g_strdup(entry->name),
                               .file = file_of(placer, entry->file),
                               .line = entry->line,
                               .call_file = file_of(placer, entry->call_file),
                               .call_line = entry->call_line,
                               .call_column = entry->call_column};
        scope.parent = e == function ? parent : scope_of(placer, frame, entry->parent);
        if (e == function && call != NULL) {
            scope.kind = WS_SOURCE_SCOPE_INLINED;
            scope.call_file = call->file;
            scope.call_line = call->line;
            scope.call_column = call->column;
        }
        g_array_append_val(placer->table->scopes, scope);
    }
}

/* The frames of the kernel: callers come before those they call. */
static void add_scopes(Placer *placer)
{
    for (guint32 f = 1; f < placer->module->frames->len; f++) {
        const WsIrFrame *frame = frame_of(placer, f);
        const gboolean is_kernel =
            frame->kernel != NULL && strcmp(frame->kernel, placer->kernel->name) == 0;
        placer->scopes[f] = WS_NO_SCOPE;
        if (placer->functions[f] == WS_NO_SCOPE || placer->table->scopes->len >= MAX_SCOPES)
            continue;
        if (is_kernel)
            add_function(placer, f, WS_NO_SCOPE);
        else if (frame->kernel == NULL && placer->scopes[frame->caller] != WS_NO_SCOPE)
            add_function(
                placer, f,
                scope_of_call(
                    placer, f,
                    g_array_index(placer->module->locations, WsLocation, frame->call).ptx_line));
    }
}

/* What has no place in the PTX belongs where the instruction before it does. */
static void find_inner(Placer *placer)
{
    guint32 last = WS_NO_SCOPE;
    for (guint32 i = 0; i < placer->kernel->count; i++) {
        const WsLocation *location = location_of(placer, placer->kernel->first + i);
        const guint32 frame = location->frame;
        if (frame != 0 && placer->scopes[frame] != WS_NO_SCOPE) {
            const guint32 function = placer->functions[frame];
            last = placer->scopes[frame];
            for (guint32 e = end_of_function(placer, function); e-- > function;)
                if (entry_holds(placer, e, location->ptx_line)) {
                    last = scope_of(placer, frame, e);
                    break;
                }
        }
        placer->inner[i] = last;
    }
}

/* Adds an instruction behind those that a list of ranges has. */
static void extend(GArray *ranges, guint32 instruction)
{
    WsCodeRange *last =
        ranges->len == 0 ? NULL : &g_array_index(ranges, WsCodeRange, ranges->len - 1);
    const WsCodeRange alone = {instruction, 1};
    if (last != NULL && last->first + last->count == instruction)
        last->count++;
    else
        g_array_append_val(ranges, alone);
}

/* Of the scopes from `first` on: an instruction is in its innermost one and in all around that. */
static void add_ranges(Placer *placer, guint32 first)
{
    const guint32 count = placer->table->scopes->len - first;
    g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint32 s = 0; s < count; s++)
        g_ptr_array_add(lists, g_array_new(FALSE, FALSE, sizeof(WsCodeRange)));
    for (guint32 i = 0; i < placer->kernel->count; i++)
        for (guint32 s = placer->inner[i]; s != WS_NO_SCOPE;
             s = ws_variable_table_scope(placer->table, s)->parent)
            extend(g_ptr_array_index(lists, s - first), placer->kernel->first + i);
    for (guint32 s = 0; s < count; s++) {
        const GArray *list = g_ptr_array_index(lists, s);
        WsSourceScope *scope = &g_array_index(placer->table->scopes, WsSourceScope, first + s);
        scope->first_range = placer->table->ranges->len;
        scope->range_count = list->len;
        g_array_append_vals(placer->table->ranges, list->data, list->len);
    }
}

/* ---- places -----------------------------------------------------------------------------------
 */

static gboolean find_place(const Placer *placer, guint32 frame, const char *symbol,
                           WsVariablePiece *piece)
{
    for (guint32 f = frame; f != 0; f = frame_of(placer, f)->caller) {
        const GArray *places = frame_of(placer, f)->places;
        for (guint i = 0; i < places->len; i++) {
            const WsIrPlace *place = &g_array_index(places, WsIrPlace, i);
            /* what is local to a caller is not the callee's */
            if (strcmp(place->name, symbol) == 0 && (f == frame || place->kind != WS_PIECE_LOCAL)) {
                piece->kind = place->kind;
                piece->value += place->value;
                return TRUE;
            }
        }
    }
    const WsSymbol *found = ws_program_find_symbol(placer->program, symbol);
    if (found == NULL)
        return FALSE;
    piece->kind = WS_PIECE_ADDRESS;
    piece->value += found->address + (found->space == WS_SYMBOL_CONSTANT ? WS_CONSTANT_WINDOW : 0);
    return TRUE;
}

/*
 * clang leaves a struct that a kernel only reads where the launch puts it, and says nothing of its
 * place: the parameter of the same number in the PTX.
 */
static gboolean parameter_of_kernel(const Placer *placer, const WsDebugVariable *variable,
                                    guint32 frame, WsVariablePiece *piece)
{
    if (!variable->is_parameter || frame_of(placer, frame)->kernel == NULL ||
        entry_of(placer, variable->scope)->kind != WS_SOURCE_SCOPE_KERNEL ||
        variable->ordinal >= placer->kernel->parameter_count)
        return FALSE;
    const WsParameter *parameter = &placer->kernel->parameters[variable->ordinal];
    piece->kind = WS_PIECE_CONSTANT;
    piece->value = placer->program->parameter_base + parameter->offset;
    return parameter->size == piece->bytes;
}

static gboolean piece_of(const Placer *placer, const WsDebugVariable *variable, guint32 frame,
                         WsVariablePiece *ret)
{
    enum { IMMEDIATE_BYTES = 8 };
    const guint64 bytes = ws_variable_table_type(placer->table, variable->type)->bytes;
    *ret = (WsVariablePiece){
        .kind = WS_PIECE_IMMEDIATE, .bytes = (guint32)bytes, .value = variable->value};
    if (bytes > G_MAXUINT32)
        return FALSE;
    if (variable->place == WS_DEBUG_VALUES)
        return FALSE;
    if (variable->place == WS_DEBUG_NOWHERE)
        return parameter_of_kernel(placer, variable, frame, ret);
    if (variable->place == WS_DEBUG_IMMEDIATE)
        return bytes > 0 && bytes <= IMMEDIATE_BYTES;
    return find_place(placer, frame, placer->text->symbols->pdata[variable->symbol], ret);
}

/*
 * A place over the ranges of a scope. A parameter is not in its place before the prologue of its
 * function has put it there.
 */
static void add_places(Placer *placer, const WsVariablePiece *piece, guint32 scope, guint32 frame,
                       gboolean is_parameter)
{
    const WsSourceScope *entry = ws_variable_table_scope(placer->table, scope);
    const guint32 body = entry_of(placer, placer->functions[frame])->body;
    const guint32 piece_number = placer->table->pieces->len;
    g_array_append_val(placer->table->pieces, *piece);
    for (guint32 r = entry->first_range; r < entry->first_range + entry->range_count; r++) {
        WsVariablePlace place = {g_array_index(placer->table->ranges, WsCodeRange, r), piece_number,
                                 1};
        const guint32 end = place.code.first + place.code.count;
        while (is_parameter && place.code.first < end) {
            const WsLocation *at = location_of(placer, place.code.first);
            if (at->frame == frame && debug_line(placer, at->ptx_line) >= body)
                break;
            place.code.first++;
        }
        place.code.count = end - place.code.first;
        if (place.code.count > 0)
            g_array_append_val(placer->table->places, place);
        is_parameter = is_parameter && place.code.count == 0;
    }
}

/* ---- variables of optimised code ---------------------------------------------------------------
 */

/* The calls that an entry of a function is inlined in, innermost first. */
static GArray *calls_of(const Placer *placer, guint32 entry)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(WsMachineCall));
    for (guint32 e = entry; e != WS_NO_SCOPE; e = entry_of(placer, e)->parent) {
        const WsDebugScope *scope = entry_of(placer, e);
        const WsMachineCall call = {scope->call_line, scope->call_column};
        if (scope->kind == WS_SOURCE_SCOPE_INLINED)
            g_array_append_val(calls, call);
    }
    return calls;
}

/* TRUE if the function has another variable that LLVM's dump would not tell from this one. */
static gboolean is_ambiguous(const Placer *placer, const WsDebugVariable *variable, guint32 frame,
                             const GArray *calls)
{
    const guint32 end = end_of_function(placer, placer->functions[frame]);
    for (guint v = 0; v < placer->entries->variables->len; v++) {
        const WsDebugVariable *other =
            &g_array_index(placer->entries->variables, WsDebugVariable, v);
        if (other == variable || other->scope < placer->functions[frame] || other->scope >= end ||
            other->line != variable->line || strcmp(other->name, variable->name) != 0)
            continue;
        g_autoptr(GArray) others = calls_of(placer, other->scope);
        if (others->len == calls->len &&
            (calls->len == 0 ||
             memcmp(others->data, calls->data, calls->len * sizeof(WsMachineCall)) == 0))
            return TRUE;
    }
    return FALSE;
}

/*
 * A parameter of a kernel that nothing changes is where the launch puts it, from the first
 * instruction to the last. LLVM names one place or none for it, and the source does not assign it.
 */
static gboolean is_constant(const Placer *placer, const WsDebugVariable *variable, guint32 machine)
{
    const char *name = g_hash_table_lookup(placer->text->files, GUINT_TO_POINTER(variable->file));
    const char *source = placer->compiled->sources == NULL || name == NULL
                             ? NULL
                             : g_hash_table_lookup(placer->compiled->sources, name);
    if (source == NULL ||
        (machine != WS_NO_VARIABLE &&
         g_array_index(placer->compiled->values->variables, WsMachineVariable, machine).is_changed))
        return FALSE;
    return !ws_name_is_assigned(source, variable->line, variable->name);
}

static void look_for(Placer *placer, const WsDebugVariable *from, guint32 frame, guint32 variable)
{
    if (placer->compiled->values == NULL || placer->compiled->functions == NULL)
        return;
    if (placer->compiled->values->is_exact) {
        const guint32 number =
            (guint32)(from - &g_array_index(placer->entries->variables, WsDebugVariable, 0));
        const WsOptimisedVariable in_registers = {variable, number, frame};
        if (from->place == WS_DEBUG_VALUES)
            g_array_append_val(placer->moving, in_registers);
        return;
    }
    g_autoptr(GArray) calls = calls_of(placer, from->scope);
    const WsMachineVariable like = {.name = from->name, .line = from->line, .calls = calls};
    const WsOptimisedVariable wanted = {
        variable,
        ws_machine_variable_find(placer->compiled->values,
                                 entry_of(placer, placer->functions[frame])->linkage_name, &like),
        frame};
    WsVariablePiece piece = {.bytes =
                                 (guint32)ws_variable_table_type(placer->table, from->type)->bytes};
    WsSourceVariable *entry = &g_array_index(placer->table->variables, WsSourceVariable, variable);
    if (parameter_of_kernel(placer, from, frame, &piece) &&
        is_constant(placer, from, wanted.machine)) {
        entry->first_place = placer->table->places->len;
        add_places(placer, &piece, entry->scope, frame, FALSE);
        entry->place_count = placer->table->places->len - entry->first_place;
        return;
    }
    if (wanted.machine != WS_NO_VARIABLE && !is_ambiguous(placer, from, frame, calls))
        g_array_append_val(placer->moving, wanted);
}

static gboolean may_stay(const Placer *placer, const WsDebugVariable *from,
                         const WsVariablePiece *piece)
{
    return placer->in_memory || (from->place == WS_DEBUG_SYMBOL && piece->kind != WS_PIECE_LOCAL);
}

static void add_variable(Placer *placer, const WsDebugVariable *from, guint32 frame)
{
    WsVariablePiece piece;
    WsSourceVariable variable = {.name = g_strdup(from->name),
                                 .kind =
                                     from->is_parameter ? WS_VARIABLE_PARAMETER : WS_VARIABLE_LOCAL,
                                 .type = from->type,
                                 .scope = scope_of(placer, frame, from->scope),
                                 .file = file_of(placer, from->file),
                                 .line = from->line,
                                 .first_place = placer->table->places->len};
    const gboolean found = piece_of(placer, from, frame, &piece);
    if (found && may_stay(placer, from, &piece)) {
        if (piece.kind == WS_PIECE_SHARED)
            variable.kind = WS_VARIABLE_SHARED;
        else if (piece.kind == WS_PIECE_ADDRESS)
            variable.kind = WS_VARIABLE_DEVICE;
        add_places(placer, &piece, variable.scope, frame,
                   from->is_parameter && piece.kind == WS_PIECE_LOCAL);
    }
    variable.place_count = placer->table->places->len - variable.first_place;
    g_array_append_val(placer->table->variables, variable);
    if ((!placer->in_memory || from->place == WS_DEBUG_VALUES) && variable.place_count == 0)
        look_for(placer, from, frame, placer->table->variables->len - 1);
}

/* Those of the scopes of the kernel, by function, each as often as it stands in the kernel. */
static void add_variables(Placer *placer)
{
    for (guint32 f = 1; f < placer->module->frames->len; f++) {
        if (placer->scopes[f] == WS_NO_SCOPE)
            continue;
        const guint32 end = end_of_function(placer, placer->functions[f]);
        for (guint v = 0; v < placer->entries->variables->len; v++) {
            const WsDebugVariable *variable =
                &g_array_index(placer->entries->variables, WsDebugVariable, v);
            if (variable->scope != WS_NO_SCOPE && variable->scope >= placer->functions[f] &&
                variable->scope < end && placer->table->variables->len < MAX_VARIABLES)
                add_variable(placer, variable, f);
        }
    }
}

static void add_kernel(Placer *placer, const WsKernel *kernel)
{
    const guint32 first = placer->table->scopes->len;
    placer->kernel = kernel;
    placer->inner = g_new(guint32, kernel->count + 1);
    add_scopes(placer);
    find_inner(placer);
    add_ranges(placer, first);
    placer->moving = g_array_new(FALSE, FALSE, sizeof(WsOptimisedVariable));
    add_variables(placer);
    if (placer->moving->len > 0)
        ws_optimised_places_add(placer->compiled, (guint32)(kernel - placer->program->kernels),
                                placer->moving, placer->table);
    g_clear_pointer(&placer->moving, g_array_unref);
    g_clear_pointer(&placer->inner, g_free);
}

/* Those of the whole program are where they are at any instruction. */
static void add_program_variables(Placer *placer)
{
    for (guint v = 0; v < placer->entries->variables->len; v++) {
        const WsDebugVariable *from =
            &g_array_index(placer->entries->variables, WsDebugVariable, v);
        WsVariablePiece piece;
        if (from->scope != WS_NO_SCOPE || !piece_of(placer, from, 0, &piece))
            continue;
        const WsVariablePlace place = {
            {0, placer->program->instruction_count}, placer->table->pieces->len, 1};
        const WsSourceVariable variable = {.name = g_strdup(from->name),
                                           .kind = WS_VARIABLE_DEVICE,
                                           .type = from->type,
                                           .scope = WS_NO_SCOPE,
                                           .file = file_of(placer, from->file),
                                           .line = from->line,
                                           .first_place = placer->table->places->len,
                                           .place_count = 1};
        g_array_append_val(placer->table->pieces, piece);
        g_array_append_val(placer->table->places, place);
        g_array_append_val(placer->table->variables, variable);
    }
}

/* ---- the table --------------------------------------------------------------------------------
 */

static void place_all(Placer *placer)
{
    const guint32 frames = placer->module->frames->len;
    placer->functions = g_new(guint32, frames);
    placer->scopes = g_new(guint32, frames);
    for (guint32 f = 0; f < frames; f++) {
        placer->functions[f] = ws_debug_entries_function(
            placer->entries, debug_line(placer, frame_of(placer, f)->ptx_line));
        placer->scopes[f] = WS_NO_SCOPE;
    }
    for (guint32 k = 0; k < placer->program->kernel_count; k++)
        add_kernel(placer, &placer->program->kernels[k]);
    if (placer->program->instruction_count > 0)
        add_program_variables(placer);
    g_free(placer->functions);
    g_free(placer->scopes);
}

static WsVariableTable *none(WsVariableTable *table, const char *reason)
{
    ws_variable_table_free(table);
    WsVariableTable *empty = ws_variable_table_new();
    empty->reason = g_strdup(reason);
    return empty;
}

/* Why there is nothing to place; NULL if there is. */
static const char *reason_of(const WsDebugText *text, const WsDebugEntries *entries,
                             gboolean has_places)
{
    if (text->sections[WS_DEBUG_INFO]->len == 0)
        return text->lines->len == 0
                   ? "the PTX has no debug information: nvcc -G writes it"
                   : "the PTX has source lines alone, as nvcc -lineinfo writes it: -G gives "
                     "variables too";
    if (entries->scopes->len == 0)
        return "the debug information of the PTX describes no function";
    if (!has_places)
        return "compiling may have moved the variables of the PTX: --debug leaves them in place";
    return NULL;
}

WsVariableTable *ws_variables_of_module(const WsCompiled *compiled, const WsCompileOptions *options)
{
    const WsIrModule *module = compiled->module;
    const WsProgram *program = compiled->program;
    const gboolean in_memory = options->debug || options->for_checks;
    g_autoptr(WsDebugText) text = ws_debug_text_new(compiled->ptx);
    WsVariableTable *table = ws_variable_table_new();
    g_autoptr(WsDebugEntries) entries = ws_debug_entries_new(text, table);
    WsCompiled own = *compiled;
    if (own.values == NULL && entries->values->values->len > 0) {
        entries->values->is_exact = TRUE;
        own.values = entries->values;
    }
    const char *reason = reason_of(text, entries, in_memory || own.values != NULL);
    if (reason != NULL)
        return none(table, reason);
    Placer placer = {.module = module,
                     .program = program,
                     .compiled = &own,
                     .text = text,
                     .entries = entries,
                     .table = table,
                     .in_memory = in_memory};
    table->debug = options->debug;
    placer.files = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint f = 1; program->files[f] != NULL; f++)
        g_hash_table_insert(placer.files, program->files[f], GUINT_TO_POINTER(f));
    place_all(&placer);
    g_hash_table_unref(placer.files);
    const WsVariableBounds bounds = {program->instruction_count, g_strv_length(program->files)};
    if (ws_variable_table_fault(table, &bounds) != NULL)
        return none(table, "the debug information of the PTX is not in order");
    return table;
}
