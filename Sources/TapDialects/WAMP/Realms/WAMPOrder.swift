// SPDX-License-Identifier: Apache-2.0

/// Compares the order in which one session published with the order in which another received, for
/// the latest eight publications.
struct WAMPOrder: Sendable, BitwiseCopyable {
  /// Two publications: one overtook the other.
  struct Violation: Equatable {
    /// Was published first, but received last.
    var late: UInt64
    var early: UInt64
  }

  private var sent = SIMD8<UInt64>()
  /// 0 when the place is free.
  private var came = SIMD8<UInt64>()
  private var publications = SIMD8<UInt64>()
  private var next = 0

  /// - Parameters:
  ///   - sent: the publisher's running count of publications.
  ///   - came: the subscriber's running count of events, from 1.
  mutating func add(_ publication: UInt64, sent: UInt64, came: UInt64) -> Violation? {
    var violation: Violation?
    for place in 0..<8 {
      // Places fill from the first on.
      if self.came[place] == 0 { break }
      if self.sent[place] == sent { continue }
      let isLater = self.sent[place] > sent
      if isLater == (self.came[place] > came) { continue }
      let other = publications[place]
      violation =
        isLater
        ? Violation(late: publication, early: other) : Violation(late: other, early: publication)
      break
    }
    (self.sent[next], self.came[next], publications[next]) = (sent, came, publication)
    next = (next + 1) & 7
    return violation
  }
}
