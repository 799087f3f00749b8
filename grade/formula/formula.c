#include "grade/formula/formula.h"

#include <string.h>

#include "sim/expression/real.h"

/* Where a figure stands in the text. */
typedef struct {
    gsize start, end;
    guint figure;
} Mention;

struct WsFormula {
    WsSyntax *syntax;
    guint *places;      /* by node: of a figure, its place in `figures` */
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
    ws_syntax_free(formula->syntax);
    g_free(formula->places);
    g_array_unref(formula->mentions);
    g_ptr_array_unref(formula->figures);
    g_free(formula);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static gboolean same_figure(const WsFigure *a, const WsFigure *b)
{
    return a->of == b->of && g_strcmp0(a->test, b->test) == 0 &&
           g_strcmp0(a->marker, b->marker) == 0 && strcmp(a->path, b->path) == 0;
}

/* Takes `figure`, which is what `node` says. */
static void add_figure(WsFormula *formula, guint node, WsFigure *figure)
{
    gsize start = formula->syntax->nodes[node].start, end = formula->syntax->nodes[node].end;
    guint place = 0;

    figure->text = g_strndup(formula->syntax->text + start, end - start);
    while (place < formula->figures->len && !same_figure(formula->figures->pdata[place], figure))
        place++;
    if (place < formula->figures->len)
        figure_free(figure);
    else
        g_ptr_array_add(formula->figures, figure);
    formula->places[node] = place;
    Mention mention = {start, end, place};
    g_array_append_val(formula->mentions, mention);
}

/* Whose figure a path is of. Returns NULL, or what is wrong. */
static const char *read_path(const WsFormula *formula, const char *path, WsFigure *ret)
{
    static const char reference[] = "reference.", tests[] = "tests.";
    const WsFigure *first = formula->figures->len > 0 ? formula->figures->pdata[0] : NULL;

    if (strcmp(path, "reference") == 0) {
        if (first == NULL || first->of != WS_FIGURE_OWN || first->marker != NULL)
            return "'reference' needs a figure before it, or a path after it: "
                   "reference.cycles";
        ret->of = WS_FIGURE_REFERENCE;
        ret->path = g_strdup(first->path);
    } else if (g_str_has_prefix(path, reference)) {
        ret->of = WS_FIGURE_REFERENCE;
        ret->path = g_strdup(path + strlen(reference));
    } else if (g_str_has_prefix(path, tests)) {
        const char *name = path + strlen(tests), *dot = strchr(name, '.');
        if (dot == NULL)
            return "tests.NAME.FIGURE is expected";
        ret->of = WS_FIGURE_TEST;
        ret->test = g_strndup(name, (gsize)(dot - name));
        ret->path = g_strdup(dot + 1);
    } else {
        ret->path = g_strdup(path);
    }
    return NULL;
}

/* at('text').PATH; FALSE: the node is no member of one. */
static gboolean read_marked(const WsSyntax *syntax, guint node, WsFigure *ret)
{
    GString *path = g_string_new(NULL);
    const WsNode *at = &syntax->nodes[node];

    for (; at->kind == WS_NODE_MEMBER; at = &syntax->nodes[at->operand[0]]) {
        g_string_prepend(path, at->text);
        if (syntax->nodes[at->operand[0]].kind == WS_NODE_MEMBER)
            g_string_prepend_c(path, '.');
    }
    ret->path = g_string_free(path, FALSE);
    if (at->kind == WS_NODE_MARK)
        ret->marker = g_strdup(syntax->nodes[at->operand[0]].text);
    return at->kind == WS_NODE_MARK && *ret->path != '\0';
}

/* The node is not a member's left side. Returns NULL, or what is wrong, with the byte. */
static const char *read_figure(WsFormula *formula, guint node, gsize *ret_offset)
{
    const WsNode *at = &formula->syntax->nodes[node];
    WsFigure *figure = g_new0(WsFigure, 1);
    g_autofree char *path = ws_syntax_path(formula->syntax, node);
    const char *problem = NULL;

    *ret_offset = at->start;
    if (path != NULL) {
        problem = read_path(formula, path, figure);
    } else if (!read_marked(formula->syntax, node, figure)) {
        *ret_offset = at->end;
        problem = at->kind == WS_NODE_MARK ? "'.' and a figure of the line are expected"
                                           : "a figure is expected in front of the point";
    }
    if (problem == NULL)
        add_figure(formula, node, figure);
    else
        figure_free(figure);
    return problem;
}

/* Returns NULL, or what is wrong, to be freed. */
static char *find_figures(WsFormula *formula, gsize *ret_offset)
{
    const WsSyntax *syntax = formula->syntax;
    g_autofree gboolean *is_part = g_new0(gboolean, syntax->count);
    const char *problem = NULL;

    formula->places = g_new0(guint, syntax->count);
    for (guint i = 0; i < syntax->count; i++)
        if (syntax->nodes[i].kind == WS_NODE_MEMBER || syntax->nodes[i].kind == WS_NODE_MARK)
            is_part[syntax->nodes[i].operand[0]] = TRUE;
    for (guint i = 0; problem == NULL && i < syntax->count; i++) {
        WsNodeKind kind = syntax->nodes[i].kind;
        if (!is_part[i] && (kind == WS_NODE_NAME || kind == WS_NODE_MEMBER || kind == WS_NODE_MARK))
            problem = read_figure(formula, i, ret_offset);
    }
    return g_strdup(problem);
}

WsFormula *ws_formula_parse(const char *text, char **ret_problem, gsize *ret_offset)
{
    g_autoptr(WsFormula) formula = g_new0(WsFormula, 1);
    formula->mentions = g_array_new(FALSE, FALSE, sizeof(Mention));
    formula->figures = g_ptr_array_new_with_free_func(figure_free);
    formula->syntax = ws_syntax_parse(text, NULL, ret_problem, ret_offset);
    if (formula->syntax == NULL)
        return NULL;
    *ret_problem = ws_real_check(formula->syntax, ret_offset);
    if (*ret_problem == NULL)
        *ret_problem = find_figures(formula, ret_offset);
    return *ret_problem == NULL ? g_steal_pointer(&formula) : NULL;
}

/* ---- using ------------------------------------------------------------------------------------
 */

const char *ws_formula_text(const WsFormula *formula)
{
    return formula->syntax->text;
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
    return ws_real_is_condition(formula->syntax);
}

double ws_formula_value(const WsFormula *formula, const double *values)
{
    const WsSyntax *syntax = formula->syntax;
    g_autofree double *names = g_new0(double, syntax->count);

    for (guint i = 0; i < syntax->count && formula->figures->len > 0; i++)
        names[i] = values[formula->places[i]];
    return ws_real_evaluate(syntax, names);
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
        g_string_append_len(text, formula->syntax->text + done, (gssize)(mention->start - done));
        if (other)
            g_string_append_printf(text, "tests.%s.%s", tests[mention->figure], figure->path);
        else
            g_string_append(text, g_ascii_dtostr(number, sizeof number, values[mention->figure]));
        done = mention->end;
    }
    g_string_append(text, formula->syntax->text + done);
    return g_string_free(text, FALSE);
}
