#include "cli/interrupt.h"

#include <signal.h>

static const int watched[] = {SIGHUP, SIGINT, SIGTERM};

static gint interrupted;
static struct sigaction before[G_N_ELEMENTS(watched)];

static void note(int number)
{
    (void)number;
    g_atomic_int_set(&interrupted, 1);
}

const gint *ws_interrupt_watch(void)
{
    /* SA_RESETHAND: the second one is not noted but acts. */
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART};

    g_atomic_int_set(&interrupted, 0);
    sigemptyset(&action.sa_mask);
    for (guint i = 0; i < G_N_ELEMENTS(watched); i++) {
        sigaction(watched[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* nohup, or in the background of a script */
            sigaction(watched[i], &action, NULL);
    }
    return &interrupted;
}

void ws_interrupt_unwatch(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(watched); i++)
        sigaction(watched[i], &before[i], NULL);
}
