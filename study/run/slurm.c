#include "study/run/slurm.h"

/* sbatch reads its options as words of a shell. */
char *ws_slurm_script(const char *program, const char *folder, guint tasks, char *const *options)
{
    GString *script = g_string_new("#!/bin/sh\n");
    g_autofree char *logs = g_build_filename(folder, "slurm", "%A_%a.log", NULL);
    g_autofree char *quoted_logs = g_shell_quote(logs);
    g_autofree char *quoted_program = g_shell_quote(program);
    g_autofree char *quoted_folder = g_shell_quote(folder);
    g_string_append_printf(script,
                           "#SBATCH --job-name=warpstep\n"
                           "#SBATCH --array=0-%u\n"
                           "#SBATCH --requeue\n"
                           "#SBATCH --open-mode=append\n"
                           "#SBATCH --signal=B:TERM@30\n"
                           "#SBATCH --output=%s\n",
                           tasks - 1, quoted_logs);
    for (; options != NULL && *options != NULL; options++)
        g_string_append_printf(script, "#SBATCH %s\n", *options);
    g_string_append_printf(script,
                           "%s sweep %s --shard \"$SLURM_ARRAY_TASK_ID/%u\" "
                           "--threads \"${SLURM_CPUS_ON_NODE:-1}\" &\n"
                           "child=$!\n"
                           "trap 'kill -TERM $child' TERM\n"
                           "while kill -0 $child 2>/dev/null; do wait $child; code=$?; done\n"
                           "# 6: stopped before its end; what is finished is on the disk. A task "
                           "that Slurm only warns,\n"
                           "# of its time limit or that it has to give way, is running still and "
                           "goes on later. One\n"
                           "# that scancel has ended is not, nor one that Slurm puts into the "
                           "queue again by itself.\n"
                           "task=\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
                           "if [ $code -eq 6 ] && scontrol show job \"$task\" | "
                           "grep -q JobState=RUNNING; then\n"
                           "    scontrol requeue \"$task\"\n"
                           "fi\n"
                           "exit $code\n",
                           quoted_program, quoted_folder, tasks);
    return g_string_free(script, FALSE);
}
