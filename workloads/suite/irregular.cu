// Kernels whose addresses come from memory: where the next load goes is known when the last one has come back.

// Rows of a sparse matrix, and edges of a graph, lie one after the other (CSR). Row i begins `degree` * i + shift[i]
// entries from the start, with shifts from 0 to `degree` - 1: a row has 1 to 2 * `degree` - 1 entries.
__device__ int start_of(const int *shift, int row, int degree)
{
    return row * degree + shift[row];
}

// y = A x, a row a thread.
__global__ void spmv(float *y, const float *values, const int *columns, const int *shift, const float *x, int rows,
                     int degree)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start_of(shift, row, degree); k < start_of(shift, row + 1, degree); k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

// From the last entry to the first, in double precision.
__global__ void spmv_reference(float *y, const float *values, const int *columns, const int *shift, const float *x,
                               int rows, int degree)
{
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        double sum = 0;
        for (int k = start_of(shift, row + 1, degree) - 1; k >= start_of(shift, row, degree); k--)
            sum += (double)values[k] * x[columns[k]];
        y[row] = sum;
    }
}

// One step of a breadth-first search: neighbours of the nodes of this level that are not reached yet, of level 0,
// come to the next level.
__global__ void bfs(int *next, const int *level, const int *neighbours, const int *shift, int nodes, int degree,
                    int current)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != current)
        return;
    for (int k = start_of(shift, node, degree); k < start_of(shift, node + 1, degree); k++) {
        int other = neighbours[k];
        if (level[other] == 0)
            atomicMax(&next[other], current + 1);
    }
}

// Over all edges, whatever node they come from: an edge's node is that whose row it lies in.
__global__ void bfs_reference(int *next, const int *level, const int *neighbours, const int *shift, int nodes,
                              int degree, int current)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < nodes * degree; k += gridDim.x * blockDim.x) {
        int node = k / degree;
        if (k < start_of(shift, node, degree))
            node--;
        if (node >= 0 && level[node] == current && level[neighbours[k]] == 0)
            next[neighbours[k]] = current + 1;
    }
}

// A thread follows a list for `steps` elements and adds their numbers. The low bits of `next` are the place of the
// next element, of as many as a power of two.
__global__ void list(unsigned *sums, const unsigned *next, const unsigned *numbers, int elements, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned place = i & (elements - 1), sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += numbers[place];
        place = next[place] & (elements - 1);
    }
    sums[i] = sum;
}

// The elements follow each other as the linear congruential generator says that `next` is filled by; the number of
// element i is 7 i.
__global__ void list_reference(unsigned *sums, const unsigned *next, const unsigned *numbers, int elements, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned place = i & (elements - 1), sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += 7 * place;
        place = (1664525 * place + 1013904223) & (elements - 1);
    }
    sums[i] = sum;
}

// Where each key is in a sorted table, or -1: each step of the search is a load whose place the last one says.
__global__ void binary_search(int *where, const unsigned *keys, const unsigned *table, int n, int entries)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned key = keys[i];
        int low = 0, high = entries - 1, found = -1;
        while (low <= high) {
            int middle = (low + high) / 2;
            unsigned at = table[middle];
            if (at == key) {
                found = middle;
                break;
            }
            if (at < key)
                low = middle + 1;
            else
                high = middle - 1;
        }
        where[i] = found;
    }
}

// What it must be for the table 0, 3, 6, ...
__global__ void binary_search_reference(int *where, const unsigned *keys, const unsigned *table, int n, int entries)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        where[i] = keys[i] % 3 == 0 ? keys[i] / 3 : -1;
}

// Where a key belongs in a table of `places` places, a power of two.
__device__ unsigned hash_of(unsigned key, int places)
{
    key ^= key >> 16;
    key *= 0x7feb352d;
    key ^= key >> 15;
    return key & (places - 1);
}

// Puts keys, none of which is 0, into an empty table: each at the first free place from its own on.
__global__ void hash_build(unsigned *table, unsigned *rows, const unsigned *keys, int n, int places)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned place = hash_of(keys[i], places);
        while (atomicCAS(&table[place], 0u, keys[i]) != 0)
            place = (place + 1) & (places - 1);
        rows[place] = i;
    }
}

// The row of each key, or -1: from the key's own place on, until it or a free place is found.
__global__ void hash_probe(int *found, const unsigned *table, const unsigned *rows, const unsigned *keys, int n,
                           int places)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned place = hash_of(keys[i], places);
        while (table[place] != 0 && table[place] != keys[i])
            place = (place + 1) & (places - 1);
        found[i] = table[place] == 0 ? -1 : (int)rows[place];
    }
}

// Of 2 n keys that are looked for, the first n are those of the table.
__global__ void hash_reference(int *found, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 2 * n; i += gridDim.x * blockDim.x)
        found[i] = i < n ? i : -1;
}
