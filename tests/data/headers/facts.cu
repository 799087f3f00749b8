/* Facts of the C++ library: it is enough that this compiles. */
#include <array>
#include <cfloat>
#include <chrono>
#include <climits>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <ratio>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

using namespace std;

struct Empty {
};
struct Abstract {
    virtual ~Abstract();
    virtual void f() = 0;
};
struct Derived final : Empty {
};
struct MoveOnly {
    MoveOnly(MoveOnly &&);
};
struct NoDestructor {
    ~NoDestructor() = delete;
};
enum class Scoped : short { a };
enum Plain { b };
union Union {
    int a;
};
static auto twice = [](int x) -> float { return 2 * x; };

/* Sizes and signs are those of x86-64 Linux, whichever machine compiles. */
static_assert(sizeof(long) == 8 && sizeof(wchar_t) == 4 && sizeof(size_t) == 8);
static_assert((char)-1 < 0 && CHAR_MIN == -128 && is_signed_v<char> && is_signed_v<wchar_t>);
static_assert(is_same_v<int64_t, long> && is_same_v<size_t, unsigned long> &&
              is_same_v<ptrdiff_t, long>);
#ifndef __x86_64__
#error of another host
#endif
static_assert(is_same_v<decay_t<const int (&)[3]>, const int *>);
static_assert(is_same_v<decay_t<int(int)>, int (*)(int)>);
static_assert(is_same_v<common_type_t<int, float, double>, double>);
static_assert(is_same_v<common_type_t<char, short>, int>);
static_assert(is_same_v<make_unsigned_t<const long long>, const unsigned long long>);
static_assert(is_same_v<make_signed_t<Scoped>, short>);
static_assert(is_same_v<make_unsigned_t<char>, unsigned char>);
static_assert(is_same_v<make_unsigned_t<wchar_t>, unsigned int>);
static_assert(is_enum_v<Scoped> && is_scoped_enum_v<Scoped> && !is_scoped_enum_v<Plain> &&
              !is_scoped_enum_v<int>);
static_assert(is_same_v<underlying_type_t<Scoped>, short>);
static_assert(is_abstract_v<Abstract> && is_polymorphic_v<Abstract> &&
              has_virtual_destructor_v<Abstract>);
static_assert(is_final_v<Derived> && is_empty_v<Derived>);
static_assert(!is_copy_constructible_v<MoveOnly> && is_move_constructible_v<MoveOnly> &&
              !is_trivially_copyable_v<MoveOnly>);
static_assert(!is_destructible_v<NoDestructor> && is_destructible_v<int[3]> &&
              !is_destructible_v<void> && !is_destructible_v<int[]> && is_destructible_v<int &> &&
              is_trivially_destructible_v<int> && !is_trivially_destructible_v<Abstract>);
static_assert(is_same_v<add_lvalue_reference_t<void>, void> &&
              is_same_v<add_rvalue_reference_t<int>, int &&> &&
              is_same_v<add_pointer_t<int &>, int *> && is_same_v<add_pointer_t<void>, void *>);
static_assert(is_same_v<remove_pointer_t<int *const>, int> &&
              is_same_v<remove_pointer_t<int>, int> &&
              is_same_v<remove_pointer_t<const int>, const int>);
static_assert(rank_v<int[2][3]> == 2 && extent_v<int[2][3], 1> == 3 && extent_v<int[2][3]> == 2 &&
              is_same_v<remove_all_extents_t<int[2][3]>, int>);
static_assert(conjunction_v<true_type, true_type> && !conjunction_v<true_type, false_type> &&
              disjunction_v<false_type, true_type> && negation_v<false_type>);
static_assert(is_invocable_v<decltype(twice), int> && !is_invocable_v<decltype(twice), Empty> &&
              is_invocable_r_v<double, decltype(twice), int> &&
              is_same_v<invoke_result_t<decltype(twice), int>, float>);
static_assert(is_same_v<invoke_result_t<int Empty::*, Empty &>, int &>);
static_assert(is_same_v<result_of_t<decltype(twice)(int)>, float>);
static_assert(
    numeric_limits<int>::max() == 2147483647 && numeric_limits<int>::min() == -2147483647 - 1 &&
    numeric_limits<unsigned char>::max() == 255 && numeric_limits<char>::min() == -128 &&
    numeric_limits<long long>::digits10 == 18 && numeric_limits<unsigned>::digits10 == 9 &&
    numeric_limits<unsigned long>::digits10 == 19 && numeric_limits<float>::max_digits10 == 9 &&
    numeric_limits<double>::epsilon() == 2.220446049250313e-16 &&
    numeric_limits<float>::lowest() == -3.40282346638528859812e+38F &&
    numeric_limits<bool>::max() && !numeric_limits<bool>::min() &&
    numeric_limits<bool>::digits == 1 && numeric_limits<signed char>::digits10 == 2 &&
    numeric_limits<float>::infinity() > 1e38f && numeric_limits<Empty>::max_digits10 == 0 &&
    !numeric_limits<Empty>::is_specialized && numeric_limits<const int>::max() == 2147483647);
