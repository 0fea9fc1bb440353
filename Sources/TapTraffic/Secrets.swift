// SPDX-License-Identifier: Apache-2.0

/// Secrets of TLS sessions by the random of the client, as key logs write them down (RFC 9850).
/// It grows while the evidence is read. One is shared by all connections of a run; it lives on the
/// thread that reads.
public final class Secrets {
  /// What a secret is for: the labels of RFC 9850 that open records.
  public enum Label: String, Sendable, CaseIterable {
    /// The master secret of TLS 1.2.
    case clientRandom = "CLIENT_RANDOM"
    case clientEarly = "CLIENT_EARLY_TRAFFIC_SECRET"
    case clientHandshake = "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
    case serverHandshake = "SERVER_HANDSHAKE_TRAFFIC_SECRET"
    case clientTraffic = "CLIENT_TRAFFIC_SECRET_0"
    case serverTraffic = "SERVER_TRAFFIC_SECRET_0"
  }

  private var sessions: [[UInt8]: [Label: [UInt8]]] = [:]
  private let most: Int
  /// How many are kept.
  public private(set) var count = 0
  /// Grows with each secret that is new or another than before.
  public private(set) var revision = 0
  /// Secrets that found no room any more.
  public private(set) var refused = 0
  /// Secrets may still come: there is a key log, or an input that may bring some.
  public private(set) var isExpected = false
  /// A key log was named, or an input brought secrets, so that one that is missing is missed.
  public private(set) var hasSource = false
  /// How to get a key log was said, which is said once.
  public var hasAdvised = false
  /// Reads on where secrets come from, if there is more of it.
  public var refresh: (() -> Void)?

  public init(limits: Limits) { most = limits.secretsKept }

  /// An input may bring secrets.
  public func expect() { isExpected = true }

  /// There is a source of secrets.
  public func noteSource() { (hasSource, isExpected) = (true, true) }

  public func add(_ secret: [UInt8], _ label: Label, _ random: [UInt8]) {
    let known = sessions[random]?[label]
    if known == secret { return }
    if known == nil {
      if count >= most {
        refused += 1
        return
      }
      count += 1
    }
    revision += 1
    sessions[random, default: [:]][label] = secret
  }

  /// Whether there is any secret of a session.
  public func knows(_ random: [UInt8]) -> Bool { sessions[random] != nil }

  /// The secret of a session; what its source has written since is read when it is not known.
  public func find(_ label: Label, _ random: [UInt8]) -> [UInt8]? {
    if let secret = sessions[random]?[label] { return secret }
    refresh?()
    return sessions[random]?[label]
  }

  /// Secrets with such a label, for traffic whose random was not captured: those of the least
  /// randoms, so that every run takes the same.
  public func first(_ most: Int, _ label: Label) -> [(random: [UInt8], secret: [UInt8])] {
    refresh?()
    var least: [(random: [UInt8], secret: [UInt8])] = []
    for (random, secrets) in sessions {
      guard let secret = secrets[label] else { continue }
      if least.count == most {
        guard random.lexicographicallyPrecedes(least[most - 1].random) else { continue }
        least.removeLast()
      }
      let place = least.firstIndex { random.lexicographicallyPrecedes($0.random) } ?? least.count
      least.insert((random, secret), at: place)
    }
    return least
  }
}
