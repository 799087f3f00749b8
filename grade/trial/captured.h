/*
 * The launches that a whole program has captured, as jobs. What lies in the folder is hostile: the
 * program could write anything there. Of it come sizes, parameters and memory alone; the kernels
 * are those that were compiled here, by name, and the device is the test's. Inside the room only.
 */
#ifndef WS_GRADE_TRIAL_CAPTURED_H
#define WS_GRADE_TRIAL_CAPTURED_H

#include "grade/trial/built_programs.h"
#include "sim/launch/launch.h"

typedef struct {
    const WsTest *test;
    WsDevice *device;
    WsProgram *program;
    GPtrArray *files; /* of char*: launch files, in the order of the launches */
    char *capture;
} WsCaptured;

/* Loads the kernels and lists the launches. NULL: the kernels cannot be loaded, WS_ERROR_INPUT. */
WsCaptured *ws_captured_open(const WsTest *test, const WsBuiltProgram *built, const char *capture,
                             GError **error);
void ws_captured_free(WsCaptured *captured);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsCaptured, ws_captured_free)

/* A launch, checked. Errors: WS_ERROR_INPUT, what was captured is no such launch. */
WsJob *ws_captured_load(WsCaptured *captured, guint index, GError **error);

/* Whether a kernel is called so: "axpy" is every axpy<...>, too. */
gboolean ws_is_kernel_name(const WsKernel *kernel, const char *name);

/*
 * The memory from where a parameter points to, to the end of its buffer: `ret` of the job's. FALSE
 * if it points to no buffer.
 */
gboolean ws_launch_memory(const WsJob *job, guint parameter, const guint8 **ret,
                          guint64 *ret_bytes);

#endif
