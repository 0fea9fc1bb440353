// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks of the URIs of topics, procedures, realms and reasons (wamp-proto, "URIs").
extension WAMPMessageRules {
  /// The URI of PUBLISH, SUBSCRIBE, CALL or REGISTER.
  @inline(never)
  mutating func checkURI(
    _ code: UInt64, _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let uri = bytes[message.subject]
    let fingerprint = uri.fingerprint
    if let verdict = uriChecks.value[fingerprint] {
      if verdict == .loose { reportLoose(&message, listener) }
      return
    }
    // Only patterns may have empty components.
    let isPattern = message.traits.contains(.isPattern)
    let problem = Self.problem(uri, mayHaveGaps: isPattern)
    let isOfRouter = Self.isOfRouter(uri)
    let isReserved = (code == WAMPCode.register || code == WAMPCode.publish) && isOfRouter
    if let problem {
      report(.uriInvalid, .error, message, "the URI of \(message.name) \(problem)", listener)
    } else {
      let isStrict = Self.isStrict(uri)
      if !isStrict { reportLoose(&message, listener) }
      // The verdict on these depends on the URI alone.
      if !isPattern && !isOfRouter { uriChecks.value[fingerprint] = isStrict ? .strict : .loose }
    }
    if isReserved {
      report(
        .uriReserved, .error, message,
        "\(message.name) of a URI under wamp., which is the router's own", listener)
    }
    guard problem != nil || isReserved else { return }
    if message.traits.contains(.asksNothing) {
      report(
        .publishRefused, .warning, message,
        "the router must refuse this PUBLISH silently: it asks for no"
          + " acknowledgement", listener)
    }
  }

  private mutating func reportLoose(_ message: inout Message, _ listener: any Listener) {
    if saysLoose { return }
    saysLoose = true
    report(
      .uriNotStrict, .note, message,
      "the URI of \(message.name) has more in it than a to z, 0 to 9 and _: allowed, but"
        + " not recommended", listener)
  }

  private static func isOfRouter(_ uri: RawSpan) -> Bool {
    if uri.firstIndex(of: .backslash) != nil {
      let plain = JSON.unescaped(uri)
      return plain.starts(with: "wamp.".utf8) || plain.elementsEqual("wamp".utf8)
    }
    return uri.starts(with: "wamp.") || uri.equals("wamp")
  }

  /// HELLO. Without a realm, the client asks the router to choose one.
  func checkRealm(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) {
    guard array.count > 1, array[1].kind == .string else { return }
    if let problem = Self.problem(bytes[array.string(1)], mayHaveGaps: false) {
      report(
        .realmInvalid, .error, message, "the realm \(problem); a realm is named as a URI is",
        listener)
    }
  }

  /// ERROR, ABORT and GOODBYE.
  @inline(never)
  mutating func checkReason(
    _ bytes: RawSpan, _ message: inout Message, _ listener: any Listener
  ) {
    let uri = bytes[message.reason]
    if let problem = Self.problem(uri, mayHaveGaps: false) {
      report(.uriInvalid, .error, message, "the URI of \(message.name) \(problem)", listener)
    }
    guard uri.starts(with: "wamp."), !WAMPGuide.isReason(uri),
      isFirst(.errorURIUnknown, uri.fingerprint)
    else { return }
    report(
      .errorURIUnknown, .note, message,
      "\(Self.text(bytes, message.reason)) is no URI that the specification or a known"
        + " implementation has", listener)
  }

  private static func problem(_ uri: RawSpan, mayHaveGaps: Bool) -> StaticString? {
    // Check the URI without its JSON escapes.
    if uri.firstIndex(of: .backslash) != nil {
      return plainProblem(JSON.unescaped(uri).span.bytes, mayHaveGaps: mayHaveGaps)
    }
    return plainProblem(uri, mayHaveGaps: mayHaveGaps)
  }

  private static func plainProblem(_ uri: RawSpan, mayHaveGaps: Bool) -> StaticString? {
    var before: UInt8 = 0x2E
    for at in 0..<uri.byteCount {
      let byte = uri.byte(at: at)
      if byte <= 0x20 { return "contains white space" }
      if byte == UInt8(ascii: "#") { return "contains #" }
      if byte == .period && before == .period && !mayHaveGaps { return "has an empty component" }
      before = byte
    }
    return before == .period && !mayHaveGaps ? "has an empty component" : nil
  }

  /// The strict rule: lower case letters, digits and underscores.
  private static func isStrict(_ uri: RawSpan) -> Bool {
    for at in 0..<uri.byteCount {
      switch uri.byte(at: at) {
      case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2E: continue
      default: return false
      }
    }
    return true
  }
}
