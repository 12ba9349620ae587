/* Rows of many seed pairs: neighbours with the same seeds share what is prepared, and are derived together. */
#include "pfb1.h"

#include <string.h>

enum {
    MAX_CLIENT_SEED_SIZE = 128,
    FROM_CHAIN = 16, /* in a game's byte: the label is that of a seed chain (step 8); the rest is the number of decks */
    FEW = 4,         /* so many rows are faster one by one than as a group with empty lanes */
};

static int32_t code_at(const uint8_t *codes, size_t place)
{
    int32_t code;
    memcpy(&code, codes + place * sizeof code, sizeof code);
    return code;
}

static bool same_seeds(const struct rows *rows, size_t one, size_t other)
{
    return code_at(rows->key_of_row, one) == code_at(rows->key_of_row, other)
        && code_at(rows->client_seed_of_row, one) == code_at(rows->client_seed_of_row, other) && rows->games[one] == rows->games[other];
}

/* Prepare the seeds of a row (step 3); false where it names a seed or a game that is not there. */
static bool prepare_row(const struct path *path, const struct rows *rows, size_t row, struct seeds *seeds)
{
    static const char COUP[] = "pfb1:", CHAIN[] = "pfb1-chain:";
    int32_t key = code_at(rows->key_of_row, row), client_seed = code_at(rows->client_seed_of_row, row);
    unsigned decks = rows->games[row] & (FROM_CHAIN - 1);
    const char *way = rows->games[row] & FROM_CHAIN ? CHAIN : COUP;
    uint8_t prefix[MAX_PREFIX_SIZE];
    size_t size = strlen(way);
    if (key < 0 || (size_t)key >= rows->key_count || client_seed < 0 || (size_t)client_seed >= rows->client_seed_count || decks < 1
        || decks > MAX_DECKS || rows->games[row] >= 2 * FROM_CHAIN) {
        return false;
    }
    int32_t start = code_at(rows->client_seed_offsets, (size_t)client_seed);
    int32_t stop = code_at(rows->client_seed_offsets, (size_t)client_seed + 1);
    if (start < 0 || stop < start || (size_t)stop > rows->client_seeds_size || stop - start > MAX_CLIENT_SEED_SIZE) {
        return false;
    }
    memcpy(prefix, way, size);
    prefix[size++] = (uint8_t)('0' + decks);
    prefix[size++] = ':';
    memcpy(prefix + size, rows->client_seeds + start, (size_t)(stop - start));
    size += (size_t)(stop - start);
    prefix[size++] = ':';
    prepare_seeds(path->compress, seeds, rows->keys + (size_t)key * KEY_SIZE, prefix, size, decks);
    return true;
}

/* Derive a few nonces one by one; false where one is above 2^53 - 1. */
static bool derive_few(const struct path *path, const struct seeds *seeds, const uint8_t *nonces, size_t count, struct record *records)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t nonce;
        memcpy(&nonce, nonces + i * sizeof nonce, sizeof nonce);
        if (nonce > MAX_NONCE) {
            return false;
        }
        derive_one(path, seeds, nonce, &records[i]);
    }
    return true;
}

/* Derive every row. A row whose key is -1 has no seed: its record is zeros. Returns false, with some records written, where a row names
 * a seed, a game or a nonce that cannot be. */
bool derive_rows(const struct path *path, const struct rows *rows, struct record *records)
{
    struct seeds seeds;
    uint64_t wins[WINNERS] = {0};
    bool done = true;
    for (size_t first = 0, stop; done && first < rows->count; first = stop) {
        stop = first + 1;
        while (stop < rows->count && same_seeds(rows, first, stop)) {
            stop++;
        }
        size_t count = stop - first;
        const uint8_t *nonces = rows->nonces + first * sizeof(uint64_t);
        if (code_at(rows->key_of_row, first) == -1) {
            memset(records + first, 0, count * sizeof *records);
        } else if (!prepare_row(path, rows, first, &seeds)) {
            done = false;
        } else if (count < FEW) {
            done = derive_few(path, &seeds, nonces, count, records + first);
        } else {
            done = run(path, &seeds, (struct nonces){.array = nonces, .count = count}, 1, records + first, NULL, wins);
        }
    }
    wipe(&seeds, sizeof seeds);
    return done;
}
