#ifndef WARPSTEP_DLFCN_H
#define WARPSTEP_DLFCN_H

#define RTLD_LAZY    1
#define RTLD_NOW     2
#define RTLD_GLOBAL  0x100
#define RTLD_LOCAL   0
#define RTLD_DEFAULT ((void *)0)

extern "C" {
void *dlopen(const char *, int) noexcept;
void *dlsym(void *, const char *) noexcept;
int dlclose(void *) noexcept;
char *dlerror(void) noexcept;
}

#endif
