// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The text of a line as its program wrote it: without what encodings put ahead of it, without
/// escape sequences, and with the control characters that syslog has escaped.
struct LineText {
  /// Bytes ahead of the text that say nothing.
  let margin: Int
  /// The text, where it is not what stands behind the margin.
  private let made: Scratch
  /// Whether it is the line as it stands, behind the margin.
  let isUnchanged: Bool

  init(_ line: RawSpan) {
    if line.firstIndex(of: 0x1B) == nil {
      self.init(line, behind: Self.margin(line))
    } else {
      let text = ANSI.stripped(line)
      self.init(0, SyslogEscapes.undone(text.bytes) ?? text)
    }
  }

  /// Of a line that is known to be plain; see `isPlain`.
  init(plain line: RawSpan) { self.init(line, behind: 0) }

  private init(_ line: RawSpan, behind margin: Int) {
    self.init(margin, SyslogEscapes.undone(line.dropping(margin)))
  }

  private init(_ margin: Int, _ made: Scratch?) {
    (self.margin, self.made, isUnchanged) = (margin, made ?? Scratch(), made == nil)
  }

  /// - Parameter line: that it was made of.
  @_lifetime(borrow self, copy line)
  func bytes(of line: RawSpan) -> RawSpan { isUnchanged ? line.dropping(margin) : made.bytes }

  /// CR and ESC.
  static let controls: UInt64 = 0x0D1B_0D1B_0D1B_0D1B

  /// Whether a line can be read as it stands, as most can: it has no escape sequences, no bytes
  /// ahead of it that say nothing, and no parts that were written over.
  ///
  /// - Parameter at: where the first CR or ESC stands, or else the line ends.
  static func isPlain(_ line: RawSpan, control at: Int) -> Bool {
    if margin(line) > 0 { return false }
    return at == line.byteCount || at == line.byteCount - 1 && line.byte(at: at) == .carriageReturn
  }

  /// Bytes ahead of a line that say nothing: the mark of UTF-8, NUL, a form feed.
  @inline(__always)
  private static func margin(_ line: RawSpan) -> Int {
    guard line.byteCount > 0 else { return 0 }
    let first = line.byte(at: 0)
    return first == 0xEF || first == 0 || first == 0x0C ? wholeMargin(line) : 0
  }

  @inline(never)
  private static func wholeMargin(_ line: RawSpan) -> Int {
    var at = 0
    while at < line.byteCount {
      if line.byte(at: at) == 0 || line.byte(at: at) == 0x0C {
        at += 1
      } else if line.dropping(at).starts(with: "\u{FEFF}") {
        at += 3
      } else {
        break
      }
    }
    return at
  }
}
