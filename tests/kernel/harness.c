/* The kernel without Python: for sanitizers, for processors that are only emulated here, and to look for rare coups.
 *
 *   harness paths                                    the paths of this processor
 *   harness records                                  reads lines "path key prefix decks nonce", prints each record
 *   harness blocks                                   reads lines "key prefix nonce i", prints block(i) of protocol step 3
 *   harness exact                                    reads lines "decks word word ...", prints the record of these words
 *   harness draws                                    reads the same, prints the number of blocks taken and the seven draws, with commas
 *   harness search KEY PREFIX DECKS START COUNT      prints nonce, draw, word and fate of every word that may be rejected
 *   harness fuzz ROUNDS SEED                         compares every path with the exact way, on buffers of exactly the right size
 *
 * Keys, prefixes and words are in hex.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfb1.h"

/* The exact way once more, on words that are given instead of hashed. */
static const uint32_t *given_words;

static void given_block(const struct seeds *seeds, uint64_t nonce, uint32_t i, uint32_t words[WORDS])
{
    (void)seeds;
    (void)nonce;
    memcpy(words, given_words + (size_t)i * WORDS, sizeof(uint32_t[WORDS]));
}

#define exact_block given_block
#define derive_exact derive_given
#define draw_exact draw_given
void derive_given(const struct seeds *, uint64_t, struct record *);
uint32_t draw_given(const struct seeds *, uint64_t, uint32_t draws[DRAWS]);
#include "coup_exact.c"
#undef exact_block
#undef derive_exact

/* The same for the stream, which stops before a coup that takes a second block. */
static void hash_given(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    (void)seeds;
    for (size_t lane = 0; lane < lanes; lane++) {
        memcpy(batch->words[lane], given_words, sizeof batch->words[lane]);
    }
}

#define write_blocks write_given_blocks
#define write_draws write_given_draws
#define scale_words scale_given_words
enum streamed write_given_blocks(const struct path *, const struct seeds *, struct nonces, block_bytes *, size_t *);
enum streamed write_given_draws(const struct path *, const struct seeds *, struct nonces, draw_bytes *);
size_t scale_given_words(const uint8_t *, size_t, uint64_t, uint8_t *);
#include "stream.c"
#undef write_blocks
#undef write_draws
#undef scale_words
#undef draw_exact

static void fail(const char *what)
{
    fprintf(stderr, "harness: %s\n", what);
    exit(1);
}

static size_t read_hex(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = strlen(text) / 2;
    if (size > room) {
        fail("too long");
    }
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            fail("not hex");
        }
        bytes[i] = (uint8_t)byte;
    }
    return size;
}

static struct seeds read_seeds(const char *key_text, const char *prefix_text, unsigned decks)
{
    struct seeds seeds;
    uint8_t key[KEY_SIZE], prefix[MAX_PREFIX_SIZE];
    if (read_hex(key_text, key, sizeof key) != KEY_SIZE || decks < 1 || decks > MAX_DECKS) {
        fail("a key of 32 bytes and 1 to 8 decks are needed");
    }
    prepare_seeds(compress_portable, &seeds, key, prefix, read_hex(prefix_text, prefix, sizeof prefix), decks);
    return seeds;
}

static struct path path_named(const char *name)
{
    struct path paths[MAX_PATHS];
    size_t count = find_paths(paths);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(paths[i].name, name) == 0) {
            return paths[i];
        }
    }
    fail("no such path");
    return paths[0];
}

static void print_record(const struct record *record)
{
    const uint8_t *bytes = (const uint8_t *)record;
    for (size_t i = 0; i < sizeof *record; i++) {
        printf("%02x", bytes[i]);
    }
    putchar('\n');
}

static void print_paths(void)
{
    struct path paths[MAX_PATHS];
    size_t count = find_paths(paths);
    for (size_t i = 0; i < count; i++) {
        puts(paths[i].name);
    }
}

static void print_records(void)
{
    char name[16], key[65], prefix[2 * MAX_PREFIX_SIZE + 1];
    unsigned decks;
    uint64_t nonce;
    while (scanf("%15s %64s %320s %u %" SCNu64, name, key, prefix, &decks, &nonce) == 5) {
        struct path path = path_named(name);
        struct seeds seeds = read_seeds(key, prefix, decks);
        struct record bulk, one;
        uint64_t wins[WINNERS] = {0};
        if (!run(&path, &seeds, (struct nonces){.first = nonce, .count = 1}, 1, &bulk, NULL, wins)) {
            fail("refused");
        }
        derive_one(&path, &seeds, nonce, &one);
        if (memcmp(&one, &bulk, sizeof one) != 0) {
            fail("a coup alone differs from the same coup in a batch");
        }
        print_record(&bulk);
    }
}

