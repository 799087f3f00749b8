/*
 * An assignment: what a folder with an assignment.yaml says (docs/use/coursework.md), checked.
 *
 * A test is one run of a launch file with a program: the one that is handed in, or one of the
 * assignment's own. A check is what points are given for; most of them look at a test.
 */
#ifndef WS_GRADE_ASSIGNMENT_ASSIGNMENT_H
#define WS_GRADE_ASSIGNMENT_ASSIGNMENT_H

#include "grade/formula/formula.h"
#include "isa/bytecode/program.h"
#include "sim/base/yaml_tree.h"

/* In the folder of an assignment that carries its programs compiled (isa/cuda/carried.h). */
#define WS_CARRIED_FOLDER "compiled"

typedef struct {
    guint64 cycles;          /* of a run */
    double seconds;          /* of the processor, of a run */
    guint64 memory;          /* bytes of the host, of a run */
    guint64 compile_seconds; /* of the processor */
} WsTestLimits;

/*
 * A buffer whose contents after the run must be those of the reference's run, or of a file. Of a
 * whole program it is the memory that a parameter of one of its launches points to.
 */
typedef struct {
    char *buffer;              /* of a launch file, else NULL */
    char *kernel;              /* of a whole program */
    guint launch, parameter;   /* likewise: which launch of the kernel, and which of its parameters,
                                  from 1 */
    gboolean before;           /* likewise: before the launch */
    WsType type;               /* likewise: of its elements */
    char *file;                /* raw, little-endian, relative to the assignment; NULL: reference */
    double relative, absolute; /* as in WsExpectation */
    gboolean equal_nan;
} WsComparison;

/* How often a whole program must launch a kernel. */
typedef struct {
    char *kernel;
    guint64 least;
} WsLaunchCount;

/* A whole program (host code with a main()) is run, instead of a launch file. */
typedef struct {
    char **arguments;  /* with {NAME} for the values of the test */
    char *input;       /* of stdin, likewise; NULL: none, or that of the file */
    char *input_file;  /* relative to the assignment, or NULL */
    char **files;      /* likewise: that it may read, by their names without folder */
    gboolean compares; /* what it prints */
    char *output;      /* what that must be, or NULL */
    char *output_file; /* likewise, or NULL: what the reference prints */
    gboolean numbers;  /* words that are numbers may differ by this: */
    double relative, absolute;
    guint exit_code;
    GArray *launches; /* of WsLaunchCount */
    char *device;     /* built-in */
    char **settings;  /* NAME=VALUE */
} WsProgramRun;

/* A value of `let`, or of {NAME} in a run of a whole program, that is drawn for each student. */
typedef struct {
    char *name;
    gboolean is_any; /* 31 bits; else from `least` to `most` in steps of `step` */
    guint64 least, most, step;
    gboolean is_shared; /* the same in all tests of the launch file that draw it from this range */
} WsDraw;

typedef struct {
    char *name;
    char *launch;      /* launch file, relative to the assignment's folder; or ... */
    WsProgramRun *run; /* ... NULL, and this one is not */
    char *program;     /* of the assignment, relative to its folder; NULL = what is handed in */
    char *policy;      /* built-in scheduling policy instead of what is handed in, or NULL */
    char **values;     /* NAME=VALUE for the launch file's `let` and launches, or for {NAME} */
    GArray *draws;     /* of WsDraw */
    gboolean hidden;   /* nothing of the run is shown to the student but its outcome */
    gboolean figures_shown; /* of a hidden one: its figures are shown */
    WsTestLimits limits;
    gint shown_by;       /* of a hidden one: the test by which students see its gates; -1 = none */
    guint looked_for;    /* WS_CHECK_BIT()s of sim/check/findings.h */
    GArray *comparisons; /* of WsComparison */
    const WsYamlNode *node; /* where it is written */
} WsTest;

typedef enum {
#define RULE(ENUM, name) WS_RULE_##ENUM,
#include "grade/assignment/rule_kinds.def"
#undef RULE
} WsRuleKind;

typedef enum {
    WS_CREDIT_SUM,  /* each gate that holds gives its points */
    WS_CREDIT_BEST, /* the gate with most points of those that hold */
    WS_CREDIT_ALL   /* all gates must hold */
} WsCredit;

typedef struct {
    WsFormula *formula;
    double points;
    const WsYamlNode *node;
} WsGate;

/* An answer that may be chosen, and the condition under which it is the right one. */
typedef struct {
    char *answer;
    WsFormula *condition;
    const WsYamlNode *node;
} WsChoice;

