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
  /// Octets that tell these from each other, on each side.
  private static let joint = 8

  /// Columns of the widest.
  let width: Int
  private let beginning: Beginning
  private let isInOctets: Bool
  private let most: Int
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
  ///   - most: octets of a line.
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
    var lines: [(start: Int, width: Int, isBeginning: Bool)] = []
    var start = 0
    while let end = head.firstIndex(of: 0x0A, from: start) {
      let line = LineFold.text(head, start..<end)
      lines.append((start, columns(line, isInOctets), beginning.isOf(line)))
      start = end + 1
    }
    let width = lines.map(\.width).max() ?? 0
    if width < LineFold.narrowest { return (0, 0) }
    var (strange, whole) = (0, 0)
    // What is logged again and again is as wide each time, and may be followed by other lines.
    var joints: Set<[UInt8]> = []
    for at in lines.indices where lines[at].width == width {
      let isFirst = at == 0 || lines[at - 1].width < width
      if isFirst && !lines[at].isBeginning { strange += 1 }
      if at + 1 == lines.count { break }
      if lines[at + 1].isBeginning {
        whole += 1
        continue
      }
      let end = lines[at + 1].start
      joints.insert(head.extracting(end - joint..<min(end + joint, head.byteCount)).copied())
    }
    // A line may have that width by chance.
    return strange * 8 <= joints.count && whole * 3 <= joints.count
      ? (joints.count, width) : (0, 0)
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
    let line = LineFold.text(whole.bytes, 0..<whole.count)
    if !waiting.isEmpty && beginning.isOf(line) { pass(&text) }
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
    isInOctets ? line.byteCount : LineFold.characters(line)
  }
}
