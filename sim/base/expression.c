/* Operator precedence with two stacks of fixed size: no recursion, whatever the text. */
#include "sim/base/expression.h"

#include <string.h>

enum { MAX_TEXT = 1000, MAX_PENDING = 64, MAX_SHIFT = 63 };

/* ---- operations -------------------------------------------------------------------------------
 */

static const char too_large[] = "the result does not fit in 64 bits";

/* Each computes *ret from a and b, and returns NULL or what is wrong. */
typedef const char *(*Operation)(gint64 a, gint64 b, gint64 *ret);

static const char *add(gint64 a, gint64 b, gint64 *ret)
{
    return __builtin_add_overflow(a, b, ret) ? too_large : NULL;
}

static const char *subtract(gint64 a, gint64 b, gint64 *ret)
{
    return __builtin_sub_overflow(a, b, ret) ? too_large : NULL;
}

static const char *multiply(gint64 a, gint64 b, gint64 *ret)
{
    return __builtin_mul_overflow(a, b, ret) ? too_large : NULL;
}

static const char *divide(gint64 a, gint64 b, gint64 *ret)
{
    if (b == 0)
        return "division by zero";
    if (b == -1)
        return subtract(0, a, ret);
    *ret = a / b;
    return NULL;
}

static const char *divide_exactly(gint64 a, gint64 b, gint64 *ret)
{
    const char *problem = divide(a, b, ret);
    if (problem == NULL && *ret * b != a)
        return "the division leaves a remainder; only whole numbers can be computed";
    return problem;
}

static const char *remainder_of(gint64 a, gint64 b, gint64 *ret)
{
    if (b == 0)
        return "division by zero";
    *ret = b == -1 ? 0 : a % b;
    return NULL;
}

static const char *divide_up(gint64 a, gint64 b, gint64 *ret)
{
    const char *problem = divide(a, b, ret);
    if (problem == NULL && *ret * b != a && (a < 0) == (b < 0))
        ++*ret;
    return problem;
}

static const char *shift_left(gint64 a, gint64 b, gint64 *ret)
{
    if (b < 0 || b > MAX_SHIFT)
        return "a shift is from 0 to 63";
    *ret = (gint64)((guint64)a << b);
    return *ret >> b == a ? NULL : too_large;
}

static const char *shift_right(gint64 a, gint64 b, gint64 *ret)
{
    if (b < 0 || b > MAX_SHIFT)
        return "a shift is from 0 to 63";
    *ret = a >> b;
    return NULL;
}

static const char *least(gint64 a, gint64 b, gint64 *ret)
{
    *ret = MIN(a, b);
    return NULL;
}

static const char *most(gint64 a, gint64 b, gint64 *ret)
{
    *ret = MAX(a, b);
    return NULL;
}

typedef struct {
    const char *text;
    guint precedence; /* 0: not an operator between two values */
    Operation apply;
} Operator;

enum { NEGATION = 7, UNARY_PRECEDENCE = 4 };

static const Operator operators[] = {
    {"<<", 1, shift_left},  {">>", 1, shift_right},      {"+", 2, add},
    {"-", 2, subtract},     {"*", 3, multiply},          {"/", 3, divide},
    {"%", 3, remainder_of}, [NEGATION] = {"-", 0, NULL},
};
static const Operator functions[] = {
    {"min", 0, least}, {"max", 0, most}, {"ceil_div", 0, divide_up}};

/* ---- state ------------------------------------------------------------------------------------
 */

/* What waits for its right side: an operator, or an open parenthesis (perhaps of a function). */
typedef struct {
    const Operator *rule;     /* NULL: a parenthesis */
    const Operator *function; /* of a parenthesis, or NULL */
    gboolean second;          /* the function's comma has been read */
    gsize offset;
} Pending;

typedef struct {
    const char *text, *at;
    const WsNames *names;
    WsDivision division;
    gint64 values[MAX_PENDING + 1];
    guint value_count;
    Pending pending[MAX_PENDING];
    guint pending_count;
    char *problem;
    gsize problem_offset;
} State;

static gboolean fail(State *state, gsize offset, char *problem)
{
    state->problem = problem;
    state->problem_offset = offset;
    return FALSE;
}

static gsize offset_of(const State *state)
{
    return (gsize)(state->at - state->text);
}

