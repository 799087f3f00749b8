#include "isa/base/nearest_name.h"

#include <string.h>

enum { LONGEST_NAME = 200, LEAST_PREFIX = 4, MAX_MEANINGS = 3 };

/*
 * What users of CUDA, numpy and other simulators write, and what it is called here. Words are lower
 * case with `_` for any dash, blank or dot. A meaning counts only where it is valid; the first that
 * is does.
 */
static const struct {
    const char *word;
    const char *meanings[MAX_MEANINGS];
} synonyms[] = {
    /* element types */
    {"float", {"f32"}},
    {"single", {"f32"}},
    {"float32", {"f32"}},
    {"fp32", {"f32"}},
    {"double", {"f64"}},
    {"float64", {"f64"}},
    {"fp64", {"f64"}},
    {"half", {"f16"}},
    {"__half", {"f16"}},
    {"float16", {"f16"}},
    {"fp16", {"f16"}},
    {"bfloat16", {"bf16"}},
    {"__nv_bfloat16", {"bf16"}},
    {"char", {"s8"}},
    {"signed_char", {"s8"}},
    {"int8", {"s8"}},
    {"int8_t", {"s8"}},
    {"i8", {"s8"}},
    {"short", {"s16"}},
    {"int16", {"s16"}},
    {"int16_t", {"s16"}},
    {"i16", {"s16"}},
    {"int", {"s32"}},
    {"int32", {"s32"}},
    {"int32_t", {"s32"}},
    {"i32", {"s32"}},
    {"integer", {"s32"}},
    {"long", {"s64"}},
    {"long_long", {"s64"}},
    {"int64", {"s64"}},
    {"int64_t", {"s64"}},
    {"i64", {"s64"}},
    {"ptrdiff_t", {"s64"}},
    {"bool", {"u8"}},
    {"byte", {"u8"}},
    {"uchar", {"u8"}},
    {"unsigned_char", {"u8"}},
    {"uint8", {"u8"}},
    {"uint8_t", {"u8"}},
    {"ushort", {"u16"}},
    {"unsigned_short", {"u16"}},
    {"uint16", {"u16"}},
    {"uint16_t", {"u16"}},
    {"unsigned", {"u32"}},
    {"unsigned_int", {"u32"}},
    {"uint", {"u32"}},
    {"uint32", {"u32"}},
    {"uint32_t", {"u32"}},
    {"ulong", {"u64"}},
    {"unsigned_long", {"u64"}},
    {"unsigned_long_long", {"u64"}},
    {"uint64", {"u64"}},
    {"uint64_t", {"u64"}},
    {"size_t", {"u64"}},
    {"pointer", {"ref", "u64"}},
    {"ptr", {"ref", "u64"}},
    {"nullptr", {"null"}},
    {"struct", {"bytes"}},
    {"raw", {"bytes"}},
    /* keys of a launch file */
    {"blocks", {"grid"}},
    {"num_blocks", {"grid"}},
    {"griddim", {"grid"}},
    {"grid_dim", {"grid"}},
    {"grid_size", {"grid"}},
    {"gridsize", {"grid"}},
    {"threads", {"block", "threads_per_block"}},
    {"threads_per_block", {"block"}},
    {"num_threads", {"block"}},
    {"blockdim", {"block"}},
    {"block_dim", {"block"}},
    {"block_size", {"block"}},
    {"blocksize", {"block"}},
    {"args", {"params"}},
    {"arguments", {"params"}},
    {"parameters", {"params"}},
    {"smem", {"dynamic_shared_bytes"}},
    {"shared", {"dynamic_shared_bytes"}},
    {"shared_bytes", {"dynamic_shared_bytes"}},
    {"shared_memory", {"dynamic_shared_bytes"}},
    {"shared_mem", {"dynamic_shared_bytes"}},
    {"dynamic_shared", {"dynamic_shared_bytes"}},
    {"dynamic_smem", {"dynamic_shared_bytes"}},
    {"dynamic_shared_memory", {"dynamic_shared_bytes"}},
    {"function", {"kernel"}},
    {"entry", {"kernel"}},
    {"source", {"program"}},
    {"file", {"program"}},
    {"code", {"program"}},
    {"gpu", {"device"}},
    {"arrays", {"buffers"}},
    {"memory", {"buffers"}},
    {"data", {"buffers", "init"}},
    {"globals", {"symbols"}},
    {"constants", {"symbols"}},
    {"variables", {"symbols"}},
    {"expected", {"expect"}},
    {"expectations", {"expect"}},
    {"check", {"expect"}},
    {"checks", {"expect"}},
    {"results", {"expect"}},
    {"macros", {"define"}},
    {"maxrregcount", {"maxreg"}},
    {"max_registers", {"maxreg"}},
    {"registers", {"maxreg"}},
    /* buffers and what is in them */
    {"dtype", {"type"}},
    {"length", {"count"}},
    {"elements", {"count"}},
    {"size", {"count"}},
    {"n", {"count"}},
    {"initial", {"init"}},
    {"contents", {"init"}},
    {"value", {"fill", "init"}},
    {"constant", {"fill"}},
    {"zeros", {"zero"}},
    {"list", {"values"}},
    {"array", {"values"}},
    {"range", {"linear"}},
    {"arange", {"linear"}},
    {"iota", {"linear"}},
    {"sequence", {"linear"}},
    {"from", {"start"}},
    {"increment", {"step"}},
    {"uniform", {"random"}},
    {"lower", {"min"}},
    {"low", {"min"}},
    {"upper", {"max"}},
    {"high", {"max"}},
    {"rtol", {"rel"}},
    {"relative", {"rel"}},
    {"atol", {"abs"}},
    {"absolute", {"abs"}},
    {"tolerance", {"rel"}},
    /* scheduling policies */
    {"rr", {"lrr"}},
    {"round_robin", {"lrr"}},
    {"roundrobin", {"lrr"}},
    {"loose_round_robin", {"lrr"}},
    {"greedy", {"gto"}},
    {"greedy_then_oldest", {"gto"}},
    {"fifo", {"oldest"}},
    {"oldest_first", {"oldest"}},
    {"youngest", {"greedy-then-youngest"}},
    {"lru", {"greedy-then-least-recent"}},
    {"least_recent", {"greedy-then-least-recent"}},
    {"textbook", {"textbook-priority"}},
    /* devices, by architecture and chip */
    {"volta", {"v100"}},
    {"gv100", {"v100"}},
    {"turing", {"t4"}},
    {"ampere", {"a100"}},
    {"ga100", {"a100"}},
    {"3090", {"rtx3090"}},
    {"ga102", {"rtx3090"}},
    {"ada", {"rtx4090"}},
    {"lovelace", {"rtx4090"}},
    {"4090", {"rtx4090"}},
    {"ad102", {"rtx4090"}},
    {"hopper", {"h200"}},
    {"gh100", {"h100"}},
    {"gh200", {"h200"}},
    {"blackwell", {"b200"}},
    {"gb200", {"b200"}},
    {"5090", {"rtx5090"}},
    {"gb202", {"rtx5090"}},
    {"spark", {"gb10"}},
    /* settings of a device */
    {"scheduler", {"policy"}},
    {"warp_scheduler", {"policy"}},
    {"scheduling", {"policy"}},
    {"num_sms", {"sms"}},
    {"sm_count", {"sms"}},
    {"schedulers", {"sub_cores"}},
    {"subcores", {"sub_cores"}},
    {"partitions", {"sub_cores"}},
    {"warpsize", {"warp_size"}},
    {"max_warps", {"warps_per_sm"}},
    {"warps", {"warps_per_sm"}},
    {"clock", {"clock_khz"}},
    /* workloads */
    {"saxpy", {"vecadd"}},
    {"vector_add", {"vecadd"}},
    {"add", {"vecadd"}},
    {"gemm", {"matmul"}},
    {"sgemm", {"matmul"}},
    {"mm", {"matmul"}},
    {"matrix_multiply", {"matmul"}},
    {"reduce", {"reduction"}},
    {"sum", {"reduction"}},
    {"divergence", {"with_without_divergence"}},
    {"tensor_core", {"tensor_tile"}},
    {"wmma", {"tensor_tile"}},
    /* commands */
    {"simulate", {"run"}},
    {"profile", {"run"}},
    {"assemble", {"asm"}},
    {"disassemble", {"disasm"}},
    {"objdump", {"disasm"}},
    {"verify", {"check"}},
    {"lint", {"check"}},
    {"new", {"init"}},
    {"create", {"init"}},
    {"cp", {"copy"}},
    {"clone", {"copy"}},
    {"info", {"devices"}},
    {"ls", {"devices"}},
};

