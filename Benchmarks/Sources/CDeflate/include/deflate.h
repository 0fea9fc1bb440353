// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

/// One direction of permessage-deflate (RFC 7692) that keeps its context.
typedef struct bench_deflater bench_deflater;

bench_deflater *bench_deflater_make(void);
void bench_deflater_free(bench_deflater *deflater);
/// Compresses one message without the tail 00 00 FF FF; returns its length, or 0 when `room` is too
/// small.
size_t bench_deflate(
  bench_deflater *deflater, const uint8_t *bytes, size_t count, uint8_t *into, size_t room);
