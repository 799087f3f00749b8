/* Parts of reading an assignment; inside the room only. */
#ifndef WS_GRADE_ASSIGNMENT_READER_H
#define WS_GRADE_ASSIGNMENT_READER_H

#include "grade/assignment/assignment.h"

/* Of all `node`s: NULL means that the key is not there, and `ret` stays. */

/* A text, copied. */
gboolean ws_read_text(const WsYamlTree *tree, const WsYamlNode *node, const char *what, char **ret,
                      GError **error);
/* A list of texts, or one text, NULL-terminated. */
gboolean ws_read_texts(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                       char ***ret, GError **error);
/* A number that is finite and at least 0. */
gboolean ws_read_amount(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        double *ret, GError **error);
gboolean ws_read_truth(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                       gboolean *ret, GError **error);
/* `rel`, `abs`. */
gboolean ws_read_tolerance(const WsYamlTree *tree, const WsYamlNode *mapping, double *ret_relative,
                           double *ret_absolute, GError **error);
/* A formula, written in a key or a value. */
WsFormula *ws_read_formula(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                           GError **error);
/* A path that stays in the assignment's folder and is there, a folder or a regular file. */
gboolean ws_read_path(const WsAssignment *assignment, const WsYamlNode *node, const char *what,
                      gboolean folder, char **ret, GError **error);
/* The names of a list are those of checks. */
gboolean ws_read_needs(const WsAssignment *assignment, const WsYamlNode *node, GArray *ret,
                       GError **error);
/* The scalar names a test: its place. */
gboolean ws_read_test_name(const WsAssignment *assignment, const WsYamlNode *node, guint *ret,
                           GError **error);
/* Figures of other tests name tests, and those of the reference need one. */
gboolean ws_check_figures(const WsAssignment *assignment, const WsYamlNode *node,
                          const WsFormula *formula, GError **error);

/* The limits in `node`, over those of `ret`. */
gboolean ws_read_limits(const WsYamlTree *tree, const WsYamlNode *node, WsTestLimits *ret,
                        GError **error);
/* What a run is looked at for, as `run --check` names it: a list, which may be empty. */
gboolean ws_read_looked_for(const WsYamlTree *tree, const WsYamlNode *node, guint *ret,
                            GError **error);
/* What is drawn: the name of a value, which is any number, or a mapping of names to ranges. */
gboolean ws_read_draws(const WsYamlTree *tree, const WsYamlNode *node, WsTest *test,
                       GError **error);
/* Causes that are not told as hints. */
gboolean ws_read_no_hints(WsAssignment *assignment, const WsYamlNode *node, GError **error);
/* `given`: the limits, and what is looked for, where a test does not say. */
gboolean ws_read_tests(WsAssignment *assignment, const WsYamlNode *node, const WsTest *given,
                       GError **error);
/*
 * The names that a test gives to its launch file are there: values of `with` and `draw`, buffers of
 * `compare`. `node` is the test's.
 */
gboolean ws_check_launch_names(const WsAssignment *assignment, const WsYamlNode *node,
                               const WsTest *test, GError **error);
/* `run:` of a test: a whole program. `node` is the test's. */
gboolean ws_read_program_run(const WsAssignment *assignment, const WsYamlNode *node, WsTest *test,
                             GError **error);
void ws_program_run_free(WsProgramRun *run);
/* An item of `compare` for a buffer of a launch of it. */
gboolean ws_read_launch_comparison(const WsYamlTree *tree, const WsYamlNode *node,
                                   WsComparison *ret, GError **error);
gboolean ws_read_rules(WsAssignment *assignment, const WsYamlNode *node, GError **error);
gboolean ws_read_late(WsAssignment *assignment, const WsYamlNode *due, const WsYamlNode *late,
                      GError **error);

void ws_test_free(gpointer test);
void ws_rule_free(gpointer rule);

#endif
