// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Cuts a log into lines and passes on those that may hold a message, with the lines that belong to
/// them. All others are only looked at sixteen octets at a time.
struct LogLines {
  /// Octets that are kept of a line for the one below.
  private static let kept = 256
  /// Lines that are looked at for a message below its mark.
  private static let mostBelow = 12

  private let place: Place
  private let limits: Limits
  /// The beginning of a line whose end has not come.
  private var carry = Scratch()
  /// So much of a line that it is skipped to its end.
  private var isOverlong = false
  /// The beginning of the line before.
  private var before = Scratch()
  private var gathering: Gathering?
  /// Of the line that begins next, in octets of the file.
  private var offset: UInt64
  /// Lines that ended.
  private(set) var number: UInt64 = 0

  /// Lines that belong together, until a list ends.
  private struct Gathering {
    var text = Scratch()
    var before: Scratch
    var end: ListEnd
    var origin: Origin
    /// Where the lines behind the first begin.
    var breaks: [Int] = []
  }

  init(_ place: Place, _ limits: Limits, from offset: UInt64) {
    (self.place, self.limits, self.offset) = (place, limits, offset)
  }

  mutating func receive(_ chunk: RawSpan, _ reader: inout LogReader, _ floor: any Floor) {
    var at = 0
    if !carry.isEmpty || isOverlong {
      let end = chunk.firstIndex(of: 0x0A)
      extend(chunk.extracting(0..<(end ?? chunk.byteCount)), floor)
      guard let end else { return }
      endCarried(&reader, floor)
      at = end + 1
    }
    at = scan(chunk, from: at, &reader, floor)
    extend(chunk.dropping(at), floor)
  }

  /// No more comes: the last line may have no end.
  mutating func finish(_ reader: inout LogReader, _ floor: any Floor) {
    if !carry.isEmpty || isOverlong { endCarried(&reader, floor) }
    giveUp(&reader, floor)
  }

  /// All whole lines of a chunk; answers where the one begins that is not whole.
  private mutating func scan(
    _ chunk: RawSpan, from first: Int, _ reader: inout LogReader, _ floor: any Floor
  ) -> Int {
    var start = first
    // The line before, as far as it is in this chunk.
    var last: Range<Int>?
    var at = start
    while at < chunk.byteCount {
      if gathering != nil {
        guard let end = chunk.firstIndex(of: 0x0A, from: start) else { break }
        line(chunk.extracting(start..<end), &reader, floor)
        (start, at) = (end + 1, end + 1)
        last = nil
        continue
      }
      at = chunk.firstIndex(ofAny: LogFormats.set, from: at)
      if at == chunk.byteCount { break }
      if chunk.byte(at: at) == 0x0A {
        if at - start > limits.lineBytes {
          tellOverlong(floor)
          keep(chunk, last)
          pass(at - start)
          (start, at, last) = (at + 1, at + 1, nil)
          continue
        } else if place.choice.keepsContext {
          context(chunk.extracting(start..<at), floor)
        }
        pass(at - start)
        last = start..<at
        (start, at) = (at + 1, at + 1)
      } else if !Self.isLead(chunk, at, start) {
        at += 1
      } else {
        guard let end = chunk.firstIndex(of: 0x0A, from: at) else { break }
        keep(chunk, last)
        line(chunk.extracting(start..<end), &reader, floor)
        (start, at) = (end + 1, end + 1)
        last = nil
      }
    }
    keep(chunk, last)
    return start
  }

  /// Whether what stands there makes its line worth reading. The list of a trace begins alone on
  /// its line.
  @inline(__always)
  private static func isLead(_ line: RawSpan, _ at: Int, _ start: Int) -> Bool {
    if line.byte(at: at) != 0x5B { return LogFormats.isAnchor(line, at) }
    // A number may be in a colour.
    if at + 2 < line.byteCount, line.byte(at: at + 1) == 0x1B || line.byte(at: at + 2) == 0x1B {
      return true
    }
    return ListStart.isStart(line, at) || LogFormats.isAnchor(line, at)
      || at == start && isAlone(line, at)
  }

  private static func isAlone(_ line: RawSpan, _ at: Int) -> Bool {
    var end = at + 1
    while end < line.byteCount, line.byte(at: end) == 0x0D || line.byte(at: end) == 0x20 {
      end += 1
    }
    return end == line.byteCount || line.byte(at: end) == 0x0A
  }

  /// The first place of a whole line that makes it worth reading.
  static func lead(_ line: RawSpan) -> Int? {
    var at = 0
    while true {
      at = line.firstIndex(ofAny: LogFormats.set, from: at)
      if at == line.byteCount { return nil }
      if isLead(line, at, 0) { return at }
      at += 1
    }
  }

  /// The line's own words.
  @inline(never)
  private func context(_ line: RawSpan, _ floor: any Floor) {
    let text = ANSI.stripped(line)
    let origin = place.origin(offset, record: number + 1)
    LogReader.context(text.bytes, origin, floor)
  }

