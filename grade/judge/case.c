#include "grade/judge/case.h"

gboolean ws_case_hides(const WsCase *of, const WsTest *test)
{
    return test->hidden && !of->reveal;
}

gboolean ws_case_hides_figures(const WsCase *of, const WsTest *test)
{
    return ws_case_hides(of, test) && !test->figures_shown;
}

WsSubject ws_case_subject(const WsCase *of)
{
    return (WsSubject){.assignment = of->assignment,
                       .folder = of->submission->folder,
                       .program = of->assignment->program,
                       .student = of->student,
                       .cache = of->is_own ? of->runs->cache : NULL,
                       .is_looked_at = TRUE,
                       .references = of->runs->references,
                       .kernel_cache = of->runs->cache,
                       .carried = of->runs->carried};
}

const WsTrial *ws_case_trial(const WsCase *of, guint test)
{
    if (ws_test_is_own(ws_assignment_test(of->assignment, test)))
        return ws_own_runs_own(of->runs, test, of->student);
    return of->trials[test];
}
