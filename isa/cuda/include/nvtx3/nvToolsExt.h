/*
 * Ranges and marks for profilers, with the names of NVTX 3. There is no profiler: nothing is noted.
 * Good for C, C++ and CUDA.
 */
#ifndef WARPSTEP_NVTX_H
#define WARPSTEP_NVTX_H

#include <stdint.h>
#include <stddef.h>

#define NVTX_VERSION                      3
#define NVTX_MESSAGE_UNKNOWN              0
#define NVTX_MESSAGE_TYPE_ASCII           1
#define NVTX_MESSAGE_TYPE_UNICODE         2
#define NVTX_COLOR_UNKNOWN                0
#define NVTX_COLOR_ARGB                   1
#define NVTX_PAYLOAD_UNKNOWN              0
#define NVTX_PAYLOAD_TYPE_UNSIGNED_INT64  1
#define NVTX_PAYLOAD_TYPE_INT64           2
#define NVTX_PAYLOAD_TYPE_DOUBLE          3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE     ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
        nvtxStringHandle_t registered;
    } message;
} nvtxEventAttributes_t;

static inline void nvtxMarkA(const char *message)
{
    (void)message;
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t *event)
{
    (void)event;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *message)
{
    (void)message;
    return 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event)
{
    (void)event;
    return 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range)
{
    (void)range;
}
/* Negative: no tool is there, as in NVTX. */
static inline int nvtxRangePushA(const char *message)
{
    (void)message;
    return -2;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *event)
{
    (void)event;
    return -2;
}
static inline int nvtxRangePop(void)
{
    return -2;
}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    (void)name;
    return 0;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain)
{
    (void)domain;
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    (void)domain, (void)event;
    return -2;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
    (void)domain;
    return -2;
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread, (void)name;
}
#define nvtxMark        nvtxMarkA
#define nvtxRangeStart  nvtxRangeStartA
#define nvtxRangePush   nvtxRangePushA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