typedef struct {
    char *name;
    char *description; /* what is checked, or the question; the name if not given */
    char *help;        /* shown when it fails, or NULL */
    WsRuleKind kind;
    gint test;     /* place in WsAssignment.tests; -1 = none */
    double points; /* the most that it gives */
    GArray *needs; /* of guint: checks without which it is skipped */
    const WsYamlNode *node;
    /* WS_RULE_GATES */
    GArray *gates; /* of WsGate */
    WsCredit credit;
    /* WS_RULE_SOURCE */
    char **use, **avoid;             /* instructions of the bytecode */
    char **use_words, **avoid_words; /* names in the source text */
    /* WS_RULE_PREDICTION */
    char *answer;              /* key in the file of answers */
    WsFormula *figure;         /* a number is asked for; else NULL */
    double relative, absolute; /* tolerance of the number */
    const WsYamlNode *figure_node;
    GArray *choices; /* of WsChoice; else a word is asked for */
} WsRule;

typedef struct {
    double hours;   /* up to so many hours late ... */
    double percent; /* ... this part of the points counts */
} WsLateRow;

typedef struct {
    char *name;
    guint test;
    WsFormula *figure;
    gboolean ascending; /* less is better */
    GArray *needs;      /* of guint */
    const WsYamlNode *node;
} WsRanking;

typedef struct {
    char *folder; /* absolute */
    WsYamlTree *tree;
    char *title;
    char *program;          /* name of the file that is handed in: a program, or a policy (*.c) */
    char *answers;          /* likewise, of the answers */
    char *compiler;         /* what compiled the reference whose numbers these are, or NULL */
    char *reference;        /* folder with a solution, relative; NULL: this is the student's copy */
    char *starter;          /* folder with what students begin from, relative, or NULL */
    char *handout;          /* file, relative, or NULL */
    char **includes;        /* folders that what is handed in may include from, absolute */
    char **published;       /* files and folders for students, relative */
    gint64 seed;            /* of what is drawn for students */
    guint variants;         /* of what is drawn: students share that many; 0 = each has its own */
    gboolean accepts_fixed; /* points for figures may hang on inputs that students know */
    char **no_hints;        /* causes (ws_bottleneck_names()) that are no hint, or NULL */
    gint64 due;             /* seconds since 1970; G_MININT64 = none */
    GArray *late;           /* of WsLateRow, by rising hours */
    GPtrArray *tests;       /* of WsTest */
    GPtrArray *rules;       /* of WsRule: the checks, in the order of the file */
    GPtrArray *rankings;    /* of WsRanking */
    double points;          /* of all checks */
} WsAssignment;

/*
 * Reads a folder with an assignment.yaml, or that file. Errors: WS_ERROR_INPUT with position.
 */
WsAssignment *ws_assignment_load(const char *path, GError **error);
void ws_assignment_free(WsAssignment *assignment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsAssignment, ws_assignment_free)

const WsTest *ws_assignment_test(const WsAssignment *assignment, guint index);
const WsRule *ws_assignment_rule(const WsAssignment *assignment, guint index);
/* The test runs nothing of what is handed in. */
gboolean ws_test_is_own(const WsTest *test);
/* What the test leaves is compared with what the reference does. */
gboolean ws_test_compares(const WsTest *test);
/* A scheduling policy is handed in; tests run it with the programs of their launch files. */
gboolean ws_assignment_takes_policy(const WsAssignment *assignment);
/* The place, or -1. */
gint ws_assignment_find_test(const WsAssignment *assignment, const char *name);
gint ws_assignment_find_rule(const WsAssignment *assignment, const char *name);

/* The text with the values (NAME=VALUE) in place of {NAME}. Free with g_free. */
char *ws_values_fill(const char *text, char *const *values);

/* The path of a file of the assignment. Free with g_free. */
char *ws_assignment_path(const WsAssignment *assignment, const char *name);

/*
 * The checks that every check needs stand in front of it: the order in which they are decided. Free
 * with g_array_unref; of guint.
 */
GArray *ws_assignment_order(const WsAssignment *assignment);

/*
 * For whom numbers are drawn when they are drawn for a student: who has the same text has the same
 * numbers in all tests. Free with g_free.
 */
char *ws_assignment_drawn_for(const WsAssignment *assignment, const char *student);

/*
 * The numbers drawn for a student, "NAME=NUMBER" each: the same on every machine, not to be guessed
 * without the assignment's seed. Free with g_strfreev.
 */
char **ws_assignment_draw(const WsAssignment *assignment, const WsTest *test, const char *student);

/*
 * Whether nobody can know the inputs of a test that runs what is handed in: it is hidden, and they
 * are drawn.
 */
gboolean ws_test_is_drawn(const WsTest *test);
/* The test by which students see this one: itself if it is not hidden; -1 if there is none. */
gint ws_assignment_shown_test(const WsAssignment *assignment, guint test);

/* "2026-10-01T22:00:00Z", with any zone, as seconds since 1970. FALSE if it is no such time. */
gboolean ws_time_parse(const char *text, gint64 *ret);

/*
 * The part of the points that counts for what came in at `submitted` (G_MININT64: on time), from 0
 * to 1, and in words in `ret_text` (NULL if on time; free with g_free).
 */
double ws_assignment_late_factor(const WsAssignment *assignment, gint64 submitted, char **ret_text);

#endif
