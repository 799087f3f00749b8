/* Launches that a program has captured: its files are hostile, and of them come numbers alone. */
#include <string.h>

#include "grade/trial/captured.h"
#include "tests/grade/lab.h"

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry k(.param .u64 p, .param .u32 n)\n{\nret;\n}\n"
                          ".visible .entry _Z4axpyIfEvPT_(.param .u64 p)\n{\nret;\n}\n";

/* A launch file, of which one text is changed. */
static const char whole[] = "version: 1\n"
                            "device: textbook\n"
                            "program: kernels.ptx\n"
                            "buffers:\n"
                            "  b: {type: u32, count: 8, address: 0x200000000000, init: zero}\n"
                            "  c: {type: u8, count: 4, init: {file: data.bin}}\n"
                            "launches:\n"
                            "  - kernel: k\n"
                            "    grid: 2\n"
                            "    block: 32\n"
                            "    params: [{u64: 0x200000000004}, {u32: 3}]\n";

static const struct {
    const char *from, *to;
} changes[] = {
    {"version", "version"},
    {"version: 1", "version: 1\nset: {sms: 1}"},
    {"version: 1", "version: 1\nlet: {n: 3}"},
    {"version: 1", "version: 1\nexpect: []"},
    {"device: textbook", "device: ../own.yaml"},
    {"program: kernels.ptx", "program: /etc/passwd"},
    {"init: zero", "init: {random: {seed: 1}}"},
    {"init: zero", "init: ones"},
    {"init: zero", "inits: zero"},
    {"{file: data.bin}", "{file: ../outside.bin}"},
    {"{file: data.bin}", "{file: none.bin}"},
    {"{file: data.bin}", "{values: [1, 2, 3, 4]}"},
    {"  - kernel: k\n", "  - kernel: k\n    cache: keep\n"},
    {"  - kernel: k\n", "  - kernel: k\n    initial: []\n"},
    {"kernel: k\n", "kernel: other\n"},
    {"launches:", "launch:"},
    {"launches:\n  - kernel: k", "launches:\n    kernel: k"},
    {"    params", "  - {kernel: k, grid: 1, block: 1}\n    params"},
    {"{u32: 3}", "{buffer: b}"},
    {"{u32: 3}", "3"},
    {"grid: 2", "grid: 0"},
    {"count: 8", "count: 99999999999"},
    {"buffers:", "buffers: 3\nbuffer:"},
};

START_TEST(what_may_stand_in_a_launch)
{
    g_autofree char *scratch = lab_scratch();
    g_autofree char *path = g_build_filename(scratch, "0001-k.yaml", NULL);
    g_autofree char *data = g_build_filename(scratch, "data.bin", NULL);
    g_autoptr(GHashTable) texts = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GString) out = g_string_new(NULL);
    char *settings[] = {NULL};
    WsProgramRun run = {.device = (char *)"textbook", .settings = settings};
    const WsTest test = {.run = &run, .limits = {.memory = 256 << 20}};
    const WsBuiltProgram built = {.parts = {.ptx = (char *)ptx, .sources = texts}};

    ck_assert(g_file_set_contents(data, "abcd", 4, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        GError *error = NULL;
        ck_assert_msg(strstr(whole, changes[i].from) != NULL, "%s", changes[i].from);
        g_autofree char *text = golden_text_replace(whole, changes[i].from, changes[i].to);
        ck_assert(g_file_set_contents(path, text, -1, NULL));
        g_autoptr(WsCaptured) captured = ws_captured_open(&test, &built, scratch, &error);
        ck_assert_msg(captured != NULL, "%s", error ? error->message : "");
        ck_assert_uint_eq(captured->files->len, 1);
        WsJob *job = ws_captured_load(captured, 0, &error);
        ck_assert((job == NULL) == (error != NULL));
        g_string_append_printf(out, "%s\n", job ? "a launch" : error->message);
        if (job != NULL)
            ck_assert_str_eq(ws_device_policy_name(job->device),
                             ws_device_policy_name(captured->device));
        g_clear_pointer(&job, ws_job_free);
        g_clear_error(&error);
    }
    lab_check("captured.txt", out->str, scratch);
    lab_remove(scratch);
}
END_TEST

START_TEST(names_of_kernels)
{
    const WsKernel kernel = {.name = (char *)"_Z4axpyIfEvPT_",
                             .display_name = (char *)"axpy<float>"};

    ck_assert(ws_is_kernel_name(&kernel, "axpy") && ws_is_kernel_name(&kernel, "axpy<float>"));
    ck_assert(ws_is_kernel_name(&kernel, "_Z4axpyIfEvPT_") && !ws_is_kernel_name(&kernel, "axp"));
    ck_assert(!ws_is_kernel_name(&kernel, "axpy<") && !ws_is_kernel_name(&kernel, "axpyy"));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, what_may_stand_in_a_launch);
    tcase_add_test(cases, names_of_kernels);
}

int main(void)
{
    return run_suite("captured", add_tests);
}
