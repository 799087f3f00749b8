/*
 * Any text is refused with a message, or is a profile whose launches have what they say: every
 * value a name, and every launch a kernel.
 */
#include "inspect/profile/launch_match.h"
#include "inspect/profile/measured_profile.h"
#include "inspect/profile/measured_value.h"
#include "inspect/profile/metric_map.h"
#include "tests/fuzz/fuzz.h"

static void look(const WsMeasuredLaunch *launch)
{
    g_assert(launch->kernel != NULL);
    ws_kernel_likeness("_Z4axpyIfEvPT_i", "axpy<float>", launch->kernel);
    for (guint i = 0; i < launch->values->len; i++) {
        const WsMeasuredValue *value = &g_array_index(launch->values, WsMeasuredValue, i);
        g_autofree char *base = NULL;
        double number, factor;

        ws_measured_number(value->text, &number);
        g_assert(ws_measured_unit(value->unit, &factor, &base) == (base != NULL));
        if (value->section != NULL)
            g_free(ws_metric_of_label(value->section, value->name, value->unit));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_malloc(size + 1);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsMeasuredProfile) profile = ws_measured_profile_new();

    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    gboolean read = ws_measured_profile_add(profile, "fuzz.csv", 1, text, size, &error);
    g_assert(read == (error == NULL));
    for (guint i = 0; i < profile->launches->len; i++)
        look(ws_measured_launch(profile, i));
    return 0;
}
