/* The driver API with OpenGL. */
#ifndef WARPSTEP_CUDAGL_H
#define WARPSTEP_CUDAGL_H

/* The library's own guards, which programs test to see what has been included. */
#define CUDAGL_H

#include "cuda.h"
#include "warpstep/gl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUGLDeviceList_enum {
    CU_GL_DEVICE_LIST_ALL = 1, CU_GL_DEVICE_LIST_CURRENT_FRAME = 2, CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *, GLuint, unsigned int);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *, GLuint, GLenum, unsigned int);
CUresult cuGLGetDevices(unsigned int *, CUdevice *, unsigned int, CUGLDeviceList);
CUresult cuGLGetDevices_v2(unsigned int *, CUdevice *, unsigned int, CUGLDeviceList);
CUresult cuGLCtxCreate(CUcontext *, unsigned int, CUdevice);
CUresult cuGLCtxCreate_v2(CUcontext *, unsigned int, CUdevice);
CUresult cuGLInit(void);
CUresult cuGLRegisterBufferObject(GLuint);
CUresult cuGLMapBufferObject(CUdeviceptr *, size_t *, GLuint);
CUresult cuGLMapBufferObject_v2(CUdeviceptr *, size_t *, GLuint);
CUresult cuGLUnmapBufferObject(GLuint);
CUresult cuGLUnregisterBufferObject(GLuint);
#ifdef __cplusplus
}
#endif

#endif
