/* Keywords of C++. */
#define __bool_true_false_are_defined 1
