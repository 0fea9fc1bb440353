// SPDX-License-Identifier: Apache-2.0
import TapBytes
public import TapTraffic

/// What is done about holes. Within the content of a DATA frame all stays known; anywhere else the
/// state of the field sections is lost with the hole, and where frames begin has to be found.
extension HTTP2Layer {
  public mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    let half = half(delivery)
    if half.value.isForeign || half.value.isLost { return }
    if delivery.origin.direction == .toClient { dropAnswers(listener) }
    if let missing, passOver(missing, half, delivery, listener) { return }
    if !half.value.carry.isEmpty {
      listener.account(.incomplete, half.value.carry.count)
      half.value.carry.removeAll()
    }
    half.value.block = nil
    half.value.pending = nil
    (half.value.skipping, half.value.prefaceLeft) = (0, 0)
    half.value.isLost = true
    loseHeaders(half, delivery, listener)
    for stream in streams.keys.sorted() { streams[stream]!.gap(nil, delivery, listener) }
  }

  /// Answers whether the hole lies within one frame, whose end is known.
  private mutating func passOver(
    _ missing: Int, _ half: Cell<HTTP2Half>, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    if half.value.skipping >= missing && half.value.skipping > 0 {
      half.value.skipping -= missing
      return true
    }
    guard let pending = half.value.pending, pending.left > missing else { return false }
    half.value.pending!.left -= missing
    streams[pending.stream]?.gap(missing, delivery, listener)
    return true
  }

  /// Behind a hole: whether frames begin where a segment or a record does.
  mutating func resume(
    _ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener
  ) -> Bool {
    let half = half(delivery)
    let isFrame =
      half.value.isNew
      ? delivery.edges.contains(.start) && HTTP2Frame.isBeginning(bytes)
      : delivery.edges == [.start, .end] && HTTP2Frame.isChain(bytes)
    guard isFrame else {
      listener.account(.skipped, bytes.byteCount)
      if half.value.isNew { return false }
      tellOnce(
        .framingLost, .warning, delivery, listener,
        "\(opening.client) → \(opening.server): HTTP/2 frames behind a gap cannot be told apart"
          + " until one begins a segment or a TLS record")
      return false
    }
    (half.value.isLost, half.value.isNew, half.value.hasBegun) = (false, false, true)
    return true
  }
}
