// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Parses the left sides of tests: fields, paths, lengths, and names of messages.
extension FilterReader {
  enum Left {
    case operand(Operand)
    /// `EVENT`.
    case message(String)
  }

  typealias LeftSide = (Left, isLength: Bool, FieldEntry?)

  mutating func operand() throws(FilterError) -> LeftSide {
    let start = at
    let word = takeName()
    guard !word.isEmpty else {
      let place = at..<at + 1
      throw fail("here a field, a path or the name of a message belongs", place)
    }
    if ["and", "or", "in", "contains", "matches"].contains(word) {
      throw fail("before '\(word)' something is missing", start..<at)
    }
    if word == "len", next == UInt8(ascii: "(") { return try length(start) }
    if let root = Path.Root(rawValue: word) {
      let steps = try steps()
      // The whole message is both text and a value.
      if root == .body && steps.isEmpty {
        return (.operand(.field(.body)), false, Field.body.entry)
      }
      return (.operand(.path(Path(root: root, steps: steps))), false, nil)
    }
    if word == "names" && next == UInt8(ascii: ".") {
      let from = at + 1
      _ = try steps()
      return (.operand(.named(Array(bytes[from..<at]))), false, Field.names.entry)
    }
    return try field(word, start)
  }

  private mutating func length(_ start: Int) throws(FilterError) -> LeftSide {
    let open = at
    at += 1
    skipSpaces()
    let (left, isLength, entry) = try operand()
    skipSpaces()
    guard next == UInt8(ascii: ")") else { throw fail("'(' is not closed", open..<open + 1) }
    at += 1
    guard case .operand = left, !isLength, entry?.type.isText ?? true else {
      throw fail("'len' takes a path, or a field that is text", start..<at)
    }
    return (left, true, entry)
  }

  /// `.key`, `."a key"`, `[0]`, `[*]`.
  private mutating func steps() throws(FilterError) -> [Path.Step] {
    var steps: [Path.Step] = []
    while let byte = next {
      let start = at
      if byte == UInt8(ascii: ".") {
        at += 1
        if isAtString {
          steps.append(.key(try string().bytes))
          continue
        }
        let key = takeRun { Self.isNamePart($0) || "-$".utf8.contains($0) }
        if key.isEmpty { throw fail("behind '.' a key is missing", start..<at) }
        steps.append(.key(Array(key.utf8)))
      } else if byte == UInt8(ascii: "[") {
        at += 1
        let inside = takeRun { $0 != UInt8(ascii: "]") && $0 > 0x20 }
        guard next == UInt8(ascii: "]") else { throw fail("'[' is not closed", start..<start + 1) }
        at += 1
        if inside == "*" {
          steps.append(.every)
        } else if let index = UInt16(inside) {
          steps.append(.element(Int(index)))
        } else {
          throw fail("in '[ ]' stands a number or '*'", start..<at)
        }
      } else {
        break
      }
      if steps.count > 32 { throw fail("the path is too deep", start..<at) }
    }
    return steps
  }

  private mutating func field(_ first: String, _ start: Int) throws(FilterError) -> LeftSide {
    var name = first
    while next == UInt8(ascii: "."), let byte = byte(1), Self.isLetter(byte) {
      at += 1
      name += "." + takeName()
    }
    if name == "ids", next == UInt8(ascii: "."), byte(1).map(Self.isQuote) == true {
      at += 1
      return (.operand(.id(try string().bytes)), false, Field.id.entry)
    }
    let place = start..<at
    if name.hasPrefix("ids.") || FieldEntry.shortIDs.contains(name) {
      let id = name.hasPrefix("ids.") ? String(name.dropFirst(4)) : name
      if !FieldEntry.knownIDs.contains(id) {
        if let nearest = Spelling.nearest(to: id, among: FieldEntry.knownIDs) {
          throw fail(
            "no protocol has an id '\(id)'; did you mean 'ids.\(nearest)'? An application's own id"
              + " is quoted: ids.\"\(id)\"", place)
        }
        warnings.append("no protocol has an id '\(id)'; applications may have")
      }
      return (.operand(.id(Array(id.utf8))), false, Field.id.entry)
    }
    if let field = FieldEntry.named(name) {
      return (.operand(.field(field)), false, field.entry)
    }
    if words.messages.contains(where: { $0.name == name }) { return (.message(name), false, nil) }
    throw unknown(name, place)
  }

  private func unknown(_ name: String, _ place: Range<Int>) -> FilterError {
    if name == "ids" { return fail("'ids' needs the name of an id: ids.request", place) }
    if name == "code" { return fail("'code' may be finding, close.code or ids.code", place) }
    let isMessage = name == name.uppercased() && name != name.lowercased()
    if isMessage {
      return fail(words.hint(forMessage: name) ?? "no message is called '\(name)'", place)
    }
    let fields = FieldEntry.all.flatMap { [$0.name] + $0.aliases } + FieldEntry.roots
    // Short names last: they are rarely meant by a longer word.
    if let nearest = Spelling.nearest(to: name, among: fields + FieldEntry.shortIDs) {
      return fail("the filter has no field '\(name)'; did you mean '\(nearest)'?", place)
    }
    let message = words.messages.first { $0.name.lowercased() == name.lowercased() }?.name
    if let message {
      return fail("the filter has no field '\(name)'; did you mean \(message)?", place)
    }
    return fail(
      "the filter has no field '\(name)'; 'wamptap explain filter' lists them", place)
  }
}
