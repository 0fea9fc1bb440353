// SPDX-License-Identifier: Apache-2.0
public import TapBytes

/// Turns joined messages into text. It knows no dialect and does no I/O.
public protocol Renderer {
  /// - Parameter connection: its number in output order, from 1.
  mutating func opened(
    _ opening: Opening, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer)

  /// A client asked for a conversation and got none; see `Listener.refused`.
  mutating func refused(_ attempt: Opening, _ delivery: Delivery)

  /// Names of values in the next message; not called for a message without any.
  mutating func named(_ namings: ContiguousArray<NamedValue>)

  /// The time of the first message of all, which may not be shown: relative times count from it.
  mutating func begins(at time: Instant)

  /// The next message may match the display filter: what would decide it was not captured.
  mutating func nextMayMatch()

  /// - Returns: whether the message is shown, now or together with others.
  mutating func message(
    _ message: Message, _ view: MessageView, into text: inout TextBuffer
  ) -> Bool

  /// A message that the display filter hides, for renderers that need it to know what answers the
  /// messages they show.
  mutating func hidden(_ message: Message, _ view: MessageView)

  /// - Parameter messages: indices of the messages it is about.
  mutating func finding(
    _ finding: Finding, connection: UInt32, messages: [UInt64], into text: inout TextBuffer)

  /// A finding that is counted but not shown, because there were too many with its code.
  mutating func unreported(_ finding: Finding, connection: UInt32)

  /// Text of a log around its messages, where that was asked for.
  mutating func context(_ words: RawSpan, _ line: ContextLine, into text: inout TextBuffer)

  /// What one side has agreed to send while it has nothing to say; see `Listener.keepAlive`.
  mutating func keepAlive(_ keepAlive: KeepAlive, connection: UInt32)

  mutating func closed(
    _ closing: Closing, connection: UInt32, _ delivery: Delivery, into text: inout TextBuffer)

  mutating func summary(_ summary: Summary, into text: inout TextBuffer)

  /// The result so far, for renderers that print nothing before the end.
  mutating func preview(_ summary: Summary, into text: inout TextBuffer)
  var hasPreview: Bool { get }

  /// Whatever comes cannot change the result any more; asked now and then.
  var isDecided: Bool { get }

  /// What the renderer needs of each message beside its line; asked once.
  var wishes: Detail.Wishes { get }

  /// Called after `message`, with the same message, for renderers that wish for details.
  mutating func detail(
    _ detail: Detail, _ message: Message, _ view: MessageView, into text: inout TextBuffer)
}

extension Renderer {
  public mutating func refused(_: Opening, _: Delivery) {}

  public mutating func context(_: RawSpan, _: ContextLine, into text: inout TextBuffer) {}

  public mutating func preview(_: Summary, into text: inout TextBuffer) {}

  public var hasPreview: Bool { false }

  public mutating func unreported(_: Finding, connection: UInt32) {}

  public mutating func keepAlive(_: KeepAlive, connection: UInt32) {}

  public mutating func named(_: ContiguousArray<NamedValue>) {}

  public mutating func begins(at _: Instant) {}

  public mutating func nextMayMatch() {}

  public mutating func hidden(_: Message, _: MessageView) {}

  public var isDecided: Bool { false }

  public var wishes: Detail.Wishes { [] }

  public mutating func detail(_: Detail, _: Message, _: MessageView, into text: inout TextBuffer) {}
}

/// What there is to say at the end of the evidence.
public struct Summary: Sendable {
  /// Why the evidence was not read to its end.
  public enum Stop: Sendable {
    /// As many messages were shown as were asked for.
    case count
    /// By the user.
    case interrupt
    /// The time limit is over, or as many files as were asked for are full.
    case time
  }

  /// What became of the packets of an interface that was captured.
  public struct Capture: Sendable, Equatable {
    /// The name of the interface.
    public var interface: String
    /// Packets that reached the program.
    public var captured: UInt64 = 0
    /// Packets that passed the kernel's filter, by the kernel's count.
    public var received: UInt64 = 0
    public var droppedByKernel: UInt64 = 0
    public var droppedByInterface: UInt64 = 0
    /// Packets of `captured` that were not decoded because the program could not keep up.
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
  /// Findings that were counted but not reported, because there were too many of one code.
  public var unreportedFindings: UInt64 = 0
  /// Entries that were forgotten to keep the bounds of `Limits`.
  public var evicted: UInt64 = 0
  /// Indexed by `Fate.rawValue`.
  public var bytes = [UInt64](repeating: 0, count: Fate.allCases.count)
  /// Indexed by `Counter.rawValue`.
  public var things = [UInt64](repeating: 0, count: Counter.allCases.count)
  /// Whether the evidence contained packets.
  public var hasPackets = false
  /// An input has named conversations of its own, as logs and exports do, and was not pasted.
  public var hasConversations = false
  /// Nil when all of the evidence was read.
  public var stop: Stop?
  /// Damage found in the evidence, once for each file.
  public var damages: [Finding] = []
  /// One for each interface; empty unless the program itself captured the evidence.
  public var captures: [Capture] = []

  public init() {}

  /// Whether the output ends with a line of totals; not for pasted messages, which are all in
  /// sight.
  public var isWorthALine: Bool { hasPackets || hasConversations }

  /// Adds the lost bytes and messages that a finding reports.
  public mutating func add(lossesOf finding: Finding) {
    lostBytes = lostBytes.addingSaturated(finding.lostBytes)
    lostBytes -= min(lostBytes, finding.foundBytes)
    lostMessages = lostMessages.addingSaturated(finding.lostMessages)
    mayHaveLostMore = mayHaveLostMore || finding.mayHaveLostMore
  }

  public subscript(fate: Fate) -> UInt64 { bytes[fate.rawValue] }
  public subscript(thing: Counter) -> UInt64 { things[thing.rawValue] }
}
