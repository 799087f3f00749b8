#include "grade/formula/formula.h"

#include <math.h>
#include <string.h>

enum { MAX_BYTES = 1000, MAX_DEPTH = 64 };

typedef enum {
    STEP_NUMBER,
    STEP_FIGURE,
    STEP_ADD,
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_NEGATE,
    STEP_MINIMUM,
    STEP_MAXIMUM,
    STEP_LESS_OR_EQUAL,
    STEP_LESS,
    STEP_GREATER_OR_EQUAL,
    STEP_GREATER,
    STEP_EQUAL,
    STEP_NOT_EQUAL,
    STEP_AND,
    STEP_OR
} StepKind;

/* The formula is kept as the steps of a machine with a stack. */
typedef struct {
    StepKind kind;
    double number;
    guint figure;
} Step;

/* Where a figure stands in the text. */
typedef struct {
    gsize start, end;
    guint figure;
} Mention;

struct WsFormula {
    char *text;
    GArray *steps;      /* of Step */
    GPtrArray *figures; /* of WsFigure */
    GArray *mentions;   /* of Mention */
};

static void figure_free(gpointer data)
{
    WsFigure *figure = data;
    g_free(figure->text);
    g_free(figure->test);
    g_free(figure->marker);
    g_free(figure->path);
    g_free(figure);
}

