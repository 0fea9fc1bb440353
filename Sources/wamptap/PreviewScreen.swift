// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapInspector

/// Shows on a terminal what the renderer would print at the end, written over in place each second.
/// What does not fit on the screen is left out until the end.
struct PreviewScreen {
  /// Nanoseconds between two looks.
  private static let pause: UInt64 = 1_000_000_000

  /// When it is to be written anew.
  private(set) var due = Clock.now() + pause
  private var shown: [[UInt8]] = []

  /// - Returns: nil where nothing can be written over, or the renderer shows things as they come.
  init?(_ inspector: Inspector, isFile: Bool) {
    guard inspector.hasPreview, !isFile, Terminal.height != nil else { return nil }
  }

  mutating func refresh(_ inspector: Inspector, _ now: UInt64) {
    if now < due { return }
    due = now + Self.pause
    guard let height = Terminal.height else { return }
    var text = TextBuffer(capacity: 4096)
    inspector.preview(into: &text)
    var lines = text.bytes.copied().split(separator: .lineFeed, omittingEmptySubsequences: false)
    lines.removeLast()
    let most = max(height - 2, 1)
    if lines.count > most {
      lines[most...] = [ArraySlice("… \(lines.count - most) more lines at the end".utf8)]
    }
    let fresh = lines.map { Array($0) }
    if fresh == shown || lines.isEmpty { return }
    var page = above
    // Cleared line by line: terminals keep a copy of a screen that is cleared as a whole.
    for line in fresh { page += String(decoding: line, as: Unicode.UTF8.self) + "\u{1B}[K\n" }
    Terminal.write(page + "\u{1B}[J", to: .standardOutput)
    shown = fresh
  }

  /// Leaves no trace of it.
  mutating func clear() {
    if shown.isEmpty { return }
    let blank = String(repeating: "\u{1B}[2K\n", count: shown.count)
    Terminal.write(above + blank + above, to: .standardOutput)
    shown = []
  }

  /// The escape sequence that moves the cursor to the first of the lines that are shown.
  private var above: String { shown.isEmpty ? "" : "\u{1B}[\(shown.count)A\r" }
}
