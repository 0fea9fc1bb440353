// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapTraffic

/// What all layers of WAMP in one run have in common: bounds, memory that one message at a time is
/// read in, and what was found of URIs, which are the same in many sessions.
final class WAMPShared {
  let limits: Limits
  /// Nil where sessions are not compared.
  let realms: WAMPRealms?
  /// The message that is being read, and what is to be pointed out in it.
  let array: Cell<WAMPArray>
  let notes = Cell(ContiguousArray<Note>())
  let uriChecks = Cell(WAMPURICheckCache())
  /// Details of HELLO that nothing is to be told of, in any session.
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
