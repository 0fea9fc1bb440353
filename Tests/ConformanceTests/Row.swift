// SPDX-License-Identifier: Apache-2.0

/// A message as an endpoint wrote it down when it sent or received it.
struct Row {
  /// `client > server` by address, or what the record has instead.
  var leg: String
  var direction: String
  /// Octets are in WAMP's own form of JSON.
  var message: Value
  /// Of what was sent, in octets.
  var length: Int?
  var sha1: String?
  /// The record keeps only the size of the payload.
  var isElided: Bool
  var isUndecodable: Bool

  /// - Returns: nil for what did not go over WebSocket or RawSocket as JSON.
  init?(_ line: Value, isClient: Bool) {
    guard line["ser"]?.text == "json", ["ws", "raw"].contains(line["tr"]?.text ?? "ws")
    else { return nil }
    let isSent = line["dir"]?.text == "tx"
    direction = isSent == isClient ? "toServer" : "toClient"
    if let local = line["local"]?.text, let peer = line["peer"]?.text {
      leg = isClient ? local + " > " + peer : peer + " > " + local
    } else {
      leg = line["conn"]?.text ?? ""
    }
    message = line["msg"]?.withOctetsAsWAMP ?? .null
    length = line["len"]?.int
    sha1 = line["sha1"]?.text
    isElided = message.contains { $0["$big"] != nil }
    isUndecodable = line["undecodable"] != nil
  }

  /// The code of a WAMP message.
  var code: UInt64? { message[0]?.natural }

  private var hasNaN: Bool { message.contains { $0 == .number(Digits(literal: "NaN")) } }

  /// What is wrong with the way this message was told; nil when it came out exactly.
  func complaint(about told: Told) -> String? {
    if isUndecodable || !message.isArray || hasNaN {
      if hasNaN && told.body != .null { return "a body that is no JSON" }
      return told.sha1 == sha1 ? nil : "not the octets that were sent"
    }
    if code != nil && told.dialect != "wamp" { return "not told as WAMP" }
    if !isElided && told.sent?.asPythonReadsIt != message {
      return "not the value that was recorded: \(message)"
    }
    guard let length else { return isElided ? "nothing to compare with" : nil }
    let octets = told.octets.count
    if octets > length { return "\(octets) octets where \(length) were sent" }
    // Shorter only by white space, which the comparison of values has passed over.
    if octets < length { return isElided ? "\(octets) octets where \(length) were sent" : nil }
    return told.sha1 == sha1 ? nil : "not the octets that were sent"
  }
}
