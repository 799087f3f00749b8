#ifndef WARPSTEP_PARTS_LOCALE_T_H
#define WARPSTEP_PARTS_LOCALE_T_H
typedef struct __locale_struct *locale_t;
#endif
