// SPDX-License-Identifier: Apache-2.0
import TapTesting

/// What one endpoint wrote down: its messages in order, by leg.
struct Record {
  let name: String
  private(set) var legs: [String: [Row]] = [:]
  /// By session id, the leg on which the router gave it.
  private var legsBySession: [UInt64: String] = [:]

  /// - Parameter side: `client` or `router`.
  /// - Returns: nil when there is no such record.
  init?(_ capture: String, side: String) throws {
    name = capture + "." + side
    guard let path = Captures.truth(name + ".jsonl") else { return nil }
    for line in try Captures.lines(of: path) {
      guard let row = Row(try ValueReader.read(line), isClient: side == "client") else { continue }
      legs[row.leg, default: []].append(row)
      if row.code == 2, let session = row.message[1]?.natural { legsBySession[session] = row.leg }
    }
  }

  /// Both sides, as far as they are there.
  static func all(_ capture: String) throws -> [Record] {
    try ["client", "router"].compactMap { try Record(capture, side: $0) }
  }

  /// The name of a capture without its suffixes, by which its record goes.
  static func base(_ file: String) -> String {
    let base = String(file.prefix { $0 != "." })
    // With the secrets in the file itself.
    return base.hasSuffix("-dsb") ? String(base.dropLast(4)) : base
  }

  var count: Int { legs.values.reduce(0) { $0 + $1.count } }

  func rows(_ leg: String, _ direction: String) -> [Row] {
    (legs[leg] ?? []).filter { $0.direction == direction }
  }

  /// The leg whose messages a connection carries: by its addresses, or where the record has none
  /// (or those of another hop) by the session that the router welcomed.
  func leg(of name: String, _ messages: [NDJSONMessage]) -> String? {
    if legs[name] != nil { return name }
    for message in messages where message.name == "WELCOME" {
      if let session = message.body[1]?.natural, let leg = legsBySession[session] { return leg }
    }
    return nil
  }
}
