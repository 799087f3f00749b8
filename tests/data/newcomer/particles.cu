struct Box {
    float3 low, high;
    int count;
    float step;
};

// Moves particles and turns them round at the walls.
__global__ void move_particles(Box box, float4 *position, float4 *velocity)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= box.count)
        return;
    float4 p = position[i], v = velocity[i];
    p.x += v.x * box.step;
    p.y += v.y * box.step;
    p.z += v.z * box.step;
    if (p.x < box.low.x || p.x > box.high.x)
        v.x = -v.x;
    if (p.y < box.low.y || p.y > box.high.y)
        v.y = -v.y;
    if (p.z < box.low.z || p.z > box.high.z)
        v.z = -v.z;
    position[i] = p;
    velocity[i] = v;
}
