// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// The beginning of a log, read before it is told, where several sessions go on behind the same
/// words: whether some word of its lines tells them apart.
///
/// Such a word explains what is there. Each answer has its request behind the same word, none
/// behind another, and the numbers of requests count up. Of those that do, the one that makes
/// the fewest connections is believed, as some words change with each request.
struct LogConnectionGuess {
  private struct Line {
    var text: [UInt8]
    var words: LineWords
  }

  private struct Heard {
    var recognition: Recognition
    /// What tells its connection already.
    var name: String
    var record: UInt64
  }

  /// Connections that are told apart by this.
  private static let mostNames = 256

  /// Messages that are looked at.
  private let most: Int

  private var lines: [UInt64: Line] = [:]
  private var heard: ContiguousArray<Heard> = []
  /// Sessions that have ids of their own.
  private var hasSessions = false

  private init(_ limits: Limits) { most = limits.rehearsedMessages }

  /// - Parameter order: in which its lines are.
  static func partition(
    of text: RawSpan, _ order: LogOrder, _ place: Place, _ limits: Limits
  ) -> LogConnectionWord? {
    guard let end = (0..<text.byteCount).last(where: { text.byte(at: $0) == 0x0A }) else {
      return nil
    }
    var lines = LogLines(place, limits, from: 0)
    var reader = LogReader(place, limits)
    (reader.rehearsal, reader.order) = (LogConnectionGuess(limits), order)
    let listener = Listener()
    var survey = LogSurvey()
    survey.look(at: text.extracting(0...end))
    lines.receive(text.extracting(0...end), survey, &reader, listener)
    lines.finish(&reader, listener)
    reader.finish(listener)
    // What several layers print of one message is shared out already.
    return reader.tally.echoes > 0 ? nil : reader.rehearsal?.partition()
  }

  /// A line that may have a message.
  mutating func note(_ line: RawSpan, above: RawSpan, _ record: UInt64) {
    guard lines.count < most else { return }
    let words = LineWords(line)
    lines[record] =
      words.isBare && !above.isEmpty
      ? Line(text: above.copied(), words: LineWords(above))
      : Line(text: line.copied(), words: words)
  }

  mutating func note(_ sight: LogCandidate) {
    hasSessions = hasSessions || sight.match?.row?.hasSession ?? false
    guard heard.count < most else { return }
    let family = sight.match.map { LogFormats.family($0.format) } ?? 0
    heard.append(
      Heard(
        recognition: sight.recognition, name: "\(family)\0\(sight.source)\0\(sight.writer)",
        record: sight.origin.record))
  }

  private func partition() -> LogConnectionWord? {
    guard heard.count > 3, !hasSessions, Trial(heard.map { ($0.name, $0.recognition) }) == nil,
      let first = lines[heard[0].record]
    else { return nil }
    var found: (place: LineWords.Place, count: Int)?
    for place in first.words.places(first.text.span.bytes) {
      guard let names = names(place), let trial = Trial(names), trial.isConvincing,
        trial.count < found?.count ?? Self.mostNames
      else { continue }
      found = (place, trial.count)
    }
    return found.map { LogConnectionWord($0.place) }
  }

  /// Whom each message is of; nil where one of the lines has nothing there.
  private func names(_ place: LineWords.Place) -> [(String, Recognition)]? {
    var names: [(String, Recognition)] = []
    for one in heard {
      guard let line = lines[one.record], let range = line.words.range(place, line.text.span.bytes)
      else { return nil }
      let word = String(decoding: line.text[range], as: Unicode.UTF8.self)
      names.append((one.name + "\0" + word, one.recognition))
    }
    return names
  }

  /// Hears nothing.
  final class Listener: EvidenceSink {
    func packet(_: RawSpan, _: Packet) {}
    func message(_: RawSpan, _: Delivery) {}
    func finding(_: Finding) {}
  }
}

extension LogConnectionGuess {
  /// What became of the exchanges when messages were shared out among connections.
  private struct Trial {
    private struct Connection {
      /// Whether what was asked still waits for its first answer.
      var asked: [UInt64: Bool] = [:]
      /// The highest id of what clients ask, which count up (WAMP, "Protocol Scope of IDs").
      var lastRequest: UInt64 = 0
      var isOpen = false
      var isGranted = false
      /// Its beginning is there.
      var hasBegun = false
      var messages = 0
      var answered = 0
      /// Its first and its last message, counted in all of them.
      var span: ClosedRange<Int>

      var awaitsWelcome: Bool { isOpen && !isGranted }
    }

    private var connections: [String: Connection] = [:]

    /// Nil where something contradicts it.
    init?(_ messages: [(name: String, recognition: Recognition)]) {
      for (number, (name, recognition)) in messages.enumerated() {
        var connection =
          connections.removeValue(forKey: name) ?? Connection(span: number...number)
        connection.span = connection.span.lowerBound...number
        guard take(recognition, &connection) else { return nil }
        connections[name] = connection
      }
    }

    var count: Int { connections.count }

    /// Whether it explains enough to be more than chance. A word that stands for a request, not for
    /// a connection, makes many of which few have begun, one after the other.
    var isConvincing: Bool {
      let all = connections.values.reduce(0) { $0 + $1.messages }
      let idle = connections.values.reduce(0) { $0 + ($1.answered == 0 ? $1.messages : 0) }
      let busy = connections.values.filter { $0.answered > 1 }.map(\.span)
        .sorted { $0.lowerBound < $1.lowerBound }
      let isAtOnce = zip(busy, busy.dropFirst()).contains { $0.upperBound > $1.lowerBound }
      let single = connections.values.count { $0.answered == 1 }
      let begun = connections.values.count { $0.hasBegun }
      return isAtOnce && single <= busy.count && idle * 5 <= all && all >= 4 * count
        && (begun == 0 || begun * 2 >= count)
    }

    /// - Parameter connection: that of the message, which is not among the others.
    private func take(_ recognition: Recognition, _ connection: inout Connection) -> Bool {
      connection.messages += 1
      if recognition.begins {
        if connection.isOpen { return false }
        (connection.isOpen, connection.isGranted, connection.asked) = (true, false, [:])
        (connection.hasBegun, connection.lastRequest) = (true, 0)
      } else if recognition.session != 0 {
        if connection.isGranted { return false }
        if connection.awaitsWelcome {
          connection.answered += 1
        } else if connections.values.contains(where: \.awaitsWelcome) {
          return false
        }
        (connection.isOpen, connection.isGranted) = (true, true)
      } else if recognition.ends {
        (connection.isOpen, connection.isGranted) = (false, false)
      }
      if recognition.sequence != 0 {
        if recognition.sequence <= connection.lastRequest { return false }
        connection.lastRequest = recognition.sequence
      }
      if recognition.opens != 0,
        connection.asked.updateValue(true, forKey: recognition.opens) == true
      {
        return false
      }
      if recognition.answers == 0 { return true }
      if let waits = connection.asked[recognition.answers] {
        if waits { connection.answered += 1 }
        connection.asked[recognition.answers] = false
        return true
      }
      return !connections.values.contains { $0.asked[recognition.answers] == true }
    }
  }
}
