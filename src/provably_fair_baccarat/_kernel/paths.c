/* Which paths this processor has. */
#include "armv8.h"
#include "pfb1.h"
#include "x86.h"

#ifdef HAVE_X86
#include <cpuid.h>
#endif

#if defined(HAVE_ARMV8) && defined(__linux__)
#include <sys/auxv.h>
#define SHA2_CAPABILITY (1UL << 6) /* HWCAP_SHA2 */
#endif

#ifdef HAVE_X86
static bool has_shani(void)
{
    unsigned eax, ebx, ecx, edx;
    bool has_sha = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx >> 29 & 1);
    return has_sha && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}
#endif

#ifdef HAVE_ARMV8
static bool has_sha2(void)
{
#if defined(__ARM_FEATURE_SHA2) || defined(__APPLE__)
    return true;
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) & SHA2_CAPABILITY) != 0;
#else
    return false;
#endif
}
#endif

size_t find_paths(struct path paths[MAX_PATHS])
{
    size_t count = 0;
#ifdef HAVE_X86
    __builtin_cpu_init();
    bool has_avx2 = __builtin_cpu_supports("avx2"); /* of the processor, and of the system that must save the registers */
    if (has_shani()) {
        paths[count++] = (struct path){"shani", hash_shani, has_avx2 ? derive_avx2 : derive_portable, hash_shani_two, 2, compress_shani};
    }
    if (has_avx2) {
        paths[count++] = (struct path){"avx2", hash_avx2, derive_avx2, hash_portable, 1, compress_portable};
    }
#endif
#ifdef HAVE_ARMV8
    if (has_sha2()) {
        paths[count++] = (struct path){"armv8", hash_armv8, derive_portable, hash_armv8, 2, compress_portable};
    }
#endif
    paths[count++] = (struct path){"portable", hash_portable, derive_portable, hash_portable, 1, compress_portable};
    return count;
}
