// SPDX-License-Identifier: Apache-2.0
public import TapBytes
public import TapTraffic

/// Hears what the layers tell: numbers it, joins it, masks it, and has it rendered, all within the
/// call in which it was told.
///
/// All it keeps is one struct, the ledger: a call enters it once, so that the checks of a class's
/// exclusive access are paid once a call and not for every property.
public final class Inspector: Listener {
  public struct Options: Sendable {
    /// Show credentials as they were sent.
    public var showsSecrets = false
    public var limits = Limits()

    public init() {}
  }

  private var ledger: Ledger

  public init(_ renderer: any Renderer, _ options: Options) {
    ledger = Ledger(renderer, options)
  }

  public var summary: Summary { ledger.summary }

  /// How much rendered text was not written out yet.
  public var textCount: Int { ledger.text.count }

  /// Lends the rendered text to be written out.
  public func withText(_ body: (inout TextBuffer) throws -> Void) rethrows {
    try body(&ledger.text)
  }

  public func opened(_ opening: Opening, _ delivery: Delivery) {
    ledger.opened(opening, delivery)
  }

  public func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>) {
    ledger.message(message, bytes, notes)
  }

  public func finding(_ finding: Finding) { ledger.finding(finding) }

  public func closed(_ closing: Closing, _ delivery: Delivery) {
    ledger.closed(closing, delivery)
  }

  public func account(_ fate: Fate, _ bytes: Int) { ledger.account(fate, bytes) }

  public func count(_ thing: Thing, _ amount: Int) { ledger.count(thing, amount) }

  /// The end of the evidence.
  public func finish(hasPackets: Bool, _ stop: Summary.Stop? = nil) {
    ledger.finish(hasPackets: hasPackets, stop)
  }
}
