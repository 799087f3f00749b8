/* The types and functions of C++: _Complex is an extension here. */
#include <ccomplex>
