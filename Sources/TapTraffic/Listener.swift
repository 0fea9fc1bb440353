// SPDX-License-Identifier: Apache-2.0

/// Hears what layers tell, in order. Bytes are lent for the call.
public protocol Listener: AnyObject {
  /// A conversation that we can read begins on the delivery's flow.
  func opened(_ opening: Opening, _ delivery: Delivery)
  /// Somebody asked for a conversation and got none: the server answered otherwise, or its port was
  /// closed, in which case the carrier is a stream and there is no URL; or nobody answers, which is
  /// told each time that the client asks again.
  func refused(_ attempt: Opening, _ delivery: Delivery)
  func message(_ message: Message, _ bytes: RawSpan, _ notes: Span<Note>)
  /// How the message that is told next was carried; only where that was asked for.
  func framed(_ framing: Framing)
  /// The bytes that the text was made of that is told next as a message, and what they are called:
  /// `CBOR`. Not told of messages that are lent as they were sent.
  /// - Parameter trailing: how many of the bytes stand behind the message.
  func sent(_ octets: RawSpan, trailing: Int, as serializer: StaticString)
  /// The subject of the message that is told next, where it does not stand in its bytes: the
  /// message has an abbreviation of it.
  func subject(_ uri: RawSpan)
  /// What the message that was told last says that an id stands for, together with what came before
  /// it: the subject of the lesson stands in these bytes.
  func lesson(_ lesson: LearnedName, _ bytes: RawSpan, in message: Message)
  func finding(_ finding: Finding)
  /// Bytes of this flow wait for what tells what they are, or for bytes before them: what they say
  /// is told later, while others are heard. Ends with a `caughtUp`.
  func waiting(from origin: Origin)
  /// All that has waited so was told.
  func caughtUp(_ origin: Origin)
  /// What comes next of what waits was sent after this, whatever its own time is: two clocks are
  /// apart.
  func follows(_ origin: Origin)
  /// What one side has agreed to send while there is nothing to say; told ahead of the end.
  func keepAlive(_ keepAlive: KeepAlive, _ delivery: Delivery)
  func closed(_ closing: Closing, _ delivery: Delivery)
  /// Says what became of captured bytes; every byte of a stream is accounted for exactly once.
  func account(_ fate: Fate, _ bytes: Int)
  /// Counts things that no message tells of.
  func count(_ thing: Counter, _ amount: Int)
  /// Text that stands between the messages of an input.
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
}

/// What became of bytes that were captured.
public enum Fate: Int, Sendable, CaseIterable {
  /// In a message, a control frame or a handshake of RawSocket that was told.
  case told
  /// HTTP heads and bodies, and the frames of HTTP/2 but for what they carry of a conversation.
  case http
  /// TLS records that were read, but for what they carry: handshakes, headers, tags, padding.
  case tls
  /// TLS records that were not opened.
  case sealed
  /// Repeated bytes of a TCP stream.
  case repeated
  /// Of frames or messages that lack other bytes; a finding says so.
  case incomplete
  /// Skipped while looking for the next frame after a gap; a finding says so.
  case skipped
  /// Of streams that speak nothing we read.
  case unread
  /// Came after the connection was closed.
  case afterClose

  public var name: StaticString {
    switch self {
    case .told: "told"
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
  /// A stream that speaks nothing we read.
  case streamUnread
  /// A stream that begins as TLS does (RFC 8446 §5.1).
  case streamTLS
  /// A TLS stream with a record that was opened.
  case streamDecrypted
  /// A stream that begins as WAMP RawSocket does.
  case streamRawSocket
  case httpRequest
  /// A WAMP session with more open requests and granted ids than are watched, or of one realm more
  /// than sessions are compared in.
  case sessionUnwatched
  /// A line of a log.
  case line
  /// A line of a log that has nothing of a message.
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
