/* SPDX-License-Identifier: Apache-2.0 */

/* Finds ':' and '=' that may separate one of some names from its value: many octets at a time, then
   the three letters before each hit. Most keys are followed by a quote; a name with an escape in
   its last letters counts too. */

#ifndef SEPARATORS_H
#define SEPARATORS_H

#include "lanes.h"

/* Which of eight octets equal another one, by their highest bits. After the first hit, other octets
   may be marked wrongly. */
static inline uint64_t separators_places(uint64_t word, uint8_t octet) {
  uint64_t ones = 0x0101010101010101u, differs = word ^ ones * octet;
  return (differs - ones) & ~differs & ones * 0x80;
}

/* Whether eight octets, in memory order, may contain a backslash followed by a `u`. */
static inline int separators_escape(uint64_t word) {
  uint64_t slashes = separators_places(word, 0x5C);
  if (!slashes) return 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return (slashes << 8 & separators_places(word, 0x75)) != 0;
#else
  return 1;
#endif
}

/* The first `count` of eight octets, in memory order, and zeros. */
static inline uint64_t separators_upto(uint64_t octets, long count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return octets & (((uint64_t)1 << count * 8) - 1);
#else
  return octets & ~(~(uint64_t)0 >> count * 8);
#endif
}

/* Whether the third last letter fits a name with these last two, or is the end of a JSON or form
   escape. */
static inline int separators_third(
    const uint8_t *at, const uint8_t *end, const uint32_t *endings) {
  long count = end - at;
  /* Characters that are ignored in names. */
  if (count < 3 || end[-2] == 0x20 || end[-2] == 0x2D || end[-2] == 0x5F) return 1;
  if (endings[32 + (end[-1] & 31)] >> (end[-3] & 31) & 1) return 1;
  return (count >= 8 && end[-8] == 0x5C) || (count >= 5 && end[-5] == 0x25);
}

/* Whether a separator at `place` may follow a name. `endings` has a word for the lower five bits of
   a name's last letter, with a bit for those of the letter before it; all bits are set for a
   backslash. Another 32 words are for the letter before that. There are at least eight octets.
   Without `may_escape`, the eleven octets before the place contain no backslash and no `%`. */
static inline int separators_counts(
    const uint8_t *at, long place, const uint32_t *endings, int may_escape) {
  if (place < 3) return 1;
  const uint8_t *end = at + place;
  if (end[-1] == 0x22) {
    end--;
    /* In JSON inside a string. */
    if (end[-1] == 0x5C && place > 3) end--;
  } else if (end[-1] == 0x27 || end[-1] == 0x60) {
    return 1;
  }
  /* Blanks, and characters that are ignored in names. */
  if (end[-1] <= 0x20 || end[-1] == 0x2D || end[-1] == 0x5F) return 1;
  if (endings[end[-1] & 31] >> (end[-2] & 31) & 1 && separators_third(at, end, endings)) return 1;
  if (!may_escape) return 0;
  /* At least seven octets of the name, the most that its last two letters can take. */
  long last = end - at + 1 < place ? end - at + 1 : place;
  uint64_t before;
  /* Most objects begin with a short key; octets before it do not count. */
  __builtin_memcpy(&before, last < 8 ? at : at + last - 8, 8);
  if (last < 8) before = separators_upto(before, last);
  /* JSON and form escapes. */
  return separators_escape(before) || (at[place] == 0x3D && separators_places(before, 0x25));
}

/* The first such position, given a bit for each from `at + first` on; -1 when there is none. */
static inline long separators_among(
    const uint8_t *at, long first, uint32_t places, const uint32_t *endings, int may_escape) {
  for (; places; places &= places - 1) {
    long place = first + __builtin_ctz(places);
    if (separators_counts(at, place, endings, may_escape)) return place;
  }
  return -1;
}

#if defined(__x86_64__)
#include <immintrin.h>

/* Which of 32 octets are one of two. */
__attribute__((target("avx2"))) static inline uint32_t separators_either(
    const uint8_t *at, char one, char other) {
  __m256i v = _mm256_loadu_si256((const __m256i *)at);
  return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(
      _mm256_cmpeq_epi8(v, _mm256_set1_epi8(one)), _mm256_cmpeq_epi8(v, _mm256_set1_epi8(other))));
}

__attribute__((target("avx2"))) static long separators_wide(
    const uint8_t *at, long count, long start, const uint32_t *endings) {
  long i = start;
  /* The escapes among the preceding octets. */
  uint32_t escapes = start > 0;
  for (; i + 32 <= count; i += 32) {
    uint32_t before = escapes, places = separators_either(at + i, 0x3A, 0x3D);
    escapes = separators_either(at + i, 0x5C, 0x25);
    if (!places) continue;
    long place = separators_among(at, i, places, endings, (before | escapes) != 0);
    if (place >= 0) return place;
  }
  if (i >= count) return -1;
  /* The last 32 octets, without the positions checked before. */
  long first = count - 32;
  uint32_t places = separators_either(at + first, 0x3A, 0x3D) & ~(uint32_t)0 << (i - first);
  escapes |= separators_either(at + first, 0x5C, 0x25);
  return separators_among(at, first, places, endings, escapes != 0);
}

static inline int separators_can(void) { return __builtin_cpu_supports("avx2"); }

#else

static inline long separators_wide(
    const uint8_t *at, long count, long start, const uint32_t *endings) {
  return -1;
}

static inline int separators_can(void) { return 0; }

#endif

/* The first such position at or after `start`; -1 when there is none. `is_wide` is the result of
   `separators_can`. */
static inline long separators_find(
    const void *octets, long count, long start, const uint32_t *endings, int is_wide) {
  const uint8_t *at = (const uint8_t *)octets;
  if (count >= 32 && is_wide) return separators_wide(at, count, start, endings);
  long i = start;
  for (; i + 16 <= count; i += 16) {
    uint32_t places = lanes_equal(at + i, 0x3A) | lanes_equal(at + i, 0x3D);
    long place = separators_among(at, i, places, endings, 1);
    if (place >= 0) return place;
  }
  for (; i < count; i++) {
    if (count < 8 && (at[i] == 0x3A || at[i] == 0x3D)) return i;
    if ((at[i] == 0x3A || at[i] == 0x3D) && separators_counts(at, i, endings, 1)) return i;
  }
  return -1;
}

#endif
