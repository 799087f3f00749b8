// A picture of red, green and blue bytes becomes grey. One thread a pixel, blocks of 16 x 16: the
// blocks at the right and at the lower edge hang over the picture.
__global__ void colour_to_grey(unsigned char *grey, const unsigned char *colour, int width,
                               int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
        int pixel = row * width + column;
        float red = colour[3 * pixel];
        float green = colour[3 * pixel + 1];
        float blue = colour[3 * pixel + 2];
        grey[pixel] = (unsigned char)(0.21f * red + 0.72f * green + 0.07f * blue);
    }
}

// What the results must be: the pixels one after the other, whatever their row.
__global__ void reference(unsigned char *grey, const unsigned char *colour, int width, int height)
{
    for (int pixel = threadIdx.x; pixel < width * height; pixel += blockDim.x)
        grey[pixel] = (unsigned char)(0.21f * colour[3 * pixel] + 0.72f * colour[3 * pixel + 1] +
                                      0.07f * colour[3 * pixel + 2]);
}
