// SPDX-License-Identifier: Apache-2.0
import TapBytes
import TapEncodings
import TapTraffic

/// Looks at each message by itself: its options, its URIs, its payload. It needs no session, so
/// pasted messages are looked at too.
struct WAMPMessageRules {
  var familiar = WAMPRecentSet()
  let uriChecks: Cell<WAMPURICheckCache>
  let shared: WAMPShared
  /// Some of the message could not be read, and stands there as bytes.
  var hasUnreadablePart = false
  /// What is told once for a session, by code and by what it is about.
  private var told: Set<UInt64> = []
  /// That URIs are not as recommended was said.
  var saysLoose = false

  init(_ shared: WAMPShared) { (self.shared, uriChecks) = (shared, shared.uriChecks) }

  /// HELLO begins a new session.
  mutating func begin() { self = WAMPMessageRules(shared) }

  /// A message that was told and has no fault of form.
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
        checkURI(code, &array, bytes, &message, listener)
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

  /// Options that are the same as lately need no second look.
  @inline(__always)
  private mutating func look(
    options: ByteRange, _ array: inout WAMPArray, _ bytes: RawSpan, _ message: inout Message,
    _ listener: any Listener
  ) -> UInt64 {
    let code = array.code!
    let print = bytes[options].fingerprint ^ code &* 0x9E37_79B9_7F4A_7C15
    // Each comes once in a session, and HELLO is the same in many.
    if code <= WAMPCode.welcome ? shared.greetings.value.contains(print) : familiar.knows(print) {
      return 0
    }
    return checkOptions(options, &array, print, bytes, &message, listener)
  }

  /// Whether this is told for the first time.
  mutating func isFirst(_ code: Finding.Code, _ about: UInt64 = 0) -> Bool {
    let key = about ^ UInt64(bitPattern: Int64(code.hashValue))
    // What is more is told each time, until it is only counted.
    return told.count >= shared.limits.findingsPerCode || told.insert(key).inserted
  }

  func tell(
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
