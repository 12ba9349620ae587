/* The exact way: steps 3 to 5 by the book, with rejections and a whole shoe. One coup in a hundred thousand comes here. */
#include "pfb1.h"

struct stream {
    const struct seeds *seeds;
    uint64_t nonce;
    uint32_t words[WORDS];
    uint32_t next_block;
    unsigned taken; /* words of the present block */
};

/* The words of block 0, then of block 1, and so on without end (step 3). */
static uint32_t next_word(struct stream *stream)
{
    if (stream->taken == WORDS) {
        exact_block(stream->seeds, stream->nonce, stream->next_block++, stream->words);
        stream->taken = 0;
    }
    return stream->words[stream->taken++];
}

/* A whole number from 0 to n - 1 (step 4). */
static uint32_t draw(struct stream *stream, uint32_t n)
{
    uint64_t limit = (UINT64_C(1) << 32) - (UINT64_C(1) << 32) % n;
    uint32_t word = next_word(stream);
    while (word >= limit) {
        word = next_word(stream);
    }
    return word % n;
}

/* The draws of a coup: the cut, then draw(N - k) for the positions (steps 5.2 and 5.3). Returns how many blocks of the stream they take. */
uint32_t draw_exact(const struct seeds *seeds, uint64_t nonce, uint32_t draws[DRAWS])
{
    struct stream stream = {.seeds = seeds, .nonce = nonce, .taken = WORDS};
    draws[0] = draw(&stream, seeds->shoe_size);
    for (uint32_t k = 0; k < POSITIONS; k++) {
        draws[1 + k] = draw(&stream, seeds->shoe_size - k);
    }
    return stream.next_block;
}

/* Cut the shoe and shuffle it until six cards are drawn (step 5), then deal (step 6). */
void derive_exact(const struct seeds *seeds, uint64_t nonce, struct record *coup)
{
    uint16_t shoe[DECK_SIZE * MAX_DECKS];
    uint32_t draws[DRAWS];
    uint32_t size = seeds->shoe_size;
    draw_exact(seeds, nonce, draws);
    uint32_t cut = draws[0];
    for (uint32_t s = 0; s < size; s++) {
        shoe[s] = (uint16_t)((cut + s) % size);
    }
    for (uint32_t k = 0; k < POSITIONS; k++) {
        uint32_t j = k + draws[1 + k];
        uint16_t card = shoe[j];
        shoe[j] = shoe[k];
        shoe[k] = card;
        coup->cards[k] = (uint8_t)(card % DECK_SIZE);
    }
    coup->cut[0] = (uint8_t)cut;
    coup->cut[1] = (uint8_t)(cut >> 8);
    deal(coup);
}
