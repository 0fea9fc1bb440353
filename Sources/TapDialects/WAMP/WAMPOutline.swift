// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// The inside of a WAMP message, element by element and key by key, by the names of the
/// specification. Made of the bytes as they may be shown, and only when it is shown.
enum WAMPOutline {
  static func append(
    _ message: Message, _ bytes: RawSpan, to branches: inout ContiguousArray<Branch>
  ) {
    var array = WAMPArray(maximumDepth: Limits.standard.nesting)
    array.read(bytes)
    guard array.scanner.problem == nil && array.scanner.isArray else {
      return PlainOutline.append(message, bytes, to: &branches)
    }
    var index = 0
    while index < min(array.count, JSONElements.kept) {
      append(array[index], index, &array, bytes, &branches)
      index += 1
    }
    if array.count > index {
      var at = array[index - 1].range.end
      while let element = JSON.next(bytes, &at, inObject: false)?.value {
        guard index < Limits.standard.branches else {
          branches.append(.more(depth: 0))
          break
        }
        append(element, index, &array, bytes, &branches)
        index += 1
      }
    }
    if let type = array.type { mark(message, type, &array, bytes, &branches) }
  }

  private static func append(
    _ element: JSONElement, _ index: Int, _ array: inout WAMPArray, _ bytes: RawSpan,
    _ branches: inout ContiguousArray<Branch>
  ) {
    var branch = Branch("", .json, element.range)
    branch.index = Int32(clamping: index)
    guard let type = array.type else {
      branch.title = index == 0 ? "message type" : "element"
      if index == 0 {
        branch.remark = array.code == nil ? "no type code" : "unknown to the specification"
      }
      branches.append(branch)
      return
    }
    if index == 0 {
      (branch.title, branch.meaning) = (type.name, type.meaning)
      branches.append(branch)
      return
    }
    guard index < type.arity.upperBound else {
      (branch.title, branch.remark) = ("element", "one more than the specification has")
      branches.append(branch)
      return
    }
    let meanings = type.meanings
    branch.title = type.titles[index - 1]
    if index <= meanings.count { branch.meaning = meanings[index - 1] }
    let letter = type.letter(index)
    branch.remark = remark(letter, element, bytes)
    if letter == UInt8(ascii: "a") && element.kind == .string {
      branch.meaning = "a payload that is opaque to the router"
    }
    // ERROR names the kind of its request by the code.
    if type.code == WAMPCode.error && index == 1, let code = array.number(1, bytes) {
      branch.meaning = WAMPType(code: code)?.name ?? "no type of the specification"
    }
    if letter == UInt8(ascii: "d") && element.kind == .object && !element.isEmptyContent {
      branch.kind = .heading
      branches.append(branch)
      WAMPDictionary.append(element.range, of: type.code, bytes, to: &branches)
    } else {
      branches.append(branch)
    }
  }

  /// What is odd about an element, in the words of the findings.
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

  /// Marks the branches that have the values of links, which are declared in the order of the
  /// elements.
  private static func mark(
    _ message: Message, _ type: WAMPType, _ array: inout WAMPArray, _ bytes: RawSpan,
    _ branches: inout ContiguousArray<Branch>
  ) {
    var next = 0
    for at in branches.indices where branches[at].depth == 0 && branches[at].index > 0 {
      let index = Int(branches[at].index)
      guard index < type.arity.upperBound else { return }
      let letter = type.letter(index)
      guard letter == UInt8(ascii: "i") || letter == UInt8(ascii: "z") else { continue }
      guard let value = array.number(index, bytes) else { continue }
      for place in next..<3 {
        let link = message.link(place)
        if link.isShown && link.key == value {
          branches[at].link = UInt8(place + 1)
          next = place + 1
          break
        }
      }
    }
  }
}

extension WAMPDialect {
  public func outline(
    _ message: Message, _ bytes: RawSpan, into branches: inout ContiguousArray<Branch>
  ) {
    WAMPOutline.append(message, bytes, to: &branches)
  }
}
