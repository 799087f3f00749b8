/*
 * Whether this build has the address sanitizer, which takes terabytes of address space and is to
 * see the bounds of every table. gcc says so by a macro, clang by a feature.
 */
#ifndef WS_ISA_BASE_SANITIZED_H
#define WS_ISA_BASE_SANITIZED_H

#include <glib.h>

#if defined(__SANITIZE_ADDRESS__)
#define WS_ADDRESS_SANITIZED TRUE
#elif defined(__has_feature)
#define WS_ADDRESS_SANITIZED __has_feature(address_sanitizer)
#else
#define WS_ADDRESS_SANITIZED FALSE
#endif

#endif