static void print_blocks(void)
{
    char key[65], prefix[2 * MAX_PREFIX_SIZE + 1];
    uint64_t nonce;
    uint32_t i, words[WORDS];
    while (scanf("%64s %320s %" SCNu64 " %" SCNu32, key, prefix, &nonce, &i) == 4) {
        struct seeds seeds = read_seeds(key, prefix, 8);
        exact_block(&seeds, nonce, i, words);
        for (int word = 0; word < WORDS; word++) {
            printf("%08" PRIx32, words[word]);
        }
        putchar('\n');
    }
}

static void print_draws(const struct seeds *seeds)
{
    const struct path path = {.hash = hash_given};
    const struct nonces one = {.first = 0, .count = 1};
    block_bytes block;
    draw_bytes written;
    size_t done;
    uint32_t draws[DRAWS], blocks = draw_given(seeds, 0, draws);
    enum streamed end = write_given_blocks(&path, seeds, one, &block, &done);
    if (end != (blocks > 1 ? STOPPED : ALL_WRITTEN) || done != (blocks == 1)) {
        fail("the stream stops in the wrong place");
    }
    write_given_draws(&path, seeds, one, &written);
    for (int i = 0; i < DRAWS; i++) {
        if ((uint32_t)written[2 * i] * 256 + written[2 * i + 1] != draws[i]) {
            fail("a draw of the stream is not the exact one");
        }
    }
    printf("%" PRIu32, blocks);
    for (int i = 0; i < DRAWS; i++) {
        printf(",%" PRIu32, draws[i]);
    }
    putchar('\n');
}

static void print_exact(bool draws_only)
{
    unsigned decks;
    uint32_t words[4 * WORDS];
    const uint8_t key[KEY_SIZE] = {0};
    given_words = words;
    while (scanf("%u", &decks) == 1) {
        struct seeds seeds;
        struct record record;
        for (size_t i = 0; i < 4 * WORDS; i++) {
            if (scanf("%" SCNx32, &words[i]) != 1) {
                fail("too few words");
            }
        }
        prepare_seeds(compress_portable, &seeds, key, key, 1, decks);
        if (draws_only) {
            print_draws(&seeds);
            continue;
        }
        derive_given(&seeds, 0, &record);
        print_record(&record);
    }
}

static void search(const struct seeds *seeds, uint64_t start, uint64_t count)
{
    struct path paths[MAX_PATHS];
    struct batch batch;
    find_paths(paths);
    memset(batch.digits, 0, sizeof batch.digits);
    for (uint64_t done = 0; done < count; done += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            write_message(seeds, &batch, lane, start + done + lane);
        }
        paths[0].hash(seeds, &batch, LANES);
        for (size_t lane = 0; lane < LANES; lane++) {
            for (int draw = 0; draw < DRAWS; draw++) {
                uint64_t rest = (UINT64_C(1) << 32) % seeds->choices[draw], word = batch.words[lane][draw];
                if (word >= ALWAYS_ACCEPTED) {
                    bool rejected = word >= (UINT64_C(1) << 32) - rest;
                    printf("%" PRIu64 " %d %08" PRIx64 " %s\n", start + done + lane, draw, word, rejected ? "rejected" : "accepted");
                }
            }
        }
    }
}

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A nonce of a random number of digits, often beside a power of ten. */
static uint64_t random_nonce(void)
{
    uint64_t power = 1;
    for (uint64_t digits = next_random() % 16; digits > 0; digits--) {
        power *= 10;
    }
    uint64_t nonce = next_random() % 2 ? power - 3 + next_random() % 6 : next_random() % (10 * power);
    return nonce > MAX_NONCE ? MAX_NONCE - next_random() % 100 : nonce;
}

static uint32_t read_big_endian(const uint8_t *from, size_t size)
{
    uint32_t number = 0;
    for (size_t i = 0; i < size; i++) {
        number = number << 8 | from[i];
    }
    return number;
}

