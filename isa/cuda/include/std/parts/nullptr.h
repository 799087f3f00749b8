#ifndef WARPSTEP_PARTS_NULLPTR_H
#define WARPSTEP_PARTS_NULLPTR_H

namespace std
{
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
} // namespace std

#endif
