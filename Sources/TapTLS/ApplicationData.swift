// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Passes decrypted data to a layer that is chosen at the first bytes.
struct ApplicationData {
  /// What was passed in one direction.
  private struct Passed {
    /// The number of passed bytes and known missing ones.
    var offset: UInt64 = 0
    /// Data is missing from before the layer above was chosen.
    var hasLost = false
    /// All of that stays encrypted.
    var isSealed = true
  }

  private var above: any Layer = NullLayer()
  /// The layer above was chosen.
  private(set) var isOpen = false
  private var isSettled = false
  private var (toServer, toClient) = (Passed(), Passed())
  private let opening: Opening
  private let chooser: any Chooser

  init(_ opening: Opening, _ chooser: any Chooser) {
    (self.opening, self.chooser) = (opening, chooser)
  }

  /// Bytes of both directions.
  var count: UInt64 { toServer.offset.addingSaturated(toClient.offset) }

  /// Chooses the layer above.
  mutating func open(
    _ security: Opening.Security, _ delivery: Delivery, _ listener: any Listener
  ) {
    isOpen = true
    var inner = opening
    inner.security = security
    above = chooser.layer(for: inner)
    // For a stream captured from the middle, a loss at its beginning need not be reported.
    if !opening.isFromStart { return }
    for (direction, passed) in [(Direction.toServer, toServer), (.toClient, toClient)]
    where passed.hasLost {
      var side = delivery
      side.origin.direction = direction
      if passed.isSealed { side.edges.insert(.sealed) }
      above.gap(nil, side, listener)
    }
  }

  /// Passes the content of a record on.
  ///
  /// - Parameter size: the size of the record in bytes.
  mutating func pass(
    _ protection: inout RecordProtection, _ size: Int, _ delivery: Delivery,
    _ listener: any Listener
  ) {
    let count = protection.content.count
    listener.account(.tls, size &- count)
    if count > 0 {
      var lent = delivery
      lent.origin.offset = advance(delivery, by: count)
      // A sender mostly writes one unit of data as one record.
      lent.edges = [.start, .end]
      above.receive(protection.content.bytes, lent, listener)
    }
    if !isSettled { settle() }
  }

  /// Data of a direction is missing: tells the layer above, once there is one.
  mutating func lose(_ delivery: Delivery, _ listener: any Listener) {
    let isSealed = delivery.edges.contains(.sealed)
    if isOpen {
      above.gap(nil, delivery, listener)
    } else if delivery.origin.direction == .toServer {
      (toServer.hasLost, toServer.isSealed) = (true, toServer.isSealed && isSealed)
    } else {
      (toClient.hasLost, toClient.isSealed) = (true, toClient.isSealed && isSealed)
    }
    _ = advance(delivery, by: 1)
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    above.finish(ending, delivery, listener)
  }

  /// Returns the offset before.
  private mutating func advance(_ delivery: Delivery, by count: Int) -> UInt64 {
    if delivery.origin.direction == .toServer {
      defer { toServer.offset &+= UInt64(count) }
      return toServer.offset
    }
    defer { toClient.offset &+= UInt64(count) }
    return toClient.offset
  }

  private mutating func settle() {
    switch above.settlement {
    case .notYet: return
    case .by(let next): above = next
    case .final: isSettled = true
    }
  }
}
