#ifndef WARPSTEP_TERMIOS_H
#define WARPSTEP_TERMIOS_H

#define ICANON    2
#define ECHO      8
#define VTIME     5
#define VMIN      6
#define TCSANOW   0
#define TCSADRAIN 1
#define TCSAFLUSH 2

typedef unsigned int tcflag_t, speed_t;
typedef unsigned char cc_t;
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[32];
    speed_t c_ispeed, c_ospeed;
};

extern "C" {
int tcgetattr(int, struct termios *) noexcept;
int tcsetattr(int, int, const struct termios *) noexcept;
int tcflush(int, int) noexcept;
}

#endif
