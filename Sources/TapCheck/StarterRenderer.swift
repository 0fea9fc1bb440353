// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Writes a first file of expectations from a capture, to be edited: `check --init`.
public struct StarterRenderer: Renderer {
  /// Identifies requests of one kind about one subject.
  private struct Kind: Hashable {
    var name: Symbol
    var subject: Int32

    static func == (left: Kind, right: Kind) -> Bool {
      left.subject == right.subject && left.name.description == right.name.description
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(subject)
      hasher.combine(name.description)
    }
  }

  /// Latencies of answers to clients that report no failure.
  private struct Latencies {
    var all: [Int64] = []
    /// Clients answer, too.
    var hasToServer = false
    /// Some answers report failures.
    var hasFailures = false
  }

  /// How many of the most frequent subjects get their own expectations.
  private static let mostSubjects = 12

  private let inputs: [String]
  private let context: CheckContext
  private var answered: [Kind: Latencies] = [:]
  /// Messages about a subject that are neither requests nor answers.
  private var events: [Kind: UInt64] = [:]
  /// By name: how many requests expect an answer, and how many got their final one.
  private var requests: [String: (asked: UInt64, answered: UInt64)] = [:]
  private var failures: UInt64 = 0

  public init(inputs: [String], limits: Limits) {
    self.inputs = inputs
    context = CheckContext(limits)
  }

  public mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {
    context.opened(opening, connection: connection)
  }

  public mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool {
    context.hear(message, view)
    if message.traits.contains(.isControl) { return false }
    if message.traits.contains(.isFailure) { failures += 1 }
    let number = context.number(of: view.subject)
    let isAnswer = message.has(.answers)
    if view.joined.ends > 0, let request = context.request(view.joined.ends) {
      requests[request.name.description, default: (0, 0)].answered += 1
    }
    if message.asksForAnswer {
      requests[message.name.description, default: (0, 0)].asked += 1
    } else if isAnswer {
      guard view.joined.latency >= 0, number != 0 else { return true }
      let kind = Kind(name: message.name, subject: number)
      if answered.count < context.limits.statisticsRows || answered[kind] != nil {
        answer(message, view.joined.latency, &answered[kind, default: Latencies()])
      }
    } else if number != 0, message.origin.direction == .toClient {
      let kind = Kind(name: message.name, subject: number)
      if events.count < context.limits.statisticsRows || events[kind] != nil {
        events[kind, default: 0] += 1
      }
    }
    return true
  }

  private func answer(_ message: Message, _ latency: Int64, _ latencies: inout Latencies) {
    if message.origin.direction == .toServer {
      latencies.hasToServer = true
    } else if message.traits.contains(.isFailure) {
      latencies.hasFailures = true
    } else if latencies.all.count < 10_000 {
      latencies.all.append(latency)
    }
  }

  public mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer
  ) {}

  public mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer
  ) {}

  public mutating func summary(_ summary: Summary, into text: inout TextBuffer) {
    text.append("# What wamptap check expects; see wamptap-check(5). Made from ")
    text.append(escaping: inputs.joined(separator: ", "))
    text.append(".\n# Keep what is a promise, and delete what only happened to be so.\n")
    text.append("version: 1\nfail-on: error\nexpect:\n")
    // Do not expect what the capture itself breaks.
    let kept = requests.filter { $0.value.asked > 0 && $0.value.answered >= $0.value.asked }
    for name in kept.keys.sorted() {
      text.append("  - name: ")
      append(scalar: "every \(name) is answered", &text)
      text.append("\n    each: ")
      append(scalar: test(name), &text)
      text.append("\n    answered: true\n")
    }
    var subjects: Set<Int32> = []
    let quick = answered.filter { !$0.value.all.isEmpty }
    for (kind, latencies) in most(quick, by: { UInt64($0.all.count) })
    where subjects.insert(kind.subject).inserted {
      let subject = context.text(kind.subject)
      let sorted = latencies.all.sorted()
      let p95 = sorted[max((sorted.count * 95 + 99) / 100, 1) - 1]
      text.append("  - name: ")
      append(scalar: "\(subject) is quick", &text)
      text.append("\n    latency: ")
      // The same answers as were measured.
      let direction = latencies.hasToServer ? " and direction != toServer" : ""
      let success = latencies.hasFailures ? " and not failed" : ""
      append(
        scalar: "\(test(kind.name)) and subject == \(quoted(subject))\(direction)\(success)", &text)
      text.append("\n    p95: < \(rounded(min(p95, .max / 4) * 2))\n")
    }
    for (kind, _) in most(events, by: { $0 }) {
      let subject = context.text(kind.subject)
      text.append("  - name: ")
      append(scalar: "there is \(kind.name.description) of \(subject)", &text)
      text.append("\n    count: ")
      append(scalar: "\(test(kind.name)) and subject == \(quoted(subject))", &text)
      text.append("\n    at-least: 1\n")
    }
    if failures == 0 && context.messages > 0 {
      text.append("  - name: nothing fails\n    none: failed\n")
    }
    if context.messages == 0 { text.append("  []\n") }
  }

  private func most<Value>(
    _ all: [Kind: Value], by count: (Value) -> UInt64
  ) -> [(key: Kind, value: Value)] {
    // The order must not depend on how a dictionary is laid out.
    let sorted = all.sorted {
      (count($1.value), $0.key.subject, $0.key.name.description)
        < (count($0.value), $1.key.subject, $1.key.name.description)
    }
    return Array(sorted.prefix(Self.mostSubjects))
  }

  /// Twice the observed latency, rounded: `20ms`, `350ms`, `2s`.
  private func rounded(_ nanoseconds: Int64) -> String {
    let milliseconds = max((nanoseconds + 999_999) / 1_000_000, 1)
    let step: Int64 = milliseconds > 1000 ? 1000 : milliseconds > 100 ? 50 : 10
    let value = (milliseconds + step - 1) / step * step
    return value % 1000 == 0 ? "\(value / 1000)s" : "\(value)ms"
  }

  private func test(_ name: Symbol) -> String { test(name.description) }

  /// A test for a message name; names of protocols need no comparison.
  private func test(_ name: String) -> String {
    let isUpper = name.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }
    return isUpper && !name.isEmpty ? name : "name == \(quoted(name))"
  }

  /// A URI in filter syntax, quoted if not plain.
  private func quoted(_ subject: String) -> String {
    if subject.first?.isLetter == true && isPlain(subject, "_.-/") { return subject }
    var text = TextBuffer(capacity: 128)
    text.append(jsonString: subject)
    return String(decoding: text.bytes.copied(), as: Unicode.UTF8.self)
  }

  /// A YAML scalar, in single quotes if needed.
  private func append(scalar value: String, _ text: inout TextBuffer) {
    if isPlain(value, " _.-/=") { return text.append(value) }
    text.append("'")
    text.append(escaping: value.replacing("'", with: "''"))
    text.append("'")
  }

  private func isPlain(_ text: String, _ signs: String) -> Bool {
    text.utf8.allSatisfy { byte in
      byte.isAlpha || byte.isDigit || signs.utf8.contains(byte)
    }
  }
}
