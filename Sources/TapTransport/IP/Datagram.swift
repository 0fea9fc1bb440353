// SPDX-License-Identifier: Apache-2.0

/// The headers of one IP packet, version 4 or 6. Positions are offsets in the packet.
struct Datagram {
  static let tcp: UInt8 = 6
  static let udp: UInt8 = 17

  var isIPv6: Bool
  /// Offsets of the two addresses.
  var source: Int
  var destination: Int
  /// The protocol number of what begins at `start`.
  var upper: UInt8
  var start: Int
  /// Where the payload ends according to the header: beyond the captured bytes if the packet was
  /// cut, before their end if Ethernet padded it.
  var end: Int
  /// Set when the payload is only a fragment of the datagram.
  var fragment: Fragment?

  /// Length of the payload according to the header.
  var length: Int { end &- start }
}

/// Which part of its datagram a fragment is (RFC 791 §3.2, RFC 8200 §4.5).
struct Fragment {
  var identification: UInt32
  /// In bytes.
  var offset: Int
  var isLast: Bool
}
