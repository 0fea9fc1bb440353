// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTraffic

/// Checks from time to time for the missing secret of a connection that could not be decrypted.
struct LateSecretWatch {
  /// The capture time between two checks, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  private let secrets: TLSSecrets
  /// The number of secrets at the last check.
  private var known: Int
  private var nextLook = Int64.min
  /// Counts the calls.
  private var passed = 0

  init(_ secrets: TLSSecrets) { (self.secrets, known) = (secrets, secrets.count) }

  /// Whether a secret of the session has come since.
  mutating func finds(_ random: [UInt8], at time: Instant) -> Bool {
    // A file is read faster than its capture time passes, so check every 256th call too.
    passed &+= 1
    let isDue = !time.isKnown || time.nanoseconds >= nextLook || passed & 0xFF == 0
    if secrets.count == known && isDue {
      nextLook = time.nanoseconds &+ Self.pause
      secrets.refresh?()
    }
    if secrets.count == known { return false }
    if secrets.knows(random) && Libcrypto.isLoaded { return true }
    known = secrets.count
    return false
  }
}