/* draw(n) of every word of a block must be what step 4 says, also where the results lie on the words. */
static void fuzz_scale(const uint8_t *block)
{
    uint64_t n = 1 + next_random() % (next_random() % 2 ? 1000 : UINT64_C(1) << 32), limit = (UINT64_C(1) << 32) - (UINT64_C(1) << 32) % n;
    uint8_t *words = malloc(sizeof(block_bytes));
    if (words == NULL) {
        fail("no memory");
    }
    memcpy(words, block, sizeof(block_bytes));
    size_t drawn = scale_words(words, WORDS, n, words), expected = 0;
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t word = read_big_endian(block + WORD_SIZE * i, WORD_SIZE);
        if (word < limit && read_big_endian(words + WORD_SIZE * expected++, WORD_SIZE) != word % n) {
            fail("a wrong draw from a range");
        }
    }
    if (drawn != expected) {
        fail("a wrong number of draws from a range");
    }
    free(words);
}

/* Words and draws by one path, in buffers that end where their last byte ends. */
static void fuzz_stream(const struct path *path, const struct seeds *seeds, struct nonces nonces, bool is_right)
{
    block_bytes *blocks = malloc(nonces.count * sizeof *blocks + 1);
    draw_bytes *draws = malloc(nonces.count * sizeof *draws + 1);
    size_t done = 0;
    if (blocks == NULL || draws == NULL) {
        fail("no memory");
    }
    blocks = (block_bytes *)((uint8_t *)blocks + 1), draws = (draw_bytes *)((uint8_t *)draws + 1);
    enum streamed end = is_right ? ALL_WRITTEN : REFUSED;
    if (write_blocks(path, seeds, nonces, blocks, &done) != end || write_draws(path, seeds, nonces, draws) != end) {
        fail("a nonce of the stream was wrongly taken or refused");
    }
    for (size_t i = 0; i < nonces.count && is_right; i++) {
        uint64_t nonce = nonces.first + i;
        uint32_t words[WORDS], drawn[DRAWS];
        if (nonces.array) {
            memcpy(&nonce, nonces.array + i * sizeof nonce, sizeof nonce);
        }
        exact_block(seeds, nonce, 0, words);
        if (draw_exact(seeds, nonce, drawn) != 1 || done != nonces.count) {
            fail("a coup that takes two blocks, once in a million years");
        }
        for (size_t word = 0; word < WORDS; word++) {
            if (read_big_endian(blocks[i] + WORD_SIZE * word, WORD_SIZE) != words[word]) {
                fail("a wrong word");
            }
        }
        for (size_t draw = 0; draw < DRAWS; draw++) {
            if (read_big_endian(draws[i] + DRAW_SIZE * draw, DRAW_SIZE) != drawn[draw]) {
                fail("a wrong draw");
            }
        }
        fuzz_scale(blocks[i]);
    }
    free((uint8_t *)blocks - 1);
    free((uint8_t *)draws - 1);
}

/* One seed pair, and a range or an array of nonces in a buffer that ends where its last byte ends, by every path. */
static void fuzz_once(void)
{
    struct path paths[MAX_PATHS];
    size_t path_count = find_paths(paths), count = next_random() % 200, prefix_size = 1 + next_random() % MAX_PREFIX_SIZE;
    uint8_t key[KEY_SIZE], *prefix = malloc(prefix_size), *array = malloc(count * sizeof(uint64_t) + 1);
    struct record *records = malloc(count * sizeof *records + 1), exact;
    struct seeds seeds;
    bool in_a_row = next_random() % 2, is_wrong = !in_a_row && count && next_random() % 8 == 0;
    uint64_t first = random_nonce();
    first = first > MAX_NONCE - count ? MAX_NONCE - count : first;
    if (prefix == NULL || array == NULL || records == NULL) {
        fail("no memory");
    }
    for (size_t i = 0; i < KEY_SIZE; i++) {
        key[i] = (uint8_t)next_random();
    }
    for (size_t i = 0; i < prefix_size; i++) {
        prefix[i] = (uint8_t)next_random();
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t nonce = in_a_row ? first + i : random_nonce();
        memcpy(array + 1 + i * sizeof nonce, &nonce, sizeof nonce); /* never aligned */
    }
    if (is_wrong) {
        uint64_t nonce = MAX_NONCE + 1 + next_random() / 2;
        memcpy(array + 1 + next_random() % count * sizeof nonce, &nonce, sizeof nonce);
    }
    prepare_seeds(compress_portable, &seeds, key, prefix, prefix_size, 1 + (unsigned)(next_random() % MAX_DECKS));
    for (size_t p = 0; p < path_count; p++) {
        struct nonces nonces = {.array = in_a_row ? NULL : array + 1, .first = in_a_row ? first : 0, .count = count};
        struct record *out = (struct record *)((uint8_t *)records + 1); /* ends with the allocation */
        uint64_t wins[WINNERS] = {0}, counted[WINNERS] = {0};
        unsigned threads = 1 + (unsigned)(next_random() % 3);
        class_table *classes = calloc(threads, sizeof *classes);
        if (classes == NULL) {
            fail("no memory");
        }
        bool done = run(&paths[p], &seeds, nonces, threads, out, classes, wins);
        if (done == is_wrong || run(&paths[p], &seeds, nonces, 1, NULL, NULL, counted) == is_wrong) {
            fail("a nonce was wrongly taken or refused");
        }
        fuzz_stream(&paths[p], &seeds, nonces, !is_wrong);
        for (size_t i = 0; i < count && done; i++) {
            uint64_t nonce;
            memcpy(&nonce, array + 1 + i * sizeof nonce, sizeof nonce);
            derive_exact(&seeds, nonce, &exact);
            if (memcmp(&exact, &out[i], sizeof exact) != 0) {
                fail(paths[p].name);
            }
            counted[exact.winner]--;
            wins[exact.winner]--;
            classes[0][(exact.player_score * 10 + exact.banker_score) * 4 + (exact.flags & DREW)]--;
        }
        for (int class = 0; class < CLASSES && done; class++) {
            if (classes[0][class]) {
                fail("wrong classes");
            }
        }
        free(classes);
        for (int winner = 0; winner < WINNERS && done; winner++) {
            if (wins[winner] || counted[winner]) {
                fail("wrong counts");
            }
        }
    }
    free(prefix);
    free(array);
    free(records);
}

