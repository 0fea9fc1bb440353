// SPDX-License-Identifier: Apache-2.0

/// What the headers of one IP packet say, version 4 or 6. Positions are offsets in the packet.
struct Datagram {
  static let tcp: UInt8 = 6
  static let udp: UInt8 = 17

  var isIPv6: Bool
  /// Where the addresses stand.
  var source: Int
  var destination: Int
  /// The protocol of what begins at `start`.
  var upper: UInt8
  var start: Int
  /// Where the payload ends by the header: more than was captured when the packet was cut, less
  /// when Ethernet padded it.
  var end: Int
  /// Set when the payload is only a part of what was sent.
  var fragment: Fragment?

  /// Bytes of the payload by the header.
  var length: Int { end &- start }
}

/// The place of a fragment in its datagram (RFC 791 §3.2, RFC 8200 §4.5).
struct Fragment {
  var identification: UInt32
  /// In bytes.
  var offset: Int
  var isLast: Bool
}
