/*
 * The debug adapter as a client sees it: requests one after the other, each answer waited for, and
 * all messages as a file in tests/golden/rooms/.
 */
#include <check.h>
#include <string.h>
#include <unistd.h>

#include "inspect/dap/dap.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

typedef struct {
    int requests[2], answers[2];
    FILE *received;
    GString *log;
    guint sequence;
} Client;

static WsJob *load(void *data, const char *target, const WsJobOptions *options, WsRunOptions *run,
                   char **ret_note, GError **error)
{
    *ret_note = g_strdup("a note");
    return ws_job_load(target, options, error);
}

static gpointer serve(gpointer data)
{
    Client *client = data;
    WsDapStream *stream = ws_dap_stream_new(client->requests[0], client->answers[1], NULL);

    ws_dap_serve(stream, load, NULL);
    ws_dap_stream_free(stream);
    close(client->answers[1]);
    return NULL;
}

/* The next message of the adapter, which is added to the log; NULL at the end. */
static char *receive(Client *client)
{
    char line[256];
    gsize length = 0;

    while (fgets(line, sizeof line, client->received) != NULL && strcmp(line, "\r\n") != 0)
        if (sscanf(line, "Content-Length: %zu", &length) != 1)
            ck_abort_msg("header %s", line);
    if (length == 0)
        return NULL;
    char *text = g_malloc0(length + 1);
    ck_assert_uint_eq(fread(text, 1, length, client->received), length);
    g_string_append_printf(client->log, "<- %s\n", text);
    return text;
}

static void send_text(Client *client, const char *text)
{
    g_autofree char *whole = g_strdup_printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);

    ck_assert_int_eq(write(client->requests[1], whole, strlen(whole)), (ssize_t)strlen(whole));
}

/* Sends "command arguments", and waits for the answer and, behind ">", for an event. */
static void ask(Client *client, const char *line)
{
    g_auto(GStrv) words = g_strsplit(line, " ", 2);
    g_autofree char *text = NULL, *command = g_strdup(words[0]);
    const char *event = NULL;
    char *mark = strchr(command, '>');

    if (mark != NULL) {
        *mark = '\0';
        event = mark + 1;
    }
    g_string_append_printf(client->log, "-> %s\n", line);
    g_autofree char *arguments =
        golden_text_replace(words[1] ? words[1] : "{}", "@", g_getenv("WS_TEST_SOURCES"));
    text = g_strdup_printf("{\"seq\":%u,\"type\":\"request\",\"command\":\"%s\",\"arguments\":%s}",
                           ++client->sequence, command, arguments);
    send_text(client, text);
    for (gboolean answered = FALSE, happened = event == NULL; !answered || !happened;) {
        g_autofree char *message = receive(client);
        g_autofree char *wanted = g_strdup_printf("\"event\":\"%s\"", event ? event : "");

        ck_assert_msg(message != NULL, "the adapter ends at %s", line);
        answered |= strstr(message, "\"type\":\"response\"") != NULL;
        happened |= strstr(message, wanted) != NULL ||
                    strstr(message, "\"success\":false") != NULL ||
                    strstr(message, "\"event\":\"terminated\"") != NULL;
    }
}