static gboolean push(State *state, Pending pending)
{
    if (state->pending_count == MAX_PENDING)
        return fail(state, pending.offset,
                    g_strdup_printf("more than %d operations inside each other", MAX_PENDING));
    state->pending[state->pending_count++] = pending;
    return TRUE;
}

static gboolean apply(State *state, const Pending *pending, const Operator *rule)
{
    gint64 right = state->values[--state->value_count];
    gint64 left = rule == &operators[NEGATION] ? 0 : state->values[--state->value_count];
    Operation operation = rule == &operators[NEGATION] ? subtract : rule->apply;
    if (operation == divide && state->division == WS_DIVIDE_EXACT)
        operation = divide_exactly;
    const char *problem = operation(left, right, &state->values[state->value_count++]);
    return problem == NULL || fail(state, pending->offset, g_strdup(problem));
}

/* Applies what waits and binds at least as tightly, down to an open parenthesis. */
static gboolean reduce(State *state, guint precedence)
{
    while (state->pending_count > 0) {
        const Pending *top = &state->pending[state->pending_count - 1];
        if (top->rule == NULL)
            return TRUE;
        guint own = top->rule->precedence == 0 ? UNARY_PRECEDENCE : top->rule->precedence;
        if (own < precedence)
            return TRUE;
        state->pending_count--;
        if (!apply(state, top, top->rule))
            return FALSE;
    }
    return TRUE;
}

/* ---- operands ---------------------------------------------------------------------------------
 */

static gboolean starts_name(char c)
{
    return g_ascii_isalpha(c) || c == '_';
}

/* Length of the name that `at` begins with, dots inside it included. */
static gsize name_length(const char *at)
{
    gsize length = 0;
    while (g_ascii_isalnum(at[length]) || at[length] == '_' ||
           (at[length] == '.' && (g_ascii_isalnum(at[length + 1]) || at[length + 1] == '_')))
        length++;
    return length;
}

static void skip_blanks(State *state)
{
    while (g_ascii_isspace(*state->at))
        state->at++;
}

