// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapEncodings
import TapNames
import TapSessions
import TapTraffic

/// The state of the inspector: connections, open exchanges, names, counts, and the text that is
/// being rendered.
struct InspectorState: ~Copyable {
  /// Rendered text that was not written out yet.
  var text = TextBuffer(capacity: 1 << 17)
  var summary = Summary()
  /// Messages that came without packets, by input, control frames excluded.
  var written = ContiguousArray<UInt64>()

  var renderer: any Renderer
  var sessions: Sessions
  var subjects: SubjectTable
  var places: Interner
  var realms = RealmNumbers()
  /// Working memory for a name to look up in `places`.
  var placeName = TextBuffer(capacity: 64)
  var masker: Masker
  var contextCredentials = ContextCredentials()
  var connections = ContiguousArray(repeating: Connection(), count: 1)
  /// The flow of the last message: a finding about that message follows at once.
  private var lastFlow = 0
  /// The last message's subject, and the index of the message that it answers.
  private var (lastSubject, lastAnswers): (Int32, UInt64) = (0, 0)
  /// Connections that were forgotten, and subjects that were too long to keep.
  private var forgotten: UInt64 = 0
  private var findingCounts = FindingCounts()
  // Copies of those options that each message needs: copying all of them would cost reference
  // counting.
  let showsSecrets: Bool
  let (limits, collectsNames): (Limits, Bool)
  /// Whether there is a names file: if not, no names are searched for.
  let hasNames: Bool
  var reconnects: Reconnects
  var nonces: Nonces
  var finder: NameFinder
  /// What is searched for in messages of all dialects.
  let names: CredentialSearch
  /// What the renderer needs of each message beside its line.
  let wishes: Detail.Wishes
  /// The framing of the next message, until that is reported.
  private var framing: Framing?
  private var detail = Detail(isMasked: false)
  /// The next message as it was sent, until it is reported; only where details are wanted.
  private var sent: Detail.Sent?
  /// Size of the next message as it was sent; 0 if it is reported as it was sent.
  private var sentSize = 0

  /// The serializer of the last message that was not reported as it was sent.
  private(set) var serializer: StaticString = ""

  private(set) var quota: MessageQuota
  private var recentDialect = RecentDialect()

  init(_ renderer: any Renderer, _ options: Inspector.Options) {
    self.renderer = renderer
    (limits, collectsNames) = (options.limits, options.collectsNames)
    showsSecrets = options.showsSecrets
    wishes = renderer.wishes
    quota = MessageQuota(options.mostMessages)
    hasNames = !options.names.isEmpty
    finder = NameFinder(options.names)
    sessions = Sessions(limits: options.limits, collectsNames: options.collectsNames)
    (reconnects, nonces) = (Reconnects(limits: options.limits), Nonces(limits: options.limits))
    subjects = SubjectTable(
      options.names.credentials, maximumBytes: options.limits.subjectBytes)
    places = Interner(maximumBytes: options.limits.subjectBytes)
    masker = Masker(options.names.credentials, limits: options.limits)
    names = CredentialSearch(options.names.credentials)
    for name in options.foreseen {
      sessions.foresee(
        name.key, subjects.number(of: name.subject.span.bytes), isPattern: name.isPattern,
        isInferred: name.isInferred)
    }
  }

  mutating func opened(_ opening: Opening, _ delivery: Delivery) {
    if quota.isReached { return }
    let flow = Int(delivery.origin.flow)
    while connections.count <= flow { connections.append(Connection()) }
    summary.connections += 1
    var connection = Connection(opening)
    connection.number = UInt32(truncatingIfNeeded: summary.connections)
    placeName.removeAll()
    opening.server.append(to: &placeName)
    // A pasted stream has no address; at most its URL names the router.
    if !opening.server.isKnown { placeName.append(URLCredentials.without(opening.url).span.bytes) }
    connection.router = UInt32(bitPattern: Self.number(of: placeName, &places))
    // The table of routers is full. A number of its own keeps its sessions from sharing names with
    // those of other routers.
    if connection.router == 0 && !placeName.isEmpty { connection.router = ~connection.number }
    connections[flow] = connection
    // The number of the flow is reused.
    findingCounts.forget(delivery.origin.flow)
    var shown = opening
    if !showsSecrets { masker.mask(&shown) }
    renderer.opened(shown, connection: connection.number, delivery, into: &text)
    compare(opening, delivery)
  }

