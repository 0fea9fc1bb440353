// SPDX-License-Identifier: Apache-2.0

/// In which order one session got what another has published: the latest, each by its place in the
/// order in which it was sent, and in that in which it came.
struct WAMPOrder: Sendable, BitwiseCopyable {
  /// Two publications: one overtook the other.
  struct Violation: Equatable {
    /// Was published first, and came last.
    var late: UInt64
    var early: UInt64
  }

  private var sent = SIMD8<UInt64>()
  /// 0 for none.
  private var came = SIMD8<UInt64>()
  private var publications = SIMD8<UInt64>()
  private var next = 0

  /// - Parameters:
  ///   - sent: counts what the publisher has sent.
  ///   - came: counts what the subscriber got, from 1.
  mutating func add(_ publication: UInt64, sent: UInt64, came: UInt64) -> Violation? {
    var violation: Violation?
    for place in 0..<8 {
      // They fill up in their order.
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
