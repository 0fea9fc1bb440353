// SPDX-License-Identifier: Apache-2.0

/// A message as an endpoint wrote it down when it sent or received it.
struct Row {
  /// `client > server` by address, or what the record has instead.
  var leg: String
  var direction: String
  /// Bytes are in WAMP's own form of JSON.
  var message: Value
  /// Of what was sent, in bytes.
  var length: Int?
  var sha1: String?
  /// The record keeps only the size of the payload.
  var isElided: Bool
  var isUndecodable: Bool
  /// One JSON text in one WebSocket message, so that what was reported is what was sent.
  private var isPlain: Bool
  /// The record has what the endpoint made of the message: of a WELCOME, the details it knows.
  private var isDigest: Bool

  /// - Returns: nil for what did not go over WebSocket or RawSocket.
  init?(_ line: Value, isClient: Bool) {
    guard ["ws", "raw"].contains(line["tr"]?.text ?? "ws") else { return nil }
    isPlain = line["ser"]?.text == "json"
    isDigest = line["ser"] == nil
    let isSent = line["dir"]?.text == "tx"
    direction = isSent == isClient ? "toServer" : "toClient"
    if let local = line["local"]?.text, let peer = line["peer"]?.text {
      leg = isClient ? local + " > " + peer : peer + " > " + local
    } else {
      leg = line["conn"]?.text ?? line["sess"]?.text ?? ""
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

  private func isPart(of reported: NDJSONMessage) -> Bool {
    guard case .object(let members)? = message[2], !members.isEmpty else { return false }
    return reported.sent?[0] == message[0] && reported.sent?[1] == message[1]
      && members.allSatisfy {
        reported.sent?[2]?[String(decoding: $0.key, as: UTF16.self)] == $0.value
      }
  }

  /// What is wrong with the way this message was reported; nil when it came out exactly.
  func complaint(about reported: NDJSONMessage) -> String? {
    if reported.isPartial {
      return reported.fits(message.compact) ? nil : "not what is known of what was sent"
    }
    if isUndecodable || !message.isArray || hasNaN {
      if hasNaN && reported.body != .null { return "a body that is no JSON" }
      return reported.sha1 == sha1 ? nil : "not the bytes that were sent"
    }
    if code != nil && reported.dialect != "wamp" { return "not told as WAMP" }
    if isDigest && code == 2 { return isPart(of: reported) ? nil : "not the details recorded" }
    if !isElided && reported.sent?.asPythonReadsIt != message {
      return "not the value that was recorded: \(message)"
    }
    if !isPlain { return isElided ? "nothing to compare with" : nil }
    guard let length else { return isElided ? "nothing to compare with" : nil }
    let octets = reported.octets.count
    if octets > length { return "\(octets) bytes where \(length) were sent" }
    // Shorter only by white space, which the comparison of values has passed over.
    if octets < length { return isElided ? "\(octets) bytes where \(length) were sent" : nil }
    return reported.sha1 == sha1 ? nil : "not the bytes that were sent"
  }
}
