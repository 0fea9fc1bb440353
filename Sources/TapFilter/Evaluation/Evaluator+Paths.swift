// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapNames
import TapTraffic

/// Evaluates paths into payloads. Values are visited in place, not collected.
extension Evaluator {
  mutating func path(_ step: Step, _ message: Message, _ bytes: RawSpan) -> Truth {
    let path = program.paths[Int(step.number)]
    if path.root == .payload && message.lacksPayload(bytes) {
      let isAboutAll = path.steps.isEmpty && step.relation == .exists
      return isAboutAll ? Truth(!bytes[message.payload].equals("0")) : .unknown
    }
    var found = Truth.no
    switch path.root {
    case .args: found = list(step, 0, message, bytes)
    case .kwargs: found = walk(step, 0, keywords(message, bytes), bytes)
    case .payload: found = payload(step, path, message, bytes)
    case .body: found = walk(step, 0, whole(message, bytes), bytes)
    case .options: found = walk(step, 0, options(message, bytes), bytes)
    case .properties:
      let properties = whole(message, bytes).flatMap { top in
        top.kind == .object ? JSON.value(of: "properties", in: top.range, bytes) : nil
      }
      found = walk(step, 0, properties, bytes)
    case .headers: found = headers(step, message, bytes)
    }
    if message.traits.contains(.isNarrated) && found == .no {
      return isSaid(step, message, bytes) ? .no : .unknown
    }
    return message.isUncertain ? Self.doubted(found, step) : found
  }

  /// Whether a log that describes a message says the value of a path.
  private mutating func isSaid(_ step: Step, _ message: Message, _ bytes: RawSpan) -> Bool {
    if step.relation == .exists { return false }
    var existing = step
    (existing.relation, existing.isLength) = (.exists, false)
    return path(existing, message, bytes) == .yes
  }

  /// Tests the payload as text, whatever it is.
  mutating func path(wholePayload step: Step, _ message: Message, _ bytes: RawSpan) -> Truth {
    if message.lacksPayload(bytes) { return .unknown }
    let isInPayload =
      !message.payload.isEmpty && holds(step, content: bytes[message.payload], message)
    if isInPayload || message.keywords.isEmpty { return Truth(isInPayload) }
    return Truth(holds(step, content: bytes[message.keywords], message))
  }

  private func whole(_ message: Message, _ bytes: RawSpan) -> JSONElement? {
    guard message.traits.contains(.isJSON), !bytes.isEmpty else { return nil }
    return Self.element(bytes, 0, bytes.byteCount)
  }

  private func keywords(_ message: Message, _ bytes: RawSpan) -> JSONElement? {
    guard message.traits.contains(.isJSON), !message.keywords.isEmpty else { return nil }
    return Self.element(bytes, message.keywords.start, message.keywords.end)
  }

  private static func element(_ bytes: RawSpan, _ start: Int, _ end: Int) -> JSONElement? {
    var at = start
    while at < end, bytes.byte(at: at) <= 0x20 { at += 1 }
    if at == end { return nil }
    return JSONElement(JSON.kind(of: bytes, at, end), ByteRange(at, end))
  }

  /// WAMP's Options or Details: the first object of the list.
  private func options(_ message: Message, _ bytes: RawSpan) -> JSONElement? {
    guard let top = whole(message, bytes), top.kind == .array else { return nil }
    var at = top.range.start + 1
    while let member = JSON.next(bytes, &at, inObject: false) {
      let isPayload = !message.payload.isEmpty && member.value.range.start >= message.payload.start
      if isPayload { return nil }
      if member.value.kind == .object { return member.value }
    }
    return nil
  }

  // MARK: payloads

  /// A payload without brackets is read as a list that begins one byte earlier.
  private func listRange(_ message: Message, _ bytes: RawSpan) -> ByteRange? {
    guard message.traits.contains(.isJSON), !message.payload.isEmpty,
      message.traits.isDisjoint(with: [.isQuoted, .isBytes])
    else { return nil }
    let isBare = !message.traits.isDisjoint(with: [.isSequence, .isSingle])
    if isBare {
      return message.payload.start > 0
        ? ByteRange(message.payload.start - 1, message.payload.end) : nil
    }
    return bytes.byte(at: message.payload.start) == .openBracket ? message.payload : nil
  }

