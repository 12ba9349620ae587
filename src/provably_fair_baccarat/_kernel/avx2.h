/* Eight lanes of 32 bits: what hashing and deriving share. */
#ifndef AVX2_H
#define AVX2_H

#include "x86.h"

#ifdef HAVE_X86

/* Turn 8 rows of 8 words into columns. */
AVX2 INLINE void transpose(__m256i rows[8])
{
    __m256i pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        rows[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
        rows[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
    }
}

#endif
#endif