static gboolean read_number(State *state)
{
    const char *at = state->at;
    gsize offset = offset_of(state);
    gboolean hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    gint64 value = 0;
    gsize digits = 0;
    if (!hexadecimal && at[0] == '0' && g_ascii_isalnum(at[1]))
        return fail(state, offset, g_strdup("a whole number without leading zeros is expected"));
    for (at += hexadecimal ? 2 : 0; name_length(at) > 0; at++, digits++) {
        gint digit = hexadecimal ? g_ascii_xdigit_value(*at) : g_ascii_digit_value(*at);
        if (digit < 0)
            return fail(state, offset, g_strdup("a whole number is expected"));
        if (__builtin_mul_overflow(value, hexadecimal ? 16 : 10, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return fail(state, offset, g_strdup("the number does not fit in 64 bits"));
    }
    if (digits == 0)
        return fail(state, offset, g_strdup("a whole number is expected"));
    state->at = at;
    state->values[state->value_count++] = value;
    return TRUE;
}

static const Operator *find_function(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strcmp(functions[i].text, name) == 0)
            return &functions[i];
    return NULL;
}

/* A name's value, or the beginning of a function's arguments. */
static gboolean read_name(State *state, gboolean *is_value)
{
    gsize offset = offset_of(state);
    g_autofree char *name = g_strndup(state->at, name_length(state->at));
    const Operator *function = find_function(name);
    state->at += strlen(name);
    skip_blanks(state);
    *is_value = *state->at != '(';
    if (*is_value && function != NULL)
        return fail(state, offset, g_strdup_printf("'%s' is a function: %s(a, b)", name, name));
    if (!*is_value) {
        if (function == NULL)
            return fail(state, offset,
                        g_strdup_printf("no function is called '%s' (functions: min, max, "
                                        "ceil_div)",
                                        name));
        state->at++;
        return push(state, (Pending){.function = function, .offset = offset});
    }
    char *problem =
        state->names->find(state->names->data, name, &state->values[state->value_count]);
    if (problem != NULL)
        return fail(state, offset, problem);
    state->value_count++;
    return TRUE;
}

/* Reads up to and with one value; what stands in front of it waits. */
static gboolean read_operand(State *state)
{
    gboolean done = FALSE;
    while (!done) {
        skip_blanks(state);
        gsize offset = offset_of(state);
        char c = *state->at;
        if (g_ascii_isdigit(c)) {
            done = TRUE;
            if (!read_number(state))
                return FALSE;
        } else if (starts_name(c)) {
            if (!read_name(state, &done))
                return FALSE;
        } else if (c == '-' || c == '(') {
            const Operator *rule = c == '-' ? &operators[NEGATION] : NULL;
            state->at++;
            if (!push(state, (Pending){.rule = rule, .offset = offset}))
                return FALSE;
        } else {
            return fail(state, offset,
                        g_strdup(c == '\0' ? "a value is missing at the end"
                                           : "a number, a name or ( is expected"));
        }
    }
    return TRUE;
}

/* ---- what follows a value ---------------------------------------------------------------------
 */

static gboolean read_comma(State *state, gsize offset)
{
    if (!reduce(state, 0))
        return FALSE;
    Pending *top = state->pending_count == 0 ? NULL : &state->pending[state->pending_count - 1];
    if (top == NULL || top->function == NULL)
        return fail(state, offset, g_strdup("a comma stands between the values of a function"));
    if (top->second)
        return fail(state, offset, g_strdup_printf("%s takes two values", top->function->text));
    top->second = TRUE;
    return TRUE;
}

static gboolean close_parenthesis(State *state, gsize offset)
{
    if (!reduce(state, 0))
        return FALSE;
    if (state->pending_count == 0)
        return fail(state, offset, g_strdup("this ) has no ("));
    const Pending *top = &state->pending[--state->pending_count];
    if (top->function == NULL)
        return TRUE;
    if (!top->second)
        return fail(state, offset, g_strdup_printf("%s takes two values", top->function->text));
    return apply(state, top, top->function);
}

static const Operator *find_rule(const char *at)
{
    for (guint i = 0; i < NEGATION; i++)
        if (g_str_has_prefix(at, operators[i].text))
            return &operators[i];
    return NULL;
}

/* Reads closing parentheses and then an operator, a comma or the end. */
static gboolean read_after_value(State *state, gboolean *is_end)
{
    for (;;) {
        skip_blanks(state);
        gsize offset = offset_of(state);
        const Operator *rule = find_rule(state->at);
        *is_end = *state->at == '\0';
        if (*is_end)
            return TRUE;
        if (rule != NULL) {
            state->at += strlen(rule->text);
            return reduce(state, rule->precedence) &&
                   push(state, (Pending){.rule = rule, .offset = offset});
        }
        switch (*state->at++) {
        case ')':
            if (!close_parenthesis(state, offset))
                return FALSE;
            break;
        case ',':
            return read_comma(state, offset);
        default:
            return fail(state, offset,
                        g_strdup("an operator is expected: + - * / % << >> or a parenthesis"));
        }
    }
}

static gboolean evaluate(State *state)
{
    gboolean end = FALSE;
    if (strlen(state->text) > MAX_TEXT)
        return fail(state, 0, g_strdup_printf("an expression has at most %d bytes", MAX_TEXT));
    while (!end)
        if (!read_operand(state) || !read_after_value(state, &end))
            return FALSE;
    if (!reduce(state, 0))
        return FALSE;
    return state->pending_count == 0 ||
           fail(state, state->pending[state->pending_count - 1].offset,
                g_strdup("the ) is missing (inside { } and [ ] an expression with a comma needs "
                         "quotes)"));
}

char *ws_expression_evaluate(const char *text, const WsNames *names, WsDivision division,
                             gint64 *ret, gsize *ret_offset)
{
    State state = {.text = text, .at = text, .names = names, .division = division};
    if (!evaluate(&state)) {
        *ret_offset = state.problem_offset;
        return state.problem;
    }
    *ret = state.values[0];
    return NULL;
}

/* ---- names ------------------------------------------------------------------------------------
 */

gboolean ws_expression_mentions(const char *text, const char *const *names)
{
    for (const char *at = text; *at != '\0';) {
        gsize length = name_length(at);
        g_autofree char *name = g_strndup(at, length);
        if (length > 0 && g_strv_contains(names, name))
            return TRUE;
        at += MAX(length, 1);
    }
    return FALSE;
}

gboolean ws_expression_is_name(const char *text)
{
    return starts_name(*text) &&
           text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_")] == '\0' &&
           find_function(text) == NULL;
}
