/*
 * libstdc++'s header of this name, which whole programs see, has the word __noinline__ in an
 * attribute: there CUDA's keyword, which is a macro here, must not stand.
 */
#pragma once
#if __has_include_next(<bits/shared_ptr_base.h>)
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
#endif
