#include "cli/manual_topics.h"

#include "cli/commands.h"
#include "isa/base/error.h"
#include "isa/base/nearest_name.h"

#include <string.h>

enum { MOST_NEAR = 8 };

static void add(WsManual *manual, const char *topic, char *target)
{
    g_ptr_array_add(manual->topics, g_strdup(topic));
    g_ptr_array_add(manual->targets, target);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_pages(WsManual *manual, const char *part)
{
    g_autofree char *path = g_build_filename(manual->pages, part, NULL);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    if (folder == NULL)
        return;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name = g_dir_read_name(folder); name != NULL; name = g_dir_read_name(folder))
        if (g_str_has_suffix(name, ".md") && strcmp(name, "index.md") != 0)
            g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(".md")));
    g_ptr_array_sort(names, compare_names); /* a folder has no order */
    add(manual, part, g_strdup_printf("%s/index", part));
    for (guint i = 0; i < names->len; i++)
        add(manual, names->pdata[i], g_strdup_printf("%s/%s", part, (char *)names->pdata[i]));
}

/* The place that a heading gives a name: as the site makes it. */
static char *place_of(const char *heading)
{
    char *place = g_ascii_strdown(heading, -1);
    g_strdelimit(g_strstrip(place), " ", '-');
    return place;
}

/* Rows "| term, another term | meaning | other names |", below headings. */
static void add_terms(WsManual *manual)
{
    g_autofree char *path = g_build_filename(manual->pages, "reference", "glossary.md", NULL);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return;
    g_autofree char *place = g_strdup("glossary");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, "## ")) {
            g_free(place);
            place = place_of(*line + strlen("## "));
            add(manual, *line + strlen("## "), g_strdup_printf("reference/glossary#%s", place));
        }
        if (!g_str_has_prefix(*line, "| ") || g_str_has_prefix(*line, "| term ") ||
            g_str_has_prefix(*line, "| -"))
            continue;
        g_auto(GStrv) cells = g_strsplit(*line + strlen("| "), " |", 2);
        g_auto(GStrv) terms = g_strsplit(cells[0], ", ", -1);
        for (char **term = terms; *term != NULL; term++)
            add(manual, g_strdelimit(*term, "`", ' '),
                g_strdup_printf("reference/glossary#%s", place));
    }
}

static char *folder_of_program(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    return program != NULL ? g_path_get_dirname(program) : NULL;
}

/* A folder from where the program is, if it has `name`; else NULL. */
static char *beside(const char *program, const char *folder, const char *name)
{
    char *path = g_build_filename(program, folder, NULL);
    g_autofree char *file = g_build_filename(path, name, NULL);
    if (g_file_test(file, G_FILE_TEST_IS_REGULAR))
        return path;
    g_free(path);
    return NULL;
}

WsManual *ws_manual_find(GError **error)
{
    g_autofree char *program = folder_of_program();
    char *pages = NULL, *site = NULL;
    if (program != NULL) {
        pages = beside(program, "../share/doc/warpstep/docs", "index.md");
        site = pages != NULL ? beside(program, "../share/doc/warpstep/html", "index.html")
                             : beside(program, "../docs/site/html", "index.html");
        if (pages == NULL)
            pages = beside(program, "../../docs", "index.md");
    }
    if (pages == NULL) {
        g_free(site);
        g_set_error(error, WS_ERROR, WS_ERROR_INPUT,
                    "the manual is not installed with this program, in share/doc/warpstep");
        return NULL;
    }
    WsManual *manual = g_new0(WsManual, 1);
    manual->pages = pages;
    manual->site = site;
    manual->topics = g_ptr_array_new_with_free_func(g_free);
    manual->targets = g_ptr_array_new_with_free_func(g_free);
    add(manual, "manual", g_strdup("index"));
    static const char *const parts[] = {"learn", "use", "reference", "understand"};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        add_pages(manual, parts[i]);
    for (const WsCommand *const *command = ws_commands; *command != NULL; command++)
        add(manual, (*command)->name, g_strdup_printf("reference/commands#%s", (*command)->name));
    add_terms(manual);
    return manual;
}

void ws_manual_free(WsManual *manual)
{
    g_free(manual->pages);
    g_free(manual->site);
    g_ptr_array_free(manual->topics, TRUE);
    g_ptr_array_free(manual->targets, TRUE);
    g_free(manual);
}

static char *file_of(const char *folder, const char *target, const char *suffix)
{
    const char *place = strchr(target, '#');
    g_autofree char *page =
        place != NULL ? g_strndup(target, (gsize)(place - target)) : g_strdup(target);
    g_autofree char *path = g_build_filename(folder, page, NULL);
    g_autofree char *real = g_canonicalize_filename(path, NULL);
    return g_strconcat(real, suffix, NULL);
}

/* The index of a topic, -1 if there is none. */
static int find_topic(const WsManual *manual, const char *topic)
{
    g_autofree char *words = g_strdelimit(g_strdup(topic), "_", ' ');
    for (guint i = 0; i < manual->topics->len; i++) {
        g_autofree char *name = g_strdelimit(g_strdup(manual->topics->pdata[i]), "_", ' ');
        if (g_ascii_strcasecmp(g_strstrip(name), words) == 0)
            return (int)i;
    }
    return -1;
}

char *ws_manual_page(const WsManual *manual, const char *topic)
{
    int found = find_topic(manual, topic);
    if (found < 0)
        return NULL;
    const char *target = manual->targets->pdata[found];
    if (manual->site == NULL)
        return file_of(manual->pages, target, ".md");
    const char *place = strchr(target, '#');
    g_autofree char *file = file_of(manual->site, target, ".html");
    return g_strconcat(file, place, NULL);
}

char *ws_manual_source(const WsManual *manual, const char *topic, char **line)
{
    int found = find_topic(manual, topic);
    if (found < 0)
        return NULL;
    const char *target = manual->targets->pdata[found];
    g_autofree char *name = g_strstrip(g_strdup(manual->topics->pdata[found]));
    g_autofree char *escaped = g_regex_escape_string(name, -1);
    if (strchr(target, '#') == NULL)
        *line = NULL;
    else if (g_str_has_prefix(target, "reference/commands#"))
        *line = g_strdup_printf("^### %s$", escaped);
    else
        *line = g_strdup_printf("^\\|.*%s", escaped);
    return file_of(manual->pages, target, ".md");
}

const char **ws_manual_near(const WsManual *manual, const char *topic)
{
    g_autoptr(GPtrArray) near = g_ptr_array_new(), all = g_ptr_array_new();
    for (guint i = 0; i < manual->topics->len; i++)
        g_ptr_array_add(all, manual->topics->pdata[i]);
    g_ptr_array_add(all, NULL);
    const char *nearest = ws_nearest_name(topic, (const char *const *)all->pdata);
    if (nearest != NULL)
        g_ptr_array_add(near, (gpointer)nearest);
    g_auto(GStrv) words = g_strsplit_set(topic, " _-", -1);
    for (guint i = 0; i + 1 < all->len && near->len < MOST_NEAR; i++) {
        gboolean has = FALSE;
        for (char **word = words; *word != NULL && !has; word++)
            has = strlen(*word) > 2 && strstr(all->pdata[i], *word) != NULL;
        if (has && !g_ptr_array_find_with_equal_func(near, all->pdata[i], g_str_equal, NULL))
            g_ptr_array_add(near, all->pdata[i]);
    }
    g_ptr_array_add(near, NULL);
    return (const char **)g_ptr_array_steal(near, NULL);
}
