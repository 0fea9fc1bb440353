// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The formats of logs that are known by their lines. What none of them knows is looked at as any
/// text: a list that is a message stands for itself.
enum LogFormats {
  /// In the order in which they are asked: those first that are marked by more.
  static let all: [LogFormat] = [
    .autobahnPython, .crossbar, .autobahnJS, .wampy, .nexus, .thruway, .wampSharp, .mitmdump,
    .websockets, .websocketClient, .websocat, .apple, .okHttp, .wscat, .words,
  ]

  /// What a line is taken for that no format and no word marks.
  static let unmarked = LogMatch(format: all.count - 1, rule: nil, way: .unsaid)

  /// The octets that lines are searched for, sixteen at a time: the end of a line, the beginning of
  /// a list, and those that anchors begin with.
  static let leads: [UInt8] = [
    0x0A, 0x5B, UInt8(ascii: "W"), UInt8(ascii: "X"), UInt8(ascii: "&"), UInt8(ascii: "!"),
  ]

  /// The same as one word, the last repeated.
  static let set: UInt64 = (0..<8).reduce(UInt64(0)) {
    $0 | UInt64(leads[min($1, leads.count - 1)]) << UInt64($1 * 8)
  }

  /// The first two octets of all anchors, and the anchors.
  private static let pairs: ContiguousArray<UInt16> = ContiguousArray(
    anchors.map { UInt16($0.utf8Start[0]) << 8 | UInt16($0.utf8Start[1]) })
  private static let anchors = ContiguousArray(all.flatMap(\.anchors))

  /// Whether an anchor begins there.
  static func isAnchor(_ line: RawSpan, _ at: Int) -> Bool {
    guard at + 1 < line.byteCount else { return false }
    let pair = UInt16(line.byte(at: at)) << 8 | UInt16(line.byte(at: at + 1))
    for index in pairs.indices where pairs[index] == pair {
      if line.dropping(at).starts(with: anchors[index]) { return true }
    }
    return false
  }

  /// A rule whose lines hold no list.
  struct Named {
    var format: Int
    var rule: Int
    var mark: StaticString
    var form: LogRule.Form
  }

  static let named: ContiguousArray<Named> = {
    var named: ContiguousArray<Named> = []
    for (index, format) in all.enumerated() {
      for (number, rule) in format.rules.enumerated() {
        switch rule.form {
        case .keywords, .structure, .loss:
          named.append(Named(format: index, rule: number, mark: rule.mark, form: rule.form))
        case .value, .measured, .ignored: continue
        }
      }
    }
    return named
  }()

  /// The marks of rules whose messages stand on lines below.
  static let marksAbove: ContiguousArray<StaticString> = ContiguousArray(
    all.flatMap(\.rules).filter(\.isBelow).map(\.mark))
}
