// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

extension Finding.Code {
  /// A block contradicts itself: shorter than its fixed fields, lengths at both ends that differ,
  /// no byte order, a packet longer than its block (draft-ietf-opsawg-pcapng §3.1). Decoding goes
  /// on if a block follows, otherwise it stops. Likely cause: a file transferred in text mode or
  /// overwritten, or a writer that was killed.
  static let pcapngDamaged: Finding.Code = "pcapng.damaged"
  /// The file ends inside a block. Likely cause: the capturing program is still writing or was
  /// killed, the disk was full, or the copy is incomplete.
  static let pcapngTruncated: Finding.Code = "pcapng.truncated"
  /// Packets name an interface that no Interface Description Block of their section describes
  /// (draft-ietf-opsawg-pcapng §4.3 requires one). Without its link type they cannot be read.
  /// Likely cause: files cut or joined by a tool that does not know pcapng.
  static let pcapngUnknownInterface: Finding.Code = "pcapng.unknown-interface"
  /// A block of a packet or of secrets is larger than `Limits.packetBytes`, which no rule forbids.
  /// Likely cause: damage that happens to keep the form.
  static let pcapngTooLarge: Finding.Code = "pcapng.too-large"
  /// A section says it is of a major version other than 1 (draft-ietf-opsawg-pcapng §4.1). Likely
  /// cause: a writer newer than this program.
  static let pcapngVersion: Finding.Code = "pcapng.version"
}
