// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Texts that are printed as the numbers of their octets: by journalctl, where a message has
/// colours in it, and by Rust.
enum OctetList {
  /// A shorter one may be any list of small numbers.
  private static let least = 8

  /// The text with a list in it that such a list stands for; nil for any other list.
  static func text(_ list: RawSpan) -> Scratch? {
    var text = Scratch()
    var at = 1
    while at < list.byteCount {
      while at < list.byteCount, list.byte(at: at) == 0x20 { at += 1 }
      var value = 0
      let start = at
      while at < list.byteCount, list.byte(at: at) &- 0x30 < 10, at - start < 4 {
        value = value * 10 + Int(list.byte(at: at) - 0x30)
        at += 1
      }
      guard at > start, at < list.byteCount, let octet = UInt8(exactly: value), isText(octet)
      else { return nil }
      text.append(octet)
      let next = list.byte(at: at)
      at += 1
      if next == 0x5D { break }
      if next != 0x2C { return nil }
    }
    guard text.count >= least, at == list.byteCount, ListStart.next(text.bytes, from: 0) != nil,
      UTF8.firstInvalid(in: text.bytes) == nil
    else { return nil }
    return text
  }

  /// The line with strings of JSON in the place of such lists; nil when it has none.
  static func undone(_ line: RawSpan) -> Scratch? {
    var undone = TextBuffer()
    var done = 0
    var at = 0
    while let start = ListStart.next(line, from: at) {
      at = start + 1
      guard let end = line.firstIndex(of: 0x5D, from: start),
        let text = text(line.extracting(start..<end + 1))
      else { continue }
      undone.append(line.extracting(done..<start))
      undone.append(quoting: ANSI.stripped(text.bytes).bytes)
      (done, at) = (end + 1, end + 1)
    }
    if done == 0 { return nil }
    undone.append(line.dropping(done))
    var whole = Scratch()
    whole.append(undone.bytes)
    return whole
  }

  private static func isText(_ octet: UInt8) -> Bool {
    octet >= 0x20 && octet != 0x7F || (0x09...0x0D).contains(octet) || octet == 0x1B
  }
}
