/* Conditional nodes of graphs: exits with the line of the first check that fails. */
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000 /* nvcc's */
#define UNTIL_12(now, before) now
#else
#define UNTIL_12(now, before) before
#endif

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __LINE__ % 251 + 1;                                                                                 \
    } while (0)
#define GOOD(call) CHECK((call) == cudaSuccess)

__global__ void add(int *x, int by)
{
    *x += by;
}
/* The first condition is how many are left. */
__global__ void count(int *x, cudaGraphConditionalHandle left, unsigned to)
{
    *x += 1;
    cudaGraphSetConditional(left, to - *x % to == to ? 0 : to - *x % to);
}
__global__ void set(cudaGraphConditionalHandle handle, const int *value)
{
    cudaGraphSetConditional(handle, *value);
}
static int at(const int *x)
{
    int value = -1;
    cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}
static int put(int *x, int value)
{
    return cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice);
}
static cudaGraphNodeParams kernel(const void *function, void **arguments)
{
    cudaGraphNodeParams made = {cudaGraphNodeTypeKernel};
    made.kernel.func = (void *)function;
    made.kernel.gridDim = made.kernel.blockDim = dim3(1);
    made.kernel.kernelParams = arguments;
    return made;
}
static cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraphNodeParams made = {cudaGraphNodeTypeConditional};
    made.conditional.handle = handle;
    made.conditional.type = type;
    made.conditional.size = size;
    return made;
}

/* set -> SWITCH { +1, +10, +100 } or IF { +1 } else { +10 }: which body runs for each value. */
static int bodies(int *x, int *value, cudaGraphConditionalNodeType type, int size, const int (&want)[5])
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphNode_t first, node, inner;
    cudaGraphConditionalHandle handle;
    int by = 1;
    void *of_set[] = {&handle, &value}, *of_add[] = {&x, &by};
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphConditionalHandleCreate(&handle, graph));
    cudaGraphNodeParams one = kernel((void *)set, of_set), two = conditional(handle, type, size), add_one = kernel((void *)add, of_add);
    GOOD(UNTIL_12(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &one), cudaGraphAddNode(&first, graph, nullptr, 0, &one)));
    GOOD(cudaGraphAddNode(&node, graph, &first, nullptr, 1, &two));
    for (int i = 0; i < size; i++, by *= 10)
        GOOD(cudaGraphAddNode(&inner, two.conditional.phGraph_out[i], 0, 0, 0, &add_one));
    cudaGraphNodeType what;
    GOOD(cudaGraphNodeGetType(node, &what));
    CHECK(what == cudaGraphNodeTypeConditional);
    GOOD(cudaGraphInstantiate(&run, graph));
    GOOD(cudaGraphDestroy(graph)); /* the handle stays with what can be launched */
    for (int i = 0; i < 5; i++) {
        GOOD(put(x, 0));
        GOOD(put(value, i));
        GOOD(cudaGraphLaunch(run, 0));
        CHECK(at(x) == want[i]);
    }
    GOOD(cudaGraphExecDestroy(run));
    return 0;
}

