// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapNames
public import TapTraffic

/// Hears what the layers report, and numbers, joins, masks and renders each message within the
/// call.
///
/// Its state is one struct in a cell. That is safe, as nothing called for a message calls back.
public final class Inspector: Listener {
  public struct Options: Sendable {
    /// Show credentials as they were sent.
    public var showsSecrets = false
    public var limits = Limits()
    /// The names file: names of values, and what else is to be masked.
    public var names = Names()
    /// The most messages to show; nothing is reported after the last of them.
    public var mostMessages = UInt64.max

    /// Names of ids from an earlier reading of the capture.
    public var foreseen: [ForeseenName] = []
    /// Collect what ids stand for, for another reading of the capture.
    public var collectsNames = false

    public init() {}
  }

  private let state: Cell<InspectorState>
  /// Rules of the names file that say how the JSON of applications is read.
  let messageRules: [MessageRule]

  public init(_ renderer: any Renderer, _ options: Options) {
    messageRules = options.names.messages
    state = Cell(InspectorState(renderer, options))
  }

  /// The names of ids that were collected; see `Options.collectsNames`.
  public var foreseen: [ForeseenName] { state.value.foreseen }

  public var summary: Summary {
    var summary = state.value.summary
    summary.evicted = state.value.evicted
    return summary
  }

  /// What the renderer needs of each message beside its line.
  public var wishes: Detail.Wishes { state.value.wishes }

  /// The serializer of the last message that was not sent as JSON; empty when there was none.
  var lastSerializer: StaticString { state.value.serializer }

  /// How many messages an input without packets had, control frames excluded.
  public func written(in input: UInt16) -> UInt64 {
    let counts = state.value.written
    return Int(input) < counts.count ? counts[Int(input)] : 0
  }

  /// Bytes of rendered text that were not written out yet.
  public var textCount: Int { state.value.text.count }

  /// False once as many messages were shown as the user asked for.
  public var wantsMore: Bool { !state.value.quota.isReached }

  /// Nothing that comes can change the renderer's result any more.
  public var isDecided: Bool { state.value.renderer.isDecided }

  /// The renderer prints nothing before the end, but can show its result so far.
  public var hasPreview: Bool { state.value.renderer.hasPreview }

  /// Renders the result so far.
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

  /// What became of the packets of a live capture; called before the end of the evidence.
  public func captured(_ captures: [Summary.Capture]) { state.value.captured(captures) }

  /// The end of the evidence.
  public func finish(
    hasPackets: Bool, hasConversations: Bool = false, _ stop: Summary.Stop? = nil
  ) {
    state.value.finish(hasPackets: hasPackets, hasConversations: hasConversations, stop)
  }
}
