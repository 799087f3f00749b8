/*
 * The files that a CUDA C source consists of: itself and what it may include, read through the
 * target's scope before clang starts. clang sees these and no others (isa/cuda/clang_view.h).
 */
#ifndef WS_ISA_CUDA_FILES_H
#define WS_ISA_CUDA_FILES_H

#include "isa/base/read_scope.h"
#include "isa/bytecode/program.h"
#include "isa/cuda/clang_view.h"

enum { WS_MAX_CUDA_SOURCE = 16 << 20 };

typedef struct WsCudaFiles WsCudaFiles;

/*
 * Reads the source `path` and, from it on, all that ws_cuda_include_names() finds in the folders
 * where clang looks: that of the file that names it, that of the source, and those of
 * options->includes. The files go to `view`, which must outlive this. Errors: WS_ERROR_INPUT.
 */
WsCudaFiles *ws_cuda_files_new(const char *path, const WsCompileOptions *options, WsClangView *view,
                               GError **error);
void ws_cuda_files_free(WsCudaFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsCudaFiles, ws_cuda_files_free)

/*
 * The text of the source behind its byte-order mark, if it has one (clang, which gets the text
 * behind a line that says what it is called, takes it in front alone), and what it is called: its
 * path, control characters escaped.
 */
const char *ws_cuda_files_main(const WsCudaFiles *files, gsize *ret_length);
const char *ws_cuda_files_main_name(const WsCudaFiles *files);

/*
 * Adds the file `name`, which a file in `includer` includes by a name that was not seen before.
 * FALSE if there is nothing new: it is there already, or may not be read, or an error.
 */
gboolean ws_cuda_files_find(WsCudaFiles *files, const char *name, const char *includer,
                            GError **error);

/* The view that it was made with. */
const WsClangView *ws_cuda_files_view(const WsCudaFiles *files);

/* Why the file `name` is not there, as a part of a message; NULL if there is none. g_free frees. */
char *ws_cuda_files_refusal(const WsCudaFiles *files, const char *name);

/* What a user calls the file of a path that clang wrote, or NULL. Owned by `files`. */
const char *ws_cuda_files_shown(const WsCudaFiles *files, const char *path);

/*
 * Whether an include means a file that is there, or outside of the scope, and may not be read.
 * clang does not know of it and goes on to the next folder.
 */
gboolean ws_cuda_files_any_refused(const WsCudaFiles *files);

/* Once marked: FALSE if clang read another file of the name of such a one. Errors: WS_ERROR_INPUT.
 */
gboolean ws_cuda_files_check_refused(const WsCudaFiles *files, GError **error);

/* Whether `is` holds for the absolute path of any of the files. */
gboolean ws_cuda_files_any(const WsCudaFiles *files,
                           gboolean (*is)(const char *path, gpointer data), gpointer data);

/* Marks the file as read by clang. */
void ws_cuda_files_mark_read(WsCudaFiles *files, const char *path);

/* Adds the names and texts of all files, in the order in which they were found. */
void ws_cuda_files_digest(const WsCudaFiles *files, GChecksum *checksum);

/*
 * The same, with names behind `below`, the path of a folder with a slash at its end, instead of
 * those that begin with it. FALSE if another name is absolute or has "..".
 */
gboolean ws_cuda_files_digest_below(const WsCudaFiles *files, const char *below,
                                    GChecksum *checksum);

/* TRUE if every name is relative and none has "..": they mean the same files in any copy. */
gboolean ws_cuda_files_stay_below(const WsCudaFiles *files);

/* TRUE if ws_cuda_files_find() was called: what clang said decides which files there are. */
gboolean ws_cuda_files_depend_on_clang(const WsCudaFiles *files);

/* Which of the files are marked as read: a byte each, 0 or 1, in the order of finding. */
GBytes *ws_cuda_files_read_marks(const WsCudaFiles *files);

/* Sets the marks. FALSE if there are not as many files. */
gboolean ws_cuda_files_set_read_marks(WsCudaFiles *files, const guint8 *marks, gsize count);

/* Names as users know them -> texts, of files that clang read and that are inside of the scope. */
GHashTable *ws_cuda_files_sources(const WsCudaFiles *files);

#endif
