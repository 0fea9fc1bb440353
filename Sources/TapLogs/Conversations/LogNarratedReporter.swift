// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Reports messages that lines describe in words, each in the conversation of its connection.
struct LogNarratedReporter {
  /// What lines of one connection have in common.
  private struct Name: Hashable {
    var program: String
    var source: String
    var connection: String

    init(_ narrated: LogNarration.Narrated) {
      program = narrated.narration.program.description
      (source, connection) = (narrated.source, narrated.narration.connection)
    }
  }

  /// A place in `LogConversationTable.all`, and the flow that it had when it was given.
  private typealias Place = (conversation: Int, flow: UInt32)

  private var places: [Name: Place] = [:]
  /// Programs of which a connection begins while another is open: lines of that one may be taken
  /// for lines of the new one.
  private var nextMixed: Set<String> = []

  mutating func report(
    _ all: [LogNarration.Narrated], _ caveats: LogClockCaveats, _ reporter: inout LogReporter
  ) {
    if all.isEmpty { return }
    reporter.report(caveats)
    for narrated in all { report(narrated, &reporter) }
  }

  private mutating func report(
    _ narrated: LogNarration.Narrated, _ reporter: inout LogReporter
  ) {
    let name = Name(narrated)
    switch narrated.narration.event {
    case .mixed: nextMixed.insert(name.program)
    case .alsoMixed:
      guard let known = open(name, reporter.conversations.table) else { return }
      var origin = narrated.narration.origin
      origin.flow = known.flow
      reporter.sink.finding(
        .sessionsMixed(
          "another connection is open at the same time, and some lines do not identify theirs:"
            + " these are shown with this one", .warning, origin))
    case .unread(let text):
      reporter.tally.unread += 1
      let words = String(decoding: text.prefix(100), as: Unicode.UTF8.self)
      reporter.sink.finding(
        .logUnread, .warning, narrated.narration.origin,
        "\(narrated.narration.program) marks a message here that is not understood: \(words)")
    case .remark(let words):
      guard let known = open(name, reporter.conversations.table) else { return }
      var origin = narrated.narration.origin
      origin.flow = known.flow
      reporter.sink.message(words.span.bytes, Delivery(origin, .text))
    case .end(let by, let words): end(narrated, name, by, words, &reporter)
    case .message(let text): report(text, .text, narrated, name, &reporter)
    case .abridged(let text): report(text, .abridged, narrated, name, &reporter)
    case .octets(let bytes): report(bytes, .binary, narrated, name, &reporter)
    }
  }

  /// The conversation of a connection that goes on.
  private func open(_ name: Name, _ table: borrowing LogConversationTable) -> Place? {
    guard let place = places[name], table.isOpen(place.conversation, place.flow) else { return nil }
    return place
  }

  private mutating func end(
    _ narrated: LogNarration.Narrated, _ name: Name, _ by: Direction, _ words: [UInt8],
    _ reporter: inout LogReporter
  ) {
    guard let known = open(name, reporter.conversations.table) else { return }
    var origin = narrated.narration.origin
    (origin.flow, origin.direction) = (known.flow, by)
    if !words.isEmpty { reporter.sink.message(words.span.bytes, Delivery(origin, .text)) }
    var closing = Closing(by: by)
    closing.endsWithFrame = false
    reporter.conversations.table.close(known.conversation, as: closing, at: origin, reporter.sink)
    places[name] = nil
  }

  private mutating func report(
    _ bytes: [UInt8], _ kind: Delivery.Kind, _ narrated: LogNarration.Narrated, _ name: Name,
    _ reporter: inout LogReporter
  ) {
    var origin = narrated.narration.origin
    var known = open(name, reporter.conversations.table)
    if let place = known, narrated.narration.begins {
      reporter.conversations.table.close(
        place.conversation, as: Closing(isUnfinished: true), at: origin, reporter.sink)
      known = nil
    }
    let place = known ?? begin(narrated, name, &reporter)
    origin.flow = place.flow
    reporter.conversations.table.all[place.conversation].last = origin
    reporter.tally.count(narratedBy: name.program, kind)
    reporter.sink.message(bytes.span.bytes, Delivery(origin, kind))
    if kind != .abridged { return }
    let words = "the logger left out part of this message"
    reporter.sink.finding(.logAbridged, .note, origin, words, isAboutLastMessage: true)
  }

  private mutating func begin(
    _ narrated: LogNarration.Narrated, _ name: Name, _ reporter: inout LogReporter
  ) -> Place {
    if places.count >= reporter.conversations.table.most {
      let table = reporter.conversations.table
      places = places.filter { table.isOpen($0.value.conversation, $0.value.flow) }
    }
    var origin = narrated.narration.origin
    let conversation = reporter.conversations.table.open(
      Self.opening(narrated), at: origin, reporter.sink)
    origin.flow = reporter.conversations.table.all[conversation].flow
    if nextMixed.remove(name.program) != nil {
      reporter.sink.finding(
        .sessionsMixed(
          "this connection begins before another one has ended, and no line identifies its"
            + " connection: what follows is shown with this one", .warning, origin))
    }
    places[name] = (conversation, origin.flow)
    return (conversation, origin.flow)
  }

  private static func opening(_ narrated: LogNarration.Narrated) -> Opening {
    let one = narrated.narration
    var opening = Opening(
      .webSocket, client: .unknown, server: .unknown, isFromStart: one.begins)
    opening.provenance.isTranscoded = true
    opening.provenance.dialect = one.dialect
    opening.provenance.writer = Array("log of \(one.program)".utf8)
    for part in [narrated.source, one.connection] where !part.isEmpty {
      opening.provenance.writer += Array(", \(part)".utf8)
    }
    return opening
  }
}