static_assert(numeric_limits<__int128>::max() > 0 && numeric_limits<float>::denorm_min() > 0 &&
              numeric_limits<float>::min_exponent == -125);
static_assert(sizeof(tuple<int, Empty>) == 4 && sizeof(tuple<char, int>) == 8 &&
              sizeof(tuple<>) == 1);
static_assert(get<1>(make_tuple(1, 2.5f)) == 2.5f);
static_assert(tuple_size_v<array<int, 3>> == 3 &&
              is_same_v<tuple_element_t<1, pair<int, float>>, float>);
static_assert(get<2>(tuple_cat(make_tuple(1), make_tuple(2, 3))) == 3);
static_assert(apply([](int a, int b) { return a + b; }, make_tuple(1, 2)) == 3);
static_assert(make_tuple(1, 2) < make_tuple(1, 3) && make_tuple(1, 2) == make_tuple(1, 2) &&
              make_pair(1, 2) < make_pair(2, 0));
constexpr array<int, 3> ar = {1, 2, 3};
static_assert(ar[1] == 2 && ar.size() == 3 && ar.back() == 3 && get<0>(ar) == 1);
constexpr array<int, 0> a0 = {};
static_assert(a0.empty() && sizeof(array<char, 5>) == 5);
static_assert(plus<>()(1, 2.5) == 3.5 && less<int>()(1, 2) && negate<>()(1) == -1);
static_assert(std::max({1, 5, 3}) == 5 && std::min(2, 1) == 1 && std::clamp(5, 0, 3) == 3);
static_assert(is_same_v<ratio<4, 6>::type, ratio<2, 3>>);
static_assert(chrono::duration_cast<chrono::milliseconds>(chrono::seconds(2)).count() == 2000 &&
              1500ms > 1s && (1s + 1ms).count() == 1001 &&
              chrono::duration<double>(1500ms).count() == 1.5);
static_assert(string_view("abc").size() == 3 && string_view("abc") < "abd" &&
              string_view("abc").substr(1) == "bc");
static_assert(
    is_same_v<decltype(integer_sequence<int, 1, 2>()), decltype(integer_sequence<int, 1, 2>())> &&
    is_same_v<make_index_sequence<3>, index_sequence<0, 1, 2>>);
static_assert(
    is_same_v<common_type_t<chrono::milliseconds, chrono::seconds>, chrono::milliseconds>);
static_assert(is_nothrow_move_constructible_v<int>);
static_assert(alignment_of_v<double> == 8);
static_assert(sizeof(aligned_storage_t<12, 4>) == 12);
static_assert(is_function_v<int(int)> && is_member_function_pointer_v<void (Abstract::*)()> &&
              is_member_object_pointer_v<int Abstract::*> && is_null_pointer_v<nullptr_t> &&
              is_compound_v<Abstract> && is_scalar_v<int *> && is_object_v<Abstract> &&
              !is_object_v<int &> && is_unbounded_array_v<int[]> && is_bounded_array_v<int[2]> &&
              is_pod_v<Empty> && is_signed_v<float> && !is_signed_v<unsigned> &&
              is_convertible_v<int, float> && !is_convertible_v<Abstract *, int> &&
              is_base_of_v<Empty, Derived> && is_assignable_v<int &, float> &&
              is_constructible_v<float, int>);
static_assert(INT_MAX == 2147483647 && UINT_MAX == 4294967295u &&
              LONG_MIN == -9223372036854775807 - 1);
static_assert(UCHAR_MAX == 255 && SHRT_MIN == -32768 && ULLONG_MAX == 18446744073709551615u &&
              INT64_MAX == LONG_MAX);
static_assert(FLT_MAX == 0x1.fffffep127f && FLT_MIN == 0x1p-126f && FLT_EPSILON == 0x1p-23f &&
              DBL_DIG == 15);
static_assert(gcd(12, 18) == 6 && lcm(4, 6) == 12 && midpoint(1, 4) == 2 && gcd(-4, 6) == 2);
static_assert(complex<float>(1, 2) * complex<float>(3, 4) == complex<float>(-5, 10));
static_assert(is_same_v<decltype(pow(2, 3)), double> && is_same_v<decltype(pow(2.f, 3.f)), float> &&
              is_same_v<decltype(pow(2.f, 3)), double> && is_same_v<decltype(sqrt(2)), double> &&
              is_same_v<decltype(abs(-1.f)), float> && is_same_v<decltype(fmax(1.f, 2.f)), float>);

__global__ void kernel()
{
}
