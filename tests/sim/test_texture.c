/* Texture fetches against the formulas of the CUDA C++ Programming Guide, and through kernels. */
#include "sim/memory/texture.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "isa/base/float_bits.h"
#include "sim/gpu/simulation.h"
#include "sim/interpreter/interpreter.h"
#include "tests/support/suite.h"

/* ---- the guide's formulas, in long double ---- */

/* x as the guide replaces it by address mode, of which a GPU keeps 21 bits, then in texels. */
static long double guide_coordinate(float given, int n, WsTextureAddress address,
                                    gboolean normalized)
{
    long double x = given;
    if (isnan(given))
        return 0;
    if (address == WS_TEXTURE_WRAP || address == WS_TEXTURE_MIRROR) {
        if (isinf(given))
            return 0;
        /* mirrored texels are found by their places: see below */
        x -= address == WS_TEXTURE_WRAP ? floorl(x) : 2 * floorl(x / 2);
    }
    if (normalized)
        x = floorl(x * 0x1p21L) / 0x1p21L * n;
    return fminl(fmaxl(x, -1000000), 1000000);
}

static float texel_or_border(const float *texels, const int n[2], const WsTextureAddress address[2],
                             int i, int j)
{
    int at[2] = {i, j};
    for (int axis = 0; axis < 2; axis++) {
        gboolean outside = at[axis] < 0 || at[axis] >= n[axis];
        if (outside && address[axis] == WS_TEXTURE_BORDER)
            return 0;
        if (outside && address[axis] == WS_TEXTURE_WRAP)
            at[axis] = at[axis] < 0 ? at[axis] + n[axis] : at[axis] - n[axis];
        else if (outside && address[axis] == WS_TEXTURE_MIRROR)
            at[axis] = at[axis] < 0             ? -1 - at[axis]
                       : at[axis] < 2 * n[axis] ? 2 * n[axis] - 1 - at[axis]
                                                : at[axis] - 2 * n[axis];
        else if (outside)
            at[axis] = at[axis] < 0 ? 0 : n[axis] - 1;
    }
    return texels[at[1] * n[0] + at[0]];
}

static float guide_plane(const WsTexture *texture, const float *texels, float x, float y)
{
    int n[2] = {(int)texture->size[0], (int)texture->size[1]};
    long double u = guide_coordinate(x, n[0], texture->address_mode[0], texture->normalized);
    long double v = guide_coordinate(y, n[1], texture->address_mode[1], texture->normalized);
    const WsTextureAddress *address = texture->address_mode;
    if (texture->filter == WS_TEXTURE_POINT)
        return texel_or_border(texels, n, address, (int)floorl(u), (int)floorl(v));
    /* fractions of 8 bits, 1.0 among them */
    int i = (int)floorl(u - 0.5L), j = (int)floorl(v - 0.5L);
    long double a = floorl((u - 0.5L - i) * 256 + 0.5L) / 256;
    long double b = floorl((v - 0.5L - j) * 256 + 0.5L) / 256;
    long double both = floorl(a * b * 256 + 0.5L) / 256;
    const long double weights[2][2] = {{1 - a - b + both, a - both}, {b - both, both}};
    long double sum = 0;
    for (int dj = 0; dj < 2; dj++)
        for (int di = 0; di < 2; di++) {
            long double weight = weights[dj][di];
            int k = i + di, l = j + dj;
            /* a second texel without weight may lie two texels outside */
            if (weight != 0)
                sum += weight * (long double)texel_or_border(texels, n, address, k, l);
        }
    return (float)sum;
}

/* ---- weights of corners ---- */

/*
 * Weights of the eight texels of a volume (x fastest) in 1/256, by fractions in 1/256: measured on
 * an H200 (driver 580.159.04) with volumes of 2 x 2 x 2 of which one texel is 1.
 */
