// SPDX-License-Identifier: Apache-2.0

/// A WebSocket that continues a session begun over HTTP. Its messages belong to that session; once
/// the session has moved to it, both end together.
public struct SessionCarrier: Layer {
  private let session: SpanningSession
  private let sessionListener: SessionListener
  private var inner: any Layer

  /// - Parameter inner: the layer that reads its frames.
  public init(of session: SpanningSession, _ inner: any Layer) {
    (self.session, self.inner) = (session, inner)
    sessionListener = SessionListener(session)
  }

  public mutating func receive(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) {
    if session.isClosed { return listener.account(.afterClose, bytes.byteCount) }
    sessionListener.target = listener
    inner.receive(bytes, session.own(delivery), sessionListener)
    sessionListener.target = nil
  }

  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if session.isClosed { return }
    sessionListener.target = listener
    inner.gap(missing, session.own(delivery), sessionListener)
    sessionListener.target = nil
  }

  public mutating func finish(
    _ ending: Ending, _ delivery: Delivery, _ listener: any Listener
  ) {
    sessionListener.target = listener
    inner.finish(ending, session.own(delivery), sessionListener)
    sessionListener.target = nil
  }
}
