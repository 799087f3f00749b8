/*
 * What comes before the first line of a .cu file in the host pass of `warpstep cc`: by a name that
 * no folder of the user has, and as a header of the system, so that -MM does not list it.
 */
#include "../cuda_runtime.h"
