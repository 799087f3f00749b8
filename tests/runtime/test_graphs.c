/*
 * Graphs through the runtime's functions: which nodes run, in which order, and how often. The
 * kernels are PTX of their own.
 */
#include <stddef.h>

#include "isa/cuda/include/warpstep/graph_types.h"

typedef struct {
    unsigned x, y, z;
} dim3;
#include "isa/cuda/include/warpstep/graph_node_types.h"
#include "tests/support/suite.h"

/* CUDA's struct cudaKernelNodeParams, without the C++ of dim3. */
struct cudaKernelNodeParams {
    const void *function;
    dim3 grid, block;
    unsigned shared;
    void **arguments, **extra;
};

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                            int limit, void *a, void *b, void *c, void *d, int *e);
void __cudaRegisterVar(void **handle, const void *host, const char *device, const char *name,
                       int is_extern, size_t size, int is_constant, int is_global);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaMalloc(void **ret, size_t size);
cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaGetSymbolAddress(void **ret, const void *symbol);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGraphCreate(cudaGraph_t *ret, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *ret, cudaGraph_t graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *ret, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *ret, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, struct cudaGraphNodeParams *parameters);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *ret);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *ret, cudaGraph_t graph,
                                             unsigned value, unsigned flags);

/* add(int *p, int n): *p += n. mul: *p *= n. count(int *p, word): word = --*p. */
static const char ptx[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .u32 low;\n.global .align 4 .u32 high;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nld.global.u32 %r1, [%rd1];\n"
    "add.s32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\nret;\n}\n"
    ".visible .entry mul(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\nld.global.u32 %r1, [%rd1];\n"
    "mul.lo.s32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\nret;\n}\n"
    ".visible .entry count(.param .u64 p, .param .u64 word)\n{\n"
    ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [word];\nld.global.u32 %r1, [%rd1];\n"
    "sub.s32 %r3, %r1, 1;\nst.global.u32 [%rd1], %r3;\nst.global.u32 [%rd2], %r3;\n"
    "ret;\n}\n";

static const struct {
    int magic, version;
    const void *data;
    void *unused;
} wrapper = {0x466243b1, 1, ptx, NULL};

static char add, mul, count_down, low, high;
static int *device;
static cudaGraph_t graph;

#define IS(call, error) ck_assert_str_eq(cudaGetErrorName(call), #error)
#define OK(call)        IS(call, cudaSuccess)

static void set_up(void)
{
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &add, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &mul, "mul", "mul", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &count_down, "count", "count", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &high, "high", "high", 0, 4, 0, 0);
    __cudaRegisterVar(handle, &low, "low", "low", 0, 4, 0, 0);
    OK(cudaMalloc((void **)&device, sizeof(int)));
    OK(cudaGraphCreate(&graph, 0));
}

static void tear_down(void)
{
    cudaGraphDestroy(graph);
    cudaDeviceReset();
}

static cudaGraphNode_t set(cudaGraph_t into, const cudaGraphNode_t *after, unsigned value)
{
    const struct cudaMemsetParams parameters = {
        .dst = device, .value = value, .elementSize = 4, .width = 1, .height = 1};
    cudaGraphNode_t node;
    OK(cudaGraphAddMemsetNode(&node, into, after, after != NULL, &parameters));
    return node;
}

static struct cudaKernelNodeParams kernel(const void *function, void **arguments)
{
    return (struct cudaKernelNodeParams){
        .function = function, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = arguments};
}

static cudaGraphNode_t compute(cudaGraph_t into, const cudaGraphNode_t *after, const void *function,
                               int n)
{
    void *arguments[] = {&device, &n};
    const struct cudaKernelNodeParams parameters = kernel(function, arguments);
    cudaGraphNode_t node;
    OK(cudaGraphAddKernelNode(&node, into, after, after != NULL, &parameters));
    return node;
}

static int launch(cudaGraphExec_t exec)
{
    int value;
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static int run(cudaGraph_t of)
{
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, of, 0));
    const int value = launch(exec);
    OK(cudaGraphExecDestroy(exec));
    return value;
}

