/* Loads and stores with the caching that CUB names. What is no pointer is read as it is. */
#pragma once
#include "../util_type.cuh"

namespace cub
{
enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

namespace detail
{
template <typename T, typename Access> __WS_DEVICE_MEMBER T load_words(const T *from, Access access)
{
    typedef typename std::conditional<alignof(T) % 4 == 0, unsigned int, unsigned char>::type Word;
    Word words[sizeof(T) / sizeof(Word)];
    if constexpr (std::is_arithmetic<T>::value)
        return access(from);
#pragma unroll
    for (size_t i = 0; i < sizeof(T) / sizeof(Word); i++)
        words[i] = access((const Word *)from + i);
    T value;
    __builtin_memcpy((void *)&value, words, sizeof value);
    return value;
}
struct load_once {
    template <typename T> __WS_DEVICE_MEMBER T operator()(const T *from) const
    {
        return *(const volatile T *)from;
    }
};
struct load_ldg {
    template <typename T> __WS_DEVICE_MEMBER T operator()(const T *from) const
    {
        if constexpr (std::is_same<T, bool>::value)
            return *from;
        else
            return __ldg(from);
    }
};
} // namespace detail

template <CacheLoadModifier MODIFIER, typename T> __WS_DEVICE_MEMBER T ThreadLoad(T *from)
{
    typedef typename std::remove_cv<T>::type Plain;
    if constexpr (MODIFIER == LOAD_LDG)
        return detail::load_words((const Plain *)from, detail::load_ldg());
    else if constexpr (MODIFIER == LOAD_CV || MODIFIER == LOAD_VOLATILE)
        return detail::load_words((const Plain *)from, detail::load_once());
    else
        return *from;
}
template <CacheLoadModifier MODIFIER, typename It>
__WS_DEVICE_MEMBER
    typename std::enable_if<!std::is_pointer<It>::value, typename detail::value_of<It>::type>::type
    ThreadLoad(It from)
{
    return *from;
}
template <CacheStoreModifier MODIFIER, typename It, typename T>
__WS_DEVICE_MEMBER void ThreadStore(It to, const T &value)
{
    if constexpr (MODIFIER == STORE_VOLATILE && std::is_pointer<It>::value &&
                  std::is_arithmetic<T>::value)
        *(volatile T *)to = value;
    else
        *to = value;
}
} // namespace cub
