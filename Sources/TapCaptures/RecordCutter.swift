// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What begins at an offset of a capture file.
enum Extent {
  /// Not known until at least this many bytes are there.
  case unknown(needed: Int)
  case record(Int)
  /// This many bytes are skipped.
  case skip(UInt64)
  /// Nothing valid: the rest of the file is only counted.
  case stop
}

/// A format that is a sequence of records with their lengths.
protocol RecordFormat {
  /// What begins here; called again with more bytes after `unknown`, and once more when a record is
  /// complete. `offset` counts from the beginning of the file.
  mutating func extent(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) -> Extent
  /// Reads one complete record.
  mutating func record(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink)
  /// Fast path: reads complete, ordinary records from here on, and returns how many bytes they
  /// take. Anything else goes through `extent` and `record`.
  mutating func usualRecords(_ bytes: RawSpan, _ sink: any EvidenceSink) -> Int
}

extension RecordFormat {
  mutating func usualRecords(_ bytes: RawSpan, _ sink: any EvidenceSink) -> Int { 0 }
}

/// Splits chunks into complete records. Records inside a chunk are lent from the chunk itself; only
/// one that spans two chunks is copied to `carry`.
struct RecordCutter {
  /// The beginning of an incomplete record.
  private(set) var carry = Scratch()
  /// The file offset of `carry`, or of the next byte.
  private(set) var offset: UInt64 = 0
  /// How many bytes are still to be skipped.
  private(set) var skipping: UInt64 = 0
  private(set) var isStopped = false
  /// Bytes that came after the stop.
  private(set) var unread: UInt64 = 0

  mutating func receive<Format: RecordFormat>(
    _ chunk: RawSpan, _ format: inout Format, _ sink: any EvidenceSink
  ) {
    var at = 0
    if !carry.isEmpty { fill(from: chunk, &at, &format, sink) }
    if !carry.isEmpty { return }
    while !isStopped && !pass(chunk, &at) {
      let usual = format.usualRecords(chunk.dropping(at), sink)
      at += usual
      offset += UInt64(usual)
      let rest = chunk.dropping(at)
      if rest.isEmpty { return }
      switch format.extent(rest, at: offset, sink) {
      case .record(let length) where length <= rest.byteCount:
        format.record(rest.extracting(0..<length), at: offset, sink)
        at += length
        offset += UInt64(length)
      case .record, .unknown: return carry.append(rest)
      case .skip(let length): skipping = length
      case .stop: isStopped = true
      }
    }
    if isStopped { unread += UInt64(chunk.byteCount - at) }
  }

  /// Skips bytes; true when the chunk is used up.
  private mutating func pass(_ chunk: RawSpan, _ at: inout Int) -> Bool {
    let left = chunk.byteCount - at
    let step = Int(min(UInt64(left), skipping))
    at += step
    offset += UInt64(step)
    skipping -= UInt64(step)
    return step == left
  }

  /// Completes only the record in `carry`; the following bytes are lent from the chunk again.
  private mutating func fill<Format: RecordFormat>(
    from chunk: RawSpan, _ at: inout Int, _ format: inout Format, _ sink: any EvidenceSink
  ) {
    while true {
      let needed: Int
      switch format.extent(carry.bytes, at: offset, sink) {
      case .unknown(let least): needed = least
      case .record(let length):
        if carry.count == length {
          format.record(carry.bytes, at: offset, sink)
          offset += UInt64(length)
          return carry.removeAll()
        }
        needed = length
      case .skip(let length):
        // `carry` contains at most the bytes to skip.
        offset += UInt64(carry.count)
        skipping = length - UInt64(carry.count)
        return carry.removeAll()
      case .stop:
        isStopped = true
        unread += UInt64(carry.count)
        return carry.removeAll()
      }
      let step = min(needed - carry.count, chunk.byteCount - at)
      if step <= 0 { return }
      carry.append(chunk.extracting(at..<at + step))
      at += step
    }
  }
}
