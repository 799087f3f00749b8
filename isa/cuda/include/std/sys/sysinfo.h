#ifndef WARPSTEP_SYS_SYSINFO_H
#define WARPSTEP_SYS_SYSINFO_H

struct sysinfo {
    long uptime;
    unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap;
    unsigned short procs;
    unsigned long totalhigh, freehigh;
    unsigned int mem_unit;
};
extern "C" {
int sysinfo(struct sysinfo *) noexcept;
int get_nprocs(void) noexcept;
int get_nprocs_conf(void) noexcept;
}

#endif