  private mutating func list(
    _ step: Step, _ depth: Int, _ message: Message, _ bytes: RawSpan
  ) -> Truth {
    guard let range = listRange(message, bytes) else { return .no }
    return walk(step, depth, JSONElement(.array, range), bytes)
  }

  /// `payload`: wherever the first key is found, as in names files.
  private mutating func payload(
    _ step: Step, _ path: Path, _ message: Message, _ bytes: RawSpan
  ) -> Truth {
    let isText = !message.traits.isDisjoint(with: [.isQuoted, .isBytes])
    guard message.traits.contains(.isJSON), !isText else {
      if message.payload.isEmpty { return .no }
      return path.steps.isEmpty
        ? self.path(wholePayload: step, message, bytes)
        : inside(step, 0, bytes[message.payload])
    }
    if path.steps.isEmpty && step.relation.isAboutText && !step.isLength {
      return self.path(wholePayload: step, message, bytes)
    }
    if path.steps.isEmpty {
      guard !message.payload.isEmpty else { return walk(step, 0, keywords(message, bytes), bytes) }
      return walk(
        step, 0, Self.element(bytes, message.payload.start, message.payload.end), bytes)
    }
    guard case .key = path.steps[0] else {
      let found = list(step, 0, message, bytes)
      return found == .no ? object(step, message, bytes) : found
    }
    var found = walk(step, 0, keywords(message, bytes), bytes)
    if found == .yes { return found }
    if let range = listRange(message, bytes) {
      var elements = JSON.Members(ofArray: range)
      while let member = elements.next(bytes) {
        found = found.or(walk(step, 0, member.value, bytes))
        if found == .yes { return found }
      }
      return found
    }
    return found.or(object(step, message, bytes))
  }

  /// A payload that is a single value, not a list of arguments.
  private mutating func object(_ step: Step, _ message: Message, _ bytes: RawSpan) -> Truth {
    if message.payload.isEmpty || listRange(message, bytes) != nil { return .no }
    return walk(step, 0, Self.element(bytes, message.payload.start, message.payload.end), bytes)
  }

  /// `headers.NAME`: the first header with that name, in a list of pairs.
  private mutating func headers(_ step: Step, _ message: Message, _ bytes: RawSpan) -> Truth {
    guard let top = whole(message, bytes), top.kind == .object,
      let headers = JSON.value(of: "headers", in: top.range, bytes)
    else { return .no }
    if headers.kind == .object { return walk(step, 0, headers, bytes) }
    guard headers.kind == .array, case .key(let key)? = program.paths[Int(step.number)].steps.first
    else { return .no }
    var elements = JSON.Members(ofArray: headers.range)
    while let pair = elements.next(bytes) {
      guard pair.value.kind == .array else { continue }
      let content = bytes.extracting(0..<pair.value.range.end)
      var place = pair.value.range.start + 1
      guard let name = JSON.next(content, &place, inObject: false), name.value.kind == .string,
        FieldPath.isKey(bytes[name.value.content], key),
        let value = JSON.next(content, &place, inObject: false)
      else { continue }
      return walk(step, 1, value.value, bytes)
    }
    return .no
  }

  // MARK: steps

  /// - Parameter depth: how many steps of the path are done.
  private mutating func walk(
    _ step: Step, _ depth: Int, _ element: JSONElement?, _ bytes: RawSpan
  ) -> Truth {
    guard let element else { return .no }
    let path = Int(step.number)
    if depth == program.paths[path].steps.count { return value(step, element, bytes) }
    if element.kind == .string { return inside(step, depth, bytes[element.content]) }
    let isObject = element.kind == .object
    guard isObject || element.kind == .array else { return .no }
    let inside = bytes.extracting(0..<element.range.end)
    var at = element.range.start + 1
    var index = 0
    var last: JSONElement?
    var found = Truth.no
    while let member = JSON.next(inside, &at, inObject: isObject) {
      switch program.paths[path].steps[depth] {
      case .key(let key):
        if !isObject { return .no }
        // For a repeated key the last one counts, as in most parsers.
        if FieldPath.isKey(bytes[member.key], key) { last = member.value }
      case .element(let wanted):
        if isObject { return .no }
        if index == wanted { return walk(step, depth + 1, member.value, bytes) }
      case .every:
        if isObject { return .no }
        found = found.or(walk(step, depth + 1, member.value, bytes))
        if found == .yes { return .yes }
      }
      index += 1
    }
    if let last { return walk(step, depth + 1, last, bytes) }
    return found
  }

