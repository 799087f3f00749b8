#include "cli/sample_options.h"

#include "cli/output_file.h"

enum { DEFAULT_EVERY = 1000 };

static const char *const ways[] = {"all", "sm", NULL};

void ws_sample_options_clear(WsSampleOptions *options)
{
    g_free(options->file);
    g_free(options->by);
}

gboolean ws_sample_options_check(const WsSampleOptions *options)
{
    if (options->every < 0 || (options->every != 0 && options->file == NULL)) {
        ws_usage_error("--sample-every: a number above 0 is expected, beside --samples");
        return FALSE;
    }
    if (options->by != NULL && options->file == NULL) {
        ws_usage_error("--sample-by goes with --samples");
        return FALSE;
    }
    if (options->file != NULL && !g_str_has_suffix(options->file, ".npz")) {
        ws_usage_error("--samples: a name that ends in .npz is expected");
        return FALSE;
    }
    return options->by == NULL || ws_find_choice("--sample-by", options->by, ways) >= 0;
}

WsSampleFile *ws_sample_options_open(const WsSampleOptions *options, const WsJob *job)
{
    guint64 every = options->every != 0 ? (guint64)options->every : DEFAULT_EVERY;

    if (options->file == NULL)
        return NULL;
    return ws_sample_file_new(job, every, g_strcmp0(options->by, ways[1]) == 0);
}

gboolean ws_sample_options_write(const WsSampleOptions *options, WsSampleFile *file,
                                 const WsResult *result, GError **error)
{
    g_autoptr(GByteArray) bytes = ws_sample_file_finish(file, result, error);

    return bytes != NULL &&
           ws_write_file(options->file, (const char *)bytes->data, bytes->len, error);
}
