/* What a scan of CUDA C finds: statements and operators that branch, by the places that clang gives
 * them. */
#include "isa/source/construct_scan.h"
#include "isa/source/macro_table.h"
#include "tests/support/suite.h"

#include <string.h>

typedef struct {
    const char *at; /* in the text, where it is alone: the place that is looked up */
    WsConstructKind kind;
    guint32 line, end_line;
} Expected;

static WsConstructScan *scan_text(const char *text)
{
    g_autoptr(GHashTable) macros = ws_macro_table_new();
    ws_macro_table_add(macros, text, strlen(text));
    ws_macro_table_finish(macros);
    return ws_construct_scan(text, strlen(text), macros);
}

static void place_of(const char *text, const char *at, guint32 *ret_line, guint32 *ret_column)
{
    const char *found = strstr(text, at), *start = text;
    ck_assert_msg(found != NULL && strstr(found + 1, at) == NULL, "'%s' is not alone", at);
    *ret_line = 1;
    for (const char *c = text; c < found; c++)
        if (*c == '\n') {
            ++*ret_line;
            start = c + 1;
        }
    *ret_column = (guint32)(found - start) + 1;
}

static const WsSourceConstruct *construct_at(const WsConstructScan *scan, const char *text,
                                             const char *at)
{
    guint32 line, column;
    place_of(text, at, &line, &column);
    return &g_array_index(scan->constructs, WsSourceConstruct,
                          ws_construct_scan_find(scan, line, column));
}

static void assert_constructs(const char *text, const Expected *expected, guint count)
{
    g_autoptr(WsConstructScan) scan = scan_text(text);
    for (guint i = 0; i < count; i++) {
        const WsSourceConstruct *found = construct_at(scan, text, expected[i].at);
        ck_assert_msg(found->kind == expected[i].kind, "'%s': kind %u, expected %u", expected[i].at,
                      found->kind, expected[i].kind);
        ck_assert_msg(found->line == expected[i].line, "'%s': line %u, expected %u", expected[i].at,
                      found->line, expected[i].line);
        ck_assert_msg(found->end_line == expected[i].end_line, "'%s': ends in %u, expected %u",
                      expected[i].at, found->end_line, expected[i].end_line);
    }
}

#define ASSERT_CONSTRUCTS(text, ...)                                                               \
    assert_constructs(text, (const Expected[]){__VA_ARGS__},                                       \
                      G_N_ELEMENTS(((const Expected[]){__VA_ARGS__})))

START_TEST(test_statements)
{
    static const char text[] = "__global__ void k(int *a, int n)\n"           /* 1 */
                               "{\n"                                          /* 2 */
                               "    if (n > 3 /* ) { */) {\n"                 /* 3 */
                               "        a[0] = '{';\n"                        /* 4 */
                               "    } else if (a[1])\n"                       /* 5 */
                               "        a[1] = 0;\n"                          /* 6 */
                               "    else\n"                                   /* 7 */
                               "        a[2] = sizeof(\"}\");\n"              /* 8 */
                               "    for (int i = 0; i < n; i++)\n"            /* 9 */
                               "        while (a[i])\n"                       /* 10 */
                               "            if (--a[i] == 5)\n"               /* 11 */
                               "                a[3]++;\n"                    /* 12 */
                               "    do {\n"                                   /* 13 */
                               "        a[4] += a[5];\n"                      /* 14 */
                               "    } while (a[4] < 9);\n"                    /* 15 */
                               "    do a[6]++; while (a[6] < 9);\n"           /* 16 */
                               "    switch (n) {\n"                           /* 17 */
                               "    case 1: a[7] = 1; break;\n"               /* 18 */
                               "    default: a[8] = 1;\n"                     /* 19 */
                               "    }\n"                                      /* 20 */
                               "    for (int x : *(int(*)[4])a) a[9] += x;\n" /* 21 */
                               "    if (int q = a[10]) a[11] = q;\n"          /* 22 */
                               "    if (int w = a[12]; w > 4) a[13] = w;\n"   /* 23 */
                               "}\n";
    ASSERT_CONSTRUCTS(text, {"n > 3", WS_CONSTRUCT_IF, 3, 8}, {"a[1])", WS_CONSTRUCT_IF, 5, 8},
                      {"for (int i", WS_CONSTRUCT_FOR, 9, 12},
                      {"while (a[i]", WS_CONSTRUCT_WHILE, 10, 12},
                      {"--a[i]", WS_CONSTRUCT_IF, 11, 12}, {"} while", WS_CONSTRUCT_DO, 13, 15},
                      {"a[6]++", WS_CONSTRUCT_DO, 16, 16}, {"switch", WS_CONSTRUCT_SWITCH, 17, 20},
                      {": *(int", WS_CONSTRUCT_FOR, 21, 21}, {"q = a[10]", WS_CONSTRUCT_IF, 22, 22},
                      {"w > 4", WS_CONSTRUCT_IF, 23, 23}, {"a[3]++", WS_CONSTRUCT_NONE, 0, 0});
}
END_TEST

