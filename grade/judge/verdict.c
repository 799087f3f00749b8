#include "grade/judge/verdict.h"

#include <stdarg.h>

static void set_rationale(WsVerdict *verdict, WsVerdictKind kind, const char *format,
                          va_list arguments)
{
    char *text = g_strdup_vprintf(format, arguments);
    verdict->kind = kind;
    g_free(verdict->rationale);
    verdict->rationale = text;
}

void ws_verdict_fail(WsVerdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_rationale(verdict, WS_VERDICT_FAILED, format, arguments);
    va_end(arguments);
}

void ws_verdict_fail_itself(WsVerdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_rationale(verdict, WS_VERDICT_FAILED, format, arguments);
    va_end(arguments);
    verdict->help = verdict->rule->help;
}

void ws_verdict_break(WsVerdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_rationale(verdict, WS_VERDICT_ERROR, format, arguments);
    va_end(arguments);
    verdict->help = NULL;
}

void ws_verdict_log(WsVerdict *verdict, const char *text)
{
    g_ptr_array_add(verdict->log, g_strdup(text));
}