void ws_formula_free(WsFormula *formula)
{
    if (formula == NULL)
        return;
    g_free(formula->text);
    g_array_unref(formula->steps);
    g_array_unref(formula->mentions);
    g_ptr_array_unref(formula->figures);
    g_free(formula);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

typedef struct {
    WsFormula *formula;
    const char *at;
    char *problem; /* the first one */
    gsize offset;
    guint depth;
} Reader;

static gboolean read_alternatives(Reader *reader);

static gboolean fail(Reader *reader, const char *text)
{
    if (reader->problem == NULL) {
        reader->problem = g_strdup(text);
        reader->offset = (gsize)(reader->at - reader->formula->text);
    }
    return FALSE;
}

static void skip_blanks(Reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t')
        reader->at++;
}

static gboolean take(Reader *reader, const char *word)
{
    skip_blanks(reader);
    gsize length = strlen(word);
    if (strncmp(reader->at, word, length) != 0)
        return FALSE;
    if (g_ascii_isalpha(*word) &&
        (g_ascii_isalnum(reader->at[length]) || reader->at[length] == '_'))
        return FALSE;
    reader->at += length;
    return TRUE;
}

static gboolean emit(Reader *reader, StepKind kind)
{
    Step step = {.kind = kind};
    g_array_append_val(reader->formula->steps, step);
    return TRUE;
}

static gboolean same_figure(const WsFigure *a, const WsFigure *b)
{
    return a->of == b->of && g_strcmp0(a->test, b->test) == 0 &&
           g_strcmp0(a->marker, b->marker) == 0 && strcmp(a->path, b->path) == 0;
}

/* Takes `figure`. */
static gboolean emit_figure(Reader *reader, WsFigure *figure, const char *start)
{
    WsFormula *formula = reader->formula;
    figure->text = g_strndup(start, (gsize)(reader->at - start));
    guint place = 0;
    while (place < formula->figures->len && !same_figure(formula->figures->pdata[place], figure))
        place++;
    if (place < formula->figures->len)
        figure_free(figure);
    else
        g_ptr_array_add(formula->figures, figure);
    Step step = {.kind = STEP_FIGURE, .figure = place};
    g_array_append_val(formula->steps, step);
    Mention mention = {(gsize)(start - formula->text), (gsize)(reader->at - formula->text), place};
    g_array_append_val(formula->mentions, mention);
    return TRUE;
}

static char *read_path(Reader *reader)
{
    const char *start = reader->at;
    while (g_ascii_isalnum(*reader->at) || *reader->at == '_' ||
           (*reader->at == '.' && (g_ascii_isalnum(reader->at[1]) || reader->at[1] == '_')))
        reader->at++;
    return g_strndup(start, (gsize)(reader->at - start));
}

/* at('text').PATH, from behind `at` on. */
static gboolean read_marked(Reader *reader, const char *start)
{
    if (!take(reader, "("))
        return fail(reader, "at needs a text in brackets: at('marker').divergent");
    skip_blanks(reader);
    char quote = *reader->at;
    const char *end = quote == '\'' || quote == '"' ? strchr(reader->at + 1, quote) : NULL;
    if (end == NULL || end == reader->at + 1)
        return fail(reader, "a text in quotes is expected");
    g_autofree char *marker = g_strndup(reader->at + 1, (gsize)(end - reader->at - 1));
    reader->at = end + 1;
    if (!take(reader, ")") || *reader->at != '.')
        return fail(reader, "').' and a figure of the line are expected");
    reader->at++;
    WsFigure *figure = g_new0(WsFigure, 1);
    figure->marker = g_steal_pointer(&marker);
    figure->path = read_path(reader);
    return emit_figure(reader, figure, start);
}

/* `reference` alone is the first figure, of the reference's run. */
static gboolean read_reference(Reader *reader, WsFigure *figure, const char *start)
{
    const GPtrArray *figures = reader->formula->figures;
    const WsFigure *first = figures->len > 0 ? figures->pdata[0] : NULL;
    if (first == NULL || first->of != WS_FIGURE_OWN || first->marker != NULL) {
        figure_free(figure);
        reader->at = start;
        return fail(reader, "'reference' needs a figure in front of it, or a path behind it: "
                            "reference.cycles");
    }
    figure->of = WS_FIGURE_REFERENCE;
    g_free(figure->path);
    figure->path = g_strdup(first->path);
    return emit_figure(reader, figure, start);
}

static gboolean read_figure(Reader *reader)
{
    static const char reference[] = "reference.", tests[] = "tests.";
    const char *start = reader->at;
    if (take(reader, "at"))
        return read_marked(reader, start);
    WsFigure *figure = g_new0(WsFigure, 1);
    figure->path = read_path(reader);
    if (strcmp(figure->path, "reference") == 0)
        return read_reference(reader, figure, start);
    if (g_str_has_prefix(figure->path, reference)) {
        figure->of = WS_FIGURE_REFERENCE;
        memmove(figure->path, figure->path + strlen(reference),
                strlen(figure->path + strlen(reference)) + 1);
    } else if (g_str_has_prefix(figure->path, tests)) {
        const char *name = figure->path + strlen(tests), *dot = strchr(name, '.');
        if (dot == NULL) {
            figure_free(figure);
            return fail(reader, "tests.NAME.FIGURE is expected");
        }
        figure->of = WS_FIGURE_TEST;
        figure->test = g_strndup(name, (gsize)(dot - name));
        char *path = g_strdup(dot + 1);
        g_free(figure->path);
        figure->path = path;
    }
    return emit_figure(reader, figure, start);
}

static gboolean read_number(Reader *reader)
{
    char *end;
    double value = g_ascii_strtod(reader->at, &end);
    if (end == reader->at || !isfinite(value))
        return fail(reader, "a number is expected");
    reader->at = end;
    Step step = {.kind = STEP_NUMBER, .number = value};
    g_array_append_val(reader->formula->steps, step);
    return TRUE;
}

static gboolean read_function(Reader *reader, StepKind kind)
{
    return (take(reader, "(") || fail(reader, "'(' is expected")) && read_alternatives(reader) &&
           (take(reader, ",") || fail(reader, "',' is expected")) && read_alternatives(reader) &&
           (take(reader, ")") || fail(reader, "')' is expected")) && emit(reader, kind);
}

static gboolean read_operand(Reader *reader)
{
    gboolean ok;
    skip_blanks(reader);
    if (++reader->depth > MAX_DEPTH)
        return fail(reader, "more than 64 operations inside each other");
    if (take(reader, "("))
        ok = read_alternatives(reader) && (take(reader, ")") || fail(reader, "')' is expected"));
    else if (take(reader, "-"))
        ok = read_operand(reader) && emit(reader, STEP_NEGATE);
    else if (take(reader, "min"))
        ok = read_function(reader, STEP_MINIMUM);
    else if (take(reader, "max"))
        ok = read_function(reader, STEP_MAXIMUM);
    else if (g_ascii_isdigit(*reader->at) || *reader->at == '.')
        ok = read_number(reader);
    else if (g_ascii_isalpha(*reader->at) || *reader->at == '_')
        ok = read_figure(reader);
    else
        ok = fail(reader, "a number or a figure is expected");
    reader->depth--;
    return ok;
}

static gboolean read_product(Reader *reader)
{
    if (!read_operand(reader))
        return FALSE;
    for (;;) {
        StepKind kind = take(reader, "*")   ? STEP_MULTIPLY
                        : take(reader, "/") ? STEP_DIVIDE
                                            : STEP_NUMBER;
        if (kind == STEP_NUMBER)
            return TRUE;
        if (!read_operand(reader) || !emit(reader, kind))
            return FALSE;
    }
}

static gboolean read_sum(Reader *reader)
{
    if (!read_product(reader))
        return FALSE;
    for (;;) {
        StepKind kind = take(reader, "+")   ? STEP_ADD
                        : take(reader, "-") ? STEP_SUBTRACT
                                            : STEP_NUMBER;
        if (kind == STEP_NUMBER)
            return TRUE;
        if (!read_product(reader) || !emit(reader, kind))
            return FALSE;
    }
}

static gboolean read_comparison(Reader *reader)
{
    static const struct {
        const char *text;
        StepKind kind;
    } operators[] = {{"<=", STEP_LESS_OR_EQUAL}, {"<", STEP_LESS},   {">=", STEP_GREATER_OR_EQUAL},
                     {">", STEP_GREATER},        {"==", STEP_EQUAL}, {"!=", STEP_NOT_EQUAL}};
    if (!read_sum(reader))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(operators); i++)
        if (take(reader, operators[i].text))
            return read_sum(reader) && emit(reader, operators[i].kind);
    return TRUE;
}

