#include <parts/types.h>
