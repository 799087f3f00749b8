#ifndef WARPSTEP_SYS_IOCTL_H
#define WARPSTEP_SYS_IOCTL_H

#define TIOCGWINSZ 0x5413

struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
extern "C" int ioctl(int, unsigned long, ...) noexcept;

#endif
