// SPDX-License-Identifier: Apache-2.0
#include "deflate.h"
#include <stdlib.h>
#include <zlib.h>

struct bench_deflater {
  z_stream stream;
};

bench_deflater *bench_deflater_make(void) {
  bench_deflater *deflater = calloc(1, sizeof(bench_deflater));
  if (!deflater) return NULL;
  if (deflateInit2(&deflater->stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
    return deflater;
  }
  free(deflater);
  return NULL;
}

void bench_deflater_free(bench_deflater *deflater) {
  if (!deflater) return;
  deflateEnd(&deflater->stream);
  free(deflater);
}

size_t bench_deflate(
  bench_deflater *deflater, const uint8_t *bytes, size_t count, uint8_t *into, size_t room) {
  z_stream *stream = &deflater->stream;
  stream->next_in = (uint8_t *)bytes;
  stream->avail_in = (uInt)count;
  stream->next_out = into;
  stream->avail_out = (uInt)room;
  if (deflate(stream, Z_SYNC_FLUSH) != Z_OK || stream->avail_out == 0) return 0;
  size_t made = room - stream->avail_out;
  return made < 4 ? 0 : made - 4;
}