/* By what they depend on, not by when they were made. */
START_TEST(nodes_run_behind_those_they_need)
{
    const cudaGraphNode_t product = compute(graph, NULL, &mul, 10);
    const cudaGraphNode_t sum = compute(graph, NULL, &add, 2), first = set(graph, NULL, 5);
    const cudaGraphNode_t from[] = {first, sum}, to[] = {sum, product};
    OK(cudaGraphAddDependencies(graph, from, to, 2));
    ck_assert_int_eq(run(graph), 70);
    ck_assert_int_eq(run(graph), 70);
}
END_TEST

static void append(void *data)
{
    ++*(int *)data;
}

START_TEST(copies_and_host_nodes)
{
    int there = 0, calls = 0;
    const cudaGraphNode_t first = set(graph, NULL, 7), sum = compute(graph, &first, &add, 1);
    cudaGraphNode_t copy, host;
    const struct cudaHostNodeParams parameters = {append, &calls};
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &sum, 1, &there, device, sizeof there,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &parameters));
    run(graph);
    run(graph);
    ck_assert_int_eq(there, 8);
    ck_assert_int_eq(calls, 2);
}
END_TEST

START_TEST(nodes_are_listed)
{
    static const enum cudaGraphNodeType types[] = {cudaGraphNodeTypeMemset, cudaGraphNodeTypeKernel,
                                                   cudaGraphNodeTypeEmpty};
    const cudaGraphNode_t first = set(graph, NULL, 7), sum = compute(graph, &first, &add, 1);
    cudaGraphNode_t empty, nodes[4] = {NULL};
    size_t count = 0;
    OK(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
    OK(cudaGraphGetNodes(graph, NULL, &count));
    ck_assert_uint_eq(count, 3);
    count = 4;
    OK(cudaGraphGetNodes(graph, nodes, &count));
    ck_assert_uint_eq(count, 3);
    for (int i = 0; i < 3; i++) {
        enum cudaGraphNodeType type;
        OK(cudaGraphNodeGetType(nodes[i], &type));
        ck_assert_int_eq(type, types[i]);
    }
    ck_assert(nodes[0] == first && nodes[1] == sum && nodes[2] == empty);
    OK(cudaGraphGetRootNodes(graph, NULL, &count));
    ck_assert_uint_eq(count, 2);
    OK(cudaGraphGetRootNodes(graph, nodes, &count));
    ck_assert(nodes[0] == first && nodes[1] == empty);
}
END_TEST

START_TEST(what_is_no_graph_or_node)
{
    const cudaGraphNode_t first = set(graph, NULL, 7), sum = compute(graph, &first, &add, 1);
    cudaGraph_t other, none;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&other, 0));
    IS(cudaGraphCreate(NULL, 0), cudaErrorInvalidValue);
    IS(cudaGraphCreate(&none, 1), cudaErrorInvalidValue);
    IS(cudaGraphAddEmptyNode(&node, NULL, NULL, 0), cudaErrorInvalidValue);
    IS(cudaGraphAddEmptyNode(&node, other, &first, 1), cudaErrorInvalidValue);
    IS(cudaGraphAddEmptyNode(&node, graph, NULL, 1), cudaErrorInvalidValue);
    IS(cudaGraphAddDependencies(other, &first, &sum, 1), cudaErrorInvalidValue);
    OK(cudaGraphAddDependencies(graph, &sum, &first, 1)); /* a circle */
    ck_assert_int_ne(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    OK(cudaGraphDestroy(other));
}
END_TEST

/* A child graph and a clone are as the graph was then. */
START_TEST(graphs_are_copied)
{
    cudaGraph_t child, clone;
    cudaGraphNode_t node;
    OK(cudaGraphCreate(&child, 0));
    const cudaGraphNode_t first = set(graph, NULL, 1), sum = compute(child, NULL, &add, 4);
    OK(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child));
    compute(graph, &node, &mul, 3);
    OK(cudaGraphClone(&clone, graph));
    compute(child, &sum, &mul, 100);
    set(graph, NULL, 50);
    ck_assert_int_eq(run(clone), 15);
    OK(cudaGraphDestroy(child));
    ck_assert_int_eq(run(clone), 15);
    OK(cudaGraphDestroy(clone));
}
END_TEST