static const struct {
    guint fraction[3];
    guint weight[8];
} corners[] = {
    {{0, 8, 16}, {233, 0, 7, 0, 16, 0, 0, 0}},
    {{8, 8, 8}, {233, 8, 7, 0, 8, 0, 0, 0}},
    {{40, 72, 136}, {73, 14, 28, 5, 83, 15, 32, 6}},
    {{128, 8, 248}, {4, 4, 0, 0, 120, 120, 4, 4}},
    {{248, 248, 248}, {0, 0, 0, 8, 0, 7, 8, 233}},
    {{24, 160, 232}, {8, 1, 14, 1, 79, 8, 131, 14}},
    {{128, 1, 0}, {128, 127, 0, 1}},
    {{128, 3, 0}, {127, 126, 1, 2}},
    {{1, 128, 0}, {128, 0, 127, 1}},
    {{100, 77, 0}, {109, 70, 47, 30}},
    {{255, 255, 0}, {0, 1, 1, 254}},
};

START_TEST(test_corner_weights)
{
    for (guint hot = 0; hot < 8; hot++) {
        float texels[8] = {0};
        WsTexture texture = {.type = WS_TYPE_F32,
                             .channels = 1,
                             .kind = WS_TEX_3D,
                             .size = {2, 2, 2},
                             .row_bytes = 8,
                             .filter = WS_TEXTURE_LINEAR};
        WsTextureSample sample;
        guint32 at[3];

        texels[hot] = 1;
        for (guint axis = 0; axis < 3; axis++)
            at[axis] = ws_float_bits(0.5f + (float)corners[_i].fraction[axis] / 256);
        ws_texture_sample(&texture, (const guint8 *)texels, at, FALSE, &sample);
        ck_assert_float_eq(ws_float(sample.value[0]) * 256, (float)corners[_i].weight[hot]);
    }
}
END_TEST

/* ---- all modes of a plane ---- */

static const float special[] = {
    0,        -0.0f,       0.5f,     1,         1.5f,   0.25f,        0.75f,       -0.25f,
    1.25f,    -1,          2,        2.5f,      1e-30f, -1e-30f,      1e30f,       -1e30f,
    3e9f,     -3e9f,       INFINITY, -INFINITY, NAN,    0.498046875f, 0.99999994f, 4.9999995f,
    16777216, 0.501953125f};

static float random_coordinate(GRand *random, gboolean normalized)
{
    if (g_rand_int_range(random, 0, 4) == 0)
        return special[g_rand_int_range(random, 0, G_N_ELEMENTS(special))];
    double span = normalized ? 3 : 12;
    return (float)g_rand_double_range(random, -span, span);
}

START_TEST(test_planes)
{
    static const WsTextureAddress modes[] = {WS_TEXTURE_CLAMP, WS_TEXTURE_WRAP, WS_TEXTURE_MIRROR,
                                             WS_TEXTURE_BORDER};
    enum { WIDTH = 5, HEIGHT = 3, FETCHES = 400 };
    float texels[WIDTH * HEIGHT];
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (guint i = 0; i < G_N_ELEMENTS(texels); i++)
        texels[i] = (float)g_rand_double_range(random, -100, 100);
    for (guint setup = 0; setup < 4 * 4 * 2 * 2; setup++) {
        WsTexture texture = {.type = WS_TYPE_F32,
                             .channels = 1,
                             .kind = WS_TEX_2D,
                             .size = {WIDTH, HEIGHT, 1},
                             .row_bytes = WIDTH * sizeof *texels,
                             .address_mode = {modes[setup % 4], modes[setup / 4 % 4], 0},
                             .filter = setup / 16 % 2 ? WS_TEXTURE_LINEAR : WS_TEXTURE_POINT,
                             .normalized = setup / 32 % 2};
        gboolean repeats =
            setup % 4 == 1 || setup % 4 == 2 || setup / 4 % 4 == 1 || setup / 4 % 4 == 2;
        if (repeats && !texture.normalized)
            continue;
        for (guint k = 0; k < FETCHES; k++) {
            float x = random_coordinate(random, texture.normalized);
            float y = random_coordinate(random, texture.normalized);
            guint32 at[3] = {ws_float_bits(x), ws_float_bits(y), 0};
            WsTextureSample sample;
            ws_texture_sample(&texture, (const guint8 *)texels, at, FALSE, &sample);
            float expected = guide_plane(&texture, texels, x, y);
            ck_assert_msg(ws_float(sample.value[0]) == expected,
                          "setup %u at (%.9g, %.9g): %.9g, not %.9g", setup, (double)x, (double)y,
                          (double)ws_float(sample.value[0]), (double)expected);
            ck_assert_uint_eq(sample.value[1], 0);
            ck_assert_uint_eq(sample.value[2], 0);
            ck_assert_uint_eq(sample.value[3], ws_float_bits(1));
            ck_assert_uint_le(sample.count, 4);
        }
    }
}
END_TEST

