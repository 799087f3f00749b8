#ifndef WARPSTEP_PARTS_STDEXCEPT_H
#define WARPSTEP_PARTS_STDEXCEPT_H

namespace std
{
[[noreturn]] void __throw_out_of_range();
}

#endif