/* An instance keeps what it was made with until it is updated. */
START_TEST(instances_are_updated)
{
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExec_t exec;
    int seven = 7;
    void *arguments[] = {&device, &seven};
    const struct cudaKernelNodeParams parameters = kernel(&add, arguments);
    const cudaGraphNode_t first = set(graph, NULL, 1), sum = compute(graph, &first, &add, 4);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphKernelNodeSetParams(sum, &parameters));
    ck_assert_int_eq(launch(exec), 5);
    OK(cudaGraphExecUpdate(exec, graph, &info));
    ck_assert_int_eq(info.result, cudaGraphExecUpdateSuccess);
    ck_assert_int_eq(launch(exec), 8);
    compute(graph, &sum, &add, 1);
    IS(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
    ck_assert_int_eq(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    ck_assert_int_eq(launch(exec), 8);
    OK(cudaGraphExecDestroy(exec));
}
END_TEST

/* ---- conditions ---- */

static const struct {
    enum cudaGraphConditionalNodeType type;
    unsigned size;
    int good;
} sizes[] = {
    {cudaGraphCondTypeIf, 0, 0},
    {cudaGraphCondTypeIf, 1, 1},
    {cudaGraphCondTypeIf, 2, 1},
    {cudaGraphCondTypeIf, 3, 0},
    {cudaGraphCondTypeWhile, 0, 0},
    {cudaGraphCondTypeWhile, 1, 1},
    {cudaGraphCondTypeWhile, 2, 0},
    {cudaGraphCondTypeSwitch, 0, 0},
    {cudaGraphCondTypeSwitch, 1, 1},
    {cudaGraphCondTypeSwitch, 5, 1},
    {7, 1, 0},
};

static cudaGraphNode_t conditional(const cudaGraphNode_t *after, cudaGraphConditionalHandle handle,
                                   enum cudaGraphConditionalNodeType type, unsigned size,
                                   cudaGraph_t *bodies)
{
    struct cudaGraphNodeParams parameters = {.type = cudaGraphNodeTypeConditional};
    cudaGraphNode_t node;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    if (cudaGraphAddNode(&node, graph, after, after != NULL, &parameters) != cudaSuccess)
        return NULL;
    for (unsigned i = 0; i < size; i++)
        bodies[i] = parameters.conditional.phGraph_out[i];
    return node;
}

START_TEST(numbers_of_bodies)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cudaGraphConditionalHandle handle;
        cudaGraph_t bodies[5];
        OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
        const cudaGraphNode_t node =
            conditional(NULL, handle, sizes[i].type, sizes[i].size, bodies);
        ck_assert_msg((node != NULL) == sizes[i].good, "row %zu", i);
        /* A condition has one node. */
        ck_assert(node == NULL ||
                  conditional(NULL, handle, cudaGraphCondTypeIf, 1, bodies) == NULL);
    }
    cudaGraphConditionalHandle handle;
    IS(cudaGraphConditionalHandleCreate(NULL, graph, 0, 0), cudaErrorInvalidValue);
    IS(cudaGraphConditionalHandleCreate(&handle, NULL, 0, 0), cudaErrorInvalidValue);
    IS(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2), cudaErrorInvalidValue);
}
END_TEST

/* Body i adds 10^i to 1; the condition has its value at the beginning of each launch. */
static const struct {
    enum cudaGraphConditionalNodeType type;
    unsigned size, value;
    int sum;
} choices[] = {
    {cudaGraphCondTypeIf, 1, 0, 1},      {cudaGraphCondTypeIf, 1, 1, 2},
    {cudaGraphCondTypeIf, 1, 9, 2},      {cudaGraphCondTypeIf, 2, 0, 11},
    {cudaGraphCondTypeIf, 2, 1, 2},      {cudaGraphCondTypeSwitch, 3, 0, 2},
    {cudaGraphCondTypeSwitch, 3, 1, 11}, {cudaGraphCondTypeSwitch, 3, 2, 101},
    {cudaGraphCondTypeSwitch, 3, 3, 1},  {cudaGraphCondTypeWhile, 1, 0, 1},
};

