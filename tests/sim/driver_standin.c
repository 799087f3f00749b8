/*
 * In place of the CUDA driver, for the unit test of ws_device_probe(): one device whose attributes
 * are known. Functions of the driver that are asked for and nothing else.
 */
#include <string.h>

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int length, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);

enum { DEVICE = 5, INVALID_VALUE = 1, INVALID_DEVICE = 101 };

int cuInit(unsigned flags)
{
    return 0;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = DEVICE;
    return ordinal <= 1 ? 0 : INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int length, int device)
{
    strncpy(name, "Stand-in 9\n", (size_t)length);
    return device == DEVICE ? 0 : INVALID_DEVICE;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    switch (attribute) {
    case 10: /* lanes of a warp */
        *value = 32;
        break;
    case 39: /* threads of an SM */
        *value = 1536;
        break;
    case 75: /* compute capability 8.7 */
        *value = 8;
        break;
    case 76:
        *value = 7;
        break;
    default:
        *value = 1000 + attribute;
        break;
    }
    return device != DEVICE ? INVALID_DEVICE : attribute > 200 ? INVALID_VALUE : 0;
}
