/* What waits to be run as a launch file. */
#include "library/machine.h"

#include "sim/launch/save.h"

warpstep_code warpstep_save(warpstep *gpu, const char *path)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    g_autoptr(GError) error = NULL;
    if (code != WARPSTEP_OK)
        return code;
    if (path == NULL || !g_str_has_suffix(path, ".yaml"))
        return ws_machine_refuse(gpu, "a launch file has a name that ends in .yaml");
    if (gpu->queue->len == 0)
        return ws_machine_refuse(gpu, "the queue is empty: call warpstep_enqueue() first");
    WsJob *job = ws_machine_job(gpu);
    const gboolean saved = ws_job_save(job, path, &error);
    ws_machine_free_job(job);
    return saved ? WARPSTEP_OK : ws_machine_fail(gpu, g_steal_pointer(&error));
}
