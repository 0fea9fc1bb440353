// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTraffic

/// The field sections of one direction (RFC 7541). Each one may refer to those before it, so that
/// after one that was lost or is broken no other can be read.
struct HeaderDecoder {
  /// The largest dynamic table that is kept, whatever a peer allows.
  private static let mostBytes = 1 << 20
  /// Of SETTINGS_HEADER_TABLE_SIZE (RFC 9113 §6.5.2).
  private static let firstTableSize = 4096

  /// Made for the first section.
  private var inflater: HPACKInflater?
  /// Bytes that the table may take, and those of one section.
  private var tableSize = firstTableSize
  private let mostOfSection: Int
  private var room: Reservation
  /// Nothing can be read any more.
  private(set) var isLost = false
  /// Why, where it is nothing that was sent.
  private(set) var obstacle: String?

  init(limits: Limits) {
    mostOfSection = Self.mostOfHead * limits.headBytes
    room = Reservation(limits.unfinishedBytes)
  }

  /// Fields count 32 bytes each beside what they say (RFC 7541 §4.1).
  private static let mostOfHead = 3

  mutating func lose() {
    (isLost, inflater) = (true, nil)
    room.giveBack()
  }

  /// Takes what the table needs of `Limits.unfinishedBytes`; without it, nothing can be read any
  /// more.
  mutating func reserve() -> Bool {
    if isLost || room.reserve(tableSize) { return true }
    lose()
    obstacle = Reservation.shortage
    return false
  }

  /// The receiver allows a table of this size; the sender says when it makes use of it.
  mutating func allow(_ bytes: UInt32) {
    let size = min(Int(bytes), Self.mostBytes)
    if size <= tableSize { return }
    tableSize = size
    inflater?.allow(size)
  }

  /// The fields of one section; nil when they cannot be read.
  mutating func fields(_ block: [UInt8]) -> [(name: String, value: [UInt8])]? {
    if isLost { return nil }
    if inflater == nil {
      inflater = HPACKInflater()
      if inflater == nil { obstacle = SharedLibrary.libnghttp2.isMissing }
      if tableSize > Self.firstTableSize { inflater?.allow(tableSize) }
    }
    guard let fields = inflater?.fields(block, most: mostOfSection) else {
      lose()
      return nil
    }
    return fields.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
  }
}
