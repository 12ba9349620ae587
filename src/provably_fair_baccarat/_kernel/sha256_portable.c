/* SHA-256 (FIPS 180-4) in plain C: what runs where nothing better does, prepares seeds, and takes the exact way. */
#include "pfb1.h"

#include <string.h>

const uint32_t SHA256_INITIAL[WORDS] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

_Alignas(64) const uint32_t SHA256_ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

/* One round; the caller rotates the names instead of the values. */
#define ROUND(a, b, c, d, e, f, g, h, t)                                                                            \
    do {                                                                                                            \
        uint32_t sum = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (g ^ (e & (f ^ g))) + SHA256_ROUNDS[t]  \
            + w[(t) % BLOCK_WORDS];                                                                                 \
        d += sum;                                                                                                   \
        h = sum + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));                       \
    } while (0)

#define EIGHT_ROUNDS(t)                        \
    do {                                       \
        ROUND(a, b, c, d, e, f, g, h, (t));     \
        ROUND(h, a, b, c, d, e, f, g, (t) + 1); \
        ROUND(g, h, a, b, c, d, e, f, (t) + 2); \
        ROUND(f, g, h, a, b, c, d, e, (t) + 3); \
        ROUND(e, f, g, h, a, b, c, d, (t) + 4); \
        ROUND(d, e, f, g, h, a, b, c, (t) + 5); \
        ROUND(c, d, e, f, g, h, a, b, (t) + 6); \
        ROUND(b, c, d, e, f, g, h, a, (t) + 7); \
    } while (0)

static inline void extend(uint32_t w[BLOCK_WORDS])
{
    for (unsigned t = 0; t < BLOCK_WORDS; t++) {
        uint32_t w1 = w[(t + 1) % BLOCK_WORDS], w14 = w[(t + 14) % BLOCK_WORDS];
        w[t] += (rotate(w1, 7) ^ rotate(w1, 18) ^ w1 >> 3) + w[(t + 9) % BLOCK_WORDS] + (rotate(w14, 17) ^ rotate(w14, 19) ^ w14 >> 10);
    }
}

/* Compress 16 words; `w` is used up. */
static void compress_words(uint32_t state[WORDS], uint32_t w[BLOCK_WORDS])
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    EIGHT_ROUNDS(0);
    EIGHT_ROUNDS(8);
    for (unsigned t = 16; t < 64; t += 16) {
        extend(w);
        EIGHT_ROUNDS(t);
        EIGHT_ROUNDS(t + 8);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

static inline uint32_t load_big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void compress_portable(uint32_t state[WORDS], const uint8_t block[BLOCK_SIZE])
{
    uint32_t w[BLOCK_WORDS];
    for (unsigned t = 0; t < BLOCK_WORDS; t++) {
        w[t] = load_big_endian(block + 4 * t);
    }
    compress_words(state, w);
}

/* The outer hash of HMAC: of an inner digest of 32 bytes after a key pad of 64. */
static void hash_outer(const struct seeds *seeds, const uint32_t inner[WORDS], uint32_t words[WORDS])
{
    uint32_t w[BLOCK_WORDS] = {[8] = 0x80000000, [15] = 8 * (BLOCK_SIZE + 32)};
    memcpy(w, inner, sizeof(uint32_t[WORDS]));
    memcpy(words, seeds->outer, sizeof seeds->outer);
    compress_words(words, w);
}

void hash_portable(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    for (size_t lane = 0; lane < lanes; lane++) {
        uint32_t inner[WORDS];
        memcpy(inner, seeds->inner, sizeof inner);
        for (unsigned i = 0; i < batch->blocks[lane]; i++) {
            compress_portable(inner, batch->messages[lane] + (size_t)i * BLOCK_SIZE);
        }
        hash_outer(seeds, inner, batch->words[lane]);
    }
}
