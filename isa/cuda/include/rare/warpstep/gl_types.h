/* As in OpenGL's headers, which are not needed here. */
#ifndef WARPSTEP_GL_TYPES_H
#define WARPSTEP_GL_TYPES_H

typedef unsigned int GLenum;
typedef unsigned int GLuint;

#endif
