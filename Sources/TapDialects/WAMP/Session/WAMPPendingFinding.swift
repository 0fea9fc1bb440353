// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// A finding that would be false if the other side had sent a certain message before. Bytes that
/// wait for a hole of their stream are told late, so it is told only when the other side goes on,
/// and never when a hole turns out to be one.
struct WAMPPendingFinding {
  /// The message that explains it.
  enum Cure: Equatable {
    /// One of this type.
    case code(UInt64)
    /// One that opens this request.
    case request(space: UInt8, id: UInt64)
    /// One that gives this id.
    case grant(space: UInt8, id: UInt64)
  }

  var finding: Finding
  var cure: Cure

  func isCured(by code: UInt64, _ first: Link, _ second: Link) -> Bool {
    switch cure {
    case .code(let needed): code == needed
    case .request(let space, let id):
      first.role == .opens && first.space == space && first.key == id
    case .grant(let space, let id):
      second.role == .names && second.space == space && second.key == id
    }
  }
}
