/* The messages of step 3, and the decimal numbers in them. */
#include "pfb1.h"

#include <string.h>

static const uint64_t POWERS_OF_TEN[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000,
};

static const char PAIRS[] =
    "00010203040506070809"
    "10111213141516171819"
    "20212223242526272829"
    "30313233343536373839"
    "40414243444546474849"
    "50515253545556575859"
    "60616263646566676869"
    "70717273747576777879"
    "80818283848586878889"
    "90919293949596979899";

/* How many decimal digits a nonce has. `guess`, 1 to 16, costs nothing where it is right. */
static unsigned count_digits(uint64_t nonce, unsigned guess)
{
    unsigned digits = guess;
    while (nonce >= POWERS_OF_TEN[digits]) {
        digits++;
    }
    while (digits > 1 && nonce < POWERS_OF_TEN[digits - 1]) {
        digits--;
    }
    return digits;
}

/* Write a number of so many decimal digits, without leading zeros, two at a time from the right. */
static void write_decimal(uint8_t *to, uint64_t number, unsigned digits)
{
    uint8_t *end = to + digits;
    for (; digits >= 2; digits -= 2) {
        uint64_t rest = number / 100;
        end -= 2;
        memcpy(end, PAIRS + 2 * (number - 100 * rest), 2);
        number = rest;
    }
    if (digits) {
        *to = (uint8_t)('0' + number);
    }
}

/* The padding of SHA-256: a one bit, zeros, and the length in bits in the last 8 bytes of the last block. Returns the blocks filled. */
static unsigned pad(uint8_t *message, size_t size, size_t hashed_size)
{
    unsigned blocks = size + 1 + 8 <= BLOCK_SIZE ? 1 : 2;
    uint64_t bits = 8 * (uint64_t)(hashed_size + size);
    uint8_t *end = message + (size_t)blocks * BLOCK_SIZE;
    message[size] = 0x80;
    for (unsigned i = 1; i <= 8; i++) {
        end[-(int)i] = (uint8_t)bits;
        bits >>= 8;
    }
    return blocks;
}

/* Write the last one or two blocks of the message of step 3: what is left of the prefix, nonce ":" i, padding. */
static unsigned lay_out(const struct seeds *seeds, uint8_t message[2 * BLOCK_SIZE], uint64_t nonce, unsigned digits, uint32_t i)
{
    unsigned block_digits = count_digits(i, 1);
    uint8_t *at = message + seeds->tail_size;
    memset(message, 0, 2 * BLOCK_SIZE);
    memcpy(message, seeds->tail, seeds->tail_size);
    write_decimal(at, nonce, digits);
    at[digits] = ':';
    write_decimal(at + digits + 1, i, block_digits);
    return pad(message, seeds->tail_size + digits + 1 + block_digits, seeds->hashed_size);
}

/* Write the message of block 0 into a lane. Where the last one there was as long, only the digits of the nonce are new. */
void write_message(const struct seeds *seeds, struct batch *batch, size_t lane, uint64_t nonce)
{
    uint8_t *message = batch->messages[lane];
    unsigned known = batch->digits[lane];
    unsigned digits = count_digits(nonce, known ? known : 1);
    if (digits == known) {
        write_decimal(message + seeds->tail_size, nonce, digits);
        return;
    }
    batch->digits[lane] = (uint8_t)digits;
    batch->blocks[lane] = (uint8_t)lay_out(seeds, message, nonce, digits, 0);
}

/* block(i) of step 3, by the book. */
void exact_block(const struct seeds *seeds, uint64_t nonce, uint32_t i, uint32_t words[WORDS])
{
    struct batch batch;
    batch.blocks[0] = (uint8_t)lay_out(seeds, batch.messages[0], nonce, count_digits(nonce, 1), i);
    hash_portable(seeds, &batch, 1);
    memcpy(words, batch.words[0], sizeof batch.words[0]);
}

static void hash_key_pad(compress_function *compress, uint32_t state[WORDS], const uint8_t key[KEY_SIZE], uint8_t pad_byte)
{
    uint8_t block[BLOCK_SIZE];
    memset(block, pad_byte, sizeof block);
    for (size_t i = 0; i < KEY_SIZE; i++) {
        block[i] ^= key[i];
    }
    memcpy(state, SHA256_INITIAL, sizeof SHA256_INITIAL);
    compress(state, block);
    wipe(block, sizeof block);
}

static void prepare_draws(struct seeds *seeds, unsigned decks)
{
    seeds->shoe_size = DECK_SIZE * decks;
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        uint32_t choices = draw ? seeds->shoe_size - (draw - 1) : seeds->shoe_size;
        seeds->choices[draw] = choices;
        seeds->reciprocals[draw] = (uint32_t)((UINT64_C(1) << 32) / choices);
    }
}

void prepare_seeds(compress_function *compress, struct seeds *seeds, const uint8_t key[KEY_SIZE], const uint8_t *prefix, size_t prefix_size,
                   unsigned decks)
{
    memset(seeds, 0, sizeof *seeds);
    hash_key_pad(compress, seeds->inner, key, 0x36);
    hash_key_pad(compress, seeds->outer, key, 0x5c);
    seeds->hashed_size = BLOCK_SIZE;
    for (; prefix_size >= BLOCK_SIZE; prefix += BLOCK_SIZE, prefix_size -= BLOCK_SIZE) {
        compress(seeds->inner, prefix);
        seeds->hashed_size += BLOCK_SIZE;
    }
    memcpy(seeds->tail, prefix, prefix_size);
    seeds->tail_size = prefix_size;
    prepare_draws(seeds, decks);
}

static void *(*volatile overwrite)(void *, int, size_t) = memset;

/* Overwrite a secret, also where the compiler sees that nobody will read the memory again: it cannot see what is called. */
void wipe(void *secret, size_t size)
{
    overwrite(secret, 0, size);
}
