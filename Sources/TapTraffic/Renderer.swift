// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Turns joined messages into text. It knows no dialect and does no I/O.
public protocol Renderer {
  /// - Parameter connection: its number in output order, from 1.
  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer)

  /// A client asked for a conversation and got none; see `Listener`.
  mutating func refused(_ attempt: Opening, _ delivery: Delivery)

  /// What values of the message that is told next are called; not called for one without names.
  mutating func named(_ namings: ContiguousArray<NamedValue>)

  /// When the first message of all was captured, though it may not be shown: times since the
  /// beginning count from there.
  mutating func begins(at time: Instant)

  /// The message that is told next may match the display filter: what decides was not captured.
  mutating func doubted()

  /// - Parameters:
  ///   - bytes: the message, secrets already replaced.
  ///   - subject: what it is about, empty when not known.
  /// - Returns: whether the message is shown, now or together with others.
  mutating func message(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ notes: Span<Note>, subject: RawSpan,
    into text: inout TextBuffer
  ) -> Bool

  /// A message that the display filter leaves out, for those that wish to know what answers what
  /// they were told of.
  mutating func hidden(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, subject: RawSpan)

  /// - Parameter messages: indices of the messages it is about.
  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer)

  /// A finding that has no line, because there were too many of its code.
  mutating func untold(_ finding: Finding, connection: UInt32)

  /// Text of a log around its messages, where that was asked for.
  mutating func context(_ words: RawSpan, _ line: ContextLine, into text: inout TextBuffer)

  /// What one side has agreed to send while there is nothing to say; see `Listener`.
  mutating func keepAlive(_ keepAlive: KeepAlive, connection: UInt32)

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer)

  mutating func summary(_ summary: Summary, into text: inout TextBuffer)

  /// What it comes to so far, for renderers that say nothing before the end.
  mutating func preview(_ summary: Summary, into text: inout TextBuffer)
  var hasPreview: Bool { get }

  /// Whatever comes yet cannot change what it has to say; asked now and then.
  var isDecided: Bool { get }

  /// What is to be told of each message beside the line; asked once.
  var wishes: Detail.Wishes { get }

  /// Follows `message`, with the same message, for those that wish for details.
  mutating func detail(
    _ detail: Detail, _ message: Message, _ joined: Joined, _ bytes: RawSpan, subject: RawSpan,
    into text: inout TextBuffer)
}

extension Renderer {
  public mutating func refused(_: Opening, _: Delivery) {}

  public mutating func context(_: RawSpan, _: ContextLine, into text: inout TextBuffer) {}

  public mutating func preview(_: Summary, into text: inout TextBuffer) {}

  public var hasPreview: Bool { false }

  public mutating func untold(_: Finding, connection: UInt32) {}

  public mutating func keepAlive(_: KeepAlive, connection: UInt32) {}

  public mutating func named(_: ContiguousArray<NamedValue>) {}

  public mutating func begins(at _: Instant) {}

  public mutating func doubted() {}

  public mutating func hidden(_: Message, _: Joined, _: RawSpan, subject: RawSpan) {}

  public var isDecided: Bool { false }

  public var wishes: Detail.Wishes { [] }

  public mutating func detail(
    _: Detail, _: Message, _: Joined, _: RawSpan, subject: RawSpan, into text: inout TextBuffer
  ) {}
}

/// What the end of the evidence leaves to say.
public struct Summary: Sendable {
  /// Why the evidence was not read to its end.
  public enum Stop: Sendable {
    /// As many messages were shown as were asked for.
    case count
    /// By the user.
    case interrupt
    /// The time that was given is over, or as many files as were asked for are full.
    case time
  }

  /// What became of the packets of an interface that was captured.
  public struct Capture: Sendable, Equatable {
    /// The name of the interface.
    public var interface: String
    /// Packets that came to the program.
    public var captured: UInt64 = 0
    /// Packets that the kernel matched with the filter, as it counts them.
    public var received: UInt64 = 0
    public var droppedByKernel: UInt64 = 0
    public var droppedByInterface: UInt64 = 0
    /// Packets of `captured` that were not decoded, because those before them took too long.
    public var droppedByProgram: UInt64 = 0

    public init(interface: String) { self.interface = interface }
  }

  public var connections: UInt64 = 0
  public var messages: UInt64 = 0
  public var controlFrames: UInt64 = 0
  public var errors: UInt64 = 0
  public var warnings: UInt64 = 0
  public var notes: UInt64 = 0
  public var lostBytes: UInt64 = 0
  public var lostMessages: UInt64 = 0
  /// There may have been many more.
  public var mayHaveLostMore = false
  /// Findings that were counted but not told, because there were too many of one code.
  public var untoldFindings: UInt64 = 0
  /// Entries that had to be forgotten for the bounds of `Limits`.
  public var evicted: UInt64 = 0
  /// By `Fate.rawValue`.
  public var bytes = [UInt64](repeating: 0, count: Fate.allCases.count)
  /// By `Counter.rawValue`.
  public var things = [UInt64](repeating: 0, count: Counter.allCases.count)
  /// Whether the evidence consisted of packets (otherwise of pasted messages).
  public var hasPackets = false
  /// Messages were found in the lines of a log that nobody pasted.
  public var hasLog = false
  /// Nil when all of the evidence was read.
  public var stop: Stop?
  /// What was found where evidence is damaged, for each file once.
  public var damages: [Finding] = []
  /// One for each interface; empty unless the evidence was captured by the program itself.
  public var captures: [Capture] = []

  public init() {}

  /// Text ends with a line that says what there was; of pasted messages, all of it is in sight.
  public var isWorthALine: Bool { hasPackets || hasLog }

  /// Adds what a finding tells of bytes and messages that are missing.
  public mutating func add(lossesOf finding: Finding) {
    lostBytes = lostBytes.addingSaturated(finding.lostBytes)
    lostBytes -= min(lostBytes, finding.foundBytes)
    lostMessages = lostMessages.addingSaturated(finding.lostMessages)
    mayHaveLostMore = mayHaveLostMore || finding.mayHaveLostMore
  }

  public subscript(fate: Fate) -> UInt64 { bytes[fate.rawValue] }
  public subscript(thing: Counter) -> UInt64 { things[thing.rawValue] }
}
