/* SPDX-License-Identifier: Apache-2.0 */

/* Vector operations on sixteen octets, which Swift does not offer. lanes_unplain,
   lanes_unprintable, lanes_quotable, lanes_undigit and lanes_equal read exactly sixteen octets,
   lanes_places and lanes_places_of_three up to sixty-four. They return one bit per octet, the first
   in the lowest bit. */

#ifndef LANES_H
#define LANES_H

#include <stdint.h>

/* lanes_find, one octet at a time. */
static inline long lanes_find_few(const uint8_t *at, long count, uint64_t set) {
  for (long i = 0; i < count; i++) {
    uint64_t differs = set ^ at[i] * 0x0101010101010101u;
    if ((differs - 0x0101010101010101u) & ~differs & 0x8080808080808080u) return i;
  }
  return count;
}

/* lanes_places, one octet at a time. */
static inline uint64_t lanes_places_few(
    const uint8_t *at, long count, uint64_t set, uint8_t ninth) {
  uint64_t places = 0;
  for (long i = 0; i < count && i < 64; i++) {
    places |= (uint64_t)(at[i] == ninth || lanes_find_few(at + i, 1, set) == 0) << i;
  }
  return places;
}

#if defined(__SSE2__)
#include <emmintrin.h>

/* Quotes, backslashes, control characters, DEL, and non-ASCII: what ends the plain content of a
   JSON string. */
static inline uint32_t lanes_unplain(const void *octets) {
  __m128i v = _mm_loadu_si128((const __m128i *)octets);
  __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x22));
  __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x5C));
  __m128i del = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7F));
  /* A signed comparison: octets from 0x80 on are negative, so they count too. */
  __m128i control = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
  __m128i any = _mm_or_si128(_mm_or_si128(quote, slash), _mm_or_si128(del, control));
  return (uint32_t)_mm_movemask_epi8(any);
}

/* Control characters, DEL, and non-ASCII. */
static inline uint32_t lanes_unprintable(const void *octets) {
  __m128i v = _mm_loadu_si128((const __m128i *)octets);
  __m128i del = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7F));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(del, _mm_cmplt_epi8(v, _mm_set1_epi8(0x20))));
}

/* What a JSON string must escape: quotes, backslashes and controls. */
static inline uint32_t lanes_quotable(const void *octets) {
  __m128i v = _mm_loadu_si128((const __m128i *)octets);
  __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x22));
  __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x5C));
  __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), control));
}

/* Loads the first `count` octets, fewer than sixteen, padded with zeros. */
static inline __m128i lanes_few(const uint8_t *at, long count) {
  uint64_t low = 0, high = 0;
  if (count >= 8) {
    __builtin_memcpy(&low, at, 8);
    __builtin_memcpy(&high, at + count - 8, 8);
    high = count > 8 ? high >> (8 * (16 - count)) : 0;
  } else if (count >= 4) {
    uint32_t head, tail;
    __builtin_memcpy(&head, at, 4);
    __builtin_memcpy(&tail, at + count - 4, 4);
    low = head | (uint64_t)tail << (8 * (count - 4));
  } else {
    for (long i = 0; i < count; i++) low |= (uint64_t)at[i] << (8 * i);
  }
  return _mm_set_epi64x((long long)high, (long long)low);
}

/* Copies sixteen octets, or `count` if fewer; there must be room for sixteen. */
static inline void lanes_copy(void *to, const void *from, long count) {
  const uint8_t *at = (const uint8_t *)from;
  __m128i v = count >= 16 ? _mm_loadu_si128((const __m128i *)at) : lanes_few(at, count);
  _mm_storeu_si128((__m128i *)to, v);
}

/* Octets that are not decimal digits. */
static inline uint32_t lanes_undigit(const void *octets) {
  __m128i v = _mm_loadu_si128((const __m128i *)octets);
  __m128i digit = _mm_sub_epi8(v, _mm_set1_epi8(0x30));
  __m128i is = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
  return (uint32_t)_mm_movemask_epi8(is) ^ 0xFFFF;
}

/* Octets that equal `wanted`. */
static inline uint32_t lanes_equal(const void *octets, uint8_t wanted) {
  __m128i v = _mm_loadu_si128((const __m128i *)octets);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)wanted)));
}

/* Whether all octets, at least sixteen, are ASCII. */
static inline int lanes_ascii(const void *octets, long count) {
  const uint8_t *at = (const uint8_t *)octets;
  __m128i all = _mm_loadu_si128((const __m128i *)(at + count - 16));
  for (long i = 0; i + 16 <= count; i += 16) {
    all = _mm_or_si128(all, _mm_loadu_si128((const __m128i *)(at + i)));
  }
  return _mm_movemask_epi8(all) == 0;
}

