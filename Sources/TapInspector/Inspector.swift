// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapNames
public import TapTraffic

/// Hears what the layers tell: numbers it, joins it, masks it, and has it rendered, all within the
/// call in which it was told.
///
/// All it keeps is one struct, the ledger, in a cell: nobody who listens to a message tells one.
public final class Inspector: Listener {
  public struct Options: Sendable {
    /// Show credentials as they were sent.
    public var showsSecrets = false
    public var limits = Limits()
    /// What the application's own people call its values, and what else is to be masked.
    public var names = Names()
    /// Messages that are shown at most; the last of them is the last thing that is told.
    public var mostMessages = UInt64.max

    /// What ids stand for that is said later in the capture.
    public var foreseen: [ForeseenName] = []
    /// Keep what ids turn out to stand for, for another reading of the capture.
    public var collectsNames = false

    public init() {}
  }

  private let ledger: Cell<InspectorState>
  /// How the JSON of applications is read.
  let messageRules: [MessageRule]

  public init(_ renderer: any Renderer, _ options: Options) {
    messageRules = options.names.messages
    ledger = Cell(InspectorState(renderer, options))
  }

  /// What ids have turned out to stand for; see `Options.collectsNames`.
  public var foreseen: [ForeseenName] { ledger.value.foreseen }

  public var summary: Summary {
    var summary = ledger.value.summary
    summary.evicted = ledger.value.evicted
    return summary
  }

  /// What the renderer wants to be told beside the line.
  public var wishes: Detail.Wishes { ledger.value.wishes }

  /// What the last message was serialized in that was no JSON text; empty when there was none.
  var lastSerializer: StaticString { ledger.value.serializer }

  /// Messages of an input that is no capture, but for control frames.
  public func written(in input: UInt16) -> UInt64 {
    let counts = ledger.value.written
    return Int(input) < counts.count ? counts[Int(input)] : 0
  }

  /// How much rendered text was not written out yet.
  public var textCount: Int { ledger.value.text.count }

  /// False when as many messages were shown as were asked for.
  public var wantsMore: Bool { !ledger.value.quota.isReached }

  /// Whatever comes yet changes nothing.
  public var isDecided: Bool { ledger.value.renderer.isDecided }

  /// The renderer says nothing before the end, but can say what it comes to so far.
  public var hasPreview: Bool { ledger.value.renderer.hasPreview }

  /// What the renderer has to say so far.
  public func preview(into text: inout TextBuffer) {
    let summary = summary
    ledger.value.renderer.preview(summary, into: &text)
  }

  /// Lends the rendered text to be written out.
  public func withText(_ body: (inout TextBuffer) throws -> Void) rethrows {
    try body(&ledger.value.text)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    ledger.value.opened(opening, delivery)
  }

  public func refused(_ attempt: Opening, _ delivery: Delivery) {
    ledger.value.refused(attempt, delivery)
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    ledger.value.message(message, bytes, notes)
  }

  public func framed(_ framing: Framing) { ledger.value.framed(framing) }

  public func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    ledger.value.sent(octets, trailing: trailing, as: serializer)
  }

  public func subject(_ uri: RawSpan) { ledger.value.subject(uri) }

  public func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    ledger.value.lesson(lesson, bytes, in: message)
  }

  public func context(_ words: RawSpan, _ line: ContextLine) { ledger.value.context(words, line) }

  public func finding(_ finding: Finding) { ledger.value.finding(finding) }

  public func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    ledger.value.keepAlive(keepAlive, delivery)
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    ledger.value.closed(closing, delivery)
  }

  public func account(_ fate: Fate, _ bytes: Int) { ledger.value.account(fate, bytes) }

  public func count(_ thing: Counter, _ amount: Int) { ledger.value.count(thing, amount) }

  /// What became of the packets that were captured; told before the end of the evidence.
  public func captured(_ captures: [Summary.Capture]) { ledger.value.captured(captures) }

  /// The end of the evidence.
  public func finish(hasPackets: Bool, hasLog: Bool = false, _ stop: Summary.Stop? = nil) {
    ledger.value.finish(hasPackets: hasPackets, hasLog: hasLog, stop)
  }
}
