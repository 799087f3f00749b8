# 1 "a.cu"
__global__ void k(int *x)
{
    int a, b = 1'000;
    asm volatile("mov.u32 %0, %smid; // c" : "=r"(a));
    asm(R"x(mov.u32 %0, %laneid;)x"
        : "=r"(b) : "n"('%') : "memory");
    __asm__("{.reg .u32 t; add.u32 t, %1, %%warpid; mov.u32 %0, t;}" : "=r"(x[0]) : "r"(a));
    x[1] = a % b;
}
