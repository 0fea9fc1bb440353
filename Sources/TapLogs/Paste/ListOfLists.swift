// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// A list of JSON whose elements are lists, as messages are kept for tests and by programs that
/// save a session: `[[48,1,{},"com.x"],[50,1,{}]]`.
struct ListOfLists {
  private var at = 1

  /// Where the next element stands that is a list; nil behind the last of them.
  mutating func next(_ list: RawSpan) -> Range<Int>? {
    while at < list.byteCount, list.byte(at: at) == .comma || list.byte(at: at).isJSONSpace {
      at += 1
    }
    guard at < list.byteCount, list.byte(at: at) == .openBracket, let end = ListEnd.json(list, at)
    else {
      return nil
    }
    defer { at = end }
    return at..<end
  }

  /// Whether a list has nothing but lists, and one of them is hardly anything but a message.
  static func holdsMessages(_ list: RawSpan, _ recogniser: any TextRecogniser) -> Bool {
    var elements = ListOfLists()
    var isLikely = false
    while let element = elements.next(list) {
      if !isLikely {
        isLikely = recogniser.recognise(list.extracting(element), .text).grade == .likely
      }
    }
    // Behind the last stands the bracket that ends the list.
    return isLikely && elements.at == list.byteCount - 1
  }
}
