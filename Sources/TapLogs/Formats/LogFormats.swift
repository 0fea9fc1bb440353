// SPDX-License-Identifier: Apache-2.0
internal import TapBytes

/// The formats of logs that are known by their lines. Lines that none of them knows are read as any
/// text: a list that is a message stands for itself.
enum LogFormats {
  /// In the order in which they are asked: the more specific ones first.
  static let all: [LogFormat] = [
    .autobahnPython, .crossbar, .autobahnJS, .autobahnJava, .autobahnCPP, .wampy,
    .swampyer, .wampyPython, .fastAPIHeadlessWAMP,
    .ocpp, .mcp, .gql, .centrifuge, .helix, .marionette, .remoteAgent, .homeAssistant,
    .kodi,
    .discordPy, .qemuQMP, .libvirt, .slackSDK, .pusherJS, .signalRJS,
    .pythonEngineIO, .stompPy, .socketIOSwift, .socketIO, .nettySocketIO,
    .socketIODotNet, .sockJS, .stompJS, .signalRCore, .turnpike, .nexus,
    .thruway, .wampSharp, .mitmdump, .netty, .curl,
    .websockets, .sseStarlette, .uvicorn, .websocketClient, .websocat, .spring, .apple, .okHttp,
    .browser, .wscat, .words,
  ]

  /// What lines without a mark of any format are taken for.
  static let unmarked = LogMatch(formatIndex: all.count - 1, ruleIndex: nil, direction: .unsaid)

  /// What lines are searched for.
  static let leads = LogLeads(anchors)
  static let anchors =
    all.filter { !$0.traits.contains(.ofObjects) }.flatMap(\.anchors) + BracketedHex.anchors
  /// Anchors that stand before objects that were sent.
  static let anchorsOfObjects =
    all.filter { $0.traits.contains(.ofObjects) }.flatMap(\.anchors) + [PrintedText.payload]

  /// The first format of those that have something in common.
  static func family(_ format: Int) -> Int { families[format] }

  private static let families = ContiguousArray(
    all.indices.map { format in
      let family = all[format].family.description
      return family.isEmpty ? format : all.firstIndex { $0.family.description == family } ?? format
    })

  /// The format of the library that prints the messages of this one, too.
  static func library(of format: Int) -> Int? { libraries[format] }

  /// Whether a program may print the messages of this one once more.
  static func isLibrary(_ format: Int) -> Bool { areLibraries[format] }

  private static let areLibraries = ContiguousArray(all.map { $0.traits.contains(.library) })

  private static let libraries = ContiguousArray(
    all.map { format in
      let name = format.library.description
      return name.isEmpty ? nil : all.firstIndex { $0.name.description == name }
    })

  /// Whether something other than an anchor says that a line holds a frame. Only lines that are
  /// read for another reason are asked this.
  static func hasFrame(_ line: RawSpan) -> Bool {
    Measured.size(line) != nil || line.contains("++")
  }

  /// What begins the line above one that prints a message once more: tshark -V, -T json, -T pdml.
  private static let marksOfCopies: [StaticString] = [
    "Line-based text data (", "\"data-text-lines\":", "<proto name=\"data-text-lines\"",
  ]

  /// Whether the line below one prints a message once more.
  static func isAboveCopy(_ line: RawSpan) -> Bool {
    let text = line.dropping(line.behindBlanks(0))
    return marksOfCopies.contains { text.starts(with: $0) }
  }

  private static let linesAbove = all.flatMap(\.linesAbove)

  /// What the line above an object says of it; nil for nothing.
  static func said(above line: RawSpan) -> LogFormat.LineAbove? {
    linesAbove.first { LogMarks.last($0.words, in: line) != nil }
  }

  /// A rule whose lines hold no list; an anchor of its format stands on them.
  struct Named {
    let match: LogMatch
    let rule: LogRule
    let octets: ASCIISet
  }

  static let named: ContiguousArray<Named> = {
    var named: ContiguousArray<Named> = []
    for (index, format) in all.enumerated() {
      for (number, rule) in format.rules.enumerated() where !rule.isOfValues {
        let match = LogMatch(formatIndex: index, ruleIndex: number, direction: rule.direction)
        named.append(Named(match: match, rule: rule, octets: ASCIISet(rule.mark)))
      }
    }
    return named
  }()

  /// Whether a line has the mark of a message that stands below it.
  static func isMarkedAbove(_ line: RawSpan) -> Bool {
    marksAbove.contains { LogMarks.last($0, in: line) != nil }
  }

  private static let marksAbove: ContiguousArray<StaticString> = ContiguousArray(
    all.flatMap(\.rules).filter { $0.placement.contains(.below) }.map(\.mark))
}
