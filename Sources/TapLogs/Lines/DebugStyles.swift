// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The library `debug` leaves it to the console of a browser to colour its lines. What copies them
/// without doing so prints the words of its format, and perhaps the colours behind it:
///
///     %csocket.io-parser %cdecoded 2["a"] as {…} %c+0ms color: #60C color: inherit color: #60C
enum DebugStyles {
  private static let style: StaticString = "%c"

  /// The line as a browser shows it; nil for any other.
  static func undone(_ line: RawSpan) -> Scratch? {
    guard let first = line.firstIndex(of: UInt8(ascii: "%")),
      line.dropping(first).starts(with: style)
    else { return nil }
    let name = first + style.utf8CodeUnitCount
    let end = line.behind(name) { $0 > 0x20 }
    guard line.dropping(end).starts(with: " %c"), let lapse = LogMarks.last(" %c+", in: line),
      lapse > end
    else { return nil }
    let text = end + " %c".utf8.count
    let rest = lapse + " %c".utf8.count
    let colours = LogMarks.last("s color: ", in: line.dropping(rest)).map { _ in
      line.behind(rest) { $0 > 0x20 }
    }
    var shown = Scratch()
    shown.append(line.extracting(0..<first))
    shown.append(line.extracting(name..<end))
    shown.append(UInt8.space)
    shown.append(line.extracting(text..<max(text, lapse)))
    shown.append(UInt8.space)
    shown.append(line.extracting(rest..<(colours ?? line.byteCount)))
    return shown
  }
}
