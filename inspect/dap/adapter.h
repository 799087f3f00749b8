/* What the files of the adapter share. Inside this room only. */
#ifndef WS_INSPECT_DAP_ADAPTER_H
#define WS_INSPECT_DAP_ADAPTER_H

#include "inspect/commands/interpreter.h"
#include "inspect/dap/arguments.h"
#include "inspect/dap/dap.h"
#include "inspect/dap/used_registers.h"

/* Bits, so that a request can name those in which it may come. */
typedef enum {
    WS_DAP_NEW = 1,
    WS_DAP_INITIALIZED = 2,
    WS_DAP_CONFIGURING = 4, /* the job is loaded */
    WS_DAP_STOPPED = 8,
    WS_DAP_RUNNING = 16,
    WS_DAP_ENDED = 32,
    WS_DAP_AT_REST = WS_DAP_CONFIGURING | WS_DAP_STOPPED,
    WS_DAP_LOADED = WS_DAP_AT_REST | WS_DAP_RUNNING | WS_DAP_ENDED,
    WS_DAP_ANY = 63
} WsDapPhase;

typedef enum {
    WS_DAP_FRAME,
    WS_DAP_LOCALS,
    WS_DAP_VALUE, /* of an expression */
    WS_DAP_REGISTERS,
    WS_DAP_LANES, /* of one register */
    WS_DAP_MASKS,
    WS_DAP_SCOREBOARD,
    WS_DAP_SCHEDULER,
    WS_DAP_MEMORY,
    WS_DAP_BUFFER,
    WS_DAP_SHARED
} WsDapReferenceKind;

/* How the 32 bits of a register are read. */
typedef enum { WS_DAP_BITS, WS_DAP_SIGNED, WS_DAP_FLOAT, WS_DAP_LONG } WsDapReading;

/* What the client may ask more about, until the run moves. */
typedef struct {
    WsDapReferenceKind kind;
    guint32 block, warp;
    guint64 lanes;    /* of the path */
    guint32 pc;       /* FRAME, LOCALS */
    guint32 number;   /* LANES: register, BUFFER: which, FRAME and LOCALS: the function's scope */
    guint8 file;      /* LANES: WsDapRegisterFile */
    guint8 reading;   /* LANES: WsDapReading */
    const char *text; /* VALUE */
} WsDapReference;

typedef enum {
    WS_DAP_AT_LINE,
    WS_DAP_AT_INSTRUCTION,
    WS_DAP_AT_FUNCTION,
    WS_DAP_ON_DATA
} WsDapGroup;

typedef struct {
    gint64 id;
    guint number; /* of the session's breakpoint, 0 = it has none */
    WsDapGroup group;
    guint32 file; /* AT_LINE */
    char *hit_condition, *log_message;
    guint64 hits;
} WsDapBreakpoint;

typedef enum {
    WS_DAP_CONTINUE,
    WS_DAP_LINE,
    WS_DAP_INSTRUCTION,
    WS_DAP_OUT /* of the path: to where it joins another */
} WsDapMotion;

/* A motion under way. */
typedef struct {
    WsDapMotion motion;
    gboolean back;
    gboolean resumed; /* it was interrupted by a request */
    WsFocus focus;    /* whose, where it is of one warp */
    gboolean known;   /* LINE: `file` and `line` are where the warp was last */
    guint32 file, line;
} WsDapWay;

typedef struct WsDapAdapter WsDapAdapter;

struct WsDapAdapter {
    WsDapStream *stream;
    WsDapLoader load;
    void *load_data;
    WsDapPhase phase;
    gboolean done;                       /* the client has gone */
    void (*then)(WsDapAdapter *adapter); /* what is to follow the response, or NULL */
    gint64 first_line, first_column;     /* 0 or 1: as the client counts */

    WsJob *job;
    WsSession *session;
    WsInterpreter *interpreter; /* of the console, once it is used */
    char *folder;               /* relative paths begin there */
    gboolean stop_on_entry, stop_at_end, ignore_breakpoints;
    gboolean ignore_faults, fault_told;
    GPtrArray *paths; /* by file of the program: where it lies, or NULL */

    WsDapWay way;
    gint64 looked; /* microseconds: for messages, while running */
    GArray *references;
    GStringChunk *texts; /* of references */
    gint64 first_reference;
    GPtrArray *breakpoints; /* of WsDapBreakpoint */
    gint64 last_breakpoint;
    GArray *goto_cycles; /* of guint64, by target */
};

