// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  /// Calls that took memory, `realloc` among them.
  uint64_t count;
  uint64_t bytes;
} bench_allocations;

/// Whether allocations are counted on this platform.
bool bench_counts_allocations(void);
/// What was allocated since the program began.
bench_allocations bench_allocated(void);
