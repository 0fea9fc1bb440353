// SPDX-License-Identifier: Apache-2.0
import TapTraffic

/// Whether others on the path can read the session id, and take the session over.
struct EngineIOExposure {
  /// Names of credentials in a query.
  private static let keys = ["token", "auth", "key", "secret", "password", "jwt", "session"]

  /// The session is not encrypted.
  private let isInClear: Bool
  /// The name of a credential in the URL, which servers and proxies log.
  private let key: String?

  init(_ opening: Opening) {
    isInClear = opening.isInClear
    let query = opening.url.firstIndex(of: UInt8(ascii: "?")).map { opening.url[$0...].dropFirst() }
    let names = (query ?? []).split(separator: UInt8(ascii: "&")).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: Unicode.UTF8.self)
    }
    key = names.first { Self.keys.contains($0.lowercased()) }
  }

  /// Called after OPEN.
  func report(_ delivery: Delivery, _ listener: any Listener) {
    if isInClear {
      report(.eioSessionInClear, "the session id is sent without encryption", delivery, listener)
    }
    if let key {
      report(
        .eioQueryCredential,
        "the URL has the credential \(key), which servers and proxies write down",
        delivery, listener)
    }
  }

  private func report(
    _ code: Finding.Code, _ text: String, _ delivery: Delivery, _ listener: any Listener
  ) {
    var finding = Finding(code, .warning, delivery.origin, text, isAboutLastMessage: true)
    finding.isSecurity = true
    listener.finding(finding)
  }
}