/* Rows of some seed pairs, now and then with one that cannot be, by every path, in buffers that end where their last byte ends. */
static void fuzz_rows_once(void)
{
    enum { PAIRS = 3, LONGEST = 128 };
    struct path paths[MAX_PATHS];
    size_t path_count = find_paths(paths), count = next_random() % 150, size = 0;
    uint8_t *keys = malloc(PAIRS * KEY_SIZE), *games = malloc(count + 1), *texts = malloc(PAIRS * LONGEST);
    uint8_t *key_of_row = malloc(4 * count + 1), *text_of_row = malloc(4 * count + 1), *nonces = malloc(8 * count + 1);
    struct record *records = malloc(count * sizeof *records + 1), exact;
    int32_t offsets[PAIRS + 1] = {0}, key = 0, text = 0;
    uint8_t game = 8;
    bool is_wrong = false;
    for (size_t i = 0; i < PAIRS * KEY_SIZE; i++) {
        keys[i] = (uint8_t)next_random();
    }
    for (size_t i = 0; i < PAIRS; i++) {
        for (size_t length = next_random() % (LONGEST + 1); length > 0; length--) {
            texts[size++] = (uint8_t)next_random();
        }
        offsets[i + 1] = (int32_t)size;
    }
    texts = realloc(texts, size + 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t nonce = random_nonce();
        if (next_random() % 6 == 0) {
            key = (int32_t)(next_random() % (PAIRS + 1)) - 1;
            text = (int32_t)(next_random() % PAIRS);
            game = (uint8_t)(1 + next_random() % MAX_DECKS + 16 * (next_random() % 2));
        }
        int32_t row_key = key, row_text = text;
        uint8_t row_game = game;
        if (next_random() % 2000 == 0) {
            row_key = row_key == -1 ? 0 : row_key;
            switch (next_random() % 4) {
            case 0: row_key = PAIRS + (int32_t)(next_random() % 1000); break;
            case 1: row_text = -1 - (int32_t)(next_random() % 1000); break;
            case 2: row_game = (uint8_t)(9 + next_random() % 8); break;
            default: nonce = MAX_NONCE + 1 + next_random() / 2;
            }
            is_wrong = true;
        }
        memcpy(key_of_row + 1 + 4 * i, &row_key, 4);
        memcpy(text_of_row + 1 + 4 * i, &row_text, 4);
        memcpy(nonces + 1 + 8 * i, &nonce, 8);
        games[1 + i] = row_game;
    }
    const struct rows rows = {keys, PAIRS, key_of_row + 1, games + 1, texts, size, (uint8_t *)offsets, PAIRS, text_of_row + 1, nonces + 1, count};
    for (size_t p = 0; p < path_count; p++) {
        struct record *out = (struct record *)((uint8_t *)records + 1);
        if (derive_rows(&paths[p], &rows, out) == is_wrong) {
            fail("a row was wrongly taken or refused");
        }
        for (size_t i = 0; i < count && !is_wrong; i++) {
            char prefix[MAX_PREFIX_SIZE];
            uint64_t nonce;
            memset(&exact, 0, sizeof exact);
            memcpy(&key, key_of_row + 1 + 4 * i, 4);
            memcpy(&text, text_of_row + 1 + 4 * i, 4);
            memcpy(&nonce, nonces + 1 + 8 * i, 8);
            if (key != -1) {
                struct seeds seeds;
                size_t length = (size_t)(offsets[text + 1] - offsets[text]);
                unsigned decks = games[1 + i] % 16u;
                size_t at = (size_t)snprintf(prefix, sizeof prefix, "%s:%u:", games[1 + i] >= 16 ? "pfb1-chain" : "pfb1", decks);
                memcpy(prefix + at, texts + offsets[text], length);
                prefix[at + length] = ':';
                prepare_seeds(compress_portable, &seeds, keys + (size_t)key * KEY_SIZE, (const uint8_t *)prefix, at + length + 1, decks);
                derive_exact(&seeds, nonce, &exact);
            }
            if (memcmp(&exact, &out[i], sizeof exact) != 0) {
                fail(paths[p].name);
            }
        }
    }
    free(keys);
    free(games);
    free(texts);
    free(key_of_row);
    free(text_of_row);
    free(nonces);
    free(records);
}

