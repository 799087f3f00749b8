/*
 * The debug compile: at each statement that stores a variable, in each lane, the table of variables
 * has the value that is stored. A line that ends with `// = x` stores x in the next place of the
 * thread's.
 */
#include "tests/support/suite.h"
#include "tests/support/variable_values.h"

#include <string.h>

enum { THREADS = 64, PLACES = 128, WARP_SIZE = 32 };

#define LAUNCH                                                                                     \
    "version: 1\nprogram: k.cu\n"                                                                  \
    "buffers: {out: {type: u64, count: 8192}, in: {type: f32, count: 64, init: {linear: "          \
    "{start: 0.5, step: 1}}}}\n"                                                                   \
    "kernel: k\ngrid: [1, 1, 1]\nblock: [64, 1, 1]\n"                                              \
    "params: [{ref: out}, {ref: in}, {s32: 3}, {bytes: [1, 0, 0, 0, 0, 0, 128, 63, 9, 0, 253, "    \
    "255]}]\n"

/* KERNEL(text): the kernel's head, `p` its next place. */
#define HEAD                                                                                       \
    "struct Inner { short s; union { unsigned bits; float number; }; };\n"                         \
    "enum Colour { RED, GREEN = 5, BLUE = -2 };\n"                                                 \
    "struct P { int a; float b; struct { unsigned char c; short d; } in; };\n"                     \
    "typedef unsigned long long u64;\n"                                                            \
    "__device__ int counter = 7;\n"                                                                \
    "__constant__ float taps[4] = {1, 2, 4, 8};\n"
#define BEGIN                                                                                      \
    "__global__ void k(u64 *out, const float *in, int n, P given)\n{\n"                            \
    "  u64 *p = out + threadIdx.x * 128;\n  int t = threadIdx.x;\n"

static const char *const kernels[] = {
    /* scalars of all kinds, of both signs and all widths */
    HEAD BEGIN "  signed char c = (signed char)(t - 40);\n"
               "  *(signed char *)p++ = c; // = c\n"
               "  unsigned short h = (unsigned short)(t * 2000);\n"
               "  *(unsigned short *)p++ = h; // = h\n"
               "  long long w = (long long)t << 33;\n"
               "  *(long long *)p++ = w; // = w\n"
               "  float f = in[t] * 3;\n"
               "  *(float *)p++ = f; // = f\n"
               "  double d = f / 7.0;\n"
               "  *(double *)p++ = d; // = d\n"
               "  bool odd = t & 1;\n"
               "  *(bool *)p++ = odd; // = odd\n"
               "  Colour colour = odd ? GREEN : BLUE;\n"
               "  *(Colour *)p++ = colour; // = colour\n"
               "  const float *q = in + t;\n"
               "  *(const float **)p++ = q; // = q\n"
               "  *(float *)p++ = *q; // = *q\n"
               "  *(int *)p++ = n; // = n\n"
               "  *(float *)p++ = given.b; // = given.b\n"
               "  *(short *)p++ = given.in.d; // = given.in.d\n"
               "  counter = 9;\n"
               "  *(int *)p++ = counter; // = counter\n"
               "  *(float *)p++ = taps[2]; // = taps[2]\n}\n",
    /* loops, breaks, shadowed names, early returns: the lanes part */
    HEAD BEGIN "  int sum = 0;\n"
               "  for (int i = 0; i < (t & 7); i++) {\n"
               "    int sum = i * t;\n"
               "    *(int *)p++ = sum; // = sum\n"
               "    if (sum > 200)\n"
               "      break;\n"
               "    if (i == 3)\n"
               "      continue;\n"
               "    *(int *)p++ = i; // = i\n"
               "  }\n"
               "  *(int *)p++ = sum; // = sum\n"
               "  if (t > 50)\n"
               "    return;\n"
               "  while (sum < t) {\n"
               "    sum += 9;\n"
               "    *(int *)p++ = sum; // = sum\n"
               "  }\n"
               "  do {\n"
               "    const int last = sum--;\n"
               "    *(int *)p++ = last; // = last\n"
               "  } while (sum > 60);\n"
               "  switch (t & 3) {\n"
               "  case 0: { int sum = 5;\n"
               "    *(int *)p++ = sum; // = sum\n"
               "  }\n"
               "  case 1: sum = 17;\n"
               "    break;\n"
               "  default: sum = -1;\n"
               "  }\n"
               "  *(int *)p++ = sum; // = sum\n}\n",
    /* structs, arrays, pointers to what is here */
    HEAD BEGIN "  P local = given;\n"
               "  local.a += t;\n"
               "  *(int *)p++ = local.a; // = local.a\n"
               "  Inner inner; inner.s = (short)-t; inner.number = t * 0.5f;\n"
               "  *(unsigned *)p++ = inner.bits; // = inner.bits\n"
               "  *(short *)p++ = inner.s; // = inner.s\n"
               "  float table[3][2];\n"
               "  for (int i = 0; i < 6; i++)\n"
               "    table[i / 2][i % 2] = i + t;\n"
               "  *(float *)p++ = table[2][1]; // = table[2][1]\n"
               "  *(float *)p++ = table[0][1]; // = table[0][1]\n"
               "  P *pointer = &local;\n"
               "  pointer->in.c = 77;\n"
               "  *(unsigned char *)p++ = pointer->in.c; // = pointer->in.c\n"
               "  int &alias = local.a;\n"
               "  alias = -t;\n"
               "  *(int *)p++ = alias; // = alias\n"
               "  *(int *)p++ = local.a; // = local.a\n}\n",
    /* functions: templates, methods, one in another, one twice in a statement */
    HEAD "template<class T> __device__ T twice(T v, u64 *&p)\n{\n"
         "  T w = v + v;\n"
         "  *(T *)p++ = w; // = w\n"
         "  *(T *)p++ = v; // = v\n"
         "  return w;\n}\n"
         "struct Counter {\n  int at;\n  __device__ void step(int by, u64 *&p)\n  {\n"
         "    at += by;\n"
         "    *(int *)p++ = by; // = by\n"
         "    *(int *)p++ = at; // = this->at\n"
         "    twice(at, p);\n  }\n};\n"
         "__device__ __forceinline__ int half(int v, u64 *&p)\n{\n"
         "  int w = v / 2;\n"
         "  *(int *)p++ = w; // = w\n"
         "  return w;\n}\n" BEGIN "  float w = twice(in[t], p) + twice(2.5f, p);\n"
         "  *(float *)p++ = w; // = w\n"
         "  Counter counter = {t};\n"
         "  counter.step(3, p);\n"
         "  if (t & 1)\n"
         "    counter.step(half(t, p), p);\n"
         "  *(int *)p++ = counter.at; // = counter.at\n}\n",
    /* shared arrays and barriers */
    HEAD BEGIN "  __shared__ int tile[2][64];\n"
               "  tile[t & 1][t] = t * 3;\n"
               "  __syncthreads();\n"
               "  *(int *)p++ = tile[1][5]; // = tile[1][5]\n"
               "  int other = tile[(t ^ 1) & 1][t ^ 1];\n"
               "  *(int *)p++ = other; // = other\n"
               "  __syncthreads();\n"
               "  if (t < 32)\n"
               "    tile[1][5] = 8;\n"
               "  __syncthreads();\n"
               "  *(int *)p++ = tile[1][5]; // = tile[1][5]\n}\n",
};

