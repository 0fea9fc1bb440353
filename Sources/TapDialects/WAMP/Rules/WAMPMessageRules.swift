// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Checks each message by itself: its options, its URIs, its payload. It needs no session, so
/// pasted messages are checked too.
struct WAMPMessageRules {
  var familiar = WAMPRecentSet()
  let uriChecks: Cell<WAMPURICheckCache>
  let shared: WAMPShared
  /// A part of the message could not be decoded and is shown as bytes.
  var hasUnreadablePart = false
  /// Findings that were reported, for those reported once per session: hashes of the code and what
  /// it is about.
  private var reported: Set<UInt64> = []
  /// The finding that URIs do not follow the strict rule was reported.
  var saysLoose = false

  init(_ shared: WAMPShared) { (self.shared, uriChecks) = (shared, shared.uriChecks) }

  /// HELLO begins a new session.
  mutating func begin() { self = WAMPMessageRules(shared) }

  /// Checks a message that was reported and has no fault of form.
  ///
  /// - Returns: the features that its options ask for, one bit each.
  @inline(__always)
  mutating func look(
    _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) -> UInt64 {
    let code = array.code!
    let place: Int
    switch code {
    case WAMPCode.error, WAMPCode.event, WAMPCode.invocation: place = 3
    case WAMPCode.published, WAMPCode.subscribed, WAMPCode.registered, WAMPCode.eventReceived:
      return 0
    case WAMPCode.abort, WAMPCode.goodbye: place = 1
    default: place = 2
    }
    var features: UInt64 = 0
    if let options = array.dictionary(place) {
      features = look(options: options, &array, bytes, &message, listener)
    }
    switch code {
    case WAMPCode.publish, WAMPCode.call, WAMPCode.subscribe, WAMPCode.register:
      if uriChecks.value[bytes[message.subject].fingerprint] != .strict {
        checkURI(code, bytes, &message, listener)
      }
    case WAMPCode.hello: checkRealm(&array, bytes, &message, listener)
    case WAMPCode.abort, WAMPCode.goodbye, WAMPCode.error: checkReason(bytes, &message, listener)
    default: break
    }
    let payload = message.payload
    if code >= WAMPCode.error && !payload.isEmpty
      && (payload.count == 2 || message.keywords.count == 2
        || bytes.byte(at: payload.start) == .quote
        || code == WAMPCode.error)
    {
      checkPayload(code, array.dictionary(place), bytes, &message, listener)
    }
    return features
  }

  /// Skips options that were checked recently.
  @inline(__always)
  private mutating func look(
    options: ByteRange, _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) -> UInt64 {
    let code = array.code!
    let fingerprint = bytes[options].fingerprint ^ code &* 0x9E37_79B9_7F4A_7C15
    // HELLO and WELCOME come once per session, but the same HELLO comes in many sessions.
    let isKnown =
      code <= WAMPCode.welcome
      ? shared.greetings.value.contains(fingerprint) : familiar.remember(fingerprint)
    return isKnown ? 0 : checkOptions(options, &array, fingerprint, bytes, &message, listener)
  }

  /// Whether this finding is reported for the first time.
  mutating func isFirst(_ code: Finding.Code, _ about: UInt64 = 0) -> Bool {
    let key = about ^ UInt64(bitPattern: Int64(code.hashValue))
    // Beyond the limit each one is reported, until the report only counts them.
    return reported.count >= shared.limits.findingsPerCode || reported.insert(key).inserted
  }

  func report(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: borrowing Message,
    _ text: String, _ listener: any Listener, isSecurity: Bool = false
  ) {
    var found = Finding(code, severity, message.origin, text, isAboutLastMessage: true)
    found.isSecurity = isSecurity
    listener.finding(found)
  }

  static func text(_ bytes: RawSpan, _ content: ByteRange) -> String {
    String(decoding: JSON.unescaped(bytes[content]), as: Unicode.UTF8.self)
  }
}
