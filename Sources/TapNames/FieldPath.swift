// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// The path to a value in a message's payload: `kwargs.kind`, `args[0].type`, `[0].body.op`. One
/// that begins with a key, such as `type`, is tried on the keyword arguments and then on each
/// positional one.
public struct FieldPath: Sendable {
  enum Step: Sendable, Equatable {
    case key([UInt8])
    case element(Int)
    /// `[*]`: each element of a list.
    case every
    /// `**`: at this level and every level below.
    case anywhere
  }

  enum Root: Sendable, Equatable {
    case arguments
    case keywords
    /// Wherever the first key is found.
    case either
  }

  /// The limit of steps; no real payload is deeper.
  private static let mostSteps = 32

  /// As in the names file.
  public let text: ContiguousArray<UInt8>
  let root: Root
  let steps: [Step]

  public init(_ text: String) throws(NamesFault) {
    self.text = ContiguousArray(text.utf8)
    var rest = text[...]
    if text == "payload" || text.hasPrefix("payload.") {
      root = .either
      rest.removeFirst("payload".count)
    } else if text == "args" || text.hasPrefix("args[") || text.hasPrefix("[") {
      root = .arguments
      if text.hasPrefix("args") { rest.removeFirst(4) }
    } else if text == "kwargs" || text.hasPrefix("kwargs.") {
      root = .keywords
      rest.removeFirst(6)
    } else {
      root = .either
      // Put a dot before the key, as in all other steps.
      rest = "." + rest
    }
    steps = try Self.steps(rest, of: text)
  }

  /// It means the arguments as a whole, not a value in them.
  public var isWhole: Bool { steps.isEmpty }
  /// It may lead to several values.
  public var hasEvery: Bool { steps.contains(.every) || steps.contains(.anywhere) }

  /// The name in `**.name`, which is meant anywhere and in any spelling; nil for all other paths.
  public var nameAnywhere: String? {
    guard root == .either, steps.count == 2, steps[0] == .anywhere, case .key(let key) = steps[1]
    else { return nil }
    return String(decoding: key, as: Unicode.UTF8.self)
  }

  private static func steps(_ path: Substring, of text: String) throws(NamesFault) -> [Step] {
    var steps: [Step] = []
    var rest = path
    while let mark = rest.popFirst() {
      if mark == "[" {
        guard let end = rest.firstIndex(of: "]") else {
          throw NamesFault("'\(text)' has a '[' without a ']'")
        }
        let inside = rest[..<end]
        rest = rest[rest.index(after: end)...]
        if inside == "*" {
          steps.append(.every)
        } else if inside.allSatisfy(\.isASCII), let index = UInt16(inside), inside.first != "+" {
          steps.append(.element(Int(index)))
        } else {
          throw NamesFault("'\(text)' has '[\(inside)]'; there may be [0], [1] and so on, or [*]")
        }
      } else if mark == "." {
        let key = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" }
        if key == "**" {
          if steps.contains(.anywhere) { throw NamesFault("'\(text)' has '**' twice") }
          steps.append(.anywhere)
          rest = rest.dropFirst(key.count)
          if rest.isEmpty { throw NamesFault("'\(text)' lacks a key behind '**'") }
          continue
        }
        if key.isEmpty { throw NamesFault("'\(text)' lacks a key; write it as in args[0].type") }
        steps.append(.key(Array(key.utf8)))
        rest = rest.dropFirst(key.count)
      } else {
        throw NamesFault("'\(text)' has a '\(mark)' where a '.' or a '[' belongs")
      }
    }
    if steps.count > mostSteps { throw NamesFault("'\(text)' is too deep") }
    return steps
  }

  /// The value that most parsers find: the last one of a repeated key, in the first argument that
  /// has it.
  func first(in message: Message, _ bytes: RawSpan) -> JSONElement? {
    var found = ContiguousArray<JSONElement>()
    for root in roots(of: message, bytes) {
      Self.walk(steps[...], root, bytes, lastOnly: true, &found)
      if let first = found.first { return first }
    }
    return nil
  }

  /// Every value at this path, including those of repeated keys.
  func all(in message: Message, _ bytes: RawSpan) -> ContiguousArray<JSONElement> {
    var found = ContiguousArray<JSONElement>()
    if isAlone(message) {
      if let root = only(message, bytes) {
        Self.walk(steps(in: message), root, bytes, lastOnly: false, &found)
      }
      return found
    }
    for root in roots(of: message, bytes) {
      Self.walk(steps[...], root, bytes, lastOnly: false, &found)
    }
    return found
  }

