#include "inspect/profile/metric_map.h"

#include <string.h>

static const struct {
    const char *section, *label, *unit, *name;
} labels[] = {
#define LABEL(section, label, unit, name) {section, label, unit, name},
#include "inspect/profile/ncu_labels.def"
#undef LABEL
};

/* The word of a label that is a name of the raw page: "Duration (gpu__time_duration.sum)". */
static char *name_in(const char *label)
{
    static const char *const of_name =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const char *at = strstr(label, "__");

    if (at == NULL)
        return NULL;
    while (at != label && strchr(of_name, at[-1]) != NULL)
        at--;
    return g_strndup(at, strspn(at, of_name));
}

char *ws_metric_of_label(const char *section, const char *label, const char *unit)
{
    char *name = name_in(label);

    for (guint i = 0; name == NULL && i < G_N_ELEMENTS(labels); i++)
        if (g_ascii_strcasecmp(labels[i].label, label) == 0 &&
            (*labels[i].section == '\0' || strcmp(labels[i].section, section) == 0) &&
            (*labels[i].unit == '\0' || strstr(unit, labels[i].unit) != NULL))
            name = g_strdup(labels[i].name);
    return name;
}
