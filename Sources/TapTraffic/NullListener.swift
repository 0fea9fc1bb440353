// SPDX-License-Identifier: Apache-2.0

/// Ignores everything: for calls to layers whose findings are not to be reported.
public final class NullListener: Listener {
  public init() {}
  public func opened(_: Opening, _: Delivery) {}
  public func message(_: Message, _: RawSpan, _: Span<Note>) {}
  public func finding(_: Finding) {}
  public func closed(_: Closing, _: Delivery) {}
  public func account(_: Fate, _: Int) {}
  public func count(_: Counter, _: Int) {}
}
