// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Passes matching lines to another renderer. Rules and numbering are the same as without a filter.
///
/// A connection is shown with its first matching line, or at once if it matches itself. A finding
/// is shown if it matches, and below the message it is about.
struct FilterRenderer: Renderer {
  private let run: FilterRun
  private var inner: any Renderer
  private var evaluator: Evaluator
  private var namings = ContiguousArray<NamedValue>()
  /// Connections that were not shown yet.
  private var waiting: [UInt32: (opening: Opening, delivery: Delivery)] = [:]
  private var isLastShown = false
  private var hasBegun = false
  /// The index of the last shown message.
  private var lastShown: UInt64 = 0
  /// Whether the inner renderer wants to know about hidden lines.
  private let reportsHidden: Bool

  init(_ run: FilterRun, _ inner: any Renderer) {
    (self.run, self.inner) = (run, inner)
    reportsHidden = inner.wishes.contains(.hidden)
    evaluator = Evaluator(
      run.filter.program, inputs: run.inputs, zone: run.zone, run.lates, firstLate: 0)
  }

  var wishes: Detail.Wishes { inner.wishes }

  mutating func named(_ namings: ContiguousArray<NamedValue>) { self.namings = namings }

  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    if evaluator.opened(opening, connection: connection, delivery) == .yes {
      run.hasOthers = true
      inner.opened(opening, connection: connection, delivery, into: &text)
    } else {
      waiting[connection] = (opening, delivery)
    }
  }

  /// The capture time of the first message of all, if others come earlier.
  mutating func begins(at time: Instant) {
    hasBegun = true
    inner.begins(at: time)
  }

  mutating func refused(_ attempt: Opening, _ delivery: Delivery) {
    let truth = evaluator.opened(attempt, connection: 0, delivery, isAttempt: true)
    if truth == .yes { inner.refused(attempt, delivery) }
  }

  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    run.reported &+= 1
    if !hasBegun
      && (run.reported == 1 || !evaluator.start.isKnown && message.origin.time.isKnown)
    {
      inner.begins(at: message.origin.time)
    }
    evaluator.note(message, view)
    let truth = evaluator.message(message, view, namings)
    isLastShown = truth == .yes || truth == .unknown && run.showsPossible
    if truth == .unknown { run.possible += 1 }
    guard isLastShown else {
      if !namings.isEmpty { namings.removeAll() }
      if reportsHidden { inner.hidden(message, view) }
      return false
    }
    if truth == .yes { run.matched += 1 }
    lastShown = view.joined.index
    introduce(view.joined.connection, &text)
    if !namings.isEmpty {
      inner.named(namings)
      namings.removeAll()
    }
    if truth == .unknown { inner.nextMayMatch() }
    return inner.message(message, view, into: &text)
  }

  mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) {
    if isLastShown {
      inner.detail(detail, message, view, into: &text)
    }
  }

  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {
    // A filter about findings selects them itself.
    let isCompanion =
      !evaluator.program.isAboutFindings && lastShown > 0 && messages.last == lastShown
    if !isCompanion {
      guard evaluator.finding(finding, connection: connection, messages: messages) == .yes else {
        return
      }
      run.hasOthers = true
    }
    introduce(connection, &text)
    inner.finding(finding, connection: connection, messages: messages, into: &text)
  }

  mutating func unreported(_ finding: Finding, connection: UInt32) {
    if evaluator.finding(finding, connection: connection, messages: []) != .yes { return }
    inner.unreported(finding, connection: connection)
  }

  mutating func keepAlive(_ keepAlive: KeepAlive, connection: UInt32) {
    if waiting[connection] == nil { inner.keepAlive(keepAlive, connection: connection) }
  }

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    if waiting[connection] != nil,
      evaluator.closed(closing, connection: connection, delivery) == .yes
    {
      introduce(connection, &text)
    }
    evaluator.forget(connection)
    if waiting.removeValue(forKey: connection) != nil { return }
    inner.closed(closing, connection: connection, delivery, into: &text)
  }

  mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    inner.summary(summary, into: &text)
  }

  mutating func preview(_ summary: Summary, into text: inout TextBuffer) {
    inner.preview(summary, into: &text)
  }

  var hasPreview: Bool { inner.hasPreview }

  /// Reports a connection before its first line.
  private mutating func introduce(_ connection: UInt32, _ text: inout TextBuffer) {
    if waiting.isEmpty { return }
    guard let one = waiting.removeValue(forKey: connection) else { return }
    inner.opened(one.opening, connection: connection, one.delivery, into: &text)
  }
}
