/* What kernels compute with the headers of the C and C++ library. */
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <tuple>
#include <utility>

struct Point {
    float x, y;
    __device__ Point(float a) : x(a), y(2 * a) {}
};

extern "C" __global__ void values(float *out, const char *text, std::pair<char, float> pair,
                                  std::tuple<int, float> tuple, std::array<float, 3> array)
{
    int i = 0;
    out[i++] = text[0] < 0 ? 1 : 2; /* char is signed */
    out[i++] = pair.first + pair.second;
    out[i++] = std::get<0>(tuple) - std::get<1>(tuple);
    for (float x : array)
        out[i] += x;
    i++;
    out[i++] = *std::max_element(array.begin(), array.end());
    out[i++] = std::min({array[0], array[1], array[2]});
    out[i++] = std::clamp(out[0], 3.0f, 4.0f);
    out[i++] = std::plus<float>()(1, 2) * std::less<>()(1, 2.5);
    out[i++] = std::numeric_limits<float>::max() == 0x1.fffffep127f;
    out[i++] = std::numeric_limits<int>::digits;
    std::complex<float> z(3, 4);
    out[i++] = std::abs(z * z / z + 0.0f);
    out[i++] = std::gcd(12, 18) + std::midpoint(1, 3);
    auto [a, b] = tuple;
    out[i++] = a * b;
    alignas(Point) unsigned char room[sizeof(Point)];
    Point *point = new (room) Point(1.5f);
    out[i++] = point->x + point->y;
    out[i++] = std::apply([](int x, float y) { return x * 100 + y; }, tuple);
    float first = 1, second = 2;
    cuda::std::swap(first, second);
    out[i++] = 10 * first + second;
    cuda::std::array<int, 2> two{5, 6};
    out[i++] = two[1] + (cuda::std::numeric_limits<unsigned char>::max)();
    out[i++] = std::pow(2, 3) + std::isnan(out[0]) + std::fmod(7.5, 2) + std::sqrt(16) + std::hypot(3, 4.0f);
    out[i++] = std::exchange(first, 9.0f) + first;
    unsigned int bits;
    std::memcpy(&bits, &second, sizeof bits);
    out[i++] = bits == 0x3f800000u;
    assert(i == 20);
}
