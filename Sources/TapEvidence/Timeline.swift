// SPDX-License-Identifier: Apache-2.0
public import TapTraffic

/// Merges several inputs into one timeline: packets and messages of all inputs reach the sink in
/// the order of their times; at equal times, in the order of the inputs. It reads nothing itself,
/// but says which input is behind and must be read on.
///
/// Inputs that do not overlap in time, such as files of a rotated capture, pass through without a
/// copy. An input without times (pasted text) comes when all inputs before it have ended, all at
/// once.
///
///     while let number = timeline.advance() {
///       // read input `number` on, giving what it reports to timeline.sink(number)
///     }
public final class Timeline {
  private let lanes: [TimelineLane]
  /// The inputs that have not ended, in order.
  private var open: [Int]

  public init(count: Int, onto sink: any EvidenceSink) {
    lanes = (0..<count).map { _ in TimelineLane(onto: sink) }
    open = Array(0..<count)
  }

  /// The sink for input `number`.
  public func sink(_ number: Int) -> any EvidenceSink { lanes[number] }

  /// Bytes of an input that wait for their turn.
  public func waitingBytes(_ number: Int) -> Int { lanes[number].waitingBytes }

  /// Input `number` has ended.
  public func end(_ number: Int) { lanes[number].hasEnded = true }

  /// Passes on everything that is known to come next.
  ///
  /// - Returns: the input that must be read on, or ended; nil when all have ended.
  public func advance() -> Int? {
    while let turn = turn() {
      let lane = lanes[turn.number]
      lane.limit = turn.limit
      if turn.isFirstLook { return turn.number }
      lane.drain()
      if lane.isEmpty && !lane.hasEnded { return turn.number }
      lane.limit = nil
      if lane.isEmpty { open.removeAll { $0 == turn.number } }
    }
    return nil
  }

  /// Passes on everything up to a time, even if another input might still have something earlier: a
  /// live capture never ends, and a silent interface does not show how far it is.
  public func release(until time: Int64) {
    while true {
      var best: Int?
      for number in lanes.indices where !lanes[number].isEmpty {
        if best.map({ lanes[number].next < lanes[$0].next }) ?? true { best = number }
      }
      guard let best, lanes[best].next <= time else { return }
      var limit = time
      for number in lanes.indices where number != best && !lanes[number].isEmpty {
        // At equal times, the earlier input comes first.
        limit = min(limit, lanes[number].next - (number < best ? 1 : 0))
      }
      lanes[best].limit = limit
      lanes[best].drain()
      lanes[best].limit = nil
    }
  }

  /// The latest time of an input so far; `Int64.min` when there was none.
  public func latest(_ number: Int) -> Int64 { lanes[number].latest }

  private struct Turn {
    var number: Int
    /// Up to which time this input may pass things on.
    var limit: Int64?
    /// Nothing of the input has come yet: it has to be read to see when it begins.
    var isFirstLook = false
  }

  /// The input that is furthest behind, up to the time at which another one is.
  private func turn() -> Turn? {
    var best: (number: Int, time: Int64)?
    var other: (number: Int, time: Int64)?
    for number in open {
      let lane = lanes[number]
      lane.limit = nil
      if !lane.hasBegun && !lane.hasEnded {
        return Turn(number: number, limit: nil, isFirstLook: true)
      }
      let time = lane.next
      // An input without times waits until those before it have ended.
      if time == .min && number != open[0] { continue }
      if best.map({ time < $0.time }) ?? true {
        (best, other) = ((number, time), best)
      } else if other.map({ time < $0.time }) ?? true {
        other = (number, time)
      }
    }
    guard let best else { return nil }
    guard let other else { return Turn(number: best.number, limit: .max) }
    let limit = best.number < other.number ? other.time : other.time - 1
    return Turn(number: best.number, limit: limit)
  }
}
