// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <nghttp2/nghttp2.h>

/// libnghttp2 is loaded for the first header fields of HTTP/2. The types are those of its header.
#define TAP_NGHTTP2(function)                                                                      \
  function(version) function(hd_inflate_new) function(hd_inflate_del)                              \
  function(hd_inflate_change_table_size) function(hd_inflate_hd2)                                  \
  function(hd_inflate_end_headers)

typedef struct {
#define TAP_NGHTTP2_FIELD(name) __typeof__(&nghttp2_##name) name;
  TAP_NGHTTP2(TAP_NGHTTP2_FIELD)
#undef TAP_NGHTTP2_FIELD
} tap_nghttp2;

/// Finds every function in the library; returns whether all were found.
static inline int tap_nghttp2_find(tap_nghttp2 *library, void *handle) {
#define TAP_NGHTTP2_FIND(name)                                                                     \
  library->name = (__typeof__(&nghttp2_##name))dlsym(handle, "nghttp2_" #name);                    \
  if (!library->name) return 0;
  TAP_NGHTTP2(TAP_NGHTTP2_FIND)
#undef TAP_NGHTTP2_FIND
  return 1;
}
