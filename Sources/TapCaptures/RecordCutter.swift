// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// What stands at the beginning of some bytes of a capture file.
enum Extent {
  /// At least so many bytes must be seen to know.
  case unknown(needed: Int)
  case record(Int)
  /// So many bytes that are not read.
  case skip(UInt64)
  /// Nothing that makes sense: the rest of the file is only counted.
  case stop
}

/// A format that is a row of records which name their length.
protocol RecordFormat {
  /// What begins here; asked again with more bytes after `unknown`, and once more when a record
  /// is whole. `offset` counts from the beginning of the file.
  mutating func extent(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink) -> Extent
  /// One whole record.
  mutating func record(_ bytes: RawSpan, at offset: UInt64, _ sink: any EvidenceSink)
  /// As many whole records as begin here and are nothing but usual; answers how many bytes they
  /// take. What it leaves goes through `extent` and `record`.
  mutating func usualRecords(_ bytes: RawSpan, _ sink: any EvidenceSink) -> Int
}

extension RecordFormat {
  mutating func usualRecords(_ bytes: RawSpan, _ sink: any EvidenceSink) -> Int { 0 }
}

/// Cuts chunks into whole records. Records inside a chunk are lent from the chunk itself; only one
/// that straddles two chunks is put together in `carry`.
struct RecordCutter {
  /// The beginning of a record that is not whole yet.
  private(set) var carry = Scratch()
  /// Of the beginning of `carry`, or of what comes next; in bytes of the file.
  private(set) var offset: UInt64 = 0
  /// Bytes still to be passed over.
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

  /// Passes over what is to be skipped; answers whether the chunk is used up.
  private mutating func pass(_ chunk: RawSpan, _ at: inout Int) -> Bool {
    let left = chunk.byteCount - at
    let step = Int(min(UInt64(left), skipping))
    at += step
    offset += UInt64(step)
    skipping -= UInt64(step)
    return step == left
  }

  /// Completes the record in `carry`, no byte more: what follows is lent from the chunk again.
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
        // What is in `carry` is the beginning of it, never more than all of it.
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
