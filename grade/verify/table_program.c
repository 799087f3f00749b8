#include "grade/verify/table_program.h"

#include <string.h>

enum { MOST_WORDS = 1 << 20 }; /* of all tables: eleven bytes of source each */

typedef struct {
    const WsAssignment *assignment;
    const WsTablePlan *plan;
    GString *tables;     /* their definitions */
    GHashTable *kernels; /* name -> GString: what the kernel does for the launches that it knows */
    GHashTable *counts;  /* name -> number of parameters */
    GHashTable *known;   /* conditions of launches, each once */
    guint table_count;
    gsize words;
    gboolean failed;
} Writer;

static JsonArray *calls_of(const WsTrial *trial)
{
    JsonObject *report = json_node_get_object(trial->report);
    return json_object_get_array_member(report, "calls");
}

static gboolean is_identifier(const char *name)
{
    gsize length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length > 0 && name[length] == '\0' && !g_ascii_isdigit(name[0]);
}

/* That a launch is this one: its sizes, and what its parameters hold besides addresses. */
static char *condition_of(JsonObject *call)
{
    static const char *const sizes[] = {"grid", "block"};
    GString *text = g_string_new("true");
    for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
        for (guint i = 0; i < 3; i++)
            g_string_append_printf(
                text, " && %sDim.%c == %" G_GINT64_FORMAT, sizes[s], "xyz"[i],
                json_array_get_int_element(json_object_get_array_member(call, sizes[s]), i));
    JsonArray *parameters = json_object_get_array_member(call, "parameters");
    for (guint i = 0; i < json_array_get_length(parameters); i++) {
        JsonObject *parameter = json_array_get_object_element(parameters, i);
        if (!json_object_has_member(parameter, "buffer") &&
            json_object_get_int_member(parameter, "size") <= 8)
            g_string_append_printf(text, " && ws_bits(p%u) == %sull", i,
                                   json_object_get_string_member(parameter, "value"));
    }
    return g_string_free(text, FALSE);
}

/* The table of a buffer, and the loop in which all threads together copy it. */
static void add_copy(Writer *writer, GString *body, GBytes *contents, guint parameter)
{
    gsize bytes;
    const guint8 *data = g_bytes_get_data(contents, &bytes);
    guint32 word;
    writer->words += bytes / sizeof word;
    if (bytes % sizeof word != 0 || bytes == 0 || writer->words > MOST_WORDS) {
        writer->failed = TRUE;
        return;
    }
    g_string_append_printf(writer->tables, "static __device__ unsigned ws_table_%u[] = {",
                           writer->table_count);
    for (gsize i = 0; i < bytes; i += sizeof word) {
        memcpy(&word, data + i, sizeof word);
        g_string_append_printf(writer->tables, i == 0 ? "%u" : ",%u", word);
    }
    g_string_append(writer->tables, "};\n");
    g_string_append_printf(body,
                           "        for (unsigned i = ws_thread(); i < %" G_GSIZE_FORMAT
                           "; i += ws_threads())\n"
                           "            ((unsigned *)p%u)[i] = ws_table_%u[i];\n",
                           bytes / sizeof word, parameter, writer->table_count++);
}

static guint buffer_place(const WsTrial *trial, const char *name)
{
    JsonArray *names =
        json_object_get_array_member(json_node_get_object(trial->report), "buffer_names");
    guint place = 0;
    while (place < json_array_get_length(names) &&
           strcmp(json_array_get_string_element(names, place), name) != 0)
        place++;
    return place;
}

/* What one launch of a test leaves in the buffers that are compared. */
static void add_call(Writer *writer, const WsTest *test, const WsTrial *trial, JsonObject *call)
{
    GString *body =
        g_hash_table_lookup(writer->kernels, json_object_get_string_member(call, "kernel"));
    g_autofree char *condition = condition_of(call);
    g_autofree char *key =
        g_strdup_printf("%s: %s", json_object_get_string_member(call, "kernel"), condition);
    if (!g_hash_table_add(writer->known, g_steal_pointer(&key)))
        return;
    g_string_append_printf(body, "    if (%s) {\n", condition);
    JsonArray *parameters = json_object_get_array_member(call, "parameters");
    for (guint i = 0; i < test->comparisons->len; i++) {
        guint place = buffer_place(trial, g_array_index(test->comparisons, WsComparison, i).buffer);
        for (guint k = 0; k < json_array_get_length(parameters); k++) {
            JsonObject *parameter = json_array_get_object_element(parameters, k);
            if (place < trial->memory->len && json_object_has_member(parameter, "buffer") &&
                json_object_get_int_member(parameter, "buffer") == (gint64)place &&
                json_object_get_int_member(parameter, "offset") == 0)
                add_copy(writer, body, trial->memory->pdata[place], k);
        }
    }
    g_string_append(body, "        return;\n    }\n");
}

