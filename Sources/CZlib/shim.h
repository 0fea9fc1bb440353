// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

/// `inflateInit2` is a macro, which Swift does not import.
static inline int tap_inflate_init(z_streamp stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}
