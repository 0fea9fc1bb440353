// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapEvidence
internal import TapTraffic

/// Recognises our own NDJSON by the beginning of its text.
struct NDJSONProbe: JSONForm {
  enum Node: Equatable {
    case line, event, key(Int), other
  }

  static var root: Node { .line }
  static var other: Node { .other }

  /// For each kind of line, keys that lines of no other program have together.
  private static let lines: [(event: StaticString, keys: [Int])] = [
    ("connection", [0, 1]), ("message", [0, 2, 3]), ("finding", [0, 4]), ("summary", [5, 6]),
  ]
  private static let keys: [StaticString] = [
    "connection", "state", "direction", "protocol", "severity", "connections", "counts",
  ]

  private var event: Int?
  private var seen: Set<Int> = []
  private var isObject = true

  private var isOurs: Bool {
    event.map { Self.lines[$0].keys.allSatisfy(seen.contains) } ?? false
  }

  /// Lines that may stand before the first of ours: what the program said on standard error, which
  /// begins in one way.
  private static let mostBefore = 8
  static let said: StaticString = "wamptap: "

  /// Whether a text that begins with `head` is our own.
  static func claim(_ head: RawSpan, isAll: Bool) -> InputClaim {
    var start = 0
    for _ in 0...mostBefore {
      let rest = head.dropping(start)
      let claim = claim(line: rest, isAll: isAll)
      if claim != .no { return claim }
      // Nothing but a line of standard error may stand before the first of ours.
      let count = min(said.utf8CodeUnitCount, rest.byteCount)
      guard (0..<count).allSatisfy({ rest.byte(at: $0) == said.utf8Start[$0] }) else { return .no }
      guard let end = rest.firstIndex(of: .lineFeed) else { return isAll ? .no : .undecided }
      start += end + 1
    }
    return .no
  }

  private static func claim(line: RawSpan, isAll: Bool) -> InputClaim {
    var stream = JSONStream<NDJSONProbe>()
    var probe = NDJSONProbe()
    stream.receive(line, &probe, NullSink())
    if probe.isOurs { return .yes }
    if stream.damage != nil || stream.isWhole || !probe.isObject { return .no }
    return isAll ? .no : .undecided
  }

  static func member(_ key: RawSpan, of node: Node) -> Node {
    guard node == .line else { return .other }
    if key.equals("event") { return .event }
    return keys.firstIndex { key.equals($0) }.map { .key($0) } ?? .other
  }

  static func element(of node: Node) -> Node { .other }

  func most(of node: Node) -> Int { 64 }

  mutating func begin(_ node: Node, at _: UInt64, _: any EvidenceSink) {
    if case .key(let index) = node { seen.insert(index) }
  }

  mutating func scalar(_ bytes: RawSpan, _: JSONScalar, _ node: Node, _: any EvidenceSink) {
    switch node {
    case .event: event = Self.lines.firstIndex { bytes.equals($0.event) }
    case .key(let index): seen.insert(index)
    case .line: isObject = false
    case .other: break
    }
  }
}
