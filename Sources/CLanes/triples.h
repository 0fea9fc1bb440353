/* SPDX-License-Identifier: Apache-2.0 */

/* Finds positions of octet triples, sixty-four at a time: an octet and the next two belong to one
   of sixteen kinds. A kind is a bit in each of six tables of sixteen octets, indexed by the low and
   the high half of the first octet, and by those of the second and the third; six more tables are
   for the other eight kinds. A kind matches every octet with these halves, so a hit only means that
   the triple must be checked. */

#ifndef TRIPLES_H
#define TRIPLES_H

#include <stdint.h>

/* The size of the tables of eight kinds in octets. */
enum { triples_eight = 96 };

/* One position, with as many octets from there as are left. Behind the end of a text is any. */
static inline uint64_t triples_at(const uint8_t *at, long left, const uint8_t *tables) {
  uint8_t any = 0;
  for (const uint8_t *table = tables; table <= tables + triples_eight; table += triples_eight) {
    uint8_t kinds = 0xFF;
    for (long k = 0; k < 3 && k < left; k++) {
      kinds &= table[32 * k + (at[k] & 15)] & table[32 * k + 16 + (at[k] >> 4)];
    }
    any |= kinds;
  }
  return any != 0;
}

/* Sixty-four positions or fewer, one at a time. */
static inline uint64_t triples_few(const uint8_t *at, long count, const uint8_t *tables) {
  uint64_t places = 0;
  for (long i = 0; i < count && i < 64; i++) {
    places |= triples_at(at + i, count - i, tables) << i;
  }
  return places;
}

#if defined(__x86_64__)
#include <immintrin.h>

/* Which of eight kinds thirty-two triples are of, by the halves of their octets. */
__attribute__((target("avx2"), always_inline)) static inline __m256i triples_kinds(
    const __m256i *table, const __m256i *half) {
  __m256i kinds = _mm256_shuffle_epi8(table[0], half[0]);
  #pragma unroll
  for (int k = 1; k < 6; k++) {
    kinds = _mm256_and_si256(kinds, _mm256_shuffle_epi8(table[k], half[k]));
  }
  return kinds;
}

/* Complete blocks with at least two octets after each; returns how many octets were processed. */
__attribute__((target("avx2"))) static inline long triples_blocks(
    const uint8_t *at, long count, const uint8_t *tables, uint64_t *places) {
  __m256i table[12];
  for (int k = 0; k < 12; k++) {
    table[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(tables + 16 * k)));
  }
  const __m256i low = _mm256_set1_epi8(15);
  long i = 0;
  for (; i + 65 < count; i += 64) {
    uint64_t none[2];
    #pragma unroll
    for (int part = 0; part < 2; part++) {
      __m256i half[6];
      #pragma unroll
      for (int k = 0; k < 3; k++) {
        __m256i octets = _mm256_loadu_si256((const __m256i *)(at + i + 32 * part + k));
        half[2 * k] = _mm256_and_si256(octets, low);
        half[2 * k + 1] = _mm256_and_si256(_mm256_srli_epi16(octets, 4), low);
      }
      __m256i kinds = _mm256_or_si256(triples_kinds(table, half), triples_kinds(table + 6, half));
      none[part] = (uint32_t)_mm256_movemask_epi8(
          _mm256_cmpeq_epi8(kinds, _mm256_setzero_si256()));
    }
    places[i / 64] = ~(none[0] | none[1] << 32);
  }
  return i;
}

static inline int triples_can(void) { return __builtin_cpu_supports("avx2"); }

#elif defined(__aarch64__)
#include <arm_neon.h>

/* Which of eight kinds sixteen triples are of, by the halves of their octets. */
static inline uint8x16_t triples_kinds(const uint8x16_t *table, const uint8x16_t *half) {
  uint8x16_t kinds = vqtbl1q_u8(table[0], half[0]);
  #pragma unroll
  for (int k = 1; k < 6; k++) kinds = vandq_u8(kinds, vqtbl1q_u8(table[k], half[k]));
  return kinds;
}

static inline long triples_blocks(
    const uint8_t *at, long count, const uint8_t *tables, uint64_t *places) {
  static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t weight = vld1q_u8(weights), low = vdupq_n_u8(15);
  uint8x16_t table[12];
  for (int k = 0; k < 12; k++) table[k] = vld1q_u8(tables + 16 * k);
  long i = 0;
  for (; i + 65 < count; i += 64) {
    uint64_t found = 0;
    for (int part = 0; part < 4; part++) {
      uint8x16_t half[6];
      #pragma unroll
      for (int k = 0; k < 3; k++) {
        uint8x16_t octets = vld1q_u8(at + i + 16 * part + k);
        half[2 * k] = vandq_u8(octets, low);
        half[2 * k + 1] = vshrq_n_u8(octets, 4);
      }
      uint8x16_t kinds = vorrq_u8(triples_kinds(table, half), triples_kinds(table + 6, half));
      uint8x16_t bits = vandq_u8(vtstq_u8(kinds, kinds), weight);
      found |= ((uint64_t)vaddv_u8(vget_low_u8(bits)) |
                (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8) << (16 * part);
    }
    places[i / 64] = found;
  }
  return i;
}

static inline int triples_can(void) { return 1; }

#else

static inline long triples_blocks(
    const uint8_t *at, long count, const uint8_t *tables, uint64_t *places) {
  return 0;
}

static inline int triples_can(void) { return 0; }

#endif

/* All positions of a text: a bit for each octet, sixty-four octets per word of `places`, which must
   have room for them. */
static inline void triples_find(
    const void *octets, long count, const uint8_t *tables, uint64_t *places) {
  const uint8_t *at = (const uint8_t *)octets;
  long i = triples_can() ? triples_blocks(at, count, tables, places) : 0;
  for (; i < count; i += 64) places[i / 64] = triples_few(at + i, count - i, tables);
}

#endif