/* Lower case, with `_` for every dash, blank and dot. */
static char *plain_form(const char *name)
{
    return g_strdelimit(g_ascii_strdown(name, -1), "- .", '_');
}

static const char *find_exact(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return *names;
    return NULL;
}

static const char *find_plain(const char *plain, const char *const *names)
{
    for (; *names != NULL; names++) {
        g_autofree char *other = plain_form(*names);
        if (strcmp(other, plain) == 0)
            return *names;
    }
    return NULL;
}

/* What row `index` means where `names` are valid, or NULL. */
static const char *meaning_of(gsize index, const char *const *names)
{
    const char *found = NULL;
    for (guint m = 0; found == NULL && m < MAX_MEANINGS; m++)
        if (synonyms[index].meanings[m] != NULL)
            found = find_exact(synonyms[index].meanings[m], names);
    return found;
}

static const char *find_synonym(const char *plain, const char *const *names)
{
    for (gsize i = 0; i < G_N_ELEMENTS(synonyms); i++)
        if (strcmp(synonyms[i].word, plain) == 0)
            return meaning_of(i, names);
    return NULL;
}

/* Insertions, deletions, substitutions and swaps of neighbours count one each. */
static guint edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    g_autofree guint *rows = g_new(guint, 3 * (n + 1)); /* row i is at (i mod 3) */
    for (size_t j = 0; j <= n; j++)
        rows[j] = (guint)j;
    for (size_t i = 1; i <= m; i++) {
        guint *row = rows + i % 3 * (n + 1);
        const guint *above = rows + (i - 1) % 3 * (n + 1);
        const guint *two_above = rows + (i + 1) % 3 * (n + 1);
        row[0] = (guint)i;
        for (size_t j = 1; j <= n; j++) {
            guint substituted = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = MIN(substituted, MIN(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = MIN(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[m % 3 * (n + 1) + n];
}

static const char *find_near(const char *name, const char *const *names)
{
    const char *best = NULL;
    guint best_distance = (guint)MAX(strlen(name), 3) / 3 + 1;
    for (; *names != NULL; names++) {
        guint distance = edit_distance(name, *names);
        if (distance < best_distance) {
            best_distance = distance;
            best = *names;
        }
    }
    return best;
}

/* The meaning of the synonym that is nearest. */
static const char *find_near_synonym(const char *plain, const char *const *names)
{
    const char *words[G_N_ELEMENTS(synonyms) + 1];
    gsize count = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(synonyms); i++)
        if (strlen(synonyms[i].word) >= LEAST_PREFIX && meaning_of(i, names) != NULL)
            words[count++] = synonyms[i].word;
    words[count] = NULL;
    const char *word = find_near(plain, words);
    return word == NULL ? NULL : find_synonym(word, names);
}

static const char *find_prefixed(const char *plain, const char *const *names)
{
    const char *found = NULL;
    if (strlen(plain) < LEAST_PREFIX)
        return NULL;
    for (; *names != NULL; names++) {
        g_autofree char *other = plain_form(*names);
        if (!g_str_has_prefix(other, plain))
            continue;
        if (found != NULL)
            return NULL;
        found = *names;
    }
    return found;
}

const char *ws_nearest_name(const char *name, const char *const *names)
{
    if (strlen(name) > LONGEST_NAME)
        return NULL;
    g_autofree char *plain = plain_form(name);
    const char *found = find_plain(plain, names);
    if (found == NULL)
        found = find_synonym(plain, names);
    if (found == NULL)
        found = find_near(name, names);
    if (found == NULL)
        found = find_prefixed(plain, names);
    return found != NULL ? found : find_near_synonym(plain, names);
}
