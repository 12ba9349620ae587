/* What the rooms of the kernel share: the numbers of the pfb1 protocol, prepared seeds, a batch of coups, and the paths.
 *
 * The kernel is the same derivation as the Python package's, for many coups at once. The numbered steps are those of the protocol.
 * Nothing here keeps state between calls: a call gets prepared seeds, which never change, and works on its own stack.
 */
#ifndef PFB1_H
#define PFB1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_NONCE UINT64_C(9007199254740991) /* 2^53 - 1 (step 1) */

enum {
    KEY_SIZE = 32,         /* bytes of a server seed (step 1) */
    MAX_PREFIX_SIZE = 160, /* a label, a client seed of up to 128 bytes and two colons are at most 143 */
    MAX_NONCE_DIGITS = 16, /* of 2^53 - 1 */
    MAX_DECKS = 8,
    DECK_SIZE = 52,
    POSITIONS = 6,          /* cards derived for a coup (step 5) */
    DRAWS = 1 + POSITIONS,  /* words that a coup without a rejection takes: for the cut and the cards */
    BLOCK_SIZE = 64,        /* bytes that SHA-256 takes at a time */
    BLOCK_WORDS = 16,
    WORDS = 8,              /* words of a digest, and of a block of the stream (step 3) */
    LANES = 64,             /* coups of a batch: small enough for the first cache, large enough to share what is done once */
    GROUP = 8,              /* lanes that are derived together; every batch is padded to whole groups */
};

/* A word below this is accepted by every draw of a coup: n is at most 416, and 2^32 mod n below n (step 4). One test for all draws
 * sends the rare coup that may have a rejection the exact way; the others need not think of it. */
#define ALWAYS_ACCEPTED UINT32_C(0xFFFFFE00)

/* Everything of a message but nonce and block number is hashed once, when the seeds are prepared. */
struct seeds {
    uint32_t inner[WORDS];        /* SHA-256 after the inner key pad and the whole blocks of the prefix */
    uint32_t outer[WORDS];        /* SHA-256 after the outer key pad */
    uint8_t tail[BLOCK_SIZE];     /* what is left of the prefix, label ":" client seed ":" */
    size_t tail_size;             /* 0 to 63 */
    size_t hashed_size;           /* bytes that `inner` stands for */
    uint32_t shoe_size;           /* N = 52 x decks (step 5.1) */
    uint32_t choices[DRAWS];      /* n of each draw: N for the cut, then N, N - 1, ..., N - 5 (steps 5.2 and 5.3) */
    uint32_t reciprocals[DRAWS];  /* floor(2^32 / n) of each */
};

/* A coup as callers get it: 12 bytes without padding, the same on every machine. */
struct record {
    uint8_t cut[2];              /* little-endian */
    uint8_t cards[POSITIONS];    /* 0 to 51 in the factory order of one deck (step 5.1) */
    uint8_t winner;              /* enum winner */
    uint8_t player_score;
    uint8_t banker_score;
    uint8_t flags;               /* enum flags */
};

enum winner { PLAYER = 0, BANKER = 1, TIE = 2, WINNERS = 3 };
enum flags { PLAYER_DREW = 1, BANKER_DREW = 2, NATURAL = 4 };

/* All that bets on scores see of a coup is its class: both scores and who drew. Class (player_score x 10 + banker_score) x 4 + drew. */
enum { CLASSES = 10 * 10 * 4, DREW = PLAYER_DREW | BANKER_DREW };
typedef uint64_t class_table[CLASSES];

/* Up to 64 coups on their way. Whatever is as long as the batch is indexed by lane. */
struct batch {
    _Alignas(64) uint8_t messages[LANES][2 * BLOCK_SIZE]; /* the last one or two blocks of the inner message, padded */
    _Alignas(32) uint32_t words[LANES][WORDS];            /* block 0 of the stream (step 3) */
    struct record records[LANES];
    uint8_t digits[LANES]; /* of the nonce in the message; 0 while there is no message */
    uint8_t blocks[LANES]; /* 1 or 2: how many blocks the message fills */
};

/* Nonces in a row from `first`, or, where `array` is not NULL, the 8-byte numbers that stand there, aligned or not. */
struct nonces {
    const uint8_t *array;
    uint64_t first;
    size_t count;
};

/* Rows of many seed pairs, as the buffers of a table: each row names its seeds by codes of 4 bytes, aligned or not. */
struct rows {
    const uint8_t *keys; /* 32 bytes each */
    size_t key_count;
    const uint8_t *key_of_row; /* -1 where there is none */
    const uint8_t *games;      /* a byte for each row: decks, plus 16 where the label is that of a seed chain */
    const uint8_t *client_seeds; /* one behind the other */
    size_t client_seeds_size;
    const uint8_t *client_seed_offsets; /* 4 bytes each: where each begins, and where the last one ends */
    size_t client_seed_count;
    const uint8_t *client_seed_of_row;
    const uint8_t *nonces; /* 8 bytes each */
    size_t count;
};

/* Compress one block of a message into a state of SHA-256. */
typedef void compress_function(uint32_t state[WORDS], const uint8_t block[BLOCK_SIZE]);

/* Compute block 0 of the stream of so many lanes: messages to words. */
typedef void hash_function(const struct seeds *, struct batch *, size_t lanes);