/* The offset of the first octet that is one of the eight in `set`; `count` when there is none. */
static inline long lanes_find(const void *octets, long count, uint64_t set) {
  const uint8_t *at = (const uint8_t *)octets;
  __m128i wanted[8];
  for (int k = 0; k < 8; k++) wanted[k] = _mm_set1_epi8((char)(set >> (8 * k)));
  long i = 0;
  for (; i + 16 <= count; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(at + i));
    __m128i hit = _mm_cmpeq_epi8(v, wanted[0]);
    for (int k = 1; k < 8; k++) hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, wanted[k]));
    int bits = _mm_movemask_epi8(hit);
    if (bits) return i + __builtin_ctz((unsigned)bits);
    /* The last sixteen, the first of which were looked at before. */
    if (i + 32 > count && i + 16 < count) i = count - 32;
  }
  return i + lanes_find_few(at + i, count - i, set);
}

/* Which of the next octets, at most sixty-four, are one of the eight in `set` or the ninth. */
static inline uint64_t lanes_places(
    const void *octets, long count, uint64_t set, uint8_t ninth) {
  const uint8_t *at = (const uint8_t *)octets;
  if (count < 16) return lanes_places_few(at, count, set, ninth);
  __m128i wanted[8];
  for (int k = 0; k < 8; k++) wanted[k] = _mm_set1_epi8((char)(set >> (8 * k)));
  __m128i last = _mm_set1_epi8((char)ninth);
  uint64_t places = 0;
  long size = count < 64 ? count : 64;
  for (long i = 0; i < size; i += 16) {
    /* The last sixteen, some of which were looked at before. */
    long from = i + 16 > size ? size - 16 : i;
    __m128i v = _mm_loadu_si128((const __m128i *)(at + from));
    __m128i hit = _mm_cmpeq_epi8(v, last);
    for (int k = 0; k < 8; k++) hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, wanted[k]));
    places |= (uint64_t)(uint32_t)_mm_movemask_epi8(hit) << from;
  }
  return places;
}

/* The same for three octets. */
static inline uint64_t lanes_places_of_three(const void *octets, long count, uint32_t set) {
  const uint8_t *at = (const uint8_t *)octets;
  if (count < 16) return lanes_places_few(at, count, set * 0x100000001u, (uint8_t)set);
  __m128i a = _mm_set1_epi8((char)set), b = _mm_set1_epi8((char)(set >> 8));
  __m128i c = _mm_set1_epi8((char)(set >> 16));
  uint64_t places = 0;
  long size = count < 64 ? count : 64;
  for (long i = 0; i < size; i += 16) {
    long from = i + 16 > size ? size - 16 : i;
    __m128i v = _mm_loadu_si128((const __m128i *)(at + from));
    __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, a), _mm_cmpeq_epi8(v, b));
    hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, c));
    places |= (uint64_t)(uint32_t)_mm_movemask_epi8(hit) << from;
  }
  return places;
}

#elif defined(__aarch64__)
#include <arm_neon.h>

