/* HMAC-SHA-256 with the SHA instructions of x86-64: several messages at a time, since one alone leaves the unit idle half of the time. Two
 * fill it nearly, four leave no gap, and a lone coup shall not wait for four. */
#include "pfb1.h"
#include "x86.h"

#ifdef HAVE_X86

enum { MAX_WIDTH = 4 }; /* `width`, everywhere, is how many messages there are: a constant to the compiler */

/* A state as the instructions want it, for each message of the group. */
struct states {
    __m128i abef[MAX_WIDTH], cdgh[MAX_WIDTH];
};

/* The last 16 words of a message schedule, four to a register. */
struct schedules {
    __m128i w[MAX_WIDTH][4];
};

SHANI INLINE void load_state(struct states *states, const uint32_t words[WORDS], int width)
{
    __m128i dcba = _mm_loadu_si128((const __m128i *)words);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(words + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
    __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    for (int i = 0; i < width; i++) {
        states->abef[i] = _mm_alignr_epi8(cdab, efgh, 8);
        states->cdgh[i] = _mm_blend_epi16(efgh, cdab, 0xF0);
    }
}

/* The words a, b, c, d and e, f, g, h of one state, in order. */
SHANI INLINE void in_order(__m128i abef, __m128i cdgh, __m128i *abcd, __m128i *efgh)
{
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    *abcd = _mm_blend_epi16(feba, dchg, 0xF0);
    *efgh = _mm_alignr_epi8(dchg, feba, 8);
}

/* Rounds 4 x step to 4 x step + 3 of every message. */
SHANI INLINE void four_rounds(struct states *states, struct schedules *schedules, int step, int width)
{
    const __m128i constants = _mm_load_si128((const __m128i *)(SHA256_ROUNDS + 4 * step));
    for (int i = 0; i < width; i++) {
        __m128i *w = schedules->w[i];
        __m128i sum = _mm_add_epi32(w[step % 4], constants);
        states->cdgh[i] = _mm_sha256rnds2_epu32(states->cdgh[i], states->abef[i], sum);
        states->abef[i] = _mm_sha256rnds2_epu32(states->abef[i], states->cdgh[i], _mm_shuffle_epi32(sum, 0x0E));
    }
}

/* The four words of the schedule that rounds 4 x step and on will take. */
SHANI INLINE void extend(struct schedules *schedules, int step, int width)
{
    for (int i = 0; i < width; i++) {
        __m128i *w = schedules->w[i];
        __m128i w_7 = _mm_alignr_epi8(w[(step + 3) % 4], w[(step + 2) % 4], 4);
        __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[step % 4], w[(step + 1) % 4]), w_7);
        w[step % 4] = _mm_sha256msg2_epu32(sum, w[(step + 3) % 4]);
    }
}

/* Compress one block of every message. */
SHANI INLINE void compress(struct states *states, struct schedules *schedules, int width)
{
    const struct states before = *states;
#pragma GCC unroll 16
    for (int step = 0; step < 16; step++) {
        if (step >= 4) {
            extend(schedules, step, width);
        }
        four_rounds(states, schedules, step, width);
    }
    for (int i = 0; i < width; i++) {
        states->abef[i] = _mm_add_epi32(states->abef[i], before.abef[i]);
        states->cdgh[i] = _mm_add_epi32(states->cdgh[i], before.cdgh[i]);
    }
}

SHANI INLINE void load_blocks(struct schedules *schedules, const struct batch *batch, size_t lane, size_t block, int width)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    for (int i = 0; i < width; i++) {
        const __m128i *from = (const __m128i *)(batch->messages[lane + (size_t)i] + block * BLOCK_SIZE);
        for (int part = 0; part < 4; part++) {
            schedules->w[i][part] = _mm_shuffle_epi8(_mm_load_si128(from + part), big_endian);
        }
    }
}

