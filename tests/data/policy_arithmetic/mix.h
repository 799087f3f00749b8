/* Integer arithmetic of all kinds, the same on the host and in a policy (tests/sim/test_policy_code.c). */
#include <stdint.h>

static inline uint64_t mix_wide(uint64_t x, uint64_t y)
{
    uint64_t sum = x + (y << (x & 63)) - (y >> (x & 31)), product = x * y;

    sum ^= (uint64_t)((int64_t)y >> (x & 63));
    sum += (int64_t)x < (int64_t)y ? product : product >> 7;
    sum -= x < y ? 5 : 0x123456789abcull;
    return sum + (uint64_t)__builtin_popcountll(y ^ product) + (x == y) - (x >= 0x8000000000000000ull);
}

static inline uint32_t mix_word(uint32_t x, uint32_t y)
{
    int32_t a = (int32_t)x, b = (int32_t)y;
    uint32_t least = a < b ? x : y, greatest = x > y ? x : y;
    uint32_t bits = (x & y) ^ (x | ~y) ^ (~x & y & 0xff00ffu) ^ ((x & y) | (~x & greatest));

    bits += x << (y & 31) | y >> (x & 31);
    bits ^= (uint32_t)(a >> (y & 31)) + (uint32_t)(uint8_t)x - (uint32_t)(int32_t)(int8_t)y;
    bits += (uint32_t)(uint16_t)x * 3 + (uint32_t)(int32_t)(int16_t)y;
    if (y != 0)
        bits += x / y + x % y;
    if (b > 0)
        bits -= (uint32_t)(a / b);
    return bits + least * 7 + (bits >> 16 != 0 ? (uint32_t)__builtin_clz(bits | 1) : greatest);
}

/* In a small array too, by bytes, halves and words. */
static inline uint64_t mix_memory(uint64_t seed)
{
    uint8_t bytes[32];
    uint16_t halves[8];
    uint64_t sum = 0;

    for (int i = 0; i < 32; i++)
        bytes[(i * 7 + (int)(seed & 15)) % 32] = (uint8_t)(seed >> i);
    for (int i = 0; i < 8; i++)
        halves[(i + (int)(seed >> 60)) % 8] = (uint16_t)(bytes[i] << 8 | bytes[31 - i]);
    for (int i = 0; i < 8; i++)
        sum = sum * 31 + halves[i] + (uint64_t)(int64_t)(int16_t)halves[7 - i];
    return sum;
}

static inline uint64_t mix(uint64_t seed)
{
    uint64_t result = seed;

    for (int i = 0; i < 8; i++) {
        uint64_t other = seed * 6364136223846793005ull + 1442695040888963407ull;

        result = mix_wide(result, other);
        result ^= (uint64_t)mix_word((uint32_t)result, (uint32_t)(other >> 32)) << (i * 4);
        result += mix_memory(result ^ other);
        switch (result % 5) {
        case 0: result += 17; break;
        case 1: result ^= other; break;
        case 2: result = ~result; break;
        case 3: result -= seed; break;
        default: result = result << 1 | result >> 63; break;
        }
        seed = other ^ (uint64_t)i;
    }
    return result;
}
