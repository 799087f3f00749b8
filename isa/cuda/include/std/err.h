#ifndef WARPSTEP_ERR_H
#define WARPSTEP_ERR_H

extern "C" {
[[noreturn]] void err(int, const char *, ...);
[[noreturn]] void errx(int, const char *, ...);
void warn(const char *, ...);
void warnx(const char *, ...);
}

#endif
