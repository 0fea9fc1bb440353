// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks the type code, the number of elements and the kind of each together. A list of numbers
/// alone may be anything: only one with a dictionary or a string in the right position is likely
/// WAMP.
struct WAMPRecogniser: Recogniser {
  private let limits: Limits
  private var array: WAMPArray

  init(limits: Limits) {
    self.limits = limits
    array = WAMPArray(maximumDepth: limits.nesting)
    array.isTerse = true
  }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    switch context {
    case .text, .sent: return recognise(text, kind)
    case .conversation(let opening, isFirst: true):
      var found = Recognition(grade(text, kind, in: opening))
      // A malformed message alone decides nothing; a later message may.
      found.isUndecided =
        found.grade == .none && kind == .text && recognise(text, kind).isCertainlyMalformed
      return found
    case .conversation(_, isFirst: false):
      let found = kind == .text ? recognise(text, kind) : .none
      return found.grade == .likely ? found : .none
    case .paste:
      if kind == .binary {
        return WAMPDecoding.recognise(text, kind).map { _ in .init(.likely) } ?? .none
      }
      if kind == .abridged, recognise(text, kind).grade != .none { return Recognition(.likely) }
      array.read(text)
      guard let problem = array.problem else { return Recognition(.likely) }
      // A wrong id is reported as a finding of the message.
      return Self.isOfValue(problem.fault) ? Recognition(.possible) : .none
    }
  }

  mutating func refusal(of pasted: RawSpan) -> String {
    // Building the texts costs time, so they are left out where nobody reads them, as in a log.
    array.isTerse = false
    defer { array.isTerse = true }
    array.read(pasted)
    let problem = array.problem?.text ?? ""
    if array.scanner.problem == nil { return problem }
    // No JSON text parses completely in one of these.
    var transcoder = Transcoder(
      maximumDepth: limits.nesting, maximumBytes: limits.messageBytes)
    var text = TextBuffer(capacity: 64)
    for serializer in Serializer.allCases {
      text.removeAll()
      let end = transcoder.transcode(pasted, serializer, into: &text)
      guard end == pasted.byteCount else { continue }
      array.read(text.bytes)
      guard array.scanner.isArray else { continue }
      let problem = array.problem?.text ?? "its type is none that WAMP has"
      return "a list in \(serializer.title): \(problem)"
    }
    return problem
  }

  /// The grade for the first message of a connection.
  private mutating func grade(
    _ first: RawSpan, _ kind: Delivery.Kind, in opening: Opening
  ) -> Recognition.Grade {
    // Another WAMP subprotocol means another serializer, and a message cannot overrule that.
    if opening.subprotocol.starts(with: "wamp".utf8) { return .none }
    // Binary messages under another subprotocol are not WAMP; text is often sent under any name.
    if kind == .binary && !opening.subprotocol.isEmpty { return .none }
    if kind == .abridged { return recognise(first, kind).grade == .none ? .none : .likely }
    if WAMPDecoding.recognise(first, kind) != nil { return .likely }
    // A JSON message counts even if an id is out of range.
    if kind != .text { return .none }
    return recognise(first, kind).grade == .likely ? .likely : .none
  }

  private mutating func recognise(_ text: RawSpan, _ kind: Delivery.Kind) -> Recognition {
    if kind == .withheld { return recognise(beginning: text) }
    if kind == .binary { return recognise(octets: text) }
    // The first message of a batch decides.
    if WAMPDecoding.endsBatch(text) {
      var batch = Batch(.separated)
      return batch.next(text).map { recognise(text.extracting($0), kind) } ?? .none
    }
    // Most other lists can be ruled out by their first elements.
    guard Self.mayBegin(text, isWhole: kind != .abridged) else { return .none }
    array.read(text)
    guard let type = array.type, array.scanner.problem == nil else { return .none }
    if let problem = array.problem, !Self.isOfValue(problem.fault) {
      guard kind == .abridged, problem.fault == .arity || problem.fault == .element,
        array.count <= type.arity.upperBound, mayBe(type, text)
      else { return kind == .text ? malformed(type, text) : .none }
    }
    let isAbridged = kind == .abridged && array.count > 1 && !Self.isPlaceholder(array[1], text)
    let isLikely = hasForm(text) && (isAbridged || type.code > 6 || isTypical(type, text))
    var recognition = Recognition(isLikely ? .likely : .possible)
    recognition.direction = type.direction
    recognition.isCounted = true
    recognition.begins = type.code == WAMPCode.hello
    recognition.endsForBoth = type.code == WAMPCode.abort
    recognition.ends = recognition.endsForBoth || type.code == WAMPCode.goodbye
    if type.code == WAMPCode.welcome { recognition.session = array.number(1, text) ?? 0 }
    note(exchange: type.code, text, &recognition)
    // Without ids, a list of a program may look like one that is abridged.
    if kind == .text && type.code == WAMPCode.challenge { recognition.opens = Self.proof }
    if kind == .text && type.code == WAMPCode.authenticate { recognition.answers = Self.proof }
    return recognition
  }

  /// Whether only the value of an id is wrong: the message still has the form of WAMP.
  private static func isOfValue(_ fault: WAMPArray.Fault) -> Bool {
    fault == .idRange || fault == .idFloat
  }

  // Inlined, like the next one, as otherwise each call would copy the whole array.
  /// Whether an element is something other than a number.
  @inline(__always)
  private func hasForm(_ text: RawSpan) -> Bool {
    for index in keptIndices {
      switch array[index].kind {
      case .object, .array: return true
      case .string: if !Self.isPlaceholder(array[index], text) { return true }
      default: break
      }
    }
    return false
  }

  /// For messages that open and end sessions: whether they contain what no other list does: roles,
  /// a URI, or a method of authentication. Their codes are small, and many lists have their form.
  @inline(__always)
  private func isTypical(_ type: WAMPType, _ text: RawSpan) -> Bool {
    switch type.code {
    case WAMPCode.hello, WAMPCode.welcome:
      return array.count > 2 && JSON.value(of: "roles", in: array[2].range, text) != nil
    case WAMPCode.abort, WAMPCode.goodbye:
      return array.count > 2 && text[array[2].content].firstIndex(of: .period) != nil
    case WAMPCode.challenge:
      return Self.methods.contains { text[array[1].content].equals($0) }
    default: return false
    }
  }

  private static let methods: [StaticString] = [
    "ticket", "wampcra", "cryptosign", "scram", "wamp-scram", "anonymous", "cookie", "tls",
  ]

  /// For an array that is not a valid message: its type code and the id or URI after that may show
  /// that it is a malformed one.
  private mutating func malformed(_ type: WAMPType, _ text: RawSpan) -> Recognition {
    var recognition = Recognition.none
    guard array.count > 1, Self.hasKind(array[1].kind, type, 1) else { return recognition }
    recognition.isMalformed = true
    // Lists of other protocols begin with small codes too.
    if (type.code == WAMPCode.error || type.code >= WAMPCode.subscribe) && hasURI(text)
      && hasContainer
    {
      recognition.malformedDialect = "wamp"
    }
    recognition.direction = type.direction
    note(exchange: type.code, text, &recognition)
    return recognition
  }

  /// Whether one of its elements may be a URI: words with dots between them, but not an IP address
  /// or a version number.
  private func hasURI(_ text: RawSpan) -> Bool {
    keptIndices.contains {
      guard array[$0].kind == .string else { return false }
      let word = text[array[$0].content]
      guard word.firstIndex(of: .period) != nil, word.byte(at: 0).isAlpha else {
        return false
      }
      return (0..<word.byteCount).allSatisfy {
        let byte = word.byte(at: $0)
        return byte.isWord || byte == .hyphen || byte == .period
      }
    }
  }

  /// Whether it has a list or a dictionary, such as arguments or options.
  private var hasContainer: Bool {
    keptIndices.contains { array[$0].kind == .array || array[$0].kind == .object }
  }

  /// The elements after the code that the scanner kept; a list may have many more.
  private var keptIndices: Range<Int> { 1..<max(1, min(array.count, JSONElements.kept)) }

  /// Whether a list begins like a message: with a message code, followed by what this type allows.
  /// True also when its beginning is not a number and a comma.
  ///
  /// - Parameter isWhole: nothing was left out. Otherwise a placeholder may stand for any element.
  private static func mayBegin(_ text: RawSpan, isWhole: Bool) -> Bool {
    var (at, code) = (1, UInt64(0))
    while at < text.byteCount, text.byte(at: at) <= 0x20 { at += 1 }
    let start = at
    while at < text.byteCount, at - start < 4, text.byte(at: at).isDigit {
      code = code * 10 + UInt64(text.byte(at: at) - 0x30)
      at += 1
    }
    // The JSON scanner judges everything else.
    guard at > start, at < text.byteCount, text.byte(at: at) == .comma else { return true }
    guard let type = WAMPType(code: code) else { return false }
    at += 1
    while at < text.byteCount, text.byte(at: at) <= 0x20 { at += 1 }
    guard isWhole, at < text.byteCount else { return true }
    if type.isNumber(1) { return text.byte(at: at).isDigit }
    switch type.letter(1) {
    case UInt8(ascii: "d"): return text.byte(at: at) == UInt8(ascii: "{")
    case UInt8(ascii: "u"), UInt8(ascii: "s"): return text.byte(at: at) == UInt8(ascii: "\"")
    default: return true
    }
  }

  /// Recognises a serialized message, or the first message of a batch.
  private mutating func recognise(octets: RawSpan) -> Recognition {
    guard let carriage = WAMPDecoding.recognise(octets, .binary) else { return .none }
    var first = 0..<octets.byteCount
    if carriage.isBatched {
      var batch = Batch(.prefixed)
      guard let range = batch.next(octets) else { return .none }
      first = range
    }
    var decoding = WAMPDecoding(carriage, limits: limits)
    guard decoding.transcode(octets, first) != nil else { return .none }
    return recognise(decoding.text.bytes, .text)
  }

  /// Recognises the beginning of a serialized message.
  private mutating func recognise(beginning octets: RawSpan) -> Recognition {
    guard let found = WAMPSerializer.recognise(octets), !found.isBatched else { return .none }
    var decoding = WAMPDecoding(WAMPCarriage(serializer: found.serializer), limits: limits)
    guard decoding.transcode(beginning: octets) else { return .none }
    return recognise(decoding.text.bytes, .abridged)
  }

  /// Whether an element is the placeholder of one that was left out.
  private static func isPlaceholder(_ element: JSONElement, _ text: RawSpan) -> Bool {
    element.kind == .string && text[element.content].equals("…")
  }

  /// Whether an abridged message fits its type in the elements that are there, above all its ids.
  @inline(__always)
  private func mayBe(_ type: WAMPType, _ text: RawSpan) -> Bool {
    for index in keptIndices {
      let kind = array[index].kind
      // A string may stand for something left out; for a number only a placeholder where the list
      // ends: every program prints numbers, and `[2, never, "."]` is a rule of commitlint. A text
      // that was cut stands for a text: `[3,"478fa6f6…"]` is of OCPP.
      let isPlaceholder = Self.isPlaceholder(array[index], text)
      let isLast = index == array.count - 1
      if isPlaceholder && (!type.isNumber(index) || isLast) { continue }
      if kind == .string && !type.isNumber(index) && !text[array[index].content].contains("…") {
        continue
      }
      if !Self.hasKind(kind, type, index) { return false }
    }
    return array.count > 1
  }

  /// Whether an element has the kind that its position requires.
  private static func hasKind(_ kind: JSONElement.Kind, _ type: WAMPType, _ index: Int) -> Bool {
    if type.isNumber(index) { return kind == .natural }
    return switch type.letter(index) {
    case UInt8(ascii: "u"), UInt8(ascii: "s"): kind == .string
    case UInt8(ascii: "d"), UInt8(ascii: "k"): kind == .object
    case UInt8(ascii: "a"): kind == .array
    default: false
    }
  }

  /// Notes which exchange the message begins or answers. It is `mutating` so that a mutating caller
  /// does not copy this value.
  private mutating func note(
    exchange code: UInt64, _ text: RawSpan, _ recognition: inout Recognition
  ) {
    switch code {
    case WAMPCode.publish, WAMPCode.subscribe, WAMPCode.call, WAMPCode.register:
      recognition.opens = key(code, 1, text)
      recognition.sequence = array.number(1, text) ?? 0
    case WAMPCode.unsubscribe, WAMPCode.unregister, WAMPCode.invocation:
      recognition.opens = key(code, 1, text)
      // The router counts its own request ids.
      if code != WAMPCode.invocation { recognition.sequence = array.number(1, text) ?? 0 }
      recognition.uses = key(
        code == WAMPCode.unsubscribe ? WAMPCode.subscribe : WAMPCode.register, 2, text)
    case WAMPCode.event: recognition.uses = key(WAMPCode.subscribe, 1, text)
    case WAMPCode.subscribed, WAMPCode.registered:
      recognition.answers = key(code - 1, 1, text)
      recognition.grants = key(code - 1, 2, text)
    case WAMPCode.published, WAMPCode.unsubscribed, WAMPCode.unregistered:
      recognition.answers = key(code - 1, 1, text)
    case WAMPCode.result: recognition.answers = key(WAMPCode.call, 1, text)
    case WAMPCode.yield: recognition.answers = key(WAMPCode.invocation, 1, text)
    case WAMPCode.error:
      guard let asked = array.number(1, text) else { return }
      recognition.answers = key(asked & 0xFF, 2, text)
      // The receiver of the request sends the ERROR.
      switch asked {
      case WAMPCode.publish, WAMPCode.subscribe, WAMPCode.unsubscribe, WAMPCode.call,
        WAMPCode.register, WAMPCode.unregister:
        recognition.direction = .toClient
      case WAMPCode.invocation: recognition.direction = .toServer
      default: break
      }
    default: break
    }
  }

  /// The key of what the router asks with CHALLENGE, which has no id.
  private static let proof = WAMPCode.challenge << 56

  /// The key of an exchange: the code of the request, and the request id, which is an element of
  /// this array.
  @inline(__always)
  private func key(_ asked: UInt64, _ index: Int, _ text: RawSpan) -> UInt64 {
    guard let id = array.number(index, text), id > 0 else { return 0 }
    return asked << 56 | id
  }
}
