/* Comments and literals of C++ texts. */
#ifndef WS_ISA_CUDA_COMMENT_H
#define WS_ISA_CUDA_COMMENT_H

/*
 * Behind the comment that begins at `at`, or `at` if there is none. One to the end of the line ends
 * in front of its newline; one that is not closed, at `end`.
 */
const char *ws_skip_comment(const char *at, const char *end);

/*
 * The same for a literal as well, of characters or of a string; one that is not closed (#error
 * don't) ends with its line. `start`: of the text. 1'000 has none.
 */
const char *ws_skip_comment_or_literal(const char *start, const char *at, const char *end);

#endif
