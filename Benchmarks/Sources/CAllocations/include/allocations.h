// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  /// Calls that allocated memory, including `realloc`.
  uint64_t count;
  uint64_t bytes;
} bench_allocations;

/// Whether allocations are counted on this platform.
bool bench_counts_allocations(void);
/// The allocations since the program started.
bench_allocations bench_allocated(void);
