#include "isa/cuda/memory_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

int ws_memory_file_new(const void *data, gsize length, GError **error)
{
    /* Some systems refuse files that could be run; others do not know how to say so. */
    int descriptor = memfd_create("warpstep", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (descriptor < 0 && errno == EINVAL)
        descriptor = memfd_create("warpstep", MFD_CLOEXEC);
    gsize done = 0;
    while (descriptor >= 0 && done < length) {
        ssize_t n = pwrite(descriptor, (const char *)data + done, length - done, (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (gsize)n;
    }
    if (descriptor >= 0 && done == length)
        return descriptor;
    ws_set_error(error, WS_ERROR_INPUT, "cannot make a file in memory: %s", g_strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

char *ws_memory_file_path(int descriptor)
{
    return g_strdup_printf("/proc/self/fd/%d", descriptor);
}

char *ws_memory_file_read(int descriptor, gsize max_bytes, gsize *ret_length)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return NULL;
    gsize size = MIN((gsize)status.st_size, max_bytes), done = 0;
    g_autofree char *text = g_try_malloc(size + 1);
    while (text != NULL && done < size) {
        ssize_t n = pread(descriptor, text + done, size - done, (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (gsize)n;
    }
    if (text == NULL)
        return NULL;
    text[done] = '\0';
    *ret_length = done;
    return g_steal_pointer(&text);
}
