// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapSessions
import TapTraffic

/// What ids stand for, collected in one reading of a capture for another.
extension InspectorState {
  var foreseen: [ForeseenName] {
    var all: [ForeseenName] = []
    sessions.forEachCollected { key, subject, isPattern, isInferred in
      all.append(
        ForeseenName(
          key: key, subject: subjects.names[subject].copied(), isPattern: isPattern,
          isInferred: isInferred))
    }
    return all
  }

  /// Infers names of ids from payloads; only in a reading that collects names.
  @inline(never)
  mutating func infer(
    _ message: Message, _ joined: Joined, _ bytes: RawSpan, _ connection: Connection
  ) {
    var hasher = Hasher()
    for range in [message.payload, message.keywords] {
      hasher.combine(bytes[range].copied())
    }
    sessions.infer(
      message, joined, digest: hasher.finalize(), at: place(of: connection, message.session))
  }
}
