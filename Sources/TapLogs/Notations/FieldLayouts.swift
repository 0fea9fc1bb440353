// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// The types of messages that programs print by name.
struct FieldLayouts {
  let printed: PrintedMessages

  init(_ printed: PrintedMessages = PrintedMessages()) { self.printed = printed }

  /// The type of this name, in capitals or not.
  func named(_ text: RawSpan) -> FieldLayout? {
    printed.layouts.first { Self.isSame(text, $0.name) }.map { FieldLayout($0, among: self) }
  }

  /// Whether the word before a list is the name of the message that it begins as:
  /// `SUBSCRIBED: [33,…]`.
  func isNamed(_ list: RawSpan, _ prefix: RawSpan) -> Bool {
    let end = prefix.before(prefix.byteCount) { $0.isFiller }
    var digits = DigitReader(list.dropping(1))
    guard let code = digits.number(most: 3)?.value,
      let name = printed.layouts.first(where: { $0.code == code })?.name
    else { return false }
    let start = end - name.utf8CodeUnitCount
    guard start >= 0, start == 0 || !prefix.byte(at: start - 1).isOfIdentifier else {
      return false
    }
    return Self.isSame(prefix.extracting(start..<end), name)
  }

  private static func isSame(_ word: RawSpan, _ name: StaticString) -> Bool {
    word.byteCount == name.utf8CodeUnitCount
      && (0..<word.byteCount).allSatisfy { word.byte(at: $0) | 0x20 == name.utf8Start[$0] | 0x20 }
  }
}