/* The second block, of those messages that have one. */
SHANI INLINE void compress_second_blocks(struct states *states, const struct batch *batch, size_t lane, int width)
{
    struct schedules schedules;
    const struct states before = *states;
    load_blocks(&schedules, batch, lane, 1, width);
    compress(states, &schedules, width);
    for (int i = 0; i < width; i++) {
        if (batch->blocks[lane + (size_t)i] == 1) {
            states->abef[i] = before.abef[i];
            states->cdgh[i] = before.cdgh[i];
        }
    }
}

/* The block that the outer hash takes: the inner digest and the padding of 96 bytes. */
SHANI INLINE void load_inner_digests(struct schedules *schedules, const struct states *inner, int width)
{
    for (int i = 0; i < width; i++) {
        __m128i *w = schedules->w[i];
        in_order(inner->abef[i], inner->cdgh[i], &w[0], &w[1]);
        w[2] = _mm_set_epi32(0, 0, 0, (int)0x80000000);
        w[3] = _mm_set_epi32(8 * (BLOCK_SIZE + 32), 0, 0, 0);
    }
}

SHANI INLINE void store_words(struct batch *batch, size_t lane, const struct states *outer, int width)
{
    for (int i = 0; i < width; i++) {
        __m128i abcd, efgh;
        in_order(outer->abef[i], outer->cdgh[i], &abcd, &efgh);
        _mm_store_si128((__m128i *)batch->words[lane + (size_t)i], abcd);
        _mm_store_si128((__m128i *)(batch->words[lane + (size_t)i] + 4), efgh);
    }
}

/* Out of the way of the loop below, which then keeps more in registers. */
SHANI NOINLINE static void compress_second_of_two(struct states *states, const struct batch *batch, size_t lane)
{
    compress_second_blocks(states, batch, lane, 2);
}

SHANI NOINLINE static void compress_second_of_four(struct states *states, const struct batch *batch, size_t lane)
{
    compress_second_blocks(states, batch, lane, 4);
}

SHANI INLINE bool has_second_block(const struct batch *batch, size_t lane, int width)
{
    unsigned blocks = 0;
    for (int i = 0; i < width; i++) {
        blocks |= batch->blocks[lane + (size_t)i];
    }
    return blocks > 1;
}

SHANI INLINE void hash_groups(const struct seeds *seeds, struct batch *batch, size_t lanes, int width)
{
    struct states inner_pad, outer_pad;
    load_state(&inner_pad, seeds->inner, width);
    load_state(&outer_pad, seeds->outer, width);
    for (size_t lane = 0; lane < lanes; lane += (size_t)width) {
        struct states inner = inner_pad, outer = outer_pad;
        struct schedules schedules;
        load_blocks(&schedules, batch, lane, 0, width);
        compress(&inner, &schedules, width);
        if (has_second_block(batch, lane, width)) {
            (width == 2 ? compress_second_of_two : compress_second_of_four)(&inner, batch, lane);
        }
        load_inner_digests(&schedules, &inner, width);
        compress(&outer, &schedules, width);
        store_words(batch, lane, &outer, width);
    }
}

SHANI NOINLINE void compress_shani(uint32_t state[WORDS], const uint8_t block[BLOCK_SIZE])
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    struct states states;
    struct schedules schedules;
    __m128i abcd, efgh;
    load_state(&states, state, 1);
    for (int part = 0; part < 4; part++) {
        schedules.w[0][part] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + part), big_endian);
    }
    compress(&states, &schedules, 1);
    in_order(states.abef[0], states.cdgh[0], &abcd, &efgh);
    _mm_storeu_si128((__m128i *)state, abcd);
    _mm_storeu_si128((__m128i *)(state + 4), efgh);
}

SHANI NOINLINE void hash_shani(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    hash_groups(seeds, batch, lanes, 4);
}

SHANI NOINLINE void hash_shani_two(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    hash_groups(seeds, batch, lanes, 2);
}

#endif
