/* Which loads of a PTX text do nothing but go back to memory, and which bytes a store has of them.
 */
#include "isa/ptx/copies.h"
#include "isa/ptx/parser.h"
#include "tests/support/suite.h"

#include <string.h>

/* Lines 1 to 6 of the text are in front of `body`. */
#define HEAD                                                                                       \
    ".version 7.5\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k() {\n.local .b8 a[64];\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred p;\n"
enum { FIRST = 7 };

/* `copied`: '1' for lines whose load is copied. `store`: of the last line, per byte "line.byte". */
static const struct {
    const char *name, *body, *copied, *store;
} rows[] = {
    {"whole", "ld.local.u32 %r1, [a];\nst.local.u32 [a+8], %r1;", "10", "7.0 7.1 7.2 7.3"},
    {"used", "ld.local.u32 %r1, [a];\nadd.u32 %r2, %r1, 1;\nst.local.u32 [a+8], %r1;", "000",
     "7.0 7.1 7.2 7.3"},
    {"two halves",
     "ld.local.u32 %rd1, [a+4];\nshl.b64 %rd2, %rd1, 32;\nld.local.u32 %rd3, [a];\n"
     "or.b64 %rd4, %rd2, %rd3;\nst.local.u64 [a+8], %rd4;",
     "10100", "9.0 9.1 9.2 9.3 7.0 7.1 7.2 7.3"},
    {"upper half", "ld.local.u64 %rd1, [a];\nshr.u64 %rd2, %rd1, 32;\nst.local.u32 [a+8], %rd2;",
     "100", "7.4 7.5 7.6 7.7"},
    {"a shift that is no byte",
     "ld.local.u64 %rd1, [a];\nshr.u64 %rd2, %rd1, 33;\nst.local.u32 [a+8], %rd2;", "000", ""},
    {"the sum is used",
     "ld.local.u32 %rd1, [a+4];\nshl.b64 %rd2, %rd1, 32;\nld.local.u32 %rd3, [a];\n"
     "or.b64 %rd4, %rd2, %rd3;\nadd.u64 %rd5, %rd4, 1;\nst.local.u64 [a+8], %rd4;",
     "000000", "9.0 9.1 9.2 9.3 7.0 7.1 7.2 7.3"},
    {"bytes that meet",
     "ld.local.u64 %rd1, [a];\nld.local.u32 %rd2, [a+8];\nor.b64 %rd3, %rd1, %rd2;\n"
     "st.local.u64 [a+8], %rd3;",
     "0000", ""},
    {"with a number", "ld.local.u32 %r1, [a];\nor.b32 %r2, %r1, 1;\nst.local.u32 [a+8], %r2;",
     "000", ""},
    {"two ways", "ld.local.u32 %r1, [a];\nld.local.u32 %r1, [a+4];\nst.local.u32 [a+8], %r1;",
     "000", ""},
    {"a vector", "ld.local.v2.u32 {%r1, %r2}, [a];\nst.local.v2.u32 [a+8], {%r2, %r1};", "10",
     "7.4 7.5 7.6 7.7 7.0 7.1 7.2 7.3"},
    {"one byte of four", "ld.local.u8 %r1, [a];\nst.local.u32 [a+8], %r1;", "10", "7.0 - - -"},
    {"an address", "ld.local.u64 %rd1, [a];\nst.local.u32 [%rd1], %r1;", "00", ""},
};

START_TEST(bytes_on_their_way)
{
    g_autofree char *text = g_strconcat(HEAD, rows[_i].body, "\nret;\n}\n", NULL);
    const guint32 count = (guint32)strlen(rows[_i].copied);
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) store = g_string_new(NULL);
    WsPtxModule *module = ws_ptx_parse("k.ptx", text, strlen(text), &error);
    ck_assert_msg(module != NULL, "%s: %s", rows[_i].name, error == NULL ? "" : error->message);
    WsPtxCopies *copies = ws_ptx_copies(module, FIRST + count);
    for (guint32 i = 0; i < count; i++)
        ck_assert_msg(copies->is_copied[FIRST + i] == (rows[_i].copied[i] == '1'), "%s: line %u",
                      rows[_i].name, FIRST + i);
    const guint32 last = FIRST + count - 1, first = copies->first_byte[last];
    for (guint32 b = 0; first != 0 && b < copies->byte_count[last]; b++) {
        const WsPtxCopiedByte *byte = &g_array_index(copies->bytes, WsPtxCopiedByte, first - 1 + b);
        g_string_append(store, b == 0 ? "" : " ");
        if (byte->load == 0)
            g_string_append(store, "-");
        else
            g_string_append_printf(store, "%u.%u", byte->load, byte->at);
    }
    ck_assert_msg(strcmp(store->str, rows[_i].store) == 0, "%s: %s", rows[_i].name, store->str);
    ws_ptx_copies_free(copies);
    ws_ptx_module_free(module);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, bytes_on_their_way, 0, G_N_ELEMENTS(rows));
}

int main(void)
{
    return run_suite("copies", add_tests);
}
