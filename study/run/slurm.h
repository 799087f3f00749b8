/* Studies as array jobs of Slurm. */
#ifndef WS_STUDY_RUN_SLURM_H
#define WS_STUDY_RUN_SLURM_H

#include <glib.h>

enum { WS_MAX_SLURM_TASKS = 10000 };

/*
 * The batch script for the study in `folder`, absolute: task I of `tasks` runs every point whose
 * number is I modulo `tasks`. A task that is stopped, by its time limit or by a job of more weight,
 * is queued again and goes on with what is left. `program` is ours, absolute; `options` (or NULL)
 * are further options of sbatch, a line each. g_free.
 */
char *ws_slurm_script(const char *program, const char *folder, guint tasks, char *const *options);

#endif
