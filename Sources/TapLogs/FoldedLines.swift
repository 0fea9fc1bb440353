// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Makes whole lines of a log that a terminal, or a program such as fold, has broken at its last
/// column: each line as wide as that goes on below it, unless what is there begins as lines do.
/// Empty lines follow in place of those that were taken away, so that the others keep their numbers
/// and their offsets.
struct FoldedLines {
  /// How lines begin that are none that go on.
  private enum Beginning: CaseIterable {
    case time, record, prefix

    func isOf(_ line: RawSpan) -> Bool {
      switch self {
      case .time: LogClock.begins(line)
      case .record: line.starts(with: "{\"")
      case .prefix: LinePrefix.length(line) > 0
      }
    }
  }

  /// Places of the beginning where lines were broken, at least.
  private static let least = 3
  /// Bytes at the ends of lines that tell these places from each other.
  private static let told = 8

  /// Columns of the widest.
  let width: Int
  private let beginning: Beginning
  private let isInOctets: Bool
  private let most: Int
  /// Lines that went on the one above.
  private(set) var joined: UInt64 = 0
  /// What has come of a line.
  private var carry = Scratch()
  /// A line that may go on, and the ends of those that it was made of.
  private var (waiting, ends) = (Scratch(), Scratch())
  /// So much of a line has come that it is passed on as it is.
  private var isOverlong = false

  /// Nil where its lines were not broken.
  ///
  /// - Parameters:
  ///   - head: the beginning of the log.
  ///   - most: bytes of a line.
  init?(_ head: RawSpan, most: Int) {
    var best: (joints: Int, width: Int, beginning: Beginning, isInOctets: Bool)?
    for isInOctets in [false, true] {
      for beginning in Beginning.allCases {
        let (joints, width) = Self.joints(head, beginning, isInOctets)
        if joints > best?.joints ?? 0 { best = (joints, width, beginning, isInOctets) }
      }
    }
    guard let best, best.joints >= Self.least else { return nil }
    (width, beginning, isInOctets) = (best.width, best.beginning, best.isInOctets)
    self.most = most
  }

  /// The width of the widest lines, and in how many places they were broken; none, unless each
  /// begins as lines do, and what follows it does not.
  private static func joints(
    _ head: RawSpan, _ beginning: Beginning, _ isInOctets: Bool
  ) -> (count: Int, width: Int) {
    var lines: [(text: Range<Int>, width: Int, isBeginning: Bool)] = []
    var start = 0
    while let end = head.firstIndex(of: 0x0A, from: start) {
      let line = FoldedList.text(head, start..<end)
      let text = start..<start + line.byteCount
      lines.append((text, columns(line, isInOctets), beginning.isOf(line)))
      start = end + 1
    }
    let width = lines.map(\.width).max() ?? 0
    if width < FoldedList.narrowest { return (0, 0) }
    var (strange, whole, broken, inWords) = (0, 0, 0, 0)
    // What is logged again and again ends in the same words each time.
    var ends: Set<[UInt8]> = []
    for at in lines.indices where lines[at].width == width {
      let isFirst = at == 0 || lines[at - 1].width < width
      if isFirst && !lines[at].isBeginning { strange += 1 }
      if at + 1 == lines.count { break }
      if lines[at + 1].isBeginning {
        whole += 1
        continue
      }
      let (line, next) = (lines[at].text, head.extracting(lines[at + 1].text))
      // What is below a line is often indented.
      if next.isEmpty || next.byte(at: 0) == 0x20 || next.byte(at: 0) == 0x09 { continue }
      broken += 1
      let end = head.extracting(line.upperBound - told..<line.upperBound)
      if ends.insert(end.copied()).inserted, isInWord(end, next) { inWords += 1 }
    }
    // A line may have that width by chance, and lines end between words.
    let isBroken =
      strange * 8 <= broken && whole * 3 <= broken && ends.count * 2 >= broken
      && inWords * 8 >= ends.count
    return isBroken ? (ends.count, width) : (0, 0)
  }

  /// Whether a word, or a number, goes on there.
  private static func isInWord(_ end: RawSpan, _ next: RawSpan) -> Bool {
    isOfWord(end.byte(at: end.byteCount - 1)) && isOfWord(next.byte(at: 0))
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...:
      true
    default: false
    }
  }

  /// Whole lines, as far as it is known where they end.
  mutating func lines(_ chunk: RawSpan) -> Scratch {
    var text = Scratch()
    var start = 0
    while let end = chunk.firstIndex(of: 0x0A, from: start) {
      take(chunk.extracting(start..<end + 1), &text)
      if isOverlong { isOverlong = false } else { endLine(&text) }
      start = end + 1
    }
    take(chunk.dropping(start), &text)
    return text
  }

  /// No more comes.
  mutating func end() -> Scratch {
    var text = Scratch()
    if !carry.isEmpty { endLine(&text) }
    pass(&text)
    return text
  }

  private mutating func take(_ bytes: RawSpan, _ text: inout Scratch) {
    if isOverlong { return text.append(bytes) }
    carry.append(bytes)
    if carry.count + waiting.count <= most { return }
    pass(&text)
    text.append(carry.bytes)
    carry.removeAll()
    isOverlong = true
  }

  private mutating func endLine(_ text: inout Scratch) {
    let whole = carry
    carry = Scratch()
    let line = FoldedList.text(whole.bytes, 0..<whole.count)
    if !waiting.isEmpty && beginning.isOf(line) { pass(&text) }
    if !waiting.isEmpty { joined += 1 }
    waiting.append(line)
    ends.append(whole.bytes.dropping(line.byteCount))
    if Self.columns(line, isInOctets) < width { pass(&text) }
  }

  private mutating func pass(_ text: inout Scratch) {
    text.append(waiting.bytes)
    text.append(ends.bytes)
    waiting.removeAll()
    ends.removeAll()
  }

  private static func columns(_ line: RawSpan, _ isInOctets: Bool) -> Int {
    isInOctets ? line.byteCount : FoldedList.characters(line)
  }
}
