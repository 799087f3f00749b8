#ifndef WARPSTEP_PARTS_EXCEPTION_H
#define WARPSTEP_PARTS_EXCEPTION_H

#include <parts/nullptr.h>

namespace std
{
class exception
{
  public:
    exception() noexcept {}
    exception(const exception &) = default;
    exception &operator=(const exception &) = default;
    virtual ~exception() noexcept;
    virtual const char *what() const noexcept;
};
class bad_exception : public exception
{
};
typedef void (*terminate_handler)();
terminate_handler set_terminate(terminate_handler) noexcept;
[[noreturn]] void terminate() noexcept;
bool uncaught_exception() noexcept;
int uncaught_exceptions() noexcept;

class exception_ptr
{
  public:
    exception_ptr() noexcept __WS_HOST
    exception_ptr(nullptr_t) noexcept __WS_HOST
    explicit operator bool() const noexcept __WS_HOST
    friend bool operator==(const exception_ptr &, const exception_ptr &) noexcept;
    friend bool operator!=(const exception_ptr &, const exception_ptr &) noexcept;
};
exception_ptr current_exception() noexcept;
template <typename _E> exception_ptr make_exception_ptr(_E) noexcept __WS_HOST
[[noreturn]] void rethrow_exception(exception_ptr);
class nested_exception
{
  public:
    virtual ~nested_exception() noexcept;
};
template <typename _T> [[noreturn]] void throw_with_nested(_T &&) __WS_HOST
template <typename _E> void rethrow_if_nested(const _E &) __WS_HOST
} // namespace std

#endif