/* ---- elements ---- */

static guint32 element_at_zero(WsType type, guint8 channels, gboolean normalized_read,
                               const void *data, guint channel)
{
    WsTexture texture = {.type = type,
                         .channels = channels,
                         .kind = WS_TEX_1D,
                         .size = {1, 1, 1},
                         .normalized_read = normalized_read};
    guint32 at[3] = {0, 0, 0};
    WsTextureSample sample;
    ws_texture_sample(&texture, data, at, TRUE, &sample);
    return sample.value[channel];
}

START_TEST(test_elements)
{
    static const guint8 bytes[4] = {0, 1, 128, 255};
    static const guint16 halves[2] = {0x3c00, 0x8001};
    static const guint16 words[2] = {65535, 0x8000};
    static const guint32 nan_bits = 0x7fa12345;
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U8, 4, FALSE, bytes, 3), 255);
    ck_assert_uint_eq(element_at_zero(WS_TYPE_S8, 4, FALSE, bytes, 3), 0xffffffff);
    ck_assert_uint_eq(element_at_zero(WS_TYPE_S8, 4, FALSE, bytes, 2), (guint32)-128);
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U8, 4, TRUE, bytes, 1), ws_float_bits(1.0f / 255));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U8, 4, TRUE, bytes, 3), ws_float_bits(1));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_S8, 4, TRUE, bytes, 2), ws_float_bits(-1));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_S8, 4, TRUE, bytes, 1), ws_float_bits(1.0f / 127));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U16, 2, TRUE, words, 0), ws_float_bits(1));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_S16, 2, TRUE, words, 1), ws_float_bits(-1));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_S16, 2, FALSE, words, 1), 0xffff8000);
    ck_assert_uint_eq(element_at_zero(WS_TYPE_F16, 2, FALSE, halves, 0), ws_float_bits(1));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_F16, 2, FALSE, halves, 1), ws_float_bits(-0x1p-24f));
    ck_assert_uint_eq(element_at_zero(WS_TYPE_F32, 1, FALSE, &nan_bits, 0), nan_bits);
    /* channels that are not there */
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U8, 1, FALSE, bytes, 2), 0);
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U8, 2, FALSE, bytes, 3), 1);
    ck_assert_uint_eq(element_at_zero(WS_TYPE_U8, 2, TRUE, bytes, 3), ws_float_bits(1));
}
END_TEST

/* Of a row of two texels, both filtered with half of their weight. */
static guint32 half_of_both(WsType type, const void *texels, float border)
{
    WsTexture texture = {.type = type,
                         .channels = 1,
                         .kind = WS_TEX_1D,
                         .size = {2, 1, 1},
                         .row_bytes = 2 * ws_type_size(type),
                         .filter = WS_TEXTURE_LINEAR,
                         .normalized_read = type != WS_TYPE_F16,
                         .address_mode = {WS_TEXTURE_BORDER},
                         .border = {border}};
    guint32 at[3] = {ws_float_bits(border != 0 ? 2 : 1), 0, 0};
    WsTextureSample sample;
    ws_texture_sample(&texture, texels, at, FALSE, &sample);
    return sample.value[0];
}

