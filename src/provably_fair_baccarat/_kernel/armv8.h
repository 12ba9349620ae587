/* Whether this compiler can make the path for ARMv8, and how it is told that a function may use the SHA-256 instructions. */
#ifndef ARMV8_H
#define ARMV8_H

#if defined(__aarch64__) && defined(__AARCH64EL__)
#if defined(__ARM_FEATURE_SHA2)
#define HAVE_ARMV8 1
#define SHA2
#elif defined(__clang__) && __clang_major__ >= 16 /* earlier ones declare the intrinsics only where every function may use them */
#define HAVE_ARMV8 1
#define SHA2 __attribute__((target("sha2")))
#elif defined(__GNUC__) && !defined(__clang__)
#define HAVE_ARMV8 1
#define SHA2 __attribute__((target("+crypto")))
#endif
#endif

#ifdef HAVE_ARMV8
#include <arm_neon.h>
#define INLINE static inline __attribute__((always_inline))
#endif

#endif
