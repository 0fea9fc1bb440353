// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <pcap/pcap.h>

/// libpcap is loaded when a capture starts, not when the program starts: it depends on half a dozen
/// libraries, which reading files does not need. The types are those of its header.
#define TAP_PCAP(function)                                                                         \
  function(create) function(set_snaplen) function(set_promisc) function(set_timeout)               \
  function(set_buffer_size) function(set_tstamp_precision) function(activate) function(close)      \
  function(geterr) function(statustostr) function(datalink) function(datalink_val_to_name)         \
  function(compile) function(setfilter) function(freecode) function(open_dead)                     \
  function(offline_filter) function(dispatch) function(breakloop) function(setnonblock)            \
  function(stats) function(findalldevs) function(freealldevs) function(lib_version)

typedef struct {
#define TAP_PCAP_FIELD(name) __typeof__(&pcap_##name) name;
  TAP_PCAP(TAP_PCAP_FIELD)
#undef TAP_PCAP_FIELD
} tap_pcap;

/// Finds every function in the library; returns whether all were found.
static inline int tap_pcap_find(tap_pcap *library, void *handle) {
#define TAP_PCAP_FIND(name)                                                                        \
  library->name = (__typeof__(&pcap_##name))dlsym(handle, "pcap_" #name);                          \
  if (!library->name) return 0;
  TAP_PCAP(TAP_PCAP_FIND)
#undef TAP_PCAP_FIND
  return 1;
}
