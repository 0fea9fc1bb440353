// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Opens the records of one direction, one after the other, with the keys that are in use.
struct RecordProtection {
  /// Which keys the records of a direction have (RFC 8446 §7, RFC 5246 §7.1).
  enum Stage {
    case plain
    /// Of the client, before its handshake goes on: 0-RTT data.
    case early
    /// Of TLS 1.3, behind the ServerHello.
    case handshake
    case application
  }

  /// Records that may have been counted, or not, before one that opens.
  private static let mostSkipped = 4
  /// So many that do not open, and no more are tried.
  private static let mostMisses = 8

  private(set) var stage = Stage.plain
  /// The keys of the stage; nil until a record needs them.
  var keys: RecordKeys?
  /// The number of the next record since the keys are in use.
  var sequence: UInt64 = 0
  /// What the last record carried.
  private(set) var content = Scratch()
  /// With these keys records open from some place on that is not known.
  private(set) var isUnsure = false
  /// Records that did not open with these keys, before one did.
  private(set) var misses = 0
  /// One has opened with these keys.
  private(set) var hasOpened = false

  /// From the next record on, other keys are in use.
  mutating func enter(_ stage: Stage, _ keys: RecordKeys?, isUnsure: Bool) {
    (self.stage, self.keys, self.isUnsure) = (stage, keys, isUnsure)
    (sequence, misses, hasOpened) = (0, 0, false)
  }

  /// Opens a record; answers its type, and `content` has what it carried.
  mutating func open(_ record: RawSpan) -> UInt8? {
    content.removeAll()
    // What lies behind a record that did not open may have counted it or not.
    for skipped in 0...UInt64(min(misses, Self.mostSkipped)) {
      let sequence = sequence &+ skipped
      if let type = keys!.open(record, sequence: sequence, into: &content) {
        self.sequence = sequence &+ 1
        (misses, hasOpened) = (0, true)
        return type
      }
    }
    return nil
  }

  /// A record did not open as it has other keys than these.
  mutating func forgetMisses() { misses = 0 }

  /// The early data end: the same keys are those of the handshake.
  mutating func endEarlyData() { (stage, sequence) = (.handshake, 0) }

  /// The number of the first record of a stage that can carry something for the layer above: of TLS
  /// 1.2 the Finished is number 0 (RFC 5246 §7.4.9).
  static func firstApplication(_ stage: Stage, isTLS13: Bool) -> UInt64 {
    if stage == .plain || stage == .handshake { return .max }
    return isTLS13 ? 0 : 1
  }

  /// What follows from a record that did not open.
  struct Miss {
    /// It is the first that may have been for the layer above.
    var isLoss: Bool
    /// There were too many of them.
    var isLast: Bool
  }

  /// A record did not open, and none with these keys has before.
  mutating func miss(isTLS13: Bool) -> Miss {
    let first = Self.firstApplication(stage, isTLS13: isTLS13)
    let others = first > sequence ? min(first - sequence, UInt64(Self.mostMisses - 1)) : 0
    defer { misses += 1 }
    return Miss(isLoss: misses == others, isLast: misses + 1 == Self.mostMisses)
  }
}
