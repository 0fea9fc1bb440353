// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// Connections whose deadline has passed.
extension Transport {
  /// Examines the connections that have waited long enough.
  @inline(never)
  mutating func expire(_ listener: any Listener) {
    while let slot = nextDue(at: shared.clock) {
      if flows.connections[slot].deadline(shared) <= shared.clock {
        open(slot, listener)
        flows.connections[slot].expire(&shared, listener)
        if flows.connections[slot].isClosed { noteClosed(slot) }
      }
      schedule(slot)
    }
  }

  /// The next connection that has waited long enough.
  private mutating func nextDue(at clock: Int64) -> Int? {
    while let entry = deadlines.next(clock) {
      let slot = entry.slot
      guard !flows.connections[slot].isFree, flows.connections[slot].born == entry.born,
        flows.connections[slot].scheduled == entry.deadline
      else { continue }
      flows.connections[slot].scheduled = .max
      return slot
    }
    return nil
  }

  /// Too much waits in all connections together: those with the earliest deadlines stop waiting.
  @inline(never)
  mutating func relieve(_ listener: any Listener) {
    while shared.isCrowded, let slot = nextDue(at: .max) {
      open(slot, listener)
      flows.connections[slot].flush(.crowded, &shared, listener)
      if flows.connections[slot].isClosed { noteClosed(slot) }
      schedule(slot)
    }
  }
}
