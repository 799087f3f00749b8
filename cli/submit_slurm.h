/* `sweep --slurm`: an array job for a study. */
#ifndef WS_CLI_SUBMIT_SLURM_H
#define WS_CLI_SUBMIT_SLURM_H

#include <glib.h>

/*
 * Writes slurm.sh in the study's folder and submits it with sbatch; prints what sbatch says.
 * `options` are further ones for sbatch. Returns the exit code.
 */
int ws_submit_slurm(const char *folder, guint tasks, char *const *options);

#endif