typedef struct {
    WsJob *job;
    char **lines;
    guint32 last[THREADS]; /* line of the last instruction */
    guint32 frame[THREADS];
    guint count[THREADS];
    guint64 values[THREADS][PLACES];
} Reader;

/* What a line stores, or NULL. */
static const char *stored_by(const Reader *reader, guint32 line)
{
    const char *mark = line == 0 ? NULL : strstr(reader->lines[line - 1], "// = ");
    return mark == NULL ? NULL : mark + 5;
}

static void read_stored(Reader *reader, const Moment *moment, guint thread, guint32 line)
{
    const char *name = stored_by(reader, line);
    guint64 bytes = 0;
    if (name == NULL)
        return;
    ck_assert_uint_lt(reader->count[thread], PLACES);
    ValueState state = read_value(
        moment, name, (guint8 *)&reader->values[thread][reader->count[thread]++], 8, &bytes);
    ck_assert_msg(state == VALUE_KNOWN, "%s at line %u, thread %u: %s", name, line, thread,
                  state == VALUE_NO_NAME ? "no such name" : "not known");
}

/*
 * A statement begins where a lane comes to its line from another one. Instructions that make lanes
 * meet again, and jumps between blocks, are of no statement.
 */
static void watch(void *data, const WsWatchedIssue *issue)
{
    Reader *reader = data;
    const WsProgram *program = reader->job->program;
    const WsLocation *at = &program->locations[program->instructions[issue->instruction].location];
    if (at->frame == 0 ||
        ws_kind_is_convergence(ws_instruction_kind(&program->instructions[issue->instruction])))
        return;
    for (guint64 rest = issue->lanes; rest; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctzll(rest);
        const guint thread = issue->warp * WARP_SIZE + lane;
        const Moment moment = {reader->job, issue, lane, 0};
        if (at->line != reader->last[thread] || at->frame != reader->frame[thread])
            read_stored(reader, &moment, thread, at->line);
        reader->last[thread] = at->line;
        reader->frame[thread] = at->frame;
    }
}

START_TEST(each_statement_has_the_values_of_its_variables)
{
    g_autofree Reader *reader = g_new0(Reader, 1);
    reader->job = load_source(kernels[_i], LAUNCH, TRUE, TRUE);
    ck_assert_ptr_nonnull(reader->job->program->variables);
    ck_assert_ptr_null(reader->job->program->variables->reason);
    reader->lines = g_strsplit(kernels[_i], "\n", -1);
    run_watched(reader->job, watch, reader);
    const guint64(*out)[PLACES] = (gconstpointer)reader->job->buffers[0].data;
    guint values = 0;
    for (guint t = 0; t < THREADS; t++)
        for (guint n = 0; n < PLACES; n++) {
            values += n < reader->count[t];
            ck_assert_msg(out[t][n] == reader->values[t][n],
                          "kernel %d, thread %u, value %u: stored %" G_GINT64_MODIFIER
                          "x, read %" G_GINT64_MODIFIER "x",
                          _i, t, n, out[t][n], reader->values[t][n]);
        }
    ck_assert_uint_ge(values, 3 * THREADS);
    g_strfreev(reader->lines);
    ws_job_free(reader->job);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, each_statement_has_the_values_of_its_variables, 0,
                        G_N_ELEMENTS(kernels));
}

int main(void)
{
    return run_suite("variable_values", add_tests);
}
