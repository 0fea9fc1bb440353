// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// Lists of numbers that can be no message. Logs are full of them.
enum LogNumbers {
  /// The end of a list that has nothing but numbers in it, so that every notation prints it like
  /// this; nil for anything else.
  static func end(_ text: RawSpan, _ start: Int) -> Int? {
    var at = start + 1
    while at < text.byteCount {
      let byte = text.byte(at: at)
      at += 1
      if byte == .closeBracket { return at }
      // Dots: the list was cut.
      if byte == .period, at < text.byteCount, text.byte(at: at) == .period { return nil }
      guard byte.isDigit || byte == .comma || byte == .space || byte == .period || byte == .hyphen
      else {
        return nil
      }
    }
    return nil
  }

  /// Whether such a list is no message.
  static func areNone(_ list: RawSpan, _ recogniser: any TextRecogniser) -> Bool {
    let recognition = recogniser.recognise(list, .text)
    // A code and an id, and too much or too little behind them: that could be a malformed message.
    guard recognition.grade == .none && !recognition.isMalformed else { return false }
    return OctetList.text(list) == nil
  }
}