/* Filters of small texels have results of 16 bits, as an H200 has. */
START_TEST(test_filters_of_small_texels)
{
    static const guint8 bytes[2] = {1, 4};
    static const gint8 signed_bytes[2] = {63, -128};
    static const guint16 words[2] = {3, 4};
    static const guint16 halves[2] = {0x3c00, 0x3c01}; /* 1 and the next */
    /* (257 + 1028) / 2 = 642.5, a half goes up */
    ck_assert_uint_eq(half_of_both(WS_TYPE_U8, bytes, 0), ws_float_bits(643.0f / 65535));
    /* 63 / 127 is 16254.5 - 0.004 of 32767; the least integer counts as -128 / 127 */
    ck_assert_uint_eq(half_of_both(WS_TYPE_S8, signed_bytes, 0),
                      ws_float_bits((float)(-8385.0 / 32767)));
    ck_assert_uint_eq(half_of_both(WS_TYPE_U16, words, 0), ws_float_bits((float)(4.0 / 65535)));
    ck_assert_uint_eq(half_of_both(WS_TYPE_F16, halves, 0), ws_float_bits(1));
    /* the border in steps of the type: 0.25 is 64 / 255, 0.5 is 63 / 127 */
    ck_assert_uint_eq(half_of_both(WS_TYPE_U8, bytes, 0.25f),
                      ws_float_bits((float)((4 + 64) * 257 / 2 / 65535.0)));
    ck_assert_uint_eq(half_of_both(WS_TYPE_S8, signed_bytes, 0.5f),
                      ws_float_bits((float)(-8385.0 / 32767)));
}
END_TEST

/* ---- the other kinds ---- */

static float fetch(const WsTexture *texture, const float *texels, guint32 a, guint32 b, guint32 c,
                   gboolean integer)
{
    guint32 at[3] = {a, b, c};
    WsTextureSample sample;
    ws_texture_sample(texture, (const guint8 *)texels, at, integer, &sample);
    return ws_float(sample.value[0]);
}

START_TEST(test_kinds)
{
    float texels[6 * 2 * 2];
    for (guint i = 0; i < G_N_ELEMENTS(texels); i++)
        texels[i] = (float)i;
    WsTexture volume = {
        .type = WS_TYPE_F32, .channels = 1, .kind = WS_TEX_3D, .size = {2, 3, 4}, .row_bytes = 8};
    ck_assert(fetch(&volume, texels, ws_float_bits(1), ws_float_bits(2), ws_float_bits(3), FALSE) ==
              23);
    ck_assert(fetch(&volume, texels, 1, 0, 2, TRUE) == 13);
    volume.filter = WS_TEXTURE_LINEAR;
    ck_assert(fetch(&volume, texels, ws_float_bits(1), ws_float_bits(1), ws_float_bits(1), FALSE) ==
              4.5f);
    WsTexture lines = {.type = WS_TYPE_F32,
                       .channels = 1,
                       .kind = WS_TEX_ARRAY_1D,
                       .size = {8, 1, 3},
                       .row_bytes = 32};
    ck_assert(fetch(&lines, texels, 2, ws_float_bits(3.5f), 0, FALSE) == 19);
    ck_assert(fetch(&lines, texels, 7, ws_float_bits(3.5f), 0, FALSE) == 19);
    WsTexture planes = {.type = WS_TYPE_F32,
                        .channels = 1,
                        .kind = WS_TEX_ARRAY_2D,
                        .size = {2, 2, 6},
                        .row_bytes = 8};
    ck_assert(fetch(&planes, texels, 5, ws_float_bits(1), ws_float_bits(0), FALSE) == 21);
    ck_assert(fetch(&planes, texels, 1, 0, 1, TRUE) == 6);
    /* integers outside: clamped, or the border */
    WsTexture line = {
        .type = WS_TYPE_F32, .channels = 1, .kind = WS_TEX_1D, .size = {24, 1, 1}, .row_bytes = 96};
    ck_assert(fetch(&line, texels, G_MAXUINT32, 0, 0, TRUE) == 0);
    ck_assert(fetch(&line, texels, G_MAXINT32, 0, 0, TRUE) == 23);
    line.address_mode[0] = WS_TEXTURE_BORDER;
    ck_assert(fetch(&line, texels, G_MAXINT32, 0, 0, TRUE) == 0);
    line.border[0] = 8;
    ck_assert(fetch(&line, texels, G_MAXINT32, 0, 0, TRUE) == 8);
    line.filter = WS_TEXTURE_LINEAR; /* half of texel 0, half of the border */
    ck_assert(fetch(&line, texels, ws_float_bits(0), 0, 0, FALSE) == 4);
    /* 2 x 3 texels in rows of 4, which slices follow */
    WsTexture wide = {
        .type = WS_TYPE_F32, .channels = 1, .kind = WS_TEX_3D, .size = {2, 3, 2}, .row_bytes = 16};
    ck_assert(fetch(&wide, texels, 1, 2, 0, TRUE) == 9);
    ck_assert(fetch(&wide, texels, 1, 2, 1, TRUE) == 21);
}
END_TEST