/* Columns in buffers that end where their last byte ends: what is read and counted must be what is there, and nothing beside it. */
static void fuzz_columns_once(void)
{
    static const char LETTERS[] = "A23456789TJQKshdcx";
    struct path paths[MAX_PATHS];
    size_t path_count = find_paths(paths), count = next_random() % 40, most = 1 + next_random() % POSITIONS, size = 0, codes_size = 1 + next_random() % 5, known = 0;
    uint8_t *offsets = malloc(4 * (count + 1)), *texts = malloc(14 * count + 1), *cards = malloc(POSITIONS * count + 1), *used = malloc(count + 1);
    uint8_t *codes = malloc(8 * count + 1), *stakes = malloc(8 * count + 1), *returns = malloc(8 * count + 1), *cuts = malloc(2 * count + 1);
    struct line_sums *sums = calloc(codes_size, sizeof *sums);
    struct coup_counts *counts = calloc(1, sizeof *counts);
    uint64_t lines = 0, coups = 0, chosen = 0;
    bool is_wrong = next_random() % 4 == 0, lines_wrong = false, coups_wrong = false;
    if (!offsets || !texts || !cards || !used || !codes || !stakes || !returns || !cuts || !sums || !counts) {
        fail("no memory");
    }
    for (size_t i = 0; i <= count; i++) {
        int32_t offset = (int32_t)size;
        memcpy(offsets + 4 * i, &offset, 4);
        for (size_t letters = i < count ? next_random() % 15 : 0; letters > 0; letters--) {
            texts[size++] = (uint8_t)LETTERS[next_random() % (sizeof LETTERS - 1)];
        }
    }
    if (is_wrong) {
        int32_t offset = (int32_t)(next_random() % 2 ? size + 1 + next_random() % 1000 : (size_t)-1);
        memcpy(offsets + 4 * count, &offset, 4);
    }
    texts = realloc(texts, size + 1);
    uint8_t *own = malloc(most * count + 1), *own_used = malloc(count + 1);
    if (read_cards(texts, size, offsets, count, most, own, own_used) == (is_wrong && count > 0)) {
        fail("card texts were wrongly taken or refused");
    }
    for (size_t i = 0; i < count && !is_wrong; i++) {
        for (size_t k = 0; k < most; k++) {
            uint8_t card = own[i * most + k];
            known += card < DECK_SIZE;
            if (card >= DECK_SIZE && card != NO_CARD) {
                fail("a card that is none");
            }
        }
        if (own_used[i] > most) {
            fail("too many cards");
        }
    }
    uint8_t *scores = malloc(2 * count + 1), *is_chosen = malloc(count + 1);
    for (size_t i = 0; i < count; i++) {
        int64_t code = (int64_t)(next_random() % codes_size), stake = (int64_t)(next_random() % 1000), returned = (int64_t)(next_random() % 3);
        if (next_random() % 300 == 0) {
            switch (next_random() % 4) {
            case 0: code = (int64_t)codes_size; break;
            case 1: code = -1; break;
            case 2: stake = MAX_STAKE + 1; break;
            default: returned = -1;
            }
            lines_wrong = true;
        }
        memcpy(codes + 1 + 8 * i, &code, 8); /* never aligned */
        memcpy(stakes + 1 + 8 * i, &stake, 8);
        memcpy(returns + 1 + 8 * i, &returned, 8);
        for (size_t k = 0; k < POSITIONS; k++) {
            cards[POSITIONS * i + k] = (uint8_t)next_random();
        }
        scores[i] = (uint8_t)(next_random() % 10), scores[count + i] = (uint8_t)(next_random() % 10), used[i] = (uint8_t)(4 + next_random() % 3);
        is_chosen[i] = next_random() % 2;
        chosen += is_chosen[i];
        if (next_random() % 300 == 0) {
            used[i] = (uint8_t)(next_random() % 2 ? 3 : 7);
            coups_wrong |= is_chosen[i];
        }
        uint16_t cut = (uint16_t)next_random();
        memcpy(cuts + 1 + 2 * i, &cut, 2);
    }
    if (sum_lines(codes + 1, stakes + 1, returns + 1, count, sums, codes_size) == lines_wrong) {
        fail("lines were wrongly taken or refused");
    }
    const struct coup_columns columns = {cards, scores, scores + count, used, cuts + 1, is_chosen, count};
    if (count_coups(&columns, counts) == coups_wrong) {
        fail("coups were wrongly taken or refused");
    }
    for (size_t i = 0; i < codes_size; i++) {
        lines += sums[i].lines;
    }
    for (size_t i = 0; i < SITUATIONS; i++) {
        coups += counts->situations[i];
    }
    if ((!lines_wrong && lines != count) || (!coups_wrong && coups != chosen) || known > most * count) {
        fail("wrong numbers of lines or coups");
    }
    int64_t totals[3] = {0};
    uint8_t *owners = malloc(4 * count + 1);
    bool owners_wrong = false;
    for (size_t i = 0; i < count; i++) {
        int32_t owner = next_random() % 300 ? (int32_t)(next_random() % 3) : next_random() % 2 ? 3 : -1;
        owners_wrong |= owner < 0 || owner > 2;
        memcpy(owners + 1 + 4 * i, &owner, 4);
    }
    if (!lines_wrong && add_amounts(owners + 1, stakes + 1, count, totals, 3) == owners_wrong) {
        fail("amounts were wrongly taken or refused");
    }
    free(owners);
    size_t width = 1 + next_random() % 200;
    uint8_t *rows = malloc(width * 3), *digests = malloc(3 * DIGEST_SIZE), alone[DIGEST_SIZE];
    for (size_t i = 0; i < width * 3; i++) {
        rows[i] = (uint8_t)next_random();
    }
    hash_rows(compress_portable, rows + 2 * width, width, 1, alone);
    for (size_t p = 0; p < path_count; p++) {
        hash_rows(paths[p].compress, rows, width, 3, digests);
        if (memcmp(alone, digests + 2 * DIGEST_SIZE, DIGEST_SIZE) != 0) {
            fail("a row alone has another digest");
        }
    }
    free(rows), free(digests);
    free(offsets), free(texts), free(cards), free(used), free(codes), free(stakes), free(returns), free(cuts), free(sums), free(counts);
    free(own), free(own_used), free(scores), free(is_chosen);
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "paths") == 0) {
        print_paths();
    } else if (strcmp(mode, "records") == 0) {
        print_records();
    } else if (strcmp(mode, "blocks") == 0) {
        print_blocks();
    } else if (strcmp(mode, "exact") == 0) {
        print_exact(false);
    } else if (strcmp(mode, "draws") == 0) {
        print_exact(true);
    } else if (strcmp(mode, "search") == 0 && count == 7) {
        struct seeds seeds = read_seeds(arguments[2], arguments[3], (unsigned)atoi(arguments[4]));
        search(&seeds, strtoull(arguments[5], NULL, 10), strtoull(arguments[6], NULL, 10));
    } else if (strcmp(mode, "fuzz") == 0 && count == 4) {
        random_state = strtoull(arguments[3], NULL, 10) * UINT64_C(0x9E3779B97F4A7C15) + 1;
        for (long rounds = strtol(arguments[2], NULL, 10); rounds > 0; rounds--) {
            fuzz_once();
            fuzz_rows_once();
            fuzz_columns_once();
        }
    } else {
        fail("unknown mode");
    }
    return 0;
}
