// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// WAMP in an unknown serializer: only the sizes of messages are shown, as any of them may contain
/// credentials.
struct WAMPUnreadableLayer: Layer {
  private var above: UnclaimedLayer
  private let name: String
  private var hasReported = false

  init(_ opening: Opening) {
    above = UnclaimedLayer(mayHoldSecrets: true, carrier: opening.carrier)
    name =
      opening.subprotocol.isEmpty
      ? "the serializer of this connection"
      : String(decoding: opening.subprotocol, as: Unicode.UTF8.self)
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    report(delivery, listener)
    above.receive(bytes, delivery, listener)
  }

  private mutating func report(_ delivery: Delivery, _ listener: any Listener) {
    if hasReported { return }
    hasReported = true
    listener.finding(
      .serializerUnknown, .warning, delivery.origin,
      "\(name) is not decoded by this version: of its messages only the size is shown"
        + " (all of them with --show-secrets)")
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    above.gap(missing, delivery, listener)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    report(delivery, listener)
    above.finish(ending, delivery, listener)
  }
}

extension Finding.Code {
  /// A subprotocol of WAMP whose serializer this version does not read.
  static let serializerUnknown: Self = "wamp.serializer-unknown"
}
