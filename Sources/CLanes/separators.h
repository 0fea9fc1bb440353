/* SPDX-License-Identifier: Apache-2.0 */

/* Where a ':' or a '=' stands that may separate one of some names from its value: many octets at a
   time, and for each such place the two letters before it. Most keys are followed by a quote; what
   may have an escape in its last letters counts, too. */

#ifndef SEPARATORS_H
#define SEPARATORS_H

#include "lanes.h"

/* Whether one of eight octets is another one. */
static inline int separators_has(uint64_t word, uint8_t octet) {
  uint64_t ones = 0x0101010101010101u, differs = word ^ ones * octet;
  return ((differs - ones) & ~differs & ones * 0x80) != 0;
}

/* Of eight octets as they lie in memory the first `count`, and zeros. */
static inline uint64_t separators_upto(uint64_t octets, long count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return octets & (((uint64_t)1 << count * 8) - 1);
#else
  return octets & ~(~(uint64_t)0 >> count * 8);
#endif
}

/* `endings` has a word for the lower five bits of the last letter of a name, with a bit for those of
   the letter before it; all bits for those of a backslash. There are eight octets at least. */
static inline int separators_counts(const uint8_t *at, long place, const uint32_t *endings) {
  if (place < 3) return 1;
  const uint8_t *end = at + place;
  if (end[-1] == 0x22) {
    end--;
  } else if (end[-1] <= 0x20 || end[-1] == 0x27 || end[-1] == 0x60) {
    return 1;
  }
  if (endings[end[-1] & 31] >> (end[-2] & 31) & 1) return 1;
  uint64_t before;
  /* Most objects begin with a short key; what would stand before it is no octet that counts. */
  __builtin_memcpy(&before, place < 8 ? at : at + place - 8, 8);
  if (place < 8) before = separators_upto(before, place);
  /* Escapes of JSON, and of forms. */
  return separators_has(before, 0x5C) || (at[place] == 0x3D && separators_has(before, 0x25));
}

/* The first such place of some, by a bit for each from `at + first` on; -1 when there is none. */
static inline long separators_among(
    const uint8_t *at, long first, uint32_t places, const uint32_t *endings) {
  for (; places; places &= places - 1) {
    long place = first + __builtin_ctz(places);
    if (separators_counts(at, place, endings)) return place;
  }
  return -1;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static inline uint32_t separators_32(const uint8_t *at) {
  __m256i v = _mm256_loadu_si256((const __m256i *)at);
  return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(
      _mm256_cmpeq_epi8(v, _mm256_set1_epi8(0x3A)), _mm256_cmpeq_epi8(v, _mm256_set1_epi8(0x3D))));
}

__attribute__((target("avx2"))) static long separators_wide(
    const uint8_t *at, long count, long start, const uint32_t *endings) {
  long i = start;
  for (; i + 32 <= count; i += 32) {
    uint32_t places = separators_32(at + i);
    if (!places) continue;
    long place = separators_among(at, i, places, endings);
    if (place >= 0) return place;
  }
  if (i >= count) return -1;
  /* The last of them once more, without those that were looked at before. */
  long first = count - 32;
  return separators_among(
      at, first, separators_32(at + first) & ~(uint32_t)0 << (i - first), endings);
}

static inline int separators_can(void) { return __builtin_cpu_supports("avx2"); }

#else

static inline long separators_wide(
    const uint8_t *at, long count, long start, const uint32_t *endings) {
  return -1;
}

static inline int separators_can(void) { return 0; }

#endif

/* The first such place at or after `start`; -1 when there is none. `is_wide` is what
   `separators_can` has answered. */
static inline long separators_find(
    const void *octets, long count, long start, const uint32_t *endings, int is_wide) {
  const uint8_t *at = (const uint8_t *)octets;
  if (count >= 32 && is_wide) return separators_wide(at, count, start, endings);
  long i = start;
  for (; i + 16 <= count; i += 16) {
    uint32_t places = lanes_equal(at + i, 0x3A) | lanes_equal(at + i, 0x3D);
    long place = separators_among(at, i, places, endings);
    if (place >= 0) return place;
  }
  for (; i < count; i++) {
    if (count < 8 && (at[i] == 0x3A || at[i] == 0x3D)) return i;
    if ((at[i] == 0x3A || at[i] == 0x3D) && separators_counts(at, i, endings)) return i;
  }
  return -1;
}

#endif
