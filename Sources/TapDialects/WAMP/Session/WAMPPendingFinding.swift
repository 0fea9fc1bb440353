// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// A finding that would be false if the other side had sent a certain message before. Bytes after a
/// gap in a TCP stream are reported late, so the finding is reported only when the other side
/// continues, and never when the missing bytes were lost.
struct WAMPPendingFinding {
  /// The message that would make the finding false.
  enum Cure: Equatable {
    /// A message of this type.
    case code(UInt64)
    /// A message that opens this request.
    case request(space: UInt8, id: UInt64)
    /// A message that grants this id.
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
