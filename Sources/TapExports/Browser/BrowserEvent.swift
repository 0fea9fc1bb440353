// SPDX-License-Identifier: Apache-2.0
internal import TapBytes
internal import TapTraffic

/// One event of the Network domain (Chrome DevTools Protocol, "Network Domain"), its members in any
/// order.
struct BrowserEvent {
  /// Those that are read.
  enum Kind: CaseIterable {
    case created, handshakeSent, handshakeReceived, frameSent, frameReceived, frameError, closed
    case requested, eventReceived, finished, failed

    var name: StaticString {
      switch self {
      case .created: "Network.webSocketCreated"
      case .handshakeSent: "Network.webSocketWillSendHandshakeRequest"
      case .handshakeReceived: "Network.webSocketHandshakeResponseReceived"
      case .frameSent: "Network.webSocketFrameSent"
      case .frameReceived: "Network.webSocketFrameReceived"
      case .frameError: "Network.webSocketFrameError"
      case .closed: "Network.webSocketClosed"
      case .requested: "Network.requestWillBeSent"
      case .eventReceived: "Network.eventSourceMessageReceived"
      case .finished: "Network.loadingFinished"
      case .failed: "Network.loadingFailed"
      }
    }
  }

  /// Of which connection it is: ids of requests are those of one session with the browser.
  struct Name: Hashable {
    var request: [UInt8] = []
    /// The session, or the page, as chromedriver has it.
    var session: [UInt8] = []
  }

  /// Where its record begins.
  var offset: UInt64
  var record: UInt64 = 0
  /// Nil for all others.
  var kind: Kind?
  /// It is an event of some domain.
  var isEvent = false
  var hasParameters = false
  /// What it is part of has members that no event has.
  var isForeign = false
  var name = Name()
  /// Seconds since some time, the same for all events, which goes on evenly.
  var time: ExportTime?
  /// The same by the clock of the machine.
  var wallTime: ExportTime?
  /// When it was fetched from the browser, which may have been much later.
  var fetched: ExportTime?
  var heads = ExportedHeads()
  /// Why it was asked for: `EventSource`.
  var resource: [UInt8] = []
  /// The browser's words.
  var error: [UInt8] = []
  var message = ExportedMessage()
  /// Bytes of the record, where it is longer than what is read of it.
  var length: UInt64?

  init(offset: UInt64 = 0) {
    self.offset = offset
    message.begin(at: offset)
  }

  /// `Network.webSocketCreated`
  mutating func take(method: RawSpan) {
    guard let period = method.firstIndex(of: .period), period > 0,
      (0x41...0x5A).contains(method.byte(at: 0))
    else { return isForeign = true }
    isEvent = true
    if method.extracting(0..<period).equals("Network") {
      kind = Kind.allCases.first { method.equals($0.name) }
    }
  }

  /// Fields of a head, an object whose values are strings.
  mutating func take(fields: RawSpan, toResponse: Bool, most: Int) {
    guard kind == .handshakeSent || kind == .handshakeReceived || kind == nil,
      let object = CollectedRecord(fields)
    else { return }
    var string = JSONText()
    func text(_ range: Range<Int>) -> [UInt8] {
      string.read(whole: fields.extracting(range))
      return string.bytes.bytes.copied()
    }
    for (name, value) in object.members where fields.byte(at: value.lowerBound) == .quote {
      heads.append(
        text(name), text(value.lowerBound + 1..<value.upperBound - 1), toResponse: toResponse,
        most: most)
    }
  }
}
