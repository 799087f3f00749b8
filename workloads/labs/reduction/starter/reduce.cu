// Sums of `n` numbers, each step faster than the one before. Blocks have 256 threads, and each block
// writes one sum: sums[blockIdx.x]. Step 1 is `first` in public/given.cu; the handout says what each step
// changes.

// Step 2: a block adds up 256 numbers; the threads that add stand together.
__global__ void step_2(int *sums, const int *in, int n)
{
}

// Step 3: a block adds up 256 numbers; no bank conflicts.
__global__ void step_3(int *sums, const int *in, int n)
{
}

// Step 4: a block adds up 512 numbers; a thread adds two while it loads.
__global__ void step_4(int *sums, const int *in, int n)
{
}

// Step 5: a block adds up 512 numbers; the last warp needs no barriers of the block.
__global__ void step_5(int *sums, const int *in, int n)
{
}

// Step 6: any number of blocks add up all numbers. A thread adds up several before it meets others. It is
// launched a second time, with one block, for the sums of the blocks.
__global__ void step_6(int *sums, const int *in, int n)
{
}
