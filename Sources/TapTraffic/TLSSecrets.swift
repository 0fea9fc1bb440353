// SPDX-License-Identifier: Apache-2.0

/// Secrets of TLS sessions by client random, as key logs have them (RFC 9850). It grows while the
/// evidence is read. All connections of a run share one; it is used only on the thread that reads.
public final class TLSSecrets {
  /// What a secret is for: those labels of RFC 9850 whose secrets decrypt records.
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
  /// Their randoms, in the order in which they came.
  private var randoms: [[UInt8]] = []
  private let most: Int
  /// How many secrets are kept.
  public private(set) var count = 0
  /// Grows with each secret that is new or has changed.
  public private(set) var revision = 0
  /// Secrets that were dropped because the table is full.
  public private(set) var refused = 0
  /// Secrets may still come: there is a key log, or an input that may bring some.
  public private(set) var isExpected = false
  /// A key log was named, or an input brought secrets: a missing secret is then worth reporting.
  public private(set) var hasSource = false
  /// The user was told how to get a key log, which is said once.
  public var hasAdvised = false
  /// Reads what was added to the key log since, if anything.
  public var refresh: (() -> Void)?
  /// Reads the secrets in all of the evidence ahead of its packets. Called once, if at all.
  public var lookAhead: (() -> Void)?
  /// An input may bring secrets, perhaps behind the packets that they open.
  private var mayFollow = false

  public init(limits: Limits) { most = limits.secretsKept }

  /// An input may bring secrets.
  public func expect() { (isExpected, mayFollow) = (true, true) }

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
    if sessions[random] == nil { randoms.append(random) }
    sessions[random, default: [:]][label] = secret
  }

  /// Whether any secret of this session is known.
  public func knows(_ random: [UInt8]) -> Bool { sessions[random] != nil }

  /// A secret of a session. If it is not known, reads what the key log has got since, and what
  /// the evidence has further on.
  public func find(_ label: Label, _ random: [UInt8]) -> [UInt8]? {
    if let secret = sessions[random]?[label] { return secret }
    refresh?()
    if !knows(random) { searchAhead() }
    return sessions[random]?[label]
  }

  private func searchAhead() {
    guard mayFollow, let search = lookAhead else { return }
    lookAhead = nil
    search()
  }

  /// Up to `most` secrets with this label, for traffic whose client random was not captured: the
  /// last first, as key logs grow for months.
  public func latest(_ most: Int, _ label: Label) -> [(random: [UInt8], secret: [UInt8])] {
    refresh?()
    if sessions.isEmpty { searchAhead() }
    let found = randoms.reversed().lazy.compactMap { random in
      self.sessions[random]?[label].map { (random, $0) }
    }
    return Array(found.prefix(most))
  }
}