START_TEST(bodies_are_chosen)
{
    cudaGraphConditionalHandle handle;
    cudaGraph_t bodies[3];
    cudaGraphExec_t exec;
    OK(cudaGraphConditionalHandleCreate(&handle, graph, choices[_i].value,
                                        cudaGraphCondAssignDefault));
    const cudaGraphNode_t first = set(graph, NULL, 1);
    ck_assert_ptr_nonnull(conditional(&first, handle, choices[_i].type, choices[_i].size, bodies));
    for (unsigned i = 0, n = 1; i < choices[_i].size; i++, n *= 10)
        compute(bodies[i], NULL, &add, (int)n);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    ck_assert_int_eq(launch(exec), choices[_i].sum);
    ck_assert_int_eq(launch(exec), choices[_i].sum);
    OK(cudaGraphExecDestroy(exec));
}
END_TEST

/* A kernel of the body sets the word; without a default the next launch finds it as it was left. */
START_TEST(rounds_of_a_loop)
{
    for (unsigned flags = 0; flags <= cudaGraphCondAssignDefault; flags++) {
        cudaGraphConditionalHandle handle;
        cudaGraph_t body = NULL;
        cudaGraphExec_t exec;
        cudaGraph_t whole = graph;
        OK(cudaGraphCreate(&graph, 0));
        OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, flags));
        const cudaGraphNode_t first = set(graph, NULL, 4);
        const cudaGraphNode_t loop = conditional(&first, handle, cudaGraphCondTypeWhile, 1, &body);
        void *arguments[] = {&device, &handle};
        const struct cudaKernelNodeParams parameters = kernel(&count_down, arguments);
        cudaGraphNode_t node;
        OK(cudaGraphAddKernelNode(&node, body, NULL, 0, &parameters));
        compute(graph, &loop, &add, 100);
        OK(cudaGraphInstantiate(&exec, graph, 0));
        const int word = flags == 0 ? 0 : 1;
        if (flags == 0) { /* its word has no value yet */
            const int one = 1;
            OK(cudaMemcpy((void *)(size_t)handle, &one, sizeof one, cudaMemcpyHostToDevice));
        }
        ck_assert_int_eq(launch(exec), 100);
        ck_assert_int_eq(launch(exec), word != 0 ? 100 : 104);
        OK(cudaGraphExecDestroy(exec));
        OK(cudaGraphDestroy(graph));
        graph = whole;
    }
}
END_TEST

/* Variables that lie side by side are two, also where the later one is asked for first. */
START_TEST(neighbouring_variables)
{
    const int one = 1, two = 2;
    int *at_low, *at_high, value;
    OK(cudaGetSymbolAddress((void **)&at_high, &high));
    OK(cudaGetSymbolAddress((void **)&at_low, &low));
    ck_assert_ptr_eq(at_high, at_low + 1);
    OK(cudaMemcpy(at_low, &one, sizeof one, cudaMemcpyDefault));
    OK(cudaMemcpy(at_high, &two, sizeof two, cudaMemcpyDefault));
    OK(cudaMemcpy(&value, at_low, sizeof value, cudaMemcpyDefault));
    ck_assert_int_eq(value, 1);
    OK(cudaMemcpy(&value, at_high, sizeof value, cudaMemcpyDefault));
    ck_assert_int_eq(value, 2);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, nodes_run_behind_those_they_need);
    tcase_add_test(cases, copies_and_host_nodes);
    tcase_add_test(cases, nodes_are_listed);
    tcase_add_test(cases, what_is_no_graph_or_node);
    tcase_add_test(cases, graphs_are_copied);
    tcase_add_test(cases, instances_are_updated);
    tcase_add_test(cases, numbers_of_bodies);
    tcase_add_loop_test(cases, bodies_are_chosen, 0, sizeof choices / sizeof *choices);
    tcase_add_test(cases, rounds_of_a_loop);
    tcase_add_test(cases, neighbouring_variables);
}

int main(void)
{
    return run_suite("graphs", add_tests);
}
