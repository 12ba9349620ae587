/* Columns of a table of rounds: card texts to cards, and the sums and counts that an audit keeps. None of it knows a seed.
 *
 * Each function is told how long its columns are, and returns false, with some of its work done, for a value that cannot be.
 */
#include "pfb1.h"

#include <string.h>

static int32_t int32_at(const uint8_t *column, size_t place)
{
    int32_t value;
    memcpy(&value, column + place * sizeof value, sizeof value);
    return value;
}

static int64_t int64_at(const uint8_t *column, size_t place)
{
    int64_t value;
    memcpy(&value, column + place * sizeof value, sizeof value);
    return value;
}

/* The letters of step 5.1, from 1 on; 0 for any other. */
static const uint8_t RANKS[256] = {
    ['A'] = 1, ['2'] = 2, ['3'] = 3, ['4'] = 4, ['5'] = 5, ['6'] = 6, ['7'] = 7,
    ['8'] = 8, ['9'] = 9, ['T'] = 10, ['J'] = 11, ['Q'] = 12, ['K'] = 13,
};
static const uint8_t SUITS[256] = {['s'] = 1, ['h'] = 2, ['d'] = 3, ['c'] = 4};

/* The cards of one text, NO_CARD behind the last one. Returns how many there are; 0 for a text that is none. */
static uint8_t read_text(const uint8_t *text, size_t size, size_t most, uint8_t *cards)
{
    size_t count = size <= 2 * most && size % 2 == 0 ? size / 2 : 0;
    bool is_wrong = false;
    for (size_t place = 0; place < most; place++) {
        unsigned rank = place < count ? RANKS[text[2 * place]] : 0, suit = place < count ? SUITS[text[2 * place + 1]] : 0;
        bool is_card = rank && suit;
        cards[place] = is_card ? (uint8_t)(rank - 1 + 13 * (suit - 1)) : NO_CARD;
        is_wrong |= place < count && !is_card;
    }
    return is_wrong ? 0 : (uint8_t)count;
}

/* Texts like "AsKh", each from one of `count` + 1 offsets of 4 bytes to the next: `most` cards each, and how many of them are some. */
bool read_cards(const uint8_t *texts, size_t size, const uint8_t *offsets, size_t count, size_t most, uint8_t *cards, uint8_t *used)
{
    for (size_t row = 0; row < count; row++) {
        int32_t start = int32_at(offsets, row), stop = int32_at(offsets, row + 1);
        if (start < 0 || stop < start || (size_t)stop > size) {
            return false;
        }
        used[row] = read_text(texts + start, (size_t)(stop - start), most, cards + row * most);
    }
    return true;
}

/* The SHA-256 of a message. */
static void hash(compress_function *compress, const uint8_t *message, size_t size, uint8_t digest[DIGEST_SIZE])
{
    uint32_t state[WORDS];
    uint8_t last[2 * BLOCK_SIZE] = {0};
    size_t rest = size % BLOCK_SIZE, filled = rest + 1 + 8 <= BLOCK_SIZE ? BLOCK_SIZE : 2 * BLOCK_SIZE;
    memcpy(state, SHA256_INITIAL, sizeof state);
    for (size_t done = 0; done + BLOCK_SIZE <= size; done += BLOCK_SIZE) {
        compress(state, message + done);
    }
    memcpy(last, message + size - rest, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        last[filled - 1 - i] = (uint8_t)(8 * (uint64_t)size >> 8 * i);
    }
    for (size_t done = 0; done < filled; done += BLOCK_SIZE) {
        compress(state, last + done);
    }
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
    wipe(last, sizeof last); /* it may hold a server seed */
}

/* The SHA-256 of each row of so many bytes. */
void hash_rows(compress_function *compress, const uint8_t *rows, size_t width, size_t count, uint8_t *digests)
{
    for (size_t row = 0; row < count; row++) {
        hash(compress, rows + row * width, width, digests + row * DIGEST_SIZE);
    }
}

/* Add amounts to the sums of their rows. */
bool add_amounts(const uint8_t *rows, const uint8_t *amounts, size_t count, int64_t *sums, size_t size)
{
    for (size_t line = 0; line < count; line++) {
        int32_t row = int32_at(rows, line);
        int64_t amount = int64_at(amounts, line);
        if (row < 0 || (size_t)row >= size || amount < 0 || amount > INT64_MAX - sums[row]) {
            return false;
        }
        sums[row] += amount;
    }
    return true;
}

static void add(uint64_t sum[2], uint64_t low, uint64_t high)
{
    sum[0] += low;
    sum[1] += high + (sum[0] < low);
}

/* Add the square of a number: of two halves of 32 bits, the products are a^2 x 2^64 + 2ab x 2^32 + b^2. */
static void add_square(uint64_t sum[2], uint64_t number)
{
    uint64_t a = number >> 32, b = number & UINT32_MAX, twice = 2 * a * b; /* a is below 2^20 */
    add(sum, b * b, a * a);
    add(sum, twice << 32, twice >> 32);
}

/* Add lines to the sums of their codes: no more of them, and no larger stakes, than that squares fit 128 bits. */
bool sum_lines(const uint8_t *codes, const uint8_t *stakes, const uint8_t *returns, size_t count, struct line_sums *sums, size_t size)
{
    if (count > MOST_LINES) {
        return false;
    }
    for (size_t line = 0; line < count; line++) {
        int64_t code = int64_at(codes, line), stake = int64_at(stakes, line), returned = int64_at(returns, line);
        if (code < 0 || (uint64_t)code >= size || stake < 0 || stake > MAX_STAKE || returned < 0) {
            return false;
        }
        struct line_sums *sum = &sums[code];
        sum->lines++;
        sum->hits += returned > 0;
        sum->largest = (uint64_t)stake > sum->largest ? (uint64_t)stake : sum->largest;
        add(sum->staked, (uint64_t)stake, 0);
        add(sum->returned, (uint64_t)returned, 0);
        if (stake <= UINT32_MAX) {
            add(sum->squared, (uint64_t)stake * (uint64_t)stake, 0);
        } else {
            add_square(sum->squared, (uint64_t)stake);
        }
    }
    return true;
}

static unsigned points_of(uint8_t card)
{
    return card < DECK_SIZE ? POINTS[card % 13] : 0;
}

/* Count coups: scores and cards used, cards by position, cuts, and what the banker decides by (step 6). */
bool count_coups(const struct coup_columns *coups, struct coup_counts *counts)
{
    for (size_t row = 0; row < coups->count; row++) {
        const uint8_t *cards = coups->cards + row * POSITIONS;
        unsigned player = coups->player_score[row], banker = coups->banker_score[row], used = coups->used[row];
        uint16_t cut;
        memcpy(&cut, coups->cuts + row * sizeof cut, sizeof cut);
        if (!coups->is_chosen[row]) {
            continue;
        }
        if (player > 9 || banker > 9 || used < 4 || used > 6) {
            return false;
        }
        counts->classes[(player * 10 + banker) * 3 + used - 4]++;
        for (size_t position = 0; position < POSITIONS; position++) {
            counts->cards[position][cards[position]]++;
        }
        counts->cuts[cut]++;
        unsigned player_two = (points_of(cards[0]) + points_of(cards[2])) % 10, banker_two = (points_of(cards[1]) + points_of(cards[3])) % 10;
        counts->situations[(player_two * 10 + banker_two) * 10 + points_of(cards[4])]++;
    }
    return true;
}
