// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Reassembles the records of one direction.
struct RecordAssembler {
  enum Step {
    /// A complete record, which ends at the new offset.
    case record(Record)
    /// The end of a record that began in earlier bytes; `takeCarried` returns all of it.
    case completed(Record)
    /// Bytes of a record with missing bytes; how many.
    case broken(Int)
    /// No record begins here, or in the carried bytes.
    case noRecord
    /// There is no room for bytes of a record; how many.
    case noRoom(Int)
  }

  /// The position of a gap.
  enum Hole {
    /// In a record with bytes missing already.
    case inBroken
    /// Within a record; how many bytes of it are carried.
    case inRecord(Record, carried: Int)
    /// Beyond the end of a record; how many bytes were carried of that.
    case beyond(carried: Int)
  }

  /// The beginning of an incomplete record.
  private var carry = Scratch()
  /// The bytes still to come of a record with missing bytes.
  private var brokenLeft = 0
  /// Its share of `Limits.unfinishedBytes`, for a record, or for bytes in which one is searched.
  var room: Reservation

  init(_ limits: Limits) { room = Reservation(limits.unfinishedBytes) }

  /// Continues at `at`; nil when all bytes are taken.
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

  /// Keeps the beginning of a record until the rest comes.
  private mutating func keep(_ bytes: RawSpan, _ at: inout Int) -> Step? {
    let rest = bytes.dropping(at)
    at = bytes.byteCount
    if !room.reserve(rest.byteCount) { return .noRoom(rest.byteCount) }
    carry.append(rest)
    return nil
  }

  /// Moves the carried bytes out, so that they can be lent.
  mutating func takeCarried() -> Scratch {
    var taken = Scratch()
    swap(&carry, &taken)
    return taken
  }

  /// Returns the memory for reuse.
  mutating func reuse(_ taken: inout Scratch) {
    taken.removeAll()
    if !room.tryToKeep(taken.capacity) { taken.shrink(above: 0) }
    swap(&carry, &taken)
  }

  /// Handles missing bytes. If they end within a record, reading continues after that record;
  /// otherwise the start of the next one is not known.
  ///
  /// - Parameters:
  ///   - missing: how many; nil when that is not known.
  ///   - isPlain: there are no keys yet to find the next record's number.
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

  /// Frees its memory, as there was no room.
  mutating func giveBack() {
    carry.shrink(above: 0)
    room.giveBack()
  }

  /// The stream has ended: returns how many bytes of an incomplete record are left.
  mutating func end() -> Int {
    let count = carry.count
    carry.removeAll()
    return count
  }
}
