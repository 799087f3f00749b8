#include "grade/judge/grade.h"

const char *ws_verdict_name(WsVerdictKind kind)
{
    static const char *const names[] = {"passed", "failed", "skipped", "error"};
    return names[kind];
}

void ws_grade_free(WsGrade *grade)
{
    if (grade == NULL)
        return;
    g_free(grade->student);
    g_free(grade->compiler);
    g_free(grade->own_compiler);
    g_free(grade->error);
    g_free(grade->late);
    g_ptr_array_unref(grade->verdicts);
    g_array_unref(grade->standings);
    g_array_unref(grade->pages);
    g_free(grade);
}

const WsVerdict *ws_grade_verdict(const WsGrade *grade, guint index)
{
    return g_ptr_array_index(grade->verdicts, index);
}

const WsTestPage *ws_grade_page(const WsGrade *grade, gint test)
{
    for (guint i = 0; i < grade->pages->len; i++) {
        const WsTestPage *page = &g_array_index(grade->pages, WsTestPage, i);
        if ((gint)page->test == test)
            return page;
    }
    return NULL;
}

gboolean ws_grade_all_passed(const WsGrade *grade)
{
    for (guint i = 0; i < grade->verdicts->len; i++)
        if (ws_grade_verdict(grade, i)->kind != WS_VERDICT_PASSED)
            return FALSE;
    return grade->error == NULL;
}
