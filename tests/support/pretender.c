/*
 * In place of clang, as WARPSTEP_CLANG may name it: says, as an error of the source, whether it may
 * read the file "secret" in the folder above its own.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *name = length < 0 ? NULL : strrchr(path, '/');
    if (name == NULL || (size_t)(name - path) + sizeof "/../secret" > sizeof path)
        return 2;
    strcpy(name, "/../secret");
    fprintf(stderr, "k.cu:1:1: error: the file is %s\n",
            open(path, O_RDONLY) >= 0 ? "open" : "closed");
    return 1;
}