/* Table "Cubemap Fetch": the middle of each face, and which way its s and t go. */
START_TEST(test_cube)
{
    static const struct {
        float x, y, z;
        float texel;
    } rows[] = {
        {1, 0.5f, 0.5f, 0},    {1, 0.5f, -0.5f, 1},    {1, -0.5f, -0.5f, 3}, {-1, 0.5f, -0.5f, 4},
        {-1, 0.5f, 0.5f, 5},   {-1, -0.5f, -0.5f, 6},  {0.5f, 1, 0.5f, 11},  {-0.5f, 1, -0.5f, 8},
        {0.5f, -1, -0.5f, 15}, {-0.5f, -1, 0.5f, 12},  {-0.5f, 0.5f, 1, 16}, {0.5f, -0.5f, 1, 19},
        {0.5f, 0.5f, -1, 20},  {-0.5f, -0.5f, -1, 23},
    };
    float texels[24];
    for (guint i = 0; i < G_N_ELEMENTS(texels); i++)
        texels[i] = (float)i;
    WsTexture cube = {
        .type = WS_TYPE_F32, .channels = 1, .kind = WS_TEX_CUBE, .size = {2, 2, 6}, .row_bytes = 8};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        for (float scale = 0.125f; scale < 100; scale *= 8)
            ck_assert_msg(fetch(&cube, texels, ws_float_bits(rows[i].x * scale),
                                ws_float_bits(rows[i].y * scale), ws_float_bits(rows[i].z * scale),
                                FALSE) == rows[i].texel,
                          "row %u", i);
    ck_assert(fetch(&cube, texels, ws_float_bits(NAN), ws_float_bits(NAN), ws_float_bits(NAN),
                    FALSE) >= 0);
    ck_assert(fetch(&cube, texels, 0, 0, 0, FALSE) >= 0);
}
END_TEST

/* ---- kernels ---- */

