// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The header of one packet in a classic pcap file (draft-ietf-opsawg-pcap §5).
struct PcapRecord {
  var time: Instant
  /// The number of captured bytes, which follow the header.
  var captured: UInt32
  /// The length on the wire in bytes.
  var original: UInt32

  ///      0                   1                   2                   3
  ///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
  ///     +---------------------------------------------------------------+
  ///     |                            seconds                            |
  ///     +---------------------------------------------------------------+
  ///     |                  microseconds or nanoseconds                  |
  ///     +---------------------------------------------------------------+
  ///     |                        captured length                        |
  ///     +---------------------------------------------------------------+
  ///     |                        original length                        |
  ///     +---------------------------------------------------------------+
  ///
  /// The caller has checked that a header is there.
  init(_ bytes: RawSpan, _ file: PcapHeader) {
    let order = file.order
    let seconds = Int64(order.uint32(bytes, at: 0))
    // Some tools write fractions of one second or more; they are simply added.
    let fraction = Int64(order.uint32(bytes, at: 4))
    time = Instant(
      nanoseconds: seconds * 1_000_000_000 + fraction * (file.isNanoseconds ? 1 : 1000))
    captured = order.uint32(bytes, at: 8)
    original = order.uint32(bytes, at: 12)
    // Before version 2.3 the lengths were in reverse order, and in 2.3 sometimes (libpcap,
    // sf-pcap.c).
    if file.major == 2 && (file.minor < 3 || file.minor == 3 && captured > original) {
      swap(&captured, &original)
    }
  }

  /// Whether all fields are zero, as in the unwritten tail of a file that was preallocated.
  var isBlank: Bool { time.nanoseconds == 0 && captured == 0 && original == 0 }
}