static inline uint32_t lanes_bits(uint8x16_t lanes) {
  static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t bits = vandq_u8(lanes, vld1q_u8(weights));
  return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline uint32_t lanes_unplain(const void *octets) {
  uint8x16_t v = vld1q_u8((const uint8_t *)octets);
  uint8x16_t quote = vceqq_u8(v, vdupq_n_u8(0x22));
  uint8x16_t slash = vceqq_u8(v, vdupq_n_u8(0x5C));
  uint8x16_t high = vcgeq_u8(v, vdupq_n_u8(0x7F));
  uint8x16_t control = vcltq_u8(v, vdupq_n_u8(0x20));
  return lanes_bits(vorrq_u8(vorrq_u8(quote, slash), vorrq_u8(high, control)));
}

static inline uint32_t lanes_unprintable(const void *octets) {
  uint8x16_t v = vld1q_u8((const uint8_t *)octets);
  return lanes_bits(vorrq_u8(vcgeq_u8(v, vdupq_n_u8(0x7F)), vcltq_u8(v, vdupq_n_u8(0x20))));
}

static inline uint32_t lanes_quotable(const void *octets) {
  uint8x16_t v = vld1q_u8((const uint8_t *)octets);
  uint8x16_t quote = vceqq_u8(v, vdupq_n_u8(0x22));
  uint8x16_t slash = vceqq_u8(v, vdupq_n_u8(0x5C));
  return lanes_bits(vorrq_u8(vorrq_u8(quote, slash), vcltq_u8(v, vdupq_n_u8(0x20))));
}

static inline int lanes_ascii(const void *octets, long count) {
  const uint8_t *at = (const uint8_t *)octets;
  uint8x16_t all = vld1q_u8(at + count - 16);
  for (long i = 0; i + 16 <= count; i += 16) all = vorrq_u8(all, vld1q_u8(at + i));
  return vmaxvq_u8(all) < 0x80;
}

static inline long lanes_find(const void *octets, long count, uint64_t set) {
  const uint8_t *at = (const uint8_t *)octets;
  uint8x16_t wanted[8];
  for (int k = 0; k < 8; k++) wanted[k] = vdupq_n_u8((uint8_t)(set >> (8 * k)));
  long i = 0;
  for (; i + 16 <= count; i += 16) {
    uint8x16_t v = vld1q_u8(at + i);
    uint8x16_t hit = vceqq_u8(v, wanted[0]);
    for (int k = 1; k < 8; k++) hit = vorrq_u8(hit, vceqq_u8(v, wanted[k]));
    if (vmaxvq_u8(hit)) return i + __builtin_ctz(lanes_bits(hit));
    if (i + 32 > count && i + 16 < count) i = count - 32;
  }
  return i + lanes_find_few(at + i, count - i, set);
}

static inline uint64_t lanes_places(
    const void *octets, long count, uint64_t set, uint8_t ninth) {
  const uint8_t *at = (const uint8_t *)octets;
  if (count < 16) return lanes_places_few(at, count, set, ninth);
  uint8x16_t wanted[8];
  for (int k = 0; k < 8; k++) wanted[k] = vdupq_n_u8((uint8_t)(set >> (8 * k)));
  uint8x16_t last = vdupq_n_u8(ninth);
  uint64_t places = 0;
  long size = count < 64 ? count : 64;
  for (long i = 0; i < size; i += 16) {
    long from = i + 16 > size ? size - 16 : i;
    uint8x16_t v = vld1q_u8(at + from);
    uint8x16_t hit = vceqq_u8(v, last);
    for (int k = 0; k < 8; k++) hit = vorrq_u8(hit, vceqq_u8(v, wanted[k]));
    places |= (uint64_t)lanes_bits(hit) << from;
  }
  return places;
}

static inline uint32_t lanes_undigit(const void *octets) {
  uint8x16_t v = vsubq_u8(vld1q_u8((const uint8_t *)octets), vdupq_n_u8(0x30));
  return lanes_bits(vcgtq_u8(v, vdupq_n_u8(9)));
}

static inline uint32_t lanes_equal(const void *octets, uint8_t wanted) {
  return lanes_bits(vceqq_u8(vld1q_u8((const uint8_t *)octets), vdupq_n_u8(wanted)));
}

#else

static inline uint32_t lanes_unplain(const void *octets) {
  const uint8_t *at = (const uint8_t *)octets;
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) {
    bits |= (uint32_t)(at[i] == 0x22 || at[i] == 0x5C || at[i] < 0x20 || at[i] >= 0x7F) << i;
  }
  return bits;
}

static inline uint32_t lanes_unprintable(const void *octets) {
  const uint8_t *at = (const uint8_t *)octets;
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) bits |= (uint32_t)(at[i] < 0x20 || at[i] >= 0x7F) << i;
  return bits;
}

static inline uint32_t lanes_quotable(const void *octets) {
  const uint8_t *at = (const uint8_t *)octets;
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) {
    bits |= (uint32_t)(at[i] == 0x22 || at[i] == 0x5C || at[i] < 0x20) << i;
  }
  return bits;
}

static inline int lanes_ascii(const void *octets, long count) {
  const uint8_t *at = (const uint8_t *)octets;
  uint8_t all = 0;
  for (long i = 0; i < count; i++) all |= at[i];
  return all < 0x80;
}

static inline uint32_t lanes_undigit(const void *octets) {
  const uint8_t *at = (const uint8_t *)octets;
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) bits |= (uint32_t)((uint8_t)(at[i] - 0x30) > 9) << i;
  return bits;
}

static inline uint32_t lanes_equal(const void *octets, uint8_t wanted) {
  const uint8_t *at = (const uint8_t *)octets;
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) bits |= (uint32_t)(at[i] == wanted) << i;
  return bits;
}

static inline long lanes_find(const void *octets, long count, uint64_t set) {
  return lanes_find_few((const uint8_t *)octets, count, set);
}

static inline uint64_t lanes_places(
    const void *octets, long count, uint64_t set, uint8_t ninth) {
  return lanes_places_few((const uint8_t *)octets, count, set, ninth);
}

#endif

#if !defined(__SSE2__)
static inline uint64_t lanes_places_of_three(const void *octets, long count, uint32_t set) {
  return lanes_places(octets, count, set * 0x100000001u, (uint8_t)set);
}

static inline void lanes_copy(void *to, const void *from, long count) {
  if (count >= 16) {
    __builtin_memcpy(to, from, 16);
  } else {
    __builtin_memcpy(to, from, (unsigned long)count);
  }
}
#endif
#endif
