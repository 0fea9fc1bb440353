// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// What `wamptap explain` knows of WAMP. Layouts are made from ``WAMPType``, never written here.
enum WAMPGuide {
  static let topics: [Topic] =
    WAMPSessionMessageTopics.all + WAMPEventMessageTopics.all + WAMPCallMessageTopics.all
    + otherCodes + WAMPOptionTopics.all + WAMPFeatureTopics.roles + WAMPFeatureTopics.features
    + WAMPSubprotocolTopics.all + WAMPErrorURITopics.all + WAMPCloseReasonTopics.all
    + WAMPMetaAPITopics.events + WAMPMetaAPITopics.procedures + WAMPAuthMethodTopics.all

  /// All explained URIs of errors and close reasons, by fingerprint.
  private static let reasons: [UInt64: [UInt8]] = {
    var byFingerprint: [UInt64: [UInt8]] = [:]
    for topic in WAMPErrorURITopics.all + WAMPCloseReasonTopics.all {
      for name in [topic.name] + topic.aliases {
        let octets = Array(name.utf8)
        byFingerprint[octets.span.bytes.fingerprint] = octets
      }
    }
    return byFingerprint
  }()

  /// Whether a URI in JSON spelling, with its escapes, is an explained error or close reason.
  static func isReason(_ uri: RawSpan) -> Bool {
    if uri.firstIndex(of: .backslash) != nil { return isReason(JSON.unescaped(uri).span.bytes) }
    guard let known = reasons[uri.fingerprint] else { return false }
    return uri.equals(known.span.bytes)
  }

  static let messageTypes = Topic.Group("WAMP message types", "WAMP message type")

  /// A message type.
  ///
  /// - Parameter parts: what follows the layout: sender, what it answers and what answers it, when
  ///   it is sent, common mistakes, and last examples to paste.
  static func message(
    _ code: UInt64, _ summary: String, _ parts: [Topic.Part], source: String
  ) -> Topic {
    let type = WAMPType(code: code)!
    return Topic(
      messageTypes, type.name.description, summary,
      label: "WAMP message type \(code) (0x\(String(code, radix: 16)))", numbers: code...code,
      [.layout(type.layouts)] + parts, source: source)
  }

  /// Codes that no message has.
  private static let otherCodes: [Topic] = [
    Topic(
      messageTypes, "reserved", "No message of WAMP has this code; the core may use it one day.",
      label: "WAMP message type code, reserved: 0 to 255", numbers: 0...255,
      [
        .causes("An array that is not WAMP, or WAMP v1, whose codes run from 0 to 8."),
        .remedy("A peer that receives it must abort the session. See wamp.bad-type-code."),
      ], source: "WAMP, \"Message Codes and Direction\""),
    Topic(
      messageTypes, "extension",
      "The code of an extension: what it means is up to the implementation.",
      label: "WAMP message type code, extension: 256 to 1023", numbers: 256...1023,
      [.causes("Peers of the same make. EVENT_RECEIVED (337) of Autobahn is the known one.")],
      source: "WAMP, \"Extension Messages\""),
  ]
}

extension WAMPType {
  /// Every form of the message as the specification prints it, the shortest first:
  /// `[SUBSCRIBED, SUBSCRIBE.Request|id, Subscription|id]`.
  var layouts: [String] {
    let titles = titles
    return arity.map { count in
      var text = "[\(name)"
      for index in 1..<count {
        // Only the revocation by the router, with request 0, has the longer form.
        let isRevocation = letter(index) == UInt8(ascii: "z") && count > arity.lowerBound
        text += isRevocation ? ", 0" : ", \(titles[index - 1])|\(Self.kind(letter(index)))"
      }
      return text + "]"
    }
  }

  /// What the specification calls the kind of an element.
  private static func kind(_ letter: UInt8) -> StaticString {
    switch letter {
    case UInt8(ascii: "i"), UInt8(ascii: "z"): "id"
    case UInt8(ascii: "n"): "int"
    case UInt8(ascii: "d"), UInt8(ascii: "k"): "dict"
    case UInt8(ascii: "u"), UInt8(ascii: "r"): "uri"
    case UInt8(ascii: "a"): "list"
    default: "string"
    }
  }
}
