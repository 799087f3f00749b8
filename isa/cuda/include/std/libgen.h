#ifndef WARPSTEP_LIBGEN_H
#define WARPSTEP_LIBGEN_H
extern "C" char *dirname(char *) noexcept;
extern "C" char *__xpg_basename(char *) noexcept;
#define basename __xpg_basename
#endif
