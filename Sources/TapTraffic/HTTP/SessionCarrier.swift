// SPDX-License-Identifier: Apache-2.0

/// A WebSocket that continues a session begun over HTTP. Its messages belong to that session; once
/// the session has moved to it, both end together.
public struct SessionCarrier: Layer {
  private let session: SpanningSession
  private let ear: SessionListener
  private var inner: any Layer

  /// - Parameter inner: the layer that reads its frames.
  public init(of session: SpanningSession, _ inner: any Layer) {
    (self.session, self.inner) = (session, inner)
    ear = SessionListener(session)
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if session.isClosed { return listener.account(.afterClose, bytes.byteCount) }
    ear.target = listener
    inner.receive(bytes, session.own(delivery), ear)
    ear.target = nil
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if session.isClosed { return }
    ear.target = listener
    inner.gap(missing, session.own(delivery), ear)
    ear.target = nil
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    ear.target = listener
    inner.finish(ending, session.own(delivery), ear)
    ear.target = nil
  }
}
