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
  }

  /// The index of each connection in `LogConversationTable`, and its flow there.
  private var places: [Name: (conversation: Int, flow: UInt32)] = [:]
  /// Messages by program.
  private(set) var counts: [(program: String, count: UInt64)] = []
  /// Those of which the log has left out parts.
  private(set) var abridged: UInt64 = 0
  /// Programs of which a connection begins while another is open: lines of that one may be taken
  /// for lines of the new one.
  private var nextMixed: Set<String> = []

  mutating func report(
    _ all: [LogNarration.Narrated], _ clock: inout LogClock, _ reporter: inout LogReporter,
    _ sink: any EvidenceSink
  ) {
    if all.isEmpty { return }
    clock.report(reporter.place, sink)
    for narrated in all { report(narrated, &reporter.conversations.table, sink) }
  }

  private mutating func report(
    _ narrated: LogNarration.Narrated, _ table: inout LogConversationTable, _ sink: any EvidenceSink
  ) {
    let one = narrated.narration
    let name = Name(
      program: one.program.description, source: narrated.source, connection: one.connection)
    var known = places[name]
    if let place = known, !table.isOpen(place.conversation, place.flow) { known = nil }
    var origin = one.origin
    switch one.event {
    case .mixed:
      nextMixed.insert(name.program)
    case .alsoMixed:
      guard let known else { return }
      origin.flow = known.flow
      sink.finding(
        .sessionsMixed(
          "another connection is open at the same time, and some lines do not identify theirs:"
            + " these are shown with this one", .warning, origin))
    case .end(let by, let words):
      guard let known else { return }
      origin.flow = known.flow
      origin.direction = by
      if !words.isEmpty { sink.message(words.span.bytes, Delivery(origin, .text)) }
      var closing = Closing(by: by)
      closing.endsWithFrame = false
      table.close(known.conversation, as: closing, at: origin, sink)
      places[name] = nil
    case .message(let text):
      report(text, .text, narrated, name, known, &table, sink)
    case .abridged(let text):
      report(text, .abridged, narrated, name, known, &table, sink)
    case .octets(let bytes):
      report(bytes, .binary, narrated, name, known, &table, sink)
    }
  }

  private mutating func report(
    _ bytes: [UInt8], _ kind: Delivery.Kind, _ narrated: LogNarration.Narrated, _ name: Name,
    _ place: (conversation: Int, flow: UInt32)?, _ table: inout LogConversationTable,
    _ sink: any EvidenceSink
  ) {
    var known = place
    var origin = narrated.narration.origin
    if let place = known, narrated.narration.begins {
      table.close(
        place.conversation, as: Closing(isUnfinished: true), at: origin, sink)
      known = nil
    }
    if known == nil {
      if places.count >= table.most {
        places = places.filter { table.isOpen($0.value.conversation, $0.value.flow) }
      }
      let isMixed = nextMixed.remove(name.program) != nil
      let conversation = table.open(Self.opening(narrated), at: origin, sink)
      origin.flow = table.all[conversation].flow
      if isMixed {
        sink.finding(
          .sessionsMixed(
            "this connection begins before another one has ended, and no line identifies its"
              + " connection: what follows is shown with this one", .warning, origin))
      }
      known = (conversation, origin.flow)
      places[name] = known
    }
    guard let known else { return }
    origin.flow = known.flow
    table.all[known.conversation].last = origin
    count(name.program)
    sink.message(bytes.span.bytes, Delivery(origin, kind))
    if kind != .abridged { return }
    abridged += 1
    let words = "the logger left out part of this message"
    sink.finding(.logAbridged, .note, origin, words, isAboutLastMessage: true)
  }

  private mutating func count(_ program: String) {
    if let place = counts.firstIndex(where: { $0.program == program }) {
      counts[place].count += 1
    } else {
      counts.append((program, 1))
    }
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