  /// JSON inside a string, which many applications send.
  private mutating func inside(_ step: Step, _ depth: Int, _ content: RawSpan) -> Truth {
    guard let first = content.isEmpty ? nil : content.byte(at: 0),
      first == .openBrace || first == .openBracket
    else { return .no }
    var buffer: [UInt8] = []
    swap(&buffer, &inner)
    buffer.removeAll(keepingCapacity: true)
    JSON.unescape(content, to: &buffer)
    var scanner = JSONScanner(maximumDepth: 64)
    let end = scanner.scan(buffer.span.bytes)
    var found = Truth.no
    if end == buffer.count, scanner.problem == nil {
      found = walk(step, depth, Self.element(buffer.span.bytes, 0, buffer.count), buffer.span.bytes)
    }
    swap(&buffer, &inner)
    return found
  }

  // MARK: values

  private mutating func value(_ step: Step, _ element: JSONElement, _ bytes: RawSpan) -> Truth {
    if step.isLength { return Truth(length(step, element, bytes)) }
    switch step.relation {
    case .exists: return .yes
    case .begins, .ends, .contains, .matches:
      return Truth(text(step, element, bytes))
    case .notEqual: return Truth(!isAny(step, element, bytes))
    case .equal, .among: return Truth(isAny(step, element, bytes))
    case .less, .atMost, .more, .atLeast: return Truth(ordered(step, element, bytes))
    }
  }

  private mutating func text(_ step: Step, _ element: JSONElement, _ bytes: RawSpan) -> Bool {
    let content = bytes[element.text]
    if content.firstIndex(of: .backslash) == nil { return program.holds(step, content) }
    plain.removeAll(keepingCapacity: true)
    JSON.unescape(content, to: &plain)
    return program.holds(step, plain.span.bytes)
  }

  private mutating func isAny(_ step: Step, _ element: JSONElement, _ bytes: RawSpan) -> Bool {
    for index in step.constants.start..<step.constants.end {
      let constant = program.constants[index]
      switch (constant.kind, element.kind) {
      case (.yes, .yes), (.no, .no), (.null, .null): return true
      case (.decimals, .natural), (.decimals, .number):
        guard let decimal = Decimal(bytes[element.range]) else { continue }
        if decimal.compared(to: constant.first) >= 0 && decimal.compared(to: constant.last) <= 0 {
          return true
        }
      case (.text, .string):
        let content = bytes[element.content]
        if content.equals(program.texts.bytes[constant.text]) { return true }
        if content.firstIndex(of: .backslash) == nil { continue }
        plain.removeAll(keepingCapacity: true)
        JSON.unescape(content, to: &plain)
        if plain.span.bytes.equals(program.texts.bytes[constant.text]) { return true }
      default: continue
      }
    }
    return false
  }

  private func ordered(_ step: Step, _ element: JSONElement, _ bytes: RawSpan) -> Bool {
    guard element.kind == .natural || element.kind == .number,
      let decimal = Decimal(bytes[element.range])
    else { return false }
    let constant = program.constants[step.constants.start]
    guard constant.kind == .decimals else { return false }
    let order = decimal.compared(to: constant.first)
    return switch step.relation {
    case .less: order < 0
    case .atMost: order <= 0
    case .more: order > 0
    default: order >= 0
    }
  }

  /// Tests the number of elements, members, or characters.
  private mutating func length(_ step: Step, _ element: JSONElement, _ bytes: RawSpan) -> Bool {
    switch element.kind {
    case .string:
      plain.removeAll(keepingCapacity: true)
      JSON.unescape(bytes[element.content], to: &plain)
      return program.holds(step, Int128(plain.span.bytes.characterCount))
    case .array, .object:
      let inside = bytes.extracting(0..<element.range.end)
      var at = element.range.start + 1
      var count = 0
      while JSON.next(inside, &at, inObject: element.kind == .object) != nil { count += 1 }
      return program.holds(step, Int128(count))
    default: return false
    }
  }
}

extension Test.Relation {
  /// It compares any value as text.
  var isAboutText: Bool {
    self == .contains || self == .matches || self == .begins || self == .ends
  }
}
