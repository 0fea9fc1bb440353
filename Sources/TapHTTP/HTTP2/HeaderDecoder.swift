// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTraffic

/// The field sections of one direction (RFC 7541). Each may refer to earlier ones, so after one
/// that was lost or is broken, no other can be read.
struct HeaderDecoder {
  /// The largest dynamic table that is kept, in bytes, whatever a peer allows.
  private static let mostBytes = 1 << 20
  /// Initial value of SETTINGS_HEADER_TABLE_SIZE (RFC 9113 §6.5.2).
  private static let firstTableSize = 4096

  /// Made with the first section.
  private var inflater: HPACKInflater?
  /// Bytes that the table may take, and those that one section may have.
  private var tableSize = firstTableSize
  private let mostOfSection: Int
  private var room: Reservation
  /// No section can be read any more.
  private(set) var isLost = false
  /// The reason, if it is not in what was sent.
  private(set) var obstacle: String?

  init(limits: Limits) {
    mostOfSection = Self.mostOfHead * limits.headBytes
    room = Reservation(limits.unfinishedBytes)
  }

  /// A section may have this many times `Limits.headBytes`, as each field counts 32 bytes more than
  /// its text (RFC 7541 §4.1).
  private static let mostOfHead = 3

  mutating func lose() {
    (isLost, inflater) = (true, nil)
    room.giveBack()
  }

  /// Reserves the table's size of `Limits.unfinishedBytes`; if that fails, no section can be read
  /// any more.
  mutating func reserve() -> Bool {
    if isLost || room.reserve(tableSize) { return true }
    lose()
    obstacle = Reservation.shortage
    return false
  }

  /// The receiver allows a table of this size; the sender announces when it uses it.
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
