// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// What the lines of one program look like in a log: data, one file each in `Formats/`. A
/// class, as `LogRule` is.
final class LogFormat: Sendable {
  /// For `--input`: `autobahn-python`.
  let name: StaticString
  /// As people call the program.
  let title: StaticString
  /// Its lines, those first that are told by more.
  let rules: [LogRule]
  /// Which side of the conversation writes it; unknown when messages have to tell.
  let side: Side
  /// Words of a line that tell the side, where the program may be either.
  let sideWords: [(words: StaticString, side: Side)]
  /// It prints what both sides send, from the first message on.
  let isWhole: Bool
  /// What a lower of its layers prints, a higher prints as well: it is told once.
  let isLayered: Bool
  /// It prints each message once more, as the application has it, on the line before.
  let repeats: Bool
  /// It has a handler of its own, and the logger of the application prints each line once more
  /// behind a time, a level or a name.
  let hasOwnHandler: Bool
  /// Many programs print such lines: other words on them say as much as its marks, and what another
  /// such format prints may be of the same conversation.
  let isGeneric: Bool
  /// Its messages stand in packets of another protocol.
  let isWrapping: Bool
  /// Applications add what names the connection to its lines.
  let hasKeys: Bool
  /// The format of the library below it, which prints the same messages once more; empty for none.
  let prints: StaticString
  /// What it has in common with other formats whose lines may be of the same conversation; empty
  /// for nothing.
  let kin: StaticString
  /// What stands on lines that are worth a look although there is no list on them: of their words,
  /// the part that begins with a pair of letters that few other words have.
  let anchors: [StaticString]
  /// Words of lines that say what stands on the next one.
  let linesAbove: [LineAbove]
  /// What stands on lines of which few are searched for it; see `LogRareNotations`.
  let rareAnchors: [StaticString]

  /// What words on a line say of the message on the next.
  struct LineAbove: Sendable {
    let words: StaticString
    /// Nil where it was printed before.
    let way: LogRule.Way?

    init(_ words: StaticString, _ way: LogRule.Way?) { (self.words, self.way) = (words, way) }
  }

  /// Who writes a log, of the two that talk.
  enum Side: Sendable { case client, server, unknown }

  init(
    name: StaticString, title: StaticString, rules: [LogRule], side: Side = .unknown,
    sideWords: [(words: StaticString, side: Side)] = [], isWhole: Bool = true,
    isLayered: Bool = false, repeats: Bool = false, hasOwnHandler: Bool = false,
    isGeneric: Bool = false,
    isWrapping: Bool = false, hasKeys: Bool = false, kin: StaticString = "",
    prints: StaticString = "",
    linesAbove: [LineAbove] = [], anchors: [StaticString] = [], rareAnchors: [StaticString] = []
  ) {
    (self.name, self.title, self.rules) = (name, title, rules)
    (self.side, self.sideWords) = (side, sideWords)
    (self.isWhole, self.isLayered, self.repeats) = (isWhole, isLayered, repeats)
    self.hasOwnHandler = hasOwnHandler
    (self.isGeneric, self.isWrapping, self.hasKeys) = (isGeneric, isWrapping, hasKeys)
    (self.kin, self.prints, self.linesAbove) = (kin, prints, linesAbove)
    (self.anchors, self.rareAnchors) = (anchors, rareAnchors)
  }

  /// Words of its lines may name the connection.
  var isKeyed: Bool { isGeneric || hasKeys }

  /// Its lines say when a connection has ended.
  var saysEnds: Bool {
    rules.contains {
      if case .ended = $0.form { return true }
      return false
    }
  }

  func direction(_ way: LogRule.Way, _ side: Side) -> Direction {
    switch way {
    case .toServer: .toServer
    case .toClient: .toClient
    case .unsaid: .unknown
    case .sent: side == .server ? .toClient : .toServer
    case .received: side == .server ? .toServer : .toClient
    }
  }
}
