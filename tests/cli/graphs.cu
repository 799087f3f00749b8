/* Graphs and captures: exits with the line of the first check that fails. */
#include <cuda_runtime.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __LINE__ % 251 + 1;                                                                                 \
    } while (0)
#define GOOD(call) CHECK((call) == cudaSuccess)

__global__ void add(int *x, int by)
{
    x[threadIdx.x] += by;
}
__global__ void twice(int *x)
{
    x[threadIdx.x] *= 2;
}
static int calls;
static void called(void *data)
{
    calls += *(int *)data;
}
static int at(const int *x, int i)
{
    int value = -1;
    cudaMemcpy(&value, x + i, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

static int captured(int *x, int *y)
{
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaStreamCaptureStatus status;
    cudaGraphNode_t roots[4];
    size_t count = 0;
    int by = 10, host = 7;
    GOOD(cudaStreamCreate(&one));
    GOOD(cudaStreamCreate(&two));
    GOOD(cudaEventCreate(&fork));
    GOOD(cudaEventCreate(&join));
    GOOD(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    GOOD(cudaStreamIsCapturing(one, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    GOOD(cudaMemsetAsync(x, 0, 32 * sizeof *x, one));
    GOOD(cudaEventRecord(fork, one));
    GOOD(cudaStreamWaitEvent(two, fork));
    add<<<1, 32, 0, one>>>(x, by);
    by = 1000; /* what the graph has is the value of before */
    GOOD(cudaMemcpyAsync(y, &host, sizeof host, cudaMemcpyHostToDevice, two));
    GOOD(cudaEventRecord(join, two));
    GOOD(cudaStreamWaitEvent(one, join));
    twice<<<1, 32, 0, one>>>(x);
    GOOD(cudaLaunchHostFunc(one, called, &host));
    CHECK(at(x, 0) == 5 && calls == 0); /* nothing has run */
    GOOD(cudaStreamEndCapture(one, &graph));
    GOOD(cudaStreamIsCapturing(two, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    GOOD(cudaGraphGetNodes(graph, 0, &count));
    CHECK(count == 5);
    count = 4;
    GOOD(cudaGraphGetRootNodes(graph, roots, &count));
    CHECK(count == 1 && roots[0] && !roots[1]);
    GOOD(cudaGraphInstantiate(&run, graph, 0, 0, 0));
    GOOD(cudaGraphDestroy(graph));
    host = 3;
    GOOD(cudaGraphLaunch(run, two));
    GOOD(cudaGraphLaunch(run, two));
    CHECK(at(x, 31) == 20 && at(y, 0) == 3 && calls == 6);
    /* A launch that is captured is a child. */
    GOOD(cudaStreamBeginCapture(two, cudaStreamCaptureModeRelaxed));
    GOOD(cudaGraphLaunch(run, two));
    add<<<1, 32, 0, two>>>(x, 1);
    GOOD(cudaStreamEndCapture(two, &graph));
    GOOD(cudaGraphExecDestroy(run));
    GOOD(cudaGraphInstantiate(&run, graph));
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(at(x, 3) == 21 && calls == 9);
    GOOD(cudaGraphExecDestroy(run));
    /* What ends in an error. */
    GOOD(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    GOOD(cudaEventRecord(fork, one));
    GOOD(cudaStreamWaitEvent(two, fork));
    twice<<<1, 32, 0, two>>>(x);
    CHECK(cudaStreamEndCapture(two, &graph) == cudaErrorStreamCaptureUnmatched);
    CHECK(cudaStreamEndCapture(one, &graph) == cudaErrorStreamCaptureUnjoined && !graph);
    GOOD(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CHECK(cudaStreamSynchronize(one) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(one, &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(one, &graph) == cudaErrorInvalidValue);
    CHECK(at(x, 3) == 21);
    cudaGetLastError();
    GOOD(cudaEventDestroy(fork));
    GOOD(cudaStreamDestroy(two));
    GOOD(cudaStreamDestroy(one));
    return 0;
}

__device__ int variable[4];
__global__ void bump()
{
    variable[threadIdx.x] += 1;
}

/* Rectangles, arrays and variables are captured as well. */
static int captured_boxes()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    size_t pitch, count = 0;
    char *rows;
    int box[2][3] = {{1, 2, 3}, {4, 5, 6}}, back[2][3] = {}, bytes[2][3] = {}, four[4] = {10, 20, 30, 40}, read[4] = {};
    unsigned flags = 9;
    int priority = 9;
    cudaArray_t array;
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc<int>();
    GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    GOOD(cudaStreamGetFlags(stream, &flags));
    GOOD(cudaStreamGetPriority(stream, &priority));
    CHECK(flags == cudaStreamNonBlocking && priority == 0);
    GOOD(cudaMallocPitch(&rows, &pitch, sizeof box[0], 2));
    GOOD(cudaMallocArray(&array, &channel, 3, 2));
    GOOD(cudaMemset2D(rows, pitch, 0x11, sizeof box[0], 2));
    GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GOOD(cudaMemcpy2DAsync(rows, pitch, box, sizeof box[0], sizeof box[0], 2, cudaMemcpyHostToDevice, stream));
    GOOD(cudaMemset2DAsync(rows + 4, pitch, 0x7f, 4, 2, stream));
    GOOD(cudaMemcpy2DToArrayAsync(array, 0, 0, rows, pitch, sizeof box[0], 2, cudaMemcpyDeviceToDevice, stream));
    cudaMemcpy3DParms parameters = {};
    parameters.srcArray = array;
    parameters.dstPtr = make_cudaPitchedPtr(back, sizeof back[0], 3, 2);
    parameters.extent = make_cudaExtent(3, 2, 1);
    parameters.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3DAsync(&parameters, stream));
    GOOD(cudaMemcpyFromArrayAsync(bytes, array, 0, 0, sizeof bytes, cudaMemcpyDeviceToHost, stream));
    GOOD(cudaMemcpyToSymbolAsync(variable, four, sizeof four, 0, cudaMemcpyHostToDevice, stream));
    bump<<<1, 4, 0, stream>>>();
    GOOD(cudaMemcpyFromSymbolAsync(read, variable, 2 * sizeof *read, 2 * sizeof *read, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpy2DAsync(rows, 4, box, 12, 12, 2, cudaMemcpyHostToDevice, stream) == cudaErrorInvalidPitchValue);
    GOOD(cudaStreamEndCapture(stream, &graph));
    GOOD(cudaGraphGetNodes(graph, 0, &count));
    CHECK(count == 8 && back[0][0] == 0 && bytes[0][0] == 0 && read[0] == 0); /* nothing has run */
    GOOD(cudaMemcpy(back, rows, 4, cudaMemcpyDeviceToHost));
    CHECK(back[0][0] == 0x11111111);
    GOOD(cudaGraphInstantiate(&run, graph));
    GOOD(cudaGraphLaunch(run, stream));
    CHECK(back[0][0] == 1 && back[0][1] == 0x7f7f7f7f && back[1][2] == 6);
    CHECK(bytes[1][0] == 4 && bytes[1][1] == 0x7f7f7f7f);
    CHECK(read[0] == 31 && read[1] == 41);
    GOOD(cudaGraphExecDestroy(run));
    GOOD(cudaFreeArray(array));
    GOOD(cudaStreamDestroy(stream));
    return 0;
}

static int built(int *x, int *y)
{
    cudaGraph_t graph, other;
    cudaGraphExec_t run;
    cudaGraphNode_t first, second, fill, copy;
    int one = 1, two = 2, value = 0, *pointer = x;
    void *arguments[] = {&pointer, &one};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    cudaMemsetParams row = {};
    row.dst = x;
    row.value = 0x10203;
    row.elementSize = 4;
    row.width = 32;
    row.height = 1;
    GOOD(cudaGraphCreate(&graph, 0));
    /* The kernel is added before the node that it needs. */
    GOOD(cudaGraphAddKernelNode(&first, graph, 0, 0, &kernel));
    GOOD(cudaGraphAddMemsetNode(&fill, graph, 0, 0, &row));
    GOOD(cudaGraphAddDependencies(graph, &fill, &first, 1));
    GOOD(cudaGraphAddMemcpyNode1D(&copy, graph, &first, 1, &value, x + 5, sizeof value, cudaMemcpyDeviceToHost));
    GOOD(cudaGraphClone(&other, graph));
    GOOD(cudaGraphInstantiateWithFlags(&run, graph));
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(value == 0x10204);
    /* Other arguments, by node and by graph. */
    arguments[1] = &two;
    GOOD(cudaGraphExecKernelNodeSetParams(run, first, &kernel));
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(value == 0x10205);
    cudaGraphExecUpdateResult result;
    GOOD(cudaGraphExecUpdate(run, other, &second, &result));
    GOOD(cudaGraphLaunch(run, 0));
    CHECK(result == cudaGraphExecUpdateSuccess && value == 0x10204);
    GOOD(cudaGraphAddEmptyNode(&second, other, &first, 0));
    CHECK(cudaGraphExecUpdate(run, other, 0, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result == cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(cudaGraphAddEmptyNode(&second, other, &first, 1) == cudaErrorInvalidValue); /* of another graph */
    /* A circle cannot run. */
    GOOD(cudaGraphAddDependencies(graph, &copy, &fill, 1));
    cudaGraphExec_t none;
    CHECK(cudaGraphInstantiate(&none, graph) == cudaErrorInvalidValue);
    kernel.func = (void *)y;
    CHECK(cudaGraphAddKernelNode(&second, other, 0, 0, &kernel) == cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
    GOOD(cudaGraphExecDestroy(run));
    GOOD(cudaGraphDestroy(other));
    GOOD(cudaGraphDestroy(graph));
    return 0;
}

int main()
{
    int *x, *y, five[32];
    for (int i = 0; i < 32; i++)
        five[i] = 5;
    GOOD(cudaMalloc(&x, 32 * sizeof *x));
    GOOD(cudaMalloc(&y, 32 * sizeof *y));
    GOOD(cudaMemcpy(x, five, sizeof five, cudaMemcpyHostToDevice));
    int line = captured(x, y);
    if (!line)
        line = captured_boxes();
    return line ? line : built(x, y);
}
