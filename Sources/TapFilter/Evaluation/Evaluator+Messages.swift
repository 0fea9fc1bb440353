// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Evaluates tests of messages.
extension Evaluator {
  @inline(__always)
  mutating func truth(
    of step: Step, _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>
  ) -> Truth {
    let found = shown(step, message, view, namings)
    guard message.isUnread && step.asksMeaning else { return found }
    guard step.isField(.name) || step.isField(.protocol) else { return Self.doubted(found, step) }
    // It may be another message than it is shown as, and that name is whole.
    if step.relation == .notEqual { return found == .no ? .no : .unknown }
    return found == .yes ? .yes : .unknown
  }

  /// The truth if only what was captured of a message counts: missing pieces may be anything.
  static func doubted(_ found: Truth, _ step: Step) -> Truth {
    switch step.relation {
    case .equal, .among, .begins, .contains, .exists: found == .yes ? .yes : .unknown
    default: .unknown
    }
  }

  /// Tests a message as it is shown.
  @inline(__always)
  private mutating func shown(
    _ step: Step, _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>
  ) -> Truth {
    switch step.kind {
    case .connection: return facts(view.joined.connection)[step.number]
    case .late:
      return lates.truth(
        firstLate + Int(step.number), index: view.joined.index,
        connection: view.joined.connection, session: message.session)
    case .id: return id(step, message, view)
    case .named: return named(step, message, view, namings)
    case .path: return path(step, message, view.bytes)
    case .words:
      let found = Truth(program.holds(step, view.subject)).or(
        path(wholePayload: step, message, view.bytes))
      let isCut = message.isUncertain || view.isSubjectCut(of: message)
      return found == .no && isCut ? .unknown : found
    case .field: break
    }
    switch step.field {
    case .name: return Truth(program.holds(step, symbol: message.name))
    case .latency: return latency(step, message, view)
    case .failed: return Truth(message.traits.contains(.isFailure))
    case .subject: return self.subject(step, message, view)
    case .protocol: return Truth(program.holds(step, word: message.dialect))
    case .direction:
      switch message.origin.direction {
      case .toServer: return Truth(program.holds(step, word: "toServer"))
      case .toClient: return Truth(program.holds(step, word: "toClient"))
      case .unknown: return Truth(program.holds(step, word: "unknown"))
      }
    case .index: return Truth(program.holds(step, Int128(view.joined.index)))
    case .answers:
      return Truth(view.joined.answers > 0 && program.holds(step, Int128(view.joined.answers)))
    case .carries:
      return Truth(view.joined.carries > 0 && program.holds(step, Int128(view.joined.carries)))
    case .size:
      guard view.joined.isSizeKnown else { return .unknown }
      return Truth(program.holds(step, Int128(view.joined.size)))
    case .event: return Truth(program.holds(step, word: "message"))
    case .names: return named(step, message, view, namings)
    default: return other(step, message, view)
    }
  }

  private mutating func other(_ step: Step, _ message: Message, _ view: MessageView) -> Truth {
    switch step.field {
    case .body:
      if message.traits.contains(.isNarrated) { return .unknown }
      let found = Truth(program.holds(step, view.bytes))
      return found == .no && message.isUncertain ? .unknown : found
    case .error:
      guard message.traits.contains(.isFailure) else { return .no }
      if message.reason.isEmpty || message.traits.contains(.bodyInNotes) {
        return message.isUncertain ? .unknown : .no
      }
      return Truth(holds(step, content: view.bytes[message.reason], message))
    case .closeCode:
      guard message.traits.contains(.bodyInNotes), message.first.role != .none else { return .no }
      return Truth(program.holds(step, Int128(message.first.key)))
    case .closeReason:
      guard message.traits.contains(.bodyInNotes), !message.reason.isEmpty else { return .no }
      return Truth(program.holds(step, view.bytes[message.reason]))
    default: return common(step, message.origin, view.joined.connection)
    }
  }

  /// Tests the content of a JSON string without its escapes, or plain text.
  mutating func holds(_ step: Step, content: RawSpan, _ message: Message) -> Bool {
    guard message.traits.contains(.isJSON), content.firstIndex(of: .backslash) != nil else {
      return program.holds(step, content)
    }
    plain.removeAll(keepingCapacity: true)
    JSON.unescape(content, to: &plain)
    return program.holds(step, plain.span.bytes)
  }

  private func latency(_ step: Step, _ message: Message, _ view: MessageView) -> Truth {
    if view.joined.latency >= 0 {
      let precision = min(message.origin.precision, view.joined.precision)
      if let most = view.joined.latencyAtMost(precision: precision) {
        return program.holds(step, atMost: Int128(most))
      }
      return Truth(program.holds(step, Int128(view.joined.latency)))
    }
    // The request was not captured, or there are no times.
    let isAnswer =
      view.joined.answers > 0 || message.has(.answers) || message.has(.continues)
    return isAnswer ? .unknown : .no
  }

  private func subject(_ step: Step, _ message: Message, _ view: MessageView) -> Truth {
    if !view.subject.isEmpty {
      let found = Truth(program.holds(step, view.subject))
      if !view.isSubjectCut(of: message) { return found }
      let isOfPart = step.relation == .begins || step.relation == .contains
      return isOfPart && found == .yes ? .yes : .unknown
    }
    return lacksSubject(message, view) ? .unknown : .no
  }

  /// Whether a message without a known subject may have one all the same.
  func lacksSubject(_ message: Message, _ view: MessageView) -> Bool {
    // The message that names the subject was not captured, or not whole: the request, or the one
    // that granted the id.
    for number in 0..<3 {
      switch message.link(number).role {
      case .refers, .concerns: return true
      case .answers, .continues, .mentions:
        return view.joined.answers == 0 || nameless[view.joined.answers]
      default: continue
      }
    }
    guard message.isUncertain else { return false }
    // Its request was read, but not what follows; the members of an object have no order.
    return message.first.role == .opens && message.first.isShown || message.isCutObject(view.bytes)
  }

  private mutating func id(_ step: Step, _ message: Message, _ view: MessageView) -> Truth {
    let (bytes, notes) = (view.bytes, view.notes)
    if message.traits.contains(.bodyInNotes) { return .no }
    var isThere = false
    for number in 0..<3 {
      let link = message.link(number)
      guard link.isShown, program.texts.bytes[step.word].equals(link.word) else { continue }
      isThere = true
      if program.holds(step, id: link.key) { return .yes }
    }
    for index in notes.indices where notes[index].kind == .id {
      guard program.texts.bytes[step.word].equals(symbol: notes[index].word) else { continue }
      isThere = true
      let text = bytes[notes[index].range]
      if let number = JSON.natural(bytes, notes[index].range) {
        if program.holds(step, id: number) { return .yes }
      } else if holds(step, content: text, message) {
        return .yes
      }
    }
    return !isThere && message.mayHideIDs(bytes) ? .unknown : .no
  }

  /// Tests the names that a names file gives to values of the message.
  private func named(
    _ step: Step, _ message: Message, _ view: MessageView, _ namings: ContiguousArray<NamedValue>
  ) -> Truth {
    for naming in namings {
      let isMeant =
        step.word.isEmpty || naming.field.span.bytes.equals(program.texts.bytes[step.word])
      if isMeant && program.holds(step, naming.name.span.bytes) { return .yes }
    }
    return message.isUncertain || message.lacksPayload(view.bytes) ? .unknown : .no
  }
}
