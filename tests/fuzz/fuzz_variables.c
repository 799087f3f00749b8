/* Any PTX has a table of variables that holds together, or a reason why it has none. */
#include "isa/codegen/code_generation.h"
#include "isa/debug/variable_places.h"
#include "isa/ir/ir.h"
#include "tests/fuzz/fuzz.h"

static void check_table(const WsVariableTable *table, const WsProgram *program)
{
    const WsVariableBounds bounds = {program->instruction_count, g_strv_length(program->files)};
    g_assert_nonnull(table);
    g_assert_true(table->reason == NULL || table->variables->len == 0);
    g_assert_null(ws_variable_table_fault(table, &bounds));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.variables = options.debug = TRUE;
    g_autoptr(WsIrModule) module =
        ws_ptx_to_ir("fuzz.ptx", (const char *)data, size, &options, NULL);
    if (module == NULL)
        return 0;
    g_autoptr(WsProgram) program = ws_ir_compile(module, &options, NULL);
    if (program == NULL)
        return 0;
    const WsCompiled compiled = {.module = module, .program = program, .ptx = module->ptx};
    g_autoptr(WsVariableTable) table = ws_variables_of_module(&compiled, &options);
    check_table(table, program);
    return 0;
}
