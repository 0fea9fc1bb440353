// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Puts the records of one direction together, however packets cut them.
struct RecordAssembler {
  enum Step {
    /// A whole record, which ends where reading goes on.
    case record(Record)
    /// The last bytes of a record that began in earlier ones: `takeCarried` has all of it.
    case completed(Record)
    /// So many bytes are of a record that lacks others.
    case broken(Int)
    /// No record begins here, or in what was carried.
    case noRecord
    /// So many bytes of a record have no room.
    case noRoom(Int)
  }

  /// Where a hole lies.
  enum Hole {
    /// In a record that has lost bytes.
    case inBroken
    /// In a record, so many bytes of which are carried.
    case inRecord(Record, carried: Int)
    /// Not within one record; so many bytes were carried of the last.
    case beyond(carried: Int)
  }

  /// A record that is not all there.
  private var carry = Scratch()
  /// Bytes that are still to come of a record that lacks others.
  private var brokenLeft = 0
  /// Its share of `Limits.unfinishedBytes`, for a record, or for what is searched for one.
  var room: Reservation

  init(_ limits: Limits) { room = Reservation(limits.unfinishedBytes) }

  /// Goes on from `at`; nil when all bytes are taken.
  mutating func next(_ bytes: RawSpan, _ at: inout Int) -> Step? {
    if at == bytes.byteCount { return nil }
    if brokenLeft > 0 {
      let count = min(brokenLeft, bytes.byteCount &- at)
      brokenLeft -= count
      at += count
      return .broken(count)
    }
    if !carry.isEmpty { return complete(bytes, &at) }
    guard let record = Record.parse(bytes, at: at) else { return keep(bytes, &at) }
    if !record.isPlausible { return .noRecord }
    if record.size > bytes.byteCount &- at { return keep(bytes, &at) }
    at &+= record.size
    return .record(record)
  }

  private mutating func complete(_ bytes: RawSpan, _ at: inout Int) -> Step? {
    while carry.count < Record.headerSize && at < bytes.byteCount {
      carry.append(bytes.byte(at: at))
      at += 1
    }
    guard let record = Record.parse(carry.bytes, at: 0) else { return nil }
    if !record.isPlausible { return .noRecord }
    let count = min(record.size - carry.count, bytes.byteCount - at)
    let start = at
    at += count
    if !room.reserve(carry.count + count) { return .noRoom(count) }
    carry.append(bytes.extracting(start..<at))
    return carry.count == record.size ? .completed(record) : nil
  }

  /// Keeps the beginning of a record until the rest of it comes.
  private mutating func keep(_ bytes: RawSpan, _ at: inout Int) -> Step? {
    let rest = bytes.dropping(at)
    at = bytes.byteCount
    if !room.reserve(rest.byteCount) { return .noRoom(rest.byteCount) }
    carry.append(rest)
    return nil
  }

  /// Takes out what is carried, to be lent.
  mutating func takeCarried() -> Scratch {
    var taken = Scratch()
    swap(&carry, &taken)
    return taken
  }

  /// Takes its memory back.
  mutating func reuse(_ taken: inout Scratch) {
    taken.removeAll()
    if !room.tryToKeep(taken.capacity) { taken.shrink(above: 0) }
    swap(&carry, &taken)
  }

  /// Bytes are missing. Where these end within a record, reading goes on behind it; else it is not
  /// known where the next one begins.
  ///
  /// - Parameters:
  ///   - missing: how many; nil when that is not known.
  ///   - isPlain: there are no keys yet that would tell which record the next one is.
  mutating func skip(_ missing: Int?, isPlain: Bool) -> Hole {
    let carried = carry.count
    if let missing, !isPlain {
      if missing > 0 && brokenLeft > 0 && brokenLeft >= missing {
        brokenLeft -= missing
        return .inBroken
      }
      if let record = Record.parse(carry.bytes, at: 0), record.size - carried >= missing {
        carry.removeAll()
        brokenLeft = record.size - carried - missing
        return .inRecord(record, carried: carried)
      }
    }
    carry.removeAll()
    brokenLeft = 0
    return .beyond(carried: carried)
  }

  /// Gives its memory back, as there was no room.
  mutating func giveBack() {
    carry.shrink(above: 0)
    room.giveBack()
  }

  /// Nothing more comes: answers how many bytes of a record are left.
  mutating func end() -> Int {
    let count = carry.count
    carry.removeAll()
    return count
  }
}
