/* HMAC-SHA-256 of eight messages at a time, a lane of a 256-bit register each, for processors that have AVX2 and no SHA instructions. */
#include "avx2.h"
#include "pfb1.h"

#ifdef HAVE_X86

AVX2 INLINE __m256i rotate(__m256i x, int by)
{
    return _mm256_or_si256(_mm256_srli_epi32(x, by), _mm256_slli_epi32(x, 32 - by));
}

AVX2 INLINE __m256i xor3(__m256i x, __m256i y, __m256i z)
{
    return _mm256_xor_si256(_mm256_xor_si256(x, y), z);
}

AVX2 INLINE __m256i add(__m256i x, __m256i y)
{
    return _mm256_add_epi32(x, y);
}

AVX2 INLINE void extend(__m256i w[BLOCK_WORDS], int t)
{
    __m256i w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
    __m256i low = xor3(rotate(w1, 7), rotate(w1, 18), _mm256_srli_epi32(w1, 3));
    __m256i high = xor3(rotate(w14, 17), rotate(w14, 19), _mm256_srli_epi32(w14, 10));
    w[t % 16] = add(add(w[t % 16], low), add(w[(t + 9) % 16], high));
}

/* Compress 16 words in every lane; `w` is used up. */
AVX2 NOINLINE static void compress(__m256i state[WORDS], __m256i w[BLOCK_WORDS])
{
    __m256i s[WORDS];
    for (int i = 0; i < WORDS; i++) {
        s[i] = state[i];
    }
#pragma GCC unroll 64
    for (int t = 0; t < 64; t++) {
        /* Round t finds its a at place -t: the places turn and the values stay. */
        enum { TURN = 8 * WORDS };
        __m256i a = s[(TURN - t) % 8], b = s[(TURN - t + 1) % 8], c = s[(TURN - t + 2) % 8];
        __m256i e = s[(TURN - t + 4) % 8], f = s[(TURN - t + 5) % 8], g = s[(TURN - t + 6) % 8];
        __m256i *d = &s[(TURN - t + 3) % 8], *h = &s[(TURN - t + 7) % 8];
        if (t >= BLOCK_WORDS) {
            extend(w, t);
        }
        __m256i constant = _mm256_set1_epi32((int)SHA256_ROUNDS[t]);
        __m256i choice = _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g)));
        __m256i majority = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b)));
        __m256i sum = add(add(add(*h, constant), add(w[t % 16], choice)), xor3(rotate(e, 6), rotate(e, 11), rotate(e, 25)));
        *d = add(*d, sum);
        *h = add(sum, add(majority, xor3(rotate(a, 2), rotate(a, 13), rotate(a, 22))));
    }
    for (int i = 0; i < WORDS; i++) {
        state[i] = add(state[i], s[i]);
    }
}

AVX2 INLINE void spread(__m256i state[WORDS], const uint32_t words[WORDS])
{
    for (int i = 0; i < WORDS; i++) {
        state[i] = _mm256_set1_epi32((int)words[i]);
    }
}

AVX2 INLINE void load_blocks(__m256i w[BLOCK_WORDS], const struct batch *batch, size_t lane, size_t block)
{
    const __m256i big_endian = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    for (size_t half = 0; half < 2; half++) {
        __m256i *rows = w + 8 * half;
        for (size_t i = 0; i < GROUP; i++) {
            const uint8_t *from = batch->messages[lane + i] + block * BLOCK_SIZE + 32 * half;
            rows[i] = _mm256_shuffle_epi8(_mm256_load_si256((const __m256i *)from), big_endian);
        }
        transpose(rows);
    }
}

/* The second block, of those messages that have one. */
AVX2 NOINLINE static void compress_second_blocks(__m256i state[WORDS], const struct batch *batch, size_t lane)
{
    __m256i w[BLOCK_WORDS], after[WORDS];
    int32_t has_second[GROUP];
    for (size_t i = 0; i < GROUP; i++) {
        has_second[i] = batch->blocks[lane + i] == 2 ? -1 : 0;
    }
    const __m256i mask = _mm256_loadu_si256((const __m256i *)has_second);
    for (int i = 0; i < WORDS; i++) {
        after[i] = state[i];
    }
    load_blocks(w, batch, lane, 1);
    compress(after, w);
    for (int i = 0; i < WORDS; i++) {
        state[i] = _mm256_blendv_epi8(state[i], after[i], mask);
    }
}

AVX2 INLINE void hash_inner(__m256i state[WORDS], const struct seeds *seeds, const struct batch *batch, size_t lane)
{
    __m256i w[BLOCK_WORDS];
    unsigned blocks = 0;
    spread(state, seeds->inner);
    load_blocks(w, batch, lane, 0);
    compress(state, w);
    for (size_t i = 0; i < GROUP; i++) {
        blocks |= batch->blocks[lane + i];
    }
    if (blocks > 1) {
        compress_second_blocks(state, batch, lane);
    }
}

/* The outer hash: of the inner digest and the padding of 96 bytes. */
AVX2 INLINE void hash_outer(__m256i state[WORDS], const struct seeds *seeds, const __m256i inner[WORDS])
{
    __m256i w[BLOCK_WORDS];
    for (int i = 0; i < WORDS; i++) {
        w[i] = inner[i];
        w[WORDS + i] = _mm256_setzero_si256();
    }
    w[8] = _mm256_set1_epi32((int)0x80000000);
    w[15] = _mm256_set1_epi32(8 * (BLOCK_SIZE + 32));
    spread(state, seeds->outer);
    compress(state, w);
}

AVX2 NOINLINE void hash_avx2(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    for (size_t lane = 0; lane < lanes; lane += GROUP) {
        __m256i inner[WORDS], outer[WORDS];
        hash_inner(inner, seeds, batch, lane);
        hash_outer(outer, seeds, inner);
        transpose(outer);
        for (size_t i = 0; i < GROUP; i++) {
            _mm256_store_si256((__m256i *)batch->words[lane + i], outer[i]);
        }
    }
    _mm256_zeroupper();
}

#endif
