/* `warpstep run --list`: the built-in workloads. */
#ifndef WS_CLI_LIST_WORKLOADS_H
#define WS_CLI_LIST_WORKLOADS_H

/*
 * Prints each workload with the title of its notes, and below it the launch files beside
 * launch.yaml, as `run` takes them, with their first comment.
 */
void ws_list_workloads(void);

#endif
