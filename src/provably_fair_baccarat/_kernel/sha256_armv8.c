/* HMAC-SHA-256 with the SHA-256 instructions of ARMv8, two messages at a time. */
#include "armv8.h"
#include "pfb1.h"

#ifdef HAVE_ARMV8

enum { WIDTH = 2 };

/* A state and the last 16 words of its message schedule, for each message of the group. */
struct states {
    uint32x4_t abcd[WIDTH], efgh[WIDTH];
};

struct schedules {
    uint32x4_t w[WIDTH][4];
};

SHA2 INLINE void load_state(struct states *states, const uint32_t words[WORDS])
{
    for (int i = 0; i < WIDTH; i++) {
        states->abcd[i] = vld1q_u32(words);
        states->efgh[i] = vld1q_u32(words + 4);
    }
}

/* Rounds 4 x step to 4 x step + 3 of every message. */
SHA2 INLINE void four_rounds(struct states *states, const struct schedules *schedules, int step)
{
    for (int i = 0; i < WIDTH; i++) {
        uint32x4_t sum = vaddq_u32(schedules->w[i][step % 4], vld1q_u32(SHA256_ROUNDS + 4 * step));
        uint32x4_t abcd = states->abcd[i];
        states->abcd[i] = vsha256hq_u32(abcd, states->efgh[i], sum);
        states->efgh[i] = vsha256h2q_u32(states->efgh[i], abcd, sum);
    }
}

/* The four words of the schedule that rounds 4 x step and on will take. */
SHA2 INLINE void extend(struct schedules *schedules, int step)
{
    for (int i = 0; i < WIDTH; i++) {
        uint32x4_t *w = schedules->w[i];
        uint32x4_t sum = vsha256su0q_u32(w[step % 4], w[(step + 1) % 4]);
        w[step % 4] = vsha256su1q_u32(sum, w[(step + 2) % 4], w[(step + 3) % 4]);
    }
}

/* Compress one block of every message. */
SHA2 INLINE void compress(struct states *states, struct schedules *schedules)
{
    const struct states before = *states;
#pragma GCC unroll 16
    for (int step = 0; step < 16; step++) {
        if (step >= 4) {
            extend(schedules, step);
        }
        four_rounds(states, schedules, step);
    }
    for (int i = 0; i < WIDTH; i++) {
        states->abcd[i] = vaddq_u32(states->abcd[i], before.abcd[i]);
        states->efgh[i] = vaddq_u32(states->efgh[i], before.efgh[i]);
    }
}

SHA2 INLINE void load_blocks(struct schedules *schedules, const struct batch *batch, size_t lane, size_t block)
{
    for (size_t i = 0; i < WIDTH; i++) {
        const uint8_t *from = batch->messages[lane + i] + block * BLOCK_SIZE;
        for (int part = 0; part < 4; part++) {
            schedules->w[i][part] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(from + 16 * part)));
        }
    }
}

/* The second block, of those messages that have one. */
SHA2 INLINE void compress_second_blocks(struct states *states, const struct batch *batch, size_t lane)
{
    struct schedules schedules;
    const struct states before = *states;
    load_blocks(&schedules, batch, lane, 1);
    compress(states, &schedules);
    for (int i = 0; i < WIDTH; i++) {
        if (batch->blocks[lane + (size_t)i] == 1) {
            states->abcd[i] = before.abcd[i];
            states->efgh[i] = before.efgh[i];
        }
    }
}

/* The block that the outer hash takes: the inner digest and the padding of 96 bytes. */
SHA2 INLINE void load_inner_digests(struct schedules *schedules, const struct states *inner)
{
    static const uint32_t padding[WORDS] = {0x80000000, 0, 0, 0, 0, 0, 0, 8 * (BLOCK_SIZE + 32)};
    for (int i = 0; i < WIDTH; i++) {
        schedules->w[i][0] = inner->abcd[i];
        schedules->w[i][1] = inner->efgh[i];
        schedules->w[i][2] = vld1q_u32(padding);
        schedules->w[i][3] = vld1q_u32(padding + 4);
    }
}

SHA2 void hash_armv8(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    for (size_t lane = 0; lane < lanes; lane += WIDTH) {
        struct states inner, outer;
        struct schedules schedules;
        load_state(&inner, seeds->inner);
        load_state(&outer, seeds->outer);
        load_blocks(&schedules, batch, lane, 0);
        compress(&inner, &schedules);
        if ((batch->blocks[lane] | batch->blocks[lane + 1]) > 1) {
            compress_second_blocks(&inner, batch, lane);
        }
        load_inner_digests(&schedules, &inner);
        compress(&outer, &schedules);
        for (size_t i = 0; i < WIDTH; i++) {
            vst1q_u32(batch->words[lane + i], outer.abcd[i]);
            vst1q_u32(batch->words[lane + i] + 4, outer.efgh[i]);
        }
    }
}

#endif
