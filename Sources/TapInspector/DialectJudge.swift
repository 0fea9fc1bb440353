// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapDialects
import TapTraffic

/// The first message of a WebSocket connection tells its dialect.
struct DialectJudge: Undecided.Judge {
  private let opening: Opening
  private let limits: Limits
  private let commons: Commons

  init(_ opening: Opening, _ limits: Limits, _ commons: Commons) {
    (self.opening, self.limits, self.commons) = (opening, limits, commons)
  }

  mutating func look(
    _ bytes: RawSpan, _ delivery: Delivery, held: Int, _ listener: any Listener
  ) -> Undecided.Decision {
    // What has holes may look like anything, or like nothing.
    if delivery.kind.isPartial || delivery.kind == .withheld { return .wait }
    if let dialect = Stacks.best(opening, bytes.copied(), delivery.kind) {
      return .layer(dialect.kept(opening, limits: limits, among: commons), isReversed: false)
    }
    return settle(delivery, listener)
  }

  mutating func settle(_ delivery: Delivery, _ listener: any Listener) -> Undecided.Decision {
    let said = opening.dialect.description
    if let dialect = Dialects.all.first(where: { $0.name.description == said }) {
      return .layer(dialect.kept(opening, limits: limits, among: commons), isReversed: false)
    }
    // A reserved serializer of RawSocket stands for no subprotocol.
    let isWAMP = opening.subprotocol.starts(with: "wamp".utf8) || opening.carrier == .rawSocket
    if isWAMP {
      let name =
        opening.subprotocol.isEmpty
        ? "the serializer of this connection"
        : String(decoding: opening.subprotocol, as: Unicode.UTF8.self)
      listener.finding(
        Finding(
          .serializerUnknown, .warning, delivery.origin,
          "\(name) is not decoded by this version: of its messages only the size is shown"
            + " (all of them with --show-secrets)"))
    }
    return .layer(
      UnclaimedLayer(mayHoldSecrets: isWAMP, carrier: opening.carrier), isReversed: false)
  }
}

extension Finding.Code {
  /// A subprotocol of WAMP whose serializer this version does not read.
  static let serializerUnknown: Self = "wamp.serializer-unknown"
}
