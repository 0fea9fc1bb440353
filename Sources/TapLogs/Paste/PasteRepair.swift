// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// A pasted list that is JSON but for what happens to texts on their way: a comma that stands
/// before a bracket, as programs have it; quotes that a word processor made curly.
struct PasteRepair {
  /// What it is without them.
  private(set) var json = Scratch()
  /// Where the first such comma stands, from the beginning of the list.
  private(set) var comma: Int?
  private(set) var commas = 0
  /// Where the first curly quote stands that begins a string.
  private(set) var quote: Int?

  /// Nothing was repaired.
  var isEmpty: Bool { comma == nil && quote == nil }

  /// Nil when it has a string that does not end.
  init?(_ list: RawSpan) {
    var at = 0
    while at < list.byteCount {
      let byte = list.byte(at: at)
      if byte == .quote || Self.isCurly(list, at) {
        guard let end = string(list, at) else { return nil }
        at = end
      } else if byte == .comma, Self.isBeforeBracket(list, at + 1) {
        if comma == nil { comma = at }
        commas += 1
        at += 1
      } else {
        json.append(byte)
        at += 1
      }
    }
  }

  /// A string from its quote to the one that ends it, either kind by either.
  private mutating func string(_ list: RawSpan, _ start: Int) -> Int? {
    let isCurly = Self.isCurly(list, start)
    if isCurly && quote == nil { quote = start }
    json.append(.quote)
    var at = start + (isCurly ? 3 : 1)
    while at < list.byteCount {
      let byte = list.byte(at: at)
      if isCurly ? Self.ends(list, at) : byte == .quote {
        json.append(.quote)
        return at + (byte == .quote ? 1 : 3)
      }
      // A quote inside of a string whose own quotes are others.
      if byte == .quote { json.append(.backslash) }
      json.append(byte)
      at += 1
      if byte == .backslash, at < list.byteCount {
        json.append(list.byte(at: at))
        at += 1
      }
    }
    return nil
  }

  /// Whether a quote of either kind ends a string in curly ones: what may stand behind a string
  /// does. Any other is a character of it.
  private static func ends(_ list: RawSpan, _ start: Int) -> Bool {
    let isPlain = list.byte(at: start) == .quote
    guard isPlain || isCurly(list, start) else { return false }
    var at = start + (isPlain ? 1 : 3)
    at = list.behindSpace(at)
    return at < list.byteCount
      && [.comma, .colon, .closeBracket, .closeBrace].contains(list.byte(at: at))
  }

  /// U+201C to U+201F.
  private static func isCurly(_ list: RawSpan, _ at: Int) -> Bool {
    at + 2 < list.byteCount && list.byte(at: at) == 0xE2 && list.byte(at: at + 1) == 0x80
      && 0x9C...0x9F ~= list.byte(at: at + 2)
  }

  private static func isBeforeBracket(_ list: RawSpan, _ start: Int) -> Bool {
    let at = list.behindSpace(start)
    return at < list.byteCount
      && (list.byte(at: at) == .closeBracket || list.byte(at: at) == .closeBrace)
  }

  /// Reports what was repaired of a message that has just been reported.
  ///
  /// - Parameter place: of the beginning of the list.
  func report(_ place: Place, _ delivery: Delivery, _ sink: any EvidenceSink) {
    if let comma {
      let more = commas > 1 ? ", and \(commas - 1) more like this" : ""
      sink.finding(
        .pasteTrailingComma, .warning, delivery.origin,
        "no comma may stand before a bracket in JSON, as at"
          + " \(place.byte(delivery.origin.offset + UInt64(comma)))\(more): it is left out",
        isAboutLastMessage: true)
    }
    if let quote {
      sink.finding(
        .pasteCurlyQuotes, .note, delivery.origin,
        "strings stand in curly quotes, the first at"
          + " \(place.byte(delivery.origin.offset + UInt64(quote))): they are read as \"",
        isAboutLastMessage: true)
    }
  }
}

extension Finding.Code {
  static let pasteTrailingComma: Finding.Code = "paste.trailing-comma"
  static let pasteCurlyQuotes: Finding.Code = "paste.curly-quotes"
  /// The text ends inside of a message.
  static let pasteCut: Finding.Code = "paste.cut"
}
