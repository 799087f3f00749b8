/* The runtime with OpenGL. */
#ifndef WARPSTEP_CUDA_GL_INTEROP_H
#define WARPSTEP_CUDA_GL_INTEROP_H

/* The library's own guards, which programs test to see what has been included. */
#define __CUDA_GL_INTEROP_H__

#include "warpstep/graphics_api.h"
#include "warpstep/gl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cudaGLDeviceList {
    cudaGLDeviceListAll = 1,
    cudaGLDeviceListCurrentFrame = 2,
    cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags {
    cudaGLMapFlagsNone = 0,
    cudaGLMapFlagsReadOnly = 1,
    cudaGLMapFlagsWriteDiscard = 2
};

cudaError_t cudaGLGetDevices(unsigned int *, int *, unsigned int, enum cudaGLDeviceList);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **, GLuint, GLenum,
                                        unsigned int);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **, GLuint, unsigned int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(GLuint);
cudaError_t cudaGLMapBufferObject(void **, GLuint);
cudaError_t cudaGLUnmapBufferObject(GLuint);
cudaError_t cudaGLUnregisterBufferObject(GLuint);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint, unsigned int);
cudaError_t cudaGLMapBufferObjectAsync(void **, GLuint, cudaStream_t);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint, cudaStream_t);
#ifdef __cplusplus
}
#endif

#endif
