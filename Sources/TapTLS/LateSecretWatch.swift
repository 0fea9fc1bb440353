// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTraffic

/// Looks from time to time whether the secret has come of a connection that was closed for lack of
/// it.
struct LateSecretWatch {
  /// Capture time between two looks, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  private let secrets: Secrets
  /// How many secrets there were when it last looked.
  private var known: Int
  private var nextLook = Int64.min
  /// How often it could have looked.
  private var passed = 0

  init(_ secrets: Secrets) { (self.secrets, known) = (secrets, secrets.count) }

  /// Whether there is a secret of the session now that was not there before.
  mutating func finds(_ random: [UInt8], at time: Instant) -> Bool {
    // A file is read faster than its time goes by.
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