  /// A line that nobody reads.
  private mutating func pass(_ count: Int) {
    number += 1
    offset += UInt64(count) + 1
  }

  private mutating func keep(_ chunk: RawSpan, _ last: Range<Int>?) {
    if let last { keep(chunk.extracting(last)) }
  }

  private mutating func keep(_ line: RawSpan) {
    before.removeAll()
    before.append(line.extracting(0..<min(line.byteCount, Self.kept)))
  }

  /// More of a line that is not whole.
  private mutating func extend(_ bytes: RawSpan, _ floor: any Floor) {
    if isOverlong {
      offset += UInt64(bytes.byteCount)
      return
    }
    carry.append(bytes)
    if carry.count <= limits.lineBytes { return }
    tellOverlong(floor)
    isOverlong = true
    offset += UInt64(carry.count)
    carry.removeAll()
    carry.shrink(above: 1 << 20)
  }

  private func tellOverlong(_ floor: any Floor) {
    floor.finding(
      Finding(
        .logLineTooLong, .warning, place.origin(offset, record: number + 1),
        "line \(number + 1), at \(place.byte(offset)), is longer than \(limits.lineBytes) bytes;"
          + " it is skipped"))
  }

  private mutating func endCarried(_ reader: inout LogReader, _ floor: any Floor) {
    if isOverlong {
      isOverlong = false
      return pass(0)
    }
    let whole = carry
    carry = Scratch()
    line(whole.bytes, &reader, floor)
  }

  /// One whole line.
  private mutating func line(
    _ bytes: RawSpan, _ reader: inout LogReader, _ floor: any Floor
  ) {
    if bytes.byteCount > limits.lineBytes {
      tellOverlong(floor)
      pass(bytes.byteCount)
    } else if bytes.firstIndex(of: 0x1B) == nil {
      plain(bytes, bytes.byteCount, &reader, floor)
    } else {
      let text = ANSI.stripped(bytes)
      plain(text.bytes, bytes.byteCount, &reader, floor)
    }
  }

  /// A line without escape sequences.
  private mutating func plain(
    _ bytes: RawSpan, _ count: Int, _ reader: inout LogReader, _ floor: any Floor
  ) {
    if gathering != nil && !gather(bytes, &reader, floor) { return pass(count) }
    let origin = place.origin(offset, record: number + 1)
    read(bytes, origin, mayGather: true, &reader, floor)
    keep(bytes)
    pass(count)
  }

  private mutating func read(
    _ bytes: RawSpan, _ origin: Origin, mayGather: Bool, _ reader: inout LogReader,
    _ floor: any Floor
  ) {
    guard let lead = Self.lead(bytes) else {
      if place.choice.keepsContext { context(bytes, floor) }
      return
    }
    var end = ListEnd(from: lead)
    end.advance(bytes)
    let goesOn =
      switch end.state {
      case .closed: false
      case .inside: mayGather && reader.mayGoOn(bytes, end.start, floor)
      case .seeking: mayGather && reader.isBelow(bytes)
      }
    guard goesOn else { return reader.read(bytes, before: before.bytes, origin, floor) }
    var waiting = Gathering(before: before, end: end, origin: origin)
    waiting.text.append(bytes)
    gathering = waiting
  }

  /// A line below others that wait for it; answers whether it stands for itself.
  private mutating func gather(
    _ bytes: RawSpan, _ reader: inout LogReader, _ floor: any Floor
  ) -> Bool {
    guard var waiting = gathering else { return true }
    let isTooMuch =
      waiting.text.count + bytes.byteCount > limits.lineBytes
      || waiting.end.state == .seeking && waiting.breaks.count >= Self.mostBelow
    if isTooMuch || LogClock.begins(bytes) {
      giveUp(&reader, floor)
      return true
    }
    gathering = nil
    waiting.text.append(0x0A)
    waiting.breaks.append(waiting.text.count)
    waiting.text.append(bytes)
    var end = waiting.end
    end.advance(waiting.text.bytes)
    waiting.end = end
    if end.state == .closed {
      reader.read(waiting.text.bytes, before: waiting.before.bytes, waiting.origin, floor)
      keep(bytes)
    } else {
      gathering = waiting
    }
    return false
  }

  /// What was gathered is no message: its lines are read one by one.
  private mutating func giveUp(_ reader: inout LogReader, _ floor: any Floor) {
    guard let waiting = gathering else { return }
    gathering = nil
    var start = 0
    var origin = waiting.origin
    keep(waiting.before.bytes)
    for end in waiting.breaks + [waiting.text.count + 1] {
      let bytes = waiting.text.bytes.extracting(start..<end - 1)
      read(bytes, origin, mayGather: false, &reader, floor)
      keep(bytes)
      origin.record += 1
      origin.offset += UInt64(end - start)
      start = end
    }
  }
}
