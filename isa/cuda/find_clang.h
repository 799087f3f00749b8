/*
 * Which clang compiles. WARPSTEP_CLANG says it, if it is set; else the one that a release brings
 * with it; else version 14, of which published figures are, wherever systems put it; else the
 * oldest newer one; else whatever is called clang++.
 */
#ifndef WS_ISA_CUDA_FIND_CLANG_H
#define WS_ISA_CUDA_FIND_CLANG_H

#include "isa/base/error.h"

/* Versions that have a place of their own in what is searched, the first one preferred. */
enum { WS_CLANG_OLDEST = 14, WS_CLANG_NEWEST = 21 };

/*
 * Places of clang++ below `root` ("" on a real system), in the order in which they are tried;
 * those of `search_path`, as PATH has it, last (NULL: none). NULL-terminated, g_strfreev.
 */
char **ws_clang_places(const char *root, const char *home, const char *search_path);

/* The first of the places that is a program. Errors: WS_ERROR_INPUT with what to install. g_free.
 */
char *ws_clang_of_places(char **places, GError **error);

/*
 * The clang++ that lies in a release with `file`, one of its programs or libraries; NULL if none
 * does. g_free.
 */
char *ws_clang_beside(const char *file);

/* The path of clang++. Errors: as above, or that WARPSTEP_CLANG is no path of a program. g_free. */
char *ws_find_clang(GError **error);

/*
 * Whether the file, links followed, is clang's own program by its form and name. Else it is a
 * script, or a program that starts the compiler, such as ccache's: it needs more than a compiler
 * may do in its sandbox, and what it starts may be another one tomorrow.
 */
gboolean ws_is_clang_itself(const char *path);

#endif
