/* SPDX-License-Identifier: Apache-2.0 */

/* Finds positions of octet pairs, sixty-four at a time: the first octet and the next one belong to
   one of sixteen kinds. A kind is a bit in each of four tables of sixteen octets, indexed by the
   low and the high half of the first octet, and by those of the second; four more tables are for
   the other eight kinds. A kind matches every octet with these halves, so a hit only means that the
   pair must be checked. */

#ifndef PAIRS_H
#define PAIRS_H

#include <stdint.h>

/* The size of the tables of eight kinds in octets. */
enum { pairs_eight = 64 };

/* One position. The last octet of a text has no successor, which counts as any. */
static inline uint64_t pairs_at(const uint8_t *at, int is_last, const uint8_t *tables) {
  uint8_t any = 0;
  for (const uint8_t *table = tables; table <= tables + pairs_eight; table += pairs_eight) {
    uint8_t kinds = table[at[0] & 15] & table[16 + (at[0] >> 4)];
    if (!is_last) kinds &= table[32 + (at[1] & 15)] & table[48 + (at[1] >> 4)];
    any |= kinds;
  }
  return any != 0;
}

/* Sixty-four positions or fewer, one at a time. */
static inline uint64_t pairs_few(const uint8_t *at, long count, const uint8_t *tables) {
  uint64_t places = 0;
  for (long i = 0; i < count && i < 64; i++) {
    places |= pairs_at(at + i, i + 1 == count, tables) << i;
  }
  return places;
}

#if defined(__x86_64__)
#include <immintrin.h>

/* Which of eight kinds thirty-two pairs are of, by the halves of their octets. */
__attribute__((target("avx2"), always_inline)) static inline __m256i pairs_kinds(
    const __m256i *table, const __m256i *half) {
  return _mm256_and_si256(
      _mm256_and_si256(
          _mm256_shuffle_epi8(table[0], half[0]), _mm256_shuffle_epi8(table[1], half[1])),
      _mm256_and_si256(
          _mm256_shuffle_epi8(table[2], half[2]), _mm256_shuffle_epi8(table[3], half[3])));
}

/* Complete blocks with at least one octet after each; returns how many octets were processed. */
__attribute__((target("avx2"))) static inline long pairs_blocks(
    const uint8_t *at, long count, const uint8_t *tables, uint64_t *places) {
  __m256i table[8];
  for (int k = 0; k < 8; k++) {
    table[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(tables + 16 * k)));
  }
  const __m256i low = _mm256_set1_epi8(15);
  long i = 0;
  for (; i + 64 < count; i += 64) {
    uint64_t none[2];
    for (int part = 0; part < 2; part++) {
      __m256i first = _mm256_loadu_si256((const __m256i *)(at + i + 32 * part));
      __m256i second = _mm256_loadu_si256((const __m256i *)(at + i + 32 * part + 1));
      __m256i half[4] = {
          _mm256_and_si256(first, low), _mm256_and_si256(_mm256_srli_epi16(first, 4), low),
          _mm256_and_si256(second, low), _mm256_and_si256(_mm256_srli_epi16(second, 4), low)};
      __m256i kinds =
          _mm256_or_si256(pairs_kinds(table, half), pairs_kinds(table + 4, half));
      none[part] = (uint32_t)_mm256_movemask_epi8(
          _mm256_cmpeq_epi8(kinds, _mm256_setzero_si256()));
    }
    places[i / 64] = ~(none[0] | none[1] << 32);
  }
  return i;
}

static inline int pairs_can(void) { return __builtin_cpu_supports("avx2"); }

#elif defined(__aarch64__)
#include <arm_neon.h>

/* Which of eight kinds sixteen pairs are of, by the halves of their octets. */
static inline uint8x16_t pairs_kinds(const uint8x16_t *table, const uint8x16_t *half) {
  return vandq_u8(
      vandq_u8(vqtbl1q_u8(table[0], half[0]), vqtbl1q_u8(table[1], half[1])),
      vandq_u8(vqtbl1q_u8(table[2], half[2]), vqtbl1q_u8(table[3], half[3])));
}

static inline long pairs_blocks(
    const uint8_t *at, long count, const uint8_t *tables, uint64_t *places) {
  static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t weight = vld1q_u8(weights), low = vdupq_n_u8(15);
  uint8x16_t table[8];
  for (int k = 0; k < 8; k++) table[k] = vld1q_u8(tables + 16 * k);
  long i = 0;
  for (; i + 64 < count; i += 64) {
    uint64_t found = 0;
    for (int part = 0; part < 4; part++) {
      uint8x16_t first = vld1q_u8(at + i + 16 * part);
      uint8x16_t second = vld1q_u8(at + i + 16 * part + 1);
      uint8x16_t half[4] = {
          vandq_u8(first, low), vshrq_n_u8(first, 4), vandq_u8(second, low),
          vshrq_n_u8(second, 4)};
      uint8x16_t kinds = vorrq_u8(pairs_kinds(table, half), pairs_kinds(table + 4, half));
      uint8x16_t bits = vandq_u8(vtstq_u8(kinds, kinds), weight);
      found |= ((uint64_t)vaddv_u8(vget_low_u8(bits)) |
                (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8) << (16 * part);
    }
    places[i / 64] = found;
  }
  return i;
}

static inline int pairs_can(void) { return 1; }

#else

static inline long pairs_blocks(
    const uint8_t *at, long count, const uint8_t *tables, uint64_t *places) {
  return 0;
}

static inline int pairs_can(void) { return 0; }

#endif

/* All positions of a text: a bit for each octet, sixty-four octets per word of `places`, which must
   have room for them. */
static inline void pairs_find(
    const void *octets, long count, const uint8_t *tables, uint64_t *places) {
  const uint8_t *at = (const uint8_t *)octets;
  long i = pairs_can() ? pairs_blocks(at, count, tables, places) : 0;
  for (; i < count; i += 64) places[i / 64] = pairs_few(at + i, count - i, tables);
}

#endif