  mutating func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    guard quota.admitsMessage() else { return }
    let flow = Int(message.origin.flow)
    if message.traits.contains(.isControl) && message.session != connections[flow].realmSession {
      return admitted(control: message, bytes, notes)
    }
    admitted(message, bytes, notes)
  }

  /// Control frames know nothing of sessions: they belong to the current one.
  @inline(never)
  private mutating func admitted(
    control message: Message, _ bytes: RawSpan, _ notes: Span<Note>
  ) {
    var placed = message
    placed.session = connections[Int(message.origin.flow)].realmSession
    admitted(placed, bytes, notes)
  }

  @inline(__always)
  private mutating func admitted(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    let flow = Int(message.origin.flow)
    summary.messages &+= 1
    var joined = Joined(index: summary.messages)
    joined.size = UInt32(clamping: sentSize > 0 ? sentSize : bytes.byteCount)
    if !message.traits.isDisjoint(with: [.isNarrated, .hidesText]) {
      (joined.size, joined.isSizeKnown) = (message.sentBytes, message.sentBytes > 0)
    }
    sentSize = 0
    if !message.traits.isDisjoint(with: [.isControl, .bodyInNotes]) { summary.controlFrames &+= 1 }
    if !message.realm.isEmpty { enter(bytes[message.realm], flow, message.session) }
    let connection = connections[flow]
    joined.connection = connection.number
    if connection.isWritten { countWritten(message) }
    lastFlow = flow
    if message.traits.contains(.isFarewell) { reconnects.left(message.origin.flow) }
    if message.first.role != .none {
      let isUnescaped = message.traits.contains(.isUnescaped)
      sessions.join(
        message, &joined, subject: number(message.subject, bytes, isUnescaped: isUnescaped),
        at: place(of: connection, message.session))
      if collectsNames { infer(message, joined, bytes, connection) }
    }
    (lastSubject, lastAnswers) = (joined.subject, joined.answers)
    let concern = concern(message, joined)
    if concern.contains(.lessons) { learn(message, joined, bytes) }
    let isSensitive =
      concern.contains(.secrets) && !showsSecrets
      && recentDialect.hasSensitiveSubjects(message.dialect)
    if concern.contains(.maskedName) && !showsSecrets { maskSubject(&joined) }
    let hidesNothing =
      !hasNames && !isSensitive && !concern.contains(.maskedName) && !Masker.needsMasking(notes)
    if hidesNothing && (showsSecrets || isHarmless(message, bytes)) {
      render(message, joined, bytes, notes)
    } else {
      maskAndRender(message, joined, bytes, notes, isSensitive: isSensitive)
    }
  }

  /// Replaces a subject that contains a credential, for the renderer only.
  @inline(never)
  private mutating func maskSubject(_ joined: inout Joined) {
    let shown = masker.words(subjects.names[joined.subject].copied())
    joined.subject = subjects.number(of: shown.span.bytes)
  }

  /// The session, router and realm of a session of a connection.
  @inline(__always)
  func place(of connection: Connection, _ session: UInt16) -> Sessions.Membership {
    Sessions.Membership(
      session: UInt64(connection.number) << 16 | UInt64(session), router: connection.router,
      realm: connection.realmSession == session ? connection.realm : 0,
      mixing: connection.mixing)
  }

  mutating func framed(_ framing: Framing) { self.framing = framing }
  /// Bytes after the message may contain credentials of their own.
  mutating func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    (sentSize, self.serializer) = (octets.byteCount, serializer)
    guard wishes.contains(.sent) else { return }
    let withheld = showsSecrets ? 0 : trailing
    let shown = octets.extracting(0..<octets.byteCount - withheld).copied()
    sent = Detail.Sent(shown, withheld: withheld, serializer)
  }

  mutating func subject(_ uri: RawSpan) { subjects.setNext(uri) }

  mutating func finding(_ finding: Finding) {
    let flow = Int(finding.origin.flow)
    if finding.mixesSessions && flow < connections.count { connections[flow].mix() }
    guard quota.admits(finding) else { return }
    let connection = flow < connections.count ? connections[flow] : Connection()
    summary.add(lossesOf: finding)
    forgotten += finding.evicted
    switch finding.severity {
    case .error: summary.errors += 1
    case .warning: summary.warnings += 1
    case .note: summary.notes += 1
    }
    if findingCounts.add(finding) > limits.findingsPerCode {
      summary.unreportedFindings += 1
      return renderer.unreported(finding, connection: connection.number)
    }
    let isLast = finding.isAboutLastMessage && flow == lastFlow && summary.messages > 0
    var messages = isLast ? [summary.messages] : []
    var named = finding
    if isLast { named.subject = subjects.names[lastSubject].copied() }
    if finding.about.role != .none { name(&named, connection, isLast: isLast, &messages) }
    if !showsSecrets {
      (named.text, named.subject) = (masker.words(named.text), masker.words(named.subject))
    }
    if finding.endsEvidence { summary.damages.append(named) }
    renderer.finding(named, connection: connection.number, messages: messages, into: &text)
  }

  /// Adds the subject of what the finding is about, and the index of the message that began it.
  private mutating func name(
    _ finding: inout Finding, _ connection: Connection, isLast: Bool, _ messages: inout [UInt64]
  ) {
    let place = place(of: connection, finding.session)
    // An exchange that the last message answered is not open any more.
    var (subject, began) = (lastSubject, lastAnswers)
    if !isLast || subject == 0 {
      let known = sessions.known(finding.about, at: place)
      (subject, began) = (known?.subject ?? 0, known?.index ?? 0)
    }
    if began > 0 { messages.insert(began, at: 0) }
    if subject > 0 {
      finding.subject = subjects.names[subject].copied()
      finding.text.reserveCapacity(
        finding.text.utf8.count + finding.subject.count + finding.remainder.utf8.count + 4)
      finding.text += " ("
      finding.text += String(decoding: finding.subject, as: Unicode.UTF8.self)
      finding.text += ")"
    }
    finding.text += finding.remainder
  }

  mutating func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    let flow = Int(delivery.origin.flow)
    guard flow < connections.count, connections[flow].number > 0 else { return }
    renderer.keepAlive(keepAlive, connection: connections[flow].number)
  }

  mutating func closed(_ closing: Closing, _ delivery: Delivery) {
    let flow = Int(delivery.origin.flow)
    guard flow < connections.count, connections[flow].number > 0 else { return }
    var shown = closing
    if !showsSecrets && !closing.reason.isEmpty { shown.reason = masker.words(closing.reason) }
    renderer.closed(shown, connection: connections[flow].number, delivery, into: &text)
    reconnects.closed(closing, delivery)
    realms.leave(connections[flow].realmPlace)
    connections[flow] = Connection()
    findingCounts.forget(delivery.origin.flow)
  }

  /// How many entries were forgotten so far.
  var evicted: UInt64 { forgotten + sessions.evicted + reconnects.forgotten }

  @inline(__always)
  mutating func number(
    _ range: ByteRange, _ bytes: RawSpan, isUnescaped: Bool = false
  ) -> Int32 {
    subjects.number(range, bytes, isUnescaped: isUnescaped) ?? numberAfterRenewal(range, bytes)
  }

  /// The table of subjects is full: drops those that nothing refers to. If those still referred to
  /// fill it alone, the older half of what refers to them is forgotten, and counted.
  @inline(never)
  private mutating func numberAfterRenewal(_ range: ByteRange, _ bytes: RawSpan) -> Int32 {
    if range.count > limits.subjectBytes / 4 {
      forgotten += 1
      return 0
    }
    renewSubjects()
    if subjects.bytes > limits.subjectBytes / 2 {
      sessions.forgetOlderHalf(before: summary.messages)
      renewSubjects()
    }
    return subjects.number(range, bytes) ?? 0
  }

  private mutating func renewSubjects() {
    subjects.renew { renumber in
      sessions.renumberSubjects(renumber)
      lastSubject = renumber(lastSubject)
    }
    finder.forgetNumbers()
  }

  private mutating func concern(_ message: Message, _ joined: Joined) -> SubjectTable.Concern {
    let hasPayload = !message.payload.isEmpty || !message.keywords.isEmpty
    if joined.subject == 0 {
      return hasPayload && message.first.role != .opens ? .secrets : []
    }
    let concern = subjects.concern(joined.subject)
    return hasPayload ? concern : concern.intersection(.maskedName)
  }

  @inline(__always)
  mutating func render(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>,
    isMasked: Bool = false
  ) {
    quota.count(Self.render(message, joined, bytes, notes, &subjects, &renderer, &text))
    if wishes.contains(.details) { reportDetail(message, joined, bytes, notes, isMasked: isMasked) }
  }

  @inline(never)
  private mutating func reportDetail(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, isMasked: Bool
  ) {
    detail.begin(isMasked: isMasked)
    if let framing, framing.carried(message.origin) { detail.framing = framing }
    (detail.sent, framing, sent) = (sent, nil, nil)
    Outlines.fill(&detail, wishes, message, bytes)
    Self.report(detail, message, joined, bytes, notes, &subjects, &renderer, &text)
  }

  private static func report(
    _ detail: Detail, _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>,
    _ subjects: inout SubjectTable, _ renderer: inout any Renderer, _ text: inout TextBuffer
  ) {
    if joined.subject != 0 {
      let subject = subjects.names[joined.subject]
      renderer.detail(
        detail, message, MessageView(joined, bytes, notes, subject: subject), into: &text)
    } else {
      let subject = bytes[message.subject]
      renderer.detail(
        detail, message, MessageView(joined, bytes, notes, subject: subject), into: &text)
    }
  }

  /// Takes parts of the state as separate parameters, as one of them is lent to another.
  @inline(__always)
  private static func render(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>,
    _ subjects: inout SubjectTable, _ renderer: inout any Renderer, _ text: inout TextBuffer
  ) -> Bool {
    if joined.subject != 0 {
      let subject = subjects.names[joined.subject]
      return renderer.message(
        message, MessageView(joined, bytes, notes, subject: subject), into: &text)
    } else {
      // The table is full, so the subject has no number; show it from the message.
      let subject = bytes[message.subject]
      return renderer.message(
        message, MessageView(joined, bytes, notes, subject: subject), into: &text)
    }
  }
}
