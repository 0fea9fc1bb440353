// SPDX-License-Identifier: Apache-2.0
import TapBytes

/// The parts of one Socket.IO packet in its text form (socket.io-protocol, "Packet encoding"):
/// `<type>[<attachments>-][<namespace>,][<ack id>][<JSON>]`. The JSON is not parsed.
struct SocketIOPacket: BitwiseCopyable {
  enum Kind: UInt8, CaseIterable, BitwiseCopyable {
    case connect, disconnect, event, ack, connectError, binaryEvent, binaryAck

    var name: StaticString {
      switch self {
      case .connect: "CONNECT"
      case .disconnect: "DISCONNECT"
      case .event: "EVENT"
      case .ack: "ACK"
      case .connectError: "CONNECT_ERROR"
      case .binaryEvent: "BINARY_EVENT"
      case .binaryAck: "BINARY_ACK"
      }
    }

    var isBinary: Bool { self == .binaryEvent || self == .binaryAck }
    var isAck: Bool { self == .ack || self == .binaryAck }
  }

  /// The most digits of the number of attachments and of an ack id.
  static let mostDigits = 18

  var kind: Kind
  /// How many binary messages follow; 0 for kinds that have none.
  var attachments = 0
  /// With its slash; empty for `/`.
  var namespace = ByteRange()
  /// The part after `?` in a namespace (parser 4 and older).
  var query = ByteRange()
  /// Nil when there is none.
  var ackID: UInt64?
  /// The rest; empty when there is none.
  var data = ByteRange()

  /// Parses a packet; nil, with the reason in `fault`, when its head is not valid.
  init?(_ bytes: RawSpan, _ fault: inout StaticString) {
    guard bytes.byteCount > 0, let kind = Kind(rawValue: bytes.byte(at: 0) &- 0x30) else {
      fault = "its type must be a digit from 0 to 6"
      return nil
    }
    self.kind = kind
    var at = 1
    if kind.isBinary {
      let digits = Self.digits(bytes, at)
      guard !digits.isEmpty, digits.count <= Self.mostDigits, digits.end < bytes.byteCount,
        bytes.byte(at: digits.end) == UInt8(ascii: "-")
      else {
        fault = "it must have the number of its attachments and a '-' behind its type"
        return nil
      }
      attachments = Self.number(bytes, digits)
      at = digits.end + 1
    }
    if at < bytes.byteCount, bytes.byte(at: at) == UInt8(ascii: "/") {
      let end = bytes.firstIndex(of: UInt8(ascii: ","), from: at) ?? bytes.byteCount
      namespace = ByteRange(at, end)
      if let mark = bytes.firstIndex(of: UInt8(ascii: "?"), from: at), mark < end {
        (namespace, query) = (ByteRange(at, mark), ByteRange(mark + 1, end))
      }
      at = min(end + 1, bytes.byteCount)
    }
    let digits = Self.digits(bytes, at)
    if !digits.isEmpty {
      guard digits.count <= Self.mostDigits else {
        fault = "its ack id has more digits than any library sends"
        return nil
      }
      ackID = UInt64(Self.number(bytes, digits))
      at = digits.end
    }
    if at < bytes.byteCount { data = ByteRange(at, bytes.byteCount) }
  }

  /// A packet whose parts the caller sets.
  init(_ kind: Kind) { self.kind = kind }

  private static func digits(_ bytes: RawSpan, _ start: Int) -> ByteRange {
    var at = start
    while at < bytes.byteCount, bytes.byte(at: at).isDigit { at += 1 }
    return ByteRange(start, at)
  }

  /// - Parameter digits: no more than `mostDigits`.
  static func number(_ bytes: RawSpan, _ digits: ByteRange) -> Int {
    var value = 0
    for at in digits.start..<digits.end { value = value * 10 + Int(bytes.byte(at: at) &- 0x30) }
    return value
  }
}
