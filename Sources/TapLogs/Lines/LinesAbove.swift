// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The end of what stands before a line, as much as is looked at for the beginning of its record.
struct LinesAbove {
  /// How many bytes are looked at.
  static let most = 2048

  /// The text before this chunk, or before a line that is not complete.
  private var earlier = Scratch()

  /// Takes whole lines that have been looked at.
  mutating func keep(_ lines: RawSpan) {
    if lines.byteCount >= Self.most {
      earlier.removeAll()
    } else if earlier.count > Self.most {
      earlier.removeFirst(earlier.count - Self.most)
    }
    earlier.append(lines.dropping(max(0, lines.byteCount - Self.most)))
  }

  /// Forgets all, as a line that is not kept comes next.
  mutating func removeAll() { earlier.removeAll() }

  /// The line above, without its end.
  ///
  /// - Parameter chunk: what stands before the line in this chunk.
  func last(_ chunk: RawSpan) -> Scratch {
    var line = Scratch()
    let text = chunk.isEmpty ? earlier.bytes : chunk
    line.append(text.extracting(RecordAbove.lastLine(text, text.byteCount)))
    return line
  }

  /// - Parameter chunk: what stands before the line in this chunk.
  func text(_ chunk: RawSpan) -> Scratch {
    let rest = min(earlier.count, max(0, Self.most - chunk.byteCount))
    var text = Scratch()
    text.append(earlier.bytes.dropping(earlier.count - rest))
    text.append(chunk.dropping(max(0, chunk.byteCount - Self.most)))
    return text
  }
}
