// SPDX-License-Identifier: Apache-2.0
internal import TapTraffic

/// How one program prints messages in its log; data only, by kind of program in
/// `LogFormat+….swift`. A class, so that a lookup copies nothing.
final class LogFormat: Sendable {
  /// For `--input`: `autobahn-python`.
  let name: StaticString
  /// As people call the program.
  let title: StaticString
  /// Its lines, the more specific ones first.
  let rules: [LogRule]
  /// Which side of the conversation writes it; unknown when messages have to show it.
  let side: Side
  /// Words of a line that name the side, where the program may be either.
  let sideWords: [(words: StaticString, side: Side)]
  let traits: Traits
  /// A word that stands before its marks, where other programs may have the same; empty for none.
  let requiredWord: StaticString
  /// The format of the library below it, which prints the same messages once more; empty for none.
  let library: StaticString
  /// What it has in common with other formats whose lines may be of the same conversation; empty
  /// for nothing.
  let family: StaticString
  /// Parts of words that make a line worth reading although it has no list. Each begins where a
  /// pair of letters stands that few other words have: `rver message: `.
  let anchors: [StaticString]
  /// Words of lines that say what stands on the next one.
  let linesAbove: [LineAbove]
  /// What only some lines are searched for; see `LogRareNotations`.
  let rareAnchors: [StaticString]

  /// What is peculiar to the way in which a program prints messages.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt16
    /// It does not print all that both sides send, from the first message on.
    static let partial = Traits(rawValue: 1)
    /// What a lower of its layers prints, a higher prints as well: it is reported once.
    static let layered = Traits(rawValue: 1 << 1)
    /// It prints each message once more, as the application has it, on the line before.
    static let repeating = Traits(rawValue: 1 << 2)
    /// It has a handler of its own, and the logger of the application prints each line once more
    /// behind a time, a level or a name.
    static let ownHandler = Traits(rawValue: 1 << 3)
    /// Many programs print such lines: other words on them say as much as its marks, and what
    /// another such format prints may be of the same conversation.
    static let generic = Traits(rawValue: 1 << 4)
    /// Its messages stand in packets of another protocol.
    static let wrapping = Traits(rawValue: 1 << 5)
    /// Applications add what names the connection to its lines.
    static let keyed = Traits(rawValue: 1 << 6)
    /// It prints what it sends when that was sent: the library below it prints it first.
    static let printsWhatWasSent = Traits(rawValue: 1 << 7)
    /// Programs above it may print its messages once more, in words of their own.
    static let library = Traits(rawValue: 1 << 8)
    /// Its anchors stand before objects that were sent.
    static let ofObjects = Traits(rawValue: 1 << 9)
    /// Its lines say which end of the connection writes them.
    static let namesEnds = Traits(rawValue: 1 << 11)
    /// It prints what one side sends, and nothing of the other.
    static let oneSided = Traits(rawValue: 1 << 10)
    /// Both ends of a connection may write into one log, and its lines do not say which of them.
    static let mayBeBothEnds = Traits(rawValue: 1 << 12)
    /// Some of its lines name no side: they are of the one that other lines of their source show.
    /// Where none does, they do not say which way a message went.
    static let showsSideElsewhere = Traits(rawValue: 1 << 13)
  }

  /// What words on a line say of the message on the next.
  struct LineAbove: Sendable {
    let words: StaticString
    /// Nil where it was printed before.
    let direction: LogDirection?

    init(_ words: StaticString, _ direction: LogDirection?) {
      (self.words, self.direction) = (words, direction)
    }
  }

  /// Who writes a log, of the two that talk.
  enum Side: Sendable { case client, server, unknown }

  init(
    name: StaticString, title: StaticString, rules: [LogRule], side: Side = .unknown,
    sideWords: [(words: StaticString, side: Side)] = [], traits: Traits = [],
    requiredWord: StaticString = "", family: StaticString = "", library: StaticString = "",
    linesAbove: [LineAbove] = [], anchors: [StaticString] = [], rareAnchors: [StaticString] = []
  ) {
    (self.name, self.title, self.rules) = (name, title, rules)
    (self.side, self.sideWords, self.traits, self.requiredWord) = (
      side, sideWords, traits, requiredWord
    )
    (self.family, self.library, self.linesAbove) = (family, library, linesAbove)
    (self.anchors, self.rareAnchors) = (anchors, rareAnchors)
  }

  /// Words of its lines may name the connection.
  var isKeyed: Bool { !traits.isDisjoint(with: [.generic, .keyed]) }

  /// Its lines say when a connection has ended.
  var saysEnds: Bool {
    rules.contains {
      if case .ended = $0.form { return true }
      return false
    }
  }

  func direction(_ direction: LogDirection, _ side: Side) -> Direction {
    switch direction {
    case .toServer: .toServer
    case .toClient: .toClient
    case .unsaid: .unknown
    case _ where side == .unknown && traits.contains(.showsSideElsewhere): .unknown
    case .sent: side == .server ? .toClient : .toServer
    case .received: side == .server ? .toServer : .toClient
    }
  }
}
