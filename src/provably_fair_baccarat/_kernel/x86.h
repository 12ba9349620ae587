/* Whether this compiler can make the paths for x86-64, and how it is told which instructions a function may use. */
#ifndef X86_H
#define X86_H

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_X86 1
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

/* The SHA instructions have only their old encoding, which is ten times slower while the upper halves of the 256-bit registers are in
 * use. So whatever is marked AVX2 is a function of its own that cleans up with vzeroupper, and whatever is marked SHANI has no AVX. */
#define SHANI __attribute__((target("sha,sse4.1,ssse3")))
#define AVX2 __attribute__((target("avx2")))

#endif
#endif
