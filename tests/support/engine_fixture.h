/* A job made from `.wsasm` text, and an observer that writes down what issued when. */
#ifndef WS_TESTS_ENGINE_FIXTURE_H
#define WS_TESTS_ENGINE_FIXTURE_H

#include "sim/gpu/simulation.h"

typedef struct {
    guint64 cycle;
    guint32 sm, sub_core, warp, block, warp_in_block, instruction;
    guint64 active, executed;
} Issue;

typedef struct {
    WsJob *job;
    WsResult *result;
    GArray *issues; /* of Issue */
    WsObserver observer;
    const WsObserver *observers[4]; /* this one, and room for more; NULL-terminated */
    WsRunOptions options;
} Engine;

/* The textbook machine with numbers for caches of code and constants, and for register banks. */
#define MACHINE_WITH_CACHES "tests/data/machine_with_caches.yaml"

/*
 * The kernel `text` (without its .kernel line; or a module of PTX, from .version on) on `device`,
 * a name or a file of the sources, with `settings` (NULL-terminated list of "path=value", or NULL).
 * It has one parameter, c[x], a pointer to a buffer of `words` zeroed words.
 */
Engine *engine_new(const char *device, const char *const *settings, const char *text,
                   guint32 blocks, guint32 threads, guint32 words);
/*
 * The job of a launch file: a path below the source folder ("tests/textbook/x.yaml"). `settings`
 * are as for --set and `values` as for --launch, both NULL-terminated or NULL.
 */
Engine *engine_load(const char *path, const char *const *settings, const char *const *values);
void engine_free(Engine *engine);
/* The textbook machine with one scheduler, a scoreboard and no costs of launch, branch or drain. */
Engine *engine_plain(const char *text, guint32 blocks, guint32 threads, guint32 words);
/* The same with "path=value" on top. */
Engine *engine_plain_with(const char *setting, const char *text, guint32 blocks, guint32 threads,
                          guint32 words);

/*
 * Runs, with stalls checked to tile residency, and residency and losses the theoretical occupancy.
 * Returns the result, owned by the fixture.
 */
WsResult *engine_run(Engine *engine);
guint32 *engine_words(Engine *engine);
/* Cycle of the n-th issue of a warp (hardware slot) on SM 0. */
guint64 engine_issue_cycle(const Engine *engine, guint32 warp, guint n);
/*
 * The instruction behind a label of the launch's kernel, and behind a BSSY or BSYNC that the
 * assembler may have put there.
 */
guint32 engine_label(const Engine *engine, const char *name);
/* "w0 w1 w3": the first `count` issues by warp, "-" for a cycle in which none issued. */
char *engine_issue_order(const Engine *engine, guint count);

#endif
