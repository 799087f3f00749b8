#include "probe.h"

#include <stdlib.h>
#include <string.h>

#include "isa/text/assembler.h"

enum {
    FIRST_REGISTER = 16,
    STREAM_PREDICATES = 6,
    FIRST_UNIFORM = 6,
    /* where blocks meet, by pass: how many have come, and the clock at which all go on */
    MEETINGS = PROBE_DATA - 256,
    UNTIL_MEETING = 3000
};

static void fail(const char *what, const GError *error, const char *body)
{
    g_printerr("%s: %s\n%.200s\n", what, error ? error->message : "", body);
    exit(1);
}

void append_step(GString *text, const char *step, guint stream, guint stride)
{
    g_string_append(text, "    ");
    for (const char *c = step; *c != 0; c++) {
        if (*c != '%')
            g_string_append_c(text, *c);
        else if (*++c == 'p')
            g_string_append_printf(text, "P%u", stream % STREAM_PREDICATES);
        else if (*c == 'u')
            g_string_append_printf(text, "UR%u", FIRST_UNIFORM + stream);
        else if (*c == 's')
            g_string_append_printf(text, "%x", stream);
        else if (*c == 'l')
            g_string_append_printf(text, "%" G_GSIZE_FORMAT, text->len);
        else
            g_string_append_printf(text, "R%u",
                                   FIRST_REGISTER + stride * stream + (guint)(*c - '0'));
    }
    g_string_append(text, " ;\n");
}

void probe_own_addresses(guint32 *data, guint32 address, guint words)
{
    for (guint i = 0; i < words; i++)
        data[i] = address + 4 * i;
}

guint32 probe_random(guint64 *state, guint32 count)
{
    *state =
        *state * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
    return (guint32)((*state >> 33) % count);
}

/*
 * The blocks of the SM begin a pass together, as they did on the H200: the last one to come sets
 * the time. Else the oldest block, which goes first, would do all its passes before the others
 * begin.
 */
static void append_meeting(GString *text, guint blocks)
{
    g_string_append_printf(text,
                           "    LDC.64 R8, c[x] ;\n    IMAD.WIDE.U32 R8, R1, 8, R8 ;\n"
                           "    MOV R5, 1 ;\n    BAR.SYNC 0 ;\n    ISETP.NE P6, R0, RZ ;\n"
                           "    BSSY B0, met ;\n@P6 BRA met ;\n"
                           "    ATOMG.ADD R4, [R8+%u], R5 ;\n    ISETP.NE P6, R4, %u ;\n"
                           "@P6 BRA poll ;\n    CS2R.64 R4, SR_CLOCKLO ;\n"
                           "    IADD3 R4, R4, %u ;\n    STG.E [R8+%u], R4 ;\n"
                           "poll:\n    ATOMG.ADD R4, [R8+%u], RZ ;\n    ISETP.EQ P6, R4, RZ ;\n"
                           "@P6 BRA poll ;\nwait:\n    CS2R.64 R8, SR_CLOCKLO ;\n"
                           "    ISETP.LT.U32 P6, R8, R4 ;\n@P6 BRA wait ;\nmet:\n    BSYNC B0 ;\n",
                           MEETINGS, blocks - 1, UNTIL_MEETING, MEETINGS + 4, MEETINGS + 4);
}

/*
 * The kernel. A barrier alone does not hold back a clock read, so a shared load and a branch on
 * what it gave stand behind it.
 */
static char *kernel_text(const Probe *probe)
{
    GString *text = g_string_new(".kernel k\n.param u64 x\n.reconvergence manual\n");

    g_string_append(text, probe->directives ? probe->directives : ".shared 64\n");
    g_string_append(text, probe->no_start ? "    CS2R.64 R6, SR_CLOCKLO ;\n" : "");
    g_string_append_printf(text,
                           "    S2R R0, SR_TID.X ;\n    S2R R4, SR_CTAID.X ;\n"
                           "    LDC.64 R2, c[x] ;\n    SHF.R.U32 R1, R0, 5 ;\n"
                           "    IMAD R1, R4, %u, R1 ;\n    IMAD.WIDE.U32 R2, R1, 16, R2 ;\n"
                           "    MOV R10, 0x3f7ff972 ;\n    MOV R11, 0x38d1b717 ;\n"
                           "    MOV R12, 5 ;\n    MOV R13, 7 ;\n    S2R R14, SR_LANEID ;\n"
                           "    SHF.L.U32 R14, R14, 2 ;\n    MOV R15, %u ;\n    MOV R1, RZ ;\n",
                           MAX(probe->warps, 1), probe->trips);
    g_string_append(text, probe->setup ? probe->setup : "");
    g_string_append(text, "pass:\n    IADD3 R1, R1, 1 ;\n");
    if (probe->blocks > 1)
        append_meeting(text, probe->blocks);
    if (!probe->no_start)
        g_string_append(text, "    BAR.SYNC 0 ;\n    LDS R4, [RZ] ;\n"
                              "    ISETP.EQ P6, R4, 0x7fabcdef ;\n@P6 BRA bad ;\n"
                              "    CS2R.64 R6, SR_CLOCKLO ;\n");
    g_string_append(text, probe->body);
    g_string_append(text, "    CS2R.64 R8, SR_CLOCKLO ;\n");
    g_string_append(text, probe->tail ? probe->tail : "");
    g_string_append_printf(text,
                           "    ISETP.LT P6, R1, %u ;\n"
                           "@P6 BRA pass ;\n    STG.E.64 [R2], R6 ;\n    STG.E.64 [R2+8], R8 ;\n"
                           "    EXIT ;\nbad:\n    BPT.TRAP ;\n",
                           probe->passes ? probe->passes : 2);
    return g_string_free(text, FALSE);
}

