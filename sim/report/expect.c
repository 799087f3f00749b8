#include "sim/report/expect.h"

#include "sim/base/element.h"

#include <math.h>

/* |a - e| of two integers, exact. */
static guint64 integer_distance(WsType type, guint64 a, guint64 e)
{
    gboolean below = ws_element_is_signed(type) ? (gint64)a < (gint64)e : a < e;
    return below ? e - a : a - e;
}

/* Whether one value agrees. `distance` becomes |a - e|, 0 where that is no finite number. */
static gboolean agrees(const WsExpectation *expectation, WsType type, const guint8 *actual,
                       const guint8 *expected, double *distance)
{
    double e = ws_element_load_double(type, expected);
    double tolerance = expectation->absolute + expectation->relative * fabs(e);
    if (!ws_element_is_float(type)) {
        *distance = (double)integer_distance(type, ws_element_load_integer(type, actual),
                                             ws_element_load_integer(type, expected));
        return *distance <= tolerance;
    }
    double a = ws_element_load_double(type, actual);
    *distance = 0;
    if (isnan(a) || isnan(e))
        return isnan(a) && isnan(e) && expectation->equal_nan;
    if (isinf(a) || isinf(e))
        return a == e;
    *distance = fabs(a - e);
    return *distance <= tolerance;
}

static void check_one(const WsJob *job, guint32 index, WsCheckResult *ret)
{
    const WsExpectation *expectation = &job->expectations[index];
    const WsBuffer *buffer = &job->buffers[expectation->index];
    guint size = ws_type_size(buffer->type);
    *ret = (WsCheckResult){.expectation = index};
    for (guint64 i = 0; i < buffer->count; i++) {
        const guint8 *actual = buffer->data + i * size, *expected = expectation->data + i * size;
        double distance;
        gboolean good = agrees(expectation, buffer->type, actual, expected, &distance);
        ret->largest_error = MAX(ret->largest_error, distance);
        if (good || ret->mismatches++ > 0)
            continue;
        ret->first_index = i;
        ret->expected = ws_element_text(buffer->type, expected);
        ret->actual = ws_element_text(buffer->type, actual);
    }
    ret->passed = ret->mismatches == 0;
}

void ws_expectations_check(const WsJob *job, WsResult *result)
{
    result->check_count = job->expectation_count;
    result->checks = g_new0(WsCheckResult, MAX(job->expectation_count, 1));
    for (guint32 i = 0; i < job->expectation_count; i++) {
        check_one(job, i, &result->checks[i]);
        if (!result->checks[i].passed && result->status == WS_STATUS_OK)
            result->status = WS_STATUS_CHECK_FAILED;
    }
}