  /// Nothing stands before the only value, so it cannot be read as a list of one.
  private func isAlone(_ message: Message) -> Bool {
    message.traits.contains(.isSingle) && message.payload.start == 0
  }

  /// That value; nil where the path does not lead into it.
  private func only(_ message: Message, _ bytes: RawSpan) -> JSONElement? {
    let range = message.payload
    guard root != .keywords, range.count > 1 else { return nil }
    let isObject = bytes.byte(at: 0) == .openBrace
    let isList = bytes.byte(at: 0) == .openBracket
    return isObject || isList ? JSONElement(isObject ? .object : .array, range) : nil
  }

  /// The steps inside of it.
  private func steps(in message: Message) -> ArraySlice<Step> {
    let choosesOnly = steps.first == .element(0) || steps.first == .every
    return root == .arguments && choosesOnly ? steps.dropFirst() : steps[...]
  }

  /// The values where the path begins; none if the payload is not JSON.
  private func roots(of message: Message, _ bytes: RawSpan) -> ContiguousArray<JSONElement> {
    var roots = ContiguousArray<JSONElement>()
    let keywords = message.keywords
    var list = message.payload
    // A payload without brackets is read as a list that begins one byte earlier.
    let isBare = !message.traits.isDisjoint(with: [.isSequence, .isSingle])
    if isBare && list.start > 0 && !list.isEmpty { list = ByteRange(list.start - 1, list.end) }
    if root != .arguments, keywords.count > 1, bytes.byte(at: keywords.start) == .openBrace {
      roots.append(JSONElement(.object, keywords))
    }
    guard root != .keywords, list.count > 1, isBare || bytes.byte(at: list.start) == .openBracket
    else {
      return roots
    }
    if root == .arguments {
      roots.append(JSONElement(.array, list))
    } else {
      Self.walk([.every], JSONElement(.array, list), bytes, lastOnly: false, &roots)
    }
    return roots
  }

  private static func walk(
    _ steps: ArraySlice<Step>, _ element: JSONElement, _ bytes: RawSpan, lastOnly: Bool,
    _ found: inout ContiguousArray<JSONElement>
  ) {
    guard let step = steps.first else {
      found.append(element)
      return
    }
    if step == .anywhere {
      return walkAnywhere(steps, element, bytes, lastOnly: lastOnly, &found)
    }
    let isObject = if case .key = step { true } else { false }
    guard element.kind == (isObject ? .object : .array) else { return }
    let inside = bytes.extracting(0..<element.range.end)
    var at = element.range.start + 1
    var index = 0
    var last: JSONElement?
    while let member = JSON.next(inside, &at, inObject: isObject) {
      let isMeant =
        switch step {
        case .key(let key): isKey(bytes[member.key], key)
        case .element(let wanted): index == wanted
        case .every, .anywhere: true
        }
      index += 1
      if isMeant && isObject && lastOnly {
        last = member.value
      } else if isMeant {
        walk(steps.dropFirst(), member.value, bytes, lastOnly: lastOnly, &found)
      }
    }
    if let last { walk(steps.dropFirst(), last, bytes, lastOnly: lastOnly, &found) }
  }

  /// The depth limit of `**`, as each level means one more pass over its content. Deeper values
  /// count as found.
  private static let mostLevels = 64

  /// Follows the rest of the path from here, and from each value inside.
  private static func walkAnywhere(
    _ steps: ArraySlice<Step>, _ element: JSONElement, _ bytes: RawSpan, lastOnly: Bool,
    level: Int = 0, _ found: inout ContiguousArray<JSONElement>
  ) {
    guard element.kind == .object || element.kind == .array else { return }
    if level == mostLevels { return found.append(element) }
    walk(steps.dropFirst(), element, bytes, lastOnly: lastOnly, &found)
    let inside = bytes.extracting(0..<element.range.end)
    var at = element.range.start + 1
    while let member = JSON.next(inside, &at, inObject: element.kind == .object) {
      walkAnywhere(
        steps, member.value, bytes, lastOnly: lastOnly, level: level + 1, &found)
    }
  }

  /// Compares a key of JSON without its escapes.
  public static func isKey(_ content: RawSpan, _ key: [UInt8]) -> Bool {
    if content.equals(key.span.bytes) { return true }
    return content.firstIndex(of: .backslash) != nil && JSON.unescaped(content) == key
  }
}
