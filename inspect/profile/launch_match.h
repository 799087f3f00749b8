/* Which measured launch is which simulated one: by the name of the kernel, the shape and the order.
 */
#ifndef WS_INSPECT_PROFILE_LAUNCH_MATCH_H
#define WS_INSPECT_PROFILE_LAUNCH_MATCH_H

#include "inspect/profile/measured_profile.h"

/* How well the name of a profile fits a kernel; of several kernels the best is meant. */
typedef enum {
    WS_LIKE_NONE,
    WS_LIKE_BASE,     /* without template arguments: "axpy" */
    WS_LIKE_FUNCTION, /* with them, without parameters: "axpy<float>" */
    WS_LIKE_WHOLE     /* the mangled name, or all of it */
} WsKernelLikeness;

/*
 * `measured` is as Nsight Compute writes it: "saxpy(int, float, const float *)", "void
 * axpy<float>(T1 *)", "axpy" (--print-kernel-base function) or mangled.
 */
WsKernelLikeness ws_kernel_likeness(const char *mangled, const char *display_name,
                                    const char *measured);

/* A launch of the target, before it runs. */
typedef struct {
    char *mangled, *display_name;
    guint32 grid[3], block[3];
} WsLaunchIdentity;

void ws_launch_identity_clear(WsLaunchIdentity *identity);

/*
 * For each of `count` launches, in order, the place of its measured launch, or -1: the first of its
 * kernel that is not taken and has its grid and block, else the first that is not taken. With `id`
 * only the launch of this ID is taken, whatever its kernel if there is one identity. Errors:
 * WS_ERROR_INPUT (no launch fits; names what the profile has), WS_ERROR_USAGE (no such ID). The
 * array is to be freed with g_free.
 */
gint *ws_match_launches(const WsMeasuredProfile *profile, const WsLaunchIdentity *identities,
                        guint count, const char *id, GError **error);

/*
 * The place of the nth launch of the kernel, from 1, whatever its shape; of several kernels that
 * fit, that which fits best. -1: there are fewer.
 */
gint ws_match_nth_launch(const WsMeasuredProfile *profile, const WsLaunchIdentity *identity,
                         guint nth);

#endif
