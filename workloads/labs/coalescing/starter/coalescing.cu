// Turns an array of structures into a structure of arrays, and scales it: `records` has n records of
// four numbers (x, y, z, mass); `arrays` has n numbers x * mass, then n numbers y * mass, then
// z * mass, then the masses.
//
// A block has 256 threads and is responsible for 1024 records; each thread moves four.
//
// It is right, and slow: see the handout.
__global__ void unpack(float *arrays, const float *records, int n)
{
    int first = (blockIdx.x * 256 + threadIdx.x) * 4;
    for (int i = first; i < first + 4; i++)
        if (i < n) {
            float mass = records[i * 4 + 3];
            arrays[i] = records[i * 4] * mass;
            arrays[n + i] = records[i * 4 + 1] * mass;
            arrays[2 * n + i] = records[i * 4 + 2] * mass;
            arrays[3 * n + i] = mass;
        }
}
