/* Draws, cards and coups of eight lanes at a time, without a branch, for words that cannot be rejected: steps 4 to 6. */
#include "avx2.h"
#include "pfb1.h"

#ifdef HAVE_X86

AVX2 INLINE __m256i all(uint32_t value)
{
    return _mm256_set1_epi32((int)value);
}

/* word mod n. The reciprocal gives a quotient that is right or one too small; in the second case n is taken off once more. */
AVX2 INLINE __m256i remainder_of(__m256i word, uint32_t n, uint32_t reciprocal)
{
    __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(word, all(reciprocal)), 32);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(word, 32), all(reciprocal));
    __m256i quotient = _mm256_blend_epi32(even, odd, 0xAA);
    __m256i rest = _mm256_sub_epi32(word, _mm256_mullo_epi32(quotient, all(n)));
    return _mm256_min_epu32(rest, _mm256_sub_epi32(rest, all(n)));
}

/* x mod 52 and x mod 13 for x below 1,000: there the 16-bit reciprocals, rounded up, give the exact quotient. */
AVX2 INLINE __m256i mod_52(__m256i x)
{
    return _mm256_sub_epi32(x, _mm256_mullo_epi16(_mm256_mulhi_epu16(x, all(1261)), all(52)));
}

AVX2 INLINE __m256i mod_13(__m256i x)
{
    return _mm256_sub_epi32(x, _mm256_mullo_epi16(_mm256_mulhi_epu16(x, all(5042)), all(13)));
}

/* x mod 10 for x of 0 to 18. */
AVX2 INLINE __m256i mod_10(__m256i x)
{
    return _mm256_sub_epi32(x, _mm256_and_si256(_mm256_cmpgt_epi32(x, all(9)), all(10)));
}

/* table[index] in every lane, for an index of 0 to 15. */
AVX2 INLINE __m256i look_up(const uint8_t table[16], __m256i index)
{
    __m256i entries = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
    return _mm256_shuffle_epi8(entries, _mm256_or_si256(index, all(0x80808000)));
}

AVX2 INLINE __m256i choose(__m256i mask, __m256i yes, __m256i no)
{
    return _mm256_blendv_epi8(no, yes, mask);
}

/* Step 5.3 as in `shuffle` of the portable derivation: which slots lie in positions 1 to 6. */
AVX2 INLINE void shuffle(const __m256i j[POSITIONS], __m256i drawn[POSITIONS])
{
    __m256i moved[POSITIONS];
#pragma GCC unroll 6
    for (unsigned k = 0; k < POSITIONS; k++) {
        drawn[k] = j[k];
        moved[k] = all(k);
#pragma GCC unroll 6
        for (unsigned i = 0; i < k; i++) {
            drawn[k] = choose(_mm256_cmpeq_epi32(j[i], j[k]), moved[i], drawn[k]);
            moved[k] = choose(_mm256_cmpeq_epi32(j[i], all(k)), moved[i], moved[k]);
        }
    }
}

/* Which lanes have a word that might be rejected (step 4). */
AVX2 INLINE unsigned find_suspects(const __m256i words[WORDS])
{
    __m256i largest = words[0];
    for (int i = 1; i < DRAWS; i++) {
        largest = _mm256_max_epu32(largest, words[i]);
    }
    __m256i suspect = _mm256_cmpeq_epi32(_mm256_max_epu32(largest, all(ALWAYS_ACCEPTED)), largest);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(suspect));
}

/* Steps 4 and 5: cut and cards of eight coups. */
AVX2 INLINE void draw_cards(const struct seeds *seeds, const __m256i words[WORDS], __m256i *cut, __m256i cards[POSITIONS])
{
    __m256i j[POSITIONS], drawn[POSITIONS];
    *cut = remainder_of(words[0], seeds->choices[0], seeds->reciprocals[0]);
#pragma GCC unroll 6
    for (unsigned k = 0; k < POSITIONS; k++) {
        j[k] = _mm256_add_epi32(all(k), remainder_of(words[1 + k], seeds->choices[1 + k], seeds->reciprocals[1 + k]));
    }
    shuffle(j, drawn);
#pragma GCC unroll 6
    for (unsigned k = 0; k < POSITIONS; k++) {
        cards[k] = mod_52(_mm256_add_epi32(*cut, drawn[k]));
    }
}

