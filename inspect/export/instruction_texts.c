#include "inspect/export/instruction_texts.h"

#include <string.h>

#include "isa/base/escape.h"
#include "isa/text/disassembler.h"
#include "sim/base/call_frames.h"
#include "sim/report/line_profile.h"

enum { NO_BARRIER = 7 };

struct WsInstructionTexts {
    const WsProgram *program;
    guint32 count;            /* of texts: freeing them asks no program, which may be gone */
    WsInstructionText *texts; /* text NULL: not made yet */
    GString *registers;
};

WsInstructionTexts *ws_instruction_texts_new(const WsProgram *program)
{
    WsInstructionTexts *texts = g_new0(WsInstructionTexts, 1);

    texts->program = program;
    texts->count = program->instruction_count;
    texts->texts = g_new0(WsInstructionText, program->instruction_count);
    texts->registers = g_string_new(NULL);
    return texts;
}

void ws_instruction_texts_free(WsInstructionTexts *texts)
{
    if (texts == NULL)
        return;
    for (guint32 i = 0; i < texts->count; i++) {
        g_free(texts->texts[i].text);
        g_free(texts->texts[i].mnemonic);
        g_free(texts->texts[i].place);
        g_free(texts->texts[i].framed);
        g_free(texts->texts[i].file);
    }
    g_free(texts->texts);
    g_string_free(texts->registers, TRUE);
    g_free(texts);
}

static void make(const WsProgram *program, guint32 number, WsInstructionText *ret)
{
    WsInstruction instruction = program->instructions[number];
    g_autofree char *raw = NULL, *base = NULL, *framed = NULL;
    const char *opcode;
    guint32 file, line;

    instruction.control = (WsControl){.write_barrier = NO_BARRIER, .read_barrier = NO_BARRIER};
    raw = ws_instruction_to_text(&instruction, program->labels);
    ret->text = ws_escape_controls(raw, -1, "");
    opcode = ret->text[0] == '@' ? strchr(ret->text, ' ') : NULL;
    opcode = opcode == NULL ? ret->text : opcode + 1;
    ret->mnemonic = g_strndup(opcode, strcspn(opcode, ". "));
    ws_line_of_instruction(program, number, &file, &line);
    ret->line = line;
    base = file == 0 ? g_strdup("") : g_path_get_basename(program->files[file]);
    ret->file = ws_escape_controls(base, -1, "");
    ret->place = file == 0 ? g_strdup("") : g_strdup_printf("%s:%u", ret->file, line);
    framed = file == 0 ? g_strdup("") : ws_place_with_frames(program, number, ret->place);
    ret->framed = ws_escape_controls(framed, -1, "");
}

const WsInstructionText *ws_instruction_text(WsInstructionTexts *texts, guint32 instruction)
{
    static const WsInstructionText nothing = {(char *)"", (char *)"", (char *)"",
                                              (char *)"", (char *)"", 0};

    if (instruction >= texts->program->instruction_count)
        return &nothing;
    if (G_UNLIKELY(texts->texts[instruction].text == NULL))
        make(texts->program, instruction, &texts->texts[instruction]);
    return &texts->texts[instruction];
}

static void append_range(GString *out, const char *prefix, guint first, guint count)
{
    if (count == 0)
        return;
    g_string_append_printf(out, "%s%s%u", out->len != 0 ? " " : "", prefix, first);
    if (count > 1)
        g_string_append_printf(out, "..%s%u", prefix, first + count - 1);
}

const char *ws_register_set_text(WsInstructionTexts *texts, const WsRegisterSet *set)
{
    GString *out = texts->registers;

    g_string_truncate(out, 0);
    append_range(out, "R", set->first, set->count);
    append_range(out, "UR", set->uniform_first, set->uniform_count);
    for (guint i = 0; i < 8; i++)
        append_range(out, "P", i, set->predicates >> i & 1);
    for (guint i = 0; i < 8; i++)
        append_range(out, "UP", i, set->uniform_predicates >> i & 1);
    return out->str;
}
