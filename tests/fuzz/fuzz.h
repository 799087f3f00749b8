/*
 * Fuzz targets. Each is one function that takes any bytes; with option('fuzz') libFuzzer calls it,
 * in the normal tests tests/fuzz/smoke.c does, with a small corpus and seeded damage to it.
 */
#ifndef WS_TESTS_FUZZ_H
#define WS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
