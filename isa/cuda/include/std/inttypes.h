#ifndef WARPSTEP_INTTYPES_H
#define WARPSTEP_INTTYPES_H

#include <stdint.h>

#define PRId8       "d"
#define PRId16      "d"
#define PRId32      "d"
#define PRId64      "ld"
#define PRIdMAX     "ld"
#define PRIdPTR     "ld"
#define PRIdLEAST32 "d"
#define PRIdLEAST64 "ld"
#define PRIdFAST32  "ld"
#define PRIdFAST64  "ld"
#define PRIi8       "i"
#define PRIi16      "i"
#define PRIi32      "i"
#define PRIi64      "li"
#define PRIiMAX     "li"
#define PRIiPTR     "li"
#define PRIo8       "o"
#define PRIo16      "o"
#define PRIo32      "o"
#define PRIo64      "lo"
#define PRIoMAX     "lo"
#define PRIoPTR     "lo"
#define PRIu8       "u"
#define PRIu16      "u"
#define PRIu32      "u"
#define PRIu64      "lu"
#define PRIuMAX     "lu"
#define PRIuPTR     "lu"
#define PRIuLEAST32 "u"
#define PRIuLEAST64 "lu"
#define PRIuFAST32  "lu"
#define PRIuFAST64  "lu"
#define PRIx8       "x"
#define PRIx16      "x"
#define PRIx32      "x"
#define PRIx64      "lx"
#define PRIxMAX     "lx"
#define PRIxPTR     "lx"
#define PRIX8       "X"
#define PRIX16      "X"
#define PRIX32      "X"
#define PRIX64      "lX"
#define PRIXMAX     "lX"
#define PRIXPTR     "lX"
#define SCNd8       "hhd"
#define SCNd16      "hd"
#define SCNd32      "d"
#define SCNd64      "ld"
#define SCNdMAX     "ld"
#define SCNdPTR     "ld"
#define SCNi8       "hhi"
#define SCNi16      "hi"
#define SCNi32      "i"
#define SCNi64      "li"
#define SCNo32      "o"
#define SCNo64      "lo"
#define SCNu8       "hhu"
#define SCNu16      "hu"
#define SCNu32      "u"
#define SCNu64      "lu"
#define SCNuMAX     "lu"
#define SCNuPTR     "lu"
#define SCNx8       "hhx"
#define SCNx16      "hx"
#define SCNx32      "x"
#define SCNx64      "lx"
#define SCNxMAX     "lx"
#define SCNxPTR     "lx"

typedef struct {
    intmax_t quot, rem;
} imaxdiv_t;

extern "C" {
intmax_t imaxabs(intmax_t) noexcept;
imaxdiv_t imaxdiv(intmax_t, intmax_t) noexcept;
intmax_t strtoimax(const char *, char **, int) noexcept;
uintmax_t strtoumax(const char *, char **, int) noexcept;
}

#endif
