// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Makes whole JSON of JSON that was cut off: `…` stands where it was cut, and what is open is
/// closed. A number that ends at the cut may have had more digits: it is left out.
enum CutList {
  /// The beginning of a message; nil where what is there is like none.
  static func message(
    _ list: RawSpan, _ recogniser: any TextRecogniser
  ) -> (json: Scratch, recognition: Recognition)? {
    // All its elements may be there.
    for isFull in [false, true] {
      var json = Scratch()
      close(list, into: &json, isFull: isFull)
      let recognition = recogniser.recognise(json.bytes, .abridged)
      if recognition.grade != .none { return (json, recognition) }
    }
    return nil
  }

  /// Whether something stands there behind the first element: a number alone is of any list.
  static func hasElementBehindCode(_ json: RawSpan) -> Bool {
    guard var at = json.firstIndex(of: .comma) else { return false }
    repeat { at += 1 } while at < json.byteCount && json.byte(at: at).isJSONSpace
    return !json.dropping(at).starts(with: "\"…\"")
  }

  /// - Parameter isFull: more elements cannot follow where an element ends at the cut.
  static func close(_ bytes: RawSpan, into json: inout Scratch, isFull: Bool = false) {
    var open: [UInt8] = []
    var isInString = false
    var isKey = false
    // Behind this, something is not complete.
    var complete = 0
    var at = 0
    // Whether a value or a key has to follow what is complete.
    var expects = Expectation.nothing
    while at < bytes.byteCount {
      let byte = bytes.byte(at: at)
      if isInString {
        if byte == .backslash {
          at += 2
          continue
        }
        if byte == .quote {
          isInString = false
          (complete, expects) = (at + 1, isKey ? .colon : .nothing)
        }
        at += 1
        continue
      }
      switch byte {
      case .quote:
        isKey = open.last == .closeBrace && expects != .value
        isInString = true
      case .openBracket, .openBrace:
        open.append(byte + 2)
        // What it has is not known: not that it is empty.
        (complete, expects) = (at + 1, byte == .openBrace ? .key : .value)
      case .closeBracket, .closeBrace:
        if open.popLast() == nil { return json.append(bytes.extracting(0..<at)) }
        (complete, expects) = (at + 1, .nothing)
      case .comma: (complete, expects) = (at + 1, open.last == .closeBrace ? .key : .value)
      case .colon: (complete, expects) = (at + 1, .value)
      default: break
      }
      at += 1
    }
    if isInString {
      json.append(bytes.extracting(0..<whole(bytes)))
      json.append(isKey ? "…\":\"…\"" : "…\"")
    } else {
      json.append(bytes.extracting(0..<complete))
      let rest = bytes.dropping(complete)
      let hasRest = (0..<rest.byteCount).contains { !rest.byte(at: $0).isJSONSpace }
      switch expects {
      // Something else follows a value that is whole, or may have.
      case .nothing:
        if hasRest || !isFull && !open.isEmpty {
          json.append(open.last == .closeBrace ? ",\"…\":\"…\"" : ",\"…\"")
        }
      case .value: json.append("\"…\"")
      case .key: json.append("\"…\":\"…\"")
      case .colon: json.append(":\"…\"")
      }
    }
    for close in open.reversed() { json.append(close) }
  }

  private enum Expectation { case nothing, value, key, colon }

  /// Without the beginning of an escape or of a character that is not whole.
  private static func whole(_ bytes: RawSpan) -> Int {
    var end = bytes.byteCount
    for back in 1...min(6, end) where bytes.byte(at: end - back) == .backslash {
      var slashes = 0
      while slashes < end - back, bytes.byte(at: end - back - slashes - 1) == .backslash {
        slashes += 1
      }
      let needed = back > 1 && bytes.byte(at: end - back + 1) == UInt8(ascii: "u") ? 6 : 2
      if slashes & 1 == 0 && back < needed { end -= back }
      break
    }
    var back = 0
    while back < 3, end - back > 0, bytes.byte(at: end - back - 1) & 0xC0 == 0x80 { back += 1 }
    if end - back > 0, bytes.byte(at: end - back - 1) >= 0xC0 {
      let lead = bytes.byte(at: end - back - 1)
      let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
      if back + 1 < length { end -= back + 1 }
    }
    return end
  }
}
