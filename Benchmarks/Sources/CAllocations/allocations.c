// SPDX-License-Identifier: Apache-2.0
#include "allocations.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

// The benchmarks have one thread, so plain counters suffice.
static bench_allocations allocated;

bench_allocations bench_allocated(void) { return allocated; }

#if defined(__GLIBC__)

// Definitions in the program replace those of glibc, also in its libraries.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *old);

static inline void note(size_t size) {
  allocated.count += 1;
  allocated.bytes += size;
}

bool bench_counts_allocations(void) { return true; }

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  note(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *result = made;
  return 0;
}

void free(void *old) { __libc_free(old); }

#else

bool bench_counts_allocations(void) { return false; }

#endif
