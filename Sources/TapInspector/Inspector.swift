// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapNames
public import TapTraffic

/// Hears what the layers tell: numbers it, joins it, masks it, and has it rendered, all within the
/// call in which it was told.
///
/// All it keeps is one struct, its state, in a cell: nothing that listens to a message tells one.
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

  private let state: Cell<InspectorState>
  /// How the JSON of applications is read.
  let messageRules: [MessageRule]

  public init(_ renderer: any Renderer, _ options: Options) {
    messageRules = options.names.messages
    state = Cell(InspectorState(renderer, options))
  }

  /// What ids have turned out to stand for; see `Options.collectsNames`.
  public var foreseen: [ForeseenName] { state.value.foreseen }

  public var summary: Summary {
    var summary = state.value.summary
    summary.evicted = state.value.evicted
    return summary
  }

  /// What the renderer wants to be told beside the line.
  public var wishes: Detail.Wishes { state.value.wishes }

  /// What the last message was serialized in that was no JSON text; empty when there was none.
  var lastSerializer: StaticString { state.value.serializer }

  /// Messages of an input that is no capture, but for control frames.
  public func written(in input: UInt16) -> UInt64 {
    let counts = state.value.written
    return Int(input) < counts.count ? counts[Int(input)] : 0
  }

  /// How much rendered text was not written out yet.
  public var textCount: Int { state.value.text.count }

  /// False when as many messages were shown as were asked for.
  public var wantsMore: Bool { !state.value.quota.isReached }

  /// Whatever comes yet changes nothing.
  public var isDecided: Bool { state.value.renderer.isDecided }

  /// The renderer says nothing before the end, but can say what it comes to so far.
  public var hasPreview: Bool { state.value.renderer.hasPreview }

  /// What the renderer has to say so far.
  public func preview(into text: inout TextBuffer) {
    let summary = summary
    state.value.renderer.preview(summary, into: &text)
  }

  /// Lends the rendered text to be written out.
  public func withText(_ body: (inout TextBuffer) throws -> Void) rethrows {
    try body(&state.value.text)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    state.value.opened(opening, delivery)
  }

  public func refused(_ attempt: Opening, _ delivery: Delivery) {
    state.value.refused(attempt, delivery)
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    state.value.message(message, bytes, notes)
  }

  public func framed(_ framing: Framing) { state.value.framed(framing) }

  public func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString) {
    state.value.sent(octets, trailing: trailing, as: serializer)
  }

  public func subject(_ uri: RawSpan) { state.value.subject(uri) }

  public func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message) {
    state.value.lesson(lesson, bytes, in: message)
  }

  public func context(_ words: RawSpan, _ line: ContextLine) { state.value.context(words, line) }

  public func finding(_ finding: Finding) { state.value.finding(finding) }

  public func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery) {
    state.value.keepAlive(keepAlive, delivery)
  }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    state.value.closed(closing, delivery)
  }

  public func account(_ fate: Fate, _ bytes: Int) { state.value.account(fate, bytes) }

  public func count(_ thing: Counter, _ amount: Int) { state.value.count(thing, amount) }

  /// What became of the packets that were captured; told before the end of the evidence.
  public func captured(_ captures: [Summary.Capture]) { state.value.captured(captures) }

  /// The end of the evidence.
  public func finish(hasPackets: Bool, hasLog: Bool = false, _ stop: Summary.Stop? = nil) {
    state.value.finish(hasPackets: hasPackets, hasLog: hasLog, stop)
  }
}
