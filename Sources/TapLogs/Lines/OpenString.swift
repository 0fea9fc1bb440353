// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// Whether a text ends inside of a string of a list that may be a message: what stands there was
/// sent, and is nothing that a terminal or a logger has added. The text grows between calls.
struct OpenString {
  /// How many bytes before the end are searched again: a list may begin there and go on in what
  /// comes.
  private static let near = 64

  private var list = ListEnd(from: 0)

  mutating func isOpen(_ text: RawSpan) -> Bool {
    while true {
      list.advance(text)
      switch list.state {
      case .inside: return list.isInString
      case .closed: list = ListEnd(from: list.at)
      case .seeking:
        list = ListEnd(from: max(list.at, text.byteCount - Self.near))
        return false
      }
    }
  }
}
