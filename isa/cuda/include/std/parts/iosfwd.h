#ifndef WARPSTEP_PARTS_IOSFWD_H
#define WARPSTEP_PARTS_IOSFWD_H

#include <parts/nullptr.h>

namespace std
{
typedef long streamoff, streamsize;
template <typename> struct char_traits;
template <typename> class allocator;
template <typename _C, typename = char_traits<_C>, typename = allocator<_C>> class basic_string;
typedef basic_string<char> string;
typedef basic_string<wchar_t> wstring;
typedef basic_string<char16_t> u16string;
typedef basic_string<char32_t> u32string;

class ios_base;
#define __WS_X(name)                                                                               \
    template <typename _C, typename = char_traits<_C>> class basic_##name;                         \
    typedef basic_##name<char> name;                                                               \
    typedef basic_##name<wchar_t> w##name;
__WS_X(ios)
__WS_X(streambuf)
__WS_X(istream)
__WS_X(ostream)
__WS_X(iostream)
__WS_X(filebuf)
__WS_X(ifstream)
__WS_X(ofstream)
__WS_X(fstream)
#undef __WS_X
#define __WS_X(name)                                                                               \
    template <typename _C, typename = char_traits<_C>, typename = allocator<_C>> class basic_##name;\
    typedef basic_##name<char> name;                                                               \
    typedef basic_##name<wchar_t> w##name;
__WS_X(stringbuf)
__WS_X(istringstream)
__WS_X(ostringstream)
__WS_X(stringstream)
#undef __WS_X
template <typename _C, typename = char_traits<_C>> class istreambuf_iterator;
template <typename _C, typename = char_traits<_C>> class ostreambuf_iterator;
} // namespace std

#endif