static WsJob *load(const char *program, const char *text)
{
    g_autofree char *folder = g_dir_make_tmp("ws-texture-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "launch.yaml", NULL);
    const char *sources = g_getenv("WS_TEST_SOURCES");
    g_autofree char *whole = g_strdup_printf("version: 1\nprogram: %s/tests/ptx/%s\n%s",
                                             sources == NULL ? "." : sources, program, text);
    ck_assert(g_file_set_contents(path, whole, -1, NULL));
    GError *error = NULL;
    WsJob *job = ws_job_load(path, NULL, &error);
    g_unlink(path);
    g_rmdir(folder);
    ck_assert_msg(job != NULL, "%s", error == NULL ? "" : error->message);
    return job;
}

static void assert_runs(const char *program, const char *text, guint64 requests, guint64 sectors)
{
    g_autoptr(WsJob) job = load(program, text);
    GError *error = NULL;
    WsRunOptions options;
    ws_run_options_init(&options);
    g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
    ck_assert_msg(result != NULL, "%s", error == NULL ? "" : error->message);
    for (guint32 i = 0; i < result->check_count; i++)
        ck_assert_msg(result->checks[i].passed, "check %u: expected %s, got %s", i,
                      result->checks[i].expected, result->checks[i].actual);
    ck_assert_msg(result->status == WS_STATUS_OK, "%s", result->stop.message);
    ck_assert_uint_eq(result->total.texture_requests, requests);
    ck_assert_uint_eq(result->total.texture_sectors, sectors);

    g_autoptr(WsJob) again = load(program, text);
    for (guint32 i = 0; i < again->launch_count; i++)
        ck_assert_msg(ws_interpret(again, i, NULL, NULL, &error), "%s",
                      error == NULL ? "" : error->message);
    for (guint32 i = 0; i < job->buffer_count; i++)
        ck_assert_mem_eq(again->buffers[i].data, job->buffers[i].data, job->buffers[i].bytes);
}

START_TEST(test_objects)
{
    assert_runs(
        "texture.cu",
        "buffers:\n"
        "  ramp: {type: f32, init: {values: [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23,"
        " 30, 31, 32, 33, 40, 41, 42, 43, 50, 51, 52, 53]}}\n"
        "  bytes: {type: u8, init: {values: [1, 2, 3, 4, 5, 6, 7, 8]}}\n"
        "  words: {type: s32, init: {values: [-1, -2, -3, -4]}}\n"
        "  x: {type: f32, init: {values: [0.5, 1.5, 1.0, 3.9]}}\n"
        "  y: {type: f32, init: {values: [0.5, 1.5, 1.0, 0.5]}}\n"
        "  z: {type: f32, init: {values: [1, 0, -2, 100]}}\n"
        "  i: {type: s32, init: {values: [0, 1, 2, -1]}}\n"
        "  a: {type: f32, count: 4}\n  b: {type: u32, count: 4}\n  c: {type: f32, count: 4}\n"
        "  d: {type: f32, count: 16}\n  e: {type: s32, count: 4}\n  f: {type: f32, count: 8}\n"
        "  g: {type: f32, count: 4}\n  h: {type: f32, count: 4}\n  k: {type: f32, count: 4}\n"
        "textures:\n"
        "  one: {buffer: ramp, kind: 1d, size: 24, address: border}\n"
        "  quads: {buffer: bytes, kind: 1d, size: [2], channels: 4}\n"
        "  smooth: {buffer: ramp, kind: 2d, size: [4, 6], filter: linear}\n"
        "  whole: {buffer: words, kind: 2d, size: [2, 2], normalized: true,"
        " address: [mirror, wrap]}\n"
        "  solid: {buffer: ramp, kind: 3d, size: [2, 2, 3], channels: 2}\n"
        "  rows: {buffer: ramp, kind: 1d_array, size: [4, 6]}\n"
        "  sheets: {buffer: ramp, kind: 2d_array, size: [4, 3, 2]}\n"
        "  box: {buffer: ramp, kind: cube, size: [2, 2]}\n"
        "launches:\n"
        "- {kernel: linear, grid: 1, block: 4, params: [{texture: one}, {ref: i}, {ref: a}]}\n"
        "- {kernel: bytes, grid: 1, block: 4, params: [{texture: quads}, {ref: i}, {ref: b}]}\n"
        "- {kernel: line, grid: 1, block: 4, params: [{texture: one}, {ref: x}, {ref: c}]}\n"
        "- {kernel: plane, grid: 1, block: 4,"
        " params: [{texture: smooth}, {ref: x}, {ref: y}, {ref: d}]}\n"
        "- {kernel: plane_int, grid: 1, block: 4,"
        " params: [{texture: whole}, {ref: x}, {ref: y}, {ref: e}]}\n"
        "- {kernel: volume, grid: 1, block: 4,"
        " params: [{texture: solid}, {ref: x}, {ref: y}, {ref: z}, {ref: f}]}\n"
        "- {kernel: lines, grid: 1, block: 4,"
        " params: [{texture: rows}, {ref: x}, {ref: i}, {ref: g}]}\n"
        "- {kernel: planes, grid: 1, block: 4,"
        " params: [{texture: sheets}, {ref: x}, {ref: y}, {ref: i}, {ref: h}]}\n"
        "- {kernel: cube, grid: 1, block: 4,"
        " params: [{texture: box}, {ref: x}, {ref: y}, {ref: z}, {ref: k}]}\n"
        "expect:\n"
        "- {buffer: a, values: [0, 1, 2, 0]}\n"
        "- {buffer: b, values: [0x04030201, 0x08070605, 0x08070605, 0x04030201]}\n"
        "- {buffer: c, values: [0, 1, 1, 3]}\n"
        "- {buffer: d, values: [0, 0, 0, 1, 11, 0, 0, 1, 5.5, 0, 0, 1, 3, 0, 0, 1]}\n"
        "- {buffer: e, values: [-4, -3, -2, -3]}\n"
        "- {buffer: f, values: [20, 21, 12, 13, 12, 13, 42, 43]}\n"
        "- {buffer: g, values: [0, 11, 21, 53]}\n"
        "- {buffer: h, values: [0, 41, 41, 33]}\n"
        "- {buffer: k, values: [41, 23, 50, 41]}\n",
        9, 16);
}
END_TEST

/* References: one bound by its name, one by `texrefs`; a scalar coordinate. */
START_TEST(test_references)
{
    assert_runs("texref.ptx",
                "buffers:\n"
                "  a: {type: f32, init: {values: [1, 2, 3, 4]}}\n"
                "  b: {type: u32, init: {values: [10, 20, 30, 40]}}\n"
                "  out: {type: f32, count: 4}\n"
                "textures:\n"
                "  first: {buffer: a, kind: 1d, size: 4}\n"
                "  other: {buffer: b, kind: 2d, size: [2, 2]}\n"
                "texrefs: {second: other}\n"
                "kernel: sum\ngrid: 1\nblock: 4\nparams: [{ref: out}]\n"
                "expect: [{buffer: out, values: [11, 22, 33, 44]}]\n",
                2, 2);
}
END_TEST

START_TEST(test_faults)
{
    static const struct {
        const char *texture, *parameter, *message;
    } rows[] = {
        {"kind: 1d, size: 4", "{texture: t}", "the texture is of another kind than the fetch"},
        {"kind: 2d, size: [2, 2]", "{u64: 0}", "no texture is bound"},
        {"kind: 2d, size: [2, 2]", "{u64: 77}", "not the handle of a texture"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text =
            g_strdup_printf("buffers: {a: {type: f32, count: 16}, x: {type: f32, count: 4}}\n"
                            "textures: {t: {buffer: a, %s}}\n"
                            "kernel: plane\ngrid: 1\nblock: 4\n"
                            "params: [%s, {ref: x}, {ref: x}, {ref: a}]\n",
                            rows[i].texture, rows[i].parameter);
        g_autoptr(WsJob) job = load("texture.cu", text);
        GError *error = NULL;
        WsRunOptions options;
        ws_run_options_init(&options);
        g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
        ck_assert_msg(result != NULL, "%s", error == NULL ? "" : error->message);
        ck_assert_int_eq(result->status, WS_STATUS_FAULT);
        ck_assert_msg(strstr(result->stop.message, rows[i].message) != NULL, "%s",
                      result->stop.message);
        ck_assert(!ws_interpret(job, 0, NULL, NULL, &error));
        ck_assert_msg(strstr(error->message, rows[i].message) != NULL, "%s", error->message);
        g_error_free(error);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_corner_weights, 0, G_N_ELEMENTS(corners));
    tcase_add_test(cases, test_planes);
    tcase_add_test(cases, test_elements);
    tcase_add_test(cases, test_filters_of_small_texels);
    tcase_add_test(cases, test_kinds);
    tcase_add_test(cases, test_cube);
    tcase_add_test(cases, test_objects);
    tcase_add_test(cases, test_references);
    tcase_add_test(cases, test_faults);
    tcase_set_timeout(cases, 60);
}

int main(void)
{
    return run_suite("texture", add_tests);
}
