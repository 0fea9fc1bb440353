// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// Decrypts the records of one direction in sequence, with the current keys.
struct RecordProtection {
  /// Which keys protect the records of a direction (RFC 8446 §7, RFC 5246 §7.1).
  enum Stage {
    case plain
    /// The client's 0-RTT data, before its handshake continues.
    case early
    /// In TLS 1.3, after the ServerHello.
    case handshake
    case application
  }

  /// After failed records, how many sequence numbers ahead are tried.
  private static let mostSkipped = 4
  /// After this many failed records, no more are tried.
  private static let mostMisses = 8

  private(set) var stage = Stage.plain
  /// The keys of the stage; nil until a record needs them.
  var keys: RecordKeys?
  /// The sequence number of the next record.
  var sequence: UInt64 = 0
  /// The content of the last record.
  private(set) var content = Scratch()
  /// These keys apply from an unknown record on.
  private(set) var isUnsure = false
  /// How many records these keys failed to decrypt before the first success.
  private(set) var misses = 0
  /// These keys have decrypted a record.
  private(set) var hasOpened = false

  /// From the next record on, other keys apply.
  mutating func enter(_ stage: Stage, _ keys: RecordKeys?, isUnsure: Bool) {
    (self.stage, self.keys, self.isUnsure) = (stage, keys, isUnsure)
    (sequence, misses, hasOpened) = (0, 0, false)
  }

  /// Decrypts a record into `content`; returns its content type.
  mutating func open(_ record: RawSpan) -> UInt8? {
    content.removeAll()
    // A failed record may or may not have counted in the sequence.
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

  /// The failed records belonged to other keys.
  mutating func forgetMisses() { misses = 0 }

  /// Early data has ended: these keys are already those of the handshake.
  mutating func endEarlyData() { (stage, sequence) = (.handshake, 0) }

  /// The sequence number of a stage's first record that can contain application data: in TLS 1.2,
  /// number 0 is the Finished (RFC 5246 §7.4.9).
  static func firstApplication(_ stage: Stage, isTLS13: Bool) -> UInt64 {
    if stage == .plain || stage == .handshake { return .max }
    return isTLS13 ? 0 : 1
  }

  /// The consequence of a record that could not be decrypted.
  struct Miss {
    /// It is the first that may have contained application data.
    var isLoss: Bool
    /// The limit of failures is reached.
    var isLast: Bool
  }

  /// A record could not be decrypted, and none was before with these keys.
  mutating func miss(isTLS13: Bool) -> Miss {
    let first = Self.firstApplication(stage, isTLS13: isTLS13)
    let others = first > sequence ? min(first - sequence, UInt64(Self.mostMisses - 1)) : 0
    defer { misses += 1 }
    return Miss(isLoss: misses == others, isLast: misses + 1 == Self.mostMisses)
  }
}
