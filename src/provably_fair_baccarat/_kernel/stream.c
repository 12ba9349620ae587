/* The stream and its draws as they are, for those who test them: steps 3 and 4. */
#include "pfb1.h"

#include <string.h>

static void write_big_endian(uint8_t *to, uint32_t number, size_t size)
{
    for (size_t i = size; i > 0; i--, number >>= 8) {
        to[i - 1] = (uint8_t)number;
    }
}

/* Whether a draw of the coup may reject a word of block 0. */
static bool is_suspect(const uint32_t words[WORDS])
{
    bool suspect = false;
    for (size_t i = 0; i < DRAWS; i++) {
        suspect |= words[i] >= ALWAYS_ACCEPTED;
    }
    return suspect;
}

/* Write block 0 of every coup, which is all that it takes unless words of it are rejected. Stops before a coup that takes more; `done`
 * says how many were written. */
enum streamed write_blocks(const struct path *path, const struct seeds *seeds, struct nonces nonces, block_bytes *out, size_t *done)
{
    struct batch batch;
    uint64_t numbers[LANES];
    uint32_t draws[DRAWS];
    memset(batch.digits, 0, sizeof batch.digits);
    for (*done = 0; *done < nonces.count;) {
        size_t count = fill_batch(seeds, &nonces, &batch, numbers, *done);
        if (count == 0) {
            return REFUSED;
        }
        path->hash(seeds, &batch, whole_groups(count));
        for (size_t lane = 0; lane < count; lane++, ++*done) {
            const uint32_t *words = batch.words[lane];
            if (is_suspect(words) && draw_exact(seeds, numbers[lane], draws) > 1) {
                return STOPPED;
            }
            for (size_t i = 0; i < WORDS; i++) {
                write_big_endian(out[*done] + WORD_SIZE * i, words[i], WORD_SIZE);
            }
        }
    }
    return ALL_WRITTEN;
}

/* Write the seven draws of every coup. */
enum streamed write_draws(const struct path *path, const struct seeds *seeds, struct nonces nonces, draw_bytes *out)
{
    struct batch batch;
    uint64_t numbers[LANES];
    memset(batch.digits, 0, sizeof batch.digits);
    for (size_t first = 0; first < nonces.count; first += LANES) {
        size_t count = fill_batch(seeds, &nonces, &batch, numbers, first);
        if (count == 0) {
            return REFUSED;
        }
        path->hash(seeds, &batch, whole_groups(count));
        for (size_t lane = 0; lane < count; lane++) {
            uint32_t draws[DRAWS];
            for (size_t i = 0; i < DRAWS; i++) {
                draws[i] = batch.words[lane][i] % seeds->choices[i];
            }
            if (is_suspect(batch.words[lane])) {
                draw_exact(seeds, numbers[lane], draws);
            }
            for (size_t i = 0; i < DRAWS; i++) {
                write_big_endian(out[first + lane] + DRAW_SIZE * i, draws[i], DRAW_SIZE);
            }
        }
    }
    return ALL_WRITTEN;
}

/* draw(n) of step 4, again and again, from so many big-endian words: a result of 4 bytes, big-endian, for each word that is not rejected.
 * Returns how many. `out` may be where the words are. */
size_t scale_words(const uint8_t *words, size_t count, uint64_t n, uint8_t *out)
{
    uint64_t limit = (UINT64_C(1) << 32) - (UINT64_C(1) << 32) % n;
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = words + WORD_SIZE * i;
        uint32_t word = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        if (word < limit) {
            write_big_endian(out + WORD_SIZE * drawn++, (uint32_t)(word % n), WORD_SIZE);
        }
    }
    return drawn;
}
