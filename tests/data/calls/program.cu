/* Functions that are called: through pointers, as virtual ones, by themselves. */
#include <cstdio>
#include <cstdlib>
#include <new>

enum { N = 64, KEYS = 16 };

#define BOTH __host__ __device__

/* ---- pointers to functions ---- */

typedef float (*Function)(float);
typedef long long (*Wide)(long long, char, double);

BOTH float relu(float x) { return x > 0 ? x : 0; }
BOTH float twice(float x) { return 2 * x; }
BOTH float square(float x) { return x * x; }
BOTH long long wide(long long a, char b, double c) { return a * b + (long long)c; }
BOTH long long other(long long a, char b, double c) { return a - b * 3 - (long long)(2 * c); }

struct Layer {
    Function function;
    float scale;
};

__constant__ Function functions[3] = {relu, twice, square};
__device__ Wide wides[2] = {wide, other};
__device__ Function one = square;

__global__ void apply(float *x, Layer layer, long long *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    Function local[2] = {twice, relu};
    float v = functions[i % 3](x[i]) + layer.scale * layer.function(x[i]);
    for (int k = 0; k < i % 4; k++)
        v += local[(i + k) & 1](v);
    x[i] = v + __shfl_xor_sync(0xffffffff, v, 1);
    y[i] = wides[i & 1](i * 1000000007LL, (char)(i - 20), i * 0.5);
}

/* ---- virtual functions ---- */

struct Shape {
    float s;
    BOTH Shape(float s) : s(s) {}
    BOTH virtual float area() const = 0;
    BOTH virtual float edge() const { return -s; }
    BOTH virtual int kind() const { return 0; }
};

struct Circle : Shape {
    BOTH Circle(float r) : Shape(r) {}
    BOTH float area() const override { return 3.0f * s * s; }
    BOTH float edge() const override { return 6.0f * s; }
    BOTH int kind() const override { return 1; }
};

struct Box : Shape {
    float w;
    BOTH Box(float h, float w) : Shape(h), w(w) {}
    BOTH float area() const override { return w * s; }
    BOTH float edge() const override { return 2 * (s + w); }
};

struct Group : Shape {
    Shape *a, *b;
    BOTH Group(Shape *a, Shape *b) : Shape(0), a(a), b(b) {}
    BOTH float area() const override { return a->area() + b->area(); }
    BOTH int kind() const override { return 10 + a->kind() + 100 * b->kind(); }
};

__device__ char space[N][256];

BOTH Shape *build(char *at, int i)
{
    Circle *circle = new (at) Circle((float)i);
    Box *box = new (at + 32) Box((float)i, 2);
    switch (i % 4) {
    case 0:
        return circle;
    case 1:
        return box;
    case 2:
        return new (at + 64) Group(circle, box);
    default:
        return new (at + 64) Group(box, new (at + 128) Group(circle, circle));
    }
}

BOTH float measure(const Shape *shape, int i)
{
    float sum = 0;
    for (int k = 0; k <= i % 3; k++)
        sum += shape->area() + shape->edge();
    return sum;
}

__global__ void shapes(float *out, int *kinds)
{
    int i = threadIdx.x;
    Shape *shape = build(space[i], i);
    out[i] = measure(shape, i);
    int kind = shape->kind();
    kinds[i] = kind + (__shfl_xor_sync(0xffffffff, kind, 1) << 16);
}

/* ---- recursion ---- */

struct Node {
    Node *left, *right;
    int value;
};

BOTH int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

BOTH int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

BOTH bool odd(int n);
BOTH __attribute__((noinline)) bool even(int n) { return n == 0 || odd(n - 1); }
BOTH __attribute__((noinline)) bool odd(int n) { return n != 0 && even(n - 1); }

BOTH void sort(int *a, int l, int r)
{
    int i = l, j = r, pivot = a[(l + r) / 2], local[4];
    for (int k = 0; k < 4; k++)
        local[k] = l + k;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    if (l < j)
        sort(a, l, j);
    if (local[(l + r) & 3] != l + ((l + r) & 3))
        a[0] = 999;
    if (i < r)
        sort(a, i, r);
}

BOTH int total(const Node *node)
{
    return node == nullptr ? 0 : node->value + total(node->left) + total(node->right);
}

BOTH double horner(const double *c, int n, double x)
{
    return n == 0 ? c[0] : c[n] + x * horner(c, n - 1, x);
}

typedef int (*Again)(int, const void *);
BOTH int down(int n, const void *self) { return n <= 0 ? 1 : n + (*(Again *)self)(n - 2, self); }