/* Draw, cut and deal (steps 4 to 6) so many lanes: words to records. Bit i of the answer says that lane i needs the exact way. */
typedef uint64_t derive_function(const struct seeds *, struct batch *, size_t lanes);

/* A path is one way to do the work on some kind of processor. */
struct path {
    const char *name;
    hash_function *hash;     /* for many coups: takes whole groups */
    derive_function *derive; /* the same */
    hash_function *hash_one; /* for a lone coup: takes `lanes_of_one` lanes, as few as it can */
    size_t lanes_of_one;
    compress_function *compress; /* for all that is hashed once: seeds, and rows of a table */
};

/* sha256_portable.c */
extern const uint32_t SHA256_INITIAL[WORDS];
extern const uint32_t SHA256_ROUNDS[64];
compress_function compress_portable;
hash_function hash_portable;

/* sha256_shani.c, sha256_avx2.c, sha256_armv8.c: only where the compiler can make them */
compress_function compress_shani;
hash_function hash_shani, hash_shani_two, hash_avx2, hash_armv8;

/* coup_portable.c, coup_avx2.c, coup_exact.c: steps 4 to 6 */
enum { STOOD = 10 }; /* the column of the tableau for a player who stood */
extern const uint8_t BANKER_DRAWS[16];
extern const uint8_t POINTS[16];
derive_function derive_portable, derive_avx2;
void deal(struct record *);
void derive_exact(const struct seeds *, uint64_t nonce, struct record *);
uint32_t draw_exact(const struct seeds *, uint64_t nonce, uint32_t draws[DRAWS]);

/* message.c: step 3 */
void prepare_seeds(compress_function *, struct seeds *, const uint8_t key[KEY_SIZE], const uint8_t *prefix, size_t prefix_size, unsigned decks);
void write_message(const struct seeds *, struct batch *, size_t lane, uint64_t nonce);
void exact_block(const struct seeds *, uint64_t nonce, uint32_t block, uint32_t words[WORDS]);
void wipe(void *secret, size_t size);

/* paths.c */
enum { MAX_PATHS = 4 };
size_t find_paths(struct path paths[MAX_PATHS]); /* what this processor can do, best first; never none */

/* bulk.c */
size_t fill_batch(const struct seeds *, const struct nonces *, struct batch *, uint64_t numbers[LANES], size_t first);
size_t whole_groups(size_t lanes);
void derive_one(const struct path *, const struct seeds *, uint64_t nonce, struct record *);
enum { MAX_THREADS = 64 };
bool run(const struct path *, const struct seeds *, struct nonces, unsigned threads, struct record *records, class_table *classes,
         uint64_t wins[WINNERS]);

/* stream.c: steps 3 and 4 as they are */
enum { WORD_SIZE = 4, DRAW_SIZE = 2 };
typedef uint8_t block_bytes[WORDS * WORD_SIZE]; /* big-endian words */
typedef uint8_t draw_bytes[DRAWS * DRAW_SIZE];  /* big-endian draws: the cut, then draw(N - k) for the positions */
enum streamed { ALL_WRITTEN, STOPPED, REFUSED };
enum streamed write_blocks(const struct path *, const struct seeds *, struct nonces, block_bytes *out, size_t *done);
enum streamed write_draws(const struct path *, const struct seeds *, struct nonces, draw_bytes *out);
size_t scale_words(const uint8_t *words, size_t count, uint64_t n, uint8_t *out);

/* columns.c: what an audit reads and counts */
enum { NO_CARD = 255, SITUATIONS = 10 * 10 * 10, END_CLASSES = 10 * 10 * 3, CUTS = 1 << 16 };

#define MAX_STAKE (INT64_C(1) << 52) /* of which 2^24 squares fit 128 bits */
enum { MOST_LINES = 1 << 24 };

/* Sums of bet lines. Sums of two words have the low one first. `sums` of callers are 8-byte words in this order. */
struct line_sums {
    uint64_t lines, hits, largest, staked[2], squared[2], returned[2];
};

/* Coups in columns; cuts are 2 bytes each, aligned or not. */
struct coup_columns {
    const uint8_t *cards; /* 6 each, NO_CARD where a shoe dealt through used none */
    const uint8_t *player_score, *banker_score, *used, *cuts, *is_chosen;
    size_t count;
};

/* How often each came: scores and cards used, (player x 10 + banker) x 3 + used - 4; cards by position; cuts; and what the banker decides
 * by: both two-card scores and the points at position 5, a digit each. */
struct coup_counts {
    uint64_t classes[END_CLASSES], cards[POSITIONS][256], cuts[CUTS], situations[SITUATIONS];
};

enum { DIGEST_SIZE = 32 };
void hash_rows(compress_function *, const uint8_t *rows, size_t width, size_t count, uint8_t *digests);
bool read_cards(const uint8_t *texts, size_t size, const uint8_t *offsets, size_t count, size_t most, uint8_t *cards, uint8_t *used);
bool add_amounts(const uint8_t *rows, const uint8_t *amounts, size_t count, int64_t *sums, size_t size);
bool sum_lines(const uint8_t *codes, const uint8_t *stakes, const uint8_t *returns, size_t count, struct line_sums *sums, size_t size);
bool count_coups(const struct coup_columns *, struct coup_counts *);

/* rows.c */
bool derive_rows(const struct path *, const struct rows *, struct record *records);

#endif
