/* Draws, cards and the coup in plain C, for words that cannot be rejected: steps 4 to 6. */
#include "pfb1.h"

enum { S = 0, D = 1 };

#define COLUMN(b0, b1, b2, b3, b4, b5, b6, b7) (b0 | b1 << 1 | b2 << 2 | b3 << 3 | b4 << 4 | b5 << 5 | b6 << 6 | b7 << 7)

/* The tableau as it is printed, a quarter turn to the left: whether the banker draws (D) or stands (S), a row for the points of the
 * player's third card, a column for the banker's two-card score (steps 6.3 and 6.4). */
const uint8_t BANKER_DRAWS[16] = {
    /*  banker    0  1  2  3  4  5  6  7 */
    [0] = COLUMN(D, D, D, D, S, S, S, S),
    [1] = COLUMN(D, D, D, D, S, S, S, S),
    [2] = COLUMN(D, D, D, D, D, S, S, S),
    [3] = COLUMN(D, D, D, D, D, S, S, S),
    [4] = COLUMN(D, D, D, D, D, D, S, S),
    [5] = COLUMN(D, D, D, D, D, D, S, S),
    [6] = COLUMN(D, D, D, D, D, D, D, S),
    [7] = COLUMN(D, D, D, D, D, D, D, S),
    [8] = COLUMN(D, D, D, S, S, S, S, S),
    [9] = COLUMN(D, D, D, D, S, S, S, S),
    [STOOD] = COLUMN(D, D, D, D, D, D, S, S),
};

/* Points by rank, ace to king (step 6). */
const uint8_t POINTS[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};

/* Deal the coup from its six cards and write down how it ended (step 6). */
void deal(struct record *coup)
{
    unsigned points[POSITIONS];
    for (unsigned k = 0; k < POSITIONS; k++) {
        points[k] = POINTS[coup->cards[k] % 13];
    }
    unsigned player = (points[0] + points[2]) % 10, banker = (points[1] + points[3]) % 10;
    bool natural = player >= 8 || banker >= 8;
    bool player_draws = !natural && player <= 5;
    unsigned column = player_draws ? points[4] : STOOD;
    bool banker_draws = !natural && (BANKER_DRAWS[column] >> banker & 1);
    if (player_draws) {
        player = (player + points[4]) % 10;
    }
    if (banker_draws) {
        banker = (banker + points[player_draws ? 5 : 4]) % 10;
    }
    coup->winner = player > banker ? PLAYER : banker > player ? BANKER : TIE;
    coup->player_score = (uint8_t)player;
    coup->banker_score = (uint8_t)banker;
    coup->flags = (uint8_t)((player_draws ? PLAYER_DREW : 0) | (banker_draws ? BANKER_DREW : 0) | (natural ? NATURAL : 0));
}

/* Which slots of the cut shoe lie in positions 1 to 6 after the shuffle of step 5.3, from the slots j that it swapped with.
 * Only slots that an earlier swap has touched hold another card than at first; the last swap that touched one says which. */
static void shuffle(const uint32_t j[POSITIONS], uint32_t drawn[POSITIONS])
{
    uint32_t moved[POSITIONS]; /* what step k moves from slot k to slot j */
    for (unsigned k = 0; k < POSITIONS; k++) {
        drawn[k] = j[k];
        moved[k] = k;
        for (unsigned i = 0; i < k; i++) {
            drawn[k] = j[i] == j[k] ? moved[i] : drawn[k];
            moved[k] = j[i] == k ? moved[i] : moved[k];
        }
    }
}

/* One coup from the words of block 0 (steps 4 to 6). Returns whether a word might be rejected: then the record means nothing. */
static bool derive_coup(const struct seeds *seeds, const uint32_t words[WORDS], struct record *coup)
{
    uint32_t j[POSITIONS], drawn[POSITIONS];
    uint32_t cut = words[0] % seeds->shoe_size;
    bool suspect = words[0] >= ALWAYS_ACCEPTED;
    for (unsigned k = 0; k < POSITIONS; k++) {
        uint32_t word = words[1 + k];
        suspect |= word >= ALWAYS_ACCEPTED;
        j[k] = k + word % seeds->choices[1 + k];
    }
    shuffle(j, drawn);
    coup->cut[0] = (uint8_t)cut;
    coup->cut[1] = (uint8_t)(cut >> 8);
    for (unsigned k = 0; k < POSITIONS; k++) {
        coup->cards[k] = (uint8_t)((cut + drawn[k]) % DECK_SIZE); /* step 5.2; N is a multiple of 52 */
    }
    deal(coup);
    return suspect;
}

uint64_t derive_portable(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    uint64_t suspects = 0;
    for (size_t lane = 0; lane < lanes; lane++) {
        bool suspect = derive_coup(seeds, batch->words[lane], &batch->records[lane]);
        suspects |= (uint64_t)suspect << lane;
    }
    return suspects;
}
