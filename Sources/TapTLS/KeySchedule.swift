// SPDX-License-Identifier: Apache-2.0
import TapLibraries
import TapTraffic

/// Derives keys from the secrets of a session (RFC 8446 §7, RFC 5246 §6.3); none without libcrypto,
/// which computes them.
struct KeySchedule {
  /// The limit of secrets that are tried when the hello was not captured.
  private static let mostStrangers = 256
  /// How many of their keys are updated as well, as after a KeyUpdate, which is rare.
  private static let mostUpdated = 64

  let handshake: HandshakeState
  let secrets: TLSSecrets

  /// For TLS 1.2, after a ChangeCipherSpec.
  func masterKeys(isClient: Bool) -> RecordKeys? {
    guard let suite = handshake.suite,
      let secret = secrets.find(.clientRandom, handshake.clientRandom), Libcrypto.isLoaded
    else { return nil }
    return RecordKeys(
      masterSecret: secret, suite, clientRandom: handshake.clientRandom,
      serverRandom: handshake.serverRandom, isClient: isClient,
      encryptsThenMACs: handshake.encryptsThenMACs)
  }

  /// For TLS 1.3, once both hellos were seen.
  func trafficKeys(_ label: TLSSecrets.Label) -> RecordKeys? {
    // A partially written line of a key log may look complete, so check the length.
    guard let suite = handshake.suite, let secret = secrets.find(label, handshake.clientRandom),
      secret.count == suite.hash.length, Libcrypto.isLoaded
    else { return nil }
    return RecordKeys(trafficSecret: secret, suite)
  }

  /// Keys for the records of a direction.
  enum Choice {
    case unknown
    case ofStage(RecordKeys)
    /// For application data. Unsure: they apply only from the first record that they decrypt, as
    /// some programs log only the secrets for data after the handshake.
    case ofApplication(RecordKeys, isUnsure: Bool)
  }

  /// Finds the keys for the stage of a direction.
  ///
  /// - Parameter isServerDone: the server will not say more about early data, or that is lost.
  func keys(of half: Half, isServerDone: Bool) -> Choice {
    guard handshake.suite != nil, handshake.isTLS13 else {
      return masterKeys(isClient: half.isClient).map { .ofApplication($0, isUnsure: false) }
        ?? .unknown
    }
    let keys: RecordKeys?
    switch half.stage {
    case .plain: keys = nil
    case .early:
      // The server's answer to early data decides how these records are encrypted.
      guard let isAccepted = handshake.acceptsEarlyData ?? (isServerDone ? false : nil) else {
        return .unknown
      }
      // If early data cannot be decrypted, skip records until one can be with the handshake keys.
      keys =
        (isAccepted ? trafficKeys(.clientEarly) : nil) ?? trafficKeys(half.handshakeSecret)
    case .handshake: keys = trafficKeys(half.handshakeSecret)
    case .application: keys = trafficKeys(half.trafficSecret)
    }
    if let keys { return .ofStage(keys) }
    let isBefore = half.stage == .early || half.stage == .handshake
    let ofData = isBefore ? trafficKeys(half.trafficSecret) : nil
    return ofData.map { .ofApplication($0, isUnsure: true) } ?? .unknown
  }

  /// The possible keys of the next record when records or hellos are missing.
  func candidates(for half: Half) -> [RecordSearch.Candidate] {
    var all: [RecordSearch.Candidate] = []
    func add(
      _ keys: RecordKeys?, from first: UInt64, _ stage: RecordProtection.Stage,
      _ random: [UInt8]? = nil,
      generation: Int? = nil
    ) {
      guard let keys else { return }
      all.append(
        RecordSearch.Candidate(
          keys: keys, first: first, stage: stage, generation: generation,
          random: random ?? handshake.clientRandom))
    }
    let first = half.search?.first ?? 0
    if let keys = half.protection.keys {
      add(keys, from: half.protection.sequence, half.stage, generation: 0)
    }
    guard handshake.isTLS13 || handshake.version == nil else {
      if half.protection.keys == nil && !handshake.serverRandom.isEmpty {
        add(masterKeys(isClient: half.isClient), from: first, .application)
      }
      return all
    }
    if half.stage == .application && half.protection.keys != nil {
      // A KeyUpdate may be among the missing records.
      add(half.protection.keys?.updated, from: 0, .application, generation: 1)
      add(half.protection.keys?.updated.updated, from: 0, .application, generation: 2)
      return all
    }
    let ofData = anyTrafficKeys(half.trafficSecret)
    for (keys, random) in ofData { add(keys, from: first, .application, random) }
    let updates = half.search.map { $0.isLate ? $0.updates : [(1, 0), (2, 0)] } ?? []
    for (keys, random) in ofData.prefix(Self.mostUpdated) {
      for update in updates {
        let updated = (0..<update.generation).reduce(keys) { keys, _ in keys.updated }
        add(updated, from: update.first, .application, random, generation: update.generation)
      }
    }
    if half.stage != .application && (half.stage != .handshake || half.protection.keys == nil) {
      for (keys, random) in anyTrafficKeys(half.handshakeSecret) {
        add(keys, from: 0, .handshake, random)
      }
    }
    return all
  }

  /// TLS 1.3 keys: for the session, or for any session if the hello is missing; for its suite, or
  /// for all suites that the secret's length allows.
  private func anyTrafficKeys(_ label: TLSSecrets.Label) -> [(keys: RecordKeys, random: [UInt8])] {
    let own = handshake.clientRandom
    let all =
      own.isEmpty
      ? secrets.latest(Self.mostStrangers, label)
      : secrets.find(label, own).map { [(own, $0)] } ?? []
    guard !all.isEmpty, Libcrypto.isLoaded else { return [] }
    let suites =
      handshake.suite.map { [$0] } ?? [0x1301, 0x1302, 0x1303].compactMap { CipherSuite($0) }
    return all.flatMap { random, secret in
      suites.filter { $0.hash.length == secret.count }.map {
        (RecordKeys(trafficSecret: secret, $0), random)
      }
    }
  }
}