static void check_exchange(const char *const *lines, const char *name)
{
    Client client = {.log = g_string_new(NULL)};

    ck_assert(pipe(client.requests) == 0 && pipe(client.answers) == 0);
    client.received = fdopen(client.answers[0], "r");
    GThread *thread = g_thread_new("adapter", serve, &client);
    for (guint i = 0; lines[i] != NULL; i++)
        ask(&client, lines[i]);
    close(client.requests[1]);
    for (char *rest; (rest = receive(&client)) != NULL;)
        g_free(rest);
    g_thread_join(thread);
    fclose(client.received);
    close(client.requests[0]);
    g_autofree char *log = g_string_free(client.log, FALSE);
    g_autofree char *text = golden_text_replace(log, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    golden_text_check(name, text);
}

static const char *const looks[] = {
    "threads",
    "initialize {\"adapterID\":\"w\",\"linesStartAt1\":true}",
    "initialize {}",
    "launch>initialized {\"program\":\"@/tests/data/rooms/two_sides.yaml\",\"stopOnEntry\":true}",
    "setBreakpoints "
    "{\"source\":{\"path\":\"two_sides.wsasm\"},\"breakpoints\":[{\"line\":8},{\"line\":5}]}",
    "configurationDone>stopped",
    "threads",
    "stackTrace {\"threadId\":1}",
    "scopes {\"frameId\":1}",
    "variables {\"variablesReference\":1}",
    "variables {\"variablesReference\":2}",
    "variables {\"variablesReference\":3}",
    "variables {\"variablesReference\":4}",
    "variables {\"variablesReference\":5}",
    "variables {\"variablesReference\":6}",
    "variables {\"variablesReference\":7}",
    "variables {\"variablesReference\":8}",
    "variables {\"variablesReference\":9,\"start\":2,\"count\":3}",
    "variables {\"variablesReference\":77}",
    "evaluate {\"expression\":\"R0 + 1\",\"frameId\":1,\"context\":\"watch\"}",
    "evaluate {\"expression\":\"threadIdx.x\",\"frameId\":1,\"context\":\"hover\"}",
    "evaluate {\"expression\":\"info warps\",\"frameId\":1,\"context\":\"repl\"}",
    "evaluate {\"expression\":\"R0 + 1\",\"frameId\":1}",
    "evaluate {\"expression\":\"R0 + 16\",\"frameId\":1,\"format\":{\"hex\":true}}",
    "evaluate {\"expression\":\"R0 + 1\"}",
    "evaluate {\"frameId\":1}",
    "evaluate {\"expression\":\"nothing +\",\"frameId\":1,\"context\":\"watch\"}",
    "loadedSources",
    "source {\"source\":{\"sourceReference\":1},\"sourceReference\":1}",
    "breakpointLocations {\"source\":{\"path\":\"two_sides.wsasm\"},\"line\":6,\"endLine\":12}",
    "completions {\"text\":\"info b\",\"column\":7}",
    "disassemble {\"memoryReference\":\"0x10\",\"instructionOffset\":-1,\"instructionCount\":4}",
    "readMemory {\"memoryReference\":\"0x10000000\",\"count\":12}",
    "gotoTargets {\"source\":{\"path\":\"two_sides.wsasm\"},\"line\":9}",
    "exceptionInfo {\"threadId\":1}",
    "nonsense",
    "disconnect",
    NULL};

static const char *const moves[] = {
    "initialize {\"adapterID\":\"w\"}",
    "launch>initialized "
    "{\"program\":\"@/tests/data/rooms/"
    "two_sides.yaml\",\"stopOnEntry\":true,\"set\":[\"policy=gto\"]}",
    "setBreakpoints "
    "{\"source\":{\"path\":\"two_sides.cu\"},\"breakpoints\":[{\"line\":5},{\"line\":6,"
    "\"condition\":\"R0 == 3\"},{\"line\":8,\"logMessage\":\"R4 is "
    "{R4}\"},{\"line\":9,\"hitCondition\":\"3\"}]}",
    "setFunctionBreakpoints {\"breakpoints\":[{\"name\":\"two_sides\"},{\"name\":\"none\"}]}",
    "setInstructionBreakpoints {\"breakpoints\":[{\"instructionReference\":\"0x70\"}]}",
    "setExceptionBreakpoints {\"filters\":[\"fault\"]}",
    "configurationDone>stopped",
    "stackTrace {\"threadId\":1}",
    "next>stopped {\"threadId\":1}",
    "next>stopped {\"threadId\":1,\"granularity\":\"instruction\"}",
    "stepIn>stopped {\"threadId\":1}",
    "continue>stopped {\"threadId\":1}",
    "continue>stopped {\"threadId\":1}",
    "continue>stopped {\"threadId\":1}",
    "stackTrace {\"threadId\":1}",
    "stepOut>stopped {\"threadId\":1}",
    "stackTrace {\"threadId\":1}",
    "stepBack>stopped {\"threadId\":1}",
    "reverseContinue>stopped {\"threadId\":1}",
    "dataBreakpointInfo {\"name\":\"out[3]\"}",
    "setDataBreakpoints {\"breakpoints\":[{\"dataId\":\"out[3]\",\"accessType\":\"write\"}]}",
    "setBreakpoints {\"source\":{\"path\":\"two_sides.cu\"},\"breakpoints\":[]}",
    "setInstructionBreakpoints {\"breakpoints\":[]}",
    "setFunctionBreakpoints {\"breakpoints\":[]}",
    "continue>stopped {\"threadId\":1}",
    "setExpression {\"expression\":\"R4\",\"value\":\"9\",\"frameId\":1}",
    "evaluate {\"expression\":\"goto 30\",\"context\":\"repl\"}",
    "evaluate {\"expression\":\"step\",\"context\":\"repl\"}",
    "setDataBreakpoints {\"breakpoints\":[]}",
    "continue>terminated {\"threadId\":1}",
    "terminate",
    "disconnect",
    NULL};

static const char *const failures[] = {
    "initialize {\"adapterID\":\"w\",\"linesStartAt1\":false,\"columnsStartAt1\":false}",
    "launch {\"program\":\"@/tests/data/rooms/nothing.yaml\"}",
    "launch {\"program\":7}",
    "launch>initialized {\"program\":\"@/tests/data/rooms/two_sides.yaml\"}",
    "setBreakpoints {\"breakpoints\":[{\"line\":0}]}",
    "setBreakpoints {\"source\":{\"path\":\"two_sides.wsasm\"},\"breakpoints\":[{\"line\":7}]}",
    "configurationDone>stopped",
    "stackTrace {\"threadId\":1,\"startFrame\":0,\"levels\":1}",
    "stackTrace {\"threadId\":99}",
    "continue {\"threadId\":\"x\"}",
    "disconnect",
    NULL};

/* What a launch may ask for, and the ways to its end. */
static const char *const ends[] = {
    "initialize {\"adapterID\":\"w\"}",
    "attach",
    "launch {\"program\":\"two_sides.yaml\",\"maxCycles\":0}",
    "launch {\"program\":\"two_sides.yaml\",\"define\":7}",
    "launch {\"program\":\"two_sides.yaml\",\"cwd\":\"@/tests\"}",
    "launch "
    "{\"program\":\"two_sides.yaml\",\"cwd\":\"@/tests/data/rooms\",\"set\":[\"nothing=1\"]}",
    "launch {\"program\":\"@/tests/data/rooms/lab/reference/scale.wsasm\"}",
    "launch>initialized {\"program\":\"two_sides.wsasm\",\"cwd\":\"@/tests/data/rooms\","
    "\"stopAtEnd\":true,\"noDebug\":true,\"policy\":\"gto\",\"sms\":1,\"maxCycles\":100000}",
    "setBreakpoints {\"source\":{\"path\":\"two_sides.wsasm\"},\"breakpoints\":[{\"line\":8}]}",
    "launch {\"program\":\"two_sides.yaml\"}",
    "continue {\"threadId\":1}",
    "configurationDone>stopped",
    "configurationDone",
    "cancel",
    "evaluate {\"expression\":\"info launch\",\"context\":\"repl\"}",
    "evaluate {\"expression\":\"nonsense\",\"context\":\"repl\"}",
    "reverseContinue>stopped {\"threadId\":1}",
    "evaluate>terminated {\"expression\":\"quit\",\"context\":\"repl\"}",
    "evaluate {\"expression\":\"info launch\",\"context\":\"repl\"}",
    "terminate",
    "disconnect",
    NULL};

static const struct {
    const char *const *lines;
    const char *name;
} exchanges[] = {{looks, "dap_looks.txt"},
                 {moves, "dap_moves.txt"},
                 {failures, "dap_failures.txt"},
                 {ends, "dap_ends.txt"}};

START_TEST(exchange)
{
    check_exchange(exchanges[_i].lines, exchanges[_i].name);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, exchange, 0, G_N_ELEMENTS(exchanges));
}

int main(void)
{
    return run_suite("dap", add_tests);
}
