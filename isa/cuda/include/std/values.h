#include <float.h>
#include <limits.h>
#define MAXINT    INT_MAX
#define MININT    INT_MIN
#define MAXFLOAT  FLT_MAX
#define MAXDOUBLE DBL_MAX
#define MINFLOAT  FLT_MIN
#define MINDOUBLE DBL_MIN