static WsJob *make_job(const Probe *probe, const char *text)
{
    WsJob *job = g_new0(WsJob, 1);
    g_autofree char *sms = g_strdup_printf("sms=%u", MAX(probe->sms, 1));
    /* Clocks are read behind the parameters: what these cost is no part of the rows. */
    const char *settings[] = {sms, "divergence.model=its", "launch.parameters=ready",
                              probe->setting, NULL};
    guint32 bytes = PROBE_DATA + probe->data_bytes;
    WsCompileOptions options;
    GError *error = NULL;

    job->device = ws_device_load("h200", settings, &error);
    if (job->device == NULL)
        fail("device", error, probe->body);
    ws_compile_options_init(&options);
    options.parameter_base = (guint32)job->device->parameter_base;
    job->program = ws_assemble("probe.wsasm", text, strlen(text), &options, &error);
    if (job->program == NULL)
        fail("kernel", error, probe->body);
    job->path = g_strdup("probe");
    job->buffers = g_new0(WsBuffer, 1);
    job->buffer_count = 1;
    job->buffers[0] = (WsBuffer){.name = g_strdup("x"),
                                 .type = WS_TYPE_U32,
                                 .count = bytes / 4,
                                 .bytes = bytes,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(bytes)};
    if (probe->fill != NULL)
        probe->fill((guint32 *)(void *)(job->buffers[0].data + PROBE_DATA),
                    (guint32)WS_BUFFER_BASE + PROBE_DATA, probe->data_bytes / 4);
    if (job->program->constant_bytes != 0)
        job->constant_data = g_memdup2(job->program->constants, job->program->constant_bytes);
    return job;
}

/* The first of two launches only warms the caches of a probe that has no passes to do so. */
static void add_launches(WsJob *job, const Probe *probe)
{
    job->launch_count = probe->no_start ? 2 : 1;
    job->launches = g_new0(WsLaunch, job->launch_count);
    for (guint n = 0; n < job->launch_count; n++) {
        WsLaunch *launch = &job->launches[n];

        launch->kernel = &job->program->kernels[0];
        for (guint i = 0; i < 3; i++)
            launch->grid[i] = launch->block[i] = 1;
        launch->grid[0] = MAX(probe->blocks, 1);
        launch->block[0] = 32 * MAX(probe->warps, 1);
        launch->carveout = -1;
        launch->keep_caches = n > 0;
        launch->parameters = g_malloc0(8);
        memcpy(launch->parameters, &job->buffers[0].address, 8);
    }
}

Clocks *probe_clocks(const Probe *probe)
{
    g_autofree char *text = kernel_text(probe);
    g_autoptr(WsJob) job = make_job(probe, text);
    g_autoptr(WsResult) result = NULL;
    gsize count = (gsize)MAX(probe->blocks, 1) * MAX(probe->warps, 1);
    GError *error = NULL;
    WsRunOptions options;

    add_launches(job, probe);
    ws_run_options_init(&options);
    options.max_cycles = 20000000;
    result = ws_simulation_run(job, &options, &error);
    if (result == NULL || result->status != WS_STATUS_OK)
        fail(result ? result->stop.message : "run", error, probe->body);
    return g_memdup2(job->buffers[0].data, count * sizeof(Clocks));
}

double probe_cycles(const Probe *probe)
{
    g_autofree Clocks *clocks = probe_clocks(probe);
    gsize count = (gsize)MAX(probe->blocks, 1) * MAX(probe->warps, 1);
    guint64 start = clocks[0].start, end = clocks[0].end;

    for (gsize i = 1; i < count; i++) {
        start = MIN(start, clocks[i].start);
        end = MAX(end, clocks[i].end);
    }
    return (double)(end - start);
}
