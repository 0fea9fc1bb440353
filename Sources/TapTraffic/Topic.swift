// SPDX-License-Identifier: Apache-2.0

/// Something that `wamptap explain` explains: a message type, a close code, a URI, a finding.
/// A layer lists the topics of its own protocol; nothing of them is made unless somebody asks.
public struct Topic: Sendable {
  /// Topics of one sort, listed together.
  public struct Group: Sendable, Equatable {
    /// `WAMP message types`.
    public var title: String
    /// One of them: `WAMP message type`.
    public var noun: String

    public init(_ title: String, _ noun: String) { (self.title, self.noun) = (title, noun) }
  }

  /// What stands under the sentence, each under its heading.
  public struct Part: Sendable {
    public enum Body: Sendable {
      case prose(String)
      /// Lines that are wrapped, but not joined: layouts.
      case lines([String])
      /// Messages as one would paste them, and the dialect that is named where they do not tell it
      /// themselves; what is printed for them is found by decoding them.
      case example([String], dialect: String)
    }

    public var heading: String
    public var body: Body

    public init(_ heading: String, _ body: Body) { (self.heading, self.body) = (heading, body) }
  }

  public var group: Group
  /// As the specification spells it: `SUBSCRIBED`, `wamp.error.timeout`.
  public var name: String
  /// Behind the name: `WAMP message type 33 (0x21)`.
  public var label: String
  /// The numbers that stand for it.
  public var numbers: ClosedRange<UInt64>?
  /// They mean this in one protocol, and may mean something else in any other.
  public var isOfOneProtocol = false
  /// Other names, which are not listed.
  public var aliases: [String]
  /// One sentence: what it is.
  public var summary: String
  public var parts: [Part]
  /// Where it is written.
  public var source: String

  public init(
    _ group: Group, _ name: String, _ summary: String, label: String? = nil,
    numbers: ClosedRange<UInt64>? = nil, aliases: [String] = [], _ parts: [Part] = [],
    source: String
  ) {
    (self.group, self.name, self.summary) = (group, name, summary)
    self.label = label ?? group.noun
    (self.numbers, self.aliases, self.parts) = (numbers, aliases, parts)
    self.source = source
  }
}

extension Topic.Part {
  public static func layout(_ forms: [String]) -> Self { Self("Layout", .lines(forms)) }
  public static func example(_ pasted: [String], dialect: String = "") -> Self {
    Self("Example", .example(pasted, dialect: dialect))
  }
  public static func sender(_ text: String) -> Self { Self("Sent by", .prose(text)) }
  public static func answers(_ text: String) -> Self { Self("Answers", .prose(text)) }
  public static func answered(_ text: String) -> Self { Self("Answered by", .prose(text)) }
  public static func causes(_ text: String) -> Self { Self("Usual cause", .prose(text)) }
  public static func remedy(_ text: String) -> Self { Self("What to do", .prose(text)) }
  public static func beware(_ text: String) -> Self { Self("Beware", .prose(text)) }
}
