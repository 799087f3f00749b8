/* Without a guard: NDEBUG may be another one at each include. */
#undef assert
#ifdef NDEBUG
#define assert(condition) (static_cast<void>(0))
#else
extern "C" [[noreturn]] void __assert_fail(const char *expression, const char *file, unsigned int line,
                                           const char *function) noexcept;
#define assert(condition)                                                                          \
    (static_cast<bool>(condition)                                                                  \
         ? void(0)                                                                                 \
         : __assert_fail(#condition, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#endif
