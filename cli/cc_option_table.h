/* The table of nvcc's options that `warpstep cc` takes. */
#ifndef WS_CLI_CC_OPTION_TABLE_H
#define WS_CLI_CC_OPTION_TABLE_H

#include <glib.h>

typedef enum {
    WS_CC_ALONE,  /* -c */
    WS_CC_VALUE,  /* -x FILE, --output-file=FILE */
    WS_CC_JOINED, /* -Ifolder, -I folder, -I=folder */
    WS_CC_PREFIX  /* -O2: all that begins so, as one word */
} WsCcForm;

typedef enum {
    WS_CC_IGNORED,
    WS_CC_TO_BOTH,
    WS_CC_STANDARD, /* of C++: for both passes, not for C */
    WS_CC_TO_HOST,
    WS_CC_TO_LINK,
    WS_CC_TO_HOST_AND_LINK,
    WS_CC_HOST_WORDS, /* -Xcompiler: words between commas */
    WS_CC_LINK_WORDS, /* -Xlinker: likewise */
    WS_CC_OUTPUT,
    WS_CC_OUTPUT_FOLDER,
    WS_CC_LANGUAGE,
    WS_CC_RELOCATABLE, /* true or false, and the four below */
    WS_CC_FLUSH,
    WS_CC_PRECISE_DIVISION,
    WS_CC_PRECISE_ROOT,
    WS_CC_FUSED,
    WS_CC_FAST_MATH,
    WS_CC_REGISTERS, /* a number */
    WS_CC_VERBOSE,
    WS_CC_DRY_RUN,
    WS_CC_OPTIONS_FILE,
    WS_CC_FORWARD, /* what is not in the table is for the host's compiler */
    /* What is to be done, the last one counts. */
    WS_CC_PREPROCESS,   /* -E, -M: with the name that clang has for it */
    WS_CC_COMPILE_ONLY, /* with the name "-rdc": relocatable */
    WS_CC_PTX_ONLY,
    WS_CC_DEVICE_LINK,
    WS_CC_ARCHIVE,
    WS_CC_VERSION,
    WS_CC_TOOLKIT,
    WS_CC_LIBRARIES,
    WS_CC_LINK /* without an option */
} WsCcMeaning;

typedef struct {
    const char *name;
    WsCcForm form;
    WsCcMeaning meaning;
    const char *clang; /* what clang calls it, if it is another name */
} WsCcOption;

/* The row of a word of the command line; `ret_value` is a value in the same word, or NULL. */
const WsCcOption *ws_cc_option_find(const char *word, const char **ret_value);

/* Row `i`, or NULL behind the last one. */
const WsCcOption *ws_cc_option_at(guint i);

#endif