__device__ Again again = down;

__global__ void rings(int *out, int *keys, const Node *nodes, const double *c, double *values)
{
    int t = threadIdx.x;
    out[4 * t] = t < 10 ? fibonacci(t) : again(t, &again);
    out[4 * t + 1] = t % 3 == 1 ? ackermann(2, t % 5) : -1;
    out[4 * t + 2] = even(t) * 2 + odd(t);
    out[4 * t + 3] = total(nodes + t);
    __syncthreads(); /* lanes have met behind the calls */
    sort(keys + t * KEYS, 0, KEYS - 1);
    values[t] = horner(c, t % 7, 1.5);
}

/* ---- the host, which has the same functions ---- */

static int bad;

template <typename T> static void compare(const char *what, const T *got, const T *want, int n)
{
    for (int i = 0; i < n; i++)
        if (got[i] != want[i] && bad++ < 5)
            printf("%s %d differs\n", what, i);
}

template <typename T> static T *unified(int n)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    return p;
}

static void try_apply(void)
{
    static float before[N], partner[N], want[N];
    static long long wants[N];
    static const Function table[3] = {relu, twice, square}, local[2] = {twice, relu};
    float *x = unified<float>(N);
    long long *y = unified<long long>(N);
    Layer layer = {nullptr, 0.5f};
    cudaMemcpyFromSymbol(&layer.function, one, sizeof layer.function);
    for (int i = 0; i < N; i++)
        x[i] = before[i] = (float)(i % 9 - 4);
    apply<<<2, N / 2>>>(x, layer, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        float v = table[i % 3](before[i]) + 0.5f * square(before[i]);
        for (int k = 0; k < i % 4; k++)
            v += local[(i + k) & 1](v);
        partner[i] = v;
        wants[i] = (i & 1 ? other : wide)(i * 1000000007LL, (char)(i - 20), i * 0.5);
    }
    for (int i = 0; i < N; i++)
        want[i] = partner[i] + partner[i ^ 1];
    compare("apply", x, want, N);
    compare("wide", y, wants, N);
}

static void try_shapes(void)
{
    static float want[N];
    static int kind[N], wants[N];
    static char memory[N][256];
    float *out = unified<float>(N);
    int *kinds = unified<int>(N);
    shapes<<<1, N>>>(out, kinds);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        Shape *shape = build(memory[i], i);
        want[i] = measure(shape, i);
        kind[i] = shape->kind();
    }
    for (int i = 0; i < N; i++)
        wants[i] = kind[i] + (kind[i ^ 1] << 16);
    compare("area", out, want, N);
    compare("kind", kinds, wants, N);
}

static int compare_keys(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void try_rings(void)
{
    static int want[4 * N], sorted[KEYS * N];
    static double wants[N];
    const Again self = down;
    int *out = unified<int>(4 * N), *keys = unified<int>(KEYS * N);
    Node *nodes = unified<Node>(N);
    double *c = unified<double>(7), *values = unified<double>(N);
    for (int i = 0; i < KEYS * N; i++)
        sorted[i] = keys[i] = (int)(i * 7919u % 101);
    for (int i = 0; i < N; i++)
        nodes[i] = {2 * i + 1 < N ? nodes + 2 * i + 1 : nullptr,
                    2 * i + 2 < N ? nodes + 2 * i + 2 : nullptr, i + 1};
    for (int i = 0; i < 7; i++)
        c[i] = i + 0.25;
    for (int t = 0; t < N; t++) {
        want[4 * t] = t < 10 ? fibonacci(t) : down(t, &self);
        want[4 * t + 1] = t % 3 == 1 ? ackermann(2, t % 5) : -1;
        want[4 * t + 2] = t % 2 ? 1 : 2;
        want[4 * t + 3] = total(nodes + t);
        qsort(sorted + KEYS * t, KEYS, sizeof(int), compare_keys);
        wants[t] = c[0];
        for (int i = 1; i <= t % 7; i++)
            wants[t] = c[i] + 1.5 * wants[t];
    }
    cudaDeviceSetLimit(cudaLimitStackSize, 4096);
    rings<<<1, N>>>(out, keys, nodes, c, values);
    cudaDeviceSynchronize();
    compare("ring", out, want, 4 * N);
    compare("key", keys, sorted, KEYS * N);
    compare("value", values, wants, N);
}

int main(void)
{
    try_apply();
    try_shapes();
    try_rings();
    printf("%s, %d differ\n", cudaGetErrorString(cudaGetLastError()), bad);
    return bad != 0;
}
