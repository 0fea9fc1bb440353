// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Makes lines of a text whose lines end with CR alone, as those of old Mac OS do, and those that
/// a terminal writes over each other. Every byte stays where it is.
struct LoneCR {
  /// The last byte was CR: what follows says whether it ends a line by itself.
  private var isPending = false

  /// The text with LF for CR, and a blank where LF follows.
  mutating func lines(_ chunk: RawSpan) -> Scratch {
    var text = Scratch()
    for at in 0..<chunk.byteCount {
      let byte = chunk.byte(at: at)
      if isPending { text.append(byte == 0x0A ? 0x20 : 0x0A) }
      isPending = byte == 0x0D
      if !isPending { text.append(byte) }
    }
    return text
  }

  /// No more comes.
  mutating func end() -> Scratch {
    var text = Scratch()
    if isPending { text.append(0x0A) }
    isPending = false
    return text
  }

  /// Where a part of a line ends that is a line of its own, since the next is written over it. A
  /// list that goes on behind CR has it between its elements.
  static func end(_ line: RawSpan, from start: Int) -> Int {
    var list = ListEnd(from: start)
    var at = start
    while let end = line.firstIndex(of: 0x0D, from: at) {
      list.advance(line.extracting(0..<end))
      if list.state != .inside { return end }
      at = end + 1
    }
    return line.byteCount
  }
}
