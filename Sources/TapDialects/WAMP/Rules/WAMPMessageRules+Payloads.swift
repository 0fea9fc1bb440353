// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks of payloads: opaque ones, empty ones, and content that should not be in them.
extension WAMPMessageRules {
  @inline(never)
  mutating func checkPayload(
    _ code: UInt64, _ options: ByteRange?, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    let (payload, keywords) = (message.payload, message.keywords)
    if bytes.byte(at: payload.start) == .quote {
      checkOpaque(options, bytes, &message, listener)
    } else if keywords.count == 2 || (payload.count == 2 && keywords.isEmpty) {
      let up: UInt64 = message.origin.direction == .toServer ? 1 : 2
      if isFirst(.emptyArguments, up) {
        report(
          .emptyArguments, .note, message,
          "\(message.name) carries an empty \(keywords.count == 2 ? "{}" : "[]"), which should be"
            + " left out", listener)
      }
    }
    if code == WAMPCode.error, keywords.count > 2, bytes.byte(at: keywords.start) == .openBrace,
      JSON.value(of: "traceback", in: keywords, bytes) != nil, isFirst(.tracebackLeak)
    {
      report(
        .tracebackLeak, .warning, message,
        "ERROR carries a traceback: callers see the callee's code", listener,
        isSecurity: true)
    }
  }

  /// An opaque payload in place of the arguments.
  private mutating func checkOpaque(
    _ options: ByteRange?, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let keys: [StaticString] = ["enc_algo", "enc_serializer", "enc_key", "ppt_scheme"]
    let isDeclared = options.map { options in
      keys.contains { JSON.value(of: $0, in: options, bytes) != nil }
    }
    if isDeclared == true {
      reportOpaque(&message, listener)
    } else if !hasUnreadablePart {
      report(
        .opaqueUndeclared, .warning, message,
        "a string stands where \(message.name) has its arguments, and no option says how to"
          + " read it", listener)
    }
  }

  private mutating func reportOpaque(_ message: inout Message, _ listener: any Listener) {
    guard isFirst(.opaquePayload) else { return }
    report(
      .opaquePayload, .note, message,
      "the payload is opaque to the router, and cannot be read here: its options name who can",
      listener)
  }

  /// In payload passthru mode, the arguments are one binary element.
  mutating func checkPassthru(
    _ options: ByteRange, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let payload = message.payload
    var count = 0
    var isOctets = true
    if payload.count > 2, bytes.byte(at: payload.start) == .openBracket {
      var elements = JSON.Members(ofArray: payload)
      while let member = elements.next(bytes) {
        count += 1
        if member.value.kind != .string || !bytes[member.value.content].starts(with: "\\u0000") {
          isOctets = false
        }
      }
    } else {
      isOctets = false
    }
    if count == 1 && isOctets && message.keywords.count <= 2 {
      return reportOpaque(&message, listener)
    }
    let serializer = JSON.value(of: "ppt_serializer", in: options, bytes)
    // `native` means the session's serializer: the payload stays as it is.
    if let serializer, JSON.equals(bytes, serializer.content, "native") { return }
    report(
      .pptShape, .warning, message,
      "\(message.name) has ppt_scheme, but its arguments are not one binary value", listener)
  }
}