/* Step 6: the last word of each record, winner, scores and flags. */
AVX2 INLINE __m256i deal_coups(const __m256i cards[POSITIONS])
{
    __m256i points[POSITIONS];
#pragma GCC unroll 6
    for (unsigned k = 0; k < POSITIONS; k++) {
        points[k] = look_up(POINTS, mod_13(cards[k]));
    }
    __m256i player = mod_10(_mm256_add_epi32(points[0], points[2]));
    __m256i banker = mod_10(_mm256_add_epi32(points[1], points[3]));
    __m256i natural = _mm256_cmpgt_epi32(_mm256_max_epi32(player, banker), all(7));
    __m256i player_draws = _mm256_andnot_si256(natural, _mm256_cmpgt_epi32(all(6), player));
    __m256i draws_at = look_up(BANKER_DRAWS, choose(player_draws, points[4], all(STOOD))); /* a bit for each score of the banker */
    __m256i drawing = _mm256_and_si256(_mm256_srlv_epi32(draws_at, banker), all(1));
    __m256i banker_draws = _mm256_andnot_si256(natural, _mm256_cmpeq_epi32(drawing, all(1)));
    __m256i banker_third = choose(player_draws, points[5], points[4]);
    player = mod_10(_mm256_add_epi32(player, _mm256_and_si256(player_draws, points[4])));
    banker = mod_10(_mm256_add_epi32(banker, _mm256_and_si256(banker_draws, banker_third)));

    __m256i winner = _mm256_or_si256(_mm256_and_si256(_mm256_cmpgt_epi32(banker, player), all(BANKER)),
                                     _mm256_and_si256(_mm256_cmpeq_epi32(banker, player), all(TIE)));
    __m256i flags = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(player_draws, all(PLAYER_DREW)),
                                                    _mm256_and_si256(banker_draws, all(BANKER_DREW))),
                                    _mm256_and_si256(natural, all(NATURAL)));
    return _mm256_or_si256(_mm256_or_si256(winner, _mm256_slli_epi32(player, 8)),
                           _mm256_or_si256(_mm256_slli_epi32(banker, 16), _mm256_slli_epi32(flags, 24)));
}

/* Four values of a byte, or one of two bytes and two of one, in a word: the layout of struct record. */
AVX2 INLINE __m256i pack(__m256i first, __m256i second, __m256i third, int second_at, int third_at)
{
    return _mm256_or_si256(first, _mm256_or_si256(_mm256_slli_epi32(second, second_at), _mm256_slli_epi32(third, third_at)));
}

AVX2 INLINE void store_records(struct record *records, const __m256i parts[3])
{
    _Static_assert(sizeof(struct record) == 12, "a record is three words");
    _Alignas(32) uint32_t columns[3][GROUP];
    uint32_t rows[GROUP][3];
    for (int part = 0; part < 3; part++) {
        _mm256_store_si256((__m256i *)columns[part], parts[part]);
    }
    for (int i = 0; i < GROUP; i++) {
        for (int part = 0; part < 3; part++) {
            rows[i][part] = columns[part][i];
        }
    }
    __builtin_memcpy(records, rows, sizeof rows);
}

AVX2 NOINLINE uint64_t derive_avx2(const struct seeds *seeds, struct batch *batch, size_t lanes)
{
    uint64_t suspects = 0;
    for (size_t lane = 0; lane < lanes; lane += GROUP) {
        __m256i words[WORDS], cards[POSITIONS], cut;
        for (size_t i = 0; i < GROUP; i++) {
            words[i] = _mm256_load_si256((const __m256i *)batch->words[lane + i]);
        }
        transpose(words);
        suspects |= (uint64_t)find_suspects(words) << lane;
        draw_cards(seeds, words, &cut, cards);
        __m256i parts[3] = {
            pack(cut, cards[0], cards[1], 16, 24),
            _mm256_or_si256(pack(cards[2], cards[3], cards[4], 8, 16), _mm256_slli_epi32(cards[5], 24)),
            deal_coups(cards),
        };
        store_records(batch->records + lane, parts);
    }
    _mm256_zeroupper();
    return suspects;
}

#endif
