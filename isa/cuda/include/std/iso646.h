/* Keywords of C++. */