static gboolean read_conditions(Reader *reader)
{
    if (!read_comparison(reader))
        return FALSE;
    while (take(reader, "and"))
        if (!read_comparison(reader) || !emit(reader, STEP_AND))
            return FALSE;
    return TRUE;
}

static gboolean read_alternatives(Reader *reader)
{
    if (!read_conditions(reader))
        return FALSE;
    while (take(reader, "or"))
        if (!read_conditions(reader) || !emit(reader, STEP_OR))
            return FALSE;
    return TRUE;
}

WsFormula *ws_formula_parse(const char *text, char **ret_problem, gsize *ret_offset)
{
    g_autoptr(WsFormula) formula = g_new0(WsFormula, 1);
    formula->text = g_strdup(text);
    formula->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    formula->mentions = g_array_new(FALSE, FALSE, sizeof(Mention));
    formula->figures = g_ptr_array_new_with_free_func(figure_free);
    Reader reader = {.formula = formula, .at = formula->text};
    gboolean ok = strlen(text) <= MAX_BYTES ? read_alternatives(&reader)
                                            : fail(&reader, "a formula has at most 1000 bytes");
    skip_blanks(&reader);
    if (ok && *reader.at != '\0')
        ok = fail(&reader, "an operator is expected");
    if (ok)
        return g_steal_pointer(&formula);
    *ret_problem = reader.problem;
    *ret_offset = reader.offset;
    return NULL;
}

/* ---- using ------------------------------------------------------------------------------------
 */

const char *ws_formula_text(const WsFormula *formula)
{
    return formula->text;
}

guint ws_formula_figure_count(const WsFormula *formula)
{
    return formula->figures->len;
}

const WsFigure *ws_formula_figure(const WsFormula *formula, guint index)
{
    return g_ptr_array_index(formula->figures, index);
}

gboolean ws_formula_is_condition(const WsFormula *formula)
{
    const Step *last = &g_array_index(formula->steps, Step, formula->steps->len - 1);
    return last->kind >= STEP_LESS_OR_EQUAL;
}

static double apply(StepKind kind, double a, double b)
{
    if (isnan(a) || isnan(b))
        return (double)NAN;
    switch (kind) {
    case STEP_ADD:
        return a + b;
    case STEP_SUBTRACT:
        return a - b;
    case STEP_MULTIPLY:
        return a * b;
    case STEP_DIVIDE:
        return b == 0 ? (double)NAN : a / b;
    case STEP_MINIMUM:
        return a < b ? a : b;
    case STEP_MAXIMUM:
        return a > b ? a : b;
    case STEP_LESS_OR_EQUAL:
        return a <= b;
    case STEP_LESS:
        return a < b;
    case STEP_GREATER_OR_EQUAL:
        return a >= b;
    case STEP_GREATER:
        return a > b;
    case STEP_EQUAL:
        return a == b;
    case STEP_NOT_EQUAL:
        return a != b;
    case STEP_AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

double ws_formula_value(const WsFormula *formula, const double *values)
{
    double stack[MAX_BYTES] = {0}; /* no more steps than bytes */
    guint depth = 0;
    for (guint i = 0; i < formula->steps->len; i++) {
        const Step *step = &g_array_index(formula->steps, Step, i);
        if (step->kind == STEP_NUMBER) {
            stack[depth++] = step->number;
        } else if (step->kind == STEP_FIGURE) {
            stack[depth++] = values[step->figure];
        } else if (step->kind == STEP_NEGATE) {
            stack[depth - 1] = -stack[depth - 1];
        } else {
            depth--;
            stack[depth - 1] = apply(step->kind, stack[depth - 1], stack[depth]);
        }
    }
    return stack[0];
}

char *ws_formula_without_reference(const WsFormula *formula, const double *values,
                                   const char *const *tests)
{
    GString *text = g_string_new(NULL);
    gsize done = 0;
    for (guint i = 0; i < formula->mentions->len; i++) {
        const Mention *mention = &g_array_index(formula->mentions, Mention, i);
        const WsFigure *figure = ws_formula_figure(formula, mention->figure);
        gboolean other = figure->of == WS_FIGURE_TEST && tests != NULL;
        if (figure->of != WS_FIGURE_REFERENCE && !other)
            continue;
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_len(text, formula->text + done, (gssize)(mention->start - done));
        if (other)
            g_string_append_printf(text, "tests.%s.%s", tests[mention->figure], figure->path);
        else
            g_string_append(text, g_ascii_dtostr(number, sizeof number, values[mention->figure]));
        done = mention->end;
    }
    g_string_append(text, formula->text + done);
    return g_string_free(text, FALSE);
}