/* WHILE { count to 3, IF (never set: its default) { +100 } } within WHILE { count to 2 }. */
static int nested(int *x, int *y)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphNode_t node, outer_count, inner_loop, branch, inner_count, leaf;
    cudaGraphConditionalHandle outer, inner, always;
    unsigned two = 2, three = 3;
    int hundred = 100;
    void *of_outer[] = {&y, &outer, &two}, *of_inner[] = {&x, &inner, &three}, *of_add[] = {&x, &hundred};
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
    GOOD(cudaGraphConditionalHandleCreate(&inner, graph, 7, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = conditional(outer, cudaGraphCondTypeWhile, 1);
    GOOD(cudaGraphAddNode(&node, graph, 0, 0, 0, &loop));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    cudaGraphNodeParams again = conditional(inner, cudaGraphCondTypeWhile, 1), step = kernel((void *)count, of_outer);
    GOOD(cudaGraphAddNode(&inner_loop, body, 0, 0, 0, &again)); /* its handle is of the graph around it */
    GOOD(cudaGraphAddNode(&outer_count, body, &inner_loop, 0, 1, &step));
    body = again.conditional.phGraph_out[0];
    GOOD(cudaGraphConditionalHandleCreate(&always, body, 5, cudaGraphCondAssignDefault));
    cudaGraphNodeParams if_it = conditional(always, cudaGraphCondTypeIf, 1), one = kernel((void *)count, of_inner), leaf_add = kernel((void *)add, of_add);
    GOOD(cudaGraphAddNode(&branch, body, 0, 0, 0, &if_it));
    GOOD(cudaGraphAddNode(&leaf, if_it.conditional.phGraph_out[0], 0, 0, 0, &leaf_add));
    GOOD(cudaGraphAddNode(&inner_count, body, &branch, 0, 1, &one));
    GOOD(cudaGraphInstantiate(&run, graph));
    GOOD(put(x, 0));
    GOOD(put(y, 0));
    GOOD(cudaGraphLaunch(run, 0));
    /* The inner loop counts 101, 202, 303; in the second turn of the outer one its condition is still 0. */
    CHECK(at(x) == 303 && at(y) == 2);
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(at(x) == 606 && at(y) == 4);
    /* Nodes of bodies are changed in what can be launched, and in the graph. */
    hundred = 400;
    GOOD(cudaGraphExecNodeSetParams(run, leaf, &leaf_add));
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(at(x) == 606 + 3 * 401);
    GOOD(cudaGraphNodeSetParams(leaf, &leaf_add));
    CHECK(cudaGraphNodeSetParams(branch, &if_it) == cudaErrorNotSupported);
    CHECK(cudaGraphNodeSetParams(branch, &leaf_add) == cudaErrorInvalidValue);
    cudaGraphExecUpdateResultInfo result;
    GOOD(cudaGraphExecUpdate(run, graph, &result));
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(at(x) == 606 + 6 * 401);
    GOOD(cudaGraphAddEmptyNode(&leaf, if_it.conditional.phGraph_out[0], 0, 0));
    CHECK(cudaGraphExecUpdate(run, graph, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();
    GOOD(cudaGraphExecDestroy(run));
    GOOD(cudaGraphDestroy(graph));
    return 0;
}

/* A loop in the middle of a captured stream, whose body is captured as well. */
static int captured(int *x)
{
    cudaStream_t stream, inside;
    cudaGraph_t graph, same;
    cudaGraphExec_t run;
    cudaGraphNode_t node;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *after;
    cudaGraphConditionalHandle handle;
    unsigned long long id = 0, other = 0;
    size_t number = 9;
    GOOD(cudaStreamCreate(&stream));
    GOOD(cudaStreamCreate(&inside));
    GOOD(cudaStreamGetCaptureInfo(stream, &status, &id));
    CHECK(status == cudaStreamCaptureStatusNone && id == 0);
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, 0) == cudaErrorIllegalState);
    GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GOOD(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &after, nullptr, &number));
    CHECK(status == cudaStreamCaptureStatusActive && id != 0 && number == 0);
    GOOD(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    add<<<1, 1, 0, stream>>>(x, 2);
    GOOD(UNTIL_12(cudaStreamGetCaptureInfo(stream, &status, &other, &same, &after, nullptr, &number),
                  cudaStreamGetCaptureInfo(stream, &status, &other, &same, &after, &number)));
    CHECK(other == id && same == graph && number == 1);
    cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile, 1);
    GOOD(cudaGraphAddNode(&node, graph, after, 0, number, &loop));
    GOOD(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, stream>>>(x, 1000);
    GOOD(cudaStreamEndCapture(stream, &graph));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    GOOD(cudaStreamBeginCaptureToGraph(inside, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, inside>>>(x, 10);
    count<<<1, 1, 0, inside>>>(x, handle, 7);
    GOOD(cudaStreamEndCapture(inside, nullptr));
    GOOD(cudaGraphGetNodes(body, 0, &number));
    CHECK(number == 2);
    GOOD(cudaGraphInstantiate(&run, graph));
    GOOD(put(x, 0));
    GOOD(cudaGraphLaunch(run, stream));
    CHECK(at(x) == 1000 + 35); /* 2, 13, 24, 35 */
    /* A second capture goes behind a node that is there. */
    cudaGraphNode_t nodes[2];
    number = 2;
    GOOD(cudaGraphGetNodes(body, nodes, &number));
    GOOD(cudaStreamBeginCaptureToGraph(inside, body, nodes, nullptr, 1, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, inside>>>(x, 4);
    GOOD(cudaStreamEndCapture(inside, nullptr));
    CHECK(cudaStreamBeginCaptureToGraph(inside, body, &node, nullptr, 1, cudaStreamCaptureModeRelaxed) == cudaErrorInvalidValue);
    CHECK(cudaStreamBeginCaptureToGraph(inside, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed) == cudaErrorInvalidValue);
    cudaGraphExec_t longer;
    GOOD(cudaGraphInstantiate(&longer, graph));
    GOOD(put(x, 0));
    GOOD(cudaGraphLaunch(longer, stream));
    CHECK(at(x) == 1000 + 32); /* 2, 13 and 17, 28 and 32 */
    /* What can be launched with a condition is no child. */
    GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaGraphLaunch(run, stream) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(stream, &same) == cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    GOOD(cudaGraphExecDestroy(longer));
    GOOD(cudaGraphExecDestroy(run));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaStreamDestroy(inside));
    GOOD(cudaStreamDestroy(stream));
    return 0;
}

static void called(void *)
{
}

static int refused(int *x)
{
    cudaGraph_t graph, other;
    cudaGraphExec_t run;
    cudaGraphNode_t node, inner;
    cudaGraphConditionalHandle handle, foreign;
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphCreate(&other, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2) == cudaErrorInvalidValue);
    CHECK(cudaGraphConditionalHandleCreate(0, graph) == cudaErrorInvalidValue);
    CHECK(cudaGraphConditionalHandleCreate(&handle, 0) == cudaErrorInvalidValue);
    GOOD(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    GOOD(cudaGraphConditionalHandleCreate(&foreign, other));
    CHECK(cudaFree((void *)handle) == cudaErrorInvalidValue);
    /* A handle without a node. */
    cudaGraphInstantiateParams how = {};
    CHECK(cudaGraphInstantiateWithParams(&run, graph, &how) == cudaErrorInvalidValue);
    CHECK(how.result_out == cudaGraphInstantiateConditionalHandleUnused && !how.errNode_out);
    const struct {
        cudaGraphConditionalHandle handle;
        cudaGraphConditionalNodeType type;
        unsigned size;
    } wrong[] = {{handle, cudaGraphCondTypeIf, 0},     {handle, cudaGraphCondTypeIf, 3},  {handle, cudaGraphCondTypeWhile, 2},
                 {handle, cudaGraphCondTypeSwitch, 0}, {foreign, cudaGraphCondTypeIf, 1}, {handle, (cudaGraphConditionalNodeType)3, 1}};
    for (auto &one : wrong) {
        cudaGraphNodeParams node_of = conditional(one.handle, one.type, one.size);
        CHECK(cudaGraphAddNode(&node, graph, 0, 0, 0, &node_of) == cudaErrorInvalidValue);
    }
    cudaGraphNodeParams loop = conditional(handle, cudaGraphCondTypeWhile, 1);
    GOOD(cudaGraphAddNode(&node, graph, 0, 0, 0, &loop));
    CHECK(cudaGraphAddNode(&node, graph, 0, 0, 0, &loop) == cudaErrorInvalidValue); /* one node a handle */
    /* What has conditions is not copied; a body is its node's. */
    cudaGraph_t copy, body = loop.conditional.phGraph_out[0];
    CHECK(cudaGraphClone(&copy, graph) == cudaErrorNotSupported);
    CHECK(cudaGraphAddChildGraphNode(&inner, other, 0, 0, graph) == cudaErrorNotSupported);
    CHECK(cudaGraphDestroy(body) == cudaErrorInvalidValue);
    CHECK(cudaGraphInstantiate(&run, body) == cudaErrorNotSupported);
    /* A loop that nothing ends. */
    GOOD(cudaGraphInstantiate(&run, graph));
    CHECK(cudaGraphLaunch(run, 0) == cudaErrorLaunchTimeout);
    GOOD(cudaGraphExecDestroy(run));
    /* Host functions are not for bodies. */
    cudaHostNodeParams host = {called, x};
    GOOD(cudaGraphAddHostNode(&inner, body, 0, 0, &host));
    CHECK(cudaGraphInstantiateWithParams(&run, graph, &how) == cudaErrorInvalidValue && how.errNode_out == inner);
    CHECK(how.result_out == cudaGraphInstantiateNodeOperationNotSupported);
    cudaGraphNodeParams event = {cudaGraphNodeTypeEventRecord};
    CHECK(cudaGraphAddNode(&inner, graph, 0, 0, 0, &event) == cudaErrorNotSupported);
    cudaGraphNodeParams without = kernel((void *)add, nullptr);
    CHECK(cudaGraphAddNode(&inner, graph, 0, 0, 0, &without) == cudaErrorInvalidValue);
    cudaGetLastError();
    GOOD(cudaGraphDestroy(other));
    GOOD(cudaGraphDestroy(graph));
    return 0;
}

int main()
{
    int *x, *y, line;
    GOOD(cudaMalloc(&x, sizeof *x));
    GOOD(cudaMalloc(&y, sizeof *y));
    if ((line = bodies(x, y, cudaGraphCondTypeSwitch, 3, {1, 10, 100, 0, 0})))
        return line;
    if ((line = bodies(x, y, cudaGraphCondTypeIf, 2, {10, 1, 1, 1, 1})))
        return line;
    if ((line = bodies(x, y, cudaGraphCondTypeIf, 1, {0, 1, 1, 1, 1})))
        return line;
    if ((line = nested(x, y)) || (line = captured(x)))
        return line;
    return refused(x);
}