START_TEST(test_operators)
{
    static const char text[] = "__device__ int f(int a, int b)\n"   /* 1 */
                               "{\n"                                /* 2 */
                               "    int x = a > 1 ? b : a + 7;\n"   /* 3 */
                               "    x += (b ? 1 : 2) + (a && x);\n" /* 4 */
                               "    if (a == 9 || (b == 9 &&\n"     /* 5 */
                               "                   x == 9))\n"      /* 6 */
                               "        x = 0;\n"                   /* 7 */
                               "    return x == 2 ? 3\n"            /* 8 */
                               "                  : x == 4 ? 5\n"   /* 9 */
                               "                           : 6;\n"  /* 10 */
                               "}\n";
    ASSERT_CONSTRUCTS(text, {"a > 1", WS_CONSTRUCT_CONDITIONAL, 3, 3},
                      {"b ? 1", WS_CONSTRUCT_CONDITIONAL, 4, 4}, {"&& x)", WS_CONSTRUCT_AND, 4, 4},
                      {"|| (b", WS_CONSTRUCT_OR, 5, 5}, {"&&\n", WS_CONSTRUCT_AND, 5, 5},
                      {"x == 2", WS_CONSTRUCT_CONDITIONAL, 8, 10},
                      {"x == 4", WS_CONSTRUCT_CONDITIONAL, 9, 10});
    g_autoptr(WsConstructScan) scan = scan_text(text);
    const WsSourceConstruct *inside = construct_at(scan, text, "&&\n");
    ck_assert(inside->in_condition);
    ck_assert_uint_eq(g_array_index(scan->constructs, WsSourceConstruct, inside->parent).line, 5);
    ck_assert(!construct_at(scan, text, "&& x)")->in_condition);
}
END_TEST

/* All of a macro has the place of its name. */
START_TEST(test_macros)
{
    static const char text[] = "#define LOOP(i, n) \\\n"                          /* 1 */
                               "    for (int i = 0; i < (n); i++)\n"              /* 2 */
                               "#define CLAMP(v) if (v > 9) v = 9; else v += 1\n" /* 3 */
                               "#define LEAVE(v) if (v) return\n"                 /* 4 */
                               "#define LIMIT 100\n"                              /* 5 */
                               "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"      /* 6 */
                               "#define TWICE(x) (MIN(x, 3) * 2)\n"               /* 7 */
                               "#define ID(x) (x)\n"                              /* 8 */
                               "__global__ void k(int *p, int n) {\n"             /* 9 */
                               "    LOOP(j, n) {\n"                               /* 10 */
                               "        p[j] = 1;\n"                              /* 11 */
                               "    }\n"                                          /* 12 */
                               "    CLAMP(p[0]);\n"                               /* 13 */
                               "    if (LIMIT > n)\n"                             /* 14 */
                               "        p[1] = TWICE(n);\n"                       /* 15 */
                               "    while (n) { LEAVE(p[2]); n--; }\n"            /* 16 */
                               "    if (MIN(n, 4) > 2) p[3] = 1;\n"               /* 17 */
                               "    p[4] = ID(n && p[5]);\n"                      /* 18 */
                               "}\n";
    ASSERT_CONSTRUCTS(
        text, {"LOOP(j", WS_CONSTRUCT_FOR, 10, 12}, {"CLAMP(p", WS_CONSTRUCT_MACRO, 13, 13},
        {"LIMIT >", WS_CONSTRUCT_IF, 14, 15}, {"TWICE(n", WS_CONSTRUCT_MACRO, 15, 15},
        {"LEAVE(p", WS_CONSTRUCT_MACRO, 16, 16}, {"while", WS_CONSTRUCT_WHILE, 16, 16},
        {"MIN(n", WS_CONSTRUCT_NONE, 0, 0}, /* the if, or the ?: in it */
        {"ID(n", WS_CONSTRUCT_MACRO, 18, 18});
    g_autoptr(WsConstructScan) scan = scan_text(text);
    ck_assert(construct_at(scan, text, "while")->tangled);
    ck_assert(construct_at(scan, text, "LEAVE(p")->tangled);
    ck_assert(!construct_at(scan, text, "CLAMP(p")->tangled);
}
END_TEST

/* Both sides of an #if open the same bracket. */
START_TEST(test_conditionals)
{
    static const char text[] = "__global__ void k(int *p, int n)\n" /* 1 */
                               "{\n"                                /* 2 */
                               "#ifdef FAST\n"                      /* 3 */
                               "    if (n > 1) {\n"                 /* 4 */
                               "#else\n"                            /* 5 */
                               "    if (n > 2) {\n"                 /* 6 */
                               "#endif\n"                           /* 7 */
                               "        p[0] = 1;\n"                /* 8 */
                               "    }\n"                            /* 9 */
                               "#if 0\n"                            /* 10 */
                               "    } if (don't {\n"                /* 11 */
                               "#endif\n"                           /* 12 */
                               "    while (n) n--;\n"               /* 13 */
                               "}\n"                                /* 14 */
                               "__device__ int f(int v) { return v ? 1 : 2; }\n";
    ASSERT_CONSTRUCTS(text, {"n > 1", WS_CONSTRUCT_IF, 4, 9}, {"n > 2", WS_CONSTRUCT_IF, 6, 0},
                      {"while", WS_CONSTRUCT_WHILE, 13, 13},
                      {"v ? 1", WS_CONSTRUCT_CONDITIONAL, 15, 15});
    g_autoptr(WsConstructScan) renamed = scan_text("#line 7\nint f(int v) { if (v) v = 1; }\n");
    ck_assert_uint_eq(renamed->constructs->len, 1);
}
END_TEST

