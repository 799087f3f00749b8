/* A machine: what the files of the library share. Not for users: see warpstep/warpstep.h. */
#ifndef WS_LIBRARY_MACHINE_H
#define WS_LIBRARY_MACHINE_H

#include "include/warpstep/warpstep.h"

#include "inspect/commands/interpreter.h"
#include "inspect/page/page.h"
#include "sim/launch/launch.h"

/* A program with the values that its variables have between runs. */
typedef struct {
    WsProgram *program;
    char **sources;               /* ws_sources_load() */
    struct WsCodeRegion *regions; /* that its sources mark */
    guint32 region_count;
    guint32 max_registers; /* as it was compiled; 0 = not given */
    guint8 *module_data, *constant_data;
} WsLoadedProgram;

typedef struct {
    WsBuffer buffer;   /* its data are the buffer's, or the caller's */
    gboolean is_owned; /* by the machine */
} WsHeldBuffer;

typedef struct {
    guint program;
    WsLaunch launch; /* references are made when it runs */
} WsQueuedLaunch;

/* What a launch has printed. */
typedef struct {
    char *text;
    gsize length;
    guint64 lost; /* calls */
} WsPrintedText;

/* warpstep_set_sampling(). Each is 0 or NULL before. */
typedef struct {
    guint64 nth, every;
    GHashTable *alike; /* launches by what they have in common */
    gpointer current;  /* of these: that of the last sampled run */
} WsSampling;

/* Texts of a program's instructions, made when they are asked for. */
typedef struct {
    WsProgram *program; /* NULL: none yet */
    char **texts;
} WsCodeTexts;

/* Who looks at events. */
typedef struct {
    guint64 kinds;
    void (*tell)(void *data, const warpstep_event *event);
    void *data;
    WsObserver observer;
    WsCodeTexts code; /* of the run */
} WsEventEmitter;

/* A run that looks at cycles. */
typedef struct {
    WsSession *session;
    WsInterpreter *commands;
    GString *said;
    GArray *warps; /* of warpstep_warp; of the cycle, or NULL */
    WsCodeTexts code;
} WsStepping;

struct warpstep {
    WsDevice *device; /* NULL: it was refused */
    warpstep_limits limits;
    GPtrArray *programs; /* of WsLoadedProgram */
    GArray *buffers;     /* of WsHeldBuffer, by rising address */
    guint64 buffer_bytes;
    GArray *textures; /* of WsTexture, by handle */
    GArray *queue;    /* of WsQueuedLaunch */
    /* The last run, or the one that goes on. What it holds of the machine's it does not own. */
    WsJob *job;
    WsResult *result;         /* NULL: it was functional, or goes on */
    GArray *figures;          /* of warpstep_figures, by launch */
    gboolean is_timed;        /* the last run was by cycle */
    guint64 estimated_cycles; /* of a sampled run without time */
    WsSampling sampling;
    GArray *printed; /* of WsPrintedText, by launch */
    WsTimelineRecord *record;
    gboolean records_page;
    char *json, *html;
    WsEventEmitter events;
    WsStepping stepping;
    warpstep_error error;
    char *error_text, *error_file, *error_details, *setting_text, *value_text, *linked_text,
        *fatbin_text;
    warpstep_kernel kernel;
    warpstep_parameter parameter;
};

/* ---- errors ------------------------------------------------------------------------------------
 */

/* Returns the code of the failure, which it frees, and notes it with its position. */
warpstep_code ws_machine_fail(warpstep *gpu, GError *failure);
/* BAD_CALL with a text of its own. */
warpstep_code ws_machine_refuse(warpstep *gpu, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* How a run ended, WARPSTEP_OK where it came to its end. */
warpstep_code ws_machine_note_end(warpstep *gpu, WsStatus status, const WsStop *stop);

/*
 * Copies a struct that the caller has filled in, of the size that it says, into one of `bytes`
 * bytes; what it has not is 0. BAD_CALL: its size is not set.
 */
warpstep_code ws_machine_take(warpstep *gpu, void *to, gsize bytes, const void *given,
                              const char *name);

/* ---- parts -------------------------------------------------------------------------------------
 */

/* BAD_CALL, BAD_INPUT: why it can't run. */
const WsKernel *ws_machine_kernel(warpstep *gpu, guint program, const char *name);
void ws_loaded_program_free(WsLoadedProgram *program);

/* BAD_CALL unless a device is there, and no run goes on. */
warpstep_code ws_machine_check_idle(warpstep *gpu);
void ws_queued_launch_clear(WsQueuedLaunch *queued);

/* The buffers as those of a job. */
WsBuffer *ws_machine_buffers(const warpstep *gpu);

/* The textures as those of a job. */
WsTexture *ws_machine_textures(const warpstep *gpu);

/*
 * What waits in the queue as a job, which shares with the machine and the queue all that is theirs.
 * Free it with ws_machine_free_job(), which leaves them what they have.
 */
WsJob *ws_machine_job(const warpstep *gpu);
void ws_machine_free_job(WsJob *job);
/* The next launch of the run has printed this. */
void ws_machine_note_printed(warpstep *gpu, const WsPrintLog *printed);

/* Makes a job of the queue, which is empty then. */
void ws_machine_begin(warpstep *gpu);
WsRunOptions ws_machine_run_options(const warpstep *gpu);
/* Whether the only launch that waits is one to be run by cycle. */
gboolean ws_sampling_begin(warpstep *gpu);
/* `cycles` that it took, 0: it ran without time. The cycles of the last one alike that had any. */
guint64 ws_sampling_end(WsSampling *sampling, guint64 cycles);
void ws_sampling_clear(WsSampling *sampling);
/* Takes the result of the run that began, and notes how it ended. */
warpstep_code ws_machine_finish(warpstep *gpu, WsResult *result);
/* Forgets the last run. */
void ws_machine_forget(warpstep *gpu);

/* Of another program, in place of the one before; NULL: of none. */
void ws_code_texts_set(WsCodeTexts *code, WsProgram *program);
const char *ws_code_texts_get(WsCodeTexts *code, guint32 instruction);

/* The observer of the run that begins, or NULL: nobody wants events. */
const WsObserver *ws_machine_event_observer(warpstep *gpu);
void ws_event_emitter_clear(WsEventEmitter *events);

#endif
