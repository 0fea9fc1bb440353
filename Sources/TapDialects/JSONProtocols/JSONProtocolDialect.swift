// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
public import TapTraffic

/// A dialect that is defined by a protocol table.
public struct JSONProtocolDialect: Dialect {
  let plan: JSONProtocolPlan
  var table: JSONProtocol { plan.table }

  init(_ table: JSONProtocol) { plan = JSONProtocolPlan(table) }

  public var name: StaticString { plan.table.name }

  /// Findings are shared by all tables.
  public var findings: [Explanation] { [] }

  public var takesMessageRules: Bool { true }
  public var topics: [Topic] {
    let group = Topic.Group("\(table.title) messages", "\(table.title) message")
    let page = Topic(
      Topic.Group("Protocols whose messages are JSON", "protocol"), "\(table.name)",
      "\(table.title).", aliases: [table.title], table.page, source: table.source)
    var topics = [page]
    // Several kinds may share a name; the first explains it.
    for kind in table.kinds where !topics.contains(where: { $0.name == "\(kind.name)" }) {
      topics.append(
        Topic(
          group, "\(kind.name)", kind.meaning,
          kind.role.parts
            + [
              kind.example.isEmpty
                ? Topic.Part("Member", .prose("It is known by its \"\(kind.value)\"."))
                : .example([kind.example], dialect: "\(table.name)")
            ],
          source: table.source))
    }
    return topics + closeCodeTopics
  }

  private var closeCodeTopics: [Topic] {
    let group = Topic.Group("\(table.title) close codes", "\(table.title) close code")
    return table.closeCodes.map { code in
      let (first, last) = (code.codes.lowerBound, code.codes.upperBound)
      let shown = Topic.Part(
        "Shown as", .lines(["#1 ←  CLOSE       code \(first) \(code.meaning.words)"]))
      let reconnect = code.meaning.isToReconnect.map {
        Topic.Part.remedy($0 ? "Connect again." : "Do not connect again without a change.")
      }
      var topic = Topic(
        group, first == last ? "\(first)" : "\(first)–\(last)",
        "CLOSE: \(code.meaning.words).", numbers: UInt64(first)...UInt64(last),
        [shown, reconnect].compactMap { $0 }, source: table.source)
      topic.isOfOneProtocol = true
      return topic
    }
  }

  public func isNegotiated(_ opening: Opening) -> Bool {
    plan.table.subprotocols.contains { opening.subprotocol.span.bytes.equals($0) }
  }

  public func recogniser(limits: Limits, _ scan: SharedScan) -> any Recogniser {
    JSONProtocolRecogniser(plan, scan)
  }

  public func narratedLogs(limits: Limits) -> [any NarratedLog] {
    table.narratedLog.map { [$0(limits)] } ?? []
  }

  public func layer(_ opening: Opening, _ run: RunContext) -> any Layer {
    let separator = plan.table.separator
    return JSONApplications.layer(takenFor: name, separator: separator, opening, run)
      ?? Boxed(JSONProtocolLayer(plan, separator: separator, opening, limits: run.limits))
  }

  public func outline(
    _ message: Message, _ bytes: RawSpan, into rows: inout ContiguousArray<OutlineRow>
  ) {
    let kind = table.kinds.first { $0.name.equals(message.name) } ?? table.other
    JSONOutline.append(message, bytes, elements: kind?.elements ?? [], to: &rows)
  }
}

extension JSONKind.Role {
  /// The text of `explain`.
  fileprivate var parts: [Topic.Part] {
    switch self {
    case .notifies, .echoes: []
    case .asks: [.answered("what has the same id")]
    case .mayAsk: [.answered("what has the same id, any number of times, or never")]
    case .answers: [.answers("what has the same id, and ends it")]
    case .continues: [.answers("what has the same id; more may come")]
    case .cancels: [.answered("perhaps by what has not arrived yet")]
    case .calls: [.answered("a message of the same kind and id, or an error")]
    }
  }
}