/* What leaves a statement early. */
START_TEST(test_jumps)
{
    static const char text[] = "__device__ int f(int *p, int n)\n"      /* 1 */
                               "{\n"                                    /* 2 */
                               "    for (;;) {\n"                       /* 3 */
                               "        if (p[0]) break;\n"             /* 4 */
                               "        if (p[1]) { n++; continue; }\n" /* 5 */
                               "        switch (n) { case 1:\n"         /* 6 */
                               "            if (p[2]) break;\n"         /* 7 */
                               "            if (p[3]) return 1;\n"      /* 8 */
                               "        }\n"                            /* 9 */
                               "        if (p[4]) goto out;\n"          /* 10 */
                               "        auto g = [&](int x) { if (p[5]) return x; return 0; };\n"
                               "    }\n"
                               "out:\n"
                               "    return 0;\n"
                               "}\n";
    g_autoptr(WsConstructScan) scan = scan_text(text);
    const WsSourceConstruct *first = construct_at(scan, text, "p[0]");
    const WsSourceConstruct *all =
        &g_array_index(scan->constructs, WsSourceConstruct, first->breaks_to);
    ck_assert_uint_eq(all->line, 3);
    ck_assert_uint_eq(all->last_break_line, 4);
    ck_assert(all->returns && all->tangled);
    ck_assert_uint_eq(construct_at(scan, text, "p[1]")->continues_to, first->breaks_to);
    ck_assert_uint_eq(construct_at(scan, text, "p[1]")->breaks_to, 0);
    const WsSourceConstruct *inner = construct_at(scan, text, "p[2]");
    ck_assert_uint_eq(g_array_index(scan->constructs, WsSourceConstruct, inner->breaks_to).kind,
                      WS_CONSTRUCT_SWITCH);
    ck_assert(construct_at(scan, text, "p[3]")->returns && !inner->returns);
    ck_assert(construct_at(scan, text, "p[4]")->tangled && !inner->tangled);
    ck_assert(construct_at(scan, text, "p[5]")->tangled); /* of the lambda, which has no name */
}
END_TEST

/* Any bytes are scanned: nothing is read behind the end, and no state grows without bound. */
START_TEST(test_any_text)
{
    static const char pieces[][16] = {
        "if (",     "for (",   "{",       "}",        ")",
        "?",        ":",       ";",       "else ",    "do ",
        "while (",  "#if 1\n", "#else\n", "#endif\n", "#define M(x) if",
        "M(",       "break;",  "a",       "\"",       "'",
        "R\"x(",    "\\\n",    "&&",      "case ",    "return ",
        "switch (", "[",       "\n",      "/*",       "*/",
        "//",       "="};
    guint64 state = 1;
    for (guint round = 0; round < 3000; round++) {
        g_autoptr(GString) text = g_string_new(NULL);
        for (guint i = 0; i < 60; i++) {
            state = state * G_GUINT64_CONSTANT(6364136223846793005) + 1442695040888963407;
            g_string_append(text, pieces[(state >> 33) % G_N_ELEMENTS(pieces)]);
        }
        char *exact = g_memdup2(text->str, text->len + 1);
        g_autoptr(WsConstructScan) scan = scan_text(exact);
        for (guint32 i = 1; i < scan->constructs->len; i++) {
            const WsSourceConstruct *one = &g_array_index(scan->constructs, WsSourceConstruct, i);
            ck_assert_uint_lt(one->parent, scan->constructs->len);
            ck_assert_uint_lt(one->breaks_to, scan->constructs->len);
            ck_assert(one->end_line == 0 || one->end_line >= one->line);
        }
        g_free(exact);
    }
    g_autoptr(GString) deep = g_string_new("void f() {");
    for (guint i = 0; i < 100000; i++)
        g_string_append(deep, "if (a) {");
    g_autoptr(WsConstructScan) scan = scan_text(deep->str);
    ck_assert_uint_eq(scan->constructs->len, 1);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_statements);
    tcase_add_test(cases, test_operators);
    tcase_add_test(cases, test_macros);
    tcase_add_test(cases, test_conditionals);
    tcase_add_test(cases, test_jumps);
    tcase_add_test(cases, test_any_text);
}

int main(void)
{
    return run_suite("construct_scan", add_tests);
}
