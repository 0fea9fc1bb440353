// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Parts of a line that was written over again and again, as progress and prompts are shown.
enum OverwrittenLine {
  /// Where a part of a line ends that is a line of its own, since the next is written over it. A
  /// list that goes on behind CR has it between its elements.
  static func end(_ line: RawSpan, from start: Int) -> Int {
    var list = ListEnd(from: start)
    var at = start
    while let end = line.firstIndex(of: .carriageReturn, from: at) {
      list.advance(line.extracting(0..<end))
      if list.state != .inside { return end }
      at = end + 1
    }
    return line.byteCount
  }
}
