// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What all WAMP layers of one run share: limits, memory for the message that is being read, and
/// the results of URI checks, as many sessions use the same URIs.
final class WAMPShared {
  let limits: Limits
  /// Nil when sessions are not compared.
  let realms: WAMPRealms?
  /// The message that is being read, and its notes.
  let array: Cell<WAMPArray>
  let notes = Cell(ContiguousArray<Note>())
  let uriChecks = Cell(WAMPURICheckCache())
  /// Fingerprints of HELLO.Details that led to no finding, in any session.
  let greetings = Cell(WAMPRecentSet())
  let offers = Cell(WAMPOffers())

  static func of(_ run: RunContext) -> WAMPShared {
    run.shared { WAMPShared(WAMPRealms(limits: run.limits), limits: run.limits) }
  }

  init(_ realms: WAMPRealms?, limits: Limits) {
    (self.realms, self.limits) = (realms, limits)
    array = Cell(WAMPArray(maximumDepth: limits.nesting))
  }
}
