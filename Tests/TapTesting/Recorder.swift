// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// A listener that records what it is reported, one line each, for comparison in tests.
public final class Recorder: Listener {
  public private(set) var lines: [String] = []
  public private(set) var findings: [Finding] = []
  public private(set) var fates = [Int](repeating: 0, count: Fate.allCases.count)
  public private(set) var things = [Int](repeating: 0, count: Counter.allCases.count)
  /// Called with every message, for tests that check details.
  public var onMessage: ((Message, [UInt8], [Note]) -> Void)?

  public init() {}

  public subscript(fate: Fate) -> Int { fates[fate.rawValue] }
  public subscript(thing: Counter) -> Int { things[thing.rawValue] }
  public var codes: [String] { findings.map(\.code.name) }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    lines.append("opened \(text(opening.url)) \(text(opening.subprotocol))")
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    var copies: [Note] = []
    for index in notes.indices { copies.append(notes[index]) }
    lines.append("\(message.origin.direction) \(message.name) \(text(bytes.copied()))")
    onMessage?(message, bytes.copied(), copies)
  }

  public func subject(_ uri: RawSpan) { lines.append("about \(text(uri.copied()))") }

  public func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in _: Message) {
    let kind = lesson.isPattern ? "pattern " : ""
    lines.append(
      "lesson \(lesson.link.word) \(lesson.link.key) \(kind)\(text(bytes[lesson.subject].copied()))"
    )
  }

  public func finding(_ finding: Finding) {
    findings.append(finding)
    lines.append("\(finding.severity) \(finding.code.name)")
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    let code = closing.code.map { String($0) } ?? "-"
    lines.append("closed by \(closing.by) \(code)\(closing.isUnfinished ? " unfinished" : "")")
  }

  public func account(_ fate: Fate, _ bytes: Int) { fates[fate.rawValue] += bytes }

  public func count(_ thing: Counter, _ amount: Int) { things[thing.rawValue] += amount }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: Unicode.UTF8.self) }
}
