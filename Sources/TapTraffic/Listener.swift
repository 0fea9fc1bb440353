// SPDX-License-Identifier: Apache-2.0

/// Hears what layers report, in order. Bytes are lent for the length of the call.
public protocol Listener: AnyObject {
  /// A conversation that we can read begins on the flow of the delivery.
  func opened(_ opening: Opening, _ delivery: Delivery)
  /// Somebody asked for a conversation and got none: the server answered with something else; its
  /// port was closed (the carrier is then a stream, and there is no URL); or nobody answers, which
  /// is reported each time that the client asks again.
  func refused(_ attempt: Opening, _ delivery: Delivery)
  func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>)
  /// How the next message was carried; only where that was asked for.
  func framed(_ framing: Framing)
  /// The bytes as they were sent of the next message, whose text was made from them, and their
  /// serializer: `CBOR`. Not called for a message whose bytes are lent as they were sent.
  /// - Parameter trailing: how many of the bytes follow the message.
  func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString)
  /// The subject of the next message, where the message has only an abbreviation of it.
  func subject(_ uri: RawSpan)
  /// What the last message says that an id stands for, perhaps together with earlier messages. The
  /// ranges of `lesson` are in `bytes`.
  func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message)
  func finding(_ finding: Finding)
  /// Bytes of this flow wait, for earlier bytes or until it is known what they are: what they say
  /// is reported late, while other flows go on. Ends with `caughtUp`.
  func waiting(from origin: Origin)
  /// All that waited was reported.
  func caughtUp(_ origin: Origin)
  /// Of the bytes that wait, those that come next were sent after `origin`, even if their time is
  /// earlier: two clocks differ.
  func follows(_ origin: Origin)
  /// What one side has agreed to send while it has nothing to say; reported before the end.
  func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery)
  func closed(_ closing: Closing, _ delivery: Delivery)
  /// What became of captured bytes; every byte of a stream is accounted for exactly once.
  func account(_ fate: Fate, _ bytes: Int)
  /// Counts what no message shows.
  func count(_ thing: Counter, _ amount: Int)
  /// Text between the messages of an input.
  func context(_ words: RawSpan, _ line: ContextLine)
}

extension Listener {
  public func refused(_: Opening, _: Delivery) {}
  public func framed(_: Framing) {}
  public func sent(_: RawSpan, trailing _: Int, as _: StaticString) {}
  public func subject(_: RawSpan) {}
  public func lesson(_: LearnedName, _: RawSpan, in _: Message) {}
  public func keepAlive(_: KeepAlive, _: Delivery) {}
  public func waiting(from _: Origin) {}
  public func caughtUp(_: Origin) {}
  public func follows(_: Origin) {}
  public func context(_: RawSpan, _: ContextLine) {}

  /// The same as `finding(_:)`, by its parts.
  public func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    isAboutLastMessage: Bool = false
  ) {
    finding(Finding(code, severity, origin, text, isAboutLastMessage: isAboutLastMessage))
  }

  /// A finding about the message that was reported last.

  /// A finding about the message that was reported last.
  ///
  /// - Parameter isSaid: the message itself reports it.
  public func remark(
    _ code: Finding.Code, _ severity: Finding.Severity, _ origin: Origin, _ text: String,
    isSaid: Bool = false
  ) {
    var finding = Finding(code, severity, origin, text, isAboutLastMessage: true)
    finding.isSaidByMessage = isSaid
    self.finding(finding)
  }
}

/// What became of bytes that were captured.
public enum Fate: Int, Sendable, CaseIterable {
  /// In a message, a control frame or a RawSocket handshake that was reported.
  case reported
  /// HTTP heads and bodies, and HTTP/2 frames, except for the bytes of a conversation in them.
  case http
  /// TLS records that were opened, except for their content: handshakes, headers, tags, padding.
  case tls
  /// TLS records that were not decrypted.
  case sealed
  /// Repeated bytes of a TCP stream, as in a retransmission.
  case repeated
  /// In frames or messages that lack other bytes; a finding says so.
  case incomplete
  /// Skipped while looking for the next frame after a gap; a finding says so.
  case skipped
  /// In streams of protocols that we do not read.
  case unread
  /// Came after the connection was closed.
  case afterClose

  public var name: StaticString {
    switch self {
    case .reported: "told"
    case .http: "http"
    case .tls: "tls"
    case .sealed: "sealed"
    case .repeated: "repeated"
    case .incomplete: "incomplete"
    case .skipped: "skipped"
    case .unread: "unread"
    case .afterClose: "afterClose"
    }
  }
}

/// What is counted in the summary without a line of its own.
public enum Counter: Int, Sendable, CaseIterable {
  case packet
  /// Bytes of TCP payload in all packets, as captured: the sum of all fates.
  case payloadByte
  /// Not TCP over IP: ARP, UDP, ICMP, unknown link types.
  case packetNotTCP
  /// A header that is cut off or contradicts itself.
  case packetMalformed
  case stream
  /// A stream of a protocol that we do not read.
  case streamUnread
  /// A stream that begins as TLS does (RFC 8446 §5.1).
  case streamTLS
  /// A TLS stream of which at least one record was decrypted.
  case streamDecrypted
  /// A stream that begins as WAMP RawSocket does.
  case streamRawSocket
  case httpRequest
  /// A WAMP session with more open requests and granted ids than are watched, or of a realm beyond
  /// `Limits.realms`.
  case sessionUnwatched
  /// A line of a log.
  case line
  /// A line of a log that contains no message.
  case linePassedOver

  public var name: StaticString {
    switch self {
    case .packet: "packets"
    case .payloadByte: "payloadBytes"
    case .packetNotTCP: "packetsNotTCP"
    case .packetMalformed: "packetsMalformed"
    case .stream: "streams"
    case .streamUnread: "streamsUnread"
    case .streamTLS: "streamsTLS"
    case .streamDecrypted: "streamsDecrypted"
    case .streamRawSocket: "streamsRawSocket"
    case .httpRequest: "httpRequests"
    case .sessionUnwatched: "sessionsUnwatched"
    case .line: "lines"
    case .linePassedOver: "linesPassedOver"
    }
  }
}
