#ifndef WARPSTEP_ENDIAN_H
#define WARPSTEP_ENDIAN_H

#include <byteswap.h>

#define LITTLE_ENDIAN   1234
#define BIG_ENDIAN      4321
#define BYTE_ORDER      LITTLE_ENDIAN
#define __LITTLE_ENDIAN LITTLE_ENDIAN
#define __BIG_ENDIAN    BIG_ENDIAN
#define __BYTE_ORDER    BYTE_ORDER
#define htobe16(x)      bswap_16(x)
#define htobe32(x)      bswap_32(x)
#define htobe64(x)      bswap_64(x)
#define be16toh(x)      bswap_16(x)
#define be32toh(x)      bswap_32(x)
#define be64toh(x)      bswap_64(x)
#define htole16(x)      ((unsigned short)(x))
#define htole32(x)      ((unsigned int)(x))
#define htole64(x)      ((unsigned long)(x))
#define le16toh(x)      ((unsigned short)(x))
#define le32toh(x)      ((unsigned int)(x))
#define le64toh(x)      ((unsigned long)(x))

#endif