/// Recognises messages of a table by their distinctive marks.
struct JSONProtocolRecogniser: Recogniser {
  private var reader: JSONProtocolReader
  private let scan: SharedScan

  let isForTexts = false
  let isOfObjects = true

  private var table: JSONProtocol { reader.plan.table }

  init(_ plan: JSONProtocolPlan, _ scan: SharedScan) {
    (reader, self.scan) = (JSONProtocolReader(plan), scan)
  }

  mutating func recognise(
    _ text: RawSpan, _ kind: Delivery.Kind, in context: Recognition.Context
  ) -> Recognition {
    guard kind.mayBeJSON(text) else { return .none }
    switch context {
    case .text: return .none
    case .conversation(let opening, _):
      // Converted input has lost the separators of texts, and printed input mostly has.
      let hasLost =
        table.separator == 0x1E
        && (opening.provenance.isTranscoded || opening.provenance.isLogged)
      let grade = grade(text, isSpoken: false, isSeparated: !hasLost)
      let isOfWAMP = grade != .none && opening.subprotocol.starts(with: "wamp".utf8)
      return isOfWAMP ? .none : Recognition(grade)
    case .sent:
      let grade = grade(text, isSpoken: false, isSeparated: false)
      return grade == .likely ? recognition(grade, text) : .none
    case .paste(let isSpoken):
      // Printed text has mostly lost the separator too.
      let grade = grade(text, isSpoken: isSpoken, isSeparated: !isSpoken)
      return grade == .possible && !isSpoken ? .none : recognition(grade, text)
    }
  }

  /// Adds to a grade the exchange, and the direction if only one side sends messages of this kind,
  /// or about this subject.
  private mutating func recognition(_ grade: Recognition.Grade, _ text: RawSpan) -> Recognition {
    var found = Recognition(grade)
    if grade == .none { return found }
    note(exchangeOf: text, &found)
    if let first = table.connectionBegins, first.equals(reader.kind.value) {
      (found.begins, found.isUsualDirection) = (true, true)
    }
    if reader.kind.direction != .unknown {
      // Where a program prints the messages of several connections, its line knows better.
      (found.direction, found.isUsualDirection) = (reader.kind.direction, true)
    }
    guard !table.subjectsFromClient.isEmpty, let subject = reader.subject(text)
    else { return found }
    func isAny(_ subjects: [StaticString]) -> Bool {
      subjects.contains { text[subject.content].equals($0) }
    }
    if isAny(table.subjectsFromClient) { found.direction = .toServer }
    if isAny(table.subjectsFromServer) { found.direction = .toClient }
    // A simulator may print the messages of both sides.
    found.isUsualDirection = true
    return found
  }

  /// What a kind without a fixed role does depends on messages before it, so it is left out.
  private mutating func note(exchangeOf text: RawSpan, _ found: inout Recognition) {
    guard let id = reader.id(text), id.kind != .array, id.mayBeOfOthers else { return }
    let scope = reader.plan.scope.flatMap { reader.value($0, text) }?.identity(in: text)
    let key = JSONExchange(id, scope: scope, salt: reader.kind.idSalt, text).first
    switch reader.kind.role {
    case .asks, .mayAsk: found.opens = key
    case .answers, .cancels: found.answers = key
    case .continues where table.isAnsweredInParts: found.answers = key
    case .continues, .notifies, .calls, .echoes: break
    }
  }

  private mutating func grade(
    _ text: RawSpan, isSpoken: Bool, isSeparated: Bool = true
  ) -> Recognition.Grade {
    let end = JSONProtocolLayer.end(of: text, table.separator)
    // The byte 0x1E ends each text, even a single one.
    if isSeparated && table.separator == 0x1E && end == text.byteCount { return .none }
    let first = text.extracting(0..<end)
    let scanner = scan.scanner
    guard scan.isJSON(first), !scanner.value.elements.isEmpty || scanner.value.isArray,
      reader.read(scanner.value, first)
    else { return .none }
    return reader.grade(scanner.value, first, isSpoken: isSpoken)
  }

  func refusal(of _: RawSpan) -> String { "it is no message of \(table.title)" }
}
