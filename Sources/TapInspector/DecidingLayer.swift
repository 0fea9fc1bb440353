// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Stands in for a layer that is not chosen yet. It keeps copies of the bytes until they show which
/// layer it is, replays them into that layer, and from then on only passes calls on.
struct DecidingLayer: Layer {
  /// What the bytes so far show.
  enum Decision {
    case wait
    /// This layer takes over. `isReversed`: client and server are the other way round than was
    /// guessed.
    case layer(any Layer, isReversed: Bool)
  }

  /// Examines the bytes as they come and decides; it keeps what it needs to remember.
  protocol Detector {
    /// How many copies of the held bytes exist, including the detector's own.
    var copies: Int { get }
    /// - Parameter since: the delivery of the first bytes, at which the conversation opened.
    mutating func look(
      _ bytes: RawSpan, _ delivery: Delivery, since: Delivery, _ listener: any Listener
    ) -> Decision
    /// Bytes of one direction were not captured.
    mutating func miss(_ delivery: Delivery)
    /// No more will come, or no more can be held: decides now.
    mutating func settle(_ since: Delivery, _ listener: any Listener) -> Decision
  }

  /// Nil once it has decided: it may be larger than the layer that takes over.
  private var detector: (any Detector)?
  private var winner: any Layer = NullLayer()
  private var held = ReplayBuffer()
  private let limit: Int
  /// What it has reserved of `Limits.undecided`.
  private var room: Reservation
  /// The delivery of the first piece that is held.
  private var first: Delivery?
  private var wait = WaitNotice()

  init(_ detector: any Detector, _ limits: borrowing Limits) {
    self.detector = detector
    (self.limit, room) = (limits.undecidedBytes, Reservation(limits.undecided))
  }

  mutating func receive(_ bytes: RawSpan, _ delivery: Delivery, _ listener: any Listener) {
    guard let decision = detector?.look(bytes, delivery, since: first ?? delivery, listener)
    else { return winner.receive(bytes, delivery, listener) }
    // If the bytes decide at once, they need not be held.
    if case .layer(let layer, let isReversed) = decision {
      if held.isEmpty {
        take(layer, isReversed)
        return winner.receive(bytes, delivery, listener)
      }
      beginWaiting(delivery, listener)
      held.append(bytes, delivery)
      take(layer, isReversed)
      return replay(listener)
    }
    beginWaiting(delivery, listener)
    held.append(bytes, delivery)
    if held.cost > limit || !mayHold() {
      settle(delivery, listener)
    }
  }

  private mutating func mayHold() -> Bool { room.reserve(held.cost * (detector?.copies ?? 1)) }

  mutating func hear(_ delivery: Delivery, _ listener: any Listener) {
    if detector == nil { winner.hear(delivery, listener) }
  }

  mutating func gap(_ missing: Int?, _ delivery: Delivery, _ listener: any Listener) {
    if detector == nil { return winner.gap(missing, delivery, listener) }
    detector?.miss(delivery)
    beginWaiting(delivery, listener)
    held.append(gap: missing, delivery)
    if held.cost > limit || !mayHold() { settle(delivery, listener) }
  }

  mutating func finish(_ ending: Ending, _ delivery: Delivery, _ listener: any Listener) {
    if detector != nil {
      if ending == .half { return held.append(half: delivery) }
      settle(delivery, listener)
      endWaiting(listener)
    }
    winner.finish(ending, delivery, listener)
  }

  private mutating func beginWaiting(_ delivery: Delivery, _ listener: any Listener) {
    first = first ?? delivery
    wait.begin(delivery.origin, listener)
  }

  private mutating func endWaiting(_ listener: any Listener) {
    first = nil
    wait.end(listener)
  }

  func doubt(_ finding: Finding, _ listener: any Listener) {
    if detector == nil { winner.doubt(finding, listener) } else { listener.finding(finding) }
  }

  var settlement: Settlement { detector == nil ? .by(winner) : .notYet }

  private mutating func settle(_ delivery: Delivery, _ listener: any Listener) {
    let decision = detector?.settle(first ?? delivery, listener)
    guard case .layer(let layer, let isReversed) = decision else { return }
    take(layer, isReversed)
    replay(listener)
  }

  private mutating func take(_ layer: consuming any Layer, _ isReversed: Bool) {
    winner = isReversed ? DirectionSwap(layer) : layer
    detector = nil
  }

  private mutating func replay(_ listener: any Listener) {
    let pieces = held
    held.removeAll()
    room.giveBack()
    pieces.replay(into: &winner, listener)
    endWaiting(listener)
  }
}

extension DecidingLayer.Detector {
  var copies: Int { 1 }
  mutating func miss(_: Delivery) {}
}