/* Kernels are known from all tests, or there would be none for the hidden ones. */
static void add_test(Writer *writer, const WsTest *test, const WsTrial *trial)
{
    JsonArray *calls = calls_of(trial);
    for (guint i = 0; i < json_array_get_length(calls); i++) {
        JsonObject *call = json_array_get_object_element(calls, i);
        const char *kernel = json_object_get_string_member(call, "kernel");
        guint parameters = json_array_get_length(json_object_get_array_member(call, "parameters"));
        writer->failed |= !is_identifier(kernel);
        if (!g_hash_table_contains(writer->kernels, kernel)) {
            g_hash_table_insert(writer->kernels, g_strdup(kernel), g_string_new(NULL));
            g_hash_table_insert(writer->counts, g_strdup(kernel), GUINT_TO_POINTER(parameters));
        }
        if (!test->hidden && writer->plan->has_tables && trial->memory != NULL)
            add_call(writer, test, trial, call);
    }
}

static void add_kernel(const Writer *writer, const char *kernel, GString *out)
{
    guint count = GPOINTER_TO_UINT(g_hash_table_lookup(writer->counts, kernel));
    const GString *body = g_hash_table_lookup(writer->kernels, kernel);
    g_string_append_printf(out, "__global__ void %s(", kernel);
    for (guint i = 0; i < count; i++)
        g_string_append_printf(out, "%sws_nth<%u, decltype(ws_slow_%s)>::type p%u",
                               i == 0 ? "" : ", ", i, kernel, i);
    g_string_append_printf(out, ")\n{\n%s", body->str);
    if (writer->plan->waiting_cycles > 0)
        g_string_append_printf(out,
                               "    long long start = clock64();\n"
                               "    while (clock64() - start < %" G_GUINT64_FORMAT ")\n"
                               "        ;\n",
                               writer->plan->waiting_cycles);
    g_string_append_printf(out, "    ws_slow_%s(", kernel);
    for (guint i = 0; i < count; i++)
        g_string_append_printf(out, "%sp%u", i == 0 ? "" : ", ", i);
    g_string_append(out, ");\n}\n");
}

static char *write_program(const Writer *writer)
{
    static const char helpers[] =
        "template <int n, class F> struct ws_nth;\n"
        "template <class R, class A, class... B> struct ws_nth<0, R(A, B...)> { typedef A type; "
        "};\n"
        "template <int n, class R, class A, class... B>\n"
        "struct ws_nth<n, R(A, B...)> : ws_nth<n - 1, R(B...)> {};\n"
        "template <class T> static __device__ unsigned long long ws_bits(const T &value)\n"
        "{\n"
        "    unsigned long long bits = 0;\n"
        "    __builtin_memcpy(&bits, &value, sizeof value < 8 ? sizeof value : 8);\n"
        "    return bits;\n"
        "}\n"
        "static __device__ unsigned ws_block_threads() { return blockDim.x * blockDim.y * "
        "blockDim.z; "
        "}\n"
        "static __device__ unsigned ws_threads()\n"
        "{\n"
        "    return gridDim.x * gridDim.y * gridDim.z * ws_block_threads();\n"
        "}\n"
        "static __device__ unsigned ws_thread()\n"
        "{\n"
        "    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
        "    return block * ws_block_threads() + (threadIdx.z * blockDim.y + threadIdx.y) * "
        "blockDim.x "
        "+\n"
        "           threadIdx.x;\n"
        "}\n";
    g_autoptr(GList) kernels =
        g_list_sort(g_hash_table_get_keys(writer->kernels), (GCompareFunc)strcmp);
    GString *out = g_string_new("/* Kernels become functions, which new kernels call. */\n"
                                "#undef __global__\n#define __global__ __attribute__((device))\n");
    for (GList *at = kernels; at != NULL; at = at->next)
        g_string_append_printf(out, "#define %s ws_slow_%s\n", (char *)at->data, (char *)at->data);
    g_string_append_printf(out, "#line 1\n%s\n", writer->plan->source);
    for (GList *at = kernels; at != NULL; at = at->next)
        g_string_append_printf(out, "#undef %s\n", (char *)at->data);
    g_string_append(out, "#undef __global__\n#define __global__ __attribute__((global))\n");
    g_string_append(out, helpers);
    g_string_append(out, writer->tables->str);
    for (GList *at = kernels; at != NULL; at = at->next)
        add_kernel(writer, at->data, out);
    return g_string_free(out, FALSE);
}

static void free_text(gpointer text)
{
    g_string_free(text, TRUE);
}

char *ws_table_program(const WsAssignment *assignment, WsGrader *grader, const char *student,
                       const WsTablePlan *plan)
{
    char *program = NULL;
    Writer writer = {.assignment = assignment,
                     .plan = plan,
                     .tables = g_string_new(NULL),
                     .kernels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_text),
                     .counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                     .known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    writer.failed = !g_str_has_suffix(assignment->program, ".cu");
    for (guint i = 0; i < assignment->tests->len && !writer.failed; i++) {
        const WsTest *test = ws_assignment_test(assignment, i);
        writer.failed = test->run != NULL; /* kernels of a whole program are its own */
        const WsTrial *trial = writer.failed || ws_test_is_own(test)
                                   ? NULL
                                   : ws_own_runs_reference(ws_grader_runs(grader), i, student);
        if (trial != NULL && trial->state == WS_TRIAL_RAN)
            add_test(&writer, test, trial);
    }
    if (!writer.failed && g_hash_table_size(writer.kernels) > 0)
        program = write_program(&writer);
    g_string_free(writer.tables, TRUE);
    g_hash_table_unref(writer.kernels);
    g_hash_table_unref(writer.counts);
    g_hash_table_unref(writer.known);
    return program;
}
