// SPDX-License-Identifier: Apache-2.0

/// Something that `wamptap explain` explains: a message type, a close code, a URI, a finding. A
/// layer lists the topics of its protocol; they are made only when somebody asks.
public struct Topic: Sendable {
  /// Topics of one sort, listed together.
  public struct Group: Sendable, Equatable {
    /// `WAMP message types`.
    public var title: String
    /// One of them: `WAMP message type`.
    public var noun: String

    public init(_ title: String, _ noun: String) { (self.title, self.noun) = (title, noun) }
  }

  /// A paragraph below the summary, under its own heading.
  public struct Part: Sendable {
    public enum Body: Sendable {
      case prose(String)
      /// Lines that are wrapped but not joined: layouts.
      case lines([String])
      /// Messages as a user would paste them, and the dialect to name where they do not show it
      /// themselves. Decoding them gives the output that is printed below.
      case example([String], dialect: String)
    }

    public var heading: String
    public var body: Body

    public init(_ heading: String, _ body: Body) { (self.heading, self.body) = (heading, body) }
  }

  public var group: Group
  /// As the specification spells it: `SUBSCRIBED`, `wamp.error.timeout`.
  public var name: String
  /// Follows the name: `WAMP message type 33 (0x21)`.
  public var label: String
  /// The numbers that it is found by.
  public var numbers: ClosedRange<UInt64>?
  /// The numbers mean this in one protocol only, and may mean something else in others.
  public var isOfOneProtocol = false
  /// Other names that it is found by, which are not listed.
  public var aliases: [String]
  /// One sentence: what it is.
  public var summary: String
  public var parts: [Part]
  /// What defines it: a specification, or one of our manual pages.
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
