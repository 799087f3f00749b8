/* The installed manual: its pages by topic. A topic is a page's name, a command, or a term of the
 * glossary. */
#ifndef WS_CLI_MANUAL_TOPICS_H
#define WS_CLI_MANUAL_TOPICS_H

#include <glib.h>

typedef struct {
    char *pages; /* the folder of the Markdown pages, with index.md */
    char *site;  /* the folder of the site, or NULL */
    GPtrArray
        *topics; /* strings, in the order of the manual: pages of its parts, commands, terms */
    GPtrArray
        *targets; /* of each topic: "use/step", without suffix, or "reference/commands#step" */
} WsManual;

/* The manual beside the program, installed or of a build folder in a checkout; NULL and an error if
 * there is none. */
WsManual *ws_manual_find(GError **error);
void ws_manual_free(WsManual *manual);

/* The file of a topic, with its "#place" where the site has one; NULL if there is no such topic.
 * Case does not matter. */
char *ws_manual_page(const WsManual *manual, const char *topic);

/* The Markdown file of a topic, for a reader without a browser; NULL if there is no such topic.
 * *line: a regular expression of the line at which the topic begins, NULL if it is the whole page.
 * Free both. */
char *ws_manual_source(const WsManual *manual, const char *topic, char **line);

/* Topics like this one, some of those that have a part of it; NULL-terminated. Free with g_free. */
const char **ws_manual_near(const WsManual *manual, const char *topic);

#endif