typedef gboolean (*WsDapHandler)(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                                 GError **error);
#define REQUEST(name, phases)                                                                      \
    gboolean ws_dap_##name(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,     \
                           GError **error);
#include "inspect/dap/requests.def"
#undef REQUEST

/* ---- sending ------------------------------------------------------------------------------------
 */

/* Takes `body`, which may be NULL. */
void ws_dap_send_event(WsDapAdapter *adapter, const char *event, JsonObject *body);
/* A line for the client's console. `category`: "console", "stdout", "stderr", "important". */
void ws_dap_print(WsDapAdapter *adapter, const char *category, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* The text of an error without "error: " in front. */
const char *ws_dap_error_text(const GError *error);
/* Moves what went wrong with the arguments, if anything, to `error`: FALSE then. */
gboolean ws_dap_arguments_end(WsDapArguments *arguments, GError **error);

/* ---- what the client may refer to (references.c) ------------------------------------------------
 */

gint64 ws_dap_refer(WsDapAdapter *adapter, const WsDapReference *reference);
/* NULL with an error: there is none of this number any more. */
const WsDapReference *ws_dap_reference(const WsDapAdapter *adapter, gint64 number, GError **error);
/* The run has moved. */
void ws_dap_forget(WsDapAdapter *adapter);
/* Where the warp of a reference is; FALSE with an error: it is not on an SM. */
gboolean ws_dap_place(const WsDapAdapter *adapter, const WsDapReference *reference,
                      WsWarpPlace *ret, GError **error);
/* Appends a variable and returns it, for more members. `reference` 0: it has no parts. */
JsonObject *ws_dap_add_variable(JsonArray *list, const char *name, const char *value,
                                const char *type, gint64 reference);

/* ---- threads ------------------------------------------------------------------------------------
 */

const WsLaunch *ws_dap_launch_under_way(const WsDapAdapter *adapter);
const WsKernel *ws_dap_kernel(const WsDapAdapter *adapter);
/* The thread of the focused warp, or the one that stands for none. */
gint64 ws_dap_focused_thread(const WsDapAdapter *adapter);
/* If the focused warp is not on an SM: another that is. */
void ws_dap_focus_somewhere(WsDapAdapter *adapter);
/* Moves the focus to the thread of a request, if it stands for a warp that is on an SM. */
void ws_dap_focus_thread(WsDapAdapter *adapter, gint64 thread);
/* The frame, or with 0 the running path of the focused warp. FALSE: it is not on an SM. */
gboolean ws_dap_frame(const WsDapAdapter *adapter, gint64 frame, WsDapReference *ret,
                      GError **error);

/* ---- sources ------------------------------------------------------------------------------------
 */

/* After loading. */
void ws_dap_find_sources(WsDapAdapter *adapter);
/* A Source object for a file of the program. */
JsonObject *ws_dap_source_of(const WsDapAdapter *adapter, guint32 file);
/* The program's file that a Source object means; 0 = none. */
guint32 ws_dap_file_of(const WsDapAdapter *adapter, JsonObject *source);
/* Sets "source", "line" and "column" for an instruction, where known; FALSE where not. */
gboolean ws_dap_add_position(const WsDapAdapter *adapter, JsonObject *object, guint32 instruction);
/* The first line from `line` on that has instructions; 0 = none. */
guint32 ws_dap_line_with_code(const WsDapAdapter *adapter, guint32 file, guint32 line);
/* "0x40" */
char *ws_dap_code_address(guint32 instruction);
/* Reads it, with `offset` bytes added; FALSE with an error. */
gboolean ws_dap_read_address(const char *text, gint64 offset, gint64 *ret, GError **error);
/* "@P0 BRA L1", without control fields. g_free. */
char *ws_dap_instruction_text(const WsDapAdapter *adapter, guint32 instruction);

/* ---- variables: each fills in the parts of a reference ------------------------------------------
 */

/* Which part of a list the client wants. */
typedef struct {
    guint64 start, count;
    gboolean hexadecimal;
    gboolean named, indexed; /* kinds that it wants */
} WsDapPage;

void ws_dap_list_registers(WsDapAdapter *adapter, const WsDapReference *scope, WsWarpPlace place,
                           const WsDapPage *page, JsonArray *list);
guint ws_dap_register_count(const WsDapAdapter *adapter, const WsDapReference *scope);
void ws_dap_list_lanes(const WsDapReference *lanes, WsWarpPlace place, const WsDapPage *page,
                       JsonArray *list);
/* The value in all lanes of the path, in short. g_free. */
char *ws_dap_lanes_text(const WsDapReference *lanes, WsWarpPlace place, gboolean hexadecimal);
/* The register of a name like R4, R4.f32, P0, UR3; FALSE if the kernel has none. */
gboolean ws_dap_find_register(const WsDapAdapter *adapter, const char *name, WsDapReference *ret);
/* "R4", "UP0". g_free. */
char *ws_dap_register_name(guint file, guint32 number);
guint32 ws_dap_warp_size(WsWarpPlace place);

void ws_dap_list_scheduler(WsDapAdapter *adapter, const WsDapReference *scope, WsWarpPlace place,
                           JsonArray *list);
void ws_dap_list_memory(WsDapAdapter *adapter, const WsDapReference *scope, WsWarpPlace place,
                        JsonArray *list);
void ws_dap_list_buffer(const WsDapAdapter *adapter, const WsDapReference *buffer,
                        const WsDapPage *page, JsonArray *list);
void ws_dap_list_shared(const WsDapReference *shared, WsWarpPlace place, const WsDapPage *page,
                        JsonArray *list);

/* "active", "waiting on another path". */
const char *ws_dap_lane_state(const WsLaneStates *states, guint32 lane);

/* Values of the first lanes that differ, or the one that they have in common. g_free. */
char *ws_dap_values_text(const WsLaneExpression *expression, guint64 lanes, WsValueForm form);
gboolean ws_dap_has_locals(const WsDapAdapter *adapter);
/* What names mean: in the function of a frame, of its locals and of values in it; else, and for
 * NULL, where each lane is. ws_lane_scope_free. */
WsLaneScope *ws_dap_scope(const WsDapAdapter *adapter, const WsDapReference *of);
/* The variables of a frame; the parts of an expression, or its lanes. */
void ws_dap_list_locals(WsDapAdapter *adapter, const WsDapReference *frame, WsWarpPlace place,
                        const WsDapPage *page, JsonArray *list);
void ws_dap_list_value(WsDapAdapter *adapter, const WsDapReference *of, WsWarpPlace place,
                       const WsDapPage *page, JsonArray *list);
/* Sets how the client finds the parts of the value, in the lanes of a frame. */
void ws_dap_describe_value(WsDapAdapter *adapter, JsonObject *body, const WsDapReference *frame,
                           const char *text, const WsLaneExpression *expression);
/* The expression of a part that is listed under `name`. g_free. */
char *ws_dap_part_text(const WsDapReference *of, const char *name);
/* Whether `name` is a lane of the value, not an element. */
gboolean ws_dap_is_lane_of(const WsDapAdapter *adapter, const WsDapReference *of, WsWarpPlace place,
                           const char *name, guint32 *ret_lane);

/*
 * The value of an expression, with the names of a reference (ws_dap_scope()), of the path's `lanes`
 * of a warp: of the first ones where they differ; of a condition the lanes in which it holds. NULL
 * with an error. g_free.
 */
char *ws_dap_expression_text(const WsDapAdapter *adapter, const WsDapReference *of,
                             const char *text, WsWarpPlace place, guint64 lanes,
                             gboolean hexadecimal, GError **error);

/* ---- moving -------------------------------------------------------------------------------------
 */

/* From the response to `configurationDone` on. */
void ws_dap_begin(WsDapAdapter *adapter);
/* Goes on with a motion until it ends or a message comes. */
void ws_dap_run_on(WsDapAdapter *adapter);
/* For ws_timeline_set_interrupt(): a message is there or, while a command of the console or another
 * request moves the run, one that ends that. */
gboolean ws_dap_is_wanted(void *adapter);
/* Tells the client where the run is, which has moved there at a command. */
void ws_dap_send_moved(WsDapAdapter *adapter);
/* A line of the console (inspect/commands/), of the warp of a frame or, with NULL, the focused one.
 */
gboolean ws_dap_do_command(WsDapAdapter *adapter, const char *line, const WsDapReference *frame,
                           JsonObject *body, GError **error);
void ws_dap_terminate_run(WsDapAdapter *adapter, int exit_code);

/* ---- breakpoints --------------------------------------------------------------------------------
 */

void ws_dap_breakpoint_free(gpointer breakpoint);
WsDapBreakpoint *ws_dap_find_breakpoint(const WsDapAdapter *adapter, guint number);
/* Whether the run is to stop at a breakpoint that it has come to; a log point prints and is not. */
gboolean ws_dap_stops_at(WsDapAdapter *adapter, const WsArrival *arrival);

#endif
