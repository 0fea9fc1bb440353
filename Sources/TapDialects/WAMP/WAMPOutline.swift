// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The content of a WAMP message, element by element and key by key, with the names of the
/// specification. It is made from the bytes after masking, and only when it is shown.
struct WAMPOutline {
  private let code: UInt64?
  private let type: WAMPType?
  /// The first link that may belong to the next element: links are declared in the order of the
  /// elements.
  private var nextLink = 0

  /// Titles of the elements of each type, by its code; made once, not for each message.
  private static let titles = types.map { $0?.titles ?? [] }
  private static let meanings = types.map { $0?.meanings ?? [] }
  private static let types = (0...WAMPType.codes.last!).map { WAMPType(code: $0) }

  private init(code: UInt64?) {
    self.code = code
    type = code.flatMap { WAMPType(code: $0) }
  }

  static func append(
    _ message: Message, _ bytes: RawSpan, to rows: inout ContiguousArray<OutlineRow>
  ) {
    guard let list = list(message, bytes) else {
      return PlainOutline.append(message, bytes, to: &rows)
    }
    var elements = JSON.Members(ofArray: list)
    guard let first = elements.next(bytes)?.value else { return }
    var outline = WAMPOutline(code: WAMPArray.number(first, bytes))
    outline.appendFirst(first, to: &rows)
    var index = 1
    while let element = elements.next(bytes)?.value {
      guard index < Limits.standard.outlineLines else { return rows.append(.more(depth: 0)) }
      outline.append(element, index, of: message, bytes, to: &rows)
      index += 1
    }
  }

  /// The range of the message's list; nil when it is not a list.
  private static func list(_ message: Message, _ bytes: RawSpan) -> ByteRange? {
    let start = bytes.behindSpace(0)
    guard start < bytes.byteCount, bytes.byte(at: start) == UInt8(ascii: "[") else { return nil }
    if !message.traits.contains(.isJSON) {
      var scanner = JSONScanner(maximumDepth: Limits.standard.nesting)
      if scanner.scan(bytes) == nil { return nil }
    }
    return ByteRange(start, bytes.byteCount)
  }

  /// The code of the message.
  private func appendFirst(_ element: JSONElement, to rows: inout ContiguousArray<OutlineRow>) {
    var row = OutlineRow("message type", .json, element.range)
    row.index = 0
    if let type {
      (row.title, row.meaning) = (type.name, type.meaning)
    } else {
      row.remark = code == nil ? "no type code" : "unknown to the specification"
    }
    rows.append(row)
  }

  /// An element after the code.
  private mutating func append(
    _ element: JSONElement, _ index: Int, of message: Message, _ bytes: RawSpan,
    to rows: inout ContiguousArray<OutlineRow>
  ) {
    var row = OutlineRow("element", .json, element.range)
    row.index = Int32(clamping: index)
    guard let type else { return rows.append(row) }
    guard index < type.arity.upperBound else {
      row.remark = "one more than the specification has"
      return rows.append(row)
    }
    row.title = Self.titles[Int(type.code)][index - 1]
    let meanings = Self.meanings[Int(type.code)]
    if index <= meanings.count { row.meaning = meanings[index - 1] }
    let letter = type.letter(index)
    row.remark = Self.remark(letter, element, bytes)
    switch letter {
    case UInt8(ascii: "i"), UInt8(ascii: "z"):
      row.link = link(of: message, to: element, bytes)
    case UInt8(ascii: "n") where index == 1 && type.code == WAMPCode.error:
      // ERROR gives the type of its request by code.
      if let code = WAMPArray.number(element, bytes) {
        row.meaning = WAMPType(code: code)?.name ?? "no type of the specification"
      }
    case UInt8(ascii: "a") where element.kind == .string:
      row.meaning = "a payload that is opaque to the router"
    case UInt8(ascii: "d") where element.kind == .object && !element.isEmptyContent:
      row.kind = .heading
      rows.append(row)
      return WAMPDictionary.append(element.range, of: type.code, bytes, to: &rows)
    default: break
    }
    rows.append(row)
  }

  /// Which link of the message has an element's value, from 1; 0 for none.
  private mutating func link(
    of message: Message, to element: JSONElement, _ bytes: RawSpan
  ) -> UInt8 {
    guard let value = WAMPArray.number(element, bytes) else { return 0 }
    for place in nextLink..<3 {
      let link = message.link(place)
      if link.isShown && link.key == value {
        nextLink = place + 1
        return UInt8(nextLink)
      }
    }
    return 0
  }

  /// What is wrong with an element, worded like the findings.
  private static func remark(
    _ letter: UInt8, _ element: JSONElement, _ bytes: RawSpan
  ) -> StaticString {
    switch letter {
    case UInt8(ascii: "i"), UInt8(ascii: "z"), UInt8(ascii: "n"):
      if element.kind == .number, JSON.integralFloat(bytes, element.range) != nil {
        return "sent as a float"
      }
      guard element.kind == .natural else { return "must be an integer" }
      if letter == UInt8(ascii: "n") { return "" }
      let value = JSON.natural(bytes, element.range) ?? .max
      let least: UInt64 = letter == UInt8(ascii: "z") ? 0 : 1
      return value >= least && value <= WAMPArray.maximumID ? "" : "must be from 1 to 2^53"
    case UInt8(ascii: "d"), UInt8(ascii: "k"):
      return element.kind == .object ? "" : "must be a dictionary"
    case UInt8(ascii: "u"): return element.kind == .string ? "" : "must be a URI"
    case UInt8(ascii: "r"):
      return element.kind == .string || element.kind == .null ? "" : "must be a string"
    case UInt8(ascii: "s"): return element.kind == .string ? "" : "must be a string"
    default:
      if element.kind == .array { return "" }
      return element.kind == .string ? "" : "must be a list"
    }
  }
}

extension WAMPDialect {
  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    WAMPOutline.append(message, bytes, to: &rows)
  }
}
