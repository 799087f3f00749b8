#ifndef WARPSTEP_SYS_UTSNAME_H
#define WARPSTEP_SYS_UTSNAME_H

struct utsname {
    char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65];
};
extern "C" int uname(struct utsname *) noexcept;

#endif
